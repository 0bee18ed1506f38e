//! The annotation as it stands, for people.

use std::collections::{BTreeSet, HashMap};

use craig_aig::{Aig, Edge, Node};

use super::annotation::{Annotation, UNBOUNDED};
use crate::actions::{ActionId, Actions};
use crate::cfa::{Cfa, LocationId};
use crate::drawing::{Drawing, DrawnVertex, Writer, mark_run};
use crate::labels::Labels;
use crate::word_labels::Refuter;

/// The locations in the order of a depth-first visit from the start. A location that is reached again is a leaf that
/// its first vertex covers. A label is that of the location for paths of any length: no such path from a state in it
/// reaches an open goal. The vertices on a run that was found are marked.
pub(super) fn draw(
    cfa: &Cfa,
    actions: &Actions,
    labels: &mut Labels,
    annotation: &mut Annotation<'_>,
    refuter: &mut Refuter,
    path: Option<&[ActionId]>,
) -> Drawing {
    let mut visited: Vec<(LocationId, Option<usize>, Edge)> = Vec::new();
    let mut first: HashMap<LocationId, usize> = HashMap::new();
    let mut covered_by: Vec<Option<usize>> = Vec::new();
    let mut incoming: Vec<Option<ActionId>> = Vec::new();
    let mut work = vec![(Cfa::START, None, None)];
    while let Some((location, parent, action)) = work.pop() {
        let label = match location {
            Cfa::ERROR => Edge::FALSE,
            _ => annotation.at(&mut labels.aig, location, UNBOUNDED),
        };
        let number = visited.len();
        visited.push((location, parent, label));
        incoming.push(action);
        let known = first.get(&location).copied();
        covered_by.push(known);
        if known.is_none() && location != Cfa::ERROR {
            first.insert(location, number);
            let outgoing = actions.outgoing(location).iter().rev();
            let outgoing = outgoing.map(|&action| (actions.action(action).target, Some(action)));
            work.extend(outgoing.map(|(target, action)| (target, Some(number), action)));
        }
    }
    let mut parts: HashMap<Edge, Vec<Edge>> = HashMap::new();
    for &(_, _, label) in &visited {
        let conjuncts = match refuter.counters() {
            Some(_) => refuter.split(labels, label),
            None => conjuncts(&labels.aig, label),
        };
        parts.insert(label, conjuncts);
    }
    let all: BTreeSet<Edge> = parts.values().flatten().copied().collect();
    let in_words = refuter.texts(actions, &labels.aig, all);
    let writer = Writer::new(cfa, &labels.aig, actions.bits()).with_texts(in_words);
    let vertices =
        (visited.into_iter().zip(covered_by)).map(|((location, parent, label), covered_by)| {
            DrawnVertex {
                parent,
                covered_by,
                location: cfa.location(location).name.clone(),
                label: match label {
                    Edge::FALSE => Vec::new(),
                    label => writer.label(&parts[&label]),
                },
                is_false: label == Edge::FALSE,
                is_blocked: false,
                is_open: false,
                is_on_run: false,
            }
        });
    let mut vertices: Vec<DrawnVertex> = vertices.collect();
    if let Some(path) = path {
        mark_run(&mut vertices, &incoming, path);
    }
    Drawing { vertices }
}

/// The conjuncts of a formula; none of a constant.
fn conjuncts(aig: &Aig, formula: Edge) -> Vec<Edge> {
    let mut found = Vec::new();
    let mut work = vec![formula];
    while let Some(edge) = work.pop() {
        match aig.node(edge.node()) {
            Node::And(left, right) if !edge.is_negated() => work.extend([right, left]),
            Node::Constant => {}
            _ => found.push(edge),
        }
    }
    let mut seen = std::collections::HashSet::new();
    found.retain(|&edge| seen.insert(edge));
    found
}
