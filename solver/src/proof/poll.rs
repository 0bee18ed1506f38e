//! Polling for the end of a computation on a proof.

/// The work between two polls, in visited literals and antecedents: well below a millisecond.
const INTERVAL: usize = 10_000;

/// Counts work and polls a function of the caller.
pub(super) struct Poll<F> {
    is_asked: F,
    spent: usize,
}

impl<F: FnMut() -> bool> Poll<F> {
    /// The first unit of work polls.
    pub(super) fn new(is_asked: F) -> Self {
        Self {
            is_asked,
            spent: INTERVAL,
        }
    }

    /// Counts work, and returns whether to end.
    #[inline]
    pub(super) fn is_due(&mut self, work: usize) -> bool {
        self.spent += work;
        if self.spent < INTERVAL {
            return false;
        }
        self.spent = 0;
        (self.is_asked)()
    }
}
