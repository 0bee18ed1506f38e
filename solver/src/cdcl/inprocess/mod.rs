//! Techniques that change the clauses between phases of search.
//!
//! Each runs at level 0, for an effort in proportion to that of the search since the last time, and
//! derives what it adds by resolution alone, so that interpolants can be made of the proof. None runs while
//! temporary clauses or a decision domain restrict the call: what they are for are calls too short to pay.

mod eliminate;
mod extension;
mod gates;
mod hyper_binary;
mod occurrences;
mod probe;
mod subsume;
mod subsume_kept;
mod transitive;
mod vivify;

pub(super) use extension::Extension;

use super::Solver;
use super::arena::ClauseRef;
use crate::lit::Lit;
use crate::proof::ProofSink;
use occurrences::Occurrences;

/// The least clause visits that a round of subsumption may take.
const SUBSUME_STEPS: u64 = 1_000_000;
/// The least clause visits that a round of elimination may take, the subsumption that it leads to included.
const ELIMINATE_STEPS: u64 = 10_000_000;
/// The same for either where a round follows each conflict.
const MIN_STEPS_EAGER: u64 = 1000;

/// When what is due next, and what it may cost.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::cdcl) struct Schedule {
    rounds: u64,
    next: u64,
    /// The ticks of the search when the last round ended.
    ticks: u64,
    /// The propagations of the search when clauses were last subsumed or variables eliminated.
    propagations: u64,
    /// Rounds with subsumption and elimination, and the number of conflicts before which there is no other.
    eliminations: u64,
    next_elimination: u64,
    /// The literal at which probing goes on.
    next_probe: usize,
    /// The binary clause at which transitive reduction goes on, redundant ones first.
    next_transitive: usize,
}

/// A technique of a round. It is told the ticks that the search has spent since the last round, and returns `false` if
/// the formula turns out to be unsatisfiable.
type Technique<P> = fn(&mut Solver<P>, u64) -> bool;

impl<P: ProofSink> Solver<P> {
    /// The techniques of a round in their order. Each asks its options itself.
    const ROUND: [Technique<P>; 4] = [
        Self::probe,
        Self::reduce_transitively,
        Self::vivify,
        Self::subsume_and_eliminate,
    ];

    /// Whether it is time for a round.
    pub(super) fn wants_to_inprocess(&self) -> bool {
        self.statistics.conflicts >= self.schedule.next
            && self.base_level == 0
            && !self.decisions.has_domain()
    }

    /// A round of all techniques; `false` if the formula turns out to be unsatisfiable.
    pub(super) fn inprocess(&mut self) -> bool {
        self.update_target_and_best(false);
        self.backtrack(0);
        if self.schedule.next == 0 && self.options.inprocess_interval > 0 {
            // Nothing to go by yet, and short calls should not pay for it.
            self.schedule.next = self.options.inprocess_interval;
            return true;
        }
        self.schedule.rounds += 1;
        self.statistics.inprocessings += 1;
        let ticks = self.statistics.ticks - self.schedule.ticks;
        // The search leaves clauses behind that learned ones subsume.
        self.collect_garbage();
        self.simplify();
        let eliminated = self.statistics.eliminated_variables;
        // What is assumed must stay.
        for lit in &self.assumptions {
            self.frozen[lit.var().index()] = true;
        }
        let is_open = Self::ROUND.iter().all(|technique| technique(self, ticks));
        for lit in &self.assumptions {
            self.frozen[lit.var().index()] = false;
        }
        if self.statistics.eliminated_variables > eliminated {
            self.phases.forget_lengths();
            self.decisions.drop_inactive();
        }
        let rounds = self.schedule.rounds as f64;
        let interval = self.options.inprocess_interval as f64 * (rounds + 9.0).log10();
        self.schedule.next = (self.statistics.conflicts).saturating_add((interval as u64).max(1));
        self.schedule.ticks = self.statistics.ticks;
        is_open
    }

    /// Subsumption and elimination, which have a schedule of their own.
    fn subsume_and_eliminate(&mut self, _ticks: u64) -> bool {
        if self.statistics.conflicts < self.schedule.next_elimination {
            return true;
        }
        // Either looks at all clauses, and the second loses learned ones each time, so they must become rare.
        self.schedule.eliminations += 1;
        let interval =
            (self.options.inprocess_interval).saturating_mul(self.schedule.eliminations + 1);
        self.schedule.next_elimination = self.statistics.conflicts.saturating_add(interval);
        let propagations = self.statistics.propagations - self.schedule.propagations;
        self.schedule.propagations = self.statistics.propagations;
        let [subsume_steps, eliminate_steps] = if self.options.inprocess_interval == 0 {
            [MIN_STEPS_EAGER; 2]
        } else {
            [SUBSUME_STEPS, ELIMINATE_STEPS].map(|least| least.max(propagations))
        };
        if self.options.subsume && !self.subsume_kept(subsume_steps) {
            return false;
        }
        if !self.options.eliminate {
            return true;
        }
        let mut occurrences = Occurrences::new(self);
        occurrences.grant(eliminate_steps);
        let is_open = occurrences.eliminate();
        occurrences.finish() && is_open
    }

    /// Derives a clause from the chain that has been collected, and adds it, watched by its first two literals.
    fn add_resolvent(&mut self, lits: &[Lit], redundant: bool) -> ClauseRef {
        let id = self.derive(lits);
        let glue = lits.len() as u32 - 1;
        let clause = self.arena.alloc(lits, redundant, glue, id);
        self.watches.attach(clause, lits[0], lits[1], lits.len());
        self.clauses_mut(redundant).push(clause);
        clause
    }

    /// Notes that an irredundant clause has changed or gone, so that eliminating its variables may pay now.
    pub(super) fn touch(&mut self, clause: ClauseRef) {
        if !self.arena.is_redundant(clause) {
            for lit in self.arena.lits(clause) {
                self.touched[lit.var().index()] = true;
            }
        }
    }
}
