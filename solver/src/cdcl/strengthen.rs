//! On-the-fly strengthening: clauses that conflict analysis finds to be too long.
//!
//! Each step of the analysis resolves what it has so far with the reason of a literal. If that adds nothing to what the reason says
//! but for the pivot, then the resolvent is the reason without a literal; if the resolvent so far was a clause of the store, and
//! the reason adds nothing to it, then it is that clause without a literal. Either way it takes that clause's place, and if it is
//! both, the place of one, while the other goes (Han and Somenzi, "On-the-fly clause improvement", SAT 2009; Hamadi, Jabbour, Saïs,
//! "Learning for dynamic subsumption", ICTAI 2009).
//!
//! The shorter clause is derived at once, so that the chain of the learned clause begins with it and the steps up to here are in the
//! proof only once. It is put into the store after the jump back. Before, the clause may be a reason or the conflict, and all
//! literals of the shorter one are false. After it, neither is any clause that has been strengthened, since each has a literal of the level of
//! the conflict, which was implied by it or false; and two literals of the shorter clause have no value, or else it is what
//! the learned clause was made from, and propagates the same literal. Where the learned clause is a part of
//! the shorter one, it takes the place instead, and is irredundant if the longer one was.

use super::Solver;
use super::arena::ClauseRef;
use crate::lit::Lit;
use crate::proof::{ClauseId, ProofSink};

/// A clause to be replaced by a part of itself.
#[derive(Clone, Debug)]
struct Strengthened {
    clause: ClauseRef,
    /// What it is to be.
    lits: Vec<Lit>,
    /// The number of that in the proof.
    id: ClauseId,
}

/// What the present conflict has brought; empty between conflicts.
#[derive(Clone, Debug, Default)]
pub(super) struct Strengthening {
    strengthened: Vec<Strengthened>,
    /// Clauses that strengthened ones subsume.
    subsumed: Vec<ClauseRef>,
    /// The clause that the resolvent is, without fixed literals. If that is so by strengthening, it is the last in the list.
    current: Option<ClauseRef>,
    /// How many literals the resolvent has.
    size: usize,
}

impl<P: ProofSink> Solver<P> {
    /// Begins with the falsified clause, which has so many literals that are not fixed.
    pub(super) fn begin_strengthening(&mut self, conflict: ClauseRef, size: usize) {
        let strengthening = &mut self.analysis.strengthening;
        debug_assert!(strengthening.strengthened.is_empty() && strengthening.subsumed.is_empty());
        strengthening.current = Some(conflict);
        strengthening.size = size;
    }

    /// Looks at the resolvent after each step of the analysis. It has `size` literals; the reason that was the last to be resolved with has
    /// `reason_size` that are not fixed, and `pivot` is the one of them that is true.
    #[inline]
    pub(super) fn strengthen_by_resolvent(
        &mut self,
        reason: ClauseRef,
        pivot: Lit,
        size: usize,
        reason_size: usize,
    ) {
        let strengthening = &mut self.analysis.strengthening;
        let before = std::mem::replace(&mut strengthening.size, size);
        let current = strengthening.current.take();
        let shortened = current.filter(|_| size + 1 == before);
        // A single literal is what is learned.
        if size < 2 || self.analysis.tainted {
            return;
        }
        if size + 1 == reason_size {
            let (kept, subsumed) = match shortened {
                Some(other)
                    if self.arena.is_redundant(reason) && !self.arena.is_redundant(other) =>
                {
                    (other, Some(reason))
                }
                other => (reason, other),
            };
            self.strengthen_later(kept, pivot, size, shortened);
            if let Some(clause) = subsumed {
                self.statistics.on_the_fly_subsumed += 1;
                self.analysis.strengthening.subsumed.push(clause);
            }
        } else if let Some(clause) = shortened {
            self.strengthen_later(clause, pivot, size, shortened);
        }
    }

    /// Derives the resolvent, which is `clause` without the literals that have been resolved away. `outdated` is the
    /// clause that the resolvent was before, if the list is not to hold that any more.
    fn strengthen_later(
        &mut self,
        clause: ClauseRef,
        pivot: Lit,
        size: usize,
        outdated: Option<ClauseRef>,
    ) {
        self.statistics.on_the_fly_strengthened += 1;
        // All that was resolved away so far stands where the pivot does or later.
        let place = self.trail.position(pivot.var());
        let lits: Vec<Lit> = (self.arena.lits(clause))
            .filter(|lit| {
                self.trail.level_of(lit.var()) > 0 && self.trail.position(lit.var()) < place
            })
            .collect();
        debug_assert_eq!(lits.len(), size);
        debug_assert!(lits.iter().all(|&lit| self.trail.value(lit) < 0));
        let id = self.derive(&lits);
        if Self::CHAINS {
            self.chain.ids.push(id);
        }
        let strengthening = &mut self.analysis.strengthening;
        let list = &mut strengthening.strengthened;
        if let Some(last) = list.pop_if(|last| Some(last.clause) == outdated)
            && P::ENABLED
        {
            self.proof.deleted(last.id, &last.lits);
        }
        list.push(Strengthened { clause, lits, id });
        strengthening.current = Some(clause);
    }

    /// The number of the learned clause in the proof if it is one that has been strengthened to just that.
    pub(super) fn strengthened_to(&mut self, learned: &[Lit]) -> Option<ClauseId> {
        let strengthening = &self.analysis.strengthening;
        let last = strengthening.strengthened.last()?;
        // The learned clause is the last resolvent unless it has become shorter since.
        (strengthening.current == Some(last.clause) && last.lits.len() == learned.len())
            .then_some(last.id)
    }

    /// Replaces the clauses that the conflict has strengthened, after the jump back and before the first literal of the learned clause is assigned.
    /// Returns the clause whose place the learned one has taken, if there is one. `tainted` says whether that is temporary.
    pub(super) fn apply_strengthening(
        &mut self,
        learned: &[Lit],
        id: ClauseId,
        tainted: bool,
    ) -> Option<ClauseRef> {
        let strengthening = &mut self.analysis.strengthening;
        strengthening.current = None;
        if strengthening.strengthened.is_empty() {
            return None;
        }
        let mut subsumed = std::mem::take(&mut strengthening.subsumed);
        let mut strengthened = std::mem::take(&mut strengthening.strengthened);
        for clause in subsumed.drain(..) {
            self.detach(clause);
            self.remove_clause(clause);
        }
        self.stamp_literals(learned);
        let mut heir: Option<ClauseRef> = None;
        for entry in &strengthened {
            self.detach(entry.clause);
            let is_subsumed =
                !tainted && learned.len() > 1 && self.contains_stamped(entry, learned.len());
            if !is_subsumed {
                self.watch_two_highest(entry);
                continue;
            }
            if P::ENABLED && entry.id != id {
                self.proof.deleted(entry.id, &entry.lits);
            }
            match heir {
                Some(other)
                    if !self.arena.is_redundant(other) || self.arena.is_redundant(entry.clause) =>
                {
                    self.remove_clause(entry.clause);
                }
                other => {
                    if let Some(other) = other {
                        self.remove_clause(other);
                    }
                    heir = Some(entry.clause);
                }
            }
        }
        if let Some(clause) = heir {
            self.replace_by(clause, learned, id);
            self.watches
                .attach(clause, learned[0], learned[1], learned.len());
        }
        strengthened.clear();
        self.analysis.strengthening.strengthened = strengthened;
        self.analysis.strengthening.subsumed = subsumed;
        heir
    }

    fn contains_stamped(&self, entry: &Strengthened, n_stamped: usize) -> bool {
        let is_stamped = |lit: &&Lit| self.analysis.lit_stamps[lit.index()] == self.analysis.stamp;
        entry.lits.len() >= n_stamped && entry.lits.iter().filter(is_stamped).count() == n_stamped
    }

    /// Puts the shorter clause into the place of the longer, watched by literals without a value as far as there are any, and else by that
    /// of the highest level.
    fn watch_two_highest(&mut self, entry: &Strengthened) {
        let mut lits = entry.lits.clone();
        for place in 0..2 {
            let best = (place..lits.len())
                .max_by_key(|&index| match self.trail.value(lits[index]) {
                    0 => u32::MAX,
                    _ => self.trail.level_of(lits[index].var()),
                })
                .expect("there are at least two literals");
            lits.swap(place, best);
        }
        debug_assert_eq!(self.trail.value(lits[0]), 0);
        self.replace_by(entry.clause, &lits, entry.id);
        self.watches
            .attach(entry.clause, lits[0], lits[1], lits.len());
    }
}
