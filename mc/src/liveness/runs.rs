//! Runs from one state to another, one after the other.

use craig_aig::Edge;
use craig_model::{Model, Reset, Trace, Values, simulate::Simulator};

/// A run with values for all that it leaves open, and the states before its last step and after it.
pub(super) struct Run {
    pub(super) trace: Trace,
    pub(super) before_last: Values,
    pub(super) end: Values,
}

/// The model, but started in a state; where that is open, so is the reset.
pub(super) fn started(model: &Model, state: &Values) -> Model {
    let mut started = model.clone();
    for (latch, value) in started.latches.iter_mut().zip(state) {
        latch.reset = match value {
            Some(false) => Reset::Zero,
            Some(true) => Reset::One,
            None => Reset::Uninitialised,
        };
    }
    started
}

/// Gives open values of a run the value 0. The latches of the model come first in the trace.
pub(super) fn completed(model: &Model, trace: &Trace) -> Run {
    let ground = |values: &[Option<bool>]| -> Values {
        values.iter().map(|value| value.or(Some(false))).collect()
    };
    let initial = ground(&trace.initial[..model.latches.len()]);
    let inputs: Vec<Values> = (trace.inputs.iter())
        .map(|values| ground(&values[..model.inputs.len()]))
        .collect();
    let start = started(model, &initial);
    let mut simulator =
        Simulator::new(&start, &initial, &Values::new()).expect("the run fits the model");
    let state =
        |simulator: &Simulator<'_>| simulator.state().iter().map(|&value| Some(value)).collect();
    let mut before_last = state(&simulator);
    for values in &inputs {
        before_last = state(&simulator);
        let values: Vec<bool> = values.iter().map(|value| *value == Some(true)).collect();
        simulator.step(&values);
    }
    Run {
        trace: Trace {
            property: 0,
            initial,
            inputs,
        },
        before_last,
        end: state(&simulator),
    }
}

/// The runs as one, which begins as the first of them.
pub(super) fn joined(runs: &[&Trace]) -> Trace {
    Trace {
        property: 0,
        initial: runs[0].initial.clone(),
        inputs: (runs.iter())
            .flat_map(|run| run.inputs.iter().cloned())
            .collect(),
    }
}

/// A formula over the latches of a model, of which `model` may have more gates, one step later.
pub(super) fn after_a_step(model: &mut Model, formula: Edge) -> Edge {
    let mut nexts = vec![Edge::FALSE; model.aig.n_nodes()];
    for latch in &model.latches {
        nexts[latch.state.node() as usize] = latch.next;
    }
    // The formula reads no inputs.
    let leaf = &mut |node: u32| nexts[node as usize];
    model.aig.substitute(&[formula], leaf)[0]
}

/// A clause over the latches of a model.
pub(super) fn clause_edge(model: &mut Model, clause: &[(usize, bool)]) -> Edge {
    let literals: Vec<Edge> = (clause.iter())
        .map(|&(latch, value)| model.latches[latch].state.negate_if(!value))
        .collect();
    model.aig.or_all(literals)
}

/// Inputs of a model that stand for the values of its latches in a second state, in their order, and formulas over the latches there.
pub(super) fn in_second_state(
    model: &mut Model,
    shared_inputs: &mut Vec<Option<usize>>,
    formulas: &[Edge],
) -> Vec<Edge> {
    let mut later = vec![Edge::FALSE; model.aig.n_nodes()];
    for latch in &model.latches {
        let stand_in = model.aig.add_input();
        model.inputs.push(stand_in);
        shared_inputs.push(None);
        later[latch.state.node() as usize] = stand_in;
    }
    let leaf = &mut |node: u32| later[node as usize];
    model.aig.substitute(formulas, leaf)
}
