//! Garbage collection of the clause store.

use super::solver::Solver;
use crate::clause_ref::ClauseRef;
use crate::proof::ProofSink;

/// How many moved clauses count as a unit of work: the collector reads and writes memory sequentially.
const CLAUSES_PER_WORK: u64 = 8;

impl<P: ProofSink> Solver<P> {
    /// Compacts the arena and updates watches, reasons and clause lists.
    ///
    /// When the call has to end, either no clause has moved, or the clauses have moved and the watches were
    /// not updated. The watches are stale in both cases.
    pub(super) fn collect_garbage(&mut self) {
        if self.arena.n_garbage_words() == 0 {
            return;
        }
        let n_clauses = self.clauses.irredundant.len() + self.clauses.redundant.len();
        if self.stop.is_due(n_clauses as u64 / CLAUSES_PER_WORK) {
            return self.watches.make_stale();
        }
        let temporary = &mut self.temporaries.clauses;
        let lists = (self.clauses.irredundant.iter())
            .chain(&self.clauses.redundant)
            .chain(&self.clauses.pending)
            .chain(&*temporary);
        // The watches are taken out while clauses move: after a panic no watch names a moved clause, which
        // propagation would access without a bounds check.
        let mut watches = std::mem::take(&mut self.watches);
        let old = self.arena.collect(lists.copied());
        for list in [
            &mut self.clauses.irredundant,
            &mut self.clauses.redundant,
            &mut self.clauses.pending,
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
        watches.retain_moved(&old, |work| self.stop.is_due(work));
        self.watches = watches;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lit::Var;

    /// Removes the reason of a true literal, against the contract, so that the collection panics half way.
    #[test]
    fn a_panic_while_clauses_move_leaves_no_watch_behind() {
        let mut solver = Solver::new();
        let lit = |index: usize| Var::new(index).positive();
        solver.add_clause(&[lit(0), lit(1), lit(2)]);
        solver.add_clause(&[lit(1), lit(2), lit(3)]);
        let clause = solver.clauses.irredundant[0];
        solver.trail.new_level();
        solver.trail.assign(lit(0), clause);
        solver.arena.mark_garbage(clause);
        let collect = || solver.collect_garbage();
        assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(collect)).is_err());
        assert_eq!(solver.watches.bytes(), 0);
    }
}
