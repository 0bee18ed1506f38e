//! Time frames of a model as formulas of one structurally hashed graph.
//!
//! Frames share structure with each other: constants from the resets are propagated forward, and equal
//! formulas of two steps are one node. An engine that interpolates therefore puts a whole [`Unrolling`] on
//! one side of a cut; at the cut it starts another one, whose first state is free ([`Start::Free`]), and
//! states the equalities between the variables of the two as clauses.

use craig_aig::{Aig, Edge, Node};
use craig_model::{Model, Trace, Values, cone::SequentialCone};

/// The first state of an [`Unrolling`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// One that agrees with all resets; uninitialised latches are variables.
    Reset,
    /// Any; all latches are variables.
    Free,
}

/// One step of an [`Unrolling`].
#[derive(Clone, Debug)]
pub struct Frame {
    /// The variables of the inputs in the cone, in the order of [`SequentialCone::inputs`].
    pub inputs: Vec<Edge>,
    /// The constraints, each once and without those that are true.
    pub constraints: Vec<Edge>,
    /// The bad.
    pub bad: Edge,
}

impl Frame {
    /// One step of a model as formulas of `aig`, restricted to the cone of a property, over edges for the
    /// inputs and the latches of the cone. Also returns the latches of the cone one step later.
    ///
    /// `images` has an entry for each node of the model, false for the constant. The other entries are
    /// overwritten.
    pub(crate) fn build(
        (model, property, cone): (&Model, usize, &SequentialCone),
        inputs: Vec<Edge>,
        states: &[Edge],
        aig: &mut Aig,
        images: &mut [Edge],
    ) -> (Self, Vec<Edge>) {
        for (&latch, &state) in cone.latches.iter().zip(states) {
            images[model.latches[latch].state.node() as usize] = state;
        }
        for (&number, &input) in cone.inputs.iter().zip(&inputs) {
            images[model.inputs[number].node() as usize] = input;
        }
        for &node in &cone.ands {
            if let Node::And(left, right) = model.aig.node(node) {
                images[node as usize] = aig.and(left.image(images), right.image(images));
            }
        }
        let latches = cone.latches.iter();
        let next = latches.map(|&latch| model.latches[latch].next.image(images));
        let next = next.collect();
        let mut constraints: Vec<Edge> = model
            .constraints
            .iter()
            .map(|&constraint| constraint.image(images))
            .filter(|&constraint| constraint != Edge::TRUE)
            .collect();
        constraints.sort_unstable();
        constraints.dedup();
        let frame = Self {
            inputs,
            constraints,
            bad: model.bads[property].image(images),
        };
        (frame, next)
    }
}

/// The steps of a model, restricted to the cone of one bad and the constraints, over the variables of a first
/// state and of the inputs in each step.
#[derive(Clone, Debug)]
pub struct Unrolling<'a> {
    model: &'a Model,
    property: usize,
    cone: SequentialCone,
    aig: Aig,
    initial: Vec<Edge>,
    state: Vec<Edge>,
    frames: Vec<Frame>,
    /// The edge of `aig` for each node of the model, in the last frame.
    images: Vec<Edge>,
}

impl<'a> Unrolling<'a> {
    /// No steps yet.
    ///
    /// # Panics
    /// If the model has no bad number `property`.
    #[must_use]
    pub fn new(model: &'a Model, property: usize, start: Start) -> Self {
        let cone = SequentialCone::of_property(model, property);
        Self::of_cone(model, (property, cone), start)
    }

    /// As [`Unrolling::new`] for the first of some bads, in the cone of all of them: each has its image in each step.
    ///
    /// # Panics
    /// If there is none, or the model has not all of them.
    pub(crate) fn of_bads(model: &'a Model, bads: &[usize], start: Start) -> Self {
        let roots = bads.iter().map(|&number| model.bads[number]);
        let cone = SequentialCone::new(model, roots.chain(model.constraints.iter().copied()));
        Self::of_cone(model, (bads[0], cone), start)
    }

    fn of_cone(model: &'a Model, (property, cone): (usize, SequentialCone), start: Start) -> Self {
        let mut aig = Aig::new();
        let initial: Vec<Edge> = cone
            .latches
            .iter()
            .map(|&latch| match model.latches[latch].reset.value() {
                Some(value) if start == Start::Reset => Edge::FALSE.negate_if(value),
                _ => aig.add_input(),
            })
            .collect();
        Self {
            model,
            property,
            cone,
            aig,
            state: initial.clone(),
            initial,
            frames: Vec::new(),
            images: vec![Edge::FALSE; model.aig.n_nodes()],
        }
    }

    /// Appends a step.
    pub fn push_frame(&mut self) -> &Frame {
        let inputs = self.cone.inputs.iter();
        let inputs = inputs.map(|_| self.aig.add_input()).collect();
        let (frame, next) = Frame::build(
            (self.model, self.property, &self.cone),
            inputs,
            &self.state,
            &mut self.aig,
            &mut self.images,
        );
        self.state = next;
        self.frames.push(frame);
        &self.frames[self.frames.len() - 1]
    }

    /// The edge for each node of the model's cone in the last step.
    pub(crate) fn images(&self) -> &[Edge] {
        &self.images
    }

    /// The graph of all edges.
    #[must_use]
    pub fn aig(&self) -> &Aig {
        &self.aig
    }

    /// The graph, to add more formulas over the frames.
    pub fn aig_mut(&mut self) -> &mut Aig {
        &mut self.aig
    }

    /// The part of the model that is unrolled.
    #[must_use]
    pub fn cone(&self) -> &SequentialCone {
        &self.cone
    }

    /// The steps.
    #[must_use]
    pub fn frames(&self) -> &[Frame] {
        &self.frames
    }

    /// The latches in the cone before the first step, in the order of [`SequentialCone::latches`].
    #[must_use]
    pub fn initial(&self) -> &[Edge] {
        &self.initial
    }

    /// The latches in the cone after the last step, in the order of [`SequentialCone::latches`].
    #[must_use]
    pub fn state(&self) -> &[Edge] {
        &self.state
    }

    /// The formula that the bad holds in one of the steps `from..n_frames`, with the constraints up to that
    /// step.
    pub fn bad_within(&mut self, from: usize, n_frames: usize) -> Edge {
        let mut reached = Edge::FALSE;
        for step in (0..n_frames).rev() {
            if step >= from {
                reached = self.aig.or(self.frames[step].bad, reached);
            }
            for &constraint in &self.frames[step].constraints {
                reached = self.aig.and(constraint, reached);
            }
        }
        reached
    }

    /// The values of all latches of the model before the first step. Latches outside the cone are at their
    /// resets, or 0.
    pub fn initial_values(&self, value: &dyn Fn(Edge) -> bool) -> Values {
        let mut values: Values = self
            .model
            .latches
            .iter()
            .map(|latch| Some(latch.reset.value().unwrap_or(false)))
            .collect();
        for (&latch, &state) in self.cone.latches.iter().zip(&self.initial) {
            values[latch] = Some(value(state));
        }
        values
    }

    /// The values of all inputs of the model in a step. Inputs outside the cone are 0.
    pub fn input_values(&self, step: usize, value: &dyn Fn(Edge) -> bool) -> Values {
        let mut values = vec![Some(false); self.model.inputs.len()];
        for (&input, &variable) in self.cone.inputs.iter().zip(&self.frames[step].inputs) {
            values[input] = Some(value(variable));
        }
        values
    }

    /// The run of steps `0..=depth` with the values of `value`.
    #[must_use]
    pub fn trace(&self, depth: usize, value: &dyn Fn(Edge) -> bool) -> Trace {
        Trace {
            property: self.property,
            initial: self.initial_values(value),
            inputs: (0..=depth)
                .map(|step| self.input_values(step, value))
                .collect(),
        }
    }
}
