//! `--unwinding`: the tree that an engine has unwound a program into: a page, JSON, or a graph for Graphviz.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::Path;

use craig_program::{Drawing, DrawnVertex};
use serde_json::{Value, json};

use super::kind::write_text;
use crate::cli::failure::Failure;
use crate::cli::page::{escaped, page as whole_page};

/// Vertices that are drawn, at most: browsers get slow with more.
const MAX_VERTICES: usize = 5_000;
/// Vertices that are drawn as boxes with their text, at most; more are drawn as circles with their numbers.
const MAX_BOXES: usize = 400;
/// Characters of a line in a box, at most.
const BOX_CHARACTERS: usize = 24;
/// Lines of a label in a box, at most.
const BOX_LINES: usize = 2;
/// Lines of a label that are shown on hover, at most.
const MAX_LINES: usize = 24;

/// Writes the file: JSON or Graphviz if its name says so, else a page. A note says why there is none.
pub(in crate::cli::check::program) fn write(
    path: &Path,
    drawing: Option<Drawing>,
    title: &str,
) -> Result<Option<String>, Failure> {
    let Some(drawing) = drawing else {
        let why = "no engine has unwound the program; `--engine impact`, `predabs`, `rse` and `annotate` do";
        return Ok(Some(format!("{}: not written: {why}", path.display())));
    };
    let extension = path.extension().and_then(|extension| extension.to_str());
    let text = match extension {
        Some("json") => json(&drawing, title),
        Some("dot") => dot(&drawing, title),
        _ => html(&drawing, title),
    };
    write_text(path, &text)?;
    Ok(None)
}

/// How vertices are drawn. Lengths are pixels.
#[derive(Clone, Copy)]
struct Style {
    /// Distances between the middles of vertices side by side, and of a vertex and its child.
    column: f64,
    row: f64,
    /// Half the width and half the height of a vertex.
    half_width: f64,
    half_height: f64,
    /// Whether it contains location and label, and not only its number.
    is_box: bool,
}

impl Style {
    fn of(n_vertices: usize) -> Self {
        let is_box = n_vertices <= MAX_BOXES;
        match is_box {
            true => Self {
                column: 176.0,
                row: 92.0,
                half_width: 80.0,
                half_height: 29.0,
                is_box,
            },
            false => Self {
                column: 26.0,
                row: 46.0,
                half_width: 9.0,
                half_height: 9.0,
                is_box,
            },
        }
    }

    /// Where the line from one vertex to another meets the border of the other.
    fn border(&self, from: (f64, f64), to: (f64, f64)) -> (f64, f64) {
        let (x, y) = (from.0 - to.0, from.1 - to.1);
        let ratio = (x.abs() / self.half_width).max(y.abs() / self.half_height);
        if ratio <= 1.0 {
            return to;
        }
        (to.0 + x / ratio, to.1 + y / ratio)
    }
}

/// The lines of source files, as far as they can be read.
#[derive(Default)]
struct Sources(HashMap<String, Vec<String>>);

impl Sources {
    /// The line that the name of a location begins with: `FILE:LINE FUNCTION`.
    fn line(&mut self, location: &str) -> Option<&str> {
        let (file, line, _) = parts(location)?;
        let lines = self.0.entry(file.to_owned()).or_insert_with(|| {
            let bytes = craig_c::source_bytes(Path::new(file)).unwrap_or_default();
            let text = String::from_utf8_lossy(&bytes).into_owned();
            text.lines().map(str::to_owned).collect()
        });
        let line = lines.get(line.checked_sub(1)?)?;
        Some(line.trim())
    }
}

/// File, line and function of a location whose name is `FILE:LINE FUNCTION`.
fn parts(location: &str) -> Option<(&str, usize, &str)> {
    let (place, function) = location.rsplit_once(' ')?;
    let (file, line) = place.rsplit_once(':')?;
    Some((file, line.parse().ok()?, function))
}

/// The place of each vertex: leaves side by side in the order of the tree, parents above the middle of their
/// children.
fn places(vertices: &[DrawnVertex], style: Style) -> Vec<(f64, f64)> {
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
        .map(|(column, &depth)| {
            let x = column * style.column + style.half_width + 10.0;
            (x, depth as f64 * style.row + style.half_height + 10.0)
        })
        .collect()
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
    if vertex.is_on_run {
        text.push_str("\non the run to the error");
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

/// The first characters of a line, and an end that is kept, so that they fit into a box.
fn shortened(line: &str, end: &str) -> String {
    let room = BOX_CHARACTERS.saturating_sub(end.chars().count());
    if line.chars().count() <= room {
        return escaped(line) + &escaped(end);
    }
    let start: String = line.chars().take(room.saturating_sub(2)).collect();
    escaped(&start) + ".." + &escaped(end)
}

/// The first line inside a box: the number, and function and line, or else the name of the location.
fn heading(index: usize, location: &str) -> String {
    match parts(location) {
        Some((_, line, function)) => {
            shortened(&format!("{index}: {function}"), &format!(":{line}"))
        }
        None => shortened(&format!("{index}: {location}"), ""),
    }
}

/// The lines inside a box: number and location, and the label.
fn box_lines(index: usize, vertex: &DrawnVertex) -> Vec<String> {
    let mut lines = vec![heading(index, &vertex.location)];
    match (vertex.is_false, vertex.label.is_empty()) {
        (true, _) => lines.push("false".to_owned()),
        (false, true) => lines.push("true".to_owned()),
        (false, false) => {
            lines.extend(
                vertex
                    .label
                    .iter()
                    .take(BOX_LINES)
                    .map(|line| shortened(line, "")),
            );
            if vertex.label.len() > BOX_LINES {
                lines.push(format!(".. and {} more", vertex.label.len() - BOX_LINES));
            }
        }
    }
    lines
}

fn class(vertex: &DrawnVertex) -> &'static str {
    match vertex {
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
    }
}

/// The lines from parents to children, and from covered vertices to those that cover them.
fn write_arcs(page: &mut String, vertices: &[DrawnVertex], places: &[(f64, f64)], style: Style) {
    for (vertex, &(x, y)) in vertices.iter().zip(places) {
        if let Some(parent) = vertex.parent {
            let (from_x, from_y) = places[parent];
            let _ = writeln!(
                page,
                "<line class=\"tree\" x1=\"{from_x:.1}\" y1=\"{from_y:.1}\" x2=\"{x:.1}\" y2=\"{y:.1}\"/>"
            );
            if vertex.is_on_run {
                let _ = writeln!(
                    page,
                    "<line class=\"run\" x1=\"{from_x:.1}\" y1=\"{from_y:.1}\" x2=\"{x:.1}\" y2=\"{y:.1}\"/>"
                );
            }
        }
    }
    for (vertex, &(x, y)) in vertices.iter().zip(places) {
        // A vertex that is not drawn has no place.
        let Some(&to) = vertex.covered_by.and_then(|by| places.get(by)) else {
            continue;
        };
        // The arrow leaves to the side, so that it does not lie upon the lines of the tree.
        let side = style.half_width + 30.0;
        let middle = (f64::midpoint(x, to.0) + side, f64::midpoint(y, to.1));
        let (from_x, from_y) = style.border(middle, (x, y));
        let (to_x, to_y) = style.border(middle, to);
        let class = if vertex.is_on_run {
            "cover run"
        } else {
            "cover"
        };
        let _ = writeln!(
            page,
            "<path class=\"{class}\" d=\"M{from_x:.1} {from_y:.1}Q{:.1} {:.1} {to_x:.1} {to_y:.1}\" \
             marker-end=\"url(#arrow)\"/>",
            middle.0, middle.1,
        );
    }
}

fn write_vertices(
    page: &mut String,
    vertices: &[DrawnVertex],
    places: &[(f64, f64)],
    style: Style,
) {
    let mut sources = Sources::default();
    for (index, (vertex, &(x, y))) in vertices.iter().zip(places).enumerate() {
        let title = hover(index, vertex, &mut sources);
        let run = if vertex.is_on_run { " run" } else { "" };
        let _ = write!(
            page,
            "<g class=\"{}{run}\"><title>{title}</title>",
            class(vertex)
        );
        if style.is_box {
            let (left, top) = (x - style.half_width, y - style.half_height);
            let (width, height) = (2.0 * style.half_width, 2.0 * style.half_height);
            let _ = write!(
                page,
                "<rect class=\"vertex\" x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width}\" height=\"{height}\" rx=\"5\"/>"
            );
            for (number, line) in box_lines(index, vertex).iter().enumerate() {
                let y = top + 14.0 + 13.0 * number as f64;
                let _ = write!(
                    page,
                    "<text class=\"line\" x=\"{x:.1}\" y=\"{y:.1}\">{line}</text>"
                );
            }
        } else {
            let radius = style.half_width;
            let _ = write!(
                page,
                "<circle class=\"vertex\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\"/><text x=\"{x:.1}\" \
                 y=\"{:.1}\">{index}</text>",
                y + 3.0,
            );
        }
        page.push_str("</g>\n");
    }
}

fn html(drawing: &Drawing, title: &str) -> String {
    let n = drawing.vertices.len().min(MAX_VERTICES);
    let vertices = &drawing.vertices[..n];
    let style = Style::of(n);
    let places = places(vertices, style);
    let farthest = (places.iter()).fold((0.0f64, 0.0f64), |most, place| {
        (most.0.max(place.0), most.1.max(place.1))
    });
    // The arrow of a cover may lie beside the last column.
    let (width, height) = (
        farthest.0 + 2.0 * style.half_width + 60.0,
        farthest.1 + style.row,
    );
    let n_covered = (vertices.iter())
        .filter(|vertex| vertex.covered_by.is_some())
        .count();
    let run = match vertices.iter().any(|vertex| vertex.is_on_run) {
        true => " <span class=\"key run\">on the run to the error</span>",
        false => "",
    };
    let mut page = String::from(STYLE);
    page.push_str(
        "<p>A vertex for each visit of a location, the program's start at the top. A click shows the location of a vertex, the \
         line of the source there, and its whole label. Names with an index are bits of words.</p>\n",
    );
    let _ = writeln!(
        page,
        "<p>{} vertices, {n} of them drawn; {n_covered} of these are covered by an older vertex (dashed arrows). \
         <span class=\"key false\">the label is false</span> <span class=\"key covered\">covered</span> \
         <span class=\"key blocked\">blocked by a safety interpolant</span> \
         <span class=\"key open\">not unwound further</span> <span class=\"key true\">the label is true</span> \
         <span class=\"key label\">another label</span>{run}</p>",
        drawing.vertices.len(),
    );
    let _ = writeln!(
        page,
        "<div class=\"tools\"><button type=\"button\" data-zoom=\"0.7\">&minus;</button><button type=\"button\" \
         data-zoom=\"1.4\">+</button><button type=\"button\" data-zoom=\"0\">whole width</button></div>\n<pre \
         id=\"label\">Click a vertex.</pre>\n<div class=\"pane\" id=\"pane\"><svg viewBox=\"0 0 {width:.0} {height:.0}\" \
         width=\"{width:.0}\" height=\"{height:.0}\" role=\"img\"><defs><marker id=\"arrow\" \
         viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\"><path \
         d=\"M0 0L8 4L0 8z\"/></marker></defs>"
    );
    write_arcs(&mut page, vertices, &places, style);
    write_vertices(&mut page, vertices, &places, style);
    page.push_str("</svg></div>\n");
    // The root may be far to the right of what a window shows.
    let root = places.first().map_or(0.0, |root| root.0);
    page.push_str(&SCRIPT.replace("ROOT", &format!("{root:.0}")));
    whole_page(title, &page)
}

/// What only this page has: the colours of vertices and lines, in both schemes.
const STYLE: &str = "<style>
.pane { overflow: auto; max-height: 78vh; border: 1px solid var(--rule); border-radius: 0.4rem; cursor: grab; touch-action: pan-x pan-y; }
.pane svg { max-width: none; display: block; }
.pane text { font: 8px sans-serif; text-anchor: middle; pointer-events: none; fill: #111; }
.pane text.line { font: 11px monospace; }
.vertex { stroke: #444; fill: #cfc; } .tree { stroke: var(--faint); }
.cover { stroke: var(--accent); fill: none; stroke-dasharray: 4 3; } #arrow path { fill: var(--accent); }
line.run { stroke: var(--bad); stroke-width: 3; } .cover.run, .run .vertex { stroke: var(--bad); stroke-width: 2; }
.pane .false .vertex, .key.false { fill: #ccc; background: #ccc; } .pane .covered .vertex, .key.covered { fill: #bcf; background: #bcf; }
.pane .blocked .vertex, .key.blocked { fill: #dbf; background: #dbf; } .pane .open .vertex, .key.open { fill: #fb6; background: #fb6; }
.pane .true .vertex, .key.true { fill: #fff; background: #fff; } .key.label { background: #cfc; }
.pane g { cursor: pointer; } .pane g:hover .vertex { stroke-width: 3; }
.key { border: 1px solid #444; border-radius: 4px; padding: 0 0.4em; color: #111; white-space: nowrap; }
.key.run { border: 2px solid var(--bad); color: var(--ink); }
#label { min-height: 4.5em; white-space: pre-wrap; background: var(--soft); padding: 0.5rem; border-radius: 0.4rem; }
</style>
";

/// Zoom, drawing along with the pointer, and the whole label of the vertex that is clicked.
const SCRIPT: &str = "<script>
(() => {
  const pane = document.getElementById('pane'), svg = pane.querySelector('svg'), label = document.getElementById('label');
  const [width, height] = [svg.viewBox.baseVal.width, svg.viewBox.baseVal.height];
  let scale = 1, from = null;
  const zoom = by => {
    const x = (pane.scrollLeft + pane.clientWidth / 2) / scale, y = (pane.scrollTop + pane.clientHeight / 2) / scale;
    scale = Math.max(0.05, Math.min(4, by ? scale * by : Math.min(pane.clientWidth / width, 1)));
    svg.setAttribute('width', width * scale); svg.setAttribute('height', height * scale);
    pane.scrollLeft = x * scale - pane.clientWidth / 2; pane.scrollTop = y * scale - pane.clientHeight / 2;
  };
  document.querySelectorAll('[data-zoom]').forEach(b => b.onclick = () => zoom(Number(b.dataset.zoom)));
  pane.onpointerdown = e => { if (e.pointerType === 'mouse') from = [e.clientX + pane.scrollLeft, e.clientY + pane.scrollTop]; };
  pane.onpointermove = e => { if (from) { pane.scrollLeft = from[0] - e.clientX; pane.scrollTop = from[1] - e.clientY; } };
  window.addEventListener('pointerup', () => from = null);
  svg.querySelectorAll('g').forEach(g => g.onclick = () => label.textContent = g.querySelector('title').textContent);
  pane.scrollLeft = ROOT - pane.clientWidth / 2;
})();
</script>
";

/// The drawing as one JSON object.
fn json(drawing: &Drawing, title: &str) -> String {
    let vertex = |(number, vertex): (usize, &DrawnVertex)| {
        json!({
            "number": number,
            "parent": vertex.parent,
            "covered_by": vertex.covered_by,
            "location": vertex.location,
            "label": vertex.label,
            "false": vertex.is_false,
            "blocked": vertex.is_blocked,
            "open": vertex.is_open,
            "on_run": vertex.is_on_run,
        })
    };
    let vertices: Vec<Value> = drawing.vertices.iter().enumerate().map(vertex).collect();
    let object = json!({ "title": title, "vertices": vertices });
    format!("{object:#}\n")
}

/// The drawing for Graphviz.
fn dot(drawing: &Drawing, title: &str) -> String {
    let quoted = |text: &str| {
        text.replace('\\', "\\\\")
            .replace('"', "\\\"")
            .replace('\n', "\\n")
    };
    let mut text = format!(
        "digraph unwinding {{\n  label=\"{}\";\n  node [shape=box];\n",
        quoted(title)
    );
    for (number, vertex) in drawing.vertices.iter().enumerate() {
        let label = match (vertex.is_false, vertex.label.is_empty()) {
            (true, _) => "false".to_owned(),
            (false, true) => "true".to_owned(),
            (false, false) => vertex.label.join("\n"),
        };
        let all = format!("{number}: {}\n{label}", vertex.location);
        let colour = if vertex.is_on_run { ", color=red" } else { "" };
        // Writing to a string does not fail.
        let _ = writeln!(text, "  v{number} [label=\"{}\"{colour}];", quoted(&all));
        if let Some(parent) = vertex.parent {
            let _ = writeln!(text, "  v{parent} -> v{number};");
        }
        if let Some(by) = vertex.covered_by {
            let _ = writeln!(
                text,
                "  v{number} -> v{by} [style=dashed, constraint=false];"
            );
        }
    }
    text + "}\n"
}

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
            is_on_run: false,
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
        for style in [Style::of(MAX_BOXES), Style::of(MAX_BOXES + 1)] {
            let places = places(&vertices, style);
            for (index, vertex) in vertices.iter().enumerate() {
                let parent = vertex.parent;
                assert!(parent.is_none_or(|parent| places[parent].1 < places[index].1));
                assert!(places[..index].iter().all(|place| *place != places[index]));
            }
        }
        let drawing = Drawing {
            vertices: vertices.into(),
        };
        let read: Value = serde_json::from_str(&json(&drawing, "a")).unwrap();
        assert_eq!(read["vertices"][1]["label"][0], "x < 3");
        let graph = dot(&drawing, "a \"title\"");
        assert!(graph.contains("label=\"a \\\"title\\\"\""), "{graph}");
        assert_eq!(graph.matches(" -> ").count(), 4 + 1);
        let page = html(&drawing, "a.c: SAFE");
        assert!(page.contains("<title>a.c: SAFE</title>"));
        assert_eq!(page.matches("<rect").count(), 5);
        assert_eq!(page.matches("class=\"cover\"").count(), 1);
        assert_eq!(page.matches(">1: main:3<").count(), 1);
        assert_eq!(page.matches("<title>1: missing.c:3 main\n").count(), 1);
        assert_eq!(page.matches(">x &lt; 3<").count(), 1);
        assert!(!page.contains("http"));
    }

    #[test]
    fn function_and_line_fit_into_a_box() {
        for (location, text) in [
            ("/a/long path/to/the/file.c:3 main", "7: main:3"),
            (
                "a.c:5857 PptPnpBuildRemovalRelations",
                "7: PptPnpBuildRem..:5857",
            ),
            ("a.c:12345 twelve_chars", "7: twelve_chars:12345"),
            ("error", "7: error"),
            (
                "a location without a line, long",
                "7: a location without ..",
            ),
        ] {
            let text_of = heading(7, location);
            assert_eq!(text_of, text);
            assert!(text_of.chars().count() <= BOX_CHARACTERS);
        }
    }

    #[test]
    fn a_large_tree_is_drawn_without_texts_and_is_cut_off() {
        let vertices = (0..MAX_VERTICES + 5).map(|index| {
            let last = MAX_VERTICES + 4;
            vertex(
                index.checked_sub(1),
                (index == 7).then_some(last),
                &["x < 3"],
            )
        });
        let drawing = Drawing {
            vertices: vertices.collect(),
        };
        let page = html(&drawing, "a.c: SAFE");
        assert_eq!(page.matches("<circle").count(), MAX_VERTICES);
        assert_eq!(page.matches("<rect").count(), 0);
        // The one that covers is not drawn.
        assert_eq!(page.matches("class=\"cover\"").count(), 0);
        assert!(page.contains(&format!(
            "{} vertices, {MAX_VERTICES} of them drawn",
            MAX_VERTICES + 5
        )));
    }

    #[test]
    fn arrows_end_at_the_border() {
        let style = Style::of(1);
        let (x, y) = style.border((500.0, 100.0), (100.0, 100.0));
        assert!((x - 180.0).abs() < 1e-9 && (y - 100.0).abs() < 1e-9);
        let (x, y) = style.border((100.0, 500.0), (100.0, 100.0));
        assert!((x - 100.0).abs() < 1e-9 && (y - 129.0).abs() < 1e-9);
    }
}
