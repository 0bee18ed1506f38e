//! Whether to end a computation on a proof, asked after each so much work.

/// The work between two questions, in literals and antecedents that are visited: well below a millisecond.
const INTERVAL: usize = 10_000;

/// Counts work and asks a caller's function whether to end.
pub(super) struct Poll<F> {
    is_asked: F,
    spent: usize,
}

impl<F: FnMut() -> bool> Poll<F> {
    /// The first work that is counted leads to a question.
    pub(super) fn new(is_asked: F) -> Self {
        Self {
            is_asked,
            spent: INTERVAL,
        }
    }

    /// Counts work, and tells whether to end.
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
