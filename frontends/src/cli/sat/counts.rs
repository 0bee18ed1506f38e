//! The counters of a search, by the names that `--stats` prints.

use std::fmt::Write as _;
use std::time::Duration;

use craig_formula::decide::Decision;
use craig_solver::cdcl::Statistics;
use craig_solver::parallel::Worker;

use crate::cli::watch::peak_resident_bytes;

/// What the search has counted.
pub(super) fn counts(result: &Decision) -> [(&'static str, u64); 16] {
    let mut counts = counts_of(&result.statistics, result.clause_bytes);
    if !result.workers.is_empty() {
        for (index, (_, count)) in counts.iter_mut().enumerate() {
            let of = |own: &Worker| counts_of(&own.statistics, own.clause_bytes)[index].1;
            *count = result.workers.iter().map(of).sum();
        }
    }
    counts
}

/// What one search has counted.
pub(super) fn counts_of(statistics: &Statistics, clause_bytes: usize) -> [(&'static str, u64); 16] {
    [
        ("conflicts", statistics.conflicts),
        ("decisions", statistics.decisions),
        ("propagations", statistics.propagations),
        ("restarts", statistics.restarts),
        ("learned clauses", statistics.learned_clauses),
        ("learned literals", statistics.learned_literals),
        ("minimized literals", statistics.minimized_literals),
        ("shrunken literals", statistics.shrunken_literals),
        ("reductions", statistics.reductions),
        ("deleted clauses", statistics.deleted_clauses),
        ("failed literals", statistics.failed_literals),
        ("eliminated variables", statistics.eliminated_variables),
        ("merged variables", statistics.substituted_variables),
        ("swept equivalences", statistics.swept_equivalences),
        ("swept units", statistics.swept_units),
        ("bytes of clauses", clause_bytes as u64),
    ]
}

/// As comments, with the time and the memory.
pub(super) fn describe(counts: &[(&'static str, u64)], elapsed: Duration) -> String {
    let mut text = String::new();
    for (name, count) in counts {
        let _ = writeln!(text, "c {name:<20} {count:>14}");
    }
    let _ = writeln!(text, "c {:<20} {:>14.2}", "seconds", elapsed.as_secs_f64());
    if let Some(bytes) = peak_resident_bytes() {
        let _ = writeln!(text, "c {:<20} {:>14}", "peak memory in MB", bytes >> 20);
    }
    text
}
