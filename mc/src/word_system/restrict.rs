//! Large memories with few words: an under-approximation.
//!
//! A memory keeps the words at its lowest addresses only, and a constraint excludes every run that reads or
//! writes
//! another address. A run of the restricted system is a run of the system. Nothing follows for the system if
//! the
//! restricted one has no run to a bad.

use std::collections::HashMap;

use craig_word::{Node, Op, Sort, Term};

use super::system::WordSystem;

/// Indices of this width or less are not restricted.
pub(super) const INDEX_WIDTH: u32 = 5;
/// The number of words that a restricted memory keeps.
pub const RESTRICTED_WORDS: u32 = 1 << INDEX_WIDTH;

/// The system in which arrays with more than `most_bits` bits are restricted to their [`RESTRICTED_WORDS`]
/// lowest
/// words. `None` if such arrays are compared with each other.
pub(super) fn restricted(system: &WordSystem, most_bits: u64) -> Option<WordSystem> {
    let mut result = system.clone();
    let terms = &mut result.terms;
    let small = |sort: Sort| match sort {
        Sort::Array { index, element }
            if index > INDEX_WIDTH && (index >= 32 || u64::from(element) << index > most_bits) =>
        {
            Some(Sort::Array {
                index: INDEX_WIDTH,
                element,
            })
        }
        _ => None,
    };
    let states = system.states.iter();
    let parts = states.flat_map(|state| [Some(state.state), state.init, state.next]);
    let roots: Vec<Term> = parts
        .flatten()
        .chain(system.properties())
        .chain(system.inputs.iter().copied())
        .collect();
    let mut images: HashMap<Term, Term> = HashMap::new();
    let mut addresses: Vec<Term> = Vec::new();
    for term in system.terms.cone(&roots, |_| false) {
        let sort = |term: Term| system.terms.sort(term);
        let image = match system.terms.node(term) {
            Node::Var(_) => match small(sort(term)) {
                Some(sort) => terms.variable_of(sort),
                None => term,
            },
            Node::ConstArray(value) if small(sort(term)).is_some() => {
                terms.constant_array(INDEX_WIDTH, images[&value])
            }
            Node::Select(array, index) if small(sort(array)).is_some() => {
                addresses.push(images[&index]);
                let low = terms.extract(images[&index], 0, INDEX_WIDTH);
                terms.select(images[&array], low)
            }
            Node::Store(array, index, value) if small(sort(array)).is_some() => {
                addresses.push(images[&index]);
                let low = terms.extract(images[&index], 0, INDEX_WIDTH);
                terms.store(images[&array], low, images[&value])
            }
            Node::Binary(Op::Eq, left, _)
                if system.terms.is_array(left) && small(sort(left)).is_some() =>
            {
                return None;
            }
            Node::Ite(condition, then, otherwise)
                if system.terms.is_array(term) && small(sort(term)).is_some() =>
            {
                terms.ite(images[&condition], images[&then], images[&otherwise])
            }
            _ => terms.substitute(term, &mut images),
        };
        images.insert(term, image);
    }
    let of = |term: &mut Term| *term = images[term];
    result.inputs.iter_mut().for_each(of);
    for state in &mut result.states {
        of(&mut state.state);
        state.init.iter_mut().for_each(of);
        state.next.iter_mut().for_each(of);
    }
    let lists = [
        &mut result.constraints,
        &mut result.bads,
        &mut result.fairness,
    ];
    lists.into_iter().flatten().for_each(of);
    result.justice.iter_mut().flatten().for_each(of);
    addresses.sort_unstable();
    addresses.dedup();
    for address in addresses {
        let width = terms.width(address);
        let high = terms.extract(address, INDEX_WIDTH, width - INDEX_WIDTH);
        let zero = terms.constant(0, width - INDEX_WIDTH);
        let constraint = terms.eq(high, zero);
        result.constraints.push(constraint);
        // The names of the constraints are as many as the constraints, or none.
        if !result.names.constraints.is_empty() {
            result.names.constraints.push(String::new());
        }
    }
    Some(result)
}
