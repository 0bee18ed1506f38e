//! Checks lassos.

use craig_model::{Lasso, Model};

use super::equivalence::checked_model;
use super::error::CertifyError;
use super::gate::Gate;
use super::gates::Gates;
use super::source::Circuit;
use super::valuation::{Cone, Valuation, first_step};

/// Checks a lasso of a circuit, for all values that it leaves open: it starts in a reset state, satisfies the
/// constraints in every step, ends in the state in which its loop starts, and meets in the loop every fairness
/// literal and every literal of the property. A latch with a reset starts there if the lasso leaves it open.
///
/// # Errors
/// If this does not hold.
pub fn certify_lasso<C: Circuit + ?Sized>(circuit: &C, lasso: &Lasso) -> Result<(), CertifyError> {
    let model = checked_model(circuit)?;
    if lasso.property >= model.justice.len() {
        let message = format!("the model has no justice property {}", lasso.property);
        return Err(CertifyError::Shape(message));
    }
    if lasso.initial.len() != model.latches.len() {
        return Err(CertifyError::Shape(format!(
            "the initial state has {} values, but the model has {} latches",
            lasso.initial.len(),
            model.latches.len()
        )));
    }
    if lasso.loop_start >= lasso.inputs.len() {
        return Err(CertifyError::Lasso("the loop has no steps".to_owned()));
    }
    check(model, lasso)
}

fn check(model: &Model, lasso: &Lasso) -> Result<(), CertifyError> {
    let mut gates = Gates::new();
    let mut given = first_step(&mut gates, model, &lasso.initial, &lasso.inputs[0])?;
    // A loop is closed if all latches have their values of its start.
    let cone = Cone::all(&model.aig);
    let literals = model.justice_literals(lasso.property);
    let mut is_met = vec![Gates::FALSE; literals.len()];
    let mut loop_state: Vec<Option<Gate>> = Vec::new();
    for (step, inputs) in lasso.inputs.iter().enumerate() {
        let state = |given: &[Option<Gate>]| {
            let latches = model.latches.iter();
            latches
                .map(|latch| given[latch.state.node() as usize])
                .collect()
        };
        if step == lasso.loop_start {
            loop_state = state(&given);
        }
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
        let values = Valuation::new(&mut gates, &model.aig, &cone, cone.pairs(&given));
        for (number, &constraint) in model.constraints.iter().enumerate() {
            let text = || format!("constraint {number} is violated in step {step}");
            valid(&gates, values.at(constraint), text)?;
        }
        if step >= lasso.loop_start {
            for (is_met, &literal) in is_met.iter_mut().zip(&literals) {
                *is_met = gates.or(*is_met, values.at(literal));
            }
        }
        for latch in &model.latches {
            given[latch.state.node() as usize] = Some(values.at(latch.next));
        }
    }
    for (number, (latch, start)) in model.latches.iter().zip(loop_state).enumerate() {
        let [start, end] = [start, given[latch.state.node() as usize]];
        let same = gates.iff(start.unwrap_or(Gates::FALSE), end.unwrap_or(Gates::FALSE));
        valid(&gates, same, || {
            format!("the loop is not closed: latch {number} differs")
        })?;
    }
    for (number, &is_met) in is_met.iter().enumerate() {
        valid(&gates, is_met, || {
            match number.checked_sub(model.fairness.len()) {
                None => format!("fairness literal {number} does not hold in the loop"),
                Some(own) => format!("literal {own} of the property does not hold in the loop"),
            }
        })?;
    }
    Ok(())
}

/// Checks that a formula holds for all open values. The solver is only needed if it depends on them.
fn valid(gates: &Gates, gate: Gate, text: impl Fn() -> String) -> Result<(), CertifyError> {
    let fails = match gate {
        Gates::TRUE => false,
        Gates::FALSE => true,
        _ => (gates.satisfiable(&[gate ^ 1], &[Gates::TRUE])).map_err(CertifyError::Solver)?,
    };
    if fails {
        return Err(CertifyError::Lasso(text()));
    }
    Ok(())
}
