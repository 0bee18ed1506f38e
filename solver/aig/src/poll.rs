//! Stop conditions of loops whose steps are too short to evaluate one in each.

/// Evaluates a stop condition about once in [`Poll::INTERVAL`] steps. Once it has held, the loop is over, and the
/// condition is not evaluated again.
pub struct Poll<'a> {
    stop: Box<dyn FnMut() -> bool + 'a>,
    /// The steps until the next evaluation.
    left: usize,
    is_over: bool,
}

impl<'a> Poll<'a> {
    /// The steps between two evaluations. A step makes, reads or copies a node of a graph and takes some hundred
    /// nanoseconds at most, so that an interval takes a few milliseconds.
    pub const INTERVAL: usize = 1 << 13;

    /// Evaluates `stop`, for the first time after an interval.
    #[must_use]
    pub fn new(stop: impl FnMut() -> bool + 'a) -> Self {
        Self {
            stop: Box::new(stop),
            left: Self::INTERVAL,
            is_over: false,
        }
    }

    /// The condition that never holds.
    #[must_use]
    pub fn never() -> Self {
        Self::new(|| false)
    }

    /// Counts a step. `None` if the loop is over.
    #[inline]
    pub fn step(&mut self) -> Option<()> {
        self.steps(1)
    }

    /// Counts `n` steps, done or about to be done. `None` if the loop is over.
    #[inline]
    pub fn steps(&mut self, n: usize) -> Option<()> {
        if n < self.left {
            self.left -= n;
        } else {
            self.ask();
        }
        (!self.is_over).then_some(())
    }

    /// Evaluates the condition now; whether the loop is over.
    pub fn ask(&mut self) -> bool {
        self.left = Self::INTERVAL;
        self.is_over = self.is_over || (self.stop)();
        self.is_over
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_condition_is_evaluated_once_in_an_interval_and_stays() {
        let mut n_asked = 0;
        let mut poll = Poll::new(|| {
            n_asked += 1;
            n_asked == 3
        });
        let n_steps = (0..).take_while(|_| poll.step().is_some()).count();
        assert_eq!(n_steps, 3 * Poll::INTERVAL - 1);
        assert!(poll.ask() && poll.step().is_none());
        drop(poll);
        assert_eq!(n_asked, 3);
        assert_eq!(Poll::new(|| true).steps(Poll::INTERVAL - 1), Some(()));
        assert_eq!(Poll::new(|| true).steps(usize::MAX), None);
        assert_eq!(Poll::never().steps(usize::MAX), Some(()));
    }
}
