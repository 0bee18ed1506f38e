//! Techniques that change the clauses between phases of search, and their schedule.
//!
//! Each technique runs at level 0 and at most for a share of the search effort since its last run. It derives
//! clauses by resolution alone, so that the proof allows interpolation. None runs while temporary clauses or
//! a decision domain restrict the call: such calls are too short for it to pay.

mod congruence;
mod cycles;
mod definitions;
mod eliminate;
mod environment;
mod factor;
mod gate_chains;
mod gates;
mod hyper_binary;
mod lists;
mod occurrences;
mod probe;
mod restore;
mod substitute;
mod subsume_backward;
mod subsume_forward;
mod subsumption;
mod sweep;
mod transitive;
mod vivify;

use super::options::Options;
use super::solver::Solver;
use super::state::ROUND_WORK;
use crate::lit::Var;
use crate::proof::ProofSink;
use occurrences::Occurrences;

/// The least clause visits that a round of subsumption may take.
const SUBSUME_STEPS: u64 = 1_000_000;
/// The clause visits that elimination may take before the search, and at least in each round, the subsumption that it
/// leads to included.
const ELIMINATE_STEPS: u64 = 10_000_000;
/// The clause visits that congruence closure may take before the search, and at least in each round.
const CONGRUENCE_STEPS: u64 = 10_000_000;
/// The clause visits that factoring may take before the search, and at least in each round.
const FACTOR_STEPS: u64 = 2_000_000;
/// The steps that sweeping may take at least in each round.
const SWEEP_STEPS: u64 = 1_000_000;
/// The least steps of subsumption and of elimination if a round follows each conflict.
const MIN_STEPS_EAGER: u64 = 1000;

/// A technique of a round. Its argument is the number of ticks of the search since the last round; it returns
/// `false` if the formula turns out to be unsatisfiable.
type Technique<P> = fn(&mut Solver<P>, u64) -> bool;

impl<P: ProofSink> Solver<P> {
    /// The techniques of a round in their order. Each checks its own options.
    const ROUND: [Technique<P>; 4] = [
        Self::probe,
        Self::reduce_transitively,
        Self::vivify,
        Self::subsume_and_eliminate,
    ];

    /// Whether it is time for a round.
    pub(super) fn is_time_to_inprocess(&self) -> bool {
        self.statistics.conflicts >= self.inprocessing.next
            && self.base_level == 0
            && !self.decisions.has_domain()
    }

    /// A round of all techniques; `false` if the formula turns out to be unsatisfiable.
    pub(super) fn inprocess(&mut self) -> bool {
        self.update_target_and_best(false);
        self.backtrack(0);
        if self.inprocessing.next == 0 && self.options.inprocess_interval > 0 {
            // The search has no ticks yet, and short calls should not pay for a round.
            self.inprocessing.next = self.options.inprocess_interval;
            return self.preprocess();
        }
        self.inprocessing.rounds += 1;
        self.statistics.inprocessings += 1;
        let ticks = self.statistics.ticks - self.inprocessing.ticks;
        // The search leaves learned clauses as garbage that later ones subsume.
        self.collect_garbage();
        self.simplify();
        let is_open = self.apply(&Self::ROUND, ticks);
        let rounds = self.inprocessing.rounds as f64;
        let interval = self.options.inprocess_interval as f64 * (rounds + 9.0).log10();
        self.inprocessing.next =
            (self.statistics.conflicts).saturating_add((interval as u64).max(1));
        self.inprocessing.ticks = self.statistics.ticks;
        is_open
    }

    /// Congruence closure, factoring and elimination before the search; `false` if the formula turns out to be
    /// unsatisfiable.
    fn preprocess(&mut self) -> bool {
        if !(self.options.congruence || self.eliminates_first() || self.is_factoring()) {
            return true;
        }
        self.collect_garbage();
        self.simplify();
        self.apply(&[|solver: &mut Self, _| solver.rewrite_first()], 0)
    }

    /// Whether variables are eliminated before the search.
    fn eliminates_first(&self) -> bool {
        self.options.eliminate && self.options.eliminate_first
    }

    /// Techniques one after the other, while assumed and observed variables must not be eliminated.
    fn apply(&mut self, techniques: &[Technique<P>], ticks: u64) -> bool {
        let n_removed = self.extension.vars.len();
        let assumed = self.assumptions.iter().map(|lit| lit.var());
        let kept: Vec<Var> = assumed.chain(self.external.vars.iter().copied()).collect();
        for var in &kept {
            self.inprocessing.frozen[var.index()] = true;
        }
        let is_open = techniques
            .iter()
            .all(|technique| self.stop.is_due(ROUND_WORK) || technique(self, ticks));
        for var in &kept {
            self.inprocessing.frozen[var.index()] = false;
        }
        if self.extension.vars.len() > n_removed {
            self.phases.forget_lengths();
            self.decisions.drop_inactive();
        }
        is_open
    }

    /// The techniques of [`Solver::preprocess`] on the lists of occurrences. Factoring comes before elimination, which
    /// would take apart constraints that at most one literal holds.
    fn rewrite_first(&mut self) -> bool {
        let mut occurrences = Occurrences::new(self);
        let mut is_open = true;
        if occurrences.solver.options.congruence {
            occurrences.grant(CONGRUENCE_STEPS);
            is_open = occurrences.merge_congruent();
        }
        if is_open && occurrences.solver.is_factoring() {
            occurrences.grant(FACTOR_STEPS);
            occurrences.factor();
        }
        if is_open && occurrences.solver.eliminates_first() {
            occurrences.grant(ELIMINATE_STEPS);
            is_open = occurrences.eliminate();
        }
        occurrences.finish() && is_open
    }

    /// Whether variables may be added: their numbers mean nothing to the caller and to other searches, and the proof must
    /// allow definitions. In a circuit, products of clauses are parts of gates, which congruence closure and elimination
    /// would no longer find.
    fn is_factoring(&self) -> bool {
        self.options.factor
            && self.inprocessing.is_closed
            && !self.inprocessing.is_circuit
            && self.sharing.port.is_none()
            && (!P::ENABLED || self.proof.has_definitions())
    }

    /// Subsumption, congruence closure and elimination, which have a schedule of their own.
    fn subsume_and_eliminate(&mut self, _ticks: u64) -> bool {
        if self.statistics.conflicts < self.inprocessing.next_elimination {
            return true;
        }
        // Either visits all clauses, and elimination removes learned ones, so their intervals grow.
        self.inprocessing.eliminations += 1;
        let interval =
            (self.options.inprocess_interval).saturating_mul(self.inprocessing.eliminations + 1);
        self.inprocessing.next_elimination = self.statistics.conflicts.saturating_add(interval);
        let propagations = self.statistics.propagations - self.inprocessing.propagations;
        self.inprocessing.propagations = self.statistics.propagations;
        let [
            subsume_steps,
            congruence_steps,
            eliminate_steps,
            factor_steps,
            sweep_steps,
        ] = match self.options.inprocess_interval {
            0 => [MIN_STEPS_EAGER; 5],
            _ => [
                SUBSUME_STEPS.max(propagations),
                CONGRUENCE_STEPS.max(propagations),
                ELIMINATE_STEPS.max(propagations),
                FACTOR_STEPS.max(propagations / 10),
                SWEEP_STEPS.max(propagations / 4),
            ],
        };
        if self.options.subsume && !self.subsume_forward(subsume_steps) {
            return false;
        }
        let Options {
            congruence,
            eliminate,
            sweep,
            ..
        } = self.options;
        if !(congruence || eliminate || self.is_factoring() || sweep)
            || self.stop.is_due(ROUND_WORK)
        {
            return true;
        }
        let mut occurrences = Occurrences::new(self);
        let mut is_open = true;
        if congruence {
            occurrences.grant(congruence_steps);
            is_open = occurrences.merge_congruent();
        }
        if eliminate && is_open {
            occurrences.grant(eliminate_steps);
            is_open = occurrences.eliminate();
        }
        if sweep && is_open {
            occurrences.grant(sweep_steps);
            let is_fruitful = occurrences.sweep_in_time();
            is_open = !occurrences.solver.outcome.inconsistent;
            if congruence && is_fruitful && is_open {
                occurrences.grant(congruence_steps);
                is_open = occurrences.merge_congruent();
            }
        }
        if is_open && occurrences.solver.is_factoring() {
            occurrences.grant(factor_steps);
            occurrences.factor();
        }
        occurrences.finish() && is_open
    }
}
