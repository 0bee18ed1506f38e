//! Progress: what engines tell their callers.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::record::Refutation;

/// A report of an engine on its progress.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// The engine has shown that the bad is unreachable in all steps before this one.
    Depth {
        /// The engine's name.
        engine: &'static str,
        /// The number of steps.
        depth: usize,
    },
    /// An engine has computed an interpolant and continues with it.
    Interpolant {
        /// The engine's name.
        engine: &'static str,
        /// The steps of the bounded instance that it comes from.
        bound: usize,
        /// Its number among the interpolants of this bound, counted from 1.
        round: usize,
        /// Its size in AND gates: compacted, if the engine compacts each on its own.
        ands: usize,
    },
    /// Any other message for a verbose user.
    Note {
        /// The engine's name.
        engine: &'static str,
        /// One line.
        text: String,
    },
}

/// Receives refutations that are interpolated; called from the engines' threads.
pub type Recorder = Arc<dyn Fn(&Refutation) + Send + Sync>;

/// Receives events; called from the engines' threads.
pub type Receiver = Arc<dyn Fn(Event) + Send + Sync>;

/// Where engines report their progress: events to a receiver, the largest depth, and statistics. Clones add up.
#[derive(Clone, Default)]
pub struct Listener {
    receiver: Option<Receiver>,
    recorder: Option<Recorder>,
    depth: Arc<AtomicUsize>,
    /// Only grows.
    statistics: Arc<Mutex<BTreeMap<&'static str, u64>>>,
}

impl Listener {
    /// Without a receiver of events.
    #[must_use]
    pub fn silent() -> Self {
        Self::default()
    }

    /// Passes every event to `receiver`.
    #[must_use]
    pub fn with_receiver(mut self, receiver: Receiver) -> Self {
        self.receiver = Some(receiver);
        self
    }

    /// Passes every refutation that is interpolated to `recorder`, by engines that support it.
    #[must_use]
    pub fn with_recorder(mut self, recorder: Recorder) -> Self {
        self.recorder = Some(recorder);
        self
    }

    /// Whether refutations are recorded.
    #[must_use]
    pub fn is_recorded(&self) -> bool {
        self.recorder.is_some()
    }

    /// Passes a refutation to the recorder; it is only made if there is one.
    pub fn record(&self, refutation: impl FnOnce() -> Refutation) {
        if let Some(recorder) = &self.recorder {
            recorder(&refutation());
        }
    }

    /// This one's depth and statistics, with another receiver of events and another recorder.
    #[must_use]
    pub fn with_receiver_of(mut self, other: &Self) -> Self {
        self.receiver.clone_from(&other.receiver);
        self.recorder.clone_from(&other.recorder);
        self
    }

    /// The receiver gets the events, until `is_over` is set.
    #[must_use]
    pub(crate) fn silent_after(mut self, is_over: &Arc<AtomicBool>) -> Self {
        if let Some(receiver) = self.receiver.take() {
            let is_over = Arc::clone(is_over);
            self.receiver = Some(Arc::new(move |event| {
                if !is_over.load(Ordering::Relaxed) {
                    receiver(event);
                }
            }));
        }
        self
    }

    /// Passes an event to the receiver, if there is one. Interpolants and their gates are statistics, too.
    pub fn tell(&self, event: Event) {
        if let Event::Interpolant { ands, .. } = event {
            self.count("interpolants", 1);
            self.count("interpolant_gates", ands);
        }
        if let Some(receiver) = &self.receiver {
            receiver(event);
        }
    }

    /// Passes a note to the receiver; the text is only computed if there is one.
    pub fn note(&self, engine: &'static str, text: impl FnOnce() -> String) {
        if self.receiver.is_some() {
            let text = text();
            self.tell(Event::Note { engine, text });
        }
    }

    /// Reports that the bad is unreachable in all steps before `depth`.
    pub fn report_depth(&self, engine: &'static str, depth: usize) {
        self.depth.fetch_max(depth, Ordering::Relaxed);
        self.tell(Event::Depth { engine, depth });
    }

    /// The largest depth that any engine has reported, for progress messages.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.depth.load(Ordering::Relaxed)
    }

    /// Adds to the statistic of this name: a count of steps or sizes of one search.
    pub fn count(&self, name: &'static str, more: usize) {
        *self.lock().entry(name).or_insert(0) += more as u64;
    }

    /// The statistics so far, by name.
    #[must_use]
    pub fn statistics(&self) -> BTreeMap<&'static str, u64> {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<&'static str, u64>> {
        self.statistics
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_listener_counts_alone_and_is_heard_by_the_receiver() {
        let heard = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&heard);
        let listener = Listener::silent().with_receiver(Arc::new(move |_| {
            count.fetch_add(1, Ordering::Relaxed);
        }));
        let other = Listener::silent().with_receiver_of(&listener);
        other.report_depth("pdr", 7);
        other.count("queries", 2);
        assert_eq!(heard.load(Ordering::Relaxed), 1);
        assert_eq!((listener.depth(), other.depth()), (0, 7));
        assert!(listener.statistics().is_empty());
        let is_over = Arc::new(AtomicBool::new(false));
        let ending = listener.clone().silent_after(&is_over);
        ending.note("pdr", || "one".to_owned());
        is_over.store(true, Ordering::Relaxed);
        ending.note("pdr", || "two".to_owned());
        assert_eq!(heard.load(Ordering::Relaxed), 2);
    }

    #[test]
    fn interpolants_are_counted_with_their_gates() {
        let listener = Listener::silent();
        for ands in [3, 4] {
            let (engine, bound, round) = ("imc", 1, 1);
            listener.tell(Event::Interpolant {
                engine,
                bound,
                round,
                ands,
            });
        }
        let statistics = listener.statistics();
        assert_eq!(
            (statistics["interpolants"], statistics["interpolant_gates"]),
            (2, 7)
        );
    }
}
