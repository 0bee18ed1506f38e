//! Transition relation approximation (R. Jhala, K. McMillan, "Interpolant-based transition relation
//! approximation", 2005, sections 4 and 7).
//!
//! The transition relation is replaced by a weak one over states alone, without inputs and gates, which
//! initially allows all steps. A run to the bad of the approximate system is checked on the concrete one. If
//! that has no run of this length, the symmetric interpolant of the refutation contains a consequence of each
//! step, and together these exclude every approximate run of that length. They are added to the
//! approximation.
//!
//! Three changes are not in the paper; [`Options::whole_runs`] switches off the last two. First, PDR as inner
//! engine continues from its frames when the approximation was strengthened. Second, queries about the
//! concrete system contain the approximation as a separate partition, so that interpolants only add to it.
//! Third, if the inner engine has frames for each number of steps, the last few steps of the runs are checked
//! first, from any state of the frame where they begin: their refutations are shorter and exclude at least as
//! many runs.

use std::sync::Arc;

use craig_aig::{Aig, Edge};
use craig_itp::interpolant;
use craig_itp::transform::{Raiser, Raising, Reduction, reduce};
use craig_itp::{Rule, System};
use craig_model::{Certificate, Latch, Model, Outcome, Stop, Trace, UnknownReason, Verdict};
use craig_solver::Label;
use craig_solver::proof::ProofDag;
use craig_solver::sweep::Budget;

#[cfg(feature = "bdd")]
use super::bdd;
use super::entry::Engine;
use super::options::{EngineOption, LABELLING, Range, SYSTEM, Word, rule};
use super::path::{Found, Known, KnownSteps, LatchClause, Path};
use super::pdr::{self, Reached};
use super::question::Question;
use super::states::{COMPACTION, adopt, position_of};
use super::transform::{REDUCTION_ROUNDS, TRANSFORM, Transform};
use super::{stop_of, up_to_bad, why_stopped};
use crate::circuit::unroll::{Start, Unrolling};
use crate::control::{Alone, Control, Event, StateClause};

/// The engine's name.
pub const NAME: &str = "tra";

/// Decides the approximate system, whose only bad is number 0, starting with the clauses known of weaker
/// approximations and adding its own.
pub type Inner = fn(&Model, &mut Reached, Control<'_>) -> Outcome;

/// The options of the engine.
#[derive(Clone, Debug)]
pub struct Options {
    /// The interpolation system; one with the label a is rejected, since its interpolants of the steps
    /// need not contradict each other.
    pub system: Rule,
    /// Whether local resolutions are raised before interpolation: stronger interpolants, mostly in CNF.
    pub raising: Option<Raising>,
    /// The maximal number of rounds of reductions of a refutation before interpolation.
    pub reduction_rounds: usize,
    /// The budget of compaction of interpolants; `None` to omit it.
    pub compaction: Option<Budget>,
    /// The engine that decides the approximate systems.
    pub inner: Inner,
    /// Whether whole runs are always refuted, without the approximation of their steps.
    pub whole_runs: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            system: System::McMillan.into(),
            raising: DEFAULT_TRANSFORM.raising(),
            reduction_rounds: 0,
            compaction: Some(COMPACTION),
            inner: |model, reached, control| {
                pdr::resume(model, 0, &pdr::Options::default(), reached, control)
            },
            whole_runs: false,
        }
    }
}

const INNER: EngineOption = EngineOption {
    name: "tra-inner",
    placeholder: "ENGINE",
    range: Range::Word(&[
        Word {
            name: "pdr",
            text: "Property-directed reachability",
        },
        #[cfg(feature = "bdd")]
        Word {
            name: "bdd",
            text: "Binary decision diagrams, as in the paper",
        },
    ]),
    default: Some("pdr"),
    text: "For `tra`: the engine that decides the approximate systems",
    is_flag: true,
};

const WHOLE_RUNS: EngineOption = EngineOption {
    name: "tra-whole-runs",
    placeholder: "",
    range: Range::Switch,
    default: None,
    text: "For `tra`: always refute whole runs, without the approximation of their steps, as in the paper",
    is_flag: true,
};

/// What is done to refutations by default, as in the paper (bench/records/interpolation.md).
const DEFAULT_TRANSFORM: Transform = Transform::RaiseLocalShrink;

/// The registration of the engine.
pub(super) const ENGINE: Engine = Engine {
    name: NAME,
    text: "Transition relation approximation (Jhala and McMillan)",
    is_shortest: false,
    options: &[&SYSTEM, &LABELLING, &TRANSFORM, &INNER, &WHOLE_RUNS],
    build: |settings| {
        let transform = Transform::chosen(settings, DEFAULT_TRANSFORM);
        #[cfg_attr(not(feature = "bdd"), expect(unused_mut))]
        let mut options = Options {
            system: rule(settings),
            raising: transform.raising(),
            reduction_rounds: match transform {
                Transform::Reduce => REDUCTION_ROUNDS,
                _ => 0,
            },
            whole_runs: settings.switch(&WHOLE_RUNS),
            ..Options::default()
        };
        #[cfg(feature = "bdd")]
        if settings.word(&INNER) == "bdd" {
            options.inner =
                |model, _, control| bdd::check(model, 0, &bdd::Options::default(), control);
        }
        Arc::new(move |model, property, control| check(model, property, &options, control))
    },
};

/// Decides bad number `property`.
///
/// # Panics
/// If the model has no such bad.
#[must_use]
pub fn check(model: &Model, property: usize, options: &Options, control: Control<'_>) -> Outcome {
    Question::decide(NAME, model, property, control, |question| {
        let mut search = Search {
            approximation: Approximation::new(question.any),
            question,
            options,
            reached: Reached::default(),
            suffix: 1,
            raises: true,
        };
        search.run()
    })
}

struct Search<'s, 'q> {
    question: &'s mut Question<'q>,
    options: &'s Options,
    approximation: Approximation,
    /// The reachable states of the approximate system.
    reached: Reached,
    /// The number of last steps to check first: half of the number last needed.
    suffix: usize,
    /// Whether resolutions are raised: not after raising that shrinks clauses has made the interpolants of a length too weak to
    /// exclude its runs.
    raises: bool,
}

impl Search<'_, '_> {
    fn run(&mut self) -> Result<Verdict, UnknownReason> {
        if !self.options.system.is_at_least_symmetric() {
            return Err(UnknownReason::Unsupported(
                "symmetric interpolants need a system no weaker than the symmetric one".to_string(),
            ));
        }
        loop {
            if let Some(reason) = self.question.control.stop.reason() {
                return Err(reason);
            }
            let system = self
                .approximation
                .model(self.question.model, self.question.any);
            let alone = Alone::until(self.question.control.stop.clone());
            let control = alone.control();
            let verdict = (self.options.inner)(&system, &mut self.reached, control).verdict;
            // The approximation includes all concrete runs.
            self.question.safe_before(control.board.known_depth());
            let length = match verdict {
                Verdict::Unknown(reason) => return Err(reason),
                Verdict::Safe(certificate) => {
                    return Ok(Verdict::Safe(Box::new(self.certificate(&certificate))));
                }
                Verdict::Unsafe(run) => run.depth(),
            };
            self.raises = length >= self.question.depth();
            debug_assert!(
                self.raises || self.options.raising.is_some_and(|raising| raising.shrink),
                "shorter runs are ruled out"
            );
            // The inner engine need not find shortest runs. Excluding shorter ones is easier, and may
            // suffice.
            let length = length.min(self.question.depth());
            if let Some(trace) = self.concrete(length)? {
                return Ok(Verdict::Unsafe(up_to_bad(self.question.model, trace)));
            }
            self.question.safe_before(length + 1);
        }
    }

    /// Checks the runs of one length, and refines the approximation if there are none. There are no shorter
    /// ones.
    fn concrete(&mut self, length: usize) -> Result<Option<Trace>, UnknownReason> {
        let mut suffix = self.suffix.min(length);
        if self.options.whole_runs {
            suffix = length;
        }
        loop {
            let start: Vec<LatchClause> = if suffix < length {
                let clauses = self.reached.within(length - suffix);
                let negated = |clause: &StateClause| {
                    let lits = clause.iter();
                    lits.map(|&(position, value)| (position, !value)).collect()
                };
                clauses.map(negated).collect()
            } else {
                Vec::new()
            };
            if suffix < length && start.is_empty() {
                // The start is unrestricted, so a refutation is unlikely: skipped.
                suffix = length;
            }
            let known = if self.options.whole_runs {
                Known::Nothing
            } else {
                Known::Steps(KnownSteps {
                    aig: &self.approximation.aig,
                    parts: &self.approximation.parts,
                    start: &start,
                })
            };
            let mut path = Path::new(
                self.question.model,
                self.question.property,
                self.question.any,
                suffix,
                if suffix < length {
                    Start::Free
                } else {
                    Start::Reset
                },
                known,
                self.question.control,
            );
            match path.solve(self.question.control.stop)? {
                Found::Refutation(dag) => {
                    self.question.control.listener.count("refinements", 1);
                    self.refine(&path, &dag, length, suffix)?;
                    self.suffix = suffix.div_ceil(2).max(1);
                    return Ok(None);
                }
                Found::Run(trace) if suffix == length => return Ok(Some(trace)),
                Found::Run(_) => suffix = length.min(suffix + suffix.div_ceil(2)),
            }
        }
    }

    /// Adds the consequences of each step from the refutation of the last `suffix` of `length` steps.
    fn refine(
        &mut self,
        path: &Path<'_>,
        dag: &ProofDag,
        length: usize,
        suffix: usize,
    ) -> Result<(), UnknownReason> {
        let control = self.question.control;
        let asked = stop_of(control.stop);
        let stopped = |_| why_stopped(control.stop);
        let rounds = self.options.reduction_rounds;
        let dag = &reduce(dag, &Reduction::ALL, rounds, &asked).map_err(stopped)?;
        let n_latches = self.question.any.initial().len();
        let mut raiser = match self.options.raising.filter(|_| self.raises) {
            Some(raising) => Some(Raiser::new(dag, suffix, raising, &asked).map_err(stopped)?),
            None => None,
        };
        for step in 0..suffix {
            let in_step = |label: Label| label == step as Label + 1;
            let raised = match &mut raiser {
                Some(raiser) => raiser.raise(&in_step, &asked).map_err(stopped)?,
                None => None,
            };
            let dag = raised.as_ref().unwrap_or(dag);
            let mut scratch = Aig::new();
            let state: Vec<Edge> = (0..n_latches).map(|_| scratch.add_input()).collect();
            let next: Vec<Edge> = (0..n_latches).map(|_| scratch.add_input()).collect();
            let edge = interpolant(
                dag,
                &in_step,
                self.options.system,
                &mut scratch,
                &mut |var| {
                    let now = path.cuts[step].leaf(var, &state);
                    now.or_else(|| path.cuts[step + 1].leaf(var, &next))
                        .expect("a step shares only the states before and behind it")
                },
                &asked,
            )
            .map_err(stopped)?;
            self.question.control.listener.tell(Event::Interpolant {
                engine: NAME,
                bound: length,
                round: step + 1,
                ands: scratch.n_ands_in_cone(&[edge]),
            });
            self.approximation.add(
                &scratch,
                edge,
                self.options.compaction,
                self.question.control.stop,
            );
        }
        self.question.control.listener.note(NAME, || {
            let relation = &self.approximation;
            format!(
                "{length} steps refuted in the last {suffix}; the approximation has {} gates in {} parts",
                relation.aig.n_ands_in_cone(&relation.parts),
                relation.parts.len()
            )
        });
        Ok(())
    }

    /// The approximate system's certificate with the free next states replaced by the concrete ones.
    ///
    /// The concrete step implies the approximation, so the witness's five conditions, which hold for all next
    /// states that it allows, hold for the concrete ones.
    fn certificate(&self, inner: &Certificate) -> Certificate {
        let any = self.question.any;
        let cone = any.cone();
        let n_latches = cone.latches.len();
        let mut aig = Aig::new();
        let mut witness = Model::default();
        let inputs: Vec<Edge> = cone.inputs.iter().map(|_| aig.add_input()).collect();
        let state: Vec<Edge> = cone.latches.iter().map(|_| aig.add_input()).collect();
        let mut roots = any.state().to_vec();
        roots.extend(&any.frames()[0].constraints);
        let mut of_step = vec![Edge::FALSE; any.aig().n_inputs()];
        for (&variable, &edge) in any.initial().iter().zip(&state) {
            of_step[position_of(any.aig(), variable.node())] = edge;
        }
        for (&variable, &edge) in any.frames()[0].inputs.iter().zip(&inputs) {
            of_step[position_of(any.aig(), variable.node())] = edge;
        }
        let mut next = aig.copy_cone(any.aig(), &roots, &mut |node| {
            of_step[position_of(any.aig(), node)]
        });
        witness.constraints = next.split_off(n_latches);

        // The formula for each input of the inner witness's graph.
        let old = &inner.witness;
        let mut leaves = vec![Edge::FALSE; old.aig.n_inputs()];
        let mut free = Vec::new();
        for (&input, &shared) in old.inputs.iter().zip(&inner.shared_inputs) {
            leaves[position_of(&old.aig, input.node())] = match shared {
                Some(number) if number < n_latches => next[number],
                Some(number) => inputs[number - n_latches],
                None => {
                    let own = aig.add_input();
                    free.push(own);
                    own
                }
            };
        }
        let mut resets: Vec<_> = cone
            .latches
            .iter()
            .map(|&latch| self.question.model.latches[latch].reset)
            .collect();
        let mut own = Vec::new();
        for (latch, &shared) in old.latches.iter().zip(&inner.shared_latches) {
            let edge = shared.map(|number| state[number]).unwrap_or_else(|| {
                let edge = aig.add_input();
                own.push((edge, latch));
                edge
            });
            leaves[position_of(&old.aig, latch.state.node())] = edge;
            if let Some(number) = shared {
                resets[number] = latch.reset;
            }
        }
        let mut roots: Vec<Edge> = own.iter().map(|(_, latch)| latch.next).collect();
        roots.extend(&old.constraints);
        roots.extend(&old.bads);
        let mut copied = aig.copy_cone(&old.aig, &roots, &mut |node| {
            leaves[position_of(&old.aig, node)]
        });
        let bads = copied.split_off(own.len() + old.constraints.len());
        witness.constraints.extend(copied.split_off(own.len()));
        witness.bads = vec![aig.or_all(bads)];
        for ((&state, &next), &reset) in state.iter().zip(&next).zip(&resets) {
            witness.latches.push(Latch { state, next, reset });
        }
        let mut shared_latches: Vec<Option<usize>> =
            cone.latches.iter().copied().map(Some).collect();
        for (&(state, latch), &next) in own.iter().zip(&copied) {
            let reset = latch.reset;
            witness.latches.push(Latch { state, next, reset });
            shared_latches.push(None);
        }
        let mut shared_inputs: Vec<Option<usize>> = cone.inputs.iter().copied().map(Some).collect();
        shared_inputs.extend(free.iter().map(|_| None));
        witness.inputs = inputs;
        witness.inputs.extend(free);
        witness.aig = aig;
        Certificate {
            witness,
            shared_inputs,
            shared_latches,
        }
    }
}

/// A relation between states and next states that is implied by every step, as a conjunction.
struct Approximation {
    /// The inputs are the latches of the cone, and then the same latches one step later.
    aig: Aig,
    parts: Vec<Edge>,
}

impl Approximation {
    /// The relation that allows all steps.
    fn new(any: &Unrolling<'_>) -> Self {
        let mut aig = Aig::new();
        for _ in 0..2 * any.initial().len() {
            aig.add_input();
        }
        Self {
            aig,
            parts: Vec::new(),
        }
    }

    /// Adds a consequence of a step, a formula of another graph over the same inputs.
    fn add(&mut self, from: &Aig, edge: Edge, compaction: Option<Budget>, stop: &Stop) {
        let part = adopt(&mut self.aig, from, edge, compaction, stop);
        if part != Edge::TRUE && !self.parts.contains(&part) {
            self.parts.push(part);
        }
    }

    /// The approximate system: the next states are inputs, and the relation is a constraint. The concrete
    /// constraints are required only in the step with the bad.
    ///
    /// Its inputs are the next states, then the inputs of the cone; its latches those of the cone.
    fn model(&self, concrete: &Model, any: &Unrolling<'_>) -> Model {
        let mut model = Model::default();
        let state: Vec<Edge> = any
            .initial()
            .iter()
            .map(|_| model.aig.add_input())
            .collect();
        let next: Vec<Edge> = any
            .initial()
            .iter()
            .map(|_| model.aig.add_input())
            .collect();
        let frame = &any.frames()[0];
        let inputs: Vec<Edge> = frame.inputs.iter().map(|_| model.aig.add_input()).collect();
        for ((&state, &next), &latch) in state.iter().zip(&next).zip(&any.cone().latches) {
            let reset = concrete.latches[latch].reset;
            model.latches.push(Latch { state, next, reset });
        }
        let mut of_step = vec![Edge::FALSE; any.aig().n_inputs()];
        for (&variable, &edge) in any.initial().iter().zip(&state) {
            of_step[position_of(any.aig(), variable.node())] = edge;
        }
        for (&variable, &edge) in frame.inputs.iter().zip(&inputs) {
            of_step[position_of(any.aig(), variable.node())] = edge;
        }
        let mut roots = frame.constraints.clone();
        roots.push(frame.bad);
        let bad = model.aig.copy_cone(any.aig(), &roots, &mut |node| {
            of_step[position_of(any.aig(), node)]
        });
        model.bads = vec![model.aig.and_all(bad)];
        let n_latches = state.len();
        model.constraints = model.aig.copy_cone(&self.aig, &self.parts, &mut |node| {
            let position = position_of(&self.aig, node);
            if position < n_latches {
                state[position]
            } else {
                next[position - n_latches]
            }
        });
        model.inputs = next;
        model.inputs.extend(inputs);
        model
    }
}
