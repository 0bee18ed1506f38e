//! Reads of elements that are not tracked, whose values are stored to tracked ones.

use std::collections::{HashMap, HashSet};

use craig_model::Trace;
use craig_program::{CfaModel, LocationId};
use craig_word::{Node, Op, Term, Terms};

use super::Automaton;
use super::cell::Cell;
use super::derived_index::Derived;
use craig_c_exec::symbolic::free_values::evaluator;
use craig_c_exec::symbolic::{OtherRead, relevant};

/// The most functions that are found.
const MAX_FOUND: usize = 3;

/// The values of words before a step.
type Values = HashMap<Term, u128>;

impl Automaton<'_> {
    /// Where a step stores to the tracked element what it reads of another one: how the index of the read depends on that
    /// of the store. Steps are those of a path that does not replay, the last ones first; without a path, all of them.
    pub(crate) fn derived_indices(&mut self, path: Option<(&CfaModel, &Trace)>) -> Vec<Derived> {
        let sources: Vec<LocationId> = self.cfa.sources().collect();
        let mut found = Vec::new();
        let Some((encoded, trace)) = path else {
            for (number, source) in sources.into_iter().enumerate().rev() {
                self.add_derived((number, source), None, &mut found);
            }
            return found;
        };
        for visit in encoded.visits(&self.cfa, trace).into_iter().rev() {
            let number = sources.iter().position(|&own| Some(own) == visit.location);
            if let Some(number) = number {
                self.add_derived((number, sources[number]), Some(&visit.values), &mut found);
            }
        }
        found
    }

    /// As `derived_indices`, for the steps from one location: those that are taken with these values of words, or all.
    fn add_derived(
        &mut self,
        (number, source): (usize, LocationId),
        values: Option<&Values>,
        found: &mut Vec<Derived>,
    ) {
        let Some((prophecy, cells)) = self.tracked_words() else {
            return;
        };
        let mut stores = Vec::new();
        for &edge in self.cfa.outgoing(source) {
            let edge = self.cfa.edge(edge);
            if values.is_none_or(|own| evaluator(&self.cfa.terms, own).value(edge.guard) == 1) {
                let own = edge.assignments.iter();
                let own = own.filter(|assignment| cells.contains(&assignment.word));
                stores.extend(own.map(|assignment| assignment.value));
            }
        }
        for value in stores {
            let reads = others(&mut self.cfa.terms, &self.logs[number].reads, value, values);
            for stored in compared(&self.cfa.terms, prophecy, value) {
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

    /// The first prophecy index, and the words of tracked elements.
    fn tracked_words(&self) -> Option<(Term, HashSet<Term>)> {
        let arrays = self.arrays.as_ref()?;
        let (object, index) = (arrays.index, 0);
        let prophecy = *self.variables.get(&Cell::Memory { object, index })?;
        // The size of an array comes before its elements.
        let is_tracked = |cell: &Cell| matches!(*cell, Cell::Memory { object, index } if index > 0 && arrays.tracked.contains_key(&object));
        let cells = self.variables.iter().filter(|(cell, _)| is_tracked(cell));
        Some((prophecy, cells.map(|(_, &word)| word).collect()))
    }
}

/// The indices of the reads on which a value depends, other than those of the tracked element: with values of words, of
/// those reads that are executed.
fn others(
    terms: &mut Terms,
    reads: &[OtherRead],
    value: Term,
    values: Option<&Values>,
) -> Vec<Term> {
    let reads = relevant(terms, reads, value);
    let Some(values) = values else {
        return reads
            .into_iter()
            .filter_map(|(read, _)| read.index)
            .collect();
    };
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

/// The terms that a prophecy index is compared with in a term.
fn compared(terms: &Terms, prophecy: Term, value: Term) -> Vec<Term> {
    let is_frozen = |side: Term| match terms.node(side) {
        Node::ZExt(inner) => inner == prophecy,
        _ => side == prophecy,
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
