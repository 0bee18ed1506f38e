//! Terms that choose from a few values.

use std::collections::{BTreeSet, HashMap};

use craig_word::{Node, Term, Terms};

/// Choices from more values are not taken apart.
pub(super) const MAX_VALUES: usize = 64;
/// Nor are those of more choices and values.
const MAX_TERMS: usize = 64 * MAX_VALUES;

/// The constants that a term chooses from; `None` if there are others, or many.
pub fn leaves(terms: &Terms, root: Term) -> Option<BTreeSet<u128>> {
    let mut values = BTreeSet::new();
    for leaf in alternatives(terms, root)? {
        values.insert(terms.constant_value(leaf)?);
    }
    Some(values)
}

/// The terms without choices that a term chooses from; `None` if there are many.
pub(super) fn alternatives(terms: &Terms, root: Term) -> Option<BTreeSet<Term>> {
    let mut seen = BTreeSet::from([root]);
    let mut stack = vec![root];
    let mut found = BTreeSet::new();
    while let Some(term) = stack.pop() {
        if let Node::Ite(_, a, b) = terms.node(term) {
            for part in [a, b] {
                if seen.insert(part) {
                    stack.push(part);
                }
            }
        } else {
            found.insert(term);
        }
        if seen.len() > MAX_TERMS {
            return None;
        }
    }
    (found.len() <= MAX_VALUES).then_some(found)
}

/// A word that is one of some values, as a choice from them.
pub(super) fn one_of(terms: &mut Terms, word: Term, values: &BTreeSet<u128>) -> Term {
    if terms.constant_value(word).is_some() {
        return word;
    }
    let width = terms.width(word);
    let mut chosen: Option<Term> = None;
    for &value in values {
        let value = terms.constant(value, width);
        let here = terms.eq(word, value);
        chosen = Some(match chosen {
            Some(other) => terms.ite(here, value, other),
            None => value,
        });
    }
    chosen.unwrap_or(word)
}

/// A term on paths on which the condition holds.
pub(super) fn under(terms: &Terms, mut term: Term, condition: Term) -> Term {
    while let Node::Ite(choice, first, _) = terms.node(term)
        && choice == condition
    {
        term = first;
    }
    term
}

/// The choice that takes the image of each term without choices that a term chooses from. `None` if one has none.
pub fn image(
    terms: &mut Terms,
    root: Term,
    known: &[(Term, Term)],
    mut of: impl FnMut(&mut Terms, Term) -> Option<Term>,
) -> Option<Term> {
    let mut done: HashMap<Term, Term> = known.iter().copied().collect();
    let mut stack = vec![root];
    while let Some(&term) = stack.last() {
        if done.contains_key(&term) {
            stack.pop();
            continue;
        }
        let image = match terms.node(term) {
            Node::Ite(condition, a, b) => match (done.get(&a), done.get(&b)) {
                (Some(&a), Some(&b)) => terms.ite(condition, a, b),
                (x, y) => {
                    let parts = [(a, x.is_none()), (b, y.is_none())];
                    stack.extend(parts.iter().filter(|part| part.1).map(|part| part.0));
                    continue;
                }
            },
            _ => of(terms, term)?,
        };
        done.insert(term, image);
        stack.pop();
    }
    Some(done[&root])
}
