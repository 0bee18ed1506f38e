//! One page with all results: scores, plots, and a table that can be sorted. It needs nothing but itself.

use std::fmt::Write as _;
use std::io;

use super::summary::{Score, cell, problems, scores, virtual_best};
use crate::answer::Answer;
use crate::plot;
use crate::row::{Row, programs, solving_times};

/// Text in HTML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

const STYLE: &str = "\
:root { color-scheme: light dark; --line: #8886; --good: #0072b2; --bad: #d55e00; }\
body { font: 15px/1.45 system-ui, sans-serif; max-width: 75rem; margin: 2rem auto; padding: 0 1rem; }\
table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; }\
th, td { padding: .2rem .6rem; border-bottom: 1px solid var(--line); text-align: right; }\
th:first-child, td:first-child { text-align: left; }\
th button { font: inherit; border: 0; background: none; color: inherit; cursor: pointer; font-weight: 600; }\
.wide { overflow-x: auto; } .wrong { color: var(--bad); font-weight: 700; }\
svg { max-width: 100%; height: auto; background: #fff; } figure { margin: 1rem 0; }\
pre { overflow-x: auto; border: 1px solid var(--line); padding: .6rem; }";

const SCRIPT: &str = "\
const tell = cell => { const key = cell.dataset.key ?? cell.textContent; const number = key.trim() ? Number(key) : NaN; return isNaN(number) ? key : number; };\
document.querySelectorAll('th button').forEach(button => button.addEventListener('click', () => {\
  const head = button.closest('th'), table = head.closest('table'), body = table.tBodies[0], place = head.cellIndex;\
  const up = head.getAttribute('aria-sort') !== 'ascending';\
  table.querySelectorAll('th').forEach(other => other.removeAttribute('aria-sort'));\
  head.setAttribute('aria-sort', up ? 'ascending' : 'descending');\
  const rows = [...body.rows].sort((a, b) => { const x = tell(a.cells[place]), y = tell(b.cells[place]);\
    const order = typeof x === typeof y ? (x < y ? -1 : x > y ? 1 : 0) : typeof x === 'number' ? -1 : 1; return up ? order : -order; });\
  rows.forEach(row => body.append(row)); }));";

/// The page of results. `note` tells about the machine and the versions.
pub(super) fn page(rows: &[Row], limit: f64, note: &str) -> io::Result<String> {
    let mut text = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\"><title>craig-bench</title>\
         <style>{STYLE}</style></head><body>\n<h1>{} problems, {} engines</h1>\n",
        problems(rows).len(),
        programs(rows).len()
    );
    let wrong: Vec<&Row> = rows.iter().filter(|row| row.is_wrong()).collect();
    if !wrong.is_empty() {
        let _ = writeln!(
            text,
            "<p class=\"wrong\">{} wrong answers:</p><ul>",
            wrong.len()
        );
        for row in wrong {
            let [problem, engine] = [&row.problem, &row.program].map(|name| escaped(name));
            let (answer, expected) = (row.answer.word(), row.expected.word());
            let _ = writeln!(
                text,
                "<li class=\"wrong\">{problem}: {engine} says {answer}, it is {expected}</li>"
            );
        }
        text += "</ul>\n";
    }
    let scores = scores(rows, limit);
    text += &score_table(&scores, virtual_best(rows, limit));
    let svg = quantiles(rows, limit)?;
    let _ = writeln!(
        text,
        "<h2>Problems solved within a time</h2><figure>{svg}</figure>\n<h2>Two engines side by side</h2>\
         <p>Each point is a problem; its name is shown under the pointer. At the edges: not solved within {limit} s.</p>"
    );
    for (left, right) in side_by_side(&scores) {
        text += &scatter(left, right, limit);
    }
    text += "<h2>Solved by one engine alone</h2>\n<ul>\n";
    if scores.iter().all(|score| score.unique.is_empty()) {
        text += "<li>None.</li>\n";
    }
    for score in scores.iter().filter(|score| !score.unique.is_empty()) {
        let names: Vec<String> = score.unique.iter().map(|name| escaped(name)).collect();
        let _ = writeln!(
            text,
            "<li><b>{}</b> ({}): {}</li>",
            escaped(score.name),
            names.len(),
            names.join(", ")
        );
    }
    text += "</ul>\n<h2>All runs</h2>\n<p>Answers with processor seconds; good is safe or unsatisfiable, bad is unsafe or satisfiable.</p>\n";
    text += &run_table(rows, limit);
    if !note.is_empty() {
        let _ = writeln!(
            text,
            "<h2>Machine, versions, limits</h2>\n<pre>{}</pre>",
            escaped(note)
        );
    }
    let _ = writeln!(text, "<script>{SCRIPT}</script></body></html>");
    Ok(text)
}

fn head(names: &[&str]) -> String {
    let cells: Vec<String> = names
        .iter()
        .map(|name| {
            format!(
                "<th><button type=\"button\">{}</button></th>",
                escaped(name)
            )
        })
        .collect();
    format!(
        "<div class=\"wide\"><table><thead><tr>{}</tr></thead><tbody>\n",
        cells.concat()
    )
}

fn score_table(scores: &[Score<'_>], best: (usize, usize, f64)) -> String {
    let mut text = head(&[
        "engine",
        "solved",
        "of",
        "good",
        "bad",
        "wrong",
        "failed",
        "unique",
        "PAR-2",
        "evidence accepted",
        "rejected",
    ]);
    for score in scores {
        let cells = score.cells().join("</td><td>");
        let name = escaped(score.name);
        let _ = writeln!(text, "<tr><td>{name}</td><td>{cells}</td></tr>");
    }
    let (solved, of, par2) = best;
    let _ = writeln!(
        text,
        "</tbody><tfoot><tr><td>virtual best</td><td>{solved}</td><td>{of}</td><td></td><td></td><td></td><td></td><td></td>\
         <td>{par2:.2}</td><td></td><td></td></tr></tfoot></table></div>"
    );
    text
}

/// The quantile plot, as it is in files.
fn quantiles(rows: &[Row], limit: f64) -> io::Result<String> {
    let path = std::env::temp_dir().join(format!("craig-bench-{}.svg", std::process::id()));
    plot::quantiles(&path, &solving_times(rows), limit)?;
    let text = std::fs::read_to_string(&path);
    std::fs::remove_file(&path)?;
    text
}

/// The pairs that are drawn: the best engine with each other one.
fn side_by_side<'s, 'r>(scores: &'s [Score<'r>]) -> Vec<(&'s Score<'r>, &'s Score<'r>)> {
    let best = scores
        .iter()
        .min_by(|left, right| left.par2.total_cmp(&right.par2));
    let Some(best) = best else {
        return Vec::new();
    };
    let others = scores.iter().filter(|score| score.name != best.name);
    others.map(|other| (best, other)).collect()
}

/// A plot with a point for each problem that both were asked about.
fn scatter(left: &Score<'_>, right: &Score<'_>, limit: f64) -> String {
    const SIZE: f64 = 420.0;
    const EDGE: f64 = 50.0;
    const LEAST: f64 = 0.01;
    // What is not solved is drawn beyond the limit.
    let seconds = |row: &Row| {
        if row.is_solved() {
            row.cpu_seconds.clamp(LEAST, limit)
        } else {
            1.6 * limit
        }
    };
    let place = |seconds: f64| (seconds / LEAST).ln() / (1.6 * limit / LEAST).ln() * SIZE;
    let (width, height) = (SIZE + 2.0 * EDGE, SIZE + 2.0 * EDGE);
    let [x, y] = [left, right].map(|score| escaped(score.name));
    let mut text = format!(
        "<figure><svg viewBox=\"0 0 {width} {height}\" width=\"{width}\" role=\"img\" aria-label=\"{x} and {y}\" font-family=\"sans-serif\" font-size=\"12\">\
         <rect x=\"{EDGE}\" y=\"{EDGE}\" width=\"{SIZE}\" height=\"{SIZE}\" fill=\"none\" stroke=\"#888\"/>\
         <line x1=\"{EDGE}\" y1=\"{}\" x2=\"{}\" y2=\"{EDGE}\" stroke=\"#888\"/>",
        EDGE + SIZE,
        EDGE + SIZE
    );
    let mut tick = LEAST;
    while tick <= limit {
        let at = place(tick);
        let (along, up) = (EDGE + at, EDGE + SIZE - at);
        let _ = write!(
            text,
            "<text x=\"{along:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{tick}</text><text x=\"{:.1}\" y=\"{up:.1}\" text-anchor=\"end\">{tick}</text>",
            EDGE + SIZE + 16.0,
            EDGE - 5.0
        );
        tick *= 10.0;
    }
    let _ = write!(
        text,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{x}, processor seconds</text>\
         <text x=\"12\" y=\"{:.1}\" text-anchor=\"middle\" transform=\"rotate(-90 12 {:.1})\">{y}</text>",
        width / 2.0,
        height - 10.0,
        height / 2.0,
        height / 2.0
    );
    for row in &left.rows {
        let Some(other) = right.rows.iter().find(|other| other.problem == row.problem) else {
            continue;
        };
        let colour = if [row, other].iter().any(|it| it.answer == Answer::Bad) {
            "#d55e00"
        } else {
            "#0072b2"
        };
        let _ = write!(
            text,
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"4\" fill=\"{colour}\" fill-opacity=\"0.6\"><title>{}: {} and {}</title></circle>",
            EDGE + place(seconds(row)),
            EDGE + SIZE - place(seconds(other)),
            escaped(&row.problem),
            told(row),
            told(other)
        );
    }
    text + "</svg></figure>\n"
}

fn told(row: &Row) -> String {
    match cell(Some(row)) {
        text if text.is_empty() => "not solved".to_owned(),
        text => text,
    }
}

fn run_table(rows: &[Row], limit: f64) -> String {
    let engines = programs(rows);
    let mut text = head(&[&["problem", "expected"][..], &engines[..]].concat());
    for problem in problems(rows) {
        let own: Vec<&Row> = rows.iter().filter(|row| row.problem == problem).collect();
        let _ = write!(
            text,
            "<tr><td>{}</td><td>{}</td>",
            escaped(problem),
            own[0].expected.word()
        );
        for engine in &engines {
            let row = own.iter().find(|row| row.program == *engine).copied();
            let key = row
                .filter(|row| row.is_solved())
                .map_or(2.0 * limit, |row| row.cpu_seconds);
            let class = if row.is_some_and(Row::is_wrong) {
                " class=\"wrong\""
            } else {
                ""
            };
            let _ = write!(text, "<td data-key=\"{key:.3}\"{class}>{}</td>", cell(row));
        }
        text += "</tr>\n";
    }
    text + "</tbody></table></div>\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_has_scores_plots_and_all_runs() {
        let row = |problem: &str, engine: &str, answer: &str, cpu: f64| {
            Row::parse(&format!(
                "{problem}\t{engine}\t{answer}\tgood\t{cpu}\t{cpu}\t"
            ))
            .unwrap()
        };
        let rows = [
            row("p<1>", "a", "good", 0.5),
            row("p<1>", "b", "good", 5.0),
            row("q", "a", "good", 2.0),
            row("q", "b", "bad", 3.0),
            row("r", "a", "unknown", 60.0),
            row("r", "b", "unknown", 60.0),
        ];
        let page = page(&rows, 60.0, "host & cores").unwrap();
        for part in [
            "3 problems, 2 engines",
            "q: b says bad, it is good",
            "<tfoot><tr><td>virtual best</td><td>2</td><td>3</td>",
            "<title>p&lt;1&gt;: good 0.50 and good 5.00</title>",
            "<title>r: not solved and not solved</title>",
            "<li><b>a</b> (1): q</li>",
            "class=\"wrong\">WRONG 3.00</td>",
            "host &amp; cores",
            "problems solved",
        ] {
            assert!(page.contains(part), "{part}\n{page}");
        }
        // Nothing is loaded from elsewhere.
        assert!(!page.contains("src=") && !page.contains("href="));
    }
}
