//! Formulas over latches as auxiliary latches for engines that interpolate: signals.
//!
//! An interpolant is over the latches that the two sides of a cut share, and over latches, the order of two words is no short
//! formula. Here formulas over the latches, the signals, have latches of their own, so that interpolants may mention them. That
//! such a latch has the value of its formula is a constraint: it holds in the reset states and after each step, so that it
//! restricts no run, and both sides of a cut may use it.
//!
//! A proof is one of the given model when the formulas take the places of their latches; the constraints become true then.
//!
//! The latches that signals read may be left out of a cut until they are needed ([`Signals::late`]). The signals are then the
//! templates of an interpolation abstraction (J. Leroux, P. Ruemmer, P. Subotic, "Guiding Craig interpolation with
//! domain-specific abstractions", Acta Informatica 53, 2016), whose other templates are single latches.

use craig_aig::{Edge, Node, NodeId, Poll};
use craig_model::{Model, Reset, cone::nodes_over_latches};

use super::auxiliary::{Auxiliary, reset_to};
use super::passes::{Passes, ROWS};
use super::reduced::Reduced;
use super::{initialised, run_rows, ternary};
use crate::board::Board;
use crate::control::Control;

/// A reduced model with latches for signals.
#[derive(Clone, Debug)]
pub struct Signals {
    /// The model, and the lifting of evidence about it to the given model. Its first bads are those of the given model.
    pub reduced: Reduced,
    /// The numbers of its latches that signals read and that are no signals, in increasing order.
    pub late: Vec<usize>,
}

impl Signals {
    /// Reduces a model by the given passes, and adds latches for formulas over its latches. Formulas that read inputs, that
    /// are constants or single latches after the reduction, and repetitions of formulas or their negations are left out. `None`
    /// if none remains, or if `control` ends it.
    #[must_use]
    pub fn add(
        model: &Model,
        formulas: &[Edge],
        passes: &Passes,
        control: Control<'_>,
    ) -> Option<Self> {
        // The reduction keeps the bads, and does not depend on what they mean.
        let n_bads = model.bads.len();
        let mut with_formulas = model.clone();
        with_formulas.bads.extend(formulas);
        if !with_formulas.names.bads.is_empty() {
            let n_all = with_formulas.bads.len();
            with_formulas.names.bads.resize(n_all, String::new());
        }
        let initial = initialised(&with_formulas, None);
        let mut reduced = run_rows(ROWS, initial, passes, control);
        let poll = &mut control.stop.poll();
        let gates = chosen(&reduced.model, &reduced.model.bads[n_bads..], poll)?;
        if gates.is_empty() {
            return None;
        }
        let late = read(&reduced.model, &gates);
        let (auxiliary, mut extended) = Auxiliary::add(&reduced.model, &gates, poll)?;
        auxiliary.state_equalities(&mut extended, poll)?;
        extended.bads.truncate(n_bads);
        extended.names.bads.truncate(n_bads);
        reduced.replace(extended, auxiliary);
        Some(Self { reduced, late })
    }

    /// What is known to an engine that searches for bad number `property` of the model.
    ///
    /// # Panics
    /// If the model has no such bad.
    #[must_use]
    pub fn board(&self, property: usize) -> Board {
        Board::about(&self.reduced.model, property).with_late_latches(self.late.clone())
    }
}

/// The gates of these formulas that become latches, in the order of the graph, with their resets: a latch starts at either
/// value where its formula does not have the same value in all reset states.
fn chosen(model: &Model, formulas: &[Edge], poll: &mut Poll<'_>) -> Option<Vec<(NodeId, Reset)>> {
    let is_of_latches = nodes_over_latches(model, poll)?;
    let at_reset = ternary::reset_values(model, poll)?;
    let mut nodes: Vec<NodeId> = formulas.iter().map(|formula| formula.node()).collect();
    nodes.sort_unstable();
    nodes.dedup();
    let is_gate = |&node: &NodeId| {
        matches!(model.aig.node(node), Node::And(..)) && is_of_latches[node as usize]
    };
    let gates = nodes.into_iter().filter(is_gate);
    let with_reset = gates.map(|node| {
        let reset = at_reset[node as usize].map_or(Reset::Uninitialised, reset_to);
        (node, reset)
    });
    Some(with_reset.collect())
}

/// The numbers of the latches that these gates read.
fn read(model: &Model, gates: &[(NodeId, Reset)]) -> Vec<usize> {
    let roots = gates.iter().map(|&(node, _)| Edge::new(node, false));
    let mut is_read = vec![false; model.aig.n_nodes()];
    for node in model.aig.support(&roots.collect::<Vec<_>>()) {
        is_read[node as usize] = true;
    }
    let latches = model.latches.iter().enumerate();
    let read = latches.filter(|(_, latch)| is_read[latch.state.node() as usize]);
    read.map(|(number, _)| number).collect()
}
