//! Gates over latches as auxiliary state variables: internal signals.
//!
//! An engine whose cubes and lemmas are over latches may need many of them to express the value of a single
//! gate (R. Dureja, A. Gurfinkel, A. Ivrii, Y. Vizel, "IC3 with internal signals", 2021). Here some of the
//! gates that depend on no input become auxiliary latches. Such a latch is reset to the gate's value in the
//! reset states, and its next value is the gate over the next values of the latches; hence in every run it
//! has the gate's value, and can replace the gate everywhere.
//!
//! The equality is not stated as a constraint: an engine that generalises states would have to keep the
//! constraint true in all of them, and with it every latch that the gate depends on.

use craig_solver::Poll;
use craig_solver::aig::{Aig, Edge, Node, NodeId};

use super::facts::{LiftedWitness, Named};
use super::pass::{Pass, Task};
use super::reduced::Reduced;
use super::stage::Stage;
use super::ternary;
use crate::circuit::cone::nodes_over_latches;
use crate::circuit::model::{Latch, Model, Reset};
use crate::circuit::verdict::{Certificate, Trace};

/// There is one auxiliary latch per this many latches, rounded up.
const LATCHES_PER_SIGNAL: usize = 4;
/// The number of gates, latches, bads and constraints that have to use a gate for it to become a latch.
const MIN_READERS: u32 = 2;

/// The pass.
pub(super) struct InternalSignals;

impl Pass for InternalSignals {
    fn name(&self) -> &'static str {
        "internal"
    }

    fn text(&self) -> &'static str {
        "Some gates over latches become latches, so that cubes and lemmas of PDR can contain them"
    }

    fn forward(&self, reduced: &mut Reduced, task: &Task<'_>) -> bool {
        let Some((internal, model)) = add(&reduced.model, &mut task.control.poll()) else {
            return false;
        };
        reduced.replace(model, internal);
        task.note_size("internal signals", reduced);
        true
    }
}

/// The original model, and the formulas of the auxiliary latches.
#[derive(Clone, Debug)]
struct Internal {
    original: Model,
    /// For each latch of the model with auxiliary latches, the original's formula for its value: first the
    /// original's latches themselves, then the gates.
    latches: Vec<Edge>,
}

/// Adds latches for the gates with the most users, after the others; `None` if no gate qualifies, or if `poll` ends it.
fn add(model: &Model, poll: &mut Poll<'_>) -> Option<(Internal, Model)> {
    let gates = choose(model, poll)?;
    if gates.is_empty() {
        return None;
    }
    let mut aig = Aig::new();
    let mut images = vec![Edge::FALSE; model.aig.n_nodes()];
    let states = model.latches.iter().map(|latch| latch.state);
    for variable in model.inputs.iter().copied().chain(states) {
        images[variable.node() as usize] = aig.add_input();
    }
    for &(gate, _) in &gates {
        images[gate as usize] = aig.add_input();
    }
    let mut is_gate = vec![false; model.aig.n_nodes()];
    for &(gate, _) in &gates {
        is_gate[gate as usize] = true;
    }
    for node in 0..model.aig.n_nodes() {
        poll.step()?;
        if let Node::And(left, right) = model.aig.node(node as NodeId)
            && !is_gate[node]
        {
            images[node] = aig.and(left.image(&images), right.image(&images));
        }
    }
    let mut latches: Vec<Latch> = (model.latches.iter())
        .map(|latch| Latch {
            state: latch.state.image(&images),
            next: latch.next.image(&images),
            reset: latch.reset,
        })
        .collect();
    // The gates one step later. They depend on no inputs, so every leaf is a latch.
    let roots: Vec<Edge> = gates
        .iter()
        .map(|&(gate, _)| Edge::new(gate, false))
        .collect();
    let mut next_of = vec![Edge::FALSE; model.aig.n_nodes()];
    for (latch, old) in latches.iter().zip(&model.latches) {
        next_of[old.state.node() as usize] = latch.next;
    }
    let leaf = &mut |node| next_of[node as usize];
    let nexts = aig.copy_cone_until(&model.aig, &roots, leaf, poll)?;
    for (&(gate, at_reset), next) in gates.iter().zip(nexts) {
        latches.push(Latch {
            state: images[gate as usize],
            next,
            reset: if at_reset { Reset::One } else { Reset::Zero },
        });
    }
    let all =
        |edges: &[Edge]| -> Vec<Edge> { edges.iter().map(|&edge| edge.image(&images)).collect() };
    let mut names = model.names.clone();
    if !names.latches.is_empty() {
        names.latches.resize(latches.len(), String::new());
    }
    let extended = Model {
        inputs: all(&model.inputs),
        constraints: all(&model.constraints),
        bads: all(&model.bads),
        justice: model.justice.iter().map(|set| all(set)).collect(),
        fairness: all(&model.fairness),
        aig,
        latches,
        names,
    };
    let states = model.latches.iter().map(|latch| latch.state);
    let internal = Internal {
        original: model.clone(),
        latches: states.chain(roots).collect(),
    };
    Some((internal, extended))
}

/// The gates that get a latch, in the order of the graph, each with its value in all reset states. `None` if `poll` ends
/// it.
fn choose(model: &Model, poll: &mut Poll<'_>) -> Option<Vec<(NodeId, bool)>> {
    let n_nodes = model.aig.n_nodes();
    let is_of_latches = nodes_over_latches(model, poll)?;
    let mut readers = vec![0_u32; n_nodes];
    for node in 0..n_nodes {
        poll.step()?;
        if let Node::And(left, right) = model.aig.node(node as NodeId) {
            readers[left.node() as usize] += 1;
            readers[right.node() as usize] += 1;
        }
    }
    let nexts = model.latches.iter().map(|latch| &latch.next);
    for root in nexts.chain(&model.bads).chain(&model.constraints) {
        readers[root.node() as usize] += 1;
    }
    let at_reset = ternary::reset_values(model, poll)?;
    let mut gates: Vec<(NodeId, bool)> = (0..n_nodes)
        .filter(|&node| {
            matches!(model.aig.node(node as NodeId), Node::And(..))
                && is_of_latches[node]
                && readers[node] >= MIN_READERS
        })
        .filter_map(|node| Some((node as NodeId, at_reset[node]?)))
        .collect();
    gates.sort_by_key(|&(gate, _)| (std::cmp::Reverse(readers[gate as usize]), gate));
    gates.truncate(model.latches.len().div_ceil(LATCHES_PER_SIGNAL));
    gates.sort_unstable();
    Some(gates)
}

impl Stage for Internal {
    /// A trace of the original from one of the model with auxiliary latches.
    fn trace(&self, trace: &Trace) -> Trace {
        let mut trace = trace.clone();
        trace.initial.truncate(self.original.latches.len());
        trace
    }

    /// A certificate for the original from one for the model with auxiliary latches: the gates replace the
    /// latches. Every step of the original is a step of that model with the gates' values in the auxiliary
    /// latches, so the conditions still hold.
    fn certificate(&self, certificate: &Certificate) -> Certificate {
        let names = Named {
            inputs: &self.original.inputs,
            latches: &self.latches,
        };
        LiftedWitness::lift(&self.original, names, &[], certificate)
    }
    fn latches(&self) -> Vec<Option<usize>> {
        let before = self.original.latches.len();
        let all = (0..self.latches.len()).map(|number| (number < before).then_some(number));
        all.collect()
    }
}
