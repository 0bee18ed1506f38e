//! Stop requests: how a caller ends a long computation of this crate.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use craig_solver::Solver;
use craig_solver::proof::ProofSink;

/// The condition under which a computation ends early.
///
/// A function of this crate that takes a stop evaluates the condition on entry, and then again after about
/// [`POLL_INTERVAL`] units of work. A unit is a literal, a proof step or a gate that is visited. Inside a
/// search, the solver evaluates the condition as its stop callback. The crate reads no clock: a deadline is a
/// condition.
#[derive(Clone, Default)]
pub struct Stop(Option<Arc<dyn Fn() -> bool + Send + Sync>>);

/// Units of work between two evaluations of a [`Stop`]: well below a millisecond on current machines.
pub const POLL_INTERVAL: u32 = 4096;

/// A computation ended early because its [`Stop`] asked for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("stopped before the end")]
pub struct Stopped;

impl Stop {
    /// The condition that never holds.
    #[must_use]
    pub fn never() -> Self {
        Self(None)
    }

    /// Stops once `condition` holds. It is evaluated often, so it should take well below a microsecond.
    pub fn when(condition: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(condition)))
    }

    /// Stops once the flag is set: the kind of flag that [`Solver::set_interrupt`] takes.
    #[must_use]
    pub fn on_flag(flag: Arc<AtomicBool>) -> Self {
        Self::when(move || flag.load(Ordering::Relaxed))
    }

    /// Whether to stop now.
    #[must_use]
    pub fn is_asked(&self) -> bool {
        self.0.as_ref().is_some_and(|condition| condition())
    }

    /// Makes the condition the stop callback of a solver, whose searches then end with
    /// [`Answer::Unknown`](craig_solver::Answer::Unknown) once it holds.
    pub fn install<P: ProofSink>(&self, solver: &mut Solver<P>) {
        if let Some(condition) = &self.0 {
            let condition = Arc::clone(condition);
            solver.set_stop_callback(Some(Box::new(move || condition())));
        }
    }
}

impl fmt::Debug for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() {
            "Stop"
        } else {
            "Stop(never)"
        })
    }
}

/// Counts work and evaluates a [`Stop`] once per [`POLL_INTERVAL`] units.
#[derive(Debug)]
pub(crate) struct Poll<'a> {
    stop: &'a Stop,
    /// Units since the last evaluation; below [`POLL_INTERVAL`] between calls.
    spent: u32,
}

impl<'a> Poll<'a> {
    /// Evaluates the condition for the first time.
    pub(crate) fn new(stop: &'a Stop) -> Result<Self, Stopped> {
        let poll = Self { stop, spent: 0 };
        poll.ask()?;
        Ok(poll)
    }

    /// Counts `units` of work that were done or are about to be done.
    #[inline]
    pub(crate) fn spend(&mut self, units: usize) -> Result<(), Stopped> {
        let units = u32::try_from(units).unwrap_or(u32::MAX);
        self.spent = self.spent.saturating_add(units);
        if self.spent < POLL_INTERVAL {
            return Ok(());
        }
        self.spent = 0;
        self.ask()
    }

    fn ask(&self) -> Result<(), Stopped> {
        if self.stop.is_asked() {
            Err(Stopped)
        } else {
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU32;

    #[test]
    fn the_condition_is_evaluated_once_per_interval() {
        let n_asked = Arc::new(AtomicU32::new(0));
        let count = Arc::clone(&n_asked);
        let stop = Stop::when(move || count.fetch_add(1, Ordering::Relaxed) == 3);
        let mut poll = Poll::new(&stop).unwrap();
        let n_units = (0..).take_while(|_| poll.spend(1).is_ok()).count();
        assert_eq!(n_units, 3 * POLL_INTERVAL as usize - 1);
        assert_eq!(n_asked.load(Ordering::Relaxed), 4);
    }

    #[test]
    fn a_flag_stops_what_is_under_way() {
        let flag = Arc::new(AtomicBool::new(false));
        let stop = Stop::on_flag(Arc::clone(&flag));
        let mut poll = Poll::new(&stop).unwrap();
        assert_eq!(poll.spend(usize::MAX), Ok(()));
        flag.store(true, Ordering::Relaxed);
        assert_eq!(poll.spend(usize::MAX), Err(Stopped));
        assert_eq!(Poll::new(&stop).err(), Some(Stopped));
    }
}
