//! What an undecided answer ends with: what was tried, and what to try next.

use std::collections::BTreeMap;

use super::report::{Advice, Subject};
use super::task::Task;
use crate::cli::engines::EngineName;
use crate::cli::journal::Track;
use crate::cli::watch::Stop;

/// Engines that are named, at most.
const MOST_TRIED: usize = 8;

/// The advice about an answer that is unknown for this reason.
pub(super) fn advice(
    reason: &str,
    task: &Task,
    subject: Subject,
    tracks: &BTreeMap<&'static str, Track>,
) -> Advice {
    Advice {
        tried: tried(task, tracks),
        next: next(reason, task, subject),
    }
}

/// The engines, those that have come farthest first.
fn tried(task: &Task, tracks: &BTreeMap<&'static str, Track>) -> Vec<String> {
    let mut tracks: Vec<(&str, &Track)> =
        tracks.iter().map(|(name, track)| (*name, track)).collect();
    tracks.sort_by_key(|(_, track)| std::cmp::Reverse(track.depth.max(track.bound)));
    let shown = |(name, track): (&str, &Track)| format!("{name} ({})", track.reached());
    let n_left = tracks.len().saturating_sub(MOST_TRIED);
    let mut tried: Vec<String> = tracks.into_iter().take(MOST_TRIED).map(shown).collect();
    if n_left > 0 {
        tried.push(format!("{n_left} others"));
    }
    if tried.is_empty() {
        tried.push(task.engines.engine().name().to_owned());
    }
    tried
}

fn next(reason: &str, task: &Task, subject: Subject) -> Vec<String> {
    let mut next = Vec::new();
    let is_c = matches!(subject, Subject::Program { .. });
    let engine = task.engines.engine();
    if reason.starts_with(Stop::Deadline.reason())
        && let Some(limit) = task.engines.timeout
    {
        next.push(format!(
            "more time (`--timeout {}`)",
            (4 * limit).as_secs().max(10)
        ));
    }
    if reason.starts_with(Stop::Memory.reason())
        && let Some(megabytes) = task.engines.memory
    {
        next.push(format!("more memory (`--memory {}`)", 2 * megabytes));
    }
    if is_c && (reason.contains("unsupported") || reason.contains("not supported")) {
        next.push("docs/c-support.md says what is supported, and what to write instead".to_owned());
    }
    if is_c && reason.contains("limit on unrolling") {
        next.push("a larger `--unwind`, or none".to_owned());
    }
    match (engine, is_c) {
        (EngineName::Portfolio, true) => {
            next.push(
                "an engine on the automaton (`--engine impact`, or `--engine annotate`)".to_owned(),
            );
        }
        (EngineName::Portfolio, false) => {
            next.push(
                "one engine for the whole time (`--engine pdr`; `craig engines` lists them)"
                    .to_owned(),
            );
        }
        _ => next.push("several engines side by side (without `--engine`)".to_owned()),
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    if engine == EngineName::Portfolio && task.engines.n_threads() < cores {
        next.push(format!("more threads (`--threads {cores}`)"));
    }
    match subject {
        Subject::Circuit(n_properties) if n_properties > 1 => {
            next.push("one property alone (`--property N`)".to_owned());
        }
        Subject::Program {
            is_each: false,
            goals: None,
        } => next.push("each property by itself (`--each`)".to_owned()),
        _ => {}
    }
    next
}
