//! Ternary resolution: what two clauses of three literals have for a short resolvent.
//!
//! Two ternary clauses that clash in one literal alone, and have one or two others in common, have a resolvent of three or two literals
//! (Billionnet and Sutter, "An efficient algorithm for the 3-satisfiability problem", Operations Research Letters 1992). A binary one subsumes
//! both of its parents and takes their place. A ternary one only adds to what propagation finds, and there may be many, so it
//! goes at the next reductions unless a conflict needs it, and takes no part in further resolutions.

use crate::cdcl::Solver;
use crate::cdcl::arena::ClauseRef;
use crate::cdcl::reduce::just_used;
use crate::lit::Lit;
use crate::proof::ProofSink;

/// The clauses that may be visited, in percent of the ticks that the search has spent since the last time.
const SHARE: u64 = 2;
/// The least clauses that may be visited.
const MIN_STEPS: u64 = 1000;
/// Literals that occur in more ternary clauses are not resolved on.
const MAX_OCCURRENCES: usize = 100;

/// What one round works on.
struct Round {
    /// The ternary clauses by literal, those that the round has added included.
    lists: Vec<Vec<ClauseRef>>,
    /// Clauses visited.
    steps: u64,
}

/// The literals of a resolvent, two or three of them.
#[derive(Clone, Copy)]
struct Resolvent {
    lits: [Lit; 3],
    size: usize,
}

impl Resolvent {
    fn lits(&self) -> &[Lit] {
        &self.lits[..self.size]
    }
}

impl<P: ProofSink> Solver<P> {
    /// Resolves the ternary clauses that have not been tried with all the others, given the ticks that the search has spent since the last
    /// time. Adds at most as many ternary clauses as there are.
    pub(super) fn resolve_ternaries(&mut self, ticks: u64) {
        debug_assert_eq!(self.trail.level(), 0);
        if !self.options.ternary {
            return;
        }
        let all: Vec<ClauseRef> = (self.irredundant.iter().chain(&self.redundant).copied())
            .filter(|&clause| self.arena.size(clause) == 3 && !self.arena.is_garbage(clause))
            .collect();
        let untried: Vec<ClauseRef> = (all.iter().copied())
            .filter(|&clause| {
                !self.arena.is_ternary_tried(clause) && !self.arena.is_on_trial(clause)
            })
            .collect();
        if untried.is_empty() {
            return;
        }
        let mut round = Round {
            lists: vec![Vec::new(); 2 * self.n_vars()],
            steps: 0,
        };
        for &clause in &all {
            for lit in self.arena.lits(clause) {
                debug_assert_eq!(self.trail.value(lit), 0);
                round.lists[lit.index()].push(clause);
            }
        }
        let limit = (ticks * SHARE / 100).max(MIN_STEPS);
        let most = self.statistics.ternary_resolvents + all.len() as u64;
        for clause in untried {
            if round.steps >= limit || self.statistics.ternary_resolvents >= most {
                break;
            }
            if !self.arena.is_garbage(clause) {
                self.arena.set_ternary_tried(clause);
                self.resolve_ternary(clause, &mut round);
            }
        }
        self.collect_garbage();
    }

    /// Resolves a ternary clause with all others that it clashes with, until it is subsumed.
    fn resolve_ternary(&mut self, clause: ClauseRef, round: &mut Round) {
        for place in 0..3 {
            let pivot = self.arena.lit(clause, place);
            // What is added to the list on the way is on trial.
            let n_others = round.lists[(!pivot).index()].len();
            if n_others > MAX_OCCURRENCES {
                continue;
            }
            for index in 0..n_others {
                let other = round.lists[(!pivot).index()][index];
                round.steps += 1;
                if self.arena.is_garbage(other) || self.arena.is_on_trial(other) {
                    continue;
                }
                let Some(resolvent) = self.ternary_resolvent(clause, other, pivot) else {
                    continue;
                };
                if self.is_known(resolvent.lits(), round) {
                    continue;
                }
                if Self::CHAINS {
                    let ids = [clause, other].map(|clause| self.arena.id(clause));
                    self.chain.ids.extend(ids);
                }
                if resolvent.size == 2 {
                    self.replace_ternaries([clause, other], resolvent.lits());
                    return;
                }
                self.add_ternary(resolvent.lits(), round);
            }
        }
    }

    /// The resolvent on `pivot`, which `clause` contains and `other` contains the negation of, if it has no more than three literals and
    /// does not clash with itself.
    fn ternary_resolvent(
        &self,
        clause: ClauseRef,
        other: ClauseRef,
        pivot: Lit,
    ) -> Option<Resolvent> {
        let mut resolvent = Resolvent {
            lits: [pivot; 3],
            size: 0,
        };
        for lit in self.arena.lits(clause).filter(|&lit| lit != pivot) {
            resolvent.lits[resolvent.size] = lit;
            resolvent.size += 1;
        }
        for lit in self.arena.lits(other).filter(|&lit| lit != !pivot) {
            if resolvent.lits().contains(&!lit) {
                return None;
            }
            if !resolvent.lits().contains(&lit) {
                *resolvent.lits.get_mut(resolvent.size)? = lit;
                resolvent.size += 1;
            }
        }
        Some(resolvent)
    }

    /// Whether there is such a clause already, or a binary one that subsumes it.
    fn is_known(&self, lits: &[Lit], round: &mut Round) -> bool {
        for (place, &lit) in lits.iter().enumerate().skip(1) {
            // Eight watches to a cache line.
            round.steps += 1 + self.watches.of(lit).len() as u64 / 8;
            let is_inside = |watch: &crate::cdcl::watch::Watch| {
                watch.is_binary()
                    && lits[..place].contains(&watch.blocker)
                    && !self.arena.is_garbage(watch.clause())
            };
            if self.watches.of(lit).iter().any(is_inside) {
                return true;
            }
        }
        let rarest = (lits.iter())
            .min_by_key(|lit| round.lists[lit.index()].len())
            .expect("there are two or three literals");
        let list = &round.lists[rarest.index()];
        round.steps += list.len() as u64;
        lits.len() == 3
            && list.iter().any(|&clause| {
                !self.arena.is_garbage(clause)
                    && self.arena.lits(clause).all(|lit| lits.contains(&lit))
            })
    }

    /// Lets a binary clause, whose chain has been collected, take the place of its parents.
    fn replace_ternaries(&mut self, parents: [ClauseRef; 2], lits: &[Lit]) {
        self.statistics.ternary_binaries += 1;
        let redundant = parents
            .iter()
            .all(|&parent| self.arena.is_redundant(parent));
        let clause = self.add_resolvent(lits, redundant);
        if redundant {
            self.arena.set_used(clause, just_used(1));
        } else {
            self.touch(clause);
        }
        for parent in parents {
            self.remove_clause(parent);
        }
    }

    /// Adds a ternary clause, whose chain has been collected, to be tried by the search.
    fn add_ternary(&mut self, lits: &[Lit], round: &mut Round) {
        self.statistics.ternary_resolvents += 1;
        let clause = self.add_resolvent(lits, true);
        self.arena.mark_on_trial(clause);
        self.arena.set_used(clause, 1);
        for lit in lits {
            round.lists[lit.index()].push(clause);
        }
    }
}
