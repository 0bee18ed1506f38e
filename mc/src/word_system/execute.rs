//! The execution of a system on values, step by step. Arrays are sparse.

use craig_word::{Evaluator, Value};

use super::lift::WordStep;
use super::system::WordSystem;

/// A run of a system.
pub(super) struct Execution<'a> {
    system: &'a WordSystem,
    /// The values of the states with a `next` in the coming step.
    coming: Vec<Option<Value>>,
    is_first: bool,
}

impl<'a> Execution<'a> {
    /// A run before its first step.
    pub(super) fn new(system: &'a WordSystem) -> Self {
        Self {
            system,
            coming: vec![None; system.states.len()],
            is_first: true,
        }
    }

    /// The values of the next step: states and inputs are set. Those without a given value are 0, and inputs
    /// for which `is_open` holds have no value yet; the caller sets them before any term over them is evaluated.
    pub(super) fn begin(
        &mut self,
        given: &WordStep,
        is_open: impl Fn(usize) -> bool,
    ) -> Evaluator<'a> {
        let system = self.system;
        let mut values = Evaluator::new(&system.terms, |_, _| 0);
        for (number, state) in system.states.iter().enumerate() {
            let init = state.init.filter(|_| self.is_first);
            let value = match (init, self.coming[number].take()) {
                (Some(init), _) => Some(values.value_of(init)),
                (None, Some(value)) => Some(value),
                (None, None) => given.states.get(&number).cloned(),
            };
            if let Some(value) = value {
                values.set_value(state.state, value);
            }
        }
        for (number, &input) in system.inputs.iter().enumerate() {
            if !is_open(number)
                && let Some(value) = given.inputs.get(&number)
            {
                values.set_value(input, value.clone());
            }
        }
        values
    }

    /// Whether the run ends with a step of these values: before its bad, where a constraint does not hold, or at the first bad. `None`
    /// if it goes on.
    pub(super) fn reaches_bad(&self, values: &mut Evaluator<'_>) -> Option<bool> {
        let mut holds = |term| values.value(term) == 1;
        if !self.system.constraints.iter().all(|&term| holds(term)) {
            return Some(false);
        }
        holds(self.system.bads[0]).then_some(true)
    }

    /// Ends a step with these values.
    pub(super) fn end(&mut self, values: &mut Evaluator<'_>) {
        self.is_first = false;
        for (state, coming) in self.system.states.iter().zip(&mut self.coming) {
            *coming = state.next.map(|next| values.value_of(next));
        }
    }
}
