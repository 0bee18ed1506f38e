//! Steps of a circuit as clauses, cut between the steps.

use craig_aig::Edge;
use craig_hardware::aiger::AigerModel;
use craig_model::{Model, Reset};
use craig_solver::encode::{Encoder, Labelled};
use craig_solver::{Cnf, Label, Lit};
use pyo3::prelude::*;

use crate::errors::{Error, argument};
use crate::literals::clauses;
use crate::model::{Circuit, Content};

/// The clauses, the part of each, and by step the variables of latches and inputs.
type Unrolled = (Vec<Vec<i32>>, Vec<Label>, Vec<Vec<i32>>, Vec<Vec<i32>>);

/// The clauses that a bad holds in step `bound` of a run whose constraints hold until then. Part `k` is step `k`: two
/// steps share the variables of the latches between them, and nothing else.
#[pyfunction]
pub(crate) fn unroll(circuit: &Circuit, property: usize, bound: usize) -> PyResult<Unrolled> {
    if let Content::Words(words) = circuit.content()
        && let Some(reason) = &words.refusal
    {
        return Err(Error::new_err(format!(
            "the circuit has no bits to be unrolled: {reason}"
        )));
    }
    let AigerModel { model, .. } = circuit.numbered();
    model.validate().map_err(|error| argument(&error))?;
    if property >= model.bads.len() {
        let n_bads = model.bads.len();
        return Err(argument(&format!(
            "there is no bad {property}: the circuit has {n_bads}"
        )));
    }
    if model.has_reset_functions() {
        return Err(Error::new_err(
            "latches that start at the value of a formula are not unrolled",
        ));
    }
    Label::try_from(bound).map_err(|error| argument(&error))?;
    Ok(Unrolling::new(&model).run(property, bound))
}

struct Unrolling<'a> {
    model: &'a Model,
    cnf: Cnf,
    latches: Vec<Vec<Lit>>,
    inputs: Vec<Vec<Lit>>,
}

impl<'a> Unrolling<'a> {
    fn new(model: &'a Model) -> Self {
        Self {
            model,
            cnf: Cnf::new(),
            latches: Vec::new(),
            inputs: Vec::new(),
        }
    }

    fn fresh(&mut self, n_vars: usize) -> Vec<Lit> {
        let first = self.cnf.n_vars();
        self.cnf.reserve_vars(first + n_vars);
        (first..first + n_vars)
            .map(|index| craig_solver::Var::new(index).positive())
            .collect()
    }

    fn run(mut self, property: usize, bound: usize) -> Unrolled {
        let model = self.model;
        let mut state = self.fresh(model.latches.len());
        for (latch, &lit) in model.latches.iter().zip(&state) {
            match latch.reset {
                Reset::Zero => self.cnf.add_labelled_clause(&[!lit], 0),
                Reset::One => self.cnf.add_labelled_clause(&[lit], 0),
                Reset::Uninitialised | Reset::Function(_) => {}
            }
        }
        for step in 0..=bound {
            let inputs = self.fresh(model.inputs.len());
            let next = match step < bound {
                true => self.fresh(model.latches.len()),
                false => Vec::new(),
            };
            self.step(
                step as Label,
                &state,
                &inputs,
                &next,
                (step == bound).then_some(property),
            );
            self.latches.push(std::mem::replace(&mut state, next));
            self.inputs.push(inputs);
        }
        let parts = self.cnf.iter().map(|(_, label)| label).collect();
        let numbers = |steps: &[Vec<Lit>]| {
            steps
                .iter()
                .map(|lits| crate::literals::numbers(lits))
                .collect()
        };
        (
            clauses(&self.cnf),
            parts,
            numbers(&self.latches),
            numbers(&self.inputs),
        )
    }

    /// Adds a step: its constraints, the latches after it, and for the last one the bad.
    fn step(
        &mut self,
        label: Label,
        state: &[Lit],
        inputs: &[Lit],
        next: &[Lit],
        bad: Option<usize>,
    ) {
        let model = self.model;
        let mut encoder = Encoder::new();
        let states = model.latches.iter().map(|latch| latch.state);
        for (edge, &lit) in states
            .zip(state)
            .chain(model.inputs.iter().copied().zip(inputs))
        {
            encoder.set(edge.node(), lit);
        }
        let mut sink = Labelled {
            sink: &mut self.cnf,
            label,
        };
        let mut literal =
            |sink: &mut Labelled<'_, Cnf>, edge: Edge| encoder.encode(&model.aig, edge, sink);
        for &constraint in &model.constraints {
            let lit = literal(&mut sink, constraint);
            sink.sink.add_labelled_clause(&[lit], label);
        }
        for (latch, &after) in model.latches.iter().zip(next) {
            let lit = literal(&mut sink, latch.next);
            sink.sink.add_labelled_clause(&[!after, lit], label);
            sink.sink.add_labelled_clause(&[after, !lit], label);
        }
        if let Some(property) = bad {
            let lit = literal(&mut sink, model.bads[property]);
            sink.sink.add_labelled_clause(&[lit], label);
        }
    }
}
