//! Subsumption and self-subsuming resolution among irredundant clauses, while variables are eliminated.
//!
//! Elimination changes clauses one at a time, and each changed clause is tried at once. So pairs are searched
//! *backwards*: the changed clause is compared with the clauses that contain its rarest variable (Eén and
//! Biere, SatELite, SAT 2005). A round over all clauses searches forwards; see `subsume_forward`.

use super::occurrences::Occurrences;
use super::subsumption::{MAX_SIZE, Relation, relation};
use crate::cdcl::solver::Solver;
use crate::lit::Lit;
use crate::proof::ProofSink;

/// Longer occurrence lists are skipped.
const MAX_OCCURRENCES: usize = 1000;

impl<P: ProofSink> Occurrences<'_, P> {
    /// Tries all queued clauses; `false` if the formula turns out to be unsatisfiable.
    pub(super) fn subsume(&mut self) -> bool {
        while !self.is_spent() {
            let Some(entry) = self.next_queued() else {
                break;
            };
            if self.is_live(entry) {
                let clause = self.entries[entry as usize].clause;
                self.solver.arena.set_subsumption_tried(clause);
                self.subsume_with(entry);
                if !self.propagate() {
                    return false;
                }
            }
        }
        true
    }

    fn subsume_with(&mut self, entry: u32) {
        let clause = self.entries[entry as usize].clause;
        if self.solver.arena.size(clause) > MAX_SIZE {
            return;
        }
        let lits: Vec<Lit> = self.solver.arena.lits(clause).collect();
        let rarest = (lits.iter().copied())
            .min_by_key(|lit| self.lists.len(*lit) + self.lists.len(!*lit))
            .expect("clauses have literals");
        for lit in &lits {
            self.marks[lit.index()] = true;
        }
        for key in [rarest, !rarest] {
            if self.lists.len(key) > MAX_OCCURRENCES {
                continue;
            }
            // `strengthen` may remove entries from the list, so it is traversed by position from its end.
            let mut position = self.lists.len(key);
            while position > 0 {
                position -= 1;
                let Some(&other) = self.lists.of(key).get(position) else {
                    continue;
                };
                if other == entry || !self.is_live(other) || !self.is_live(entry) {
                    continue;
                }
                match self.relation(entry, other, lits.len()) {
                    Relation::Unrelated => {}
                    Relation::Subsumes => {
                        self.solver.statistics.subsumed_clauses += 1;
                        self.remove(other);
                    }
                    Relation::Strengthens(lit) => {
                        if Solver::<P>::CHAINS {
                            let ids = [other, entry]
                                .map(|entry| self.entries[entry as usize].clause)
                                .map(|clause| self.solver.arena.id(clause));
                            self.solver.chain.ids.extend(ids);
                        }
                        self.strengthen(other, lit);
                    }
                }
            }
        }
        for lit in &lits {
            self.marks[lit.index()] = false;
        }
    }

    /// The relation of the marked clause to another.
    fn relation(&mut self, entry: u32, other: u32, size: usize) -> Relation {
        let (small, large) = (self.entries[entry as usize], self.entries[other as usize]);
        self.steps += 1;
        if !small.signature.may_be_within(large.signature)
            || self.solver.arena.size(large.clause) < size
        {
            return Relation::Unrelated;
        }
        self.steps += 1;
        relation(&self.marks, self.solver.arena.lits(large.clause), size)
    }
}
