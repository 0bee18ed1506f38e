//! States of which only some neighbouring bits are used.
//!
//! Of each word the range of bits is computed on which the property depends, from the properties back through
//! the operators and through the states. The other bits of a state are 0 afterwards. Narrow words make narrow
//! operators: the low half of a product has only the low halves of its operands.

use std::collections::HashMap;

use craig_aig::Poll;
use craig_model::Stop;
use craig_word::{Node, Op, Sort, Term, Terms};

use super::MOST_VISITS;
use crate::word_system::derive::Derived;
use crate::word_system::system::WordSystem;

/// Passes over the terms, at most.
const MOST_ROUNDS: usize = 50;

/// A range of bits; the second is included.
type Range = (u32, u32);

/// Narrows states.
pub(super) fn run(derived: &mut Derived, stop: &Stop) -> bool {
    let Some(needs) = needs(&derived.system, &mut stop.poll()) else {
        return false;
    };
    let mut images = HashMap::new();
    for number in 0..derived.system.states.len() {
        let state = derived.system.states[number].state;
        if let (Sort::BitVector(width), Some(&(low, high))) =
            (derived.system.terms.sort(state), needs.get(&state))
            && high - low + 1 < width
        {
            derived.narrow(number, low, high - low + 1, &mut images);
        }
    }
    if images.is_empty() {
        return false;
    }
    derived.rewrite(&mut images);
    true
}

/// The bits on which the property depends, of each term of its cone that is no array. `None` if that takes too
/// long to compute, or if `poll` ends it.
fn needs(system: &WordSystem, poll: &mut Poll<'_>) -> Option<HashMap<Term, Range>> {
    let terms = &system.terms;
    let mut needs: HashMap<Term, Range> = HashMap::new();
    let properties: Vec<Term> = system.properties().collect();
    for &property in &properties {
        all(terms, &mut needs, property);
    }
    let states = system.states.iter();
    let roots: Vec<Term> = states
        .flat_map(|state| [state.init, state.next])
        .flatten()
        .chain(properties)
        .collect();
    let cone = terms.cone(&roots, |_| false);
    for _ in 0..MOST_ROUNDS.min(MOST_VISITS / (cone.len() + 1)) {
        let mut has_changed = false;
        // Before the first additions: the `init` of a state may be another state.
        let before: Vec<Option<Range>> = (system.states.iter())
            .map(|state| needs.get(&state.state).copied())
            .collect();
        for state in &system.states {
            for of in [state.init, state.next].into_iter().flatten() {
                match terms.sort(state.state) {
                    Sort::Array { .. } => all(terms, &mut needs, of),
                    Sort::BitVector(_) => {
                        if let Some(&range) = needs.get(&state.state) {
                            add(&mut needs, of, range);
                        }
                    }
                }
            }
        }
        // Operands have smaller numbers.
        for &term in cone.iter().rev() {
            poll.step()?;
            if terms.is_array(term) {
                terms.operands(term, |operand| all(terms, &mut needs, operand));
            } else if let Some(&range) = needs.get(&term) {
                of_operands(terms, &mut needs, term, range);
            }
        }
        let states = system.states.iter().zip(before);
        for (state, before) in states {
            has_changed |= needs.get(&state.state).copied() != before;
        }
        if !has_changed {
            return Some(needs);
        }
    }
    None
}

fn add(needs: &mut HashMap<Term, Range>, term: Term, (low, high): Range) {
    let own = needs.entry(term).or_insert((low, high));
    *own = (own.0.min(low), own.1.max(high));
}

/// All bits are used; of an array, that is taken for granted.
fn all(terms: &Terms, needs: &mut HashMap<Term, Range>, term: Term) {
    if let Sort::BitVector(width) = terms.sort(term) {
        add(needs, term, (0, width - 1));
    }
}

/// Adds what the bits of a term in a range depend on.
fn of_operands(terms: &Terms, needs: &mut HashMap<Term, Range>, term: Term, (low, high): Range) {
    match terms.node(term) {
        Node::Const(_) | Node::Wide(_) | Node::Var(_) => {}
        Node::Not(a) => add(needs, a, (low, high)),
        Node::Binary(Op::And | Op::Xor, a, b) => {
            add(needs, a, (low, high));
            add(needs, b, (low, high));
        }
        Node::Binary(Op::Add | Op::Sub | Op::Mul, a, b) => {
            add(needs, a, (0, high));
            add(needs, b, (0, high));
        }
        Node::Ite(condition, then, otherwise) => {
            all(terms, needs, condition);
            add(needs, then, (low, high));
            add(needs, otherwise, (low, high));
        }
        Node::Concat(upper, lower) => {
            let width = terms.width(lower);
            if low < width {
                add(needs, lower, (low, high.min(width - 1)));
            }
            if high >= width {
                add(needs, upper, (low.saturating_sub(width), high - width));
            }
        }
        Node::Extract(a, from) => add(needs, a, (low + from, high + from)),
        Node::ZExt(a) => {
            let width = terms.width(a);
            if low < width {
                add(needs, a, (low, high.min(width - 1)));
            }
        }
        Node::SExt(a) => {
            let width = terms.width(a);
            add(needs, a, (low.min(width - 1), high.min(width - 1)));
        }
        // Shifts, divisions and comparisons: every bit of the operands may count.
        _ => terms.operands(term, |operand| all(terms, needs, operand)),
    }
}
