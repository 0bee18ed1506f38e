//! Simulation of a model under 64 patterns at once, one bit of a word for each.

use craig_aig::{Node, NodeId, Random};
use craig_model::Model;

/// Random runs from the resets.
pub(crate) struct Run<'a> {
    model: &'a Model,
    /// The latches' words in the current step.
    pub(crate) states: Vec<u64>,
    /// The runs in which the constraints have held so far.
    pub(crate) mask: u64,
}

impl<'a> Run<'a> {
    /// Begins in reset states.
    pub(crate) fn new(model: &'a Model, random: &mut Random) -> Self {
        Self {
            model,
            states: resets(model, random),
            mask: u64::MAX,
        }
    }

    /// The words of all nodes in this step, under random inputs.
    pub(crate) fn values(&self, random: &mut Random) -> Vec<u64> {
        values(self.model, &self.states, &random_inputs(self.model, random))
    }

    /// Moves to the next step, given the values of this one.
    pub(crate) fn advance(&mut self, values: &[u64]) {
        self.mask &= constraint_mask(self.model, values);
        self.states = next_states(self.model, values);
    }
}

/// The latches' words in reset states; latches without a reset are random.
pub(crate) fn resets(model: &Model, random: &mut Random) -> Vec<u64> {
    let latches = model.latches.iter();
    latches
        .map(|latch| match latch.reset.value() {
            Some(value) => 0_u64.wrapping_sub(u64::from(value)),
            None => random.word(),
        })
        .collect()
}

/// Random words for the inputs.
fn random_inputs(model: &Model, random: &mut Random) -> Vec<u64> {
    model.inputs.iter().map(|_| random.word()).collect()
}

/// The words of all nodes, given those of latches and inputs.
pub(crate) fn values(model: &Model, states: &[u64], inputs: &[u64]) -> Vec<u64> {
    let mut words = vec![0; model.aig.n_nodes()];
    fill_values(model, states, inputs, &mut words);
    words
}

/// As `values`, into `words`, one for each node.
pub(crate) fn fill_values(model: &Model, states: &[u64], inputs: &[u64], words: &mut [u64]) {
    debug_assert_eq!(words.len(), model.aig.n_nodes());
    for (latch, &word) in model.latches.iter().zip(states) {
        words[latch.state.node() as usize] = word;
    }
    for (input, &word) in model.inputs.iter().zip(inputs) {
        words[input.node() as usize] = word;
    }
    for node in 0..words.len() {
        if let Node::And(left, right) = model.aig.node(node as NodeId) {
            words[node] = left.word(words) & right.word(words);
        }
    }
}

/// The latches' words one step later.
pub(crate) fn next_states(model: &Model, words: &[u64]) -> Vec<u64> {
    let latches = model.latches.iter();
    latches.map(|latch| latch.next.word(words)).collect()
}

/// The patterns in which all constraints hold.
pub(crate) fn constraint_mask(model: &Model, words: &[u64]) -> u64 {
    let constraints = model.constraints.iter();
    constraints.fold(u64::MAX, |mask, constraint| mask & constraint.word(words))
}
