//! Lassos of the model as it was read.

use std::collections::HashMap;

use craig_model::{Lasso, Model, Stop, Trace, Values, simulate::Simulator};

/// A loop is gone round as long as all values that are stored are fewer than this.
const MOST_VALUES: usize = 1 << 26;

/// The lasso for property number `property` from a run of the model, whose steps from number `loop_start` on
/// form a loop of a part of the model: repeats the loop until all latches repeat. `None` if they do not soon
/// enough, or if the loop then does not show that the property fails.
pub(super) fn closed(
    model: &Model,
    property: usize,
    run: &Trace,
    loop_start: usize,
    stop: &Stop,
) -> Option<Lasso> {
    let initial = &run.initial[..model.latches.len()];
    // `Resets` has replaced reset functions.
    let ground = (initial.iter().zip(&model.latches))
        .map(|(value, latch)| value.or(latch.reset.value()).or(Some(false)));
    let initial: Values = ground.collect();
    let steps: Vec<Vec<bool>> = (run.inputs.iter())
        .map(|values| values.iter().map(|value| *value == Some(true)).collect())
        .collect();
    let mut simulator = Simulator::new(model, &initial, &Values::new()).ok()?;
    for step in &steps[..loop_start] {
        simulator.step(step);
    }
    let mut rounds: HashMap<Vec<bool>, usize> = HashMap::new();
    let round_length = steps.len() - loop_start;
    let values_per_round = round_length * (model.inputs.len() + 1) + model.latches.len();
    let (first, end) = loop {
        let n_rounds = rounds.len();
        if n_rounds * values_per_round > MOST_VALUES || stop.reason().is_some() {
            return None;
        }
        if let Some(&first) = rounds.get(simulator.state()) {
            break (first, n_rounds);
        }
        rounds.insert(simulator.state().to_vec(), n_rounds);
        for step in &steps[loop_start..] {
            simulator.step(step);
        }
    };
    let repeated = steps[loop_start..].iter().cycle().take(end * round_length);
    let inputs = steps[..loop_start].iter().chain(repeated);
    let lasso = Lasso {
        property,
        initial,
        inputs: inputs
            .map(|values| values.iter().map(|&value| Some(value)).collect())
            .collect(),
        loop_start: loop_start + first * round_length,
    };
    shows(model, &lasso).then_some(lasso)
}

/// Whether every literal holds in the loop, and every constraint in all steps.
fn shows(model: &Model, lasso: &Lasso) -> bool {
    let literals = model.justice_literals(lasso.property);
    let mut is_met = vec![false; literals.len()];
    let Ok(mut simulator) = Simulator::new(model, &lasso.initial, &lasso.inputs[0]) else {
        return false;
    };
    for (number, values) in lasso.inputs.iter().enumerate() {
        let values: Vec<bool> = values.iter().map(|value| *value == Some(true)).collect();
        simulator.step(&values);
        if !(model.constraints.iter()).all(|&constraint| simulator.value(constraint)) {
            return false;
        }
        if number >= lasso.loop_start {
            for (is_met, &literal) in is_met.iter_mut().zip(&literals) {
                *is_met |= simulator.value(literal);
            }
        }
    }
    is_met.into_iter().all(|is_met| is_met)
}
