//! Progress of the engines on standard error.

use std::io::IsTerminal;
use std::sync::Arc;
use std::time::{Duration, Instant};

use craig_mc::control::{Event, Receiver};
use indicatif::{ProgressBar, ProgressStyle};

use super::terminal::complain;

/// A status line, on a terminal only; or a line for every event in verbose mode.
#[derive(Clone, Debug)]
pub(super) struct Progress {
    bar: ProgressBar,
    is_verbose: bool,
    start: Instant,
}

impl Progress {
    /// Times are counted from `start`.
    pub(super) fn new(is_verbose: bool, is_quiet: bool, start: Instant) -> Self {
        let is_shown = !is_verbose && !is_quiet && std::io::stderr().is_terminal();
        let bar = if is_shown {
            let bar = ProgressBar::new_spinner();
            if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} {wide_msg}") {
                bar.set_style(style);
            }
            bar.enable_steady_tick(Duration::from_millis(100));
            bar
        } else {
            ProgressBar::hidden()
        };
        Self {
            bar,
            is_verbose,
            start,
        }
    }

    /// Shows the start of work on a property.
    pub(super) fn begin(&self, name: &str) {
        self.bar.set_message(name.to_owned());
        self.print(&format!("{name}: begin"));
    }

    /// Prints a line of verbose mode, with the seconds since the start.
    pub(super) fn print(&self, line: &str) {
        if self.is_verbose {
            complain(&format!(
                "{:8.2} {line}",
                self.start.elapsed().as_secs_f64()
            ));
        }
    }

    /// The listener for the events of engines that work on a property.
    pub(super) fn listener(&self, name: &str) -> Receiver {
        let progress = self.clone();
        let name = name.to_owned();
        Arc::new(move |event| {
            let line = match event {
                Event::Depth { engine, depth } => {
                    format!("{name}: {engine}: no bad before step {depth}")
                }
                Event::Interpolant {
                    engine,
                    bound,
                    round,
                    ands,
                } => format!("{name}: {engine}: bound {bound}, round {round}: {ands} gates"),
                Event::Note { engine, text } => format!("{name}: {engine}: {text}"),
            };
            if progress.is_verbose {
                progress.print(&line);
            } else {
                progress.bar.set_message(line);
            }
        })
    }

    /// Prints something while the status line is hidden.
    pub(super) fn suspend(&self, print: impl FnOnce()) {
        self.bar.suspend(print);
    }

    /// Removes the status line.
    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
