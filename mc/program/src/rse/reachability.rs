//! Reachability interpolants of locations: the predicates that refuted paths have left at a location.

use std::collections::HashSet;

use craig_aig::Edge;
use craig_model::UnknownReason;

use super::safety::SafetyLabels;
use crate::cfa::{Cfa, LocationId};
use crate::unwinding::{LabelledUnwinding, VertexId};

/// The predicates of each location (definition 1 of the paper). A later visit of the location is labelled with those that follow
/// from the label before it.
pub(super) struct ReachabilityLabels {
    at: Vec<Vec<Edge>>,
    known: HashSet<(LocationId, Edge)>,
}

impl ReachabilityLabels {
    pub(super) fn new(n_locations: usize) -> Self {
        Self {
            at: vec![Vec::new(); n_locations],
            known: HashSet::new(),
        }
    }

    /// Learns from a refuted path, with an interpolant for each of its vertices but the first.
    pub(super) fn learn(
        &mut self,
        unwinding: &LabelledUnwinding<'_>,
        path: &[VertexId],
        interpolants: &[Edge],
    ) {
        for (&v, &interpolant) in path[1..].iter().zip(interpolants) {
            let location = unwinding.tree.vertex(v).location;
            for conjunct in unwinding.refuter.split(&unwinding.labels, interpolant) {
                if !conjunct.is_constant() && self.known.insert((location, conjunct)) {
                    self.at[location.index()].push(conjunct);
                }
            }
        }
    }

    /// Labels a new vertex with the predicates of its location that the label of its parent and the action imply. How many these
    /// are.
    pub(super) fn apply(
        &self,
        unwinding: &mut LabelledUnwinding<'_>,
        safety: &mut SafetyLabels<'_>,
        v: VertexId,
    ) -> Result<usize, UnknownReason> {
        let vertex = unwinding.tree.vertex(v);
        let (location, action) = (vertex.location, vertex.action);
        let Some(parent) = vertex.parent.filter(|_| location != Cfa::ERROR) else {
            return Ok(0);
        };
        let label = unwinding.tree.vertex(parent).label;
        let mut implied = Vec::new();
        for &predicate in &self.at[location.index()] {
            let labels = &mut unwinding.labels;
            if (safety.justify(labels, label, action, predicate)?).is_some() {
                implied.push(predicate);
            }
        }
        if !implied.is_empty() {
            let formula = unwinding.labels.aig.and_all(implied.iter().copied());
            unwinding.strengthen(&[v], &[formula])?;
        }
        Ok(implied.len())
    }
}
