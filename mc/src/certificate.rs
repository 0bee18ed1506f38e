//! Witness circuits from inductive invariants.

use craig_solver::aig::{Aig, Edge, Node};

use crate::model::{Latch, Model, Reset};
use crate::verdict::Certificate;

impl Certificate {
    /// The witness circuit for an inductive invariant of `model`: a copy of the model whose bad is "the bad
    /// of `property`, or not the invariant", with every input and latch shared.
    ///
    /// `invariant` is an edge of `model.aig` over latches (inputs are allowed). With C the
    /// constraints in the states that they read, it is an inductive invariant if: reset & C implies it; it is preserved
    /// by every step between states with C; and with C it excludes the bad. Then the five conditions that
    /// [`crate::certify`] checks hold; nothing of that is checked here.
    ///
    /// What neither the bad, the invariant nor a constraint depends on, over any number of steps, is left out.
    ///
    /// # Panics
    /// If the model has no bad number `property`.
    #[must_use]
    pub fn from_invariant(model: &Model, property: usize, invariant: Edge) -> Self {
        let mut copy = ConeCopy::new(model);
        let bad = model.bads[property];
        copy.need(bad);
        copy.need(invariant);
        for &constraint in &model.constraints {
            copy.need(constraint);
        }
        copy.close();
        copy.build(bad, invariant)
    }
}

/// Copies the part of a model that some formulas depend on, over any number of steps.
struct ConeCopy<'a> {
    model: &'a Model,
    needed: Vec<bool>,
    open: Vec<u32>,
    /// For each node the latch that it is the state of, plus one; 0 for others.
    latch_of: Vec<u32>,
}

impl<'a> ConeCopy<'a> {
    fn new(model: &'a Model) -> Self {
        let n_nodes = model.aig.n_nodes();
        let mut latch_of = vec![0; n_nodes];
        for (number, latch) in model.latches.iter().enumerate() {
            latch_of[latch.state.node() as usize] = number as u32 + 1;
        }
        Self {
            model,
            needed: vec![false; n_nodes],
            open: Vec::new(),
            latch_of,
        }
    }

    fn need(&mut self, edge: Edge) {
        if !std::mem::replace(&mut self.needed[edge.node() as usize], true) {
            self.open.push(edge.node());
        }
    }

    fn close(&mut self) {
        while let Some(node) = self.open.pop() {
            match self.model.aig.node(node) {
                Node::Constant => {}
                Node::Input(_) => {
                    if let Some(latch) = self.latch_of[node as usize].checked_sub(1) {
                        self.need(self.model.latches[latch as usize].next);
                    }
                }
                Node::And(left, right) => {
                    self.need(left);
                    self.need(right);
                }
            }
        }
    }

    fn build(&self, bad: Edge, invariant: Edge) -> Certificate {
        let Self { model, needed, .. } = self;
        let needs = |edge: Edge| needed[edge.node() as usize];
        let mut aig = Aig::new();
        let mut map = vec![Edge::FALSE; model.aig.n_nodes()];
        let mut witness = Model::default();
        let mut shared_inputs = Vec::new();
        let mut shared_latches = Vec::new();
        for (number, &input) in model.inputs.iter().enumerate() {
            if needs(input) {
                let copy = aig.add_input();
                map[input.node() as usize] = copy;
                witness.inputs.push(copy);
                shared_inputs.push(Some(number));
            }
        }
        let mut resets: Vec<(Edge, Reset, Edge)> = Vec::new();
        for (number, latch) in model.latches.iter().enumerate() {
            if needs(latch.state) {
                let copy = aig.add_input();
                map[latch.state.node() as usize] = copy;
                resets.push((copy, latch.reset, latch.next));
                shared_latches.push(Some(number));
            }
        }
        let mapped = |map: &[Edge], edge: Edge| -> Edge {
            map[edge.node() as usize].negate_if(edge.is_negated())
        };
        for node in 0..model.aig.n_nodes() {
            if let (true, Node::And(left, right)) = (needed[node], model.aig.node(node as u32)) {
                map[node] = aig.and(mapped(&map, left), mapped(&map, right));
            }
        }
        witness.latches = resets
            .into_iter()
            .map(|(state, reset, next)| Latch {
                state,
                next: mapped(&map, next),
                reset,
            })
            .collect();
        witness.constraints = model
            .constraints
            .iter()
            .map(|&constraint| mapped(&map, constraint))
            .collect();
        witness
            .bads
            .push(aig.or(mapped(&map, bad), !mapped(&map, invariant)));
        witness.aig = aig;
        Certificate {
            witness,
            shared_inputs,
            shared_latches,
        }
    }
}
