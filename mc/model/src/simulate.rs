//! Concrete replay of a run.

use craig_aig::{Edge, Node};

use crate::{Model, Reset};
use crate::{Trace, Values};

/// The values of one step of a run, in the order of the model's lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepValues {
    /// The latches' values at the beginning of the step.
    pub latches: Vec<bool>,
    /// The inputs' values.
    pub inputs: Vec<bool>,
    /// Which constraints hold.
    pub constraints: Vec<bool>,
    /// Which bads hold. A bad counts only if every constraint holds in this step and in all before it.
    pub bads: Vec<bool>,
}

/// Why a trace can't be replayed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// The initial state does not have one value for each latch.
    #[error("the initial state has {found} values, but the model has {expected} latches")]
    InitialLength {
        /// How many values there are.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// A step does not have one value for each input.
    #[error("step {step} has {found} input values, but the model has {expected} inputs")]
    InputLength {
        /// The step, counted from 0.
        step: usize,
        /// How many values there are.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// A latch starts at a value other than its reset.
    #[error("latch {latch} does not start at its reset")]
    Reset {
        /// The latch's position among the model's latches.
        latch: usize,
    },
}

/// Runs a model step by step on concrete values.
#[derive(Clone, Debug)]
pub struct Simulator<'a> {
    model: &'a Model,
    /// The latches' values at the beginning of the next step.
    state: Vec<bool>,
    /// A value per node, as of the last step.
    values: Vec<bool>,
}

impl<'a> Simulator<'a> {
    /// A run that starts in `initial`; a latch without a value starts at its reset, or at 0 if it has none.
    /// Reset functions read `first_inputs`, the inputs of the first step; those without a value are 0.
    ///
    /// # Errors
    /// If `initial` has the wrong length or contradicts a reset.
    ///
    /// # Panics
    /// If the reset functions form a cycle.
    pub fn new(
        model: &'a Model,
        initial: &Values,
        first_inputs: &Values,
    ) -> Result<Self, ReplayError> {
        if initial.len() != model.latches.len() {
            return Err(ReplayError::InitialLength {
                found: initial.len(),
                expected: model.latches.len(),
            });
        }
        let mut state = Vec::with_capacity(initial.len());
        for (latch, (value, declared)) in initial.iter().zip(&model.latches).enumerate() {
            let reset = declared.reset.value();
            match (value, reset) {
                (Some(value), Some(reset)) if *value != reset => {
                    return Err(ReplayError::Reset { latch });
                }
                _ => state.push(value.or(reset).unwrap_or(false)),
            }
        }
        let mut simulator = Self {
            model,
            state,
            values: vec![false; model.aig.n_nodes()],
        };
        if model.has_reset_functions() {
            simulator.apply_reset_functions(initial, first_inputs)?;
        }
        Ok(simulator)
    }

    /// Gives the latches that start at the value of a formula this value.
    fn apply_reset_functions(
        &mut self,
        initial: &Values,
        first_inputs: &Values,
    ) -> Result<(), ReplayError> {
        let (model, values) = (self.model, &mut self.values);
        for (input, value) in model.inputs.iter().zip(first_inputs) {
            values[input.node() as usize] = value.unwrap_or(false);
        }
        let mut latch_at = vec![usize::MAX; values.len()];
        for (number, (latch, &value)) in model.latches.iter().zip(&self.state).enumerate() {
            values[latch.state.node() as usize] = value;
            latch_at[latch.state.node() as usize] = number;
        }
        let at = |values: &[bool], edge: Edge| values[edge.node() as usize] != edge.is_negated();
        for node in model.reset_order().expect("reset functions form no cycle") {
            let place = node as usize;
            if let Node::And(left, right) = model.aig.node(node) {
                values[place] = at(values, left) && at(values, right);
                continue;
            }
            let latch = latch_at[place];
            if let Reset::Function(function) = model.latches[latch].reset {
                values[place] = at(values, function);
                self.state[latch] = values[place];
                if initial[latch].is_some_and(|value| value != values[place]) {
                    return Err(ReplayError::Reset { latch });
                }
            }
        }
        Ok(())
    }

    /// The latches' values at the beginning of the next step.
    #[must_use]
    pub fn state(&self) -> &[bool] {
        &self.state
    }

    /// Takes one step with the given inputs, one for each of the model's.
    ///
    /// # Panics
    /// If `inputs` has another length than the model's list.
    pub fn step(&mut self, inputs: &[bool]) {
        let Self {
            model,
            state,
            values,
        } = self;
        assert_eq!(inputs.len(), model.inputs.len());
        for (input, &value) in model.inputs.iter().zip(inputs) {
            values[input.node() as usize] = value;
        }
        for (latch, &value) in model.latches.iter().zip(state.iter()) {
            values[latch.state.node() as usize] = value;
        }
        for node in 0..values.len() {
            if let Node::And(left, right) = model.aig.node(node as u32) {
                values[node] = (values[left.node() as usize] != left.is_negated())
                    && (values[right.node() as usize] != right.is_negated());
            }
        }
        for (latch, value) in model.latches.iter().zip(state.iter_mut()) {
            *value = values[latch.next.node() as usize] != latch.next.is_negated();
        }
    }

    /// The value of a formula in the last step.
    #[must_use]
    pub fn value(&self, edge: Edge) -> bool {
        self.values[edge.node() as usize] != edge.is_negated()
    }

    /// The values of the last step.
    #[must_use]
    pub fn values(&self) -> StepValues {
        let all = |edges: &[Edge]| edges.iter().map(|&edge| self.value(edge)).collect();
        StepValues {
            latches: self
                .model
                .latches
                .iter()
                .map(|latch| self.value(latch.state))
                .collect(),
            inputs: all(&self.model.inputs),
            constraints: all(&self.model.constraints),
            bads: all(&self.model.bads),
        }
    }
}

/// A run as far as its bads are concerned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replayed {
    /// The latches' values before the first step.
    pub initial: Vec<bool>,
    /// By bad: the first step in which it holds and every constraint has held so far, that step included.
    pub bads: Vec<Option<usize>>,
}

impl Replayed {
    /// The part of the replayed trace up to the first step in which a bad holds, as a run to that bad; `None` if it does not hold.
    /// Values that the trace leaves open are those of the replay: with others it may reach another bad.
    #[must_use]
    pub fn run_to(&self, property: usize, trace: &Trace) -> Option<Trace> {
        let grounded = |values: &Values| values.iter().map(|value| value.or(Some(false))).collect();
        let step = self.bads[property]?;
        Some(Trace {
            property,
            initial: self.initial.iter().map(|&value| Some(value)).collect(),
            inputs: trace.inputs[..=step].iter().map(grounded).collect(),
        })
    }
}

/// Replays a trace as [`replay`] does, and keeps the values of one step at a time only.
///
/// # Errors
/// If the trace does not fit the model, or starts in a state that contradicts a reset.
pub fn replay_bads(model: &Model, trace: &Trace) -> Result<Replayed, ReplayError> {
    let mut bads = vec![None; model.bads.len()];
    let mut is_allowed = true;
    let initial = steps_of(model, trace, |step, simulator| {
        let constraints = model.constraints.iter();
        is_allowed &= constraints.copied().all(|edge| simulator.value(edge));
        if is_allowed {
            for (first, &bad) in bads.iter_mut().zip(&model.bads) {
                if first.is_none() && simulator.value(bad) {
                    *first = Some(step);
                }
            }
        }
    })?;
    Ok(Replayed { initial, bads })
}

/// Replays a trace as [`replay`] does: the first step in which a constraint fails, and its number.
///
/// # Errors
/// If the trace does not fit the model, or starts in a state that contradicts a reset.
pub fn violated_constraint(
    model: &Model,
    trace: &Trace,
) -> Result<Option<(usize, usize)>, ReplayError> {
    let mut violated = None;
    steps_of(model, trace, |step, simulator| {
        if violated.is_none() {
            let mut constraints = model.constraints.iter();
            let number = constraints.position(|&edge| !simulator.value(edge));
            violated = number.map(|number| (step, number));
        }
    })?;
    Ok(violated)
}

/// Replays a trace: the values in each of its steps. A latch without a value starts at its reset, or at 0 if
/// it has none; an input without a value is 0. The caller checks the run.
///
/// # Errors
/// If the trace does not fit the model, or starts in a state that contradicts a reset.
pub fn replay(model: &Model, trace: &Trace) -> Result<Vec<StepValues>, ReplayError> {
    let mut steps = Vec::with_capacity(trace.inputs.len());
    steps_of(model, trace, |_, simulator| steps.push(simulator.values()))?;
    Ok(steps)
}

/// Visits each step of a trace after it was taken; returns the latches' values before the first.
fn steps_of(
    model: &Model,
    trace: &Trace,
    mut visit: impl FnMut(usize, &Simulator<'_>),
) -> Result<Vec<bool>, ReplayError> {
    let nothing = Values::new();
    let first_inputs = trace.inputs.first().unwrap_or(&nothing);
    let mut simulator = Simulator::new(model, &trace.initial, first_inputs)?;
    let initial = simulator.state().to_vec();
    for (step, values) in trace.inputs.iter().enumerate() {
        if values.len() != model.inputs.len() {
            return Err(ReplayError::InputLength {
                step,
                found: values.len(),
                expected: model.inputs.len(),
            });
        }
        let inputs: Vec<bool> = values.iter().map(|value| value.unwrap_or(false)).collect();
        simulator.step(&inputs);
        visit(step, &simulator);
    }
    Ok(initial)
}

/// The first step in which bad number `property` holds and every constraint has held so far, that step
/// included.
#[must_use]
pub fn first_bad_step(steps: &[StepValues], property: usize) -> Option<usize> {
    steps
        .iter()
        .take_while(|step| step.constraints.iter().all(|&holds| holds))
        .position(|step| step.bads[property])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Latch, Reset};

    /// A bit that toggles while the input is set; bad: it is 1. Constraint: the input is set.
    fn toggle(reset: Reset) -> Model {
        let mut model = Model::default();
        let input = model.aig.add_input();
        let state = model.aig.add_input();
        let next = model.aig.xor(input, state);
        model.inputs.push(input);
        model.latches.push(Latch { state, next, reset });
        model.constraints.push(input);
        model.bads.push(state);
        model
    }

    fn trace(initial: Option<bool>, inputs: &[Option<bool>]) -> Trace {
        Trace {
            property: 0,
            initial: vec![initial],
            inputs: inputs.iter().map(|&value| vec![value]).collect(),
        }
    }

    #[test]
    fn a_run_follows_the_next_state_functions() {
        let model = toggle(Reset::Zero);
        let steps = replay(&model, &trace(None, &[Some(true), Some(true), None])).unwrap();
        let states: Vec<bool> = steps.iter().map(|step| step.latches[0]).collect();
        assert_eq!(states, [false, true, false]);
        assert_eq!(first_bad_step(&steps, 0), Some(1));
        let replayed = replay_bads(&model, &trace(None, &[Some(true), Some(true), None]));
        let expected = Replayed {
            initial: vec![false],
            bads: vec![Some(1)],
        };
        assert_eq!(replayed, Ok(expected));
        assert_eq!(steps[2].constraints, [false]);
    }

    #[test]
    fn a_bad_after_a_violated_constraint_does_not_count() {
        let model = toggle(Reset::One);
        let steps = replay(&model, &trace(None, &[Some(false), Some(true)])).unwrap();
        assert!(steps[1].bads[0]);
        assert_eq!(first_bad_step(&steps, 0), None);
        let run = trace(None, &[Some(false), Some(true)]);
        assert_eq!(replay_bads(&model, &run).unwrap().bads, [None]);
    }

    #[test]
    fn traces_that_do_not_fit_are_refused() {
        let model = toggle(Reset::Zero);
        assert_eq!(
            replay(&model, &trace(Some(true), &[None])),
            Err(ReplayError::Reset { latch: 0 })
        );
        let mut short = trace(None, &[None, None]);
        short.inputs[1].clear();
        assert_eq!(
            replay(&model, &short),
            Err(ReplayError::InputLength {
                step: 1,
                found: 0,
                expected: 1
            })
        );
        short.initial.clear();
        assert_eq!(
            replay(&model, &short),
            Err(ReplayError::InitialLength {
                found: 0,
                expected: 1
            })
        );
    }
}
