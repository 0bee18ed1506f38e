//! Checks traces.

use craig_solver::aig::Edge;

use super::error::CertifyError;
use super::gates::{Gate, Gates};
use super::source::{Circuit, bad_of, checked_model};
use super::valuation::{Valuation, first_step};
use crate::circuit::model::Model;
use crate::circuit::verdict::Trace;

/// Checks a trace for bad number `property` of a circuit: for all values that the trace leaves open, the bad
/// has to hold in some step, with all constraints satisfied up to and including that step. A latch with a
/// reset starts at that reset if the trace leaves it open.
///
/// Returns the first step by which the bad holds for all open values; the trace may be longer.
///
/// # Errors
/// If this does not hold.
pub fn certify_trace<C: Circuit + ?Sized>(
    circuit: &C,
    property: usize,
    trace: &Trace,
) -> Result<usize, CertifyError> {
    let model = checked_model(circuit)?;
    certify_run(model, &[bad_of(model, property)?], trace)
}

/// The same for the disjunction of all bads of a circuit, which may be a different bad for different open
/// values.
///
/// # Errors
/// If this does not hold.
pub fn certify_any<C: Circuit + ?Sized>(circuit: &C, trace: &Trace) -> Result<usize, CertifyError> {
    let model = checked_model(circuit)?;
    certify_run(model, &model.bads, trace)
}

fn certify_run(model: &Model, bads: &[Edge], trace: &Trace) -> Result<usize, CertifyError> {
    if trace.initial.len() != model.latches.len() {
        return Err(CertifyError::Shape(format!(
            "the initial state has {} values, but the model has {} latches",
            trace.initial.len(),
            model.latches.len()
        )));
    }
    let mut gates = Gates::new();
    let Some(first_inputs) = trace.inputs.first() else {
        return Err(CertifyError::TraceBad);
    };
    let mut given = first_step(&mut gates, model, &trace.initial, first_inputs)?;
    let mut constraints_so_far = Gates::TRUE;
    let mut shown = Gates::FALSE;
    for (step, inputs) in trace.inputs.iter().enumerate() {
        if inputs.len() != model.inputs.len() {
            return Err(CertifyError::Shape(format!(
                "step {step} has {} values, but the model has {} inputs",
                inputs.len(),
                model.inputs.len()
            )));
        }
        if step > 0 {
            for (input, value) in model.inputs.iter().zip(inputs) {
                given[input.node() as usize] = value.map(Gate::from);
            }
        }
        let values = Valuation::new(&mut gates, model, &given);
        for &constraint in &model.constraints {
            constraints_so_far = gates.and(constraints_so_far, values.at(constraint));
        }
        let bads = bads.iter();
        let bad = bads.fold(Gates::FALSE, |any, &bad| gates.or(any, values.at(bad)));
        let counts = gates.and(constraints_so_far, bad);
        shown = gates.or(shown, counts);
        // The solver is only needed if the formula depends on open values.
        if shown == Gates::TRUE
            || counts != Gates::FALSE
                && !gates
                    .satisfiable(&[shown ^ 1], &[Gates::TRUE])
                    .map_err(CertifyError::Solver)?
        {
            return Ok(step);
        }
        if constraints_so_far == Gates::FALSE {
            break;
        }
        for latch in &model.latches {
            given[latch.state.node() as usize] = Some(values.at(latch.next));
        }
    }
    Err(CertifyError::TraceBad)
}
