//! A wrong rewriting rule for tests of checkers: they have to reject results built with it. It exists only in
//! builds with debug assertions.

use std::cell::Cell;

thread_local! {
    static IS_PLANTED: Cell<bool> = const { Cell::new(false) };
}

/// Runs `body` with a wrong rule in all graphs of this thread: the conjunction of a gate with one of its
/// operands is simplified to false.
pub fn with_wrong_rule<R>(body: impl FnOnce() -> R) -> R {
    struct Restore(bool);
    impl Drop for Restore {
        fn drop(&mut self) {
            IS_PLANTED.set(self.0);
        }
    }
    let _restore = Restore(IS_PLANTED.replace(true));
    body()
}

/// Whether the wrong rule is in use.
pub(super) fn is_planted() -> bool {
    IS_PLANTED.get()
}
