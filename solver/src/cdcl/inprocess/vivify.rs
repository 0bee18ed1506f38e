//! Vivification: shorter clauses by propagation.
//!
//! The negations of a clause's literals are decided one after the other. If propagation falsifies another
//! literal of the clause, that literal can be removed; if it satisfies one or finds a conflict, then a clause
//! of the literals decided so far (and the satisfied one) follows (Piette, Hamadi, Saïs, ECAI 2008; Li et
//! al., "Clause vivification by controlled unit propagation in CDCL SAT solvers", AIJ 2020). The clause
//! itself must not propagate, so it is detached meanwhile.
//!
//! Literals are decided by decreasing number of occurrences in candidates, and candidates are sorted
//! lexicographically in that order, so that successive candidates share decisions.

use crate::cdcl::solver::Solver;
use crate::clause_ref::ClauseRef;
use crate::lit::Lit;
use crate::proof::ProofSink;

/// The share of the search's ticks that vivification may use, in percent, by kind of candidate.
const SHARES: [(Candidates, u64); 3] = [
    (Candidates::LowGlue, 10),
    (Candidates::HighGlue, 4),
    (Candidates::Irredundant, 4),
];

/// The least ticks that each kind may use.
const MIN_TICKS: u64 = 200;

/// The largest glue of [`Candidates::LowGlue`].
const LOW_GLUE: u32 = 6;

/// Which clauses to try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Candidates {
    LowGlue,
    HighGlue,
    Irredundant,
}

/// The result for a candidate.
enum Outcome {
    /// None; the trail is as the candidate left it.
    Unchanged,
    /// A subset of the literals suffices: those in `rest`, whose chain has been collected.
    Shorter,
    /// The clause follows from others by propagation.
    Implied,
}

impl<P: ProofSink> Solver<P> {
    /// Vivifies clauses, given the ticks that the search has spent since the last time; `false` if the
    /// formula turns out to be unsatisfiable.
    pub(super) fn vivify(&mut self, ticks: u64) -> bool {
        if !self.options.vivify {
            return true;
        }
        let before = self.statistics.ticks;
        for (kind, percent) in SHARES {
            if self.stop.is_due(1) {
                break;
            }
            let limit = self.statistics.ticks + (ticks * percent / 100).max(MIN_TICKS);
            if !self.vivify_some(kind, limit) {
                return false;
            }
        }
        self.statistics.vivify_ticks += self.statistics.ticks - before;
        self.collect_garbage();
        self.simplify();
        true
    }

    fn is_candidate(&self, clause: ClauseRef, kind: Candidates) -> bool {
        if self.arena.is_garbage(clause)
            || self.arena.is_hyper_binary(clause)
            || self.arena.size(clause) <= 2
        {
            return false;
        }
        match kind {
            Candidates::LowGlue => self.arena.glue(clause) <= LOW_GLUE,
            Candidates::HighGlue => self.arena.glue(clause) > LOW_GLUE,
            Candidates::Irredundant => true,
        }
    }

    /// The clauses to try, each with its literals in the order of decisions in front, the most promising
    /// last.
    fn vivify_schedule(&mut self, kind: Candidates, limit: u64) -> Vec<ClauseRef> {
        let all = match kind {
            Candidates::Irredundant => &self.clauses.irredundant,
            _ => &self.clauses.redundant,
        };
        let (mut schedule, mut tried) = (Vec::new(), Vec::new());
        for &clause in all {
            if self.stop.is_due(1) {
                return Vec::new();
            }
            if self.is_candidate(clause, kind) {
                let is_tried = self.arena.is_vivified(clause);
                (if is_tried { &mut tried } else { &mut schedule }).push(clause);
            }
        }
        // Candidates left over from the last round come first, up to the number that the budget allows.
        if schedule.is_empty() {
            for &clause in &tried {
                self.arena.set_vivified(clause, false);
            }
            schedule = tried;
        }
        let affordable = (limit.saturating_sub(self.statistics.ticks) / 20) as usize;
        if schedule.len() > affordable {
            let start = match kind {
                // The newest.
                Candidates::LowGlue | Candidates::HighGlue => schedule.len() - affordable,
                Candidates::Irredundant => 0,
            };
            schedule.drain(..start);
            schedule.truncate(affordable);
        }
        schedule
    }

    fn vivify_some(&mut self, kind: Candidates, limit: u64) -> bool {
        let schedule = self.vivify_schedule(kind, limit);
        let mut counts = vec![0u32; 2 * self.n_vars()];
        for &clause in &schedule {
            for lit in self.arena.lits(clause) {
                counts[lit.index()] += 1;
            }
        }
        let mut by_rank: Vec<Lit> = (0..counts.len())
            .filter(|&code| counts[code] > 0)
            .map(|code| Lit::from_code(code as u32))
            .collect();
        by_rank.sort_by_key(|lit| std::cmp::Reverse(counts[lit.index()]));
        // From here on, `counts` holds ranks.
        for (rank, lit) in by_rank.iter().enumerate() {
            counts[lit.index()] = rank as u32;
        }
        let mut sorted: Vec<(Vec<u32>, ClauseRef)> = schedule
            .into_iter()
            .map(|clause| {
                let mut ranks: Vec<u32> = (self.arena.lits(clause))
                    .map(|lit| counts[lit.index()])
                    .collect();
                ranks.sort_unstable();
                (ranks, clause)
            })
            .collect();
        sorted.sort_unstable_by(|(left, _), (right, _)| left.cmp(right));
        let mut lits = Vec::new();
        let mut counted = self.statistics.ticks;
        for (ranks, clause) in sorted {
            let before = self.statistics.ticks;
            if before >= limit || self.stop.is_due(1 + before - counted) {
                break;
            }
            counted = before;
            lits.clear();
            lits.extend(ranks.iter().map(|&rank| by_rank[rank as usize]));
            if !self.vivify_clause(clause, &lits) {
                return false;
            }
        }
        self.undo(0);
        true
    }

    /// Tries one clause, whose literals are given in the order of decisions; `false` if the formula turns out
    /// to be unsatisfiable.
    fn vivify_clause(&mut self, clause: ClauseRef, lits: &[Lit]) -> bool {
        self.statistics.vivified_clauses += 1;
        self.arena.set_vivified(clause, true);
        // Keeps the decisions shared with the previous candidate, unless the clause implied one of their
        // literals.
        let shared = self.shared_decisions(lits);
        let implied = self.implied_by(clause);
        let implied_level = implied.map_or(u32::MAX, |lit| self.trail.level_of(lit.var()));
        if implied_level == 0 {
            // Satisfied at level 0.
            self.undo(0);
            return true;
        }
        self.undo(shared.min(implied_level - 1));
        if lits.iter().any(|&lit| self.trail.fixed(lit) > 0) {
            return true;
        }
        self.detach(clause);
        let outcome = self.vivify_decide(clause, lits);
        match outcome {
            Outcome::Unchanged => self.reattach(clause, lits),
            Outcome::Implied => {
                if self.arena.is_redundant(clause) {
                    self.statistics.vivify_implied += 1;
                    self.remove_clause(clause);
                } else {
                    self.reattach(clause, lits);
                }
            }
            Outcome::Shorter => return self.shorten(clause),
        }
        true
    }

    /// How many of the decisions on the trail the vivification of `lits` would make too.
    fn shared_decisions(&self, lits: &[Lit]) -> u32 {
        let mut shared = 0;
        for &lit in lits {
            let Some(&start) = self.trail.level_starts.get(shared as usize) else {
                break;
            };
            if self.trail.lits[start as usize] == !lit {
                shared += 1;
            } else if self.trail.value(lit) >= 0 || self.trail.level_of(lit.var()) > shared {
                break;
            }
        }
        shared
    }

    /// The literal that got its value from the clause, if any.
    fn implied_by(&self, clause: ClauseRef) -> Option<Lit> {
        (0..2)
            .map(|position| self.arena.lit(clause, position))
            .find(|lit| self.trail.value(*lit) > 0 && self.trail.reason(lit.var()) == clause)
    }

    /// Watches a clause again by two literals without a value, backtracking if necessary.
    fn reattach(&mut self, clause: ClauseRef, lits: &[Lit]) {
        let level_of = |solver: &Self, lit: &Lit| match solver.trail.value(*lit) {
            0 => u32::MAX,
            _ => solver.trail.level_of(lit.var()),
        };
        let mut by_level: Vec<(u32, usize)> = (0..lits.len())
            .map(|position| {
                let lit = self.arena.lit(clause, position);
                (level_of(self, &lit), position)
            })
            .collect();
        by_level.sort_unstable_by(|left, right| right.cmp(left));
        let (first, second) = (by_level[0], by_level[1]);
        if second.0 != u32::MAX {
            self.undo(second.0 - 1);
        }
        let codes = self.arena.codes_mut(clause);
        let (low, high) = (first.1.min(second.1), first.1.max(second.1));
        codes.swap(0, low);
        codes.swap(1, high);
        let (first, second) = (self.arena.lit(clause, 0), self.arena.lit(clause, 1));
        self.watches.attach(clause, first, second, lits.len());
    }

    /// Decides the negations of the literals and propagates. For [`Outcome::Shorter`], `rest` contains the
    /// literals that suffice, and their chain has been collected.
    fn vivify_decide(&mut self, clause: ClauseRef, lits: &[Lit]) -> Outcome {
        self.scratch.rest.clear();
        for &lit in lits {
            match self.trail.value(lit) {
                0 => {
                    self.trail.new_level();
                    self.trail.assign(!lit, ClauseRef::NONE);
                    if let Some(conflict) = self.propagate() {
                        self.collect_decisions(conflict, None);
                        // The level is not fully propagated, so the next candidate can't reuse it.
                        self.undo(self.trail.level() - 1);
                        return self.outcome_of_implication(lits.len());
                    }
                }
                -1 => {}
                _ => {
                    let reason = self.trail.reason(lit.var());
                    if reason == ClauseRef::NONE {
                        return Outcome::Unchanged;
                    }
                    self.collect_decisions(reason, Some(lit));
                    self.scratch.rest.push(lit);
                    return self.outcome_of_implication(lits.len());
                }
            }
        }
        let is_implied_false = |lit: &Lit| {
            self.trail.level_of(lit.var()) > 0 && self.trail.reason(lit.var()) != ClauseRef::NONE
        };
        if !lits.iter().any(is_implied_false) {
            return Outcome::Unchanged;
        }
        self.collect_decisions(clause, None);
        Outcome::Shorter
    }

    /// The result if the clause in `rest`, a subset of the candidate, follows.
    fn outcome_of_implication(&mut self, size: usize) -> Outcome {
        if self.scratch.rest.len() < size {
            Outcome::Shorter
        } else {
            self.drop_chain();
            Outcome::Implied
        }
    }

    /// Replaces a detached clause by the subset in `rest`; `false` if the formula turns out to be
    /// unsatisfiable.
    fn shorten(&mut self, clause: ClauseRef) -> bool {
        self.statistics.vivify_shortened += 1;
        let rest = std::mem::take(&mut self.scratch.rest);
        let unit_id = if rest.len() == 1 {
            self.derive(&rest)
        } else {
            self.replace_clause(clause, &rest);
            0
        };
        self.undo(0);
        let mut is_open = true;
        if let [lit] = *rest {
            self.remove_clause(clause);
            is_open = self.fix(lit, unit_id);
        } else {
            self.watches.attach(clause, rest[0], rest[1], rest.len());
        }
        self.scratch.rest = rest;
        is_open
    }
}
