//! The part of a model that formulas depend on, over any number of steps.

use craig_aig::{Edge, Node, NodeId, Poll};

use crate::{Model, Reset};

/// The inputs, latches and ANDs of a model that given formulas depend on, now or in any later step.
///
/// Closed: it contains everything that the next-state function and the reset of one of its latches depend on.
#[derive(Clone, Debug)]
pub struct SequentialCone {
    /// Positions in [`Model::inputs`], increasing.
    pub inputs: Vec<usize>,
    /// Positions in [`Model::latches`], increasing.
    pub latches: Vec<usize>,
    /// Nodes of [`Model::aig`] that are ANDs, in topological order.
    pub ands: Vec<NodeId>,
}

impl SequentialCone {
    /// The cone of `roots`, edges of `model.aig`.
    #[must_use]
    pub fn new(model: &Model, roots: impl IntoIterator<Item = Edge>) -> Self {
        Self::new_until(model, roots, &mut Poll::never()).expect("nothing stops it")
    }

    /// As [`Self::new`]; `None` if `poll` ends it.
    #[must_use]
    pub fn new_until(
        model: &Model,
        roots: impl IntoIterator<Item = Edge>,
        poll: &mut Poll<'_>,
    ) -> Option<Self> {
        let n_nodes = model.aig.n_nodes();
        // The latch that an input node belongs to, plus one; 0 for the others.
        let mut latch_of = vec![0_u32; n_nodes];
        for (number, latch) in model.latches.iter().enumerate() {
            latch_of[latch.state.node() as usize] = number as u32 + 1;
        }
        let mut needed = vec![false; n_nodes];
        let mut open: Vec<Edge> = roots.into_iter().collect();
        while let Some(edge) = open.pop() {
            poll.step()?;
            let node = edge.node();
            if std::mem::replace(&mut needed[node as usize], true) {
                continue;
            }
            match model.aig.node(node) {
                Node::Constant => {}
                Node::Input(_) => {
                    if let Some(number) = latch_of[node as usize].checked_sub(1) {
                        let latch = &model.latches[number as usize];
                        open.push(latch.next);
                        if let Reset::Function(edge) = latch.reset {
                            open.push(edge);
                        }
                    }
                }
                Node::And(left, right) => open.extend([left, right]),
            }
        }
        let needs = |edge: Edge| needed[edge.node() as usize];
        let is_and =
            |&node: &NodeId| needed[node as usize] && matches!(model.aig.node(node), Node::And(..));
        Some(Self {
            inputs: (0..model.inputs.len())
                .filter(|&input| needs(model.inputs[input]))
                .collect(),
            latches: (0..model.latches.len())
                .filter(|&latch| needs(model.latches[latch].state))
                .collect(),
            ands: (0..n_nodes as NodeId).filter(is_and).collect(),
        })
    }

    /// The cone of one bad and of all constraints: the part of the model that is relevant to an engine.
    ///
    /// # Panics
    /// If the model has no bad number `property`.
    #[must_use]
    pub fn of_property(model: &Model, property: usize) -> Self {
        Self::of_property_until(model, property, &mut Poll::never()).expect("nothing stops it")
    }

    /// As [`Self::of_property`]; `None` if `poll` ends it.
    ///
    /// # Panics
    /// If the model has no bad number `property`.
    #[must_use]
    pub fn of_property_until(model: &Model, property: usize, poll: &mut Poll<'_>) -> Option<Self> {
        let bad = model.bads[property];
        let constraints = model.constraints.iter().copied();
        Self::new_until(model, std::iter::once(bad).chain(constraints), poll)
    }
}

/// Which nodes depend on latches alone, within a step; constants are among them. `None` if `poll` ends it.
pub fn nodes_over_latches(model: &Model, poll: &mut Poll<'_>) -> Option<Vec<bool>> {
    let mut is_over_latches = vec![true; model.aig.n_nodes()];
    for input in &model.inputs {
        is_over_latches[input.node() as usize] = false;
    }
    for node in 0..is_over_latches.len() {
        poll.step()?;
        if let Node::And(left, right) = model.aig.node(node as NodeId) {
            let [left, right] = [left, right].map(|edge| is_over_latches[edge.node() as usize]);
            is_over_latches[node] = left && right;
        }
    }
    Some(is_over_latches)
}
