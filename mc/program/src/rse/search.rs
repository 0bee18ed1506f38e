//! The loop: visits of vertices depth first, and what is learnt on the way.

use std::collections::HashMap;

use craig_aig::Edge;
use craig_mc::Control;
use craig_model::UnknownReason;

use super::errors::ErrorLabels;
use super::options::{NAME, Options};
use super::reachability::ReachabilityLabels;
use super::safety::{Justified, SafetyLabels};
use super::weights::Weights;
use crate::actions::{ActionId, Actions};
use crate::answer::ErrorPath;
use crate::cfa::{Cfa, LocationId};
use crate::labels::{LabelId, Labels};
use crate::refutation::Found;
use crate::unwinding::{Implied, LabelledUnwinding, Refined, Unwinding, VertexId, thousands};
use crate::word_labels::Refuter;

/// The maximal number of vertices whose labels justify each other.
const MAX_TOGETHER: usize = 256;
/// Paths into a location that are asked for its safety label without success, until the label changes.
const MAX_ATTEMPTS: u32 = 3;

/// Vertices to be visited after each other, with one parent.
struct Frame {
    parent: Option<VertexId>,
    open: Vec<Candidate>,
}

#[derive(Clone, Copy)]
struct Candidate {
    v: VertexId,
    /// Whether all its states satisfy the error label of its location.
    is_hot: bool,
}

/// Counters for reports.
#[derive(Default)]
struct Counters {
    /// Vertices that safety labels have cut off.
    cut: usize,
    /// Error labels that the path to a vertex was compared with.
    probes: usize,
    /// Those that it implied.
    hits: usize,
    refinements: usize,
    /// Predicates of locations in labels of new vertices.
    reused: usize,
}

pub(super) struct Search<'a> {
    actions: &'a Actions,
    options: &'a Options,
    pub(super) unwinding: LabelledUnwinding<'a>,
    reachability: ReachabilityLabels,
    safety: SafetyLabels<'a>,
    errors: ErrorLabels,
    weights: Weights<'a>,
    /// By location: a safety label, and how often the path to a vertex did not imply it.
    failed: HashMap<LocationId, (LabelId, u32)>,
    counters: Counters,
}

/// A path to an error that was found at a vertex, and its children, if it was expanded.
type Visited = (Option<ErrorPath>, Option<Vec<Candidate>>);

impl<'a> Search<'a> {
    pub(super) fn new(actions: &'a Actions, options: &'a Options, control: Control<'a>) -> Self {
        Self {
            actions,
            options,
            unwinding: LabelledUnwinding::new(actions, &options.unwinding, control),
            reachability: ReachabilityLabels::new(actions.n_locations()),
            safety: SafetyLabels::new(actions, control.stop),
            errors: ErrorLabels::new(actions.n_locations(), options.suffixes),
            weights: Weights::new(actions),
            failed: HashMap::new(),
            counters: Counters::default(),
        }
    }

    pub(super) fn into_parts(self) -> (Labels, Unwinding, Refuter, SafetyLabels<'a>) {
        let (labels, tree, refuter) = self.unwinding.into_parts();
        (labels, tree, refuter, self.safety)
    }

    #[cfg(test)]
    pub(super) fn unwinding(&self) -> &LabelledUnwinding<'a> {
        &self.unwinding
    }

    #[cfg(test)]
    pub(super) fn safety(&self) -> &SafetyLabels<'a> {
        &self.safety
    }

    /// Asserts that the safety labels are justified, and the tree's arcs are right.
    #[cfg(test)]
    pub(super) fn check(&mut self) {
        self.unwinding.tree.check();
        self.safety.check(&mut self.unwinding.labels);
    }

    /// How many predicates of locations are in labels of later visits.
    #[cfg(test)]
    pub(super) fn n_reused(&self) -> usize {
        self.counters.reused
    }

    /// How often a path implied an error label.
    #[cfg(test)]
    pub(super) fn n_hits(&self) -> usize {
        self.counters.hits
    }

    /// `None` if the tree is complete and safe.
    pub(super) fn run(&mut self) -> Result<Option<ErrorPath>, UnknownReason> {
        while let Some(leaf) = self.unwinding.tree.next_open_leaf() {
            let path = self.unwinding.tree.path_to(leaf);
            let above = &path[..path.len() - 1];
            self.unwinding.close_all(above)?;
            let found = self.visit_below(leaf)?;
            if found.is_some() {
                return Ok(found);
            }
            for &v in above.iter().rev() {
                if !self.finish(v)? {
                    break;
                }
            }
        }
        self.report(true);
        Ok(None)
    }

    /// Visits a leaf and what is unwound below it.
    fn visit_below(&mut self, leaf: VertexId) -> Result<Option<ErrorPath>, UnknownReason> {
        let first = Candidate {
            v: leaf,
            is_hot: false,
        };
        let mut frames = vec![Frame {
            parent: None,
            open: vec![first],
        }];
        while let Some(frame) = frames.last_mut() {
            if let Some(reason) = self.unwinding.control.stop.reason() {
                return Err(reason);
            }
            if frame.open.is_empty() {
                let parent = frame.parent;
                frames.pop();
                if let Some(parent) = parent {
                    self.finish(parent)?;
                }
                continue;
            }
            let chosen = self.choose(&frame.open);
            let v = frame.open.remove(chosen).v;
            // A vertex that is covered now becomes a candidate when it is uncovered.
            if !self.unwinding.tree.is_open_leaf(v) {
                continue;
            }
            if self.unwinding.tree.vertex(v).location == Cfa::ERROR {
                if let Some(found) = self.refine(v)? {
                    return Ok(Some(found));
                }
                continue;
            }
            let (found, children) = self.visit(v)?;
            if found.is_some() {
                return Ok(found);
            }
            if let Some(open) = children {
                frames.push(Frame {
                    parent: Some(v),
                    open,
                });
            }
        }
        Ok(None)
    }

    /// The candidate to visit next: one at a bad location, one that may lead to an error, one by its weight,
    /// the first one.
    fn choose(&self, open: &[Candidate]) -> usize {
        let rank = |&(_, candidate): &(usize, &Candidate)| {
            let vertex = self.unwinding.tree.vertex(candidate.v);
            let weight = (self.options.weights).then(|| self.weights.rank(vertex.action));
            (vertex.location != Cfa::ERROR, !candidate.is_hot, weight)
        };
        if open.len() == 1 {
            return 0;
        }
        // Of equal ones, the first.
        let chosen = open.iter().enumerate().min_by_key(rank);
        chosen.map_or(0, |(index, _)| index)
    }

    /// Visits an open leaf that is not at a bad location.
    fn visit(&mut self, v: VertexId) -> Result<Visited, UnknownReason> {
        self.unwinding.close(v)?;
        if self.options.safety && self.unwinding.tree.is_open_leaf(v) {
            self.use_safety(v)?;
        }
        if self.unwinding.tree.is_open_leaf(v) {
            self.unwinding.force_cover(v)?;
            self.note_false(v)?;
        }
        if self.options.errors && self.unwinding.tree.is_open_leaf(v) {
            let found = self.use_errors(v)?;
            if found.is_some() {
                return Ok((found, None));
            }
        }
        if !self.unwinding.tree.is_open_leaf(v) {
            return Ok((None, None));
        }
        let children = self.expand(v)?;
        self.report(false);
        Ok((None, Some(children)))
    }

    fn expand(&mut self, v: VertexId) -> Result<Vec<Candidate>, UnknownReason> {
        let mut excluded = Vec::new();
        let children = self.unwinding.expand(v, &mut excluded)?;
        if self.options.safety {
            for action in excluded {
                self.learn_action(v, action)?;
            }
            self.block_if_implied(v)?;
        }
        let mut open = Vec::new();
        for v in children {
            if self.options.location_predicates {
                let (unwinding, safety) = (&mut self.unwinding, &mut self.safety);
                self.counters.reused += self.reachability.apply(unwinding, safety, v)?;
            }
            open.push(Candidate {
                v,
                is_hot: self.options.errors && self.is_hot(v)?,
            });
        }
        Ok(open)
    }

    /// Whether the label of the parent implies the error label behind the action.
    fn is_hot(&mut self, v: VertexId) -> Result<bool, UnknownReason> {
        let vertex = self.unwinding.tree.vertex(v);
        let (location, action, parent) = (vertex.location, vertex.action, vertex.parent);
        let labels = &mut self.unwinding.labels;
        let (Some(parent), Some(formula)) =
            (parent, self.errors.formula(&mut labels.aig, location))
        else {
            return Ok(false);
        };
        let label = self.unwinding.tree.vertex(parent).label;
        let found = self.safety.justify(labels, label, action, formula)?;
        Ok(found.is_some())
    }

    /// Refines the path to a vertex of a bad location, and learns from it.
    fn refine(&mut self, v: VertexId) -> Result<Option<ErrorPath>, UnknownReason> {
        self.counters.refinements += 1;
        let (path, formulas) = match self.unwinding.refine(v)? {
            Refined::Run(found) => return Ok(Some(found)),
            Refined::Infeasible(path, formulas) => (path, formulas),
        };
        if self.options.location_predicates {
            (self.reachability).learn(&self.unwinding, &path, &formulas);
        }
        let action_of = |v: &VertexId| self.unwinding.tree.vertex(*v).action;
        let actions: Vec<ActionId> = path[1..].iter().map(action_of).collect();
        if self.options.errors {
            self.errors.learn(self.actions, &actions, &formulas);
        }
        self.note_false(v)?;
        if self.options.weights {
            // The last vertex with a label that is not false.
            let is_false = |&v: &VertexId| self.unwinding.tree.vertex(v).label == LabelId::FALSE;
            let path = self.unwinding.tree.path_to(v);
            let last = path.iter().position(is_false).map_or(0, |index| index - 1);
            if last > 0 {
                let safety = &self.safety;
                let is_full = |location| safety.is_full(location);
                let last = self.unwinding.tree.vertex(path[last]);
                if !is_full(last.location) {
                    self.weights.set_last(last.action, &is_full);
                }
            }
        }
        Ok(None)
    }

    /// After labels on the path to a vertex were strengthened: learns from the first false one.
    fn note_false(&mut self, v: VertexId) -> Result<(), UnknownReason> {
        if !self.options.safety {
            return Ok(());
        }
        let path = self.unwinding.tree.path_to(v);
        let is_false = |&&v: &&VertexId| self.unwinding.tree.vertex(v).label == LabelId::FALSE;
        match path.iter().find(is_false).copied() {
            Some(v) => self.close_upwards(vec![v]),
            None => Ok(()),
        }
    }

    // ---- safety labels

    /// Blocks a vertex if the label of its parent, or else the path to it, implies the safety label of its
    /// location.
    fn use_safety(&mut self, v: VertexId) -> Result<(), UnknownReason> {
        let vertex = self.unwinding.tree.vertex(v);
        let (location, action, parent) = (vertex.location, vertex.action, vertex.parent);
        let Some(parent) = parent.filter(|_| self.safety.is_full(location)) else {
            return Ok(());
        };
        if self.block_if_implied(v)? {
            return Ok(());
        }
        let labels = &mut self.unwinding.labels;
        let target = self.safety.label(labels, location);
        let formula = self.safety.formula(&mut labels.aig, location);
        let label = self.unwinding.tree.vertex(parent).label;
        if (self.safety.justify(labels, label, action, formula)?).is_some() {
            let conjuncts = labels.conjuncts(target).to_vec();
            let conjuncts = vec![labels.aig.and_all(conjuncts)];
            self.unwinding.strengthen(&[v], &conjuncts)?;
        } else {
            let attempts = self.failed.entry(location).or_insert((target, 0));
            if attempts.0 != target {
                *attempts = (target, 0);
            }
            if attempts.1 >= MAX_ATTEMPTS {
                return Ok(());
            }
            if !matches!(self.unwinding.imply(v, 0, target, &[])?, Implied::Yes) {
                if let Some(attempts) = self.failed.get_mut(&location) {
                    attempts.1 += 1;
                }
                return Ok(());
            }
        }
        self.counters.cut += 1;
        self.note_false(v)?;
        let tree = &self.unwinding.tree;
        if !tree.vertex(v).is_pruned && !tree.vertex(v).is_closed() {
            let is_blocked = self.block_if_implied(v)?;
            debug_assert!(is_blocked, "the label implies the safety label");
        }
        Ok(())
    }

    /// Blocks a vertex if its label implies the safety label of its location, and learns from that. Whether it
    /// is closed now.
    fn block_if_implied(&mut self, v: VertexId) -> Result<bool, UnknownReason> {
        let blocked = self.blocked_if_implied(v)?;
        self.close_upwards(blocked)?;
        let vertex = self.unwinding.tree.vertex(v);
        Ok(vertex.is_closed() || vertex.is_pruned)
    }

    /// As `block_if_implied`, without learning: the vertices that are blocked now.
    fn blocked_if_implied(&mut self, v: VertexId) -> Result<Vec<VertexId>, UnknownReason> {
        let vertex = self.unwinding.tree.vertex(v);
        let (location, label) = (vertex.location, vertex.label);
        if vertex.is_pruned || vertex.is_closed() || !self.safety.is_full(location) {
            return Ok(Vec::new());
        }
        for &action in self.actions.outgoing(location) {
            let labels = &mut self.unwinding.labels;
            if !self.safety.blocks(labels, label, action)? {
                return Ok(Vec::new());
            }
        }
        Ok(self.unwinding.tree.block(v))
    }

    /// Learns from vertices that are closed now, and from their parents if these are closed thereby.
    fn close_upwards(&mut self, mut work: Vec<VertexId>) -> Result<(), UnknownReason> {
        while let Some(v) = work.pop() {
            let vertex = self.unwinding.tree.vertex(v);
            debug_assert!(vertex.is_closed());
            let (action, is_pruned) = (vertex.action, vertex.is_pruned);
            let Some(parent) = vertex.parent.filter(|_| !is_pruned) else {
                continue;
            };
            self.learn_action(parent, action)?;
            work.extend(self.blocked_if_implied(parent)?);
        }
        Ok(())
    }

    /// Learns a label of an action from the label of a vertex that excludes the action, or whose child along
    /// the action is closed.
    fn learn_action(&mut self, v: VertexId, action: ActionId) -> Result<(), UnknownReason> {
        let vertex = self.unwinding.tree.vertex(v);
        let label = vertex.label;
        if vertex.is_pruned || vertex.is_closed() {
            return Ok(());
        }
        let labels = &mut self.unwinding.labels;
        if self.safety.blocks(labels, label, action)? {
            return Ok(());
        }
        let target = self.actions.action(action).target;
        let after = self.safety.formula(&mut labels.aig, target);
        let found = self.safety.justify(labels, label, action, after)?;
        debug_assert!(found.is_some(), "the label of a closed child is justified");
        if let Some(conjuncts) = found {
            self.learn(vec![(action, conjuncts)]);
        }
        Ok(())
    }

    /// Adds justified labels, and updates weights. Whether there was space for them.
    fn learn(&mut self, justified: Justified) -> bool {
        let mut full = Vec::new();
        let aig = &mut self.unwinding.labels.aig;
        let is_learnt = self.safety.learn(aig, justified, &mut full);
        if self.options.weights {
            let safety = &self.safety;
            for location in full {
                self.weights
                    .set_full(location, &|location| safety.is_full(location));
            }
        }
        is_learnt
    }

    /// After everything below a vertex was visited: if no leaf below it is open and every cover there stays
    /// below it, the labels there justify each other, and are learnt. Whether the vertex is closed.
    fn finish(&mut self, v: VertexId) -> Result<bool, UnknownReason> {
        if !self.options.safety || self.unwinding.tree.is_covered(v) {
            return Ok(false);
        }
        let vertex = self.unwinding.tree.vertex(v);
        if vertex.is_pruned || vertex.is_closed() {
            return Ok(true);
        }
        let Some(together) = self.complete_below(v) else {
            return Ok(false);
        };
        let Some(justified) = self.justify_together(&together)? else {
            return Ok(false);
        };
        if !self.learn(justified) {
            return Ok(false);
        }
        let is_blocked = self.block_if_implied(v)?;
        debug_assert!(is_blocked, "its label was learnt for each of its actions");
        Ok(is_blocked)
    }

    /// The vertex and those below it that are neither closed nor covered; nothing if one of them is open, or if
    /// a covered one is covered by a vertex elsewhere, or if they are too many.
    fn complete_below(&self, v: VertexId) -> Option<Vec<VertexId>> {
        let tree = &self.unwinding.tree;
        let mut found = vec![v];
        let mut covering = Vec::new();
        let mut next = 0;
        while next < found.len() {
            let vertex = tree.vertex(found[next]);
            if !vertex.is_expanded || found.len() > MAX_TOGETHER {
                return None;
            }
            for &child in &vertex.children {
                let below = tree.vertex(child);
                match below.covered_by {
                    Some(w) => covering.push(w),
                    None if below.is_closed() => {}
                    None => found.push(child),
                }
            }
            next += 1;
        }
        found.sort_unstable();
        let is_inside = |w: &VertexId| found.binary_search(w).is_ok();
        covering.iter().all(is_inside).then_some(found)
    }

    /// A label for each action of some vertices, such that all of them are justified if all of them are
    /// learnt. Nothing if a query has another answer than expected.
    ///
    /// Each query uses the labels of the vertices themselves for their locations. The labels found are weaker,
    /// so that the labels of locations are weaker than those in the queries.
    fn justify_together(
        &mut self,
        vertices: &[VertexId],
    ) -> Result<Option<Justified>, UnknownReason> {
        let labels = &mut self.unwinding.labels;
        let mut after: HashMap<LocationId, Edge> = HashMap::new();
        for &v in vertices {
            let vertex = self.unwinding.tree.vertex(v);
            let own = labels.aig.and_all(labels.conjuncts(vertex.label).to_vec());
            let sum = match after.get(&vertex.location) {
                Some(&sum) => sum,
                None => self.safety.formula(&mut labels.aig, vertex.location),
            };
            let sum = labels.aig.or(sum, own);
            after.insert(vertex.location, sum);
        }
        let mut justified = Justified::new();
        for &v in vertices {
            let vertex = self.unwinding.tree.vertex(v);
            let (location, label) = (vertex.location, vertex.label);
            for &action in self.actions.outgoing(location) {
                if self.safety.blocks(labels, label, action)? {
                    continue;
                }
                let target = self.actions.action(action).target;
                let after = match after.get(&target) {
                    Some(&after) => after,
                    None => self.safety.formula(&mut labels.aig, target),
                };
                let Some(conjuncts) = self.safety.justify(labels, label, action, after)? else {
                    debug_assert!(false, "a complete tree is well-labelled");
                    return Ok(None);
                };
                justified.push((action, conjuncts));
            }
        }
        Ok(Some(justified))
    }

    // ---- error labels

    /// If the path to a vertex implies the error label of its location: tries the suffixes of refuted paths
    /// that the label comes from. A refuted one strengthens the labels on the path.
    fn use_errors(&mut self, v: VertexId) -> Result<Option<ErrorPath>, UnknownReason> {
        let location = self.unwinding.tree.vertex(v).location;
        let more = self.counters.refinements / self.options.probe_interval;
        if self.counters.probes >= self.options.probes.saturating_add(more) {
            return Ok(None);
        }
        let labels = &mut self.unwinding.labels;
        let Some(formula) = self.errors.formula(&mut labels.aig, location) else {
            return Ok(None);
        };
        let target = labels.strengthened(LabelId::TRUE, &[formula]);
        self.counters.probes += 1;
        if !matches!(self.unwinding.imply(v, 0, target, &[])?, Implied::Yes) {
            return Ok(None);
        }
        self.counters.hits += 1;
        self.note_false(v)?;
        let suffixes = self.errors.suffixes(location).to_vec();
        for suffix in suffixes.iter().rev() {
            if !self.unwinding.tree.is_open_leaf(v) {
                break;
            }
            let (found, path) = self.unwinding.ask_beyond(v, suffix.actions())?;
            if let Found::Run(chosen, _) = found {
                return Ok(Some(ErrorPath { path, chosen }));
            }
            self.note_false(v)?;
        }
        Ok(None)
    }

    /// Passes the counts of the search on.
    pub(super) fn count(&self) {
        self.unwinding.count();
        let (counters, control) = (&self.counters, self.unwinding.control);
        if self.options.location_predicates {
            (control.listener).count("location_predicates_used", counters.reused);
        }
        control.listener.count("safety_labels", self.safety.len());
        control
            .listener
            .count("vertices_cut_by_safety", counters.cut);
        control
            .listener
            .count("error_labels_tried", counters.probes);
        control
            .listener
            .count("error_labels_implied", counters.hits);
    }

    fn report(&mut self, always: bool) {
        let (safety, counters) = (&self.safety, &self.counters);
        let more = || {
            format!(
                ", {} safety labels cut off {} vertices, {} of {} error labels implied",
                thousands(safety.len()),
                thousands(counters.cut),
                thousands(counters.hits),
                thousands(counters.probes),
            )
        };
        self.unwinding.report(NAME, always, &more);
    }
}
