//! What an engine is told from outside: when to stop, and whom to tell how far it is.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Instant;

use crate::verdict::UnknownReason;

/// What an engine has to tell while it works.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// The engine has shown that the bad is unreachable in all steps before this one.
    Depth {
        /// The engine's name.
        engine: &'static str,
        /// The number of steps.
        depth: usize,
    },
    /// An engine has drawn an interpolant and goes on with it.
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
    /// Anything else worth a line to a user who asked for details.
    Note {
        /// The engine's name.
        engine: &'static str,
        /// One line.
        text: String,
    },
}

/// Receives [`Event`]s; called from the engines' threads.
pub type Listener = Arc<dyn Fn(Event) + Send + Sync>;

/// Deadline, cancellation and progress, shared by the engines that work on one question. Clones share
/// their state.
///
/// Engines have no clock of their own: they call [`Control::stop_reason`] now and then and return
/// [`crate::Verdict::Unknown`] when it is `Some`.
#[derive(Clone, Default)]
pub struct Control {
    deadline: Option<Instant>,
    cancelled: Arc<AtomicBool>,
    out_of_memory: Arc<AtomicBool>,
    depth: Arc<AtomicUsize>,
    listener: Option<Listener>,
}

impl Control {
    /// No deadline, nobody listening.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Stops at `deadline`.
    #[must_use]
    pub fn with_deadline(mut self, deadline: Instant) -> Self {
        self.deadline = Some(deadline);
        self
    }

    /// Tells `listener` of every event.
    #[must_use]
    pub fn with_listener(mut self, listener: Listener) -> Self {
        self.listener = Some(listener);
        self
    }

    /// A control with the same deadline, memory limit and listener, that is also cancelled on its own: what a
    /// portfolio gives to its engines, to stop the losers without stopping itself. It does NOT see later
    /// cancellations of `self`; the portfolio passes them on.
    #[must_use]
    pub fn fork(&self) -> Self {
        Self {
            cancelled: Arc::new(AtomicBool::new(self.cancelled.load(Ordering::Relaxed))),
            ..self.clone()
        }
    }

    /// A control for a question of its own that is asked on the way to the answer of this one: with the same
    /// deadline, memory limit and cancellation, but nobody listens, and depths mean something else.
    #[must_use]
    pub fn apart(&self) -> Self {
        Self {
            depth: Arc::default(),
            listener: None,
            ..self.clone()
        }
    }

    /// Asks everybody who shares this control to stop.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// Tells everybody who shares this control that memory has run out.
    pub fn report_out_of_memory(&self) {
        self.out_of_memory.store(true, Ordering::Relaxed);
    }

    /// Why to stop now, if so. Cheap enough for every few hundred conflicts, not for every propagation.
    #[must_use]
    pub fn stop_reason(&self) -> Option<UnknownReason> {
        if self.out_of_memory.load(Ordering::Relaxed) {
            Some(UnknownReason::OutOfMemory)
        } else if self
            .deadline
            .is_some_and(|deadline| Instant::now() >= deadline)
        {
            Some(UnknownReason::Timeout)
        } else if self.cancelled.load(Ordering::Relaxed) {
            Some(UnknownReason::Cancelled)
        } else {
            None
        }
    }

    /// Reports that the bad is unreachable in all steps before `depth`, and shares the fact.
    pub fn report_depth(&self, engine: &'static str, depth: usize) {
        self.depth.fetch_max(depth, Ordering::Relaxed);
        self.tell(Event::Depth { engine, depth });
    }

    /// The largest depth that any engine has reported.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.depth.load(Ordering::Relaxed)
    }

    /// Tells the listener, if there is one.
    pub fn tell(&self, event: Event) {
        if let Some(listener) = &self.listener {
            listener(event);
        }
    }

    /// Tells the listener something; the text is only made if somebody listens.
    pub fn note(&self, engine: &'static str, text: impl FnOnce() -> String) {
        if let Some(listener) = &self.listener {
            listener(Event::Note {
                engine,
                text: text(),
            });
        }
    }
}
