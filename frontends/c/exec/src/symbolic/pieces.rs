//! The terms that words are put together from.

use std::collections::HashSet;

use craig_word::{Node, Term, Terms};

/// Words of more terms are not searched.
const MOST_TERMS: usize = 256;

/// The terms that a term is put together from, the lowest first.
pub(super) fn of(terms: &mut Terms, term: Term) -> Vec<Term> {
    let (mut pieces, mut rest) = (Vec::new(), vec![term]);
    while let Some(term) = rest.pop() {
        match terms.node(term) {
            Node::Concat(high, low) => rest.extend([high, low]),
            Node::ZExt(low) => {
                let width = terms.width(term) - terms.width(low);
                rest.extend([terms.constant(0, width), low]);
            }
            _ => pieces.push(term),
        }
    }
    pieces
}

/// Terms put together, the lowest first, of which there is one at least.
pub(super) fn joined(terms: &mut Terms, pieces: &[Term]) -> Term {
    let whole = pieces.iter().copied();
    let whole = whole.reduce(|low, high| terms.concat(high, low));
    whole.expect("a word has pieces")
}

/// Whether a word has such a piece, also as a part of another one or as an alternative; `false` also where that is not found.
pub(super) fn contains(terms: &Terms, word: Term, is_wanted: impl Fn(Term) -> bool) -> bool {
    let (mut seen, mut rest) = (HashSet::from([word]), vec![word]);
    while let Some(term) = rest.pop() {
        if is_wanted(term) {
            return true;
        }
        if seen.len() > MOST_TERMS {
            return false;
        }
        let parts = match terms.node(term) {
            Node::Concat(a, b) | Node::Ite(_, a, b) => [Some(a), Some(b)],
            Node::ZExt(a) | Node::Extract(a, _) => [Some(a), None],
            _ => [None, None],
        };
        rest.extend(
            parts
                .into_iter()
                .flatten()
                .filter(|&part| seen.insert(part)),
        );
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_taken_apart_and_put_together() {
        let mut terms = Terms::new();
        let [a, b, c] = [(); 3].map(|()| terms.variable(8));
        let choice = terms.variable(1);
        let high = terms.ite(choice, b, c);
        let word = joined(&mut terms, &[a, high]);
        assert_eq!(of(&mut terms, word), [a, high]);
        let wide = terms.zext(a, 16);
        let zero = terms.constant(0, 8);
        assert_eq!(of(&mut terms, wide), [a, zero]);
        assert!(contains(&terms, word, |part| part == c));
        let low = terms.extract(high, 0, 4);
        assert!(contains(&terms, low, |part| part == b));
        assert!(!contains(&terms, low, |part| part == a));
        assert!(!contains(&terms, word, |part| part == choice));
    }
}
