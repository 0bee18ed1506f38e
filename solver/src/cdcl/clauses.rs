//! Derived clauses: stored, shortened and removed, with reports to the proof.

use super::answer::UnknownReason;
use super::solver::Solver;
use crate::clause_ref::ClauseRef;
use crate::lit::Lit;
use crate::proof::ProofSink;

impl<P: ProofSink> Solver<P> {
    /// The list of irredundant or redundant clauses.
    pub(super) fn clauses_mut(&mut self, redundant: bool) -> &mut Vec<ClauseRef> {
        if redundant {
            &mut self.clauses.redundant
        } else {
            &mut self.clauses.irredundant
        }
    }

    /// Derives a clause from the collected chain, and adds it, watched by its first two literals. `None` if
    /// there is no space for it: then the chain is dropped, and the call has to end.
    pub(super) fn add_resolvent(&mut self, lits: &[Lit], redundant: bool) -> Option<ClauseRef> {
        if !self.arena.has_room(1, lits.len()) {
            self.drop_chain();
            self.stop.reason = Some(UnknownReason::Memory);
            return None;
        }
        let id = self.derive(lits);
        let glue = lits.len() as u32 - 1;
        let clause = self.arena.alloc(lits, redundant, glue, id)?;
        self.watches.attach(clause, lits[0], lits[1], lits.len());
        self.clauses_mut(redundant).push(clause);
        Some(clause)
    }

    /// Derives the clause `rest`, a subset of the clause's literals, from the collected chain, and stores it
    /// in the clause's place. The caller updates the watches.
    pub(super) fn replace_clause(&mut self, clause: ClauseRef, rest: &[Lit]) {
        self.rewrite_clause(clause, rest);
        self.statistics.strengthened_clauses += 1;
    }

    /// Derives a clause of other literals, at most as many, from the collected chain, and stores it in the
    /// clause's place. The caller updates the watches.
    pub(super) fn rewrite_clause(&mut self, clause: ClauseRef, lits: &[Lit]) {
        let id = self.derive(lits);
        self.report_deleted(clause);
        self.touch(clause);
        self.arena.shrink(clause, lits, id);
    }

    /// Removes a clause. It stays in the watch lists until [`Solver::collect_garbage`], which has to follow
    /// before anything is propagated.
    pub(super) fn remove_clause(&mut self, clause: ClauseRef) {
        self.report_deleted(clause);
        self.touch(clause);
        self.arena.mark_garbage(clause);
        self.statistics.deleted_clauses += 1;
    }

    /// Records that an irredundant clause has changed or was removed, so that eliminating its variables may
    /// succeed now.
    pub(super) fn touch(&mut self, clause: ClauseRef) {
        if !self.arena.is_redundant(clause) {
            for lit in self.arena.lits(clause) {
                self.inprocessing.touched[lit.var().index()] = true;
            }
        }
    }
}
