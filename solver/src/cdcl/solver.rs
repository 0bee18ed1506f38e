//! The solver: its state, and the methods for users.

use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::{Arc, Mutex};

use super::analysis::Analysis;
use super::answer::{Answer, UnknownReason};
use super::arena::Arena;
use super::chain::{Chain, Units};
use super::decisions::Decisions;
use super::extension::Extension;
use super::inprocessing::Inprocessing;
use super::learned::{LearnCallback, Learned};
use super::mode::Mode;
use super::options::{Limits, Options};
use super::phases::Phases;
use super::propagator::External;
use super::restarts::Restarts;
use super::sharing::Sharing;
use super::state::{ClauseLists, Model, Outcome, Reductions, Scratch, Stop, StopCallback};
use super::statistics::Statistics;
use super::temporaries::Temporaries;
use super::trail::Trail;
use super::watch::Watches;
use crate::lit::{Lit, Var};
use crate::proof::{ClauseId, NoProof, ProofSink};

/// After this many calls of `solve` the clauses are simplified by the literals fixed at level 0. The search
/// simplifies them too, but a sequence of easy calls never reaches that point.
const SIMPLIFY_INTERVAL: u64 = 100;

/// An incremental CDCL solver that reports its proof to `P`.
///
/// A clone has the same clauses, learned ones included, and the same state of the search. It shares the
/// interrupt flag, but has no callbacks and no propagator, and exchanges no clauses with other searches.
#[derive(Clone)]
pub struct Solver<P: ProofSink = NoProof> {
    pub(super) options: Options,
    pub(super) limits: Limits,
    pub(super) stop: Stop,
    pub(super) learned: Learned,
    pub(super) statistics: Statistics,

    pub(super) proof: P,
    pub(super) chain: Chain,
    pub(super) units: Units,

    pub(super) arena: Arena,
    pub(super) clauses: ClauseLists,
    pub(super) watches: Watches,

    pub(super) trail: Trail,
    pub(super) decisions: Decisions,
    pub(super) phases: Phases,
    pub(super) mode: Mode,
    pub(super) restarts: Restarts,
    pub(super) analysis: Analysis,
    pub(super) reductions: Reductions,

    pub(super) inprocessing: Inprocessing,
    pub(super) extension: Extension,
    pub(super) temporaries: Temporaries,
    pub(super) sharing: Sharing<P>,
    pub(super) external: External,
    /// The level of literals implied by temporary clauses: 1 if there are any, else 0.
    pub(super) base_level: u32,

    pub(super) assumptions: Vec<Lit>,
    pub(super) outcome: Outcome,
    pub(super) model: Model,
    pub(super) scratch: Scratch,
}

impl Solver<NoProof> {
    /// A solver without variables and clauses that records no proof.
    #[must_use]
    pub fn new() -> Self {
        Self::with_proof(Options::default(), NoProof)
    }
}

impl Default for Solver<NoProof> {
    fn default() -> Self {
        Self::new()
    }
}

impl<P: ProofSink> Solver<P> {
    /// A solver without variables and clauses that reports to `sink`.
    #[must_use]
    pub fn with_proof(options: Options, sink: P) -> Self {
        Self {
            phases: Phases::new(options.seed, options.rephase_interval),
            mode: Mode::new(
                options.mode_interval,
                options.stable && options.stable_first,
            ),
            options,
            proof: sink,
            limits: Limits::default(),
            stop: Stop::default(),
            learned: Learned::default(),
            statistics: Statistics::default(),
            chain: Chain::default(),
            units: Units::default(),
            arena: Arena::default(),
            clauses: ClauseLists::default(),
            watches: Watches::default(),
            trail: Trail::default(),
            decisions: Decisions::default(),
            restarts: Restarts::default(),
            analysis: Analysis::default(),
            reductions: Reductions::default(),
            inprocessing: Inprocessing::default(),
            extension: Extension::default(),
            temporaries: Temporaries::default(),
            sharing: Sharing::default(),
            external: External::default(),
            base_level: 0,
            assumptions: Vec::new(),
            outcome: Outcome::default(),
            model: Model::default(),
            scratch: Scratch::default(),
        }
    }

    /// How many variables there are.
    #[must_use]
    pub fn n_vars(&self) -> usize {
        self.trail.assigned.len()
    }

    /// Adds a variable.
    pub fn new_var(&mut self) -> Var {
        let var = Var::new(self.n_vars());
        self.reserve_vars(var.index() + 1);
        var
    }

    /// Makes sure that there are at least `n_vars` variables.
    ///
    /// # Panics
    /// If that is more than there are variables, `Var::MAX_INDEX + 1`.
    pub fn reserve_vars(&mut self, n_vars: usize) {
        if n_vars <= self.n_vars() {
            return;
        }
        assert!(
            n_vars <= Var::MAX_INDEX + 1,
            "more variables than can be numbered"
        );
        self.trail.reserve_vars(n_vars);
        self.watches.reserve_lits(2 * n_vars);
        self.decisions.reserve_vars(n_vars);
        self.phases.reserve_vars(n_vars, self.options.initial_phase);
        self.analysis.reserve_vars(n_vars);
        self.model.values.resize(n_vars, 0);
        self.inprocessing.reserve_vars(n_vars);
        if P::ENABLED {
            self.units.ids.resize(n_vars, 0);
            self.chain.reserve_vars(n_vars);
        }
    }

    /// Allows the search to add variables of its own, see [`Options::factor`]. From now on clauses and assumptions must
    /// contain only variables that there are already, or that [`Solver::new_var`] returns.
    pub fn close_variables(&mut self) {
        self.inprocessing.is_closed = true;
    }

    /// Decides whether there is a model in which the assumptions are true.
    ///
    /// # Stopping
    /// A call that is asked to end returns within 50 ms of processor time on a formula of a million clauses
    /// of three literals, in a release build; on larger formulas the bound grows in proportion. The interrupt
    /// flag and the stop callback are polled after each [10,000 memory accesses](Solver::set_poll_interval),
    /// but not during garbage collection, the sorting of candidates, the analysis of a conflict, or
    /// backtracking. If a call ends while clauses are being changed, the next call rebuilds the watch lists.
    /// A [`ProofLog`](crate::proof::ProofLog) collects garbage without polling, in time linear in its size.
    ///
    /// # Memory
    /// If there is no space for a clause, the answer is [`Answer::Unknown`]; see
    /// [`Solver::limit_clause_words`]. If an original clause could not be stored, every later call answers
    /// `Unknown`. If a record of the proof could not be stored, no later call answers
    /// [`Answer::Unsatisfiable`].
    pub fn solve(&mut self, assumptions: &[Lit]) -> Answer {
        self.stop.begin_call();
        self.backtrack(0);
        self.statistics.solves += 1;
        self.release_failed();
        self.assumptions.clear();
        self.assumptions.extend_from_slice(assumptions);
        self.inprocessing.expect_own(assumptions);
        for lit in assumptions {
            self.reserve_vars(lit.var().index() + 1);
        }
        // One level for temporary clauses, one for each assumption, one for each decision.
        let levels = 1 + self.assumptions.len() + self.n_vars();
        self.analysis.reserve_levels(levels);
        if !self.outcome.inconsistent && self.refresh_stale_watches() {
            self.restore_eliminated(assumptions);
            self.propagate_pending();
        }
        let answer = if self.outcome.inconsistent {
            Answer::Unsatisfiable
        } else if self.stop.reason.is_some() || self.stop.lacks_clause {
            Answer::Unknown
        } else {
            if self.statistics.solves.is_multiple_of(SIMPLIFY_INTERVAL) {
                self.simplify();
            }
            self.install_temporaries();
            if self.statistics.solves == 1
                && self.assumptions.is_empty()
                && self.base_level == 0
                && !self.decisions.has_domain()
            {
                self.try_lucky_phases();
            }
            self.search()
        };
        let answer = self.with_room_only(answer);
        if answer == Answer::Satisfiable {
            self.save_model();
        } else if answer == Answer::Unsatisfiable && self.outcome.inconsistent {
            self.outcome.refutation = P::ENABLED.then_some(self.outcome.empty_clause);
        }
        self.backtrack(0);
        let reason = self.stop.reason;
        if reason != Some(UnknownReason::Stopped) {
            self.stop.reason = None;
        }
        self.drop_temporaries();
        self.stop.reason = reason;
        answer
    }

    /// The answer, or `Unknown` if a clause, time or a record of the proof is missing.
    fn with_room_only(&mut self, answer: Answer) -> Answer {
        let is_refuted = answer == Answer::Unsatisfiable;
        if self.stop.lacks_clause && !is_refuted || is_refuted && self.is_proof_lost() {
            self.stop.reason = Some(UnknownReason::Memory);
            self.outcome.refutation = None;
            self.outcome.failed.clear();
            return Answer::Unknown;
        }
        match (answer, self.stop.reason) {
            (Answer::Satisfiable, Some(_)) => Answer::Unknown,
            (Answer::Unknown, _) => Answer::Unknown,
            _ => {
                self.stop.reason = None;
                answer
            }
        }
    }

    /// The reason of the last [`Answer::Unknown`].
    #[must_use]
    pub fn unknown_reason(&self) -> Option<UnknownReason> {
        self.stop.reason
    }

    /// Limits the size of the clause store in words of four bytes: four words for each clause and one for
    /// each of its literals, removed clauses included until the next garbage collection. The default is the
    /// largest number that can be addressed, 2^31 - 1.
    pub fn limit_clause_words(&mut self, words: usize) {
        self.arena.set_limit(words);
    }

    /// Limits the numbers that clauses of a proof have, originals included; by default to 2^32 - 1.
    pub fn limit_clause_numbers(&mut self, largest: ClauseId) {
        self.chain.withheld = ClauseId::MAX - largest;
    }

    /// Restricts decisions to some variables, until [`Solver::clear_domain`] or the next call of this method.
    /// A model is found as soon as all of them have a value, and others may then have none.
    ///
    /// The caller promises that every assignment of the domain (and of the variables that propagation adds)
    /// that falsifies no clause can be extended to a model. This holds for the clauses of a circuit if the
    /// domain is closed under fan-in and contains the variables of all other clauses, of assumptions and of
    /// temporary clauses. Without the promise, [`Answer::Satisfiable`] may be wrong;
    /// [`Answer::Unsatisfiable`] never is. Most clauses outside the domain are not even propagated. Linear in
    /// the sizes of the old and the new domain. Variables that are added later lie outside.
    pub fn set_domain(&mut self, vars: &[Var]) {
        self.backtrack(0);
        for var in vars {
            self.reserve_vars(var.index() + 1);
            self.restore_eliminated(&[var.positive()]);
        }
        self.decisions.set_domain(vars);
    }

    /// Removes the restriction to a domain. Linear in the number of variables.
    pub fn clear_domain(&mut self) {
        self.backtrack(0);
        self.decisions.clear_domain();
    }

    /// Sets the initial phase of a variable.
    pub fn set_phase(&mut self, lit: Lit) {
        self.reserve_vars(lit.var().index() + 1);
        self.phases.set(lit);
    }

    fn save_model(&mut self) {
        self.model.number += 1;
        for lit in &self.trail.lits {
            self.model.values[lit.var().index()] =
                2 * self.model.number + u64::from(!lit.is_negated());
        }
        self.extend_model();
    }

    /// The literal's value in the model of the last call of [`Solver::solve`] that answered
    /// [`Answer::Satisfiable`]. `None` before the first such call, and for variables added since.
    #[must_use]
    pub fn value(&self, lit: Lit) -> Option<bool> {
        let entry = *self.model.values.get(lit.var().index())?;
        (entry != 0 && entry / 2 == self.model.number)
            .then_some((entry & 1 == 1) != lit.is_negated())
    }

    /// After [`Answer::Unsatisfiable`]: assumptions that are inconsistent with the clauses. Empty if the
    /// clauses alone are unsatisfiable.
    #[must_use]
    pub fn failed_assumptions(&self) -> &[Lit] {
        &self.outcome.failed
    }

    /// Literals that are true in all models of the clauses, as far as they are known: between two calls of
    /// [`Solver::solve`] new ones come at the end.
    #[must_use]
    pub fn fixed_literals(&self) -> &[Lit] {
        let first_level = self.trail.level_starts.first();
        let end = first_level.map_or(self.trail.lits.len(), |&start| start as usize);
        &self.trail.lits[..end]
    }

    /// Whether the clauses alone are known to be unsatisfiable. Except for the empty clause, an added clause
    /// is taken into account by the next call of [`Solver::solve`].
    #[must_use]
    pub fn is_inconsistent(&self) -> bool {
        self.outcome.inconsistent
    }

    /// After [`Answer::Unsatisfiable`], with a sink that is enabled: the derived clause that proves the
    /// answer.
    ///
    /// It is the empty clause if [`Solver::is_inconsistent`], else the clause of the negations of
    /// [`Solver::failed_assumptions`]. It is `None` if the failed assumptions are a literal and its negation,
    /// which are inconsistent without any clause.
    ///
    /// The next call of [`Solver::solve`] reports a clause of negated assumptions as deleted, so that a proof
    /// log may drop it with all records that only it needs. Take its proof before.
    #[must_use]
    pub fn refutation(&self) -> Option<ClauseId> {
        self.outcome.refutation
    }

    /// Limits each later call of [`Solver::solve`].
    pub fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    /// Sets a flag that any thread may set to end calls of [`Solver::solve`] with [`Answer::Unknown`].
    pub fn set_interrupt(&mut self, flag: Arc<AtomicBool>) {
        self.stop.interrupt = Some(flag);
    }

    /// Sets a number that holds the conflicts so far, at each restart: for showing progress from another thread.
    pub fn set_progress(&mut self, conflicts: Arc<AtomicU64>) {
        self.stop.conflicts = Some(conflicts);
    }

    /// Sets where all counters are stored at each restart: for showing progress from another thread.
    pub fn set_counters(&mut self, counters: Arc<Mutex<Statistics>>) {
        self.stop.counters = Some(counters);
    }

    /// Sets or removes a callback that is called about once per millisecond; if it returns `true`, the call
    /// ends with [`Answer::Unknown`].
    pub fn set_stop_callback(&mut self, callback: Option<StopCallback>) {
        self.stop.callback = callback;
    }

    /// Sets or removes a callback that takes each clause learned from a conflict, units included: the clauses that were
    /// added imply it. What is derived between phases of search is not told, nor what needs temporary clauses.
    pub fn set_learn_callback(&mut self, callback: Option<LearnCallback>) {
        self.learned.callback = callback;
    }

    /// Sets the number of memory accesses between two polls of the interrupt flag and the stop callback;
    /// 10,000 by default, and at least 1.
    pub fn set_poll_interval(&mut self, work: u64) {
        self.stop.interval = work.max(1);
    }

    /// The counters so far.
    #[must_use]
    pub fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    /// The options.
    #[must_use]
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The bytes of all clauses: 16 and 4 for each literal in the store, and 16 for the two watches. Unused
    /// capacity of vectors is not counted.
    #[must_use]
    pub fn clause_bytes(&self) -> usize {
        self.arena.bytes() + self.watches.bytes()
    }

    /// The proof sink.
    #[must_use]
    pub fn proof(&self) -> &P {
        &self.proof
    }

    /// The proof sink, to be changed.
    pub fn proof_mut(&mut self) -> &mut P {
        &mut self.proof
    }

    /// Returns the proof sink.
    #[must_use]
    pub fn into_proof(self) -> P {
        self.proof
    }
}
