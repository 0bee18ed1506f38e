//! What a certificate needs of the model from which a smaller one was made.

use craig_aig::{Edge, Node, NodeId};
use craig_model::{Certificate, Model, Reset};

/// The formulas of a larger model for the variables of a smaller one.
#[derive(Clone, Copy)]
pub(super) struct Named<'a> {
    /// For each input of the smaller model, a formula of the larger one.
    pub(super) inputs: &'a [Edge],
    /// For each latch of the smaller model, a formula over the latches of the larger.
    pub(super) latches: &'a [Edge],
}

/// The nodes of the original on which facts, constraints and variables shared with the certificate depend,
/// over any number of steps.
pub(super) fn needed(
    original: &Model,
    names: Named<'_>,
    facts: &[Edge],
    certificate: &Certificate,
) -> Vec<bool> {
    let functions = Functions::new(original);
    let mut open = first_needed(original, names, facts, certificate);
    let mut needed = vec![false; original.aig.n_nodes()];
    while let Some(edge) = open.pop() {
        if !std::mem::replace(&mut needed[edge.node() as usize], true) {
            match original.aig.node(edge.node()) {
                Node::Constant => {}
                Node::Input(_) => open.extend(functions.of(edge.node())),
                Node::And(left, right) => open.extend([left, right]),
            }
        }
    }
    needed
}

/// What is needed of the original before its latches' functions are followed.
pub(super) fn first_needed(
    original: &Model,
    names: Named<'_>,
    facts: &[Edge],
    certificate: &Certificate,
) -> Vec<Edge> {
    let mut needed = facts.to_vec();
    needed.extend(&original.constraints);
    let latches = certificate.shared_latches.iter().flatten();
    needed.extend(latches.map(|&number| names.latches[number]));
    let inputs = certificate.shared_inputs.iter().flatten();
    needed.extend(inputs.map(|&number| names.inputs[number]));
    needed
}

/// The next-state and reset functions of latches by the node of their state.
pub(super) struct Functions {
    next: Vec<Option<Edge>>,
    reset: Vec<Option<Edge>>,
}

impl Functions {
    pub(super) fn new(model: &Model) -> Self {
        let mut functions = Self {
            next: vec![None; model.aig.n_nodes()],
            reset: vec![None; model.aig.n_nodes()],
        };
        for latch in &model.latches {
            functions.next[latch.state.node() as usize] = Some(latch.next);
            if let Reset::Function(edge) = latch.reset {
                functions.reset[latch.state.node() as usize] = Some(edge);
            }
        }
        functions
    }

    /// The functions of the latch at a node, if there is one.
    pub(super) fn of(&self, node: NodeId) -> impl Iterator<Item = Edge> {
        let functions = [self.next[node as usize], self.reset[node as usize]];
        functions.into_iter().flatten()
    }
}
