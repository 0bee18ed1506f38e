//! Progress of the search as comments, a line a second.

use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use craig_solver::cdcl::Statistics;

use crate::cli::terminal::print;
use crate::cli::watch::resident_bytes;

/// The time between two lines.
const PERIOD: Duration = Duration::from_secs(1);

/// Lines between two headings.
const LINES: u32 = 20;

/// The columns, with their widths.
const COLUMNS: [(&str, usize); 9] = [
    ("seconds", 9),
    ("MB", 7),
    ("restarts", 10),
    ("reduced", 8),
    ("conflicts", 11),
    ("propagations", 14),
    ("learned", 10),
    ("size", 6),
    ("eliminated", 11),
];

/// Prints until it is told that the search has ended.
#[derive(Debug)]
pub(super) struct Reporter {
    end: Sender<()>,
    thread: JoinHandle<()>,
}

impl Reporter {
    /// Prints what the search tells at its restarts, with the time since `start`.
    pub(super) fn new(told: Arc<Mutex<Statistics>>, start: Instant) -> Self {
        let (end, ended) = mpsc::channel();
        let thread = thread::spawn(move || {
            let mut n_lines = 0;
            let mut period = Duration::ZERO;
            while ended.recv_timeout(period) == Err(RecvTimeoutError::Timeout) {
                if n_lines % LINES == 0 {
                    print(&heading());
                }
                n_lines += 1;
                period = PERIOD;
                let now = *told.lock().unwrap_or_else(PoisonError::into_inner);
                print(&line(&now, start.elapsed()));
            }
        });
        Self { end, thread }
    }

    /// Ends the lines.
    pub(super) fn finish(self) {
        drop(self.end);
        // A line that could not be printed is no failure of the search.
        let _ = self.thread.join();
    }
}

fn heading() -> String {
    let names = COLUMNS.map(|(name, width)| format!("{name:>width$}"));
    format!("c\nc {}\nc\n", names.concat())
}

/// The counters of a search at a time.
fn line(now: &Statistics, time: Duration) -> String {
    let size = now.learned_literals as f64 / now.learned_clauses.max(1) as f64;
    let values = [
        format!("{:.2}", time.as_secs_f64()),
        (resident_bytes().unwrap_or_default() >> 20).to_string(),
        now.restarts.to_string(),
        now.reductions.to_string(),
        now.conflicts.to_string(),
        now.propagations.to_string(),
        now.learned_clauses.to_string(),
        format!("{size:.1}"),
        now.eliminated_variables.to_string(),
    ];
    let columns = COLUMNS.iter().zip(values);
    let columns = columns.map(|((_, width), value)| format!("{value:>width$}"));
    format!("c {}\n", columns.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_below_their_names() {
        let statistics = Statistics {
            conflicts: 12_345,
            learned_clauses: 2,
            learned_literals: 5,
            ..Statistics::default()
        };
        let line = line(&statistics, Duration::from_millis(1500));
        let heading = heading();
        let names = heading.lines().nth(1).unwrap();
        assert_eq!(line.trim_end().len(), names.len());
        assert!(line.starts_with("c      1.50 "), "{line}");
        let end = names.find("conflicts").unwrap() + "conflicts".len();
        assert!(line[..end].ends_with("12345"), "{line}");
        assert!(line.contains(" 2.5 "), "{line}");
    }
}
