//! Subsumption and self-subsuming resolution among irredundant clauses and learned ones that are likely to be
//! kept.
//!
//! Clauses are visited by increasing size, and each is compared with the previous ones *forwards*: each
//! clause is connected to a single literal, its rarest, and a clause that it subsumes or strengthens contains
//! that literal or its negation (Eén and Biere, SatELite, SAT 2005; Zhang, "On subsumption removal and
//! on-the-fly CNF simplification", SAT 2005). Not all learned clauses take part: the next reduction removes
//! most of them.
//!
//! A learned clause that subsumes an irredundant one replaces it, and so becomes irredundant. One that
//! strengthens an irredundant clause need not: the resolvent replaces that clause, and the irredundant
//! clauses still imply the learned one.

use super::lists::Lists;
use super::subsumption::{MAX_SIZE, Relation, Signature, relation};
use crate::cdcl::reduce::TIER_2;
use crate::cdcl::solver::Solver;
use crate::clause_ref::ClauseRef;
use crate::lit::Lit;
use crate::proof::ProofSink;

/// Clauses of more than two literals are not connected to a literal with this many connected clauses.
const MAX_CONNECTED: usize = 1000;

/// A clause that may subsume longer ones. It is no longer changed.
#[derive(Clone, Copy)]
struct Connected {
    clause: ClauseRef,
    signature: Signature,
}

/// The state of a round.
struct Round {
    /// By literal.
    connected: Lists<Connected>,
    /// By literal: whether the current clause contains it; all false between uses.
    marks: Vec<bool>,
    /// Clauses visited.
    steps: u64,
    limit: u64,
    /// Whether a learned clause has become irredundant.
    promoted: bool,
}

impl<P: ProofSink> Solver<P> {
    /// Looks for clauses that shorter ones subsume or strengthen, where either has changed since the last
    /// time; `false` if the formula turns out to be unsatisfiable.
    pub(super) fn subsume_forward(&mut self, steps: u64) -> bool {
        debug_assert_eq!(self.trail.level(), 0);
        debug_assert_eq!(self.trail.propagated, self.trail.lits.len());
        let redundant = match self.options.subsume_redundant {
            true => &self.clauses.redundant[..],
            false => &[],
        };
        // Stored with their sizes, so that sorting does not read the arena.
        let mut candidates: Vec<(u32, ClauseRef)> = Vec::new();
        // By variable: whether it occurs in a new clause. If one of a pair is new, all variables of the
        // shorter clause occur in it, so a clause with at most one such variable is skipped.
        let mut is_new = vec![false; self.n_vars()];
        for &clause in self.clauses.irredundant.iter().chain(redundant) {
            if self.stop.is_due(1) {
                return true;
            }
            if !self.may_subsume(clause) {
                continue;
            }
            candidates.push((self.arena.size(clause) as u32, clause));
            if !self.arena.is_subsumption_tried(clause) {
                for lit in self.arena.lits(clause) {
                    is_new[lit.var().index()] = true;
                }
            }
        }
        if !is_new.contains(&true) {
            return true;
        }
        candidates.sort_by_key(|&(size, _)| size);
        let n_lits = 2 * self.n_vars();
        let mut round = Round {
            connected: Lists::new(n_lits),
            marks: vec![false; n_lits],
            steps: 0,
            limit: steps,
            promoted: false,
        };
        let watched = self.trail.lits.len();
        let mut counted = 0;
        for (_, clause) in candidates {
            let work = round.steps - std::mem::replace(&mut counted, round.steps);
            if round.steps >= round.limit || self.stop.is_due(1 + work) {
                break;
            }
            self.arena.set_subsumption_tried(clause);
            let n_new = (self.arena.lits(clause))
                .filter(|lit| is_new[lit.var().index()])
                .take(2)
                .count();
            if n_new < 2 || self.survives(clause, &mut round) {
                self.connect(clause, &mut round);
            }
        }
        self.finish_subsumption(watched, round.promoted)
    }

    /// Whether a clause takes part: a learned one if the last reduction would have kept it.
    fn may_subsume(&self, clause: ClauseRef) -> bool {
        let size = self.arena.size(clause);
        if self.arena.is_garbage(clause) || size > MAX_SIZE {
            return false;
        }
        let glue = self.arena.glue(clause);
        let (kept_glue, kept_size) = self.reductions.last_kept;
        !self.arena.is_redundant(clause)
            || !self.arena.is_hyper_binary(clause)
                && (glue <= TIER_2 || glue <= kept_glue && size <= kept_size as usize)
    }

    /// Connects a clause to its rarest literal, unless that has too many connected clauses.
    fn connect(&mut self, clause: ClauseRef, round: &mut Round) {
        let lits: Vec<Lit> = self.arena.lits(clause).collect();
        let rarest = (lits.iter())
            .copied()
            .min_by_key(|&lit| round.connected.len(lit))
            .expect("clauses have literals");
        if lits.len() == 2 || round.connected.len(rarest) < MAX_CONNECTED {
            let signature = Signature::of(lits.iter().copied());
            let item = Connected { clause, signature };
            round.connected.push(rarest, item);
        }
    }

    /// Compares a clause with the connected ones and shortens it while one strengthens it; `false` if it need
    /// not be connected, since it is removed or has a literal with a value. The caller updates the watches.
    fn survives(&mut self, clause: ClauseRef, round: &mut Round) -> bool {
        loop {
            let lits: Vec<Lit> = self.arena.lits(clause).collect();
            if lits.iter().any(|&lit| self.trail.value(lit) != 0) {
                return false;
            }
            match self.find_effect(&lits, round) {
                None => return true,
                Some((by, None)) => {
                    if self.arena.is_redundant(clause) {
                        self.statistics.subsumed_redundant += 1;
                    } else {
                        self.statistics.subsumed_clauses += 1;
                        if self.arena.is_redundant(by) {
                            self.arena.make_irredundant(by);
                            self.touch(by);
                            round.promoted = true;
                        }
                    }
                    self.remove_clause(clause);
                    return false;
                }
                Some((by, Some(lit))) => {
                    if Self::CHAINS {
                        let ids = [clause, by].map(|clause| self.arena.id(clause));
                        self.chain.ids.extend(ids);
                    }
                    let rest: Vec<Lit> = lits.into_iter().filter(|&other| other != lit).collect();
                    if let [unit] = *rest {
                        let id = self.derive(&rest);
                        if P::ENABLED {
                            self.units.ids[unit.var().index()] = id;
                        }
                        self.trail.assign(unit, ClauseRef::NONE);
                        self.remove_clause(clause);
                        return false;
                    }
                    self.replace_clause(clause, &rest);
                    self.arena.set_subsumption_tried(clause);
                }
            }
        }
    }

    /// The first connected clause that subsumes the clause of these literals, or strengthens it by the
    /// literal that is returned with it.
    fn find_effect(&self, lits: &[Lit], round: &mut Round) -> Option<(ClauseRef, Option<Lit>)> {
        for lit in lits {
            round.marks[lit.index()] = true;
        }
        let signature = Signature::of(lits.iter().copied());
        let mut found = None;
        'search: for lit in lits {
            for key in [*lit, !*lit] {
                round.steps += 1 + round.connected.len(key) as u64 / 4;
                for other in round.connected.of(key) {
                    let size = self.arena.size(other.clause);
                    if !other.signature.may_be_within(signature) || size > lits.len() {
                        continue;
                    }
                    round.steps += 1;
                    let removed = match relation(&round.marks, self.arena.lits(other.clause), size)
                    {
                        Relation::Unrelated => continue,
                        Relation::Subsumes => None,
                        Relation::Strengthens(lit) => Some(!lit),
                    };
                    found = Some((other.clause, removed));
                    break 'search;
                }
            }
        }
        for lit in lits {
            round.marks[lit.index()] = false;
        }
        found
    }

    /// Moves the learned clauses that have become irredundant to their list, and then does the same as
    /// [`Solver::watch_anew`].
    fn finish_subsumption(&mut self, watched: usize, promoted: bool) -> bool {
        if promoted {
            let arena = &self.arena;
            let (redundant, promoted) =
                (std::mem::take(&mut self.clauses.redundant).into_iter())
                    .partition::<Vec<_>, _>(|&clause| arena.is_redundant(clause));
            self.clauses.redundant = redundant;
            self.clauses.irredundant.extend(promoted);
        }
        self.watch_anew(watched)
    }
}
