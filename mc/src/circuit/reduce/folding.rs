//! Constraints folded into the bad: a latch records that they have held in all previous steps.
//!
//! The folded model has no constraints. Its bad requires that they hold now and have held before, so that its
//! runs to the bad are those of the original.

use craig_aig::Edge;
use craig_model::{Certificate, Latch, Model, Reset, Trace};

use super::facts::LiftedWitness;
use super::needed::Named;
use super::pass::{Pass, Task};
use super::reduced::Reduced;
use super::stage::Stage;

/// The pass.
pub(super) struct ConstraintFolding;

impl Pass for ConstraintFolding {
    fn name(&self) -> &'static str {
        "folding"
    }

    fn text(&self) -> &'static str {
        "Constraints become part of the bad, with a latch that records whether they have held"
    }

    fn is_immediate(&self) -> bool {
        true
    }

    fn forward(&self, reduced: &mut Reduced, task: &Task<'_>) -> bool {
        let Some((folding, model)) = fold(&reduced.model) else {
            return false;
        };
        reduced.replace(model, folding);
        task.note_size("constraint folding", reduced);
        true
    }
}

/// The data to lift evidence from the folded model.
#[derive(Clone, Debug)]
struct Folding {
    /// The original's constraints, as formulas of the folded model.
    constraints: Vec<Edge>,
    /// Its last latch records that the constraints have held.
    folded: Model,
}

/// Folds the constraints; `None` if there are none.
fn fold(model: &Model) -> Option<(Folding, Model)> {
    if model.constraints.is_empty() {
        return None;
    }
    let mut folded = model.clone();
    let constraints = std::mem::take(&mut folded.constraints);
    folded.names.constraints.clear();
    let held = folded.aig.add_input();
    let mut all = constraints.clone();
    all.push(held);
    let holds = folded.aig.and_all(all);
    folded.latches.push(Latch {
        state: held,
        next: holds,
        reset: Reset::One,
    });
    if !folded.names.latches.is_empty() {
        folded.names.latches.push(String::new());
    }
    for index in 0..folded.bads.len() {
        folded.bads[index] = folded.aig.and(folded.bads[index], holds);
    }
    let folding = Folding {
        constraints,
        folded: folded.clone(),
    };
    Some((folding, folded))
}

impl Stage for Folding {
    /// A trace of the original from one of the folded model.
    fn trace(&self, trace: &Trace) -> Trace {
        let mut trace = trace.clone();
        trace.initial.pop();
        trace
    }

    /// A certificate for the original from one for the folded model.
    ///
    /// The recording latch becomes one of the witness's own latches. The conditions `reset` and `transition`
    /// do not restrict own latches, so constraints of the witness that depend on it would not be justified:
    /// they become part of the property, together with the latch. Instead, the witness gets the original's
    /// constraints, under which the latch keeps its reset value.
    fn certificate(&self, certificate: &Certificate) -> Certificate {
        let folded = &self.folded;
        let latches: Vec<Edge> = folded.latches.iter().map(|latch| latch.state).collect();
        let names = Named {
            inputs: &folded.inputs,
            latches: &latches,
        };
        let remembers = folded.latches.len() - 1;
        let state = folded.latches[remembers].state;
        // The roots need not be facts of the folded model: only its variables are used.
        let mut wanted = self.constraints.clone();
        wanted.push(state);
        let (mut lifted, images) =
            LiftedWitness::lift_with(folded, names, &[], &wanted, certificate);
        let witness = &mut lifted.witness;
        let mut proved = std::mem::take(&mut witness.constraints);
        proved.push(images[images.len() - 1]);
        witness.constraints = images[..images.len() - 1].to_vec();
        let proved = witness.aig.and_all(proved);
        let bad = witness.aig.or_all(witness.bads.iter().copied());
        witness.bads = vec![witness.aig.or(bad, !proved)];
        for shared in &mut lifted.shared_latches {
            shared.take_if(|number| *number == remembers);
        }
        lifted
    }
    fn latches(&self) -> Vec<Option<usize>> {
        let before = (0..self.folded.latches.len() - 1).map(Some);
        before.chain([None]).collect()
    }
}
