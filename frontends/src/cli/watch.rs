//! Time and memory limits and signals that stop a search.
//!
//! The search runs on a separate thread and is asked to stop when a limit is reached. If it has not ended
//! soon after, the caller prints the reports made so far and ends the process: a phase that does not poll
//! cannot exceed the limit.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use craig_model::threads;
use signal_hook::consts::{SIGINT, SIGTERM};

use super::failure::Failure;
use super::output::set_deadline;

/// The time that a search has to end after a stop request. A signal has to end the process within a second.
const GRACE: Duration = Duration::from_millis(600);

/// The interval of polling limits and signals.
const PERIOD: Duration = Duration::from_millis(20);

/// The variable with the number of the process that a search is for: nobody reads its result once that has ended.
pub(super) const PARENT: &str = "CRAIG_PARENT";

/// The process that a search is for.
#[derive(Clone, Copy, Debug)]
struct Parent {
    id: u32,
    /// Whether it has started this process itself, and not through a script.
    is_direct: bool,
}

impl Parent {
    /// That of the environment.
    fn of_environment() -> Option<Self> {
        let id = std::env::var(PARENT).ok()?.parse().ok()?;
        Some(Self {
            id,
            is_direct: parent_id() == Some(id),
        })
    }

    /// Whether it has ended, as far as the system tells.
    fn has_ended(self) -> bool {
        match self.is_direct {
            true => parent_id() != Some(self.id),
            false => {
                let processes = Path::new("/proc");
                processes.join("self").exists() && !processes.join(self.id.to_string()).exists()
            }
        }
    }
}

/// The process that has started this one, or that has taken it over since.
fn parent_id() -> Option<u32> {
    #[cfg(unix)]
    return Some(std::os::unix::process::parent_id());
    #[cfg(not(unix))]
    return None;
}

/// The limits of a search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub(super) deadline: Option<Instant>,
    /// The limit on resident memory, in bytes.
    pub(super) memory: Option<u64>,
}

impl Limits {
    /// Limits on the time from `start` on, and on the memory in megabytes.
    pub(super) fn new(start: Instant, time: Option<Duration>, megabytes: Option<u64>) -> Self {
        Self {
            deadline: time.map(|time| start + time),
            memory: megabytes.map(|megabytes| megabytes << 20),
        }
    }

    /// What stops engines at the limit on the time.
    pub(super) fn stop(&self) -> craig_model::Stop {
        let stop = craig_model::Stop::new();
        match self.deadline {
            Some(deadline) => stop.with_deadline(deadline),
            None => stop,
        }
    }
}

/// Why a search was stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    Signal,
    Deadline,
    Memory,
}

impl Stop {
    /// The reason, as text.
    pub(super) fn reason(self) -> &'static str {
        match self {
            Self::Signal => "it was interrupted",
            Self::Deadline => "the time limit was reached",
            Self::Memory => "the memory limit was reached",
        }
    }

    /// Stops engines for this reason.
    pub(super) fn tell(self, stop: &craig_model::Stop) {
        match self {
            Self::Memory => stop.report_out_of_memory(),
            // Engines with a deadline of their own are past it already; cancelling does no harm.
            Self::Deadline | Self::Signal => stop.cancel(),
        }
    }
}

/// The end of a watched search.
#[derive(Debug)]
pub(super) enum End<T> {
    /// It returned, possibly because of a stop request.
    Finished(T),
    /// It did not react to the stop request: the process should end.
    Abandoned(Stop),
}

/// Detects a shortage of memory before the limit is reached.
#[derive(Clone, Copy, Debug)]
struct Shortage {
    limit: u64,
    /// The resident bytes at which the shortage is reported next.
    mark: u64,
}

impl Shortage {
    /// From seven eighths of the limit on.
    fn new(limit: u64) -> Self {
        let mark = limit - limit / 8;
        Self { limit, mark }
    }

    /// Whether to report a shortage. The next report comes halfway between now and the limit, since freed
    /// memory may stay resident; or at the first mark again once usage has dropped below it.
    fn is_felt(&mut self, resident: u64) -> bool {
        let first = Self::new(self.limit).mark;
        if resident < first {
            self.mark = first;
        }
        let is_felt = resident >= self.mark && resident < self.limit;
        if is_felt {
            self.mark = resident + (self.limit - resident).div_ceil(2);
        }
        is_felt
    }
}

/// Runs `work` on another thread. When a limit is reached or a signal arrives, calls `ask_to_stop` once.
pub(super) fn watch<T: Send + 'static>(
    limits: Limits,
    ask_to_stop: impl FnMut(Stop),
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<End<T>, Failure> {
    watch_with(limits, || {}, ask_to_stop, work)
}

/// As `watch`, and calls `ask_for_memory` repeatedly while more than seven eighths of the limit are resident.
pub(super) fn watch_with<T: Send + 'static>(
    limits: Limits,
    mut ask_for_memory: impl FnMut(),
    mut ask_to_stop: impl FnMut(Stop),
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<End<T>, Failure> {
    if let Some(deadline) = limits.deadline {
        set_deadline(deadline);
    }
    let signal = Arc::new(AtomicBool::new(false));
    for number in [SIGINT, SIGTERM] {
        signal_hook::flag::register(number, Arc::clone(&signal)).map_err(Failure::internal)?;
    }
    let (sender, receiver) = mpsc::channel();
    thread::Builder::new()
        .name("search".to_owned())
        .stack_size(64 << 20)
        .spawn(move || {
            // The receiver is gone if the search was abandoned.
            let _ = sender.send(work());
        })
        .map_err(|error| Failure::internal(threads::refusal(&error)))?;
    let mut stopped: Option<(Stop, Instant)> = None;
    let mut shortage = limits.memory.map(Shortage::new);
    let parent = Parent::of_environment();
    loop {
        match receiver.recv_timeout(PERIOD) {
            Ok(result) => return Ok(End::Finished(result)),
            // The panic hook has printed the reason.
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
        let is_orphan = parent.is_some_and(Parent::has_ended);
        let stop = if is_orphan || signal.load(Ordering::Relaxed) {
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
        } else if let (Some(shortage), Some(resident)) = (&mut shortage, resident)
            && shortage.is_felt(resident)
        {
            ask_for_memory();
        }
    }
}

/// The resident memory of this process in bytes, where the system reports it.
pub(super) fn resident_bytes() -> Option<u64> {
    status_kilobytes("VmRSS:")
}

/// The largest resident memory so far in bytes, where the system reports it.
pub(super) fn peak_resident_bytes() -> Option<u64> {
    status_kilobytes("VmHWM:")
}

fn status_kilobytes(field: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(field))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}

/// Parses a number of megabytes on the command line.
pub(super) fn parse_megabytes(text: &str) -> Result<u64, String> {
    let megabytes = text
        .parse()
        .ok()
        .filter(|megabytes| (1..=MOST_MEGABYTES).contains(megabytes));
    megabytes.ok_or_else(|| format!("expected a number of megabytes from 1 to {MOST_MEGABYTES}"))
}

/// More than any machine has; as bytes, it is a number of 64 bits.
const MOST_MEGABYTES: u64 = 1 << 32;

/// Parses a number of threads on the command line.
pub(super) fn parse_threads(text: &str) -> Result<usize, String> {
    let threads = text
        .parse()
        .ok()
        .filter(|threads| (1..=MOST_THREADS).contains(threads));
    threads.ok_or_else(|| format!("expected a number of threads from 1 to {MOST_THREADS}"))
}

/// More than a machine has cores.
const MOST_THREADS: usize = 4096;

/// Parses a number of seconds on the command line.
pub(super) fn parse_seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text
        .parse()
        .map_err(|_| "expected a number of seconds".to_owned())?;
    Duration::try_from_secs_f64(seconds)
        .map_err(|_| "expected a number of seconds, at least 0".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shortage_is_felt_ever_later_until_there_is_enough_again() {
        let mut shortage = Shortage::new(800);
        let felt = |shortage: &mut Shortage, resident: &[u64]| -> Vec<bool> {
            let each = resident.iter();
            each.map(|&bytes| shortage.is_felt(bytes)).collect()
        };
        let rising = [699, 700, 749, 750, 774, 775];
        let wanted = [false, true, false, true, false, true];
        assert_eq!(felt(&mut shortage, &rising), wanted);
        // No memory was freed: no second report. Memory was freed: reported from the first mark on.
        assert_eq!(felt(&mut shortage, &[775, 700, 699]), [false; 3]);
        assert_eq!(felt(&mut shortage, &rising), wanted);
        // At the limit itself the search ends instead; small limits are valid.
        assert_eq!(felt(&mut shortage, &[799, 800, 900]), [true, false, false]);
        assert_eq!(felt(&mut Shortage::new(0), &[0, 1]), [false; 2]);
    }
}
