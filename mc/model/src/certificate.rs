//! Witness circuits from inductive invariants.

use craig_aig::{Aig, Edge, Node};

use crate::Certificate;
use crate::cone::SequentialCone;
use crate::{Latch, Model, Reset};

impl Certificate {
    /// The witness circuit for an inductive invariant of `model`: a copy of the model whose bad is "the bad
    /// of `property`, or not the invariant", with every input and latch shared.
    ///
    /// `invariant` is an edge of `model.aig` over latches (inputs are allowed). With C the constraints in the
    /// states that they read, it is an inductive invariant if: reset & C implies it; it is preserved by every
    /// step between states with C; and with C it excludes the bad. Then the five conditions that
    /// `craig-certify` checks hold; nothing of that is checked here.
    ///
    /// Inputs, latches and gates on which neither the bad, the invariant nor a constraint depends, over any
    /// number of steps, are omitted.
    ///
    /// # Panics
    /// If the model has no bad number `property`.
    #[must_use]
    pub fn from_invariant(model: &Model, property: usize, invariant: Edge) -> Self {
        let bad = model.bads[property];
        let roots = [bad, invariant].into_iter();
        let mut copy = WitnessBuilder::new(model, roots.chain(model.constraints.iter().copied()));
        let (bad, invariant) = (copy.image(bad), copy.image(invariant));
        copy.witness.bads = vec![copy.witness.aig.or(bad, !invariant)];
        copy.finish()
    }

    /// One witness circuit for all `parts`: a copy of the model. Latches and inputs that the parts share with
    /// the model occur once, and the own ones of each part are added. The bad is the disjunction of the
    /// parts' bads.
    ///
    /// Checkers of witness files expect one witness circuit for all bads of a model, while engines prove one
    /// bad at a time. Each of the five conditions holds for the conjunction if it holds for every part whose
    /// shared latches have the model's next-state functions. All engines and passes here construct such
    /// parts; this function does not check it.
    #[must_use]
    pub fn conjunction(model: &Model, parts: &[Self]) -> Self {
        let shared_inputs = parts.iter().flat_map(|part| part.shared_inputs.iter());
        let shared_latches = parts.iter().flat_map(|part| part.shared_latches.iter());
        let roots: Vec<Edge> = shared_inputs
            .flatten()
            .map(|&input| model.inputs[input])
            .chain(
                shared_latches
                    .flatten()
                    .map(|&latch| model.latches[latch].state),
            )
            .chain(model.bads.iter().copied())
            .chain(model.constraints.iter().copied())
            .collect();
        let mut copy = WitnessBuilder::new(model, roots);
        let mut bads = Vec::new();
        for part in parts {
            bads.extend(copy.add_part(part));
        }
        copy.witness.bads = vec![copy.witness.aig.or_all(bads)];
        copy.finish()
    }
}

/// A witness circuit that begins as a copy of a part of a model.
pub struct WitnessBuilder<'a> {
    model: &'a Model,
    cone: SequentialCone,
    /// The image of each node of the model.
    map: Vec<Edge>,
    witness: Model,
}

impl<'a> WitnessBuilder<'a> {
    /// Copies the sequential cone of `roots`, with all constraints (which `roots` have to contain), and
    /// without bads.
    pub fn new(model: &'a Model, roots: impl IntoIterator<Item = Edge>) -> Self {
        let cone = SequentialCone::new(model, roots);
        let mut aig = Aig::new();
        let mut map = vec![Edge::FALSE; model.aig.n_nodes()];
        let mut witness = Model::default();
        for &number in &cone.inputs {
            let copy = aig.add_input();
            map[model.inputs[number].node() as usize] = copy;
            witness.inputs.push(copy);
        }
        for &number in &cone.latches {
            map[model.latches[number].state.node() as usize] = aig.add_input();
        }
        for &node in &cone.ands {
            if let Node::And(left, right) = model.aig.node(node) {
                let (left, right) = (left.image(&map), right.image(&map));
                map[node as usize] = aig.and(left, right);
            }
        }
        let latches = cone.latches.iter().map(|&number| {
            let latch = &model.latches[number];
            Latch {
                state: latch.state.image(&map),
                next: latch.next.image(&map),
                reset: match latch.reset {
                    Reset::Function(edge) => Reset::Function(edge.image(&map)),
                    constant => constant,
                },
            }
        });
        witness.latches = latches.collect();
        let constraints = model.constraints.iter();
        witness.constraints = constraints.map(|&edge| edge.image(&map)).collect();
        witness.aig = aig;
        Self {
            model,
            cone,
            map,
            witness,
        }
    }

    /// The copy of a formula of the model.
    pub fn image(&self, edge: Edge) -> Edge {
        edge.image(&self.map)
    }

    /// The witness circuit so far. The copied inputs and latches come first, in the order of the model's, and
    /// then those that were added.
    pub fn witness(&self) -> &Model {
        &self.witness
    }

    /// Adds the part of a witness circuit that is not shared: its own inputs and latches, and its
    /// constraints. Returns the copies of its bads.
    pub fn add_part(&mut self, part: &Certificate) -> Vec<Edge> {
        let model = self.model;
        let latches: Vec<Edge> = model.latches.iter().map(|latch| latch.state).collect();
        let (bads, constraints) = self.add_part_of(part, &model.inputs, &latches);
        self.add_constraints(constraints);
        bads
    }

    /// As `add_part` for a witness circuit of another model, whose inputs and latches have these values in the
    /// model. All of them are roots of this copy. Returns the copies of the bads and those of the constraints,
    /// which are not added.
    pub fn add_part_of(
        &mut self,
        part: &Certificate,
        inputs: &[Edge],
        latches: &[Edge],
    ) -> (Vec<Edge>, Vec<Edge>) {
        let theirs = &part.witness;
        let mut leaves = vec![Edge::FALSE; theirs.aig.n_nodes()];
        for (&input, shared) in theirs.inputs.iter().zip(&part.shared_inputs) {
            leaves[input.node() as usize] = match *shared {
                Some(number) => self.image(inputs[number]),
                None => {
                    let own = self.witness.aig.add_input();
                    self.witness.inputs.push(own);
                    own
                }
            };
        }
        let mut own = Vec::new();
        for (latch, shared) in theirs.latches.iter().zip(&part.shared_latches) {
            leaves[latch.state.node() as usize] = match *shared {
                Some(number) => self.image(latches[number]),
                None => {
                    let state = self.witness.aig.add_input();
                    own.push((state, latch));
                    state
                }
            };
        }
        let functions = own.iter().filter_map(|(_, latch)| match latch.reset {
            Reset::Function(edge) => Some(edge),
            _ => None,
        });
        let roots: Vec<Edge> = own
            .iter()
            .map(|(_, latch)| latch.next)
            .chain(functions)
            .chain(theirs.constraints.iter().copied())
            .chain(theirs.bads.iter().copied())
            .collect();
        let aig = &mut self.witness.aig;
        let mut images = aig
            .copy_cone(&theirs.aig, &roots, &mut |node| leaves[node as usize])
            .into_iter();
        let nexts: Vec<Edge> = images.by_ref().take(own.len()).collect();
        for ((state, latch), next) in own.into_iter().zip(nexts) {
            let reset = match latch.reset {
                Reset::Function(_) => {
                    Reset::Function(images.next().expect("an image for each root"))
                }
                constant => constant,
            };
            self.witness.latches.push(Latch { state, next, reset });
        }
        let constraints = images.by_ref().take(theirs.constraints.len()).collect();
        (images.collect(), constraints)
    }

    /// Adds constraints, edges of the witness circuit.
    pub fn add_constraints(&mut self, edges: Vec<Edge>) {
        self.witness.constraints.extend(edges);
    }

    /// Sets the bad: the disjunction of edges of the witness circuit.
    pub fn set_bads(&mut self, bads: &[Edge]) {
        self.witness.bads = vec![self.witness.aig.or_all(bads.iter().copied())];
    }

    /// The witness circuit: the copied variables are shared, the ones added after them are not.
    pub fn finish(self) -> Certificate {
        let shared = |numbers: Vec<usize>, n: usize| {
            let mut shared: Vec<Option<usize>> = numbers.into_iter().map(Some).collect();
            shared.resize(n, None);
            shared
        };
        Certificate {
            shared_inputs: shared(self.cone.inputs, self.witness.inputs.len()),
            shared_latches: shared(self.cone.latches, self.witness.latches.len()),
            witness: self.witness,
        }
    }
}
