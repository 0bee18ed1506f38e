//! The CDCL search: an incremental solver that explains its answers.
//!
//! [`Solver`] is generic over its [`ProofSink`]. Clauses may be added between calls of
//! [`Solver::solve`]; assumptions hold for one call.
//!
//! ```
//! use craig_solver::{Answer, Solver};
//!
//! let mut solver = Solver::new();
//! let (a, b) = (solver.new_var().positive(), solver.new_var().positive());
//! solver.add_clause(&[a, b]);
//! assert_eq!(solver.solve(&[!a]), Answer::Satisfiable);
//! assert_eq!(solver.value(b), Some(true));
//! assert_eq!(solver.solve(&[!a, !b]), Answer::Unsatisfiable);
//! solver.add_clause(&[!b]);
//! solver.add_clause(&[!a]);
//! assert_eq!(solver.solve(&[]), Answer::Unsatisfiable);
//! assert!(solver.is_inconsistent());
//! ```
//!
//! # Proofs
//!
//! With a sink that is enabled, every clause has a number, from 1 in increasing order: an original clause
//! gets the next one when it is added (nothing is derived before the first call of `solve`, so the
//! clauses of a file that are added first are numbered as LRAT wants them), a derived
//! one when it is derived. `chain` tells how the antecedents come into resolution order.

mod analyze;
mod arena;
mod assume;
mod chain;
mod decide;
mod ema;
mod heap;
mod inprocess;
mod lucky;
mod minimize;
mod mode;
mod options;
mod phase;
mod propagate;
mod queue;
mod reduce;
mod restart;
mod search;
mod shrink;
mod simplify;
mod statistics;
mod subsume_learned;
mod temporary;
mod trail;
mod walk;
mod watch;

pub use options::{Limits, OptionRow, Options};
pub use statistics::Statistics;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::cnf::{Cnf, Label};
use crate::lit::{Lit, Var};
use crate::proof::{ClauseId, NoProof, ProofSink};
use analyze::Analysis;
use arena::{Arena, ClauseRef};
use chain::Chain;
use decide::Decisions;
use inprocess::{Extension, Schedule};
use mode::Mode;
use phase::Phases;
use restart::Restarts;
use temporary::Temporaries;
use trail::{Trail, Units};
use watch::Watches;

/// What a call of [`Solver::solve`] found out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Answer {
    /// There is a model, which [`Solver::value`] tells.
    Satisfiable,
    /// There is no model under the assumptions; [`Solver::failed_assumptions`] tells which of them are to blame.
    Unsatisfiable,
    /// A limit was reached, or the call was interrupted.
    Unknown,
}

/// After how many calls of `solve` the clauses are simplified by what is fixed at level 0, apart from the search's own
/// simplifications, which a sequence of easy calls never comes to.
const SIMPLIFY_INTERVAL: u64 = 100;

/// Asked now and then whether to stop; `true` stops.
pub type StopCallback = Box<dyn FnMut() -> bool + Send>;

/// An incremental CDCL solver that reports its proof to `P`.
pub struct Solver<P: ProofSink = NoProof> {
    options: Options,
    limits: Limits,
    interrupt: Option<Arc<AtomicBool>>,
    stop_callback: Option<StopCallback>,
    statistics: Statistics,

    proof: P,
    last_id: ClauseId,
    chain: Chain,
    units: Units,

    arena: Arena,
    irredundant: Vec<ClauseRef>,
    redundant: Vec<ClauseRef>,
    /// Clauses that were added with literals that are false at level 0, to be shortened in `solve`.
    pending: Vec<ClauseRef>,
    watches: Watches,
    trail: Trail,
    decisions: Decisions,
    phases: Phases,
    mode: Mode,
    restarts: Restarts,
    analysis: Analysis,
    /// The number of conflicts at which to reduce next.
    next_reduce: u64,
    /// The largest glue and the largest size among the candidates that the last reduction kept.
    last_kept: (u32, u32),
    /// How many literals were fixed at level 0 when the clauses were last simplified.
    simplified: usize,
    schedule: Schedule,
    extension: Extension,
    /// By variable: whether it must not be eliminated now.
    frozen: Vec<bool>,
    /// By variable: whether its irredundant clauses have changed since its elimination was last tried.
    touched: Vec<bool>,
    /// By literal: one more than the number of fixed literals when it was last probed, or 0.
    probed: Vec<u32>,
    /// Scratch space for the literals of a clause.
    clause_lits: Vec<Lit>,
    /// Scratch space for what is left of a clause.
    rest: Vec<Lit>,

    temporaries: Temporaries,
    /// The level of what follows from temporary clauses: 1 if there are any, else 0.
    base_level: u32,

    assumptions: Vec<Lit>,
    failed: Vec<Lit>,
    refutation: Option<ClauseId>,
    inconsistent: bool,
    empty_clause: ClauseId,
    /// By variable: `2 * model_number + value` of the last model that it had a value in.
    model: Vec<u64>,
    model_number: u64,
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

/// The clone knows the same clauses, learned ones included, and goes on from the same state. It
/// shares the interrupt flag, but has no stop callback.
impl Clone for Solver<NoProof> {
    fn clone(&self) -> Self {
        Self {
            options: self.options.clone(),
            limits: self.limits,
            interrupt: self.interrupt.clone(),
            stop_callback: None,
            statistics: self.statistics,
            proof: NoProof,
            last_id: self.last_id,
            chain: self.chain.clone(),
            units: self.units.clone(),
            arena: self.arena.clone(),
            irredundant: self.irredundant.clone(),
            redundant: self.redundant.clone(),
            pending: self.pending.clone(),
            watches: self.watches.clone(),
            trail: self.trail.clone(),
            decisions: self.decisions.clone(),
            mode: self.mode,
            restarts: self.restarts.clone(),
            phases: self.phases.clone(),
            analysis: self.analysis.clone(),
            next_reduce: self.next_reduce,
            last_kept: self.last_kept,
            simplified: self.simplified,
            schedule: self.schedule,
            extension: self.extension.clone(),
            frozen: self.frozen.clone(),
            touched: self.touched.clone(),
            probed: self.probed.clone(),
            rest: Vec::new(),
            temporaries: self.temporaries.clone(),
            base_level: self.base_level,
            clause_lits: Vec::new(),
            assumptions: self.assumptions.clone(),
            failed: self.failed.clone(),
            refutation: self.refutation,
            inconsistent: self.inconsistent,
            empty_clause: self.empty_clause,
            model: self.model.clone(),
            model_number: self.model_number,
        }
    }
}

impl<P: ProofSink> Solver<P> {
    /// A solver without variables and clauses that reports to `sink`.
    #[must_use]
    pub fn with_proof(options: Options, sink: P) -> Self {
        let phases = Phases::new(options.seed);
        Self {
            options,
            limits: Limits::default(),
            interrupt: None,
            stop_callback: None,
            statistics: Statistics::default(),
            proof: sink,
            last_id: 0,
            chain: Chain::default(),
            units: Units::default(),
            arena: Arena::default(),
            irredundant: Vec::new(),
            redundant: Vec::new(),
            pending: Vec::new(),
            watches: Watches::default(),
            trail: Trail::default(),
            decisions: Decisions::default(),
            phases,
            mode: Mode::default(),
            restarts: Restarts::default(),
            analysis: Analysis::default(),
            next_reduce: 300,
            last_kept: (0, 0),
            simplified: 0,
            schedule: Schedule::default(),
            extension: Extension::default(),
            frozen: Vec::new(),
            touched: Vec::new(),
            probed: Vec::new(),
            rest: Vec::new(),
            temporaries: Temporaries::default(),
            base_level: 0,
            clause_lits: Vec::new(),
            assumptions: Vec::new(),
            failed: Vec::new(),
            refutation: None,
            inconsistent: false,
            empty_clause: 0,
            model: Vec::new(),
            model_number: 0,
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
    pub fn reserve_vars(&mut self, n_vars: usize) {
        if n_vars <= self.n_vars() {
            return;
        }
        self.trail.reserve_vars(n_vars);
        self.watches.reserve_lits(2 * n_vars);
        self.decisions.reserve_vars(n_vars);
        self.phases.reserve_vars(n_vars, self.options.initial_phase);
        self.analysis.reserve_vars(n_vars);
        self.model.resize(n_vars, 0);
        self.frozen.resize(n_vars, false);
        self.touched.resize(n_vars, true);
        self.probed.resize(2 * n_vars, 0);
        if P::ENABLED {
            self.units.ids.resize(n_vars, 0);
            self.chain.reserve_vars(n_vars);
        }
    }

    /// Adds a clause with label 0.
    pub fn add_clause(&mut self, lits: &[Lit]) {
        self.add_labelled_clause(lits, 0);
    }

    /// Adds all variables and clauses of a formula.
    pub fn add_cnf(&mut self, cnf: &Cnf) {
        self.reserve_vars(cnf.n_vars());
        for (lits, label) in cnf.iter() {
            self.add_labelled_clause(lits, label);
        }
    }

    /// Adds a clause that belongs to the partition `label`. Literals may repeat or clash; variables
    /// that don't exist yet are added.
    pub fn add_labelled_clause(&mut self, lits: &[Lit], label: Label) {
        self.backtrack(0);
        let n_vars = lits.iter().map(|lit| lit.var().index() + 1).max();
        self.reserve_vars(n_vars.unwrap_or(0));
        self.statistics.original_clauses += 1;
        let id = self.new_id();
        self.proof.original(id, lits, label);
        if self.inconsistent {
            return;
        }
        self.restore_eliminated(lits);
        let mut clause = std::mem::take(&mut self.clause_lits);
        clause.clear();
        clause.extend_from_slice(lits);
        clause.sort_unstable();
        clause.dedup();
        let is_tautology = clause.windows(2).any(|pair| pair[0] == !pair[1]);
        if is_tautology || clause.iter().any(|&lit| self.trail.fixed(lit) > 0) {
            self.proof.deleted(id, lits);
        } else {
            self.add_normalized(&clause, id);
        }
        self.clause_lits = clause;
    }

    /// Adds an original clause without repeated, clashing or true literals.
    fn add_normalized(&mut self, clause: &[Lit], id: ClauseId) {
        match *clause {
            [] => self.become_inconsistent(id),
            [lit] if self.trail.value(lit) == 0 => {
                if P::ENABLED {
                    self.units.ids[lit.var().index()] = id;
                }
                self.trail.assign(lit, ClauseRef::NONE);
            }
            _ => {
                let reference = self.arena.alloc(clause, false, 0, id);
                if clause.iter().any(|&lit| self.trail.value(lit) < 0) {
                    self.pending.push(reference);
                } else {
                    self.attach_irredundant(reference);
                }
            }
        }
    }

    /// Lets an irredundant clause take part in propagation.
    fn attach_irredundant(&mut self, clause: ClauseRef) {
        let (first, second) = (self.arena.lit(clause, 0), self.arena.lit(clause, 1));
        self.watches
            .attach(clause, first, second, self.arena.size(clause));
        self.irredundant.push(clause);
    }

    /// Propagates at level 0, and derives from each pending clause what is left of it there.
    fn settle_pending(&mut self) {
        debug_assert_eq!(self.trail.level(), 0);
        loop {
            if let Some(conflict) = self.propagate() {
                return self.derive_empty(conflict);
            }
            self.derive_units();
            let Some(clause) = self.pending.pop() else {
                return;
            };
            let is_satisfied = self.arena.lits(clause).any(|lit| self.trail.value(lit) > 0);
            if !is_satisfied && !self.shorten_pending(clause) {
                return;
            }
            self.remove_clause(clause);
        }
    }

    /// Derives a clause without its false literals; `false` if nothing was left.
    fn shorten_pending(&mut self, clause: ClauseRef) -> bool {
        let mut rest = Vec::new();
        if Self::CHAINS {
            self.chain.ids.push(self.arena.id(clause));
        }
        for lit in self.arena.lits(clause) {
            if self.trail.value(lit) == 0 {
                rest.push(lit);
            } else if Self::CHAINS {
                self.chain.add_unit(lit.var());
            }
        }
        debug_assert!(rest.len() < self.arena.size(clause));
        let id = self.derive(&rest);
        self.add_normalized(&rest, id);
        !self.inconsistent
    }

    /// Decides whether there is a model in which the assumptions are true.
    pub fn solve(&mut self, assumptions: &[Lit]) -> Answer {
        self.backtrack(0);
        self.statistics.solves += 1;
        self.failed.clear();
        self.refutation = None;
        self.assumptions.clear();
        self.assumptions.extend_from_slice(assumptions);
        for lit in assumptions {
            self.reserve_vars(lit.var().index() + 1);
        }
        // One level for temporary clauses, one for each assumption, one for each decision.
        let levels = 1 + self.assumptions.len() + self.n_vars();
        self.analysis.reserve_levels(levels);
        if !self.inconsistent {
            self.restore_eliminated(assumptions);
            self.settle_pending();
        }
        let answer = if self.inconsistent {
            Answer::Unsatisfiable
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
        if answer == Answer::Satisfiable {
            self.save_model();
        } else if self.inconsistent {
            self.refutation = P::ENABLED.then_some(self.empty_clause);
        }
        self.backtrack(0);
        self.drop_temporaries();
        answer
    }

    /// Restricts decisions to some variables, until [`Solver::clear_domain`] or the next call of this method. A model is
    /// found as soon as all of them have a value, and others may then have none.
    ///
    /// The caller promises that every assignment of the domain (and what propagation adds to it) that falsifies no clause
    /// can be extended to a model, as is so for the clauses of a circuit if the domain is closed
    /// under fan-in, contains the variables of all other clauses that matter, and those of assumptions and temporary clauses.
    /// Without the promise, [`Answer::Satisfiable`] may be wrong; [`Answer::Unsatisfiable`] never is.
    /// Clauses outside the domain are mostly not even propagated. The cost is that of the old and
    /// the new domain's size. Variables that are added later lie outside.
    pub fn set_domain(&mut self, vars: &[Var]) {
        self.backtrack(0);
        for var in vars {
            self.reserve_vars(var.index() + 1);
            self.restore_eliminated(&[var.positive()]);
        }
        self.decisions.set_domain(vars);
    }

    /// Lets all variables be decided again. Costs as much as there are variables.
    pub fn clear_domain(&mut self) {
        self.backtrack(0);
        self.decisions.clear_domain();
    }

    /// Sets the value that is tried first for a variable.
    pub fn set_phase(&mut self, lit: Lit) {
        self.reserve_vars(lit.var().index() + 1);
        self.phases.set(lit);
    }

    fn save_model(&mut self) {
        self.model_number += 1;
        for lit in &self.trail.lits {
            self.model[lit.var().index()] = 2 * self.model_number + u64::from(!lit.is_negated());
        }
        self.extend_model();
    }

    /// The literal's value in the model of the last call of [`Solver::solve`] that answered
    /// [`Answer::Satisfiable`]. `None` before the first such call, and for variables added since.
    #[must_use]
    pub fn value(&self, lit: Lit) -> Option<bool> {
        let entry = *self.model.get(lit.var().index())?;
        (entry != 0 && entry / 2 == self.model_number)
            .then_some((entry & 1 == 1) != lit.is_negated())
    }

    /// After [`Answer::Unsatisfiable`]: assumptions that can't hold together. Empty if the clauses alone are
    /// unsatisfiable.
    #[must_use]
    pub fn failed_assumptions(&self) -> &[Lit] {
        &self.failed
    }

    /// Whether the clauses alone are known to be unsatisfiable. Clauses that are added are only
    /// looked at by the next call of [`Solver::solve`], but for the empty clause.
    #[must_use]
    pub fn is_inconsistent(&self) -> bool {
        self.inconsistent
    }

    /// After [`Answer::Unsatisfiable`], with a sink that is enabled: the clause that the answer rests on.
    ///
    /// It is the empty clause if [`Solver::is_inconsistent`], else the clause that consists of the negations of
    /// [`Solver::failed_assumptions`]. There is none, and `None` is returned, in one case:
    /// where the failed assumptions are a literal and its negation, which clash without any clause.
    #[must_use]
    pub fn refutation(&self) -> Option<ClauseId> {
        self.refutation
    }

    /// Limits each of the following calls of [`Solver::solve`].
    pub fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    /// Lets calls of [`Solver::solve`] stop with [`Answer::Unknown`] once the flag is set, from any thread.
    pub fn set_interrupt(&mut self, flag: Arc<AtomicBool>) {
        self.interrupt = Some(flag);
    }

    /// Sets, or takes away, a callback that is asked every few hundred conflicts or decisions whether to stop
    /// with [`Answer::Unknown`].
    pub fn set_stop_callback(&mut self, callback: Option<StopCallback>) {
        self.stop_callback = callback;
    }

    /// What has been counted so far.
    #[must_use]
    pub fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    /// The options.
    #[must_use]
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The bytes that clauses take: 16 and 4 for each literal in the store, and 16 in the lists that tell which clauses a
    /// literal watches. What growing vectors have reserved beyond that is not counted.
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

    /// Gives the proof sink back.
    #[must_use]
    pub fn into_proof(self) -> P {
        self.proof
    }
}
