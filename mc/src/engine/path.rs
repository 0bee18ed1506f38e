//! A bounded instance with a partition for each of its steps: one refutation of it gives an interpolant for
//! each step.

use craig_aig::{Aig, Edge};
use craig_itp::{Rule, sequence};
use craig_model::{Model, Stop, Trace, UnknownReason};
use craig_solver::encode::{ClauseSink, Encoder, Labelled};
use craig_solver::proof::{ProofDag, ProofLog};
use craig_solver::{Answer, Label, Lit, Options, Solver};

use super::links::Links;
use super::states::{Cut, States};
use super::{model_value, refutation, stop_of, why_stopped};
use crate::circuit::unroll::{Start, Unrolling};
use crate::control::{Control, listen_in};

/// A clause over the latches of a cone: the position of each latch, and whether its literal is negated.
pub(super) type LatchClause = Vec<(usize, bool)>;

/// Clauses or sets known to contain the states before each step, stated as a part of that step. Steps beyond
/// the end of a list get none.
#[derive(Clone, Copy)]
pub(super) enum Known<'a> {
    Nothing,
    /// One set of states for each step.
    Sets(&'a States, &'a [Edge]),
    /// Clauses for each step.
    Clauses(&'a [Vec<LatchClause>]),
    /// Of every step. This is a partition of its own, so that the interpolants of steps do not repeat it.
    Steps(KnownSteps<'a>),
}

/// Formulas implied by every step, and clauses of the states in which the runs begin.
#[derive(Clone, Copy)]
pub(super) struct KnownSteps<'a> {
    /// Its inputs are the latches of the cone, and then the same latches one step later.
    pub(super) aig: &'a Aig,
    /// Formulas that every step satisfies.
    pub(super) parts: &'a [Edge],
    /// Clauses that hold in the states in which the runs begin.
    pub(super) start: &'a [LatchClause],
}

/// What a step leads to.
#[derive(Clone, Copy)]
pub(super) enum Exit<'a> {
    /// It is the last one, in which the bad holds.
    Bad,
    /// The state of these variables.
    State(&'a Cut),
}

/// Adds one step of `any`, which is one step from a free state, with its constraints. The encoder is that of this step.
pub(super) fn add_step<S: ClauseSink>(
    any: &Unrolling<'_>,
    encoder: &mut Encoder,
    sink: &mut S,
    exit: Exit<'_>,
) {
    let frame = &any.frames()[0];
    add_constraints(any, encoder, sink);
    match exit {
        Exit::Bad => {
            let bad = encoder.encode_polarity(any.aig(), frame.bad, sink);
            sink.add_clause(&[bad]);
        }
        Exit::State(state) => {
            for (variable, position) in state.iter() {
                let exit = encoder.encode(any.aig(), any.state()[position], sink);
                sink.add_clause(&[!variable, exit]);
                sink.add_clause(&[variable, !exit]);
            }
        }
    }
}

/// Adds the constraints of a step.
fn add_constraints<S: ClauseSink>(any: &Unrolling<'_>, encoder: &mut Encoder, sink: &mut S) {
    for &constraint in &any.frames()[0].constraints {
        let lit = encoder.encode_polarity(any.aig(), constraint, sink);
        sink.add_clause(&[lit]);
    }
}

/// The variables of the latches that an encoded step of `any` reads.
pub(super) fn entry_of(any: &Unrolling<'_>, encoder: &Encoder) -> Cut {
    let entries = any.initial().iter().enumerate();
    Cut::new(
        entries
            .filter_map(|(position, &entry)| Some((encoder.literal(entry)?, position)))
            .collect(),
    )
}

/// The runs of exactly `depth` steps to the bad, from a reset state or from any.
///
/// Label 0 are the resets, label i + 1 is step i, label `depth + 1` is the bad in step `depth`, and label
/// `depth + 2` are the formulas known of every step, if they are stated. Partitions share only the variables
/// of the states between them: `cuts[i]` is the state before step i.
pub(super) struct Path<'a> {
    model: &'a Model,
    property: usize,
    any: &'a Unrolling<'a>,
    depth: usize,
    solver: Solver<ProofLog>,
    frames: Vec<Encoder>,
    links: Links,
    pub(super) cuts: Vec<Cut>,
}

/// The result of the query for such a run.
pub(super) enum Found {
    Run(Trace),
    Refutation(ProofDag),
}

impl<'a> Path<'a> {
    /// `any` is one step from a free state.
    pub(super) fn new(
        model: &'a Model,
        property: usize,
        any: &'a Unrolling<'a>,
        depth: usize,
        start: Start,
        known: Known<'_>,
        control: Control<'_>,
    ) -> Self {
        let mut solver = Solver::with_proof(Options::default(), ProofLog::new());
        listen_in(control.stop, &mut solver);
        let mut path = Self {
            model,
            property,
            any,
            depth,
            solver,
            frames: vec![Encoder::new(); depth + 1],
            links: Links::new(any.cone(), control),
            cuts: vec![Cut::default(); depth + 1],
        };
        // From the end, so that only latches on which the bad depends get variables.
        for step in (0..=depth).rev() {
            path.add_step(step, known);
        }
        if start == Start::Reset {
            path.add_resets();
        }
        if let Known::Steps(known) = known {
            path.state_steps(known);
        }
        path
    }

    /// Adds the formulas known of every step.
    fn state_steps(&mut self, known: KnownSteps<'_>) {
        let n_latches = self.any.initial().len();
        let mut sink = Labelled {
            sink: &mut self.solver,
            label: self.depth as Label + 2,
        };
        // Latches that are irrelevant after a cut have no variable in its partitions, but these formulas may
        // need one.
        let states: Vec<Vec<Lit>> = (self.cuts.iter())
            .map(|cut| {
                let mut lits = vec![None; n_latches];
                for (lit, position) in cut.iter() {
                    lits[position] = Some(lit);
                }
                let lits = lits.into_iter();
                lits.map(|lit| lit.unwrap_or_else(|| sink.new_var().positive()))
                    .collect()
            })
            .collect();
        for pair in states.windows(2) {
            let mut encoder = Encoder::new();
            for (&node, &lit) in known.aig.inputs().iter().zip(pair.iter().flatten()) {
                encoder.set(node, lit);
            }
            for &part in known.parts {
                let lit = encoder.encode_polarity(known.aig, part, &mut sink);
                sink.add_clause(&[lit]);
            }
        }
        for clause in known.start {
            let lits = clause.iter();
            let lits: Vec<Lit> = lits
                .map(|&(position, negated)| states[0][position].negate_if(negated))
                .collect();
            sink.add_clause(&lits);
        }
    }

    fn add_step(&mut self, step: usize, known: Known<'_>) {
        let any = self.any;
        let encoder = &mut self.frames[step];
        let mut sink = Labelled {
            sink: &mut self.solver,
            label: step as Label + 1,
        };
        match self.cuts.get(step + 1) {
            None => add_step(any, encoder, &mut sink, Exit::Bad),
            Some(cut) => {
                add_constraints(any, encoder, &mut sink);
                for (variable, position) in cut.iter() {
                    let exit = encoder.encode(any.aig(), any.state()[position], &mut sink);
                    let label = sink.label;
                    (self.links).add(label, position, [variable, exit], &mut *sink.sink);
                }
            }
        }
        match known {
            Known::Sets(states, sets) if step < sets.len() => {
                let lit = states.encode_polarity(sets[step], &mut sink, &mut |position, sink| {
                    encoder.encode(any.aig(), any.initial()[position], sink)
                });
                sink.add_clause(&[lit]);
            }
            Known::Clauses(clauses) if step < clauses.len() => {
                for clause in &clauses[step] {
                    let lits: Vec<Lit> = clause
                        .iter()
                        .map(|&(position, negated)| {
                            let state = any.initial()[position].negate_if(negated);
                            encoder.encode(any.aig(), state, &mut sink)
                        })
                        .collect();
                    sink.add_clause(&lits);
                }
            }
            Known::Nothing | Known::Sets(..) | Known::Clauses(..) | Known::Steps(..) => {}
        }
        self.cuts[step] = entry_of(any, encoder);
    }

    fn add_resets(&mut self) {
        for (lit, position) in self.cuts[0].iter() {
            let latch = self.any.cone().latches[position];
            if let Some(value) = self.model.latches[latch].reset.value() {
                self.solver.add_labelled_clause(&[lit.negate_if(!value)], 0);
            }
        }
    }

    pub(super) fn solve(&mut self, stop: &Stop) -> Result<Found, UnknownReason> {
        match self.links.solve(&mut self.solver) {
            Answer::Unknown => Err(why_stopped(stop)),
            Answer::Satisfiable => Ok(Found::Run(self.trace())),
            Answer::Unsatisfiable => refutation(&self.solver, stop).map(Found::Refutation),
        }
    }

    /// The sequence of interpolants of a refutation, as formulas of a graph whose input number i is latch
    /// number i of the cone: the one at index i holds of the states before step i + 1.
    pub(super) fn interpolants(
        &self,
        dag: &ProofDag,
        system: impl Into<Rule>,
        stop: &Stop,
    ) -> Result<(Aig, Vec<Edge>), UnknownReason> {
        let mut aig = Aig::new();
        let latches: Vec<Edge> = self.any.initial().iter().map(|_| aig.add_input()).collect();
        let labels: Vec<Label> = (1..=self.depth).map(|step| step as Label).collect();
        let mut leaf = |index: usize, var| {
            self.cuts[index + 1]
                .leaf(var, &latches)
                .expect("only the variables of its state are shared at a cut")
        };
        let asked = stop_of(stop);
        let edges = sequence(dag, &labels, system, &mut aig, &mut leaf, &asked)
            .map_err(|_| why_stopped(stop))?;
        Ok((aig, edges))
    }

    fn trace(&self) -> Trace {
        let value = |step: usize, edge| model_value(&self.solver, &self.frames[step], edge);
        let mut initial = self.any.initial_values(&|edge| value(0, edge));
        // A latch without a variable may have any value that agrees with its reset.
        for (latch, value) in self.model.latches.iter().zip(&mut initial) {
            *value = latch.reset.value().or(*value);
        }
        Trace {
            property: self.property,
            initial,
            inputs: (0..=self.depth)
                .map(|step| self.any.input_values(0, &|edge| value(step, edge)))
                .collect(),
        }
    }
}
