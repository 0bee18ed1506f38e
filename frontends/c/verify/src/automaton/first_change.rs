//! The prophecy index of the first read that changes what an error depends on.
//!
//! An error may depend on a word that a loop computed from elements: `if (a[i] != b[i]) same = 0;`, and `check(same)` in
//! the end. No read in the last step is of the element that matters then. So one bit of the state tells whether a step
//! has changed such a word by what it read ([`IndexChoice::Change`]): a step *changes* words if one of them has another
//! value after it, which is computed from reads of tracked arrays in this step. The first step that does so is left
//! out, unless the read that it is assigned to is of element `k`, or of no known element (see [`gate`]). Errors in
//! steps after that one count always, and those before it as with [`IndexChoice::Read`].
//!
//! **Soundness.** Take a run of the program with an error. Which step is the first that changes the words, and of which
//! element the read is that this is assigned to, depends on values of the run and not on `k`, by the simulation in
//! [`craig_c_exec::symbolic`]'s `elements`. If there is such a step, choose the index of its read for `k`, if that is known;
//! else choose the index of the read that the error is assigned to. Then no step of the run is left out, as later
//! changes are not gated, and the error counts. Words that a step does not carry, and steps from the start, take no
//! part; that, too, depends on the place of the run only.
//!
//! [`IndexChoice::Change`]: craig_c_exec::symbolic::IndexChoice::Change

use std::collections::BTreeSet;

use craig_program::Assignment;
use craig_word::{Node, Term, Terms};

use super::cell::Cell;
use super::fixpoint::Analysis;
use craig_c_exec::symbolic::{Log, OtherRead, gate, relevant};

/// The words whose first change by a read chooses the prophecy index.
pub(super) struct FirstChange {
    words: BTreeSet<Term>,
    /// The bit of the state: whether there was a change.
    pub(super) happened: Term,
}

/// The words that errors read whose condition depends on no read of a tracked array, without what belongs to arrays,
/// and whether some step computes such a word from reads.
pub(super) fn words_of_errors(
    analysis: &mut Analysis<'_>,
    terms: &mut Terms,
    logs: &[Log],
) -> BTreeSet<Term> {
    let Some(elements) = &analysis.executor.elements else {
        return BTreeSet::new();
    };
    let is_of_array = |cell: &Cell| match *cell {
        Cell::Memory { object, .. } => {
            object == elements.index || elements.tracked.contains_key(&object)
        }
        _ => false,
    };
    let own = analysis
        .variables
        .iter()
        .filter(|(cell, _)| !is_of_array(cell));
    let own: BTreeSet<Term> = own.map(|(_, &word)| word).collect();
    let mut found = BTreeSet::new();
    for log in logs {
        for mark in &log.errors {
            if relevant(terms, &log.reads, mark.guard).is_empty() {
                let cone = terms.cone(&[mark.guard], |_| false);
                found.extend(cone.into_iter().filter(|word| own.contains(word)));
            }
        }
    }
    let mut read = BTreeSet::new();
    for log in logs {
        for (_, position, state) in &log.exits {
            for (cell, value) in analysis.cells(position, state) {
                if let (Some(&word), Some(value)) = (analysis.variables.get(&cell), value)
                    && found.contains(&word)
                    && !read.contains(&word)
                    && !relevant(terms, &log.reads, value).is_empty()
                {
                    read.insert(word);
                }
            }
        }
    }
    read
}

impl FirstChange {
    pub(super) fn new(terms: &mut Terms, words: BTreeSet<Term>) -> Self {
        let happened = terms.variable(1);
        Self { words, happened }
    }

    /// The condition of an edge between cuts, whose source carries these words, and the new value of the bit.
    pub(super) fn gated(
        &self,
        terms: &mut Terms,
        reads: &[OtherRead],
        guard: Term,
        assignments: &[Assignment],
        carried: &[Term],
    ) -> (Term, Term) {
        let mut changes = terms.boolean(false);
        for &Assignment { word, value } in assignments {
            if self.words.contains(&word)
                && carried.contains(&word)
                && !relevant(terms, reads, value).is_empty()
            {
                let same = terms.eq(word, value);
                let differs = terms.not(same);
                changes = terms.or(changes, differs);
            }
        }
        debug_assert!(matches!(terms.node(self.happened), Node::Var(_)));
        let counts = gate(terms, reads, changes);
        let stays = terms.not(changes);
        let allowed = terms.or(stays, counts);
        let allowed = terms.or(self.happened, allowed);
        let guard = terms.and(guard, allowed);
        (guard, terms.or(self.happened, changes))
    }

    /// The condition of an error in a step from a cut.
    pub(super) fn error(&self, terms: &mut Terms, reads: &[OtherRead], guard: Term) -> Term {
        let gated = gate(terms, reads, guard);
        let later = terms.and(self.happened, guard);
        terms.or(later, gated)
    }
}
