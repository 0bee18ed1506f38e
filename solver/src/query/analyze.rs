//! Conflict analysis: first-UIP clauses above the assumptions, failed assumptions below.

use super::QuerySolver;
use super::clauses::Kind;
use super::scratch::Scratch;
use crate::clause_ref::ClauseRef;
use crate::lit::Lit;

const CLAUSE_DECAY: f32 = 1.0 / 0.999;
const CLAUSE_RESCALE: f32 = 1e20;

impl QuerySolver {
    /// Learns from a conflict above level 1, and backtracks to the level at which the new clause propagates.
    ///
    /// A clause derived from temporary ones contains the negated activation literal, since that literal is an
    /// assumption: it is assigned at level 1 without a reason, so it is neither resolved away nor minimised.
    ///
    /// `false` if there is no space for the clause: then nothing is assigned, and the query has to end.
    pub(super) fn learn(&mut self, conflict: ClauseRef) -> bool {
        let mut scratch = std::mem::take(&mut self.scratch);
        let level = self.find_first_uip(conflict, &mut scratch);
        let learned = &scratch.learned;
        let asserting = learned[0];
        self.backtrack(level);
        let mut has_room = true;
        if learned.len() == 1 {
            debug_assert_ne!(asserting, !self.activation);
            self.assign(asserting, ClauseRef::NONE);
        } else {
            let kind = if learned.contains(&!self.activation) {
                Kind::Temporary
            } else {
                Kind::Learned
            };
            if let Some(clause) = self.attach_clause(learned, kind) {
                self.clauses.set_activity(clause, self.clause_increment);
                self.assign(asserting, clause);
            } else {
                has_room = false;
            }
        }
        self.scratch = scratch;
        self.order.decay();
        self.clause_increment *= CLAUSE_DECAY;
        has_room
    }

    /// Stores the learned clause in `scratch.learned`: the asserting literal first, one of the second highest
    /// level next, and returns that level (0 for a unit).
    fn find_first_uip(&mut self, conflict: ClauseRef, scratch: &mut Scratch) -> u32 {
        let Scratch {
            learned,
            marked,
            stack,
        } = scratch;
        learned.clear();
        learned.push(self.activation);
        let mut open = 0;
        let mut index = self.trail.len();
        let mut clause = conflict;
        let mut resolved = None;
        let uip = loop {
            self.bump_clause(clause);
            for position in 0..self.clauses.len(clause) {
                let lit = Lit::from_stored(self.clauses.lits(clause)[position]);
                let var = lit.var().index();
                if Some(lit) == resolved || self.seen[var] || self.levels[var] == 0 {
                    continue;
                }
                self.seen[var] = true;
                marked.push(lit);
                self.order.bump(var as u32);
                if self.levels[var] == self.level() {
                    open += 1;
                } else {
                    learned.push(lit);
                }
            }
            loop {
                index -= 1;
                if self.seen[self.trail[index].var().index()] {
                    break;
                }
            }
            let lit = self.trail[index];
            open -= 1;
            if open == 0 {
                break lit;
            }
            clause = self.reasons[lit.var().index()];
            resolved = Some(lit);
        };
        learned[0] = !uip;
        let mut kept = 1;
        for position in 1..learned.len() {
            let lit = learned[position];
            if !self.is_implied(lit, marked, stack) {
                learned[kept] = lit;
                kept += 1;
            }
        }
        learned.truncate(kept);
        for lit in marked.drain(..) {
            self.seen[lit.var().index()] = false;
        }
        let highest = (1..learned.len()).max_by_key(|&at| self.levels[learned[at].var().index()]);
        highest.map_or(0, |at| {
            learned.swap(1, at);
            self.levels[learned[1].var().index()]
        })
    }

    /// Whether a false literal of the learned clause is implied by the negations of the other ones: every
    /// path back through the reasons ends in marked literals or facts. Literals found to be implied are
    /// marked as well.
    fn is_implied(
        &mut self,
        lit: Lit,
        marked: &mut Vec<Lit>,
        stack: &mut Vec<(u32, usize)>,
    ) -> bool {
        let reason = self.reasons[lit.var().index()];
        if reason == ClauseRef::NONE {
            return false;
        }
        let before = marked.len();
        stack.clear();
        stack.push((lit.var().index() as u32, 0));
        while let Some((var, position)) = stack.last_mut() {
            let reason = self.reasons[*var as usize];
            let lits = self.clauses.lits(reason);
            let Some(&code) = lits.get(*position) else {
                stack.pop();
                continue;
            };
            *position += 1;
            let next = Lit::from_stored(code).var().index();
            if next == *var as usize || self.seen[next] || self.levels[next] == 0 {
                continue;
            }
            if self.reasons[next] == ClauseRef::NONE {
                for lit in marked.drain(before..) {
                    self.seen[lit.var().index()] = false;
                }
                return false;
            }
            self.seen[next] = true;
            marked.push(Lit::from_stored(code));
            stack.push((next as u32, 0));
        }
        true
    }

    /// Records the assumptions that lead to a conflict at level 1.
    pub(super) fn explain_conflict(&mut self, conflict: ClauseRef) {
        for position in 0..self.clauses.len(conflict) {
            let lit = Lit::from_stored(self.clauses.lits(conflict)[position]);
            self.seen[lit.var().index()] = true;
        }
        self.explain_seen();
        for position in 0..self.clauses.len(conflict) {
            let lit = Lit::from_stored(self.clauses.lits(conflict)[position]);
            self.seen[lit.var().index()] = false;
        }
    }

    /// Records the assumptions that make the assumption `lit` false.
    pub(super) fn explain_false_assumption(&mut self, lit: Lit) {
        self.seen[lit.var().index()] = true;
        self.explain_seen();
        self.seen[lit.var().index()] = false;
        if lit != self.activation {
            self.fail(lit);
        }
    }

    /// Traverses the trail of level 1 backwards from the seen variables, and collects the assumptions.
    fn explain_seen(&mut self) {
        debug_assert_eq!(self.level(), 1);
        for index in (self.levels_start[0]..self.trail.len()).rev() {
            let lit = self.trail[index];
            let var = lit.var().index();
            if !self.seen[var] {
                continue;
            }
            self.seen[var] = false;
            let reason = self.reasons[var];
            if reason == ClauseRef::NONE {
                if lit != self.activation {
                    self.fail(lit);
                }
                continue;
            }
            for position in 0..self.clauses.len(reason) {
                let other = self.clauses.lits(reason)[position] as usize >> 1;
                if other != var && self.levels[other] > 0 {
                    self.seen[other] = true;
                }
            }
        }
    }

    fn fail(&mut self, lit: Lit) {
        if !self.failed[lit.index()] {
            self.failed[lit.index()] = true;
            self.failed_list.push(lit);
        }
    }

    fn bump_clause(&mut self, clause: ClauseRef) {
        if self.clauses.kind(clause) != Kind::Learned {
            return;
        }
        let activity = self.clauses.activity(clause) + self.clause_increment;
        self.clauses.set_activity(clause, activity);
        if activity > CLAUSE_RESCALE {
            for index in 0..self.learned.len() {
                let other = self.learned[index];
                let scaled = self.clauses.activity(other) / CLAUSE_RESCALE;
                self.clauses.set_activity(other, scaled);
            }
            self.clause_increment /= CLAUSE_RESCALE;
        }
    }
}
