//! Plots of measurements, as SVG files.

use std::io;
use std::path::Path;

use plotters::coord::Shift;
use plotters::prelude::*;

/// Width and height of a plot or a panel in pixels.
const SIZE: (u32, u32) = (960, 560);
const PANEL: (u32, u32) = (560, 560);

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

type Drawn<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;
type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
/// A plot with logarithmic axes.
type Chart<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<LogCoord<f64>, LogCoord<f64>>>;

/// A quantile plot (cactus plot): draws an SVG file with a line for each program, the number of problems that
/// it solves within a time. Each program comes with its solving times in processor seconds.
///
/// # Errors
/// If the file cannot be written.
pub fn quantiles(path: &Path, programs: &[(String, Vec<f64>)], limit: f64) -> io::Result<()> {
    draw_quantiles(path, &curves(programs), limit).map_err(io::Error::other)
}

/// The programs, those that solve most first, each with its points: the number of problems solved within so
/// many seconds.
fn curves(programs: &[(String, Vec<f64>)]) -> Vec<(&str, Vec<(f64, f64)>)> {
    let points = |seconds: &[f64]| -> Vec<(f64, f64)> {
        let mut seconds: Vec<f64> = seconds.iter().map(|time| time.max(SHORTEST)).collect();
        seconds.sort_by(f64::total_cmp);
        let numbered = seconds.into_iter().enumerate();
        numbered
            .map(|(index, time)| ((index + 1) as f64, time))
            .collect()
    };
    let mut curves: Vec<_> = (programs.iter())
        .map(|(program, seconds)| (program.as_str(), points(seconds)))
        .collect();
    curves.sort_by_key(|(_, points)| std::cmp::Reverse(points.len()));
    curves
}

fn draw_quantiles(path: &Path, curves: &[(&str, Vec<(f64, f64)>)], limit: f64) -> Drawn<()> {
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

/// A scatter plot with logarithmic axes of the same range.
#[derive(Clone, Debug)]
pub struct Scatter {
    /// The title.
    pub title: String,
    /// The quantities at the axes.
    pub axes: (String, String),
    /// The first value shown, above 0; smaller ones are drawn there.
    pub least: f64,
    /// The points of each series, with its name.
    pub series: Vec<(String, Vec<(f64, f64)>)>,
}

/// Draws an SVG file with scatter plots side by side. A heavy diagonal marks equal values, a light one a
/// tenth of the value at the x axis.
///
/// # Errors
/// If the file cannot be written.
pub fn scatter(path: &Path, plots: &[Scatter]) -> io::Result<()> {
    let draw = || -> Drawn<()> {
        let width = PANEL.0 * plots.len().max(1) as u32;
        let root = SVGBackend::new(path, (width, PANEL.1)).into_drawing_area();
        root.fill(&WHITE).map_err(boxed)?;
        for (area, plot) in root.split_evenly((1, plots.len().max(1))).iter().zip(plots) {
            draw_scatter(area, plot)?;
        }
        root.present().map_err(boxed)
    };
    draw().map_err(io::Error::other)
}

fn draw_scatter(area: &Area<'_>, plot: &Scatter) -> Drawn<()> {
    let least = plot.least;
    let shown = |value: f64| value.max(least);
    let all = plot.series.iter().flat_map(|(_, points)| points);
    let most = all.fold(least, |most, &(x, y)| most.max(x).max(y)) * 2.0;
    let axis = || (least..most).log_scale();
    let mut chart = ChartBuilder::on(area)
        .margin(12)
        .caption(&plot.title, ("sans-serif", 18))
        .x_label_area_size(44)
        .y_label_area_size(64)
        .build_cartesian_2d(axis(), axis())
        .map_err(boxed)?;
    draw_axes(&mut chart, (&plot.axes.0, &plot.axes.1))?;
    for (factor, style) in [(1.0, BLACK.stroke_width(2)), (10.0, BLACK.stroke_width(1))] {
        if least * factor < most {
            let line = [(least * factor, least), (most, most / factor)];
            let line = LineSeries::new(line, style);
            chart.draw_series(line).map_err(boxed)?;
        }
    }
    for (number, (name, points)) in plot.series.iter().enumerate() {
        let colour = COLOURS[number % COLOURS.len()];
        let circle = move |at| Circle::new(at, 4, colour.mix(0.7).filled());
        let circles = points.iter().map(|&(x, y)| circle((shown(x), shown(y))));
        chart
            .draw_series(circles)
            .map_err(boxed)?
            .label(name)
            .legend(move |(x, y)| Circle::new((x + 10, y), 4, colour.filled()));
    }
    draw_legend(&mut chart)
}

/// A quantity that grows with the size of a problem, on logarithmic axes.
#[derive(Clone, Debug)]
pub struct Growth {
    /// The title.
    pub title: String,
    /// The unit of the quantity.
    pub unit: String,
    /// The points of each series, with its name: sizes with quantities.
    pub series: Vec<(String, Vec<(f64, f64)>)>,
}

/// Draws an SVG file with plots side by side, three in a row. A light line marks linear growth.
///
/// # Errors
/// If the file cannot be written.
pub fn growth(path: &Path, plots: &[Growth]) -> io::Result<()> {
    let draw = || -> Drawn<()> {
        let n_columns = plots.len().clamp(1, 3);
        let n_rows = plots.len().div_ceil(n_columns).max(1);
        let size = (PANEL.0 * n_columns as u32, PANEL.1 * n_rows as u32);
        let root = SVGBackend::new(path, size).into_drawing_area();
        root.fill(&WHITE).map_err(boxed)?;
        for (area, plot) in (root.split_evenly((n_rows, n_columns)).iter()).zip(plots) {
            draw_growth(area, plot)?;
        }
        root.present().map_err(boxed)
    };
    draw().map_err(io::Error::other)
}

fn draw_growth(area: &Area<'_>, plot: &Growth) -> Drawn<()> {
    let shown = |value: f64| value.max(SHORTEST);
    let all = || plot.series.iter().flat_map(|(_, points)| points);
    let range = |value: fn(&(f64, f64)) -> f64| {
        let least = all().map(value).fold(f64::INFINITY, f64::min);
        let most = all().map(value).fold(0.0, f64::max);
        match least <= most {
            true => least.max(SHORTEST) / 1.5..most.max(SHORTEST) * 1.5,
            false => 1.0..10.0,
        }
    };
    let (sizes, values) = (range(|point| point.0), range(|point| point.1));
    let mut chart = ChartBuilder::on(area)
        .margin(12)
        .caption(&plot.title, ("sans-serif", 18))
        .x_label_area_size(44)
        .y_label_area_size(64)
        .build_cartesian_2d(sizes.clone().log_scale(), values.clone().log_scale())
        .map_err(boxed)?;
    draw_axes(&mut chart, ("gates", &plot.unit))?;
    let top = (values.end / values.start).min(sizes.end / sizes.start);
    let line = [
        (sizes.start, values.start),
        (sizes.start * top, values.start * top),
    ];
    chart
        .draw_series(LineSeries::new(line, BLACK.mix(0.4).stroke_width(1)))
        .map_err(boxed)?;
    for (number, (name, points)) in plot.series.iter().enumerate() {
        let colour = COLOURS[number % COLOURS.len()];
        let points: Vec<(f64, f64)> = points.iter().map(|&(x, y)| (x, shown(y))).collect();
        chart
            .draw_series(LineSeries::new(
                points.iter().copied(),
                colour.stroke_width(2),
            ))
            .map_err(boxed)?
            .label(name)
            .legend(move |(x, y)| Circle::new((x + 10, y), 4, colour.filled()));
        let circles = points.iter().map(|&at| Circle::new(at, 4, colour.filled()));
        chart.draw_series(circles).map_err(boxed)?;
    }
    draw_legend(&mut chart)
}

/// Draws two logarithmic axes with these descriptions.
fn draw_axes(chart: &mut Chart<'_, '_>, (x, y): (&str, &str)) -> Drawn<()> {
    chart
        .configure_mesh()
        .x_desc(x)
        .y_desc(y)
        .x_label_formatter(&|value| format!("{value}"))
        .y_label_formatter(&|value| format!("{value}"))
        .light_line_style(TRANSPARENT)
        .label_style(("sans-serif", 13))
        .axis_desc_style(("sans-serif", 15))
        .draw()
        .map_err(boxed)
}

/// Draws the names of the series.
fn draw_legend<'a, 'b: 'a>(chart: &mut Chart<'a, 'b>) -> Drawn<()> {
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .background_style(WHITE)
        .border_style(BLACK)
        .label_font(("sans-serif", 13))
        .draw()
        .map_err(boxed)
}

fn boxed<E: std::error::Error + Send + Sync + 'static>(
    error: E,
) -> Box<dyn std::error::Error + Send + Sync> {
    Box::new(error)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(name: &str, draw: impl FnOnce(&Path)) -> String {
        let path = std::env::temp_dir().join(format!("craig-{name}-{}.svg", std::process::id()));
        draw(&path);
        let svg = std::fs::read_to_string(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        assert!(svg.starts_with("<svg"));
        svg
    }

    #[test]
    fn curves_rise() {
        let programs = [("b".to_owned(), vec![]), ("a".to_owned(), vec![3.0, 0.001])];
        assert_eq!(
            curves(&programs),
            [("a", vec![(1.0, SHORTEST), (2.0, 3.0)]), ("b", vec![])]
        );
    }

    #[test]
    fn the_plot_names_its_programs() {
        let programs = [("some:program".to_owned(), vec![3.0, 7.0])];
        let svg = drawn("quantiles", |path| {
            quantiles(path, &programs, 60.0).unwrap();
        });
        assert!(svg.contains("some:program (2)"));
    }

    #[test]
    fn growth_is_drawn_for_every_series() {
        let plot = |title: &str, points: Vec<(f64, f64)>| Growth {
            title: title.to_owned(),
            unit: "seconds".to_owned(),
            series: vec![("one".to_owned(), points), ("none".to_owned(), Vec::new())],
        };
        let points = vec![(1e5, 0.0), (1e6, 3.0), (5e6, 20.0)];
        let plots = [plot("time", points), plot("empty", Vec::new())];
        let svg = drawn("growth", |path| growth(path, &plots).unwrap());
        assert_eq!(svg.matches("<circle").count(), 3 + 4);
        assert!(svg.contains("time") && svg.contains("empty") && svg.contains("gates"));
    }

    /// Each point is drawn, also a value of 0 and one that is far off.
    #[test]
    fn scatter_plots_show_every_point() {
        let plot = |title: &str| Scatter {
            title: title.to_owned(),
            axes: ("the x axis".to_owned(), "the y axis".to_owned()),
            least: 0.01,
            series: vec![
                ("one".to_owned(), vec![(0.0, 1.0), (1000.0, 2.0)]),
                ("other".to_owned(), vec![(3.0, 3.0)]),
            ],
        };
        let svg = drawn("scatter", |path| {
            scatter(path, &[plot("left"), plot("right")]).unwrap();
        });
        // Three points and two marks in the legend, twice.
        assert_eq!(svg.matches("<circle").count(), 10);
        for text in ["left", "right", "the x axis", "the y axis", "other"] {
            assert!(svg.contains(text), "{text}");
        }
    }
}
