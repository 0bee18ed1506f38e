//! Subsumption and self-subsuming resolution among irredundant clauses and the learned ones that are likely to stay.
//!
//! Clauses are gone through from the shortest on, and each is held against those before it, which are found *forwards*: every
//! one of them is connected to a single literal, its rarest, and a clause that it subsumes or strengthens contains that
//! literal or its negation (Eén and Biere, SatELite, SAT 2005; Zhang, "On subsumption removal and on-the-fly CNF simplification",
//! SAT 2005). The same is not done for all learned clauses: most go at the next reduction anyhow.
//!
//! A learned clause that subsumes an irredundant one takes its place, and so becomes irredundant itself. One that strengthens
//! an irredundant clause need not: the resolvent takes that clause's place, and the learned clause follows from the
//! irredundant ones as before.

use crate::cdcl::Solver;
use crate::cdcl::arena::ClauseRef;
use crate::cdcl::reduce::TIER_2;
use crate::lit::Lit;
use crate::proof::ProofSink;

/// Longer clauses take no part.
const MAX_SIZE: usize = 100;
/// Clauses of more than two literals whose rarest literal has as many connected ones already are not connected.
const MAX_CONNECTED: usize = 1000;

/// A clause that may subsume longer ones. It does not change any more.
#[derive(Clone, Copy)]
struct Connected {
    clause: ClauseRef,
    /// A bit for each variable, modulo 64.
    signature: u64,
}

/// What holds one clause against others.
struct Round {
    /// By literal.
    connected: Vec<Vec<Connected>>,
    /// By literal: whether the clause in question contains it; all false in between.
    marks: Vec<bool>,
    /// Clauses visited.
    steps: u64,
    limit: u64,
    /// Whether a learned clause has become irredundant.
    promoted: bool,
}

/// What a connected clause does to the marked one.
enum Effect {
    Subsumes,
    /// It would subsume it but for this literal of the marked clause.
    Removes(Lit),
}

fn signature(lits: &[Lit]) -> u64 {
    lits.iter()
        .fold(0, |bits, lit| bits | 1 << (lit.var().index() & 63))
}

impl<P: ProofSink> Solver<P> {
    /// Looks for clauses that shorter ones subsume or strengthen, where either has changed since the last time; `false` if the
    /// formula turns out to be unsatisfiable.
    pub(super) fn subsume_kept(&mut self, steps: u64) -> bool {
        debug_assert_eq!(self.trail.level(), 0);
        debug_assert_eq!(self.trail.propagated, self.trail.lits.len());
        let mut candidates: Vec<ClauseRef> = self.irredundant.clone();
        if self.options.subsume_redundant {
            candidates.extend(&self.redundant);
        }
        candidates.retain(|&clause| self.may_subsume(clause));
        // By variable: whether it occurs in a clause that is new. A pair of clauses with a new one has all variables
        // of the shorter one in common, so a clause with at most one such variable need not be looked at.
        let mut is_new = vec![false; self.n_vars()];
        for &clause in &candidates {
            if !self.arena.is_subsumption_tried(clause) {
                for lit in self.arena.lits(clause) {
                    is_new[lit.var().index()] = true;
                }
            }
        }
        if !is_new.contains(&true) {
            return true;
        }
        candidates.sort_by_key(|&clause| self.arena.size(clause));
        let n_lits = 2 * self.n_vars();
        let mut round = Round {
            connected: vec![Vec::new(); n_lits],
            marks: vec![false; n_lits],
            steps: 0,
            limit: steps,
            promoted: false,
        };
        let watched = self.trail.lits.len();
        for clause in candidates {
            if round.steps >= round.limit {
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
        self.settle_subsumption(watched, round.promoted)
    }

    /// Whether a clause takes part: a learned one if it will outlive reductions, by what the last one kept.
    fn may_subsume(&self, clause: ClauseRef) -> bool {
        let size = self.arena.size(clause);
        if self.arena.is_garbage(clause) || size > MAX_SIZE {
            return false;
        }
        let glue = self.arena.glue(clause);
        let (kept_glue, kept_size) = self.last_kept;
        !self.arena.is_redundant(clause)
            || !self.arena.is_hyper_binary(clause)
                && (glue <= TIER_2 || glue <= kept_glue && size <= kept_size as usize)
    }

    /// Lets a clause subsume those that come after it, unless there are too many like it.
    fn connect(&mut self, clause: ClauseRef, round: &mut Round) {
        let lits: Vec<Lit> = self.arena.lits(clause).collect();
        let rarest = (lits.iter())
            .min_by_key(|lit| round.connected[lit.index()].len())
            .expect("clauses have literals");
        let list = &mut round.connected[rarest.index()];
        if lits.len() == 2 || list.len() < MAX_CONNECTED {
            list.push(Connected {
                clause,
                signature: signature(&lits),
            });
        }
    }

    /// Holds a clause against the connected ones and shortens it as far as it goes; `false` if it need not be connected, since
    /// it is gone or has a literal with a value. Watches are left to the caller.
    fn survives(&mut self, clause: ClauseRef, round: &mut Round) -> bool {
        loop {
            let lits: Vec<Lit> = self.arena.lits(clause).collect();
            if lits.iter().any(|&lit| self.trail.value(lit) != 0) {
                return false;
            }
            match self.find_effect(&lits, round) {
                None => return true,
                Some((by, Effect::Subsumes)) => {
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
                Some((by, Effect::Removes(lit))) => {
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

    /// The first connected clause that does something to the clause of these literals.
    fn find_effect(&self, lits: &[Lit], round: &mut Round) -> Option<(ClauseRef, Effect)> {
        for lit in lits {
            round.marks[lit.index()] = true;
        }
        let bits = signature(lits);
        let mut found = None;
        'search: for lit in lits {
            for key in [*lit, !*lit] {
                round.steps += 1 + round.connected[key.index()].len() as u64 / 4;
                for other in &round.connected[key.index()] {
                    if other.signature & !bits != 0 || self.arena.size(other.clause) > lits.len() {
                        continue;
                    }
                    round.steps += 1;
                    if let Some(effect) = self.effect_on_marked(other.clause, &round.marks) {
                        found = Some((other.clause, effect));
                        break 'search;
                    }
                }
            }
        }
        for lit in lits {
            round.marks[lit.index()] = false;
        }
        found
    }

    /// What a clause does to the one with the marked literals.
    fn effect_on_marked(&self, clause: ClauseRef, marks: &[bool]) -> Option<Effect> {
        let mut flipped = None;
        for lit in self.arena.lits(clause) {
            if !marks[lit.index()] {
                if flipped.is_some() || !marks[(!lit).index()] {
                    return None;
                }
                flipped = Some(!lit);
            }
        }
        Some(flipped.map_or(Effect::Subsumes, Effect::Removes))
    }

    /// Puts the learned clauses that have become irredundant into their list, and then does what [`Solver::watch_anew`] does.
    fn settle_subsumption(&mut self, watched: usize, promoted: bool) -> bool {
        if promoted {
            let arena = &self.arena;
            let (redundant, promoted) = (std::mem::take(&mut self.redundant).into_iter())
                .partition::<Vec<_>, _>(|&clause| arena.is_redundant(clause));
            self.redundant = redundant;
            self.irredundant.extend(promoted);
        }
        self.watch_anew(watched)
    }
}
