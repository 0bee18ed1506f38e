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

use craig_aig::{Node, NodeId, Poll};
use craig_model::{Model, Reset, cone::nodes_over_latches};

use super::auxiliary::{self, Auxiliary};
use super::pass::{Pass, Task};
use super::reduced::Reduced;
use super::ternary;

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

/// Adds latches for the gates with the most users, after the others; `None` if no gate qualifies, or if `poll` ends it.
fn add(model: &Model, poll: &mut Poll<'_>) -> Option<(Auxiliary, Model)> {
    let gates = choose(model, poll)?;
    if gates.is_empty() {
        return None;
    }
    Auxiliary::add(model, &gates, poll)
}

/// The gates that get a latch, in the order of the graph, each with its value in all reset states. `None` if `poll` ends
/// it.
fn choose(model: &Model, poll: &mut Poll<'_>) -> Option<Vec<(NodeId, Reset)>> {
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
    let mut gates: Vec<(NodeId, Reset)> = (0..n_nodes)
        .filter(|&node| {
            matches!(model.aig.node(node as NodeId), Node::And(..))
                && is_of_latches[node]
                && readers[node] >= MIN_READERS
        })
        .filter_map(|node| Some((node as NodeId, auxiliary::reset_to(at_reset[node]?))))
        .collect();
    gates.sort_by_key(|&(gate, _)| (std::cmp::Reverse(readers[gate as usize]), gate));
    gates.truncate(model.latches.len().div_ceil(LATCHES_PER_SIGNAL));
    gates.sort_unstable_by_key(|&(gate, _)| gate);
    Some(gates)
}
