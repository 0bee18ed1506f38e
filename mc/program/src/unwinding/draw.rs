//! The unwinding as it stands, for people.

use std::collections::{BTreeSet, HashMap};

use craig_aig::Edge;

use super::tree::{Unwinding, VertexId};
use crate::actions::{ActionId, Actions};
use crate::cfa::Cfa;
use crate::drawing::{Drawing, DrawnVertex, Writer, mark_run};
use crate::labels::{LabelId, Labels};
use crate::word_labels::Refuter;

/// The tree without vertices below false labels. Those below blocked vertices are drawn with the labels that
/// they had at last. The vertices on a run that was found are marked.
pub(crate) fn draw(
    cfa: &Cfa,
    actions: &Actions,
    labels: &Labels,
    tree: &Unwinding,
    refuter: &mut Refuter,
    path: Option<&[ActionId]>,
) -> Drawing {
    let all = (0..tree.len() as VertexId).map(|v| tree.vertex(v).label);
    let conjuncts = all.flat_map(|label| labels.conjuncts(label).iter().copied());
    let conjuncts: BTreeSet<Edge> = conjuncts.collect();
    let in_words = refuter.texts(actions, &labels.aig, conjuncts);
    let writer = Writer::new(cfa, &labels.aig, actions.bits()).with_texts(in_words);
    let mut texts: HashMap<LabelId, Vec<String>> = HashMap::new();
    let mut numbers: HashMap<VertexId, usize> = HashMap::new();
    let mut drawing = Drawing::default();
    let mut incoming: Vec<Option<ActionId>> = Vec::new();
    for v in 0..tree.len() as VertexId {
        let vertex = tree.vertex(v);
        if vertex.is_pruned && !vertex.is_below_blocked {
            continue;
        }
        let parent = match vertex.parent {
            None => None,
            Some(parent) => match numbers.get(&parent) {
                Some(&number) if !drawing.vertices[number].is_false => Some(number),
                _ => continue,
            },
        };
        numbers.insert(v, drawing.vertices.len());
        incoming.push(vertex.parent.map(|_| vertex.action));
        let text = (texts.entry(vertex.label))
            .or_insert_with(|| writer.label(labels.conjuncts(vertex.label)));
        let is_false = vertex.label == LabelId::FALSE;
        drawing.vertices.push(DrawnVertex {
            parent,
            // Older vertices have their numbers already.
            covered_by: vertex.covered_by.map(|w| numbers[&w]),
            location: cfa.location(vertex.location).name.clone(),
            label: if is_false { Vec::new() } else { text.clone() },
            is_false,
            is_blocked: vertex.is_blocked,
            is_open: tree.is_open_leaf(v),
            is_on_run: false,
        });
    }
    if let Some(path) = path {
        mark_run(&mut drawing.vertices, &incoming, path);
    }
    drawing
}
