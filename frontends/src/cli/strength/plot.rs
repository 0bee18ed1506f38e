//! The plots of a study, as SVG.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use craig_itp::study::Study;

use super::axis::Axis;
use super::convergence::Run;
use super::table::{classes, density};

const WIDTH: f64 = 808.0;
const HEIGHT: f64 = 360.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 238.0;
const TOP: f64 = 16.0;
const BOTTOM: f64 = 48.0;

/// Colours that colour-blind readers can distinguish (Okabe and Ito), by labelling or run.
fn colour(labelling: &str) -> &'static str {
    match labelling {
        "mcmillan" => "#0072b2",
        "symmetric" => "#009e73",
        "inverse" => "#d55e00",
        _ if labelling.starts_with("random") => "#cc79a7",
        _ => "#7f7f7f",
    }
}

/// The name of a labelling in the legend of a plot.
fn family(labelling: &str) -> &str {
    match labelling.split_once('-') {
        Some(("random", _)) => "random, per variable",
        Some(("occurrences", _)) => "random, per occurrence",
        _ => labelling,
    }
}

/// Text, escaped for an element or an attribute.
pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

fn open(svg: &mut String, height: f64, what: &str) {
    let _ = write!(
        svg,
        "<svg viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-label=\"{}\">",
        escape(what)
    );
}

fn text(svg: &mut String, x: f64, y: f64, anchor: &str, words: &str) {
    let words = escape(words);
    let _ = write!(
        svg,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{words}</text>"
    );
}

fn line(svg: &mut String, class: &str, (x1, y1): (f64, f64), (x2, y2): (f64, f64)) {
    let _ = write!(
        svg,
        "<line class=\"{class}\" x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"/>"
    );
}

/// The frame of a plot with its two axes.
fn frame(svg: &mut String, (x_axis, y_axis): (&Axis, &Axis), x_title: &str, y_title: &str) {
    let bottom = HEIGHT - BOTTOM;
    for (tick, name) in y_axis.ticks() {
        let y = y_of(y_axis.place(tick));
        line(svg, "grid", (LEFT, y), (WIDTH - RIGHT, y));
        text(svg, LEFT - 8.0, y + 4.0, "end", &name);
    }
    for (tick, name) in x_axis.ticks() {
        let x = x_of(x_axis.place(tick));
        line(svg, "grid", (x, TOP), (x, bottom));
        text(svg, x, bottom + 16.0, "middle", &name);
    }
    line(svg, "axis", (LEFT, TOP), (LEFT, bottom));
    line(svg, "axis", (LEFT, bottom), (WIDTH - RIGHT, bottom));
    text(
        svg,
        f64::midpoint(LEFT, WIDTH - RIGHT),
        HEIGHT - 8.0,
        "middle",
        x_title,
    );
    let middle = f64::midpoint(TOP, bottom);
    let _ = write!(
        svg,
        "<text transform=\"translate(14 {middle:.1}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
        escape(y_title)
    );
}

fn x_of(place: f64) -> f64 {
    LEFT + place * (WIDTH - LEFT - RIGHT)
}

fn y_of(place: f64) -> f64 {
    HEIGHT - BOTTOM - place * (HEIGHT - TOP - BOTTOM)
}

/// The dashes of a run's line, by derivation.
fn dashes(direction: &str) -> &'static str {
    match direction {
        "backward" => " stroke-dasharray=\"5 3\"",
        "reduced" => " stroke-dasharray=\"1.5 2.5\"",
        "recycle-pivots" => " stroke-dasharray=\"1.5 6\"",
        "recycle-units" => " stroke-dasharray=\"1.5 2.5 1.5 6\"",
        "lower-units" => " stroke-dasharray=\"1.5 2.5 1.5 2.5 1.5 6\"",
        "reduced-raised" => " stroke-dasharray=\"8 3 2 3 2 3\"",
        "raised" => " stroke-dasharray=\"8 3 2 3\"",
        _ => "",
    }
}

/// The most characters of a name in a legend.
const NAME_LENGTH: usize = 30;

fn legend(svg: &mut String, entries: &[(String, &str, &str)]) {
    // The height depends on the number of lines.
    let room = HEIGHT - TOP - 20.0;
    let pitch = (room / entries.len().max(1) as f64).min(20.0);
    for (index, (name, colour, dash)) in entries.iter().enumerate() {
        let y = TOP + 12.0 + pitch * index as f64;
        let x = WIDTH - RIGHT + 14.0;
        let _ = write!(
            svg,
            "<line x1=\"{x}\" y1=\"{y}\" x2=\"{}\" y2=\"{y}\" stroke=\"{colour}\" stroke-width=\"3\"{dash}/>",
            x + 28.0
        );
        let shown: String = if name.chars().count() > NAME_LENGTH {
            name.chars()
                .take(NAME_LENGTH - 1)
                .chain(['\u{2026}'])
                .collect()
        } else {
            name.clone()
        };
        text(svg, x + 34.0, y + 4.0, "start", &shown);
    }
}

/// Size against density, a dot for each interpolant.
pub(super) fn scatter(study: &Study) -> String {
    let mut svg = String::new();
    open(&mut svg, HEIGHT, "size against density");
    let x_axis = Axis::of_shares(study.entries.iter().flat_map(|entry| {
        let error = entry.density.standard_error.unwrap_or(0.0);
        [-error, error].map(|error| (entry.density.value + error).clamp(0.0, 1.0))
    }));
    let y_axis = Axis::of_counts(study.entries.iter().map(|entry| entry.size.ands));
    frame(
        &mut svg,
        (&x_axis, &y_axis),
        "density: fraction of the assignments covered",
        "AND gates",
    );
    let mut families = BTreeMap::new();
    let numbers = classes(study);
    for (entry, class) in study.entries.iter().zip(numbers) {
        let colour = colour(&entry.labelling);
        families.insert(family(&entry.labelling), colour);
        let at = |density: f64| x_of(x_axis.place(density.clamp(0.0, 1.0)));
        let x = at(entry.density.value);
        let y = y_of(y_axis.place(entry.size.ands as f64));
        if let Some(error) = entry.density.standard_error {
            let [low, high] = [-error, error].map(|error| at(entry.density.value + error));
            line(&mut svg, "error", (low, y), (high, y));
        }
        let proof = &study.proofs[entry.proof];
        let title = escape(&format!(
            "{}, {}, {}: {} ANDs, density {}, class {class}",
            proof.source,
            proof.transform,
            entry.labelling,
            entry.size.ands,
            density(&entry.density)
        ));
        let _ = write!(
            svg,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"5\" fill=\"{colour}\" fill-opacity=\"0.65\">\
             <title>{title}</title></circle>"
        );
    }
    let order = ["mcmillan", "symmetric", "inverse"];
    let rank = |name: &str| {
        order
            .iter()
            .position(|&known| known == name)
            .unwrap_or(order.len())
    };
    let mut families: Vec<_> = families
        .into_iter()
        .map(|(name, colour)| (name.to_owned(), colour, ""))
        .collect();
    families.sort_by_key(|(name, ..)| rank(name));
    legend(&mut svg, &families);
    svg.push_str("</svg>");
    svg
}

/// The implication order: the strongest classes are at the bottom, lines lead up to the implied ones.
pub(super) fn hasse(study: &Study) -> String {
    let classes = &study.order.classes;
    let covers = &study.order.covers;
    // The length of the longest chain below each class; classes are numbered along the order.
    let mut level = vec![0; classes.len()];
    for weak in 0..classes.len() {
        for &(strong, _) in covers.iter().filter(|cover| cover.1 == weak) {
            level[weak] = level[weak].max(level[strong] + 1);
        }
    }
    let n_levels = level.iter().max().map_or(0, |top| top + 1);
    let mut rows: Vec<Vec<usize>> = vec![Vec::new(); n_levels];
    for (class, &level) in level.iter().enumerate() {
        rows[level].push(class);
    }
    let mut x = vec![0.0; classes.len()];
    for row in &mut rows {
        // Sorted by the mean position of the classes below, so that fewer lines cross.
        let middle = |class: usize| {
            let below: Vec<f64> = covers
                .iter()
                .filter(|cover| cover.1 == class)
                .map(|cover| x[cover.0])
                .collect();
            below.iter().sum::<f64>() / below.len().max(1) as f64
        };
        let mut placed: Vec<(f64, usize)> =
            row.iter().map(|&class| (middle(class), class)).collect();
        placed.sort_by(|left, right| left.0.total_cmp(&right.0));
        let gap = (WIDTH - 40.0) / row.len() as f64;
        for (index, &(_, class)) in placed.iter().enumerate() {
            x[class] = 20.0 + gap * (index as f64 + 0.5);
        }
    }
    let height = 40.0 + 76.0 * n_levels.max(1) as f64;
    let y = |class: usize| height - 44.0 - 76.0 * level[class] as f64;
    let mut svg = String::new();
    open(&mut svg, height, "Hasse diagram of the implication order");
    for &(strong, weak) in covers {
        line(
            &mut svg,
            "cover",
            (x[strong], y(strong)),
            (x[weak], y(weak)),
        );
    }
    for (class, members) in classes.iter().enumerate() {
        let mut names: Vec<String> = members
            .iter()
            .map(|&member| {
                let entry = &study.entries[member];
                let proof = &study.proofs[entry.proof];
                format!("{}, {}, {}", proof.source, proof.transform, entry.labelling)
            })
            .collect();
        names.insert(0, format!("class {class}, {} interpolants:", members.len()));
        let mut kinds: Vec<&str> = members
            .iter()
            .map(|&member| colour(&study.entries[member].labelling))
            .collect();
        kinds.sort_unstable();
        kinds.dedup();
        let fill = match kinds[..] {
            [one] => format!("fill=\"{one}\""),
            _ => "class=\"mixed\"".to_owned(),
        };
        let title = escape(&names.join("\n"));
        let (x, y) = (x[class], y(class));
        let _ = write!(
            svg,
            "<g><title>{title}</title><circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"13\" {fill}/>\
             <text class=\"inside\" x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{class}</text></g>",
            y + 4.0
        );
        let first = &study.entries[members[0]];
        let label = format!("{}\u{d7} {:.3}", members.len(), first.density.value);
        // Crowded rows show the number only.
        if rows[level[class]].len() <= 10 {
            text(&mut svg, x, y + 28.0, "middle", &label);
        }
    }
    svg.push_str("</svg>");
    svg
}

/// The sizes of interpolants along the runs of one engine of the model checker.
pub(super) fn curves(runs: &[Run], engine: &str) -> String {
    let runs: Vec<&Run> = runs.iter().filter(|run| run.engine == engine).collect();
    let mut svg = String::new();
    open(&mut svg, HEIGHT, "interpolant sizes along the runs");
    let points = || runs.iter().flat_map(|run| &run.interpolants);
    let lengths = runs.iter().map(|run| run.interpolants.len());
    let x_axis = Axis::of_steps(lengths.max().unwrap_or(0));
    let y_axis = Axis::of_counts(points().map(|point| point.ands));
    frame(
        &mut svg,
        (&x_axis, &y_axis),
        "interpolants so far",
        "AND gates",
    );
    let mut names = Vec::new();
    for run in &runs {
        let colour = colour(run.system.name());
        let dash = dashes(run.derived);
        names.push((run.name(), colour, dash));
        let points: Vec<String> = run
            .interpolants
            .iter()
            .enumerate()
            .map(|(index, point)| {
                format!(
                    "{:.1},{:.1}",
                    x_of(x_axis.place((index + 1) as f64)),
                    y_of(y_axis.place(point.ands as f64))
                )
            })
            .collect();
        let _ = write!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\"{dash}/>",
            points.join(" ")
        );
        if let (Some(last), Some(point)) = (points.last(), run.interpolants.last()) {
            let (x, y) = last.split_once(',').expect("a pair");
            let title = escape(&format!(
                "{}: {} after {} interpolants, the last at bound {} in round {}",
                run.name(),
                run.verdict,
                run.interpolants.len(),
                point.bound,
                point.round
            ));
            let _ = write!(
                svg,
                "<circle cx=\"{x}\" cy=\"{y}\" r=\"4\" fill=\"{colour}\"><title>{title}</title></circle>"
            );
        }
    }
    legend(&mut svg, &names);
    svg.push_str("</svg>");
    svg
}

/// The name of the reference run: the first one.
pub(super) fn first_run(runs: &[(&str, &[Run])]) -> String {
    runs.iter()
        .find_map(|(_, runs)| runs.first())
        .map_or_else(String::new, Run::name)
}

/// The time of each run of one engine against IMC with McMillan's system, forward: a mark for each circuit.
pub(super) fn times(runs: &[(&str, &[Run])], engine: &str) -> String {
    let mut svg = String::new();
    open(
        &mut svg,
        HEIGHT,
        "time of each run against McMillan's system",
    );
    let milliseconds = |run: &Run| run.time.as_millis() as usize;
    let all = runs.iter().flat_map(|(_, runs)| *runs);
    let is_shown = |run: &&Run| run.engine == engine;
    let firsts = runs.iter().filter_map(|(_, runs)| runs.first());
    let axis = Axis::of_counts(all.filter(is_shown).chain(firsts).map(milliseconds));
    frame(
        &mut svg,
        (&axis, &axis),
        &format!("{}: milliseconds", first_run(runs)),
        "this run: milliseconds",
    );
    line(
        &mut svg,
        "axis",
        (x_of(0.0), y_of(0.0)),
        (x_of(1.0), y_of(1.0)),
    );
    let mut names: Vec<(String, &str, &str)> = Vec::new();
    for (circuit, runs) in runs {
        let Some((base, others)) = runs.split_first() else {
            continue;
        };
        for run in others.iter().filter(|run| run.engine == engine) {
            let colour = colour(run.system.name());
            let dash = dashes(run.derived);
            let name = run.name();
            if names.iter().all(|(known, ..)| *known != name) {
                names.push((name, colour, dash));
            }
            let title = escape(&format!(
                "{circuit}: {}: {} in {:.2} s; {} in {:.2} s",
                run.name(),
                run.verdict,
                run.time.as_secs_f64(),
                base.verdict,
                base.time.as_secs_f64()
            ));
            let _ = write!(
                svg,
                "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"5\" stroke=\"{colour}\" stroke-width=\"2\"{dash} \
                 fill=\"{colour}\" fill-opacity=\"0.25\"><title>{title}</title></circle>",
                x_of(axis.place(milliseconds(base) as f64)),
                y_of(axis.place(milliseconds(run) as f64)),
            );
        }
    }
    legend(&mut svg, &names);
    svg.push_str("</svg>");
    svg
}
