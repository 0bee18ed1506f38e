//! Conflict analysis: first-UIP learning.
//!
//! From the conflicting clause, literals of the current level are resolved with their reasons in reverse
//! trail order until one is left, the first unique implication point (Marques-Silva and Sakallah, GRASP;
//! Moskewicz et al., Chaff). The resolvent is learned: after a jump back to its second highest level, all its
//! literals but this one are false, so it implies this one.

use super::analysis::SEEN;
use super::answer::UnknownReason;
use super::reduce::just_learned;
use super::solver::Solver;
use crate::clause_ref::ClauseRef;
use crate::lit::Lit;
use crate::proof::{ClauseId, ProofSink};

impl<P: ProofSink> Solver<P> {
    /// Learns from a conflict at a level above 0, jumps back, and assigns the learned clause's UIP. If the
    /// arena has no space for the clause, nothing is assigned and the call has to end.
    pub(super) fn learn(&mut self, conflict: ClauseRef) {
        debug_assert!(self.trail.level() > 0);
        debug_assert!(self.analysis.clause.is_empty() && self.analysis.marked.is_empty());
        self.resolve_to_uip(conflict);
        self.analysis.n_involved = self.analysis.marked.len();
        self.minimize();
        self.bump_involved();
        let mut clause = std::mem::take(&mut self.analysis.clause);
        let id = self.derive(&clause);
        // The asserting literal's level does not count: the literal moves to another level once the clause
        // propagates.
        let glue = (self.count_levels(&clause) - 1).max(1);
        self.analysis.clear_marks();
        let tainted = std::mem::take(&mut self.analysis.tainted);
        self.offer_learned(&clause, glue, id, tainted);
        self.learned.tell(&clause, tainted);
        self.restarts.note_glue(glue, self.mode.stable);
        self.update_target_and_best(true);
        self.statistics.learned_clauses += 1;
        self.statistics.learned_literals += clause.len() as u64;
        if clause.len() == 1 {
            self.learn_unit(clause[0], id, tainted);
        } else {
            let second = (1..clause.len())
                .max_by_key(|&index| self.trail.level_of(clause[index].var()))
                .expect("the clause has at least two literals");
            clause.swap(1, second);
            self.backtrack(self.trail.level_of(clause[1].var()));
            if self.options.subsume_learned && !tainted {
                self.subsume_learned(&clause);
            }
            if let Some(reference) = self.add_learned(&clause, glue, id, tainted) {
                self.trail.assign(clause[0], reference);
            } else {
                self.stop.reason = Some(UnknownReason::Memory);
                self.chain.delete(&mut self.proof, id, &clause);
            }
        }
        clause.clear();
        self.analysis.clause = clause;
    }

    /// Adds a learned clause, watched by its first two literals; `None` if the arena has no space.
    fn add_learned(
        &mut self,
        clause: &[Lit],
        glue: u32,
        id: ClauseId,
        tainted: bool,
    ) -> Option<ClauseRef> {
        let reference = self.arena.alloc(clause, true, glue, id)?;
        self.arena.set_used(reference, just_learned(glue));
        self.watches
            .attach(reference, clause[0], clause[1], clause.len());
        if tainted {
            self.arena.mark_temporary(reference);
            self.temporaries.clauses.push(reference);
        } else {
            self.clauses.redundant.push(reference);
        }
        Some(reference)
    }

    /// Jumps back to level 0, or to the base level if the unit was derived with temporary clauses, and
    /// assigns it.
    fn learn_unit(&mut self, lit: Lit, id: ClauseId, tainted: bool) {
        if tainted {
            self.temporaries.units.push(lit);
        } else if self.base_level > 0 {
            self.temporaries.units.push(lit);
            self.temporaries.permanent_units.push(lit);
        } else if P::ENABLED {
            self.units.ids[lit.var().index()] = id;
        }
        self.backtrack(self.base_level);
        self.trail.assign(lit, ClauseRef::NONE);
    }

    /// Resolves backwards along the trail until one literal of the current level remains.
    pub(super) fn resolve_to_uip(&mut self, conflict: ClauseRef) {
        let level = self.trail.level();
        let mut open = 0;
        let mut position = self.trail.lits.len();
        let mut reason = conflict;
        self.analysis.clause.push(Lit::from_code(0));
        loop {
            if Self::CHAINS {
                self.chain.ids.push(self.arena.id(reason));
            }
            self.use_clause(reason);
            self.analysis.tainted |= self.arena.is_temporary(reason);
            for lit in self.arena.lits(reason) {
                let var = lit.var();
                if self.analysis.marks[var.index()] & SEEN != 0 || self.trail.value(lit) > 0 {
                    continue;
                }
                let assigned_at = self.trail.level_of(var);
                if assigned_at <= self.base_level {
                    if Self::CHAINS {
                        self.chain.add_unit(var);
                    }
                    self.analysis.tainted |= assigned_at > 0;
                    continue;
                }
                self.analysis.mark(var, SEEN);
                if assigned_at == level {
                    open += 1;
                } else {
                    self.analysis.clause.push(lit);
                }
            }
            let uip = loop {
                position -= 1;
                let lit = self.trail.lits[position];
                if self.analysis.marks[lit.var().index()] & SEEN != 0 {
                    break lit;
                }
            };
            open -= 1;
            if open == 0 {
                self.analysis.clause[0] = !uip;
                return;
            }
            reason = self.trail.reason(uip.var());
        }
    }

    /// Stamps these literals with a new stamp, which no other literal has.
    pub(super) fn stamp_literals(&mut self, lits: &[Lit]) -> u64 {
        self.analysis.stamp += 1;
        for lit in lits {
            self.analysis.lit_stamps[lit.index()] = self.analysis.stamp;
        }
        self.analysis.stamp
    }

    /// The number of decision levels among the literals: the clause's glue, or LBD (Audemard and Simon, IJCAI
    /// 2009).
    pub(super) fn count_levels(&mut self, lits: &[Lit]) -> u32 {
        self.analysis.stamp += 1;
        let stamp = self.analysis.stamp;
        let mut levels = 0;
        for lit in lits {
            let level = self.trail.level_of(lit.var()) as usize;
            if std::mem::replace(&mut self.analysis.level_stamps[level], stamp) != stamp {
                levels += 1;
            }
        }
        levels
    }

    /// The glue of a clause all of whose literals have a value.
    pub(super) fn count_levels_of(&mut self, clause: ClauseRef) -> u32 {
        let mut lits = std::mem::take(&mut self.scratch.clause_lits);
        lits.clear();
        lits.extend(self.arena.lits(clause));
        let levels = self.count_levels(&lits);
        self.scratch.clause_lits = lits;
        levels
    }
}
