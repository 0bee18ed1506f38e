//! Whether one part of a model is another one with other names.

use std::collections::HashMap;

use craig_aig::{Edge, NodeId};
use craig_model::{Model, cone::SequentialCone};

/// The input and latch of a model that stands for each of a cone, in the order of the cone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Renaming {
    pub(super) inputs: Vec<usize>,
    pub(super) latches: Vec<usize>,
}

impl Renaming {
    /// Each stands for itself.
    pub(super) fn identity(cone: &SequentialCone) -> Self {
        Self {
            inputs: cone.inputs.clone(),
            latches: cone.latches.clone(),
        }
    }
}

/// The renaming that makes the bad and the cone of `one` those of `two`, where constraints stay as they are. What is in both
/// cones keeps its name, and what is in one only has the name at the same place of what is in the other only. `None` if
/// that is no such renaming.
pub(super) fn renaming(
    model: &mut Model,
    one: (Edge, &SequentialCone),
    two: (Edge, &SequentialCone),
) -> Option<Renaming> {
    let renaming = Renaming {
        inputs: matched(&one.1.inputs, &two.1.inputs)?,
        latches: matched(&one.1.latches, &two.1.latches)?,
    };
    if one.1.ands.len() != two.1.ands.len() {
        return None;
    }
    let mut images: HashMap<NodeId, Edge> = HashMap::new();
    for (&from, &to) in one.1.inputs.iter().zip(&renaming.inputs) {
        images.insert(model.inputs[from].node(), model.inputs[to]);
    }
    let mut roots = vec![one.0];
    let mut expected = vec![two.0];
    for (&from, &to) in one.1.latches.iter().zip(&renaming.latches) {
        let [from, to] = [from, to].map(|number| model.latches[number]);
        if from.reset != to.reset {
            return None;
        }
        images.insert(from.state.node(), to.state);
        roots.push(from.next);
        expected.push(to.next);
    }
    roots.extend(&model.constraints);
    expected.extend(&model.constraints);
    let mut leaf = |node: NodeId| *images.get(&node).unwrap_or(&Edge::new(node, false));
    let found = model.aig.substitute(&roots, &mut leaf);
    (found == expected).then_some(renaming)
}

/// For each number of a sorted list the one of another sorted list that stands for it; `None` if the lengths differ.
fn matched(one: &[usize], two: &[usize]) -> Option<Vec<usize>> {
    if one.len() != two.len() {
        return None;
    }
    let mut others = (two.iter()).filter(|number| one.binary_search(number).is_err());
    one.iter()
        .map(|number| match two.binary_search(number) {
            Ok(_) => Some(*number),
            Err(_) => others.next().copied(),
        })
        .collect()
}
