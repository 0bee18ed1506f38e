//! Processor time, which, other than wall-clock time, does not depend on the load of the machine.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The processor time of one thread, readable from any thread; wall-clock time where the system does not
/// report it.
#[derive(Clone, Debug)]
pub(super) struct ThreadClock {
    statistics: Option<PathBuf>,
    begin: Instant,
}

impl ThreadClock {
    /// The clock of the calling thread.
    pub(super) fn of_this_thread() -> Self {
        let thread = fs::read_link("/proc/thread-self").ok();
        let statistics = thread.map(|thread| Path::new("/proc").join(thread).join("schedstat"));
        Self {
            statistics: statistics.filter(|path| nanoseconds(path).is_some()),
            begin: Instant::now(),
        }
    }

    /// The time since an arbitrary moment.
    pub(super) fn now(&self) -> Duration {
        let time = self.statistics.as_deref().and_then(nanoseconds);
        time.map_or_else(|| self.begin.elapsed(), Duration::from_nanos)
    }
}

/// The first number in the statistics of the kernel's scheduler for a thread: nanoseconds of processor time.
fn nanoseconds(statistics: &Path) -> Option<u64> {
    let text = fs::read_to_string(statistics).ok()?;
    text.split_ascii_whitespace().next()?.parse().ok()
}

/// A deadline in a thread's processor time. It is cheap to evaluate: the clock is read at most once per
/// [`FRESH`].
#[derive(Debug)]
pub(super) struct Deadline {
    clock: ThreadClock,
    at: Duration,
    /// When to read the clock again, in microseconds since `clock.begin`.
    look_again: AtomicU64,
}

/// How long a reading of the clock is used, in microseconds.
const FRESH: u64 = 5_000;

impl Deadline {
    /// The deadline after `time` more processor time of the thread.
    pub(super) fn after(clock: &ThreadClock, time: Duration) -> Self {
        Self {
            clock: clock.clone(),
            at: clock.now().saturating_add(time),
            look_again: AtomicU64::new(0),
        }
    }

    pub(super) fn is_over(&self) -> bool {
        let elapsed = self.clock.begin.elapsed().as_micros() as u64;
        if elapsed < self.look_again.load(Ordering::Relaxed) {
            return false;
        }
        if self.clock.now() >= self.at {
            return true;
        }
        self.look_again.store(elapsed + FRESH, Ordering::Relaxed);
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_counted() {
        let clock = ThreadClock::of_this_thread();
        let deadline = Deadline::after(&clock, Duration::from_millis(30));
        let before = clock.now();
        let mut n_looks = 0_u64;
        while !deadline.is_over() {
            n_looks += 1;
        }
        assert!(clock.now() >= before + Duration::from_millis(30));
        assert!(n_looks > 0);
        assert!(deadline.is_over());
    }

    #[test]
    fn a_clock_is_read_from_other_threads() {
        let clock = ThreadClock::of_this_thread();
        let deadline = Deadline::after(&clock, Duration::from_millis(20));
        while !deadline.is_over() {}
        let here = clock.now();
        let there = std::thread::spawn(move || clock.now()).join().unwrap();
        assert!(there >= here, "it is the first thread's time");
    }
}
