//! What each of several searches of a formula has done.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use craig_formula::decide_parallel::winner;
use craig_solver::parallel::{Traffic, Worker};
use serde::Serialize;

use super::counts::counts_of;

/// One of several searches.
#[derive(Serialize)]
pub(super) struct WorkerBody {
    variation: &'static str,
    is_winner: bool,
    statistics: BTreeMap<&'static str, u64>,
}

/// The searches for JSON.
pub(super) fn worker_bodies(workers: &[Worker]) -> Vec<WorkerBody> {
    let winner = winner(workers);
    let body = |(number, own): (usize, &Worker)| WorkerBody {
        variation: own.variation,
        is_winner: winner == Some(number),
        statistics: counts_of(&own.statistics, own.clause_bytes)
            .into_iter()
            .chain(traffic(&own.traffic))
            .collect(),
    };
    workers.iter().enumerate().map(body).collect()
}

/// What a search has exchanged with others.
fn traffic(traffic: &Traffic) -> [(&'static str, u64); 4] {
    [
        ("exported clauses", traffic.exported),
        ("imported clauses", traffic.imported),
        ("refused clauses", traffic.refused),
        ("missed clauses", traffic.missed),
    ]
}

/// What each of several searches has done.
pub(super) fn describe_workers(workers: &[Worker]) -> String {
    let mut text = String::new();
    let winner = winner(workers);
    for (number, own) in workers.iter().enumerate() {
        let role = if winner == Some(number) {
            ", winner"
        } else {
            ""
        };
        let _ = writeln!(text, "c search {number}: {}{role}", own.variation);
        let conflicts = [("conflicts", own.statistics.conflicts)];
        for (name, count) in conflicts.into_iter().chain(traffic(&own.traffic)) {
            let _ = writeln!(text, "c   {name:<18} {count:>14}");
        }
    }
    text
}
