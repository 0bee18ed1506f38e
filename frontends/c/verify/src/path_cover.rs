//! Whether paths that were followed are all paths: where a block begins with a condition, some of what comes after it holds.

use craig_word::{Term, Terms};

/// The condition that a path with the condition `before` goes on in none of the ways in `after`: `None` if that is plain from their
/// form. It has to be refuted like an error.
pub(crate) fn left_over(terms: &mut Terms, before: Term, after: &[Term]) -> Option<Term> {
    if after.contains(&before) {
        return None;
    }
    let mut any = terms.boolean(false);
    for &way in after {
        any = terms.or(any, way);
    }
    let none = terms.not(any);
    let left = terms.and(before, none);
    (!terms.is_zero(left)).then_some(left)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both sides of a branch are all paths, one side alone is not.
    #[test]
    fn a_side_that_is_missing_is_left_over() {
        let mut terms = Terms::new();
        let [before, condition] = [0, 1].map(|_| terms.variable(1));
        let not = terms.not(condition);
        let [then, otherwise] = [condition, not].map(|side| terms.and(before, side));
        assert_eq!(left_over(&mut terms, before, &[before]), None);
        for sides in [&[then][..], &[otherwise], &[]] {
            let left = left_over(&mut terms, before, sides);
            assert!(left.is_some(), "{sides:?}");
        }
    }
}
