//! k-induction (M. Sheeran, S. Singh, G. Stålmarck, "Checking safety properties using induction and a
//! SAT-solver", FMCAD 2000), incremental in the base case and in the step (N. Eén, N. Sörensson, "Temporal
//! induction by incremental SAT solving", 2003), with simple-path constraints added where a model of
//! the step repeats a state.
//!
//! A proof without simple-path constraints has a witness circuit: the model with a history of its last k
//! steps. Invariants shared by other engines strengthen the step; if the proof depends on them, their
//! negation is added to the bad of the witness circuit. For proofs that need simple-path constraints no such
//! circuit is known; then PDR computes an invariant, and its answer is the result.

use std::sync::Arc;

use craig_aig::Edge;
use craig_model::{
    Certificate, Latch, Model, Outcome, Reset, Stop, UnknownReason, Verdict, cone::SequentialCone,
};
use craig_solver::encode::Encoder;
use craig_solver::{Answer, Lit, Solver};

use super::entry::Engine;
use super::options::MAX_DEPTH;
use super::{model_value, pdr, why_stopped};
use crate::circuit::unroll::{Frame, Start, Unrolling};
use crate::control::{Control, StateClause, listen_in};
use crate::engine::posed;

/// The engine's name.
pub const NAME: &str = "kind";

/// The options of the engine.
#[derive(Clone, Debug)]
pub struct Options {
    /// The largest k to try; `None` for no limit.
    pub max_depth: Option<usize>,
    /// Whether simple-path constraints may be added.
    pub simple_path: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            max_depth: None,
            simple_path: true,
        }
    }
}

/// The registration of the engine.
pub(super) const ENGINE: Engine = Engine {
    name: NAME,
    text: "k-induction with simple paths",
    is_shortest: true,
    options: &[&MAX_DEPTH],
    build: |settings| {
        let options = Options {
            max_depth: settings.count(&MAX_DEPTH),
            ..Options::default()
        };
        Arc::new(move |model, property, control| check(model, property, &options, control))
    },
};

/// Tries to prove by k-induction for growing k that bad number `property` is unreachable, or finds the
/// shortest run to it.
///
/// # Panics
/// If the model has no such bad.
#[must_use]
pub fn check(model: &Model, property: usize, options: &Options, control: Control<'_>) -> Outcome {
    posed((model, property), control, |model, control| {
        decide(model, property, options, control)
    })
}

/// As `check`, for a model without reset functions.
fn decide(model: &Model, property: usize, options: &Options, control: Control<'_>) -> Outcome {
    let mut base = Side::new(model, property, Start::Reset, control.stop);
    let mut step = Side::new(model, property, Start::Free, control.stop);
    let mut distinct = Distinct::new(&mut step.solver);
    let mut strength = Strength::new(&mut step.solver);
    let mut depth = 0;
    let verdict = loop {
        if options.max_depth.is_some_and(|last| depth > last) {
            break Verdict::Unknown(UnknownReason::Bound(format!(
                "not inductive over {depth} steps"
            )));
        }
        if let Some(reason) = control.stop.reason() {
            break Verdict::Unknown(reason);
        }
        // The bad is unreachable in steps 0 to depth - 1. Check whether this implies all later steps.
        step.push_frame();
        strength.extend(&mut step, control);
        match prove_step(&mut step, &mut distinct, &strength, options) {
            Step::Proved { leaning } => {
                let invariants: &[StateClause] = if leaning { &strength.clauses } else { &[] };
                break Verdict::Safe(Box::new(certificate(model, property, depth, invariants)));
            }
            Step::ProvedOnSimplePaths => {
                control.listener.note(NAME, || {
                    format!(
                        "proved over simple paths of {depth} steps; PDR computes the certificate"
                    )
                });
                let outcome = pdr::check(model, property, &pdr::Options::default(), control);
                depth = depth.max(outcome.depth);
                break outcome.verdict;
            }
            Step::Stopped => break Verdict::Unknown(why_stopped(control.stop)),
            Step::Open => {}
        }
        base.push_frame();
        // Skip the query if another engine has proved this step.
        let answer = if control.board.known_depth() > depth {
            Answer::Unsatisfiable
        } else {
            base.solve_bad(&[])
        };
        match answer {
            Answer::Satisfiable => {
                let value = |edge| model_value(&base.solver, &base.encoder, edge);
                break Verdict::Unsafe(base.unrolling.trace(depth, &value));
            }
            Answer::Unsatisfiable => {}
            Answer::Unknown => break Verdict::Unknown(why_stopped(control.stop)),
        }
        base.exclude_bad();
        step.exclude_bad();
        depth += 1;
        control.report_depth(NAME, depth);
    };
    Outcome {
        verdict,
        engine: NAME,
        depth,
    }
}

/// One of the two unrollings, with its solver. Constraints hold in all frames; the bad is excluded from all
/// but the last.
struct Side<'a> {
    unrolling: Unrolling<'a>,
    solver: Solver,
    encoder: Encoder,
    bad: Edge,
    /// The latches of the cone at the beginning of each frame.
    states: Vec<Vec<Edge>>,
}

impl<'a> Side<'a> {
    fn new(model: &'a Model, property: usize, start: Start, stop: &Stop) -> Self {
        let mut solver = Solver::new();
        listen_in(stop, &mut solver);
        Self {
            unrolling: Unrolling::new(model, property, start),
            solver,
            encoder: Encoder::new(),
            bad: Edge::FALSE,
            states: Vec::new(),
        }
    }

    fn literal(&mut self, edge: Edge) -> Lit {
        self.encoder
            .encode(self.unrolling.aig(), edge, &mut self.solver)
    }

    fn push_frame(&mut self) {
        self.states.push(self.unrolling.state().to_vec());
        let frame = self.unrolling.push_frame();
        self.bad = frame.bad;
        for constraint in frame.constraints.clone() {
            let constraint = self.literal(constraint);
            self.solver.add_clause(&[constraint]);
        }
    }

    fn solve_bad(&mut self, assumptions: &[Lit]) -> Answer {
        let mut all = assumptions.to_vec();
        all.push(self.literal(self.bad));
        self.solver.solve(&all)
    }

    fn exclude_bad(&mut self) {
        let bad = self.literal(self.bad);
        self.solver.add_clause(&[!bad]);
    }
}

enum Step {
    /// The proof may depend on shared invariants.
    Proved {
        leaning: bool,
    },
    ProvedOnSimplePaths,
    Open,
    Stopped,
}

/// The simple-path constraints, and the literal that activates them.
struct Distinct {
    switch: Lit,
    /// The literals of the latches at the beginning of each frame.
    states: Vec<Vec<Lit>>,
}

impl Distinct {
    fn new(solver: &mut Solver) -> Self {
        Self {
            switch: solver.new_var().positive(),
            states: Vec::new(),
        }
    }

    /// Two frames with the same first state in the solver's model.
    fn repetition(&self, solver: &Solver) -> Option<(usize, usize)> {
        let value = |lit: &Lit| solver.value(*lit).unwrap_or(false);
        let mut keyed: Vec<(Vec<bool>, usize)> = self
            .states
            .iter()
            .enumerate()
            .map(|(frame, state)| (state.iter().map(value).collect(), frame))
            .collect();
        keyed.sort_unstable();
        keyed
            .windows(2)
            .find(|pair| pair[0].0 == pair[1].0)
            .map(|pair| (pair[0].1, pair[1].1))
    }

    /// Adds the constraint that two frames begin in different states.
    fn separate(&self, solver: &mut Solver, left: usize, right: usize) {
        let mut some = vec![!self.switch];
        for (&left, &right) in self.states[left].iter().zip(&self.states[right]) {
            if left == right {
                continue;
            }
            let differs = solver.new_var().positive();
            solver.add_clause(&[!differs, left, right]);
            solver.add_clause(&[!differs, !left, !right]);
            some.push(differs);
        }
        solver.add_clause(&some);
    }
}

/// The invariants shared by other engines, and the literal that activates them in all frames of the step.
struct Strength {
    switch: Lit,
    clauses: Vec<StateClause>,
}

impl Strength {
    fn new(solver: &mut Solver) -> Self {
        Self {
            switch: solver.new_var().positive(),
            clauses: Vec::new(),
        }
    }

    /// Adds the known invariants in the last frame, and new ones in all frames.
    fn extend(&mut self, step: &mut Side<'_>, control: Control<'_>) {
        let known = self.clauses.len();
        self.clauses.extend(control.board.invariants(known));
        let last = step.states.len() - 1;
        for (index, clause) in self.clauses.iter().enumerate() {
            let first = if index < known { last } else { 0 };
            for frame in first..=last {
                let mut lits = vec![!self.switch];
                for &(latch, value) in clause {
                    // Clauses over latches outside the cone are skipped.
                    let Ok(place) = step.unrolling.cone().latches.binary_search(&latch) else {
                        lits.clear();
                        break;
                    };
                    lits.push(step.literal(step.states[frame][place].negate_if(!value)));
                }
                if !lits.is_empty() {
                    step.solver.add_clause(&lits);
                }
            }
        }
    }
}

/// Whether the bad can hold in the last frame of the step.
fn prove_step(
    step: &mut Side<'_>,
    distinct: &mut Distinct,
    strength: &Strength,
    options: &Options,
) -> Step {
    if options.simple_path {
        let state = step.states[step.states.len() - 1].clone();
        let state = state.into_iter().map(|edge| step.literal(edge)).collect();
        distinct.states.push(state);
    }
    loop {
        match step.solve_bad(&[strength.switch, distinct.switch]) {
            Answer::Unknown => return Step::Stopped,
            Answer::Satisfiable => match distinct.repetition(&step.solver) {
                Some((left, right)) => distinct.separate(&mut step.solver, left, right),
                None => return Step::Open,
            },
            Answer::Unsatisfiable => {
                let leaning = step.solver.failed_assumptions().contains(&strength.switch);
                // The core contains the activation literal, perhaps unnecessarily: repeat the query without
                // it.
                if !step.solver.failed_assumptions().contains(&distinct.switch) {
                    return Step::Proved { leaning };
                }
                return match step.solve_bad(&[strength.switch]) {
                    Answer::Unsatisfiable => Step::Proved {
                        leaning: step.solver.failed_assumptions().contains(&strength.switch),
                    },
                    Answer::Satisfiable => Step::ProvedOnSimplePaths,
                    Answer::Unknown => Step::Stopped,
                };
            }
        }
    }
}

/// One step in a witness circuit, over variables of its own.
struct Copy {
    frame: Frame,
    states: Vec<Edge>,
    nexts: Vec<Edge>,
}

/// The witness circuit of a proof by `depth`-induction (the construction of Certifaiger's k-induction
/// witnesses) that depends on `invariants`, which are inductive together.
///
/// The negations of the invariants are part of the bad: together with the absence of the bad they are
/// `depth`-inductive.
///
/// It extends the model by latches that hold the inputs and latches of the last `depth` - 1 steps, and by a
/// valid bit for each of those steps. Its bad is that the bad holds now, or that the history is inconsistent:
/// a recorded step with the bad or without the constraints, two steps that are not consecutive, a gap, or a
/// history that begins in a state that is not initial.
pub(super) fn certificate(
    model: &Model,
    property: usize,
    depth: usize,
    invariants: &[StateClause],
) -> Certificate {
    let mut strengthened = model.clone();
    let clauses: Vec<Edge> = invariants
        .iter()
        .map(|clause| {
            let lits = clause.iter();
            let lits = lits.map(|&(latch, value)| model.latches[latch].state.negate_if(!value));
            strengthened.aig.or_all(lits)
        })
        .collect();
    let invariant = strengthened.aig.and_all(clauses);
    if depth <= 1 {
        return Certificate::from_invariant(&strengthened, property, invariant);
    }
    let bad = model.bads[property];
    strengthened.bads[property] = strengthened.aig.or(bad, !invariant);
    History::new(&strengthened, property, depth).certificate()
}

/// The witness circuit with the last steps of a model.
struct History<'a> {
    model: &'a Model,
    property: usize,
    depth: usize,
    cone: SequentialCone,
    witness: Model,
    /// Copy 0 is the current step; copy i is i steps old.
    copies: Vec<Copy>,
    /// By age: whether there is a step as old as that.
    valid: Vec<Edge>,
}

impl<'a> History<'a> {
    fn new(model: &'a Model, property: usize, depth: usize) -> Self {
        Self {
            model,
            property,
            depth,
            cone: SequentialCone::of_property(model, property),
            witness: Model::default(),
            copies: Vec::with_capacity(depth),
            valid: vec![Edge::TRUE],
        }
    }

    fn certificate(mut self) -> Certificate {
        self.add_copies();
        self.witness.inputs.clone_from(&self.copies[0].frame.inputs);
        self.add_latches();
        self.add_held();
        self.add_valid();
        let bad = self.bad();
        self.witness.bads = vec![bad];
        let constraints = &self.copies[0].frame.constraints;
        self.witness.constraints.clone_from(constraints);
        let mut shared_latches: Vec<Option<usize>> =
            self.cone.latches.iter().copied().map(Some).collect();
        shared_latches.resize(self.witness.latches.len(), None);
        Certificate {
            shared_inputs: self.cone.inputs.iter().copied().map(Some).collect(),
            shared_latches,
            witness: self.witness,
        }
    }

    /// The gates of each step.
    fn add_copies(&mut self) {
        let mut images = vec![Edge::FALSE; self.model.aig.n_nodes()];
        for _ in 0..self.depth {
            let aig = &mut self.witness.aig;
            let inputs: Vec<Edge> = self.cone.inputs.iter().map(|_| aig.add_input()).collect();
            let states: Vec<Edge> = self.cone.latches.iter().map(|_| aig.add_input()).collect();
            let subject = (self.model, self.property, &self.cone);
            let (frame, nexts) = Frame::build(subject, inputs, &states, aig, &mut images);
            self.copies.push(Copy {
                frame,
                states,
                nexts,
            });
        }
    }

    /// The latches of the model.
    fn add_latches(&mut self) {
        for (position, &number) in self.cone.latches.iter().enumerate() {
            self.witness.latches.push(Latch {
                state: self.copies[0].states[position],
                next: self.copies[0].nexts[position],
                reset: self.model.latches[number].reset,
            });
        }
    }

    /// Latches that hold the inputs and latches of each older step.
    fn add_held(&mut self) {
        for pair in self.copies.windows(2) {
            let [new, old] = pair else { continue };
            let held = old.frame.inputs.iter().chain(&old.states);
            let newer = new.frame.inputs.iter().chain(&new.states);
            for (&state, &next) in held.zip(newer) {
                self.witness.latches.push(Latch {
                    state,
                    next,
                    reset: Reset::Uninitialised,
                });
            }
        }
    }

    /// A latch for each older step that says whether there is one.
    fn add_valid(&mut self) {
        for age in 1..self.depth {
            let state = self.witness.aig.add_input();
            self.witness.latches.push(Latch {
                state,
                next: self.valid[age - 1],
                reset: Reset::Zero,
            });
            self.valid.push(state);
        }
    }

    /// The bad holds now, or the history is inconsistent.
    fn bad(&mut self) -> Edge {
        let aig = &mut self.witness.aig;
        let mut wrong = vec![self.copies[0].frame.bad];
        for age in 1..self.depth {
            let (old, new) = (&self.copies[age], &self.copies[age - 1]);
            let allowed = aig.and_all(old.frame.constraints.iter().copied());
            let harmless = aig.and(allowed, !old.frame.bad);
            let follows: Vec<Edge> = (old.nexts.iter().zip(&new.states))
                .map(|(&next, &state)| aig.iff(next, state))
                .collect();
            let follows = aig.and_all(follows);
            let initial: Vec<Edge> = (self.cone.latches.iter().zip(&new.states))
                .filter_map(|(&number, &state)| {
                    let value = self.model.latches[number].reset.value()?;
                    Some(state.negate_if(!value))
                })
                .collect();
            let initial = aig.and_all(initial);
            let good = aig.and_all([harmless, follows, self.valid[age - 1]]);
            wrong.push(aig.and(self.valid[age], !good));
            let begins = aig.and(self.valid[age - 1], !self.valid[age]);
            wrong.push(aig.and(begins, !initial));
        }
        aig.or_all(wrong)
    }
}
