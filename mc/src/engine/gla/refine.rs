//! Whether the circuit has a run like that of an abstraction, and else the gates that exclude it.

use std::collections::{HashMap, HashSet};

use craig_aig::{Edge, Node, NodeId};
use craig_model::{
    Stop, Trace, UnknownReason,
    simulate::{replay_bads, violated_constraint},
};
use craig_solver::proof::{Origin, ProofLog};
use craig_solver::{Answer, Label, Limits, Lit, Options, Solver};

use super::abstraction::{Abstraction, Part, Visible};
use super::known::KnownValues;
use crate::control::listen_in;
use crate::engine::{refutation, up_to_bad, why_stopped};

/// What became of a run of an abstraction.
pub(super) enum Refinement {
    /// The circuit has this run to the bad.
    Run(Trace),
    /// With these parts visible as well, the run is none of the abstraction.
    Parts(Vec<Part>),
}

/// The most bytes that the known values of a run take.
const MOST_BYTES: usize = 1 << 29;
/// About the most definitions for one run.
const MOST_DEFINITIONS: usize = 4_000_000;
/// The number of definitions added between two queries.
const CHUNK: usize = 20_000;
/// The label of clauses that are no definition of a gate.
const GIVEN: Label = Label::MAX;

/// Decides what a run of the abstraction says of the circuit.
///
/// # Errors
/// If the control stops the work, or the run is too long to be examined.
pub(super) fn refine(
    visible: &Visible<'_>,
    abstraction: &Abstraction,
    trace: &Trace,
    stop: &Stop,
) -> Result<Refinement, UnknownReason> {
    if KnownValues::bytes(visible, trace.inputs.len()) > MOST_BYTES {
        return Err(UnknownReason::Bound(format!(
            "a run of an abstraction has {} steps, too many to examine",
            trace.depth()
        )));
    }
    let known = KnownValues::new(visible, abstraction, trace);
    Examination::new(visible, known, stop).run(abstraction, trace, stop)
}

/// The effort of [`refine_all`]. Measured (bench/records/circuits.md): with ten times as much, searches get stuck there.
const ALL_RUNS: Limits = Limits {
    conflicts: Some(20_000),
    propagations: Some(20_000_000),
};
/// [`refine_all`] is left out if the gates of all steps are more.
const MOST_OF_ALL_RUNS: usize = 1_000_000;

/// Decides whether the circuit has a run of exactly `depth` steps to the bad: as [`refine`] for all of them at once.
/// `None` if that takes too much.
///
/// # Errors
/// If the control stops the work.
pub(super) fn refine_all(
    visible: &Visible<'_>,
    depth: usize,
    stop: &Stop,
) -> Result<Option<Refinement>, UnknownReason> {
    let n_gates = visible.cone.ands.len().saturating_mul(depth + 1);
    if n_gates > MOST_OF_ALL_RUNS || KnownValues::bytes(visible, depth + 1) > MOST_BYTES {
        return Ok(None);
    }
    let known = KnownValues::nothing(visible, depth + 1);
    Examination::new(visible, known, stop).all(depth, stop)
}

struct Examination<'a> {
    visible: &'a Visible<'a>,
    known: KnownValues,
    /// The definitions, each with its node as label, those of constraints with their number after the nodes.
    solver: Solver<ProofLog>,
    /// The literal that is true.
    constant: Lit,
    /// The literals of defined nodes by step and node.
    literals: HashMap<(u32, NodeId), Lit>,
    n_definitions: usize,
}

impl<'a> Examination<'a> {
    fn new(visible: &'a Visible<'a>, known: KnownValues, stop: &Stop) -> Self {
        let mut solver = Solver::with_proof(Options::default(), ProofLog::new());
        listen_in(stop, &mut solver);
        let constant = solver.new_var().positive();
        solver.add_labelled_clause(&[constant], GIVEN);
        Self {
            visible,
            known,
            solver,
            constant,
            literals: HashMap::new(),
            n_definitions: 0,
        }
    }

    fn all(&mut self, depth: usize, stop: &Stop) -> Result<Option<Refinement>, UnknownReason> {
        let model = self.visible.model;
        let bad = self.literal(depth, model.bads[self.visible.property]);
        self.demand(bad, GIVEN);
        for step in 0..=depth {
            for (number, &constraint) in model.constraints.iter().enumerate() {
                let lit = self.literal(step, constraint);
                self.demand(lit, (model.aig.n_nodes() + number) as Label);
            }
        }
        self.solver.set_limits(ALL_RUNS);
        match self.solver.solve(&[]) {
            Answer::Unsatisfiable => self.parts(stop).map(Some),
            Answer::Satisfiable => {
                let run = self.concrete(depth + 1);
                Ok(Some(Refinement::Run(up_to_bad(model, run))))
            }
            Answer::Unknown => match stop.reason() {
                Some(reason) => Err(reason),
                None => Ok(None),
            },
        }
    }

    fn run(
        &mut self,
        abstraction: &Abstraction,
        trace: &Trace,
        stop: &Stop,
    ) -> Result<Refinement, UnknownReason> {
        let mut last = 0;
        // Each hidden node has the value that the run gives it. With known values for the operands, each of these
        // demands is a small formula; all of them together say that the circuit has such a run.
        for step in 0..trace.inputs.len() {
            for &node in &abstraction.hidden {
                if let Some(value) = self.known.of(step, node) {
                    let lit = self.define(step, node);
                    self.demand(lit.negate_if(!value), GIVEN);
                }
            }
            if self.n_definitions >= last + CHUNK || step + 1 == trace.inputs.len() {
                last = self.n_definitions;
                if self.solver.solve(&[]) == Answer::Unsatisfiable {
                    return self.parts(stop);
                }
                if let Some(reason) = stop.reason() {
                    return Err(reason);
                }
                if self.n_definitions > MOST_DEFINITIONS {
                    return Err(UnknownReason::Bound(format!(
                        "a run of an abstraction of {} steps depends on too many gates",
                        trace.depth()
                    )));
                }
            }
        }
        let model = self.visible.model;
        let mut demanded = HashSet::new();
        loop {
            match self.solver.solve(&[]) {
                Answer::Unknown => return Err(why_stopped(stop)),
                Answer::Unsatisfiable => return self.parts(stop),
                Answer::Satisfiable => {}
            }
            let run = self.concrete(trace.inputs.len());
            let replayed = replay_bads(model, &run).expect("the run fits its model");
            if replayed.bads[run.property].is_some() {
                return Ok(Refinement::Run(up_to_bad(model, run)));
            }
            // The values of the run imply the bad in its last step, so a constraint that is not visible fails.
            let (step, number) = violated_constraint(model, &run)
                .expect("the run fits its model")
                .filter(|place| demanded.insert(*place))
                .ok_or_else(|| {
                    debug_assert!(false, "the run has the bad and violates no constraint");
                    UnknownReason::Bound("a run of an abstraction was not understood".to_owned())
                })?;
            let lit = self.literal(step, model.constraints[number]);
            let label = (model.aig.n_nodes() + number) as Label;
            self.demand(lit, label);
        }
    }

    /// The parts that a refutation of the demands uses.
    fn parts(&self, stop: &Stop) -> Result<Refinement, UnknownReason> {
        let dag = refutation(&self.solver, stop)?;
        let n_nodes = self.visible.model.aig.n_nodes();
        let labels: HashSet<Label> = (dag.vertices())
            .filter_map(|vertex| match dag.origin(vertex) {
                Origin::Leaf { label } if label != GIVEN => Some(label),
                _ => None,
            })
            .collect();
        let mut parts: Vec<Part> = labels
            .into_iter()
            .map(|label| match (label as usize).checked_sub(n_nodes) {
                None => Part::Node(label),
                Some(number) => Part::Constraint(number),
            })
            .collect();
        parts.sort_unstable();
        Ok(Refinement::Parts(parts))
    }

    fn demand(&mut self, lit: Lit, label: Label) {
        self.solver.add_labelled_clause(&[lit], label);
    }

    /// The literal of a formula in a step: the known value, or what the circuit defines.
    fn literal(&mut self, step: usize, edge: Edge) -> Lit {
        let lit = match self.known.of(step, edge.node()) {
            Some(value) => self.constant.negate_if(!value),
            None => self.define(step, edge.node()),
        };
        lit.negate_if(edge.is_negated())
    }

    /// The literal of a node in a step as the circuit defines it over known values, inputs and the first state.
    fn define(&mut self, step: usize, node: NodeId) -> Lit {
        let mut open = vec![(step, node)];
        while let Some(&(step, node)) = open.last() {
            if self.literals.contains_key(&(step as u32, node)) {
                open.pop();
                continue;
            }
            let before = open.len();
            for (step, operand) in self.operands(step, node).into_iter().flatten() {
                let is_defined = self.literals.contains_key(&(step as u32, operand.node()));
                if !is_defined && self.known.of(step, operand.node()).is_none() {
                    open.push((step, operand.node()));
                }
            }
            if open.len() == before {
                open.pop();
                self.add_definition(step, node);
            }
        }
        self.literals[&(step as u32, node)]
    }

    /// What a node's value in a step is computed from, with the steps.
    fn operands(&self, step: usize, node: NodeId) -> [Option<(usize, Edge)>; 2] {
        match self.visible.model.aig.node(node) {
            Node::And(left, right) => [Some((step, left)), Some((step, right))],
            Node::Constant => [None; 2],
            Node::Input(_) => match (self.visible.latch(node), step.checked_sub(1)) {
                (Some(number), Some(last)) => {
                    [Some((last, self.visible.model.latches[number].next)), None]
                }
                _ => [None; 2],
            },
        }
    }

    /// Adds a variable for a node whose operands have literals.
    fn add_definition(&mut self, step: usize, node: NodeId) {
        self.n_definitions += 1;
        let own = self.solver.new_var().positive();
        let operands = self.operands(step, node);
        let operands = operands.map(|it| it.map(|(step, edge)| self.literal(step, edge)));
        let mut add = |lits: &[Lit]| self.solver.add_labelled_clause(lits, node);
        match operands {
            [Some(left), Some(right)] => {
                add(&[!own, left]);
                add(&[!own, right]);
                add(&[own, !left, !right]);
            }
            [Some(next), None] | [None, Some(next)] => {
                add(&[!own, next]);
                add(&[own, !next]);
            }
            [None, None] => {
                let latch = self.visible.latch(node);
                let reset = latch.and_then(|it| self.visible.model.latches[it].reset.value());
                if let Some(value) = reset {
                    add(&[own.negate_if(!value)]);
                }
            }
        }
        self.literals.insert((step as u32, node), own);
    }

    /// The run of the circuit with the given and the found values of inputs, and of latches at the beginning.
    fn concrete(&self, n_steps: usize) -> Trace {
        let model = self.visible.model;
        let value = |step: usize, node: NodeId| {
            let found = self.literals.get(&(step as u32, node));
            let found = found.and_then(|&lit| self.solver.value(lit));
            // Of every value: a hidden constraint may depend on one that the abstraction leaves open.
            Some(self.known.of(step, node).or(found).unwrap_or(false))
        };
        let latches = model.latches.iter();
        let initial = latches
            .map(|latch| {
                let reset = latch.reset.value();
                reset.or_else(|| value(0, latch.state.node()))
            })
            .collect();
        let inputs = (0..n_steps)
            .map(|step| {
                let inputs = model.inputs.iter();
                inputs.map(|input| value(step, input.node())).collect()
            })
            .collect();
        Trace {
            property: self.visible.property,
            initial,
            inputs,
        }
    }
}
