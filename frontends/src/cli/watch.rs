//! Time and memory limits and signals: what stops a search from outside.
//!
//! The search runs on a thread of its own and is asked to stop when a limit is reached. If it has not ended
//! soon after, the caller gets to print what is known and ends the process: a phase that doesn't listen
//! can't outlive the limit.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGINT, SIGTERM};

use super::Failure;

/// How long a search may take to end after it has been asked to. A signal has to end the process within a
/// second.
const GRACE: Duration = Duration::from_millis(600);

/// How often limits and signals are looked at.
const PERIOD: Duration = Duration::from_millis(20);

/// The limits of a search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub(super) deadline: Option<Instant>,
    /// On the memory that is resident, in bytes.
    pub(super) memory: Option<u64>,
}

/// Why a search was stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    Signal,
    Deadline,
    Memory,
}

impl Stop {
    /// The reason, for people.
    pub(super) fn reason(self) -> &'static str {
        match self {
            Self::Signal => "it was interrupted",
            Self::Deadline => "the time limit was reached",
            Self::Memory => "the memory limit was reached",
        }
    }
}

/// How a search that was watched ended.
#[derive(Debug)]
pub(super) enum End<T> {
    /// It returned; perhaps because it was asked to.
    Finished(T),
    /// It was asked to stop and went on: the process should end.
    Abandoned(Stop),
}

/// Runs `work` on another thread. When a limit is reached or a signal arrives, calls `ask_to_stop` once.
pub(super) fn watch<T: Send + 'static>(
    limits: Limits,
    mut ask_to_stop: impl FnMut(Stop),
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<End<T>, Failure> {
    let signal = Arc::new(AtomicBool::new(false));
    for number in [SIGINT, SIGTERM] {
        signal_hook::flag::register(number, Arc::clone(&signal)).map_err(Failure::internal)?;
    }
    let (sender, receiver) = mpsc::channel();
    thread::Builder::new()
        .name("search".to_owned())
        .stack_size(64 << 20)
        .spawn(move || {
            // The receiver lives as long as this thread is of interest.
            let _ = sender.send(work());
        })
        .map_err(Failure::internal)?;
    let mut stopped: Option<(Stop, Instant)> = None;
    loop {
        match receiver.recv_timeout(PERIOD) {
            Ok(result) => return Ok(End::Finished(result)),
            // The thread has already told standard error why.
            Err(RecvTimeoutError::Disconnected) => {
                return Err(Failure::internal("the search panicked"));
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
        let now = Instant::now();
        let resident = limits.memory.and_then(|_| resident_bytes());
        if let Some((stop, since)) = stopped {
            let is_far_over = limits
                .memory
                .zip(resident)
                .is_some_and(|(limit, resident)| resident > limit / 8 * 9);
            if now >= since + GRACE || is_far_over {
                return Ok(End::Abandoned(stop));
            }
            continue;
        }
        let stop = if signal.load(Ordering::Relaxed) {
            Some(Stop::Signal)
        } else if limits.deadline.is_some_and(|deadline| now >= deadline) {
            Some(Stop::Deadline)
        } else if limits
            .memory
            .zip(resident)
            .is_some_and(|(limit, resident)| resident >= limit)
        {
            Some(Stop::Memory)
        } else {
            None
        };
        if let Some(stop) = stop {
            ask_to_stop(stop);
            stopped = Some((stop, now));
        }
    }
}

/// The memory of this process that is resident, where the system tells.
pub(super) fn resident_bytes() -> Option<u64> {
    status_kilobytes("VmRSS:")
}

/// The most memory that was ever resident, where the system tells.
pub(super) fn peak_resident_bytes() -> Option<u64> {
    status_kilobytes("VmHWM:")
}

fn status_kilobytes(field: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(field))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}

/// Parses a number of seconds on the command line.
pub(super) fn parse_seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text
        .parse()
        .map_err(|_| "expected a number of seconds".to_owned())?;
    Duration::try_from_secs_f64(seconds)
        .map_err(|_| "expected a number of seconds, at least 0".to_owned())
}
