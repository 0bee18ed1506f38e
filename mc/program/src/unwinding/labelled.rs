//! The steps on a labelled unwinding: Expand, Refine and Cover (McMillan 2006, figures 4 and 5), and forced
//! covering (figure 6). An engine chooses their order.
//!
//! Between two steps the tree is *well-labelled*: the label of a vertex and an action imply the label of the
//! child along the action, and the label of a covered vertex implies that of the vertex that covers it.

use std::collections::HashSet;

use craig_aig::Edge;
use craig_mc::Control;
use craig_model::UnknownReason;

use super::draw::draw;
use super::options::Options;
use super::tree::{Unwinding, VertexId};
use crate::actions::{ActionId, Actions};
use crate::answer::ErrorPath;
use crate::cfa::Cfa;
use crate::drawing::Drawing;
use crate::labels::{LabelId, Labels, StateModel};
use crate::refutation::{Found, From, Question};
use crate::word_labels::Refuter;

/// The minimal number of new vertices between two reports.
const REPORT_AFTER: usize = 64;

/// The result of a refinement.
pub(crate) enum Refined {
    /// The path can be taken.
    Run(ErrorPath),
    /// It cannot, and the labels on it say so: the vertices of an end of the path that cannot be taken from the
    /// label of the first of them, and an interpolant for each but the first.
    Infeasible(Vec<VertexId>, Vec<Edge>),
}

/// The answer about a path, and its actions.
type Asked = (Found, Vec<ActionId>);

/// The number of refinements without any cover after which an unwinding seems to diverge.
const DIVERGENCE: usize = 32;

/// The result of an attempt to make the label of a vertex imply another one.
pub(crate) enum Implied {
    /// Labels got stronger.
    Yes,
    /// The end of a run along the path that is outside of the other label, as far as some labels read it.
    No(StateModel),
    /// The attempt was given up, see [`Options::attempt_conflicts`].
    Open,
}

/// Counters for reports.
#[derive(Default)]
struct Counters {
    refinements: usize,
    /// The number of arcs of the covering relation that were ever added.
    covers: usize,
    forced: usize,
    tried: usize,
    /// The number of vertices at the last report.
    reported: usize,
}

/// A program unwound into a tree with labels.
pub(crate) struct LabelledUnwinding<'a> {
    pub(crate) actions: &'a Actions,
    options: &'a Options,
    pub(crate) control: Control<'a>,
    pub(crate) labels: Labels,
    pub(crate) refuter: Refuter,
    pub(crate) tree: Unwinding,
    /// The vertices that were covered by force when they were last tried.
    forced: HashSet<VertexId>,
    /// By location: the number of forced covers that have not lasted, and of attempts that were given up.
    lost: Vec<u32>,
    /// By location: whether the last vertex was not tried, once not all are.
    skips: Vec<bool>,
    counters: Counters,
}

impl<'a> LabelledUnwinding<'a> {
    pub(crate) fn new(actions: &'a Actions, options: &'a Options, control: Control<'a>) -> Self {
        let mut labels = Labels::new(actions, control.stop);
        let refuter = Refuter::new(actions, &mut labels, options.labels);
        Self {
            actions,
            options,
            control,
            labels,
            refuter,
            tree: Unwinding::new(actions.n_locations(), Cfa::START),
            forced: HashSet::new(),
            lost: vec![0; actions.n_locations()],
            skips: vec![false; actions.n_locations()],
            counters: Counters::default(),
        }
    }

    /// The tree as it stands, with a run that was found.
    pub(crate) fn draw(&mut self, cfa: &Cfa, path: Option<&[ActionId]>) -> Drawing {
        let (labels, tree) = (&self.labels, &self.tree);
        draw(cfa, self.actions, labels, tree, &mut self.refuter, path)
    }

    pub(crate) fn into_parts(self) -> (Labels, Unwinding, Refuter) {
        (self.labels, self.tree, self.refuter)
    }

    /// The procedure Close for several vertices, oldest first. Descendants of a covered one are skipped.
    pub(crate) fn close_all(&mut self, vertices: &[VertexId]) -> Result<(), UnknownReason> {
        for &v in vertices {
            self.close(v)?;
            if self.tree.is_covered(v) {
                break;
            }
        }
        Ok(())
    }

    /// The procedure Close: covers the vertex by an older one, if positions and labels allow it.
    pub(crate) fn close(&mut self, v: VertexId) -> Result<(), UnknownReason> {
        let vertex = self.tree.vertex(v);
        if vertex.is_pruned || vertex.is_closed() || self.tree.is_covered(v) {
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
                    self.counters.covers += 1;
                    break;
                }
            }
        }
        Ok(())
    }

    /// The procedure Expand. Children whose action the label excludes are not created, if that is asked
    /// ([`Options::expand_queries`]): these actions are `excluded`. The child at a bad location comes first.
    pub(crate) fn expand(
        &mut self,
        v: VertexId,
        excluded: &mut Vec<ActionId>,
    ) -> Result<Vec<VertexId>, UnknownReason> {
        let (location, label) = (self.tree.vertex(v).location, self.tree.vertex(v).label);
        let mut children = Vec::new();
        for &action in self.actions.outgoing(location) {
            let is_asked = self.options.expand_queries;
            if !is_asked || self.labels.allows(self.actions, label, action)? {
                let target = self.actions.action(action).target;
                children.push(self.tree.add_child(v, action, target));
            } else {
                excluded.push(action);
            }
        }
        self.tree.set_expanded(v);
        Ok(children)
    }

    /// Asks whether a path below a vertex can be taken, together with the labels on it. An attempt asks for an end
    /// outside of a label, with limited effort.
    fn ask_path(
        &mut self,
        from: VertexId,
        path: &[VertexId],
        more: &[ActionId],
        attempt: Option<(LabelId, &[LabelId])>,
    ) -> Result<Asked, UnknownReason> {
        let mut actions = self.actions_of(path);
        actions.extend(more);
        let known = self.known(path);
        let vertex = self.tree.vertex(from);
        let question = Question {
            from: match vertex.parent {
                None => From::Start,
                Some(_) => From::Label(vertex.label),
            },
            path: &actions,
            known: &known,
            outside: attempt.map(|(outside, _)| outside),
            observed: attempt.map_or(&[], |(_, observed)| observed),
            slice: self.options.slice,
            conflicts: attempt.map(|_| self.options.attempt_conflicts),
        };
        let (labels, dial) = (&mut self.labels, &self.options.dial);
        let found = self
            .refuter
            .ask(self.actions, labels, &question, dial, self.control)?;
        Ok((found, actions))
    }

    /// The procedure Refine, for a vertex of a bad location; then closes the strengthened vertices.
    ///
    /// Ends of the path are asked about first, from the states of the label where they begin: the last action, the
    /// last two, the last four and so on. If one cannot be taken, the whole path cannot, and the interpolants of
    /// the shorter refutation do not depend on how its beginning was reached, such as on the number of rounds of a
    /// loop. The tree stays well-labelled as after a forced covering by a vertex whose label is false.
    pub(crate) fn refine(&mut self, v: VertexId) -> Result<Refined, UnknownReason> {
        let mut path = self.tree.path_to(v);
        self.counters.refinements += 1;
        let (start, (found, actions)) = match self.refuted_end(&path)? {
            Some(refuted) => refuted,
            None => (0, self.ask_path(path[0], &path, &[], None)?),
        };
        path.drain(..start);
        match found {
            Found::Run(chosen, _) => Ok(Refined::Run(ErrorPath {
                path: actions,
                chosen,
            })),
            Found::Open => unreachable!("the query has no limit"),
            Found::Sequence(formulas) => {
                debug_assert_eq!(formulas.last(), Some(&Edge::FALSE));
                let changed = self.strengthen(&path[1..], &formulas)?;
                debug_assert!(!self.tree.is_open_leaf(v));
                self.close_all(&changed)?;
                Ok(Refined::Infeasible(path, formulas))
            }
        }
    }

    /// The refutation of an end of a path, and the place on the path where it begins. `None` if those that were asked
    /// about can be taken.
    fn refuted_end(&mut self, path: &[VertexId]) -> Result<Option<(usize, Asked)>, UnknownReason> {
        let mut length = 2;
        while self.options.refute_ends && length < path.len() {
            let start = path.len() - length;
            let asked = self.ask_path(path[start], &path[start..], &[], None)?;
            if matches!(asked.0, Found::Sequence(_)) {
                return Ok(Some((start, asked)));
            }
            length = 2 * length - 1;
        }
        Ok(None)
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
    pub(crate) fn strengthen(
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
    /// parent was. [`Options::lost_covers`] says when vertices are left out. The end of a run that refutes one
    /// attempt is evaluated on the labels of the candidates after it, and those that are false there are skipped.
    pub(crate) fn force_cover(&mut self, v: VertexId) -> Result<(), UnknownReason> {
        let location = self.tree.vertex(v).location;
        let lost = &mut self.lost[location.index()];
        *lost += u32::from(self.forced.remove(&v));
        if !self.actions.is_join(location) {
            return Ok(());
        }
        if *lost >= self.options.lost_covers {
            let skips = &mut self.skips[location.index()];
            *skips = !*skips;
            if *skips {
                return Ok(());
            }
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
            if let Some(reason) = self.control.stop.reason() {
                return Err(reason);
            }
            let is_refuted = ends.iter().any(|end| !self.labels.label_holds(target, end));
            if is_refuted || labels[..index].contains(&target) {
                continue;
            }
            match self.force_cover_by(v, w, &labels[index + 1..])? {
                Implied::Yes => {
                    if self.tree.is_covered(v) {
                        self.forced.insert(v);
                    } else {
                        self.lost[location.index()] += 1;
                    }
                    break;
                }
                Implied::No(end) => ends.push(end),
                Implied::Open => self.lost[location.index()] += 1,
            }
        }
        Ok(())
    }

    /// One attempt to cover a vertex by another one.
    fn force_cover_by(
        &mut self,
        v: VertexId,
        w: VertexId,
        observed: &[LabelId],
    ) -> Result<Implied, UnknownReason> {
        let target = self.tree.vertex(w).label;
        // A true label covers without strengthening.
        debug_assert!(target != LabelId::TRUE);
        let ancestor = self.tree.nearest_common_ancestor(v, w);
        self.counters.tried += 1;
        let implied = self.imply(v, ancestor, target, observed)?;
        if !matches!(implied, Implied::Yes) {
            return Ok(implied);
        }
        self.counters.forced += 1;
        if self.tree.is_open_leaf(v) {
            let (location, label) = (self.tree.vertex(v).location, self.tree.vertex(v).label);
            let holds = self.labels.entails(location, label, target)?;
            debug_assert!(holds, "the last interpolant implies the label that covers");
            if holds && self.tree.may_cover(v, w) {
                self.tree.cover(v, w);
                self.counters.covers += 1;
            }
        }
        // If closing the path has covered `w`, the vertex may still be open, and is expanded.
        Ok(implied)
    }

    /// Strengthens the labels between an ancestor and a vertex so that the vertex's label implies another one,
    /// and closes the strengthened vertices.
    pub(crate) fn imply(
        &mut self,
        v: VertexId,
        ancestor: VertexId,
        target: LabelId,
        observed: &[LabelId],
    ) -> Result<Implied, UnknownReason> {
        let path = self.tree.path_to(v);
        let path = &path[self.tree.vertex(ancestor).depth as usize..];
        let (found, _) = self.ask_path(ancestor, path, &[], Some((target, observed)))?;
        match found {
            Found::Run(_, end) => Ok(Implied::No(end)),
            Found::Open => Ok(Implied::Open),
            Found::Sequence(formulas) => {
                let changed = self.strengthen(&path[1..], &formulas)?;
                self.close_all(&changed)?;
                Ok(Implied::Yes)
            }
        }
    }

    /// Asks whether the path to a vertex can be taken together with more actions behind it. If not, the labels on
    /// the path are strengthened by the interpolants, and closed. The actions of the whole path are returned.
    pub(crate) fn ask_beyond(
        &mut self,
        v: VertexId,
        more: &[ActionId],
    ) -> Result<(Found, Vec<ActionId>), UnknownReason> {
        let path = self.tree.path_to(v);
        let (found, actions) = self.ask_path(path[0], &path, more, None)?;
        if let Found::Sequence(formulas) = &found {
            let changed = self.strengthen(&path[1..], formulas)?;
            self.close_all(&changed)?;
        }
        Ok((found, actions))
    }

    /// Whether many paths were refuted and no vertex was ever covered: each refutation is then likely to be
    /// about one more iteration of a loop.
    pub(crate) fn seems_to_diverge(&self) -> bool {
        self.counters.refinements >= DIVERGENCE && self.counters.covers == 0
    }

    /// The number of forced covers.
    #[cfg(test)]
    pub(crate) fn n_forced(&self) -> usize {
        self.counters.forced
    }

    /// Passes the counts of the search on. The vertices are those of the final unwinding.
    pub(crate) fn count(&self) {
        let (tree, counters, control) = (&self.tree, &self.counters, self.control);
        control
            .listener
            .count("vertices", tree.len() - tree.n_pruned());
        control.listener.count("vertices_cut_off", tree.n_pruned());
        control.listener.count("vertices_covered", tree.n_covered());
        control.listener.count("refinements", counters.refinements);
        control.listener.count("forced_covers", counters.forced);
        control
            .listener
            .count("forced_covers_tried", counters.tried);
        control.listener.count("queries", self.labels.n_queries);
        self.refuter.count(control);
    }

    /// Reports the size of the unwinding, if it has grown enough since the last report, or `always`.
    pub(crate) fn report(&mut self, engine: &'static str, always: bool, more: &dyn Fn() -> String) {
        let n = self.tree.len();
        let due = n > self.counters.reported + REPORT_AFTER.max(self.counters.reported / 8);
        if !due && !always {
            return;
        }
        self.counters.reported = n;
        self.control.listener.note(engine, || {
            let (tree, counters) = (&self.tree, &self.counters);
            format!(
                "unwinding: {} vertices, {} covered, {} cut off, {} refinements, {} of {} covers forced, \
                 {} queries{}{}",
                thousands(n),
                thousands(tree.n_covered()),
                thousands(tree.n_pruned()),
                thousands(counters.refinements),
                thousands(counters.forced),
                thousands(counters.tried),
                thousands(self.labels.n_queries),
                self.refuter.report(),
                more(),
            )
        });
    }
}

/// A number with a comma between groups of three digits.
pub(crate) fn thousands(number: usize) -> String {
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
