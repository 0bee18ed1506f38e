//! `--unwinding`: the tree that an engine has unwound a program into, as one HTML file without anything from
//! elsewhere.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::Path;

use craig_mc::program::{Drawing, DrawnVertex};

use super::kind::write_text;
use crate::cli::failure::Failure;

/// Vertices that are drawn, at most: browsers get slow with more.
const MAX_VERTICES: usize = 5_000;
/// Distances between columns and rows of vertices, in pixels.
const COLUMN: f64 = 26.0;
const ROW: f64 = 46.0;
/// Lines of a label that are shown on hover, at most.
const MAX_LINES: usize = 24;

/// Writes the file. A note says why there is none.
pub(in crate::cli::check::program) fn write(
    path: &Path,
    drawing: Option<Drawing>,
) -> Result<Option<String>, Failure> {
    let Some(drawing) = drawing else {
        let why = "no engine has unwound the program; `--engine impact` and `--engine rse` do";
        return Ok(Some(format!("{}: not written: {why}", path.display())));
    };
    write_text(path, &html(&drawing))?;
    Ok(None)
}

/// The lines of source files, as far as they can be read.
#[derive(Default)]
struct Sources(HashMap<String, Vec<String>>);

impl Sources {
    /// The line that the name of a location begins with: `FILE:LINE FUNCTION`.
    fn line(&mut self, location: &str) -> Option<&str> {
        let (place, _) = location.rsplit_once(' ')?;
        let (file, line) = place.rsplit_once(':')?;
        let line: usize = line.parse().ok()?;
        let lines = self.0.entry(file.to_owned()).or_insert_with(|| {
            let bytes = std::fs::read(file).unwrap_or_default();
            let text = String::from_utf8_lossy(&bytes).into_owned();
            text.lines().map(str::to_owned).collect()
        });
        let line = lines.get(line.checked_sub(1)?)?;
        Some(line.trim())
    }
}

/// The place of each vertex: leaves side by side in the order of the tree, parents above the middle of their
/// children.
fn places(vertices: &[DrawnVertex]) -> Vec<(f64, f64)> {
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); vertices.len()];
    let mut depths = vec![0usize; vertices.len()];
    for (index, vertex) in vertices.iter().enumerate() {
        if let Some(parent) = vertex.parent {
            children[parent].push(index);
            depths[index] = depths[parent] + 1;
        }
    }
    // Leaves in depth-first order.
    let mut columns = vec![0.0; vertices.len()];
    let mut next = 0.0;
    let mut stack: Vec<usize> = (!vertices.is_empty()).then_some(0).into_iter().collect();
    while let Some(index) = stack.pop() {
        if children[index].is_empty() {
            columns[index] = next;
            next += 1.0;
        }
        stack.extend(children[index].iter().rev());
    }
    // Parents come before their children.
    for index in (0..vertices.len()).rev() {
        if let (Some(&first), Some(&last)) = (children[index].first(), children[index].last()) {
            columns[index] = f64::midpoint(columns[first], columns[last]);
        }
    }
    (columns.iter().zip(&depths))
        .map(|(column, &depth)| ((column + 1.0) * COLUMN, (depth as f64 + 1.0) * ROW))
        .collect()
}

fn escaped(text: &str) -> String {
    (text.replace('&', "&amp;").replace('<', "&lt;")).replace('>', "&gt;")
}

/// What is shown when the pointer is over a vertex.
fn hover(index: usize, vertex: &DrawnVertex, sources: &mut Sources) -> String {
    let mut text = format!("{index}: {}", vertex.location);
    if let Some(line) = sources.line(&vertex.location) {
        let _ = write!(text, "\n    {line}");
    }
    if let Some(by) = vertex.covered_by {
        let _ = write!(text, "\ncovered by {by}");
    }
    if vertex.is_blocked {
        text.push_str("\nblocked: no run from here reaches an error");
    }
    if vertex.is_open {
        text.push_str("\nnot unwound further");
    }
    match (vertex.is_false, vertex.label.is_empty()) {
        (true, _) => text.push_str("\nfalse"),
        (false, true) => text.push_str("\ntrue"),
        (false, false) => {
            for line in vertex.label.iter().take(MAX_LINES) {
                let _ = write!(text, "\n{line}");
            }
            if vertex.label.len() > MAX_LINES {
                let _ = write!(text, "\n.. and {} more", vertex.label.len() - MAX_LINES);
            }
        }
    }
    escaped(&text)
}

fn html(drawing: &Drawing) -> String {
    let n = drawing.vertices.len().min(MAX_VERTICES);
    let vertices = &drawing.vertices[..n];
    let places = places(vertices);
    let width = places
        .iter()
        .fold(0.0, |most: f64, place| most.max(place.0))
        + 200.0;
    let height = places
        .iter()
        .fold(0.0, |most: f64, place| most.max(place.1))
        + ROW;
    let n_covered = vertices
        .iter()
        .filter(|vertex| vertex.covered_by.is_some())
        .count();
    let mut page = String::from(HEAD);
    let _ = writeln!(
        page,
        "<p>{} vertices, {n} of them drawn; {n_covered} are covered by an older vertex (dashed arrows). Grey: \
         the label is false. Blue: covered. Violet: blocked by a safety interpolant. Orange: not unwound \
         further. White: the label is true.</p>",
        drawing.vertices.len(),
    );
    let _ = writeln!(
        page,
        "<svg width=\"{width:.0}\" height=\"{height:.0}\" role=\"img\"><defs><marker id=\"arrow\" \
         viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\"><path \
         d=\"M0 0L8 4L0 8z\" fill=\"#36c\"/></marker></defs>"
    );
    for (vertex, &(x, y)) in vertices.iter().zip(&places) {
        if let Some(parent) = vertex.parent {
            let (from_x, from_y) = places[parent];
            let _ = writeln!(
                page,
                "<line class=\"tree\" x1=\"{from_x:.1}\" y1=\"{from_y:.1}\" x2=\"{x:.1}\" y2=\"{y:.1}\"/>"
            );
        }
        if let Some(by) = vertex.covered_by {
            let (to_x, to_y) = places[by];
            let (middle_x, middle_y) =
                (f64::midpoint(x, to_x) + 20.0, f64::midpoint(y, to_y) + 20.0);
            let _ = writeln!(
                page,
                "<path class=\"cover\" d=\"M{x:.1} {y:.1}Q{middle_x:.1} {middle_y:.1} {to_x:.1} {to_y:.1}\" \
                 marker-end=\"url(#arrow)\"/>"
            );
        }
    }
    let mut sources = Sources::default();
    for (index, (vertex, &(x, y))) in vertices.iter().zip(&places).enumerate() {
        let class = match vertex {
            DrawnVertex { is_false: true, .. } => "false",
            DrawnVertex {
                covered_by: Some(_),
                ..
            } => "covered",
            DrawnVertex {
                is_blocked: true, ..
            } => "blocked",
            DrawnVertex { is_open: true, .. } => "open",
            DrawnVertex { label, .. } if label.is_empty() => "true",
            _ => "label",
        };
        let _ = writeln!(
            page,
            "<g class=\"{class}\"><title>{}</title><circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"9\"/><text \
             x=\"{x:.1}\" y=\"{:.1}\">{index}</text></g>",
            hover(index, vertex, &mut sources),
            y + 3.0,
        );
    }
    page.push_str("</svg>\n</body>\n</html>\n");
    page
}

const HEAD: &str = "<!DOCTYPE html>
<html lang=\"en\">
<head>
<meta charset=\"utf-8\">
<title>Unwinding</title>
<style>
body { font: 14px sans-serif; margin: 1em; }
text { font: 8px sans-serif; text-anchor: middle; pointer-events: none; }
circle { stroke: #333; fill: #cfc; }
.tree { stroke: #333; }
.cover { stroke: #36c; fill: none; stroke-dasharray: 4 3; }
.false circle { fill: #bbb; }
.covered circle { fill: #bcf; }
.blocked circle { fill: #dbf; }
.open circle { fill: #fb6; }
.true circle { fill: #fff; }
g:hover circle { stroke-width: 3; }
</style>
</head>
<body>
<h1>Unwinding</h1>
<p>A vertex for each visit of a location, the program's start at the top. The pointer over a vertex shows its
location, the line of the source there, and its label. Names with an index are bits of words.</p>
";

#[cfg(test)]
mod tests {
    use super::*;

    fn vertex(parent: Option<usize>, covered_by: Option<usize>, label: &[&str]) -> DrawnVertex {
        DrawnVertex {
            parent,
            covered_by,
            location: "missing.c:3 main".to_owned(),
            label: label.iter().map(|&line| line.to_owned()).collect(),
            is_false: false,
            is_blocked: false,
            is_open: false,
        }
    }

    #[test]
    fn parents_stand_above_their_children_and_nobody_in_the_same_place() {
        let vertices = [
            vertex(None, None, &[]),
            vertex(Some(0), None, &["x < 3"]),
            vertex(Some(1), Some(1), &[]),
            vertex(Some(0), None, &[]),
            vertex(Some(1), None, &[]),
        ];
        let places = places(&vertices);
        for (index, vertex) in vertices.iter().enumerate() {
            assert!(
                vertex
                    .parent
                    .is_none_or(|parent| places[parent].1 < places[index].1)
            );
            assert!(places[..index].iter().all(|place| *place != places[index]));
        }
        let page = html(&Drawing {
            vertices: vertices.into(),
        });
        assert_eq!(page.matches("<circle").count(), 5);
        assert_eq!(page.matches("class=\"cover\"").count(), 1);
        assert!(page.contains("x &lt; 3") && !page.contains("http"));
    }
}
