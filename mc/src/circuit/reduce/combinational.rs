//! Smaller formulas for next-state functions, bads and constraints; the functions do not change.

use craig_aig::Edge;
use craig_model::{Latch, Model, Stop};
use craig_solver::{compact::compact_until, sweep::Budget};

use super::pass::{Pass, Task};
use super::reduced::Reduced;

/// The effort for a whole model.
const BUDGET: Budget = Budget {
    conflicts: 20_000,
    conflicts_per_query: 100,
    ticks: 25_000_000,
};

/// The pass.
pub(super) struct Combinational;

impl Pass for Combinational {
    fn name(&self) -> &'static str {
        "combinational"
    }

    fn text(&self) -> &'static str {
        "Rewriting and SAT sweeping"
    }

    fn forward(&self, reduced: &mut Reduced, task: &Task<'_>) -> bool {
        reduced.model = simplify(&reduced.model, task.control.stop);
        reduced.clean(task.scope, task.control.stop);
        task.note_size("rewriting and sweeping", reduced);
        true
    }
}

/// Rewrites and sweeps all functions of `model` together.
fn simplify(model: &Model, stop: &Stop) -> Model {
    let mut roots: Vec<Edge> = model.latches.iter().map(|latch| latch.next).collect();
    roots.extend(&model.bads);
    roots.extend(&model.constraints);
    let (aig, images) = compact_until(&model.aig, &roots, BUDGET, &mut || stop.reason().is_some());
    // Inputs keep their positions, but not their node numbers.
    let moved = |edge: Edge| -> Edge {
        let craig_aig::Node::Input(position) = model.aig.node(edge.node()) else {
            unreachable!("inputs and states are input nodes");
        };
        Edge::new(aig.inputs()[position as usize], edge.is_negated())
    };
    let mut images = images.into_iter();
    let latches = model
        .latches
        .iter()
        .zip(images.by_ref())
        .map(|(latch, next)| Latch {
            state: moved(latch.state),
            next,
            reset: latch.reset,
        })
        .collect();
    let bads = images.by_ref().take(model.bads.len()).collect();
    let constraints = images.collect();
    Model {
        inputs: model.inputs.iter().map(|&input| moved(input)).collect(),
        latches,
        constraints,
        bads,
        justice: Vec::new(),
        fairness: Vec::new(),
        names: model.names.clone(),
        aig,
    }
}
