//! Checks traces.

use craig_aig::{Edge, NodeId};
use craig_model::{Latch, Model, Trace};

use super::equivalence::{bad_of, checked_model};
use super::error::CertifyError;
use super::gate::Gate;
use super::gates::Gates;
use super::source::Circuit;
use super::valuation::{Cone, Valuation, first_step};

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

/// As [`certify_trace`] for the disjunction of all bads of a circuit, which may be a different bad for different open
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
    let first = first_step(&mut gates, model, &trace.initial, first_inputs)?;
    let cone = Cone::of_runs(model, bads.iter().chain(&model.constraints).copied());
    // The inputs and latches of the cone, by number.
    let inputs_of_cone: Vec<usize> = (0..model.inputs.len())
        .filter(|&number| cone.contains(model.inputs[number]))
        .collect();
    let latches_of_cone: Vec<&Latch> = (model.latches.iter())
        .filter(|latch| cone.contains(latch.state))
        .collect();
    let mut given: Vec<(NodeId, Gate)> = cone.pairs(&first).collect();
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
            given.extend((inputs_of_cone.iter()).filter_map(|&number| {
                Some((model.inputs[number].node(), Gate::from(inputs[number]?)))
            }));
        }
        let values = Valuation::new(&mut gates, &model.aig, &cone, given.drain(..));
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
        let latches = latches_of_cone.iter();
        given.extend(latches.map(|latch| (latch.state.node(), values.at(latch.next))));
    }
    Err(CertifyError::TraceBad)
}
