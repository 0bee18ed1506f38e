//! How the time and the memory of each phase of `craig check` grow with the size of a circuit.
//!
//! Circuits of [`generate`] are checked by PDR up to a depth, with `--verbose`, whose lines begin
//! with the seconds since the start. A phase ends at its last line: `read` with the circuit in memory, `reduce`
//! with its reduction, `first frame` with the first frame of PDR, `frames` with the last one, if that is the last of the wanted
//! ones or there is a proof. Circuits that are proved have the phase `judge and write` as well.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::generate::{self, Shape};
use crate::plot::{self, Growth};

/// The arguments of `growth`.
#[derive(Clone, Debug, clap::Args)]
pub struct Arguments {
    /// The `craig` to measure; a release build.
    #[arg(long, default_value = "target/release/craig")]
    craig: PathBuf,
    /// The folder of the circuits, of the table `growth.tsv` and of the plot `growth.svg`.
    output: PathBuf,
    /// The numbers of gates.
    #[arg(long, value_delimiter = ',', default_values_t = [100_000, 1_000_000, 5_000_000])]
    gates: Vec<usize>,
    /// The shapes.
    #[arg(long, value_delimiter = ',', value_enum, default_values_t = SHAPES)]
    shapes: Vec<Shape>,
    /// The frames of PDR.
    #[arg(long, default_value_t = 10)]
    frames: usize,
    /// Seconds for each run.
    #[arg(long, default_value_t = 120)]
    limit: u64,
}

const SHAPES: [Shape; 5] = [
    Shape::Random,
    Shape::Machines,
    Shape::Memories,
    Shape::Pipelines,
    Shape::Deep,
];

/// The phases, in their order.
const PHASES: [&str; 5] = ["read", "reduce", "first frame", "frames", "judge and write"];

/// What was measured of one circuit.
#[derive(Clone, Debug, Default, PartialEq)]
struct Measured {
    /// The seconds of each phase that was finished.
    phases: [Option<f64>; PHASES.len()],
    /// The last frame that was begun.
    last_frame: Option<usize>,
    megabytes: Option<f64>,
}

/// Makes the circuits, measures them, and draws the plot.
///
/// # Errors
/// If a file cannot be written, or `craig` cannot be run.
pub fn run(arguments: &Arguments) -> io::Result<()> {
    fs::create_dir_all(&arguments.output)?;
    let mut table = format!("shape\tgates\t{}\tlast frame\tMB\n", PHASES.join("\t"));
    print!("{table}");
    let mut rows: Vec<(Shape, usize, Measured)> = Vec::new();
    for &shape in &arguments.shapes {
        for &gates in &arguments.gates {
            let path = arguments.output.join(format!("{shape:?}-{gates}.aig"));
            generate::run_large(&generate::Large {
                shape,
                gates,
                latches: None,
                properties: 1,
                seed: 0,
                output: path.clone(),
            })?;
            let ended = Command::new(&arguments.craig)
                .args(["check", "--verbose", "--engine", "pdr", "--max-depth"])
                .arg(arguments.frames.to_string())
                .args(["--timeout", &arguments.limit.to_string()])
                .arg("--witness")
                .arg(path.with_extension("witness"))
                .arg(&path)
                .stdin(Stdio::null())
                .output()?;
            let measured = read(
                &String::from_utf8_lossy(&ended.stderr),
                &String::from_utf8_lossy(&ended.stdout),
                arguments.frames,
            );
            let cell = |value: Option<f64>| value.map_or(String::new(), |it| format!("{it:.2}"));
            let phases = measured.phases.map(cell).join("\t");
            let frame = (measured.last_frame).map_or(String::new(), |it| it.to_string());
            let line = format!(
                "{shape:?}\t{gates}\t{phases}\t{frame}\t{}\n",
                cell(measured.megabytes)
            );
            print!("{line}");
            table += &line;
            rows.push((shape, gates, measured));
        }
    }
    fs::write(arguments.output.join("growth.tsv"), table)?;
    let series = |value: &dyn Fn(&Measured) -> Option<f64>| -> Vec<(String, Vec<(f64, f64)>)> {
        let shapes = arguments.shapes.iter().map(|&shape| {
            let points = rows.iter().filter(|row| row.0 == shape);
            let points = points.filter_map(|row| Some((row.1 as f64, value(&row.2)?)));
            (format!("{shape:?}").to_lowercase(), points.collect())
        });
        shapes.collect()
    };
    let mut plots: Vec<Growth> = Vec::new();
    for (phase, name) in PHASES.into_iter().enumerate() {
        plots.push(Growth {
            title: name.to_owned(),
            unit: "seconds".to_owned(),
            series: series(&|measured| measured.phases[phase]),
        });
    }
    plots.push(Growth {
        title: "memory".to_owned(),
        unit: "megabytes".to_owned(),
        series: series(&|measured| measured.megabytes),
    });
    plot::growth(&arguments.output.join("growth.svg"), &plots)
}

/// The phases from the lines of a verbose run up to `n_frames` frames.
fn read(events: &str, report: &str, n_frames: usize) -> Measured {
    let mut ends: [Option<f64>; PHASES.len()] = Default::default();
    let mut deepest = None;
    for line in events.lines() {
        let line = line.trim_start();
        let Some((seconds, event)) = line.split_once(' ') else {
            continue;
        };
        let Ok(seconds) = seconds.parse::<f64>() else {
            continue;
        };
        let phase = if event.starts_with("read: ") {
            0
        } else if event.contains(": preprocess: ") {
            1
        } else if let Some((_, step)) = event.split_once(": pdr: no bad before step ") {
            // Attempts take turns: a line of the shallower one says nothing new.
            let step: Option<usize> = step.trim().parse().ok();
            if step <= deepest {
                continue;
            }
            deepest = step;
            if ends[2].is_none() { 2 } else { 3 }
        } else if event.contains(": evidence ") {
            4
        } else {
            continue;
        };
        ends[phase] = Some(seconds);
    }
    let is_proved = ends[4].is_some();
    if !is_proved && deepest < Some(n_frames) {
        ends[3] = None;
    }
    let mut measured = Measured {
        last_frame: deepest,
        ..Measured::default()
    };
    let mut begin = 0.0;
    for (end, seconds) in ends.into_iter().zip(&mut measured.phases) {
        if let Some(end) = end {
            *seconds = Some(end - begin);
            begin = end;
        }
    }
    measured.megabytes = report
        .split_once("at most ")
        .and_then(|(_, rest)| rest.split(' ').next()?.parse().ok());
    measured
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phases_are_the_times_between_lines() {
        let events = "    1.50 read: 3 inputs, 4 latches, 5 ANDs, 1 properties\n    \
                      1.50 b0: begin\n    \
                      2.00 b0: preprocess: cone of influence: 3 inputs\n    \
                      4.00 b0: preprocess: stuck latches: 3 inputs\n    \
                      5.00 b0: pdr: no bad before step 1\n    \
                      6.00 b0: pdr: no bad before step 2\n    \
                      6.50 b0: pdr: no bad before step 3\n    \
                      9.00 b0: pdr: no bad before step 2\n";
        let report = "UNKNOWN\n  6.6 s in all, at most 70 MB\n";
        let measured = |n_frames| read(events, report, n_frames);
        let expected = Measured {
            phases: [Some(1.5), Some(2.5), Some(1.0), Some(1.5), None],
            last_frame: Some(3),
            megabytes: Some(70.0),
        };
        assert_eq!(measured(3), expected);
        // The frames that were wanted were not all begun.
        let unfinished = Measured {
            phases: [Some(1.5), Some(2.5), Some(1.0), None, None],
            ..expected
        };
        assert_eq!(measured(4), unfinished);
    }
}
