//! The quantile plot (cactus plot): the number of problems that each program solves within a time.

use std::io;
use std::path::Path;

use plotters::prelude::*;

use crate::row::{Row, programs};

/// Width and height in pixels.
const SIZE: (u32, u32) = (960, 560);

/// Colours that colour-blind readers can tell apart (Okabe and Ito).
const COLOURS: [RGBColor; 8] = [
    RGBColor(0x00, 0x72, 0xb2),
    RGBColor(0xd5, 0x5e, 0x00),
    RGBColor(0x00, 0x9e, 0x73),
    RGBColor(0xcc, 0x79, 0xa7),
    RGBColor(0xe6, 0x9f, 0x00),
    RGBColor(0x56, 0xb4, 0xe9),
    RGBColor(0x7f, 0x7f, 0x7f),
    RGBColor(0x00, 0x00, 0x00),
];

/// Processor seconds below which runs are not distinguished.
const SHORTEST: f64 = 0.01;

/// Draws an SVG file with a line for each program: its solving times in increasing order.
pub(crate) fn quantiles(path: &Path, rows: &[Row], limit: f64) -> io::Result<()> {
    draw(path, &curves(rows), limit).map_err(io::Error::other)
}

/// The programs, those that solve most first, each with its points: the number of problems solved within so
/// many seconds.
fn curves(rows: &[Row]) -> Vec<(&str, Vec<(f64, f64)>)> {
    let mut curves: Vec<_> = programs(rows)
        .into_iter()
        .map(|program| {
            let solved = rows
                .iter()
                .filter(|row| row.program == program && row.is_solved());
            let mut seconds: Vec<f64> = solved.map(|row| row.cpu_seconds.max(SHORTEST)).collect();
            seconds.sort_by(f64::total_cmp);
            let points = seconds.into_iter().enumerate();
            (
                program,
                points
                    .map(|(index, time)| ((index + 1) as f64, time))
                    .collect::<Vec<_>>(),
            )
        })
        .collect();
    curves.sort_by_key(|(_, points)| std::cmp::Reverse(points.len()));
    curves
}

fn draw(
    path: &Path,
    curves: &[(&str, Vec<(f64, f64)>)],
    limit: f64,
) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let most = curves
        .iter()
        .map(|(_, points)| points.len())
        .max()
        .unwrap_or(0);
    let root = SVGBackend::new(path, SIZE).into_drawing_area();
    root.fill(&WHITE).map_err(boxed)?;
    let mut chart = ChartBuilder::on(&root)
        .margin(12)
        .x_label_area_size(44)
        .y_label_area_size(64)
        .build_cartesian_2d(0.0..(most + 1) as f64, (SHORTEST..limit).log_scale())
        .map_err(boxed)?;
    chart
        .configure_mesh()
        .x_desc("problems solved")
        .y_desc("processor seconds for each")
        .x_label_formatter(&|count| format!("{count:.0}"))
        .y_label_formatter(&|seconds| format!("{seconds}"))
        .light_line_style(TRANSPARENT)
        .label_style(("sans-serif", 15))
        .axis_desc_style(("sans-serif", 17))
        .draw()
        .map_err(boxed)?;
    for (number, (program, points)) in curves.iter().enumerate() {
        let style = COLOURS[number % COLOURS.len()].stroke_width(2);
        // When the colours repeat, lines are dashed.
        let gap = if number < COLOURS.len() { 0 } else { 4 };
        let label = format!("{program} ({})", points.len());
        chart
            .draw_series(DashedLineSeries::new(points.iter().copied(), 8, gap, style))
            .map_err(boxed)?
            .label(label)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], style));
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .background_style(WHITE)
        .border_style(BLACK)
        .label_font(("sans-serif", 15))
        .draw()
        .map_err(boxed)?;
    root.present().map_err(boxed)
}

fn boxed<E: std::error::Error + Send + Sync + 'static>(
    error: E,
) -> Box<dyn std::error::Error + Send + Sync> {
    Box::new(error)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(problem: &str, program: &str, answer: &str, seconds: f64) -> Row {
        Row::parse(&format!(
            "{problem}\t{program}\t{answer}\tgood\t{seconds}\t0\t"
        ))
        .unwrap()
    }

    #[test]
    fn curves_rise_and_leave_out_what_is_unsolved() {
        let rows = [
            row("p", "a", "good", 3.0),
            row("q", "a", "good", 0.001),
            row("r", "a", "unknown", 60.0),
            row("p", "b", "bad", 1.0),
        ];
        assert_eq!(
            curves(&rows),
            [("a", vec![(1.0, SHORTEST), (2.0, 3.0)]), ("b", vec![])]
        );
    }

    #[test]
    fn the_plot_names_its_programs() {
        let path = std::env::temp_dir().join(format!("craig-quantiles-{}.svg", std::process::id()));
        let rows = [
            row("p", "some:program", "good", 3.0),
            row("q", "some:program", "good", 7.0),
        ];
        quantiles(&path, &rows, 60.0).unwrap();
        let svg = std::fs::read_to_string(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        assert!(svg.starts_with("<svg") && svg.contains("some:program (2)"));
    }
}
