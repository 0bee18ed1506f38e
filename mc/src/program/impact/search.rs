//! The order of the steps: a depth-first search that keeps the ancestors of the visited vertex closed (figure
//! 5).

use craig_solver::aig::Edge;

use super::options::{NAME, Options};
use super::unwinding::{Unwinding, VertexId};
use crate::circuit::verdict::UnknownReason;
use crate::control::Control;
use crate::program::actions::{ActionId, Actions};
use crate::program::answer::ErrorPath;
use crate::program::cfa::Cfa;
use crate::program::labels::{LabelId, Labels, StateModel};
use crate::program::refutation::{Found, From, Question};
use crate::program::word_labels::Refuter;

/// The minimal number of new vertices between two reports.
const REPORT_AFTER: usize = 64;

/// Counters for reports.
#[derive(Default)]
struct Counters {
    refinements: usize,
    forced: usize,
    tried: usize,
    /// The number of vertices at the last report.
    reported: usize,
}

pub(super) struct Search<'a> {
    actions: &'a Actions,
    options: &'a Options,
    control: &'a Control,
    labels: Labels,
    refuter: Refuter,
    tree: Unwinding,
    counters: Counters,
}

impl<'a> Search<'a> {
    pub(super) fn new(actions: &'a Actions, options: &'a Options, control: &'a Control) -> Self {
        let mut labels = Labels::new(actions, control);
        let refuter = Refuter::new(actions, &mut labels, options.labels);
        Self {
            actions,
            options,
            control,
            labels,
            refuter,
            tree: Unwinding::new(actions.n_locations(), Cfa::START),
            counters: Counters::default(),
        }
    }

    pub(super) fn into_parts(self) -> (Labels, Unwinding, Refuter) {
        (self.labels, self.tree, self.refuter)
    }

    /// The procedure Unwind. `None` if the unwinding is complete and safe.
    pub(super) fn run(&mut self) -> Result<Option<ErrorPath>, UnknownReason> {
        while let Some(leaf) = self.tree.next_open_leaf() {
            let path = self.tree.path_to(leaf);
            self.close_all(&path[..path.len() - 1])?;
            let mut stack = vec![leaf];
            while let Some(v) = stack.pop() {
                if let Some(reason) = self.control.stop_reason() {
                    return Err(reason);
                }
                // A vertex that is covered now becomes a candidate when it is uncovered.
                if !self.tree.is_open_leaf(v) {
                    continue;
                }
                if self.tree.vertex(v).location == Cfa::ERROR {
                    if let Some(found) = self.refine(v)? {
                        return Ok(Some(found));
                    }
                    continue;
                }
                self.close(v)?;
                if !self.tree.is_covered(v) {
                    self.force_cover(v)?;
                }
                if self.tree.is_open_leaf(v) {
                    self.expand(v, &mut stack)?;
                }
            }
        }
        self.report();
        Ok(None)
    }

    /// The procedure Close for several vertices, oldest first. Descendants of a covered one are skipped.
    fn close_all(&mut self, vertices: &[VertexId]) -> Result<(), UnknownReason> {
        for &v in vertices {
            self.close(v)?;
            if self.tree.is_covered(v) {
                break;
            }
        }
        Ok(())
    }

    /// The procedure Close: covers the vertex by an older one, if positions and labels allow it.
    fn close(&mut self, v: VertexId) -> Result<(), UnknownReason> {
        let vertex = self.tree.vertex(v);
        if vertex.is_pruned || vertex.label == LabelId::FALSE || self.tree.is_covered(v) {
            return Ok(());
        }
        let (location, label) = (vertex.location, vertex.label);
        if location == Cfa::ERROR {
            return Ok(());
        }
        for index in 0..self.tree.at(location).len() {
            let w = self.tree.at(location)[index];
            if w >= v {
                break;
            }
            if self.tree.may_cover(v, w) {
                let other = self.tree.vertex(w).label;
                if self.labels.entails(location, label, other)? {
                    self.tree.cover(v, w);
                    break;
                }
            }
        }
        Ok(())
    }

    /// The procedure Expand. Children whose action the label excludes are not created. Bad locations are
    /// visited first.
    fn expand(&mut self, v: VertexId, stack: &mut Vec<VertexId>) -> Result<(), UnknownReason> {
        let (location, label) = (self.tree.vertex(v).location, self.tree.vertex(v).label);
        let mut children = Vec::new();
        for &action in self.actions.outgoing(location) {
            if self.labels.allows(self.actions, label, action)? {
                let target = self.actions.action(action).target;
                children.push(self.tree.add_child(v, action, target));
            }
        }
        self.tree.set_expanded(v);
        stack.extend(children.into_iter().rev());
        let n = self.tree.len();
        if n > self.counters.reported + REPORT_AFTER.max(self.counters.reported / 8) {
            self.counters.reported = n;
            self.report();
        }
        Ok(())
    }

    /// The procedure Refine, for a vertex of a bad location; then closes the strengthened vertices.
    fn refine(&mut self, v: VertexId) -> Result<Option<ErrorPath>, UnknownReason> {
        let path = self.tree.path_to(v);
        let actions: Vec<ActionId> = self.actions_of(&path);
        let known = self.known(&path);
        self.counters.refinements += 1;
        let question = Question {
            from: From::Start,
            path: &actions,
            known: &known,
            outside: None,
            observed: &[],
            slice: self.options.slice,
        };
        let dial = &self.options.dial;
        match self.refuter.ask(
            self.actions,
            &mut self.labels,
            &question,
            dial,
            self.control,
        )? {
            Found::Run(chosen, _) => Ok(Some(ErrorPath {
                path: actions,
                chosen,
            })),
            Found::Sequence(formulas) => {
                debug_assert_eq!(formulas.last(), Some(&Edge::FALSE));
                let changed = self.strengthen(&path[1..], &formulas)?;
                debug_assert!(!self.tree.is_open_leaf(v));
                self.close_all(&changed)?;
                Ok(None)
            }
        }
    }

    fn actions_of(&self, path: &[VertexId]) -> Vec<ActionId> {
        let below = path[1..].iter();
        below.map(|&v| self.tree.vertex(v).action).collect()
    }

    /// The labels of the vertices of a path, without the first.
    fn known(&self, path: &[VertexId]) -> Vec<LabelId> {
        if !self.options.know_labels {
            return Vec::new();
        }
        let below = path[1..].iter();
        below.map(|&v| self.tree.vertex(v).label).collect()
    }

    /// Conjoins formulas to the labels of vertices along a path, if these do not imply them. Returns the
    /// strengthened vertices, oldest first.
    fn strengthen(
        &mut self,
        vertices: &[VertexId],
        formulas: &[Edge],
    ) -> Result<Vec<VertexId>, UnknownReason> {
        // All queries precede all changes: a stop leaves the tree well-labelled.
        let mut stronger = Vec::new();
        for (&v, &formula) in vertices.iter().zip(formulas) {
            let (location, label) = (self.tree.vertex(v).location, self.tree.vertex(v).label);
            let mut more = self.refuter.split(&self.labels, formula);
            if formula != Edge::FALSE {
                let mut kept = Vec::new();
                for conjunct in more {
                    if !self.labels.entails_conjunct(location, label, conjunct)? {
                        kept.push(conjunct);
                    }
                }
                more = kept;
            }
            if !more.is_empty() {
                stronger.push((v, self.labels.strengthened(label, &more)));
            }
        }
        let mut changed = Vec::new();
        for (v, label) in stronger {
            self.tree.strengthen(v, label);
            changed.push(v);
            if label == LabelId::FALSE {
                break;
            }
        }
        Ok(changed)
    }

    /// Forced covering (figure 6) by one of the latest vertices of the location: strengthens the labels
    /// between the nearest common ancestor and the vertex as needed.
    ///
    /// Only locations with several incoming actions are tried: elsewhere a vertex is as hard to cover as its
    /// parent was. The end of a run that refutes one attempt is evaluated on the labels of the candidates
    /// after it, and those that are false there are skipped.
    fn force_cover(&mut self, v: VertexId) -> Result<(), UnknownReason> {
        let location = self.tree.vertex(v).location;
        if !self.actions.is_join(location) {
            return Ok(());
        }
        let latest = self.tree.at(location).iter().rev().copied();
        let candidates: Vec<(VertexId, LabelId)> = latest
            .filter(|&w| self.tree.may_cover(v, w))
            .take(self.options.cover_candidates)
            .map(|w| (w, self.tree.vertex(w).label))
            .collect();
        let labels: Vec<LabelId> = candidates.iter().map(|&(_, label)| label).collect();
        let mut ends: Vec<StateModel> = Vec::new();
        for (index, &(w, target)) in candidates.iter().enumerate() {
            if let Some(reason) = self.control.stop_reason() {
                return Err(reason);
            }
            let is_refuted = ends.iter().any(|end| !self.labels.label_holds(target, end));
            if is_refuted || labels[..index].contains(&target) {
                continue;
            }
            match self.force_cover_by(v, w, &labels[index + 1..])? {
                None => break,
                Some(end) => ends.push(end),
            }
        }
        Ok(())
    }

    /// One attempt. Nothing if labels got stronger; else the end of a run that rules the cover out, as far as
    /// some labels read it.
    fn force_cover_by(
        &mut self,
        v: VertexId,
        w: VertexId,
        observed: &[LabelId],
    ) -> Result<Option<StateModel>, UnknownReason> {
        let target = self.tree.vertex(w).label;
        // A true label covers without strengthening.
        debug_assert!(target != LabelId::TRUE);
        let ancestor = self.tree.nearest_common_ancestor(v, w);
        let path = self.tree.path_to(v);
        let path = &path[self.tree.vertex(ancestor).depth as usize..];
        let actions = self.actions_of(path);
        let known = self.known(path);
        self.counters.tried += 1;
        let question = Question {
            from: match self.tree.vertex(ancestor).parent {
                None => From::Start,
                Some(_) => From::Label(self.tree.vertex(ancestor).label),
            },
            path: &actions,
            known: &known,
            outside: Some(target),
            observed,
            slice: self.options.slice,
        };
        let dial = &self.options.dial;
        let found = self.refuter.ask(
            self.actions,
            &mut self.labels,
            &question,
            dial,
            self.control,
        )?;
        let formulas = match found {
            Found::Run(_, end) => return Ok(Some(end)),
            Found::Sequence(formulas) => formulas,
        };
        self.counters.forced += 1;
        let changed = self.strengthen(&path[1..], &formulas)?;
        self.close_all(&changed)?;
        if self.tree.is_open_leaf(v) {
            let (location, label) = (self.tree.vertex(v).location, self.tree.vertex(v).label);
            let holds = self.labels.entails(location, label, target)?;
            debug_assert!(holds, "the last interpolant implies the label that covers");
            if holds && self.tree.may_cover(v, w) {
                self.tree.cover(v, w);
            }
        }
        // If closing the path has covered `w`, the vertex may still be open, and is expanded.
        Ok(None)
    }

    fn report(&self) {
        self.control.note(NAME, || {
            let (tree, counters) = (&self.tree, &self.counters);
            format!(
                "unwinding: {} vertices, {} covered, {} cut off, {} refinements, {} of {} covers forced, \
                 {} queries{}",
                thousands(tree.len()),
                thousands(tree.n_covered()),
                thousands(tree.n_pruned()),
                thousands(counters.refinements),
                thousands(counters.forced),
                thousands(counters.tried),
                thousands(self.labels.n_queries),
                self.refuter.report(),
            )
        });
    }
}

/// A number with a comma between groups of three digits.
fn thousands(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
