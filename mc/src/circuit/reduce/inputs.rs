//! Inputs whose only effect is on one signal: the signal is replaced by an input.
//!
//! A signal is *free* if it can be given either value in any state by inputs that affect other signals only
//! through it. An input is free; so is a conjunction of two free signals that are used nowhere else, an
//! exclusive disjunction with a free signal, and a choice between two free signals. Replacing a free signal
//! by a new input does not change the behaviour of the model (a structural form of the reparameterisation in
//! I. Moon, H. Kwak, J. Kukula, T. Shiple, C. Pixley, "Simplifying circuits for formal verification using
//! parametric representation", 2002).

use craig_aig::{Aig, Edge, Node, NodeId, Poll};
use craig_model::{Certificate, Latch, Model, Reset, Trace};

use super::facts::LiftedWitness;
use super::needed::Named;
use super::pass::{Pass, Task};
use super::reduced::Reduced;
use super::stage::Stage;

/// The pass.
pub(super) struct FreeGates;

impl Pass for FreeGates {
    fn name(&self) -> &'static str {
        "inputs"
    }

    fn text(&self) -> &'static str {
        "Gates that inputs can set to either value become inputs"
    }

    fn forward(&self, reduced: &mut Reduced, task: &Task<'_>) -> bool {
        let Some((elimination, model)) = eliminate(&reduced.model, &mut task.control.stop.poll())
        else {
            return false;
        };
        reduced.replace(model, elimination);
        reduced.clean(task.scope, task.control.stop);
        task.note_size("free gates", reduced);
        true
    }
}

/// How a free gate gets a value. Edges are signals of the gate's model; those that are set are free and have
/// no other user.
#[derive(Clone, Copy, Debug)]
enum Way {
    /// The gate is the conjunction of two: both get its value.
    Both(Edge, Edge),
    /// The gate differs from the first iff the second holds: the first is set according to the second.
    Differ(Edge, Edge),
    /// The gate chooses between the negations of two: both get the opposite of its value.
    Neither(Edge, Edge),
}

impl Way {
    /// The signals that are set to give the gate its value.
    fn parts(self) -> impl Iterator<Item = Edge> {
        let (first, second) = match self {
            Self::Differ(first, _) => (first, None),
            Self::Both(first, second) | Self::Neither(first, second) => (first, Some(second)),
        };
        std::iter::once(first).chain(second)
    }
}

/// Inputs that replace free gates, and the lifting of evidence.
#[derive(Clone, Debug)]
struct Elimination {
    /// The model with the gates.
    model: Model,
    /// How each free gate of `model` gets a value, by node.
    ways: Vec<Option<Way>>,
    /// The signal of each input of the new model: an input or a free gate of `model`.
    sources: Vec<NodeId>,
}

/// Replaces all free gates that are not part of another one by inputs; `None` if there are none, or if `poll` ends it.
fn eliminate(model: &Model, poll: &mut Poll<'_>) -> Option<(Elimination, Model)> {
    let ways = free_gates(model, poll)?;
    let mut is_part = vec![false; model.aig.n_nodes()];
    for part in ways.iter().flatten().flat_map(|way| way.parts()) {
        is_part[part.node() as usize] = true;
    }
    let is_cut = |node: NodeId| ways[node as usize].is_some() && !is_part[node as usize];
    if !(0..model.aig.n_nodes() as NodeId).any(is_cut) {
        return None;
    }
    let mut aig = Aig::new();
    let mut images = vec![Edge::FALSE; model.aig.n_nodes()];
    let mut sources = Vec::new();
    let mut inputs = Vec::new();
    let kept = model.inputs.iter().map(|input| input.node());
    let kept = kept.filter(|&node| !is_part[node as usize]);
    for node in kept.chain((0..model.aig.n_nodes() as NodeId).filter(|&node| is_cut(node))) {
        images[node as usize] = aig.add_input();
        inputs.push(images[node as usize]);
        sources.push(node);
    }
    for latch in &model.latches {
        images[latch.state.node() as usize] = aig.add_input();
    }
    for node in 0..model.aig.n_nodes() as NodeId {
        poll.step()?;
        // Nodes below a free gate get an image, too, which is not used.
        if let Node::And(left, right) = model.aig.node(node)
            && !is_cut(node)
        {
            images[node as usize] = aig.and(left.image(&images), right.image(&images));
        }
    }
    let mut small = Model {
        aig,
        inputs,
        names: model.names.clone(),
        ..Model::default()
    };
    if !model.names.inputs.is_empty() {
        let mut names = vec![""; model.aig.n_nodes()];
        for (input, name) in model.inputs.iter().zip(&model.names.inputs) {
            names[input.node() as usize] = name;
        }
        let name = |&node: &NodeId| names[node as usize].to_string();
        small.names.inputs = sources.iter().map(name).collect();
    }
    small.latches = (model.latches.iter())
        .map(|latch| Latch {
            state: latch.state.image(&images),
            next: latch.next.image(&images),
            reset: latch.reset,
        })
        .collect();
    small.constraints = model
        .constraints
        .iter()
        .map(|&edge| edge.image(&images))
        .collect();
    small.bads = model.bads.iter().map(|&edge| edge.image(&images)).collect();
    let elimination = Elimination {
        model: model.clone(),
        ways,
        sources,
    };
    Some((elimination, small))
}

/// How each free gate gets a value; `None` for other nodes. Nothing at all if `poll` ends it.
fn free_gates(model: &Model, poll: &mut Poll<'_>) -> Option<Vec<Option<Way>>> {
    let n_nodes = model.aig.n_nodes();
    let mut roots: Vec<Edge> = model.latches.iter().map(|latch| latch.next).collect();
    roots.extend(model.bads.iter().chain(&model.constraints));
    let mut uses = vec![0_u32; n_nodes];
    for root in &roots {
        uses[root.node() as usize] += 1;
    }
    let cone = model.aig.cone(&roots);
    for &node in &cone {
        poll.step()?;
        if let Node::And(left, right) = model.aig.node(node) {
            uses[left.node() as usize] += 1;
            uses[right.node() as usize] += 1;
        }
    }
    let mut is_free = vec![false; n_nodes];
    for input in &model.inputs {
        is_free[input.node() as usize] = true;
    }
    let mut ways = vec![None; n_nodes];
    for node in cone {
        poll.step()?;
        if let Node::And(left, right) = model.aig.node(node) {
            // Whether the edge has exactly `n` users.
            let own = |edge: Edge, n: u32| {
                is_free[edge.node() as usize] && uses[edge.node() as usize] == n
            };
            let way = if own(left, 1) && own(right, 1) {
                Some(Way::Both(left, right))
            } else {
                choice(&model.aig, left, right, &uses).and_then(|[when, then, otherwise]| {
                    if then == !otherwise && own(when, 2) {
                        Some(Way::Differ(when, then))
                    } else if then == !otherwise && own(then, 2) {
                        Some(Way::Differ(then, when))
                    } else if own(then, 1) && own(otherwise, 1) {
                        Some(Way::Neither(then, otherwise))
                    } else {
                        None
                    }
                })
            };
            is_free[node as usize] = way.is_some();
            ways[node as usize] = way;
        }
    }
    Some(ways)
}

/// `[s, a, b]` if the conjunction of `left` and `right` is "if s then not a, else not b", whose two gates
/// have no other user. If a and b are opposite, this is s xor a.
fn choice(aig: &Aig, left: Edge, right: Edge, uses: &[u32]) -> Option<[Edge; 3]> {
    let inner = |edge: Edge| match aig.node(edge.node()) {
        Node::And(first, second) if edge.is_negated() && uses[edge.node() as usize] == 1 => {
            Some([first, second])
        }
        _ => None,
    };
    let (then, otherwise) = (inner(left)?, inner(right)?);
    for (s, a) in [(then[0], then[1]), (then[1], then[0])] {
        for (not_s, b) in [(otherwise[0], otherwise[1]), (otherwise[1], otherwise[0])] {
            if not_s == !s && a.node() != s.node() && b.node() != s.node() {
                return Some([s, a, b]);
            }
        }
    }
    None
}

impl Stage for Elimination {
    /// A trace of the model with the gates from one of the model with the new inputs.
    fn trace(&self, trace: &Trace) -> Trace {
        let model = &self.model;
        let mut values = vec![false; model.aig.n_nodes()];
        // Values that the trace leaves open are arbitrary: the reset, or 0.
        let mut state: Vec<bool> = (model.latches.iter().zip(&trace.initial))
            .map(|(latch, value)| value.unwrap_or(latch.reset == Reset::One))
            .collect();
        let initial = state.iter().map(|&value| Some(value)).collect();
        let mut inputs = Vec::with_capacity(trace.inputs.len());
        for given in &trace.inputs {
            for (latch, &value) in model.latches.iter().zip(&state) {
                values[latch.state.node() as usize] = value;
            }
            inputs.push(self.step(given, &mut values));
            let next = |latch: &Latch| at(&values, latch.next);
            state = model.latches.iter().map(next).collect();
        }
        Trace {
            property: trace.property,
            initial,
            inputs,
        }
    }

    /// A certificate for the model with the gates from one for the model with the new inputs: the gates
    /// replace the inputs. A condition that holds for all values of the inputs holds for those of the gates.
    fn certificate(&self, certificate: &Certificate) -> Certificate {
        let gates: Vec<Edge> = (self.sources.iter())
            .map(|&node| Edge::new(node, false))
            .collect();
        let latches = self.model.latches.iter();
        let latches: Vec<Edge> = latches.map(|latch| latch.state).collect();
        let names = Named {
            inputs: &gates,
            latches: &latches,
        };
        LiftedWitness::lift(&self.model, names, &[], certificate)
    }

    fn latches(&self) -> Vec<Option<usize>> {
        (0..self.model.latches.len()).map(Some).collect()
    }
}

impl Elimination {
    /// The values of the model's inputs in a step whose state is in `values`, which is overwritten by the
    /// value of each node.
    fn step(&self, given: &[Option<bool>], values: &mut [bool]) -> Vec<Option<bool>> {
        let mut is_given = vec![false; values.len()];
        for (&node, value) in self.sources.iter().zip(given) {
            values[node as usize] = value.unwrap_or(false);
            is_given[node as usize] = true;
        }
        // Only nodes below a free gate have wrong values now, and the signals compared with that gate do not.
        self.evaluate(values, &is_given);
        let mut stack = self.sources.clone();
        while let Some(node) = stack.pop() {
            let Some(way) = self.ways[node as usize] else {
                continue;
            };
            let value = values[node as usize];
            let value = match way {
                Way::Both(..) => value,
                Way::Neither(..) => !value,
                Way::Differ(_, second) => value != at(values, second),
            };
            for part in way.parts() {
                values[part.node() as usize] = value != part.is_negated();
                stack.push(part.node());
            }
        }
        is_given.fill(false);
        self.evaluate(values, &is_given);
        debug_assert!(
            (self.sources.iter().zip(given))
                .all(|(&node, value)| values[node as usize] == value.unwrap_or(false)),
            "free gates get the values that were asked for"
        );
        let inputs = self.model.inputs.iter();
        inputs.map(|&input| Some(at(values, input))).collect()
    }

    /// Evaluates every gate that has no given value.
    fn evaluate(&self, values: &mut [bool], is_given: &[bool]) {
        for node in 0..values.len() {
            if let Node::And(left, right) = self.model.aig.node(node as NodeId)
                && !is_given[node]
            {
                values[node] = at(values, left) && at(values, right);
            }
        }
    }
}

fn at(values: &[bool], edge: Edge) -> bool {
    values[edge.node() as usize] != edge.is_negated()
}
