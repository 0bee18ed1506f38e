//! Garbage collection of the clause store.

use super::arena::ClauseRef;
use super::solver::Solver;
use crate::proof::ProofSink;

impl<P: ProofSink> Solver<P> {
    /// Compacts the arena and lets watches, reasons and clause lists follow.
    pub(super) fn collect_garbage(&mut self) {
        if self.arena.n_garbage_words() == 0 {
            return;
        }
        debug_assert!(self.clauses.pending.is_empty());
        let temporary = &mut self.temporaries.clauses;
        let lists = (self
            .clauses
            .irredundant
            .iter()
            .chain(&self.clauses.redundant))
        .chain(&*temporary);
        let old = self.arena.collect(lists.copied());
        for list in [
            &mut self.clauses.irredundant,
            &mut self.clauses.redundant,
            temporary,
        ] {
            list.retain_mut(|clause| match old.moved(*clause) {
                Some(new) => {
                    *clause = new;
                    true
                }
                None => false,
            });
        }
        for lit in &self.trail.lits {
            let reason = &mut self.trail.assigned[lit.var().index()].reason;
            if *reason != ClauseRef::NONE {
                *reason = old.moved(*reason).expect("reasons are kept");
            }
        }
        self.watches.retain_moved(&old);
    }
}
