//! Reads of elements that are not followed, on a path that the program does not have.

use std::collections::HashSet;

use craig_mc::Trace;
use craig_mc::program::{CfaModel, LocationId};
use craig_word::{Node, Op, Term, Terms};

use super::Automaton;
use super::cell::Cell;
use super::derived_index::Derived;
use crate::execute::{OtherRead, relevant};
use crate::replay::evaluator;

/// At most so many functions are found on a path.
const MAX_FOUND: usize = 3;

impl Automaton<'_> {
    /// For a path that does not replay: where a step stores to the followed element what it reads of another one, how
    /// the index of the read depends on that of the store. The last steps come first.
    pub(crate) fn derived_indices(&mut self, encoded: &CfaModel, trace: &Trace) -> Vec<Derived> {
        let Some((index, tracked)) = &self.followed else {
            return Vec::new();
        };
        let frozen = Cell::Memory {
            object: *index,
            index: 0,
        };
        let Some(&frozen) = self.variables.get(&frozen) else {
            return Vec::new();
        };
        let is_cell = |cell: &Cell| matches!(*cell, Cell::Memory { object, index } if index > 0 && tracked.contains(&object));
        let cells = self.variables.iter().filter(|(cell, _)| is_cell(cell));
        let cells: HashSet<Term> = cells.map(|(_, &word)| word).collect();
        let sources: Vec<LocationId> = self.cfa.sources().collect();
        let mut found = Vec::new();
        for visit in encoded.visits(&self.cfa, trace).into_iter().rev() {
            let Some(source) = visit.location else {
                continue;
            };
            let Some(number) = sources.iter().position(|&own| own == source) else {
                continue;
            };
            let mut stores = Vec::new();
            for &edge in self.cfa.outgoing(source) {
                let edge = self.cfa.edge(edge);
                if evaluator(&self.cfa.terms, &visit.values).value(edge.guard) == 1 {
                    let own = edge.assignments.iter();
                    let own = own.filter(|assignment| cells.contains(&assignment.word));
                    stores.extend(own.map(|assignment| assignment.value));
                }
            }
            for value in stores {
                let reads = others(
                    &mut self.cfa.terms,
                    &self.logs[number].reads,
                    value,
                    &visit.values,
                );
                for stored in compared(&self.cfa.terms, frozen, value) {
                    for &read in reads.iter().filter(|&&read| read != stored) {
                        let pair = (stored, read);
                        for derived in Derived::of_indices(&self.cfa.terms, &self.variables, pair) {
                            if !found.contains(&derived) && found.len() < MAX_FOUND {
                                found.push(derived);
                            }
                        }
                    }
                }
            }
        }
        found
    }
}

/// The indices of the reads on which a value depends and that are executed, and not of the followed element, where words
/// have these values.
fn others(
    terms: &mut Terms,
    reads: &[OtherRead],
    value: Term,
    values: &std::collections::HashMap<Term, u128>,
) -> Vec<Term> {
    let reads = relevant(terms, reads, value);
    let mut evaluator = evaluator(terms, values);
    let mut found = Vec::new();
    for (read, executed) in reads {
        let is_other = (read.is_other.first()).is_some_and(|&other| evaluator.value(other) == 1);
        if is_other && evaluator.value(executed) == 1 {
            found.extend(read.index);
        }
    }
    found
}

/// The terms that a frozen index is compared with in a term.
fn compared(terms: &Terms, frozen: Term, value: Term) -> Vec<Term> {
    let is_frozen = |side: Term| match terms.node(side) {
        Node::ZExt(inner) => inner == frozen,
        _ => side == frozen,
    };
    let mut found = Vec::new();
    for node in terms.cone(&[value], |_| false) {
        let Node::Binary(Op::Eq, a, b) = terms.node(node) else {
            continue;
        };
        for (side, index) in [(a, b), (b, a)] {
            if is_frozen(side) && !found.contains(&index) {
                found.push(index);
            }
        }
    }
    found
}
