//! Rebuilds a model with signals replaced by equal ones, and without unused parts.

use craig_aig::{Aig, Edge, Node, NodeId, Poll};
use craig_model::{Latch, Model, Names};

/// The replacement of each node of a model's graph.
#[derive(Clone, Debug)]
pub(super) struct Substitution {
    /// By node: an edge to a smaller node, or to the node itself.
    images: Vec<Edge>,
}

impl Substitution {
    /// The identity.
    pub(super) fn identity(model: &Model) -> Self {
        let nodes = 0..model.aig.n_nodes() as NodeId;
        Self {
            images: nodes.map(|node| Edge::new(node, false)).collect(),
        }
    }

    /// Replaces `node` by `image`, which has a smaller node.
    pub(super) fn replace(&mut self, node: NodeId, image: Edge) {
        debug_assert!(image.node() < node);
        self.images[node as usize] = image;
    }

    /// Whether no node is replaced.
    pub(super) fn is_identity(&self) -> bool {
        self.replaced().next().is_none()
    }

    /// The replaced nodes with their replacements.
    pub(super) fn replaced(&self) -> impl Iterator<Item = (NodeId, Edge)> + '_ {
        self.images
            .iter()
            .enumerate()
            .map(|(node, &image)| (node as NodeId, image))
            .filter(|&(node, image)| image.node() != node)
    }
}

/// The parts that a rebuilt model keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scope {
    /// Inputs and latches that a bad or a constraint depends on, over any number of steps.
    Cone,
    /// Every input and latch.
    Everything,
}

/// A rebuilt model, and the origins of its parts.
pub(super) struct Rebuilt {
    pub(super) model: Model,
    /// For each input its number in the old model.
    pub(super) inputs: Vec<usize>,
    /// For each latch its number in the old model.
    pub(super) latches: Vec<usize>,
}

/// Rebuilds `model`, each node replaced by its image in `substitution`. Constraints that have become true are
/// removed; justice and fairness are not kept. `None` if `poll` ends it.
pub(super) fn rebuild(
    model: &Model,
    substitution: &Substitution,
    scope: Scope,
    poll: &mut Poll<'_>,
) -> Option<Rebuilt> {
    let bads: Vec<usize> = (0..model.bads.len()).collect();
    rebuild_with(model, substitution, &bads, scope, poll)
}

/// Rebuilds with some of the bads and nothing replaced, without a stop: it takes no longer than copying the model.
pub(super) fn rebuild_for(model: &Model, bads: &[usize], scope: Scope) -> Rebuilt {
    let identity = Substitution::identity(model);
    rebuild_with(model, &identity, bads, scope, &mut Poll::never()).expect("nothing stops it")
}

/// In a graph with more nodes, of which all are kept, looking for gates that the rules make equal takes more time than it
/// is worth. Tests have both cases with few nodes.
const MANY_NODES: usize = if cfg!(test) { 10 } else { 200_000 };

/// Whether rebuilding would remove and replace nothing.
fn keeps_all(model: &Model, substitution: &Substitution, needed: &[bool]) -> bool {
    let mut variables = model.inputs.iter().map(|input| input.node());
    let mut states = model.latches.iter().map(|latch| latch.state.node());
    let is_needed = |node: NodeId| needed[node as usize];
    let is_gate = |node: NodeId| matches!(model.aig.node(node), Node::And(..));
    let mut gates = (0..needed.len() as NodeId).filter(|&node| is_gate(node));
    substitution.is_identity()
        && variables.all(is_needed)
        && states.all(is_needed)
        && gates.all(is_needed)
        && !model.constraints.contains(&Edge::TRUE)
}

/// The model with some of its bads, without justice and fairness.
fn copied(model: &Model, numbers: &[usize]) -> Rebuilt {
    let mut names = model.names.clone();
    names.justice.clear();
    names.fairness.clear();
    let names_of_bads = numbers.iter();
    names.bads = names_of_bads
        .filter_map(|&number| model.names.bads.get(number).cloned())
        .collect();
    Rebuilt {
        inputs: (0..model.inputs.len()).collect(),
        latches: (0..model.latches.len()).collect(),
        model: Model {
            aig: model.aig.clone(),
            inputs: model.inputs.clone(),
            latches: model.latches.clone(),
            constraints: model.constraints.clone(),
            bads: numbers.iter().map(|&number| model.bads[number]).collect(),
            justice: Vec::new(),
            fairness: Vec::new(),
            names,
        },
    }
}

fn rebuild_with(
    model: &Model,
    substitution: &Substitution,
    numbers: &[usize],
    scope: Scope,
    poll: &mut Poll<'_>,
) -> Option<Rebuilt> {
    let bads: Vec<Edge> = numbers.iter().map(|&number| model.bads[number]).collect();
    let needed = needed_nodes(model, substitution, &bads, scope, poll)?;
    if model.aig.n_nodes() > MANY_NODES && keeps_all(model, substitution, &needed) {
        return Some(copied(model, numbers));
    }
    let mut aig = Aig::new();
    aig.reserve(needed.iter().filter(|&&is_needed| is_needed).count());
    let mut images = vec![Edge::FALSE; model.aig.n_nodes()];
    let (mut inputs, mut latches) = (Vec::new(), Vec::new());
    let mut states = Vec::new();
    let mut new_inputs = Vec::new();
    for (number, input) in model.inputs.iter().enumerate() {
        if needed[input.node() as usize] {
            let copy = aig.add_input();
            images[input.node() as usize] = copy;
            new_inputs.push(copy);
            inputs.push(number);
        }
    }
    for (number, latch) in model.latches.iter().enumerate() {
        if needed[latch.state.node() as usize] {
            let copy = aig.add_input();
            images[latch.state.node() as usize] = copy;
            states.push(copy);
            latches.push(number);
        }
    }
    for (node, &replacement) in substitution.images.iter().enumerate() {
        poll.step()?;
        if replacement.node() as usize != node {
            // The replacement of a needed node is needed, and has its image already.
            images[node] = replacement.image(&images);
        } else if needed[node]
            && let Node::And(left, right) = model.aig.node(node as NodeId)
        {
            images[node] = aig.and(left.image(&images), right.image(&images));
        }
    }
    let new_latches = latches
        .iter()
        .zip(&states)
        .map(|(&number, &state)| Latch {
            state,
            next: model.latches[number].next.image(&images),
            reset: model.latches[number].reset,
        })
        .collect();
    let mut constraints = Vec::new();
    let mut constraint_names = Vec::new();
    for (number, &constraint) in model.constraints.iter().enumerate() {
        let image = constraint.image(&images);
        if image != Edge::TRUE {
            constraints.push(image);
            constraint_names.extend(model.names.constraints.get(number).cloned());
        }
    }
    let pick = |names: &[String], numbers: &[usize]| -> Vec<String> {
        numbers
            .iter()
            .filter_map(|&number| names.get(number).cloned())
            .collect()
    };
    let names = Names {
        inputs: pick(&model.names.inputs, &inputs),
        latches: pick(&model.names.latches, &latches),
        bads: pick(&model.names.bads, numbers),
        constraints: constraint_names,
        justice: Vec::new(),
        fairness: Vec::new(),
    };
    let bads = bads.iter().map(|&bad| bad.image(&images)).collect();
    Some(Rebuilt {
        model: Model {
            aig,
            inputs: new_inputs,
            latches: new_latches,
            constraints,
            bads,
            justice: Vec::new(),
            fairness: Vec::new(),
            names,
        },
        inputs,
        latches,
    })
}

/// The nodes that are needed after all replacements. `None` if `poll` ends it.
fn needed_nodes(
    model: &Model,
    substitution: &Substitution,
    bads: &[Edge],
    scope: Scope,
    poll: &mut Poll<'_>,
) -> Option<Vec<bool>> {
    let mut latch_of = vec![None; model.aig.n_nodes()];
    for latch in &model.latches {
        latch_of[latch.state.node() as usize] = Some(latch.next);
    }
    let mut needed = vec![false; model.aig.n_nodes()];
    let mut open: Vec<Edge> = Vec::new();
    open.extend(bads);
    open.extend(&model.constraints);
    if scope == Scope::Everything {
        open.extend(&model.inputs);
        open.extend(model.latches.iter().map(|latch| latch.state));
    }
    while let Some(edge) = open.pop() {
        poll.step()?;
        let node = substitution.images[edge.node() as usize].node();
        if node != edge.node() {
            open.push(Edge::new(node, false));
        } else if !std::mem::replace(&mut needed[node as usize], true) {
            match model.aig.node(node) {
                Node::Constant => {}
                Node::Input(_) => open.extend(latch_of[node as usize]),
                Node::And(left, right) => open.extend([left, right]),
            }
        }
    }
    Some(needed)
}
