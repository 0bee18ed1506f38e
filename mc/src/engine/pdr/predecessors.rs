//! A bad checked through its predecessors: the property "no bad within one step" instead of "no bad".
//!
//! The states to exclude are those from which a step under the constraints leads to a state with the bad. Frames then
//! need not exclude bad states that have no predecessor in them, and the first cubes come from a formula that is one step
//! deeper. A proof that excludes all predecessors is one of the bad itself, unless the bad holds in the first step,
//! which is asked before: with the invariant I, the formula "I and no bad" holds initially, and a step from it
//! leads to I, and not to the bad since I has no predecessor of it.

use craig_aig::{Edge, Node};
use craig_model::{Model, Trace};

/// A model with another step for the bad.
pub(super) struct Ahead {
    /// The original with additional inputs, those of the second step, and with the bad of the second step as its only
    /// one.
    pub(super) model: Model,
    /// The original's number of each additional input.
    copied: Vec<usize>,
    /// The number of the original's inputs, which come first.
    n_inputs: usize,
    property: usize,
}

impl Ahead {
    /// The bad number `property` one step later, with all constraints there.
    pub(super) fn new(original: &Model, property: usize) -> Self {
        let mut model = original.clone();
        let mut roots = original.constraints.clone();
        roots.push(original.bads[property]);
        let mut images = vec![Edge::FALSE; original.aig.n_nodes()];
        let mut next = vec![None; original.aig.n_nodes()];
        for latch in &original.latches {
            next[latch.state.node() as usize] = Some(latch.next);
        }
        let mut number = vec![usize::MAX; original.aig.n_nodes()];
        for (index, input) in original.inputs.iter().enumerate() {
            number[input.node() as usize] = index;
        }
        let mut copied = Vec::new();
        for node in original.aig.cone(&roots) {
            images[node as usize] = match original.aig.node(node) {
                Node::Constant => Edge::FALSE,
                Node::And(left, right) => model.aig.and(left.image(&images), right.image(&images)),
                Node::Input(_) => next[node as usize].unwrap_or_else(|| {
                    copied.push(number[node as usize]);
                    let input = model.aig.add_input();
                    model.inputs.push(input);
                    input
                }),
            };
        }
        let mut all: Vec<Edge> = roots.iter().map(|root| root.image(&images)).collect();
        all.sort_unstable();
        all.dedup();
        model.bads = vec![model.aig.and_all(all)];
        Self {
            n_inputs: original.inputs.len(),
            model,
            copied,
            property,
        }
    }

    /// The original's run for a run of the model to its bad.
    pub(super) fn trace(&self, mut trace: Trace) -> Trace {
        let mut last = vec![None; self.n_inputs];
        if let Some(values) = trace.inputs.last() {
            for (&number, &value) in self.copied.iter().zip(&values[self.n_inputs..]) {
                last[number] = value;
            }
        }
        for values in &mut trace.inputs {
            values.truncate(self.n_inputs);
        }
        trace.inputs.push(last);
        trace.property = self.property;
        trace
    }
}
