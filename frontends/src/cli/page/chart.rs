//! How far the engines came over the time, as a chart.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::escaped;
use crate::cli::journal::Track;

const WIDTH: f64 = 440.0;
const HEIGHT: f64 = 220.0;
/// The width in pixels where there is room; on a telephone the chart is smaller, and its text can be read still.
const SHOWN: f64 = 560.0;
/// The room of the axes: left, bottom, right and top.
const MARGINS: [f64; 4] = [52.0, 40.0, 14.0, 12.0];
/// Colours that can be told apart, on light and on dark ground.
const COLOURS: [&str; 8] = [
    "#2f81f7", "#d9730d", "#2da44e", "#a371f7", "#e5534b", "#39a0a8", "#b58900", "#8c959f",
];
/// Engines in one chart, at most.
const MOST: usize = COLOURS.len();

/// A step of an axis that divides it into about five parts, of the form 1, 2 or 5 times a power of 10.
fn tick(range: f64) -> f64 {
    let rough = (range / 5.0).max(f64::MIN_POSITIVE);
    let power = 10f64.powf(rough.log10().floor());
    let digit = [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .find(|digit| digit * power >= rough);
    digit.unwrap_or(10.0) * power
}

/// The chart of the engines of one property; empty if none of them counts its steps.
pub(in crate::cli) fn chart(tracks: &BTreeMap<&'static str, Track>) -> String {
    let mut drawn: Vec<(&str, &Track)> = (tracks.iter())
        .filter(|(_, track)| !track.points.is_empty())
        .map(|(name, track)| (*name, track))
        .collect();
    drawn.sort_by_key(|(_, track)| std::cmp::Reverse(track.points.last().map(|point| point.1)));
    drawn.truncate(MOST);
    if drawn.is_empty() {
        return String::new();
    }
    let points = || drawn.iter().flat_map(|(_, track)| &track.points);
    let end = points().map(|point| point.0).fold(0.001, f64::max);
    let most = points().map(|point| point.1).max().unwrap_or(1).max(1) as f64;
    let [left, bottom, right, top] = MARGINS;
    let x = |seconds: f64| left + (WIDTH - left - right) * seconds / end;
    let y = |reached: f64| HEIGHT - bottom - (HEIGHT - bottom - top) * reached / most;
    let mut svg = format!(
        "<figure><svg class=\"chart\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{SHOWN}\" role=\"img\" \
         aria-label=\"Steps that the engines reached over the time\">"
    );
    axes(&mut svg, (end, most), &x, &y);
    for ((_, track), colour) in drawn.iter().zip(COLOURS) {
        let mut path = String::new();
        let mut last = None;
        for &(seconds, reached) in &track.points {
            let (px, py) = (x(seconds), y(reached as f64));
            // The depth holds until the next point.
            let _ = match last {
                None => write!(path, "M{px:.1} {py:.1}"),
                Some(before) => write!(path, "L{px:.1} {before:.1}L{px:.1} {py:.1}"),
            };
            last = Some(py);
        }
        let _ = write!(
            svg,
            "<path class=\"line\" stroke=\"{colour}\" d=\"{path}\"/>"
        );
        if let Some(&(seconds, reached)) = track.points.last() {
            let (px, py) = (x(seconds), y(reached as f64));
            let _ = write!(
                svg,
                "<circle cx=\"{px:.1}\" cy=\"{py:.1}\" r=\"3\" fill=\"{colour}\"/>"
            );
        }
    }
    svg.push_str("</svg><figcaption>");
    for ((name, track), colour) in drawn.iter().zip(COLOURS) {
        let _ = write!(
            svg,
            "<span class=\"note\"><span style=\"color:{colour}\">&#9679;</span> {}: {}</span> ",
            escaped(name),
            escaped(&track.reached())
        );
    }
    svg.push_str("</figcaption></figure>\n");
    svg
}

fn axes(svg: &mut String, (end, most): (f64, f64), x: &dyn Fn(f64) -> f64, y: &dyn Fn(f64) -> f64) {
    let [left, _, right, _] = MARGINS;
    let (first, last) = (left, WIDTH - right);
    let step = tick(most).max(1.0);
    for index in 0..=((most / step) as usize) {
        let value = index as f64 * step;
        let py = y(value);
        let _ = write!(
            svg,
            "<line class=\"grid\" x1=\"{first}\" x2=\"{last}\" y1=\"{py:.1}\" y2=\"{py:.1}\"/>\
             <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{value}</text>",
            first - 6.0,
            py + 4.0
        );
    }
    let step = tick(end);
    let digits = usize::from(step < 1.0) * (-step.log10().floor()).max(0.0) as usize;
    for index in 0..=((end / step) as usize) {
        let value = index as f64 * step;
        let px = x(value);
        let _ = write!(
            svg,
            "<text x=\"{px:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{value:.digits$}</text>",
            y(0.0) + 16.0
        );
    }
    let base = y(0.0);
    let _ = write!(
        svg,
        "<line class=\"axis\" x1=\"{first}\" x2=\"{last}\" y1=\"{base:.1}\" y2=\"{base:.1}\"/>\
         <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">seconds</text>\
         <text x=\"14\" y=\"{:.1}\" text-anchor=\"middle\" transform=\"rotate(-90 14 {:.1})\">steps</text>",
        f64::midpoint(first, last),
        HEIGHT - 4.0,
        y(most / 2.0),
        y(most / 2.0)
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_are_scaled_to_the_data() {
        assert!((tick(10.0) - 2.0).abs() < 1e-9);
        assert!((tick(0.07) - 0.02).abs() < 1e-9);
        let mut tracks: BTreeMap<&'static str, Track> = BTreeMap::new();
        assert_eq!(chart(&tracks), "");
        tracks.entry("bmc").or_default().points = vec![(0.1, 1), (0.2, 40)];
        let svg = chart(&tracks);
        // The last point is at the right and at the top.
        let [_, _, right, top] = MARGINS;
        let at_end = format!("cx=\"{:.1}\" cy=\"{top:.1}\"", WIDTH - right);
        assert!(svg.contains(&at_end), "{svg}");
    }
}
