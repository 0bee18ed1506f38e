//! The search: the rules Decide, Conjoin and Learn of the paper (figure 2), depth first, and Strengthen (figure
//! 3).

use std::collections::VecDeque;

use craig_aig::Edge;
use craig_mc::Control;
use craig_model::UnknownReason;

use super::annotation::{Annotation, Fuel, UNBOUNDED};
use super::interpolant::Blocked;
use super::options::{NAME, Options};
use super::symbolic::{Core, Step, SymbolicPath};
use crate::actions::{ActionId, Actions};
use crate::answer::ErrorPath;
use crate::cfa::{Cfa, LocationId};
use crate::labels::Labels;
use crate::unwinding::thousands;
use crate::word_labels::Refuter;

/// Backtracks between two reports.
const REPORT_AFTER: usize = 256;

/// A query of the paper: a location on the path, whose symbolic state is not blocked.
struct Frame {
    location: LocationId,
    fuel: Fuel,
    /// The position among the outgoing actions, in the order of decisions, of the next one to look at. Those
    /// before it are blocked.
    next: usize,
    /// Whether a longer path was tried.
    is_extended: bool,
}

/// Counts for reports.
#[derive(Clone, Copy, Default)]
pub(super) struct Counters {
    /// Paths that were given up for another one.
    pub(super) backtracks: usize,
    /// Steps of the rule Decide.
    pub(super) decisions: usize,
    /// Locations that a path has entered.
    pub(super) locations: usize,
    /// Interpolants of the rule Learn.
    pub(super) learnt: usize,
    /// Actions that a known label has blocked.
    pub(super) blocked: usize,
    /// Searches with some fuel.
    pub(super) rounds: usize,
    reported: usize,
}

/// The result of a search.
pub(super) enum Outcome {
    /// An open goal was reached.
    Reached(ErrorPath),
    /// No open goal can be reached; the labels for unbounded fuel are an invariant.
    Unreachable,
    /// Without learning: all paths end, and none reaches an open goal.
    Enumerated,
}

/// The state of the algorithm: an annotation, and the queries as a stack.
pub(super) struct Search<'a> {
    pub(super) actions: &'a Actions,
    options: &'a Options,
    control: Control<'a>,
    pub(super) labels: Labels,
    pub(super) refuter: Refuter,
    pub(super) annotation: Annotation<'a>,
    path: SymbolicPath<'a>,
    frames: Vec<Frame>,
    /// By location: its outgoing actions in the order of decisions.
    order: Vec<Vec<ActionId>>,
    pub(super) fuel: Fuel,
    /// By location: whether a path has entered it.
    is_entered: Vec<bool>,
    /// Whether some path of this round ended for lack of fuel.
    is_cut: bool,
    pub(super) counters: Counters,
}

impl<'a> Search<'a> {
    pub(super) fn new(actions: &'a Actions, options: &'a Options, control: Control<'a>) -> Self {
        let annotation = Annotation::new(actions, control.stop);
        let mut labels = Labels::new(actions, control.stop);
        Self {
            actions,
            options,
            control,
            refuter: Refuter::new(actions, &mut labels, options.labels),
            labels,
            order: order(actions, &annotation),
            annotation,
            path: SymbolicPath::new(actions, control.stop),
            frames: Vec::new(),
            fuel: options.fuel,
            is_entered: vec![false; actions.n_locations()],
            is_cut: false,
            counters: Counters::default(),
        }
    }

    /// Searches until an open goal is reached, or none can be. After a goal was reached, the search goes on from
    /// there if it is called again.
    pub(super) fn run(&mut self) -> Result<Outcome, UnknownReason> {
        loop {
            if self.frames.is_empty() && !self.begin()? {
                return Ok(Outcome::Unreachable);
            }
            if let Some(found) = self.search()? {
                return Ok(Outcome::Reached(found));
            }
            self.report(true);
            if !self.options.learn {
                if !self.is_cut {
                    return Ok(Outcome::Enumerated);
                }
            } else if self.is_blocked(UNBOUNDED)? {
                return Ok(Outcome::Unreachable);
            } else {
                self.annotation.strengthen(&mut self.labels)?;
                if self.is_blocked(UNBOUNDED)? {
                    return Ok(Outcome::Unreachable);
                }
            }
            // Doubled: a loop of N iterations costs O(N log N) decisions (paper, section 2.2).
            self.fuel = self.fuel.saturating_mul(2).clamp(1, UNBOUNDED - 1);
        }
    }

    /// The rule Init. Whether the start is not blocked for unbounded fuel.
    fn begin(&mut self) -> Result<bool, UnknownReason> {
        if self.options.learn && self.is_blocked(UNBOUNDED)? {
            return Ok(false);
        }
        self.counters.rounds += 1;
        self.is_cut = false;
        self.frames.push(Frame {
            location: Cfa::START,
            fuel: self.fuel,
            next: 0,
            is_extended: false,
        });
        Ok(true)
    }

    /// Whether the label of the start holds there.
    fn is_blocked(&mut self, fuel: Fuel) -> Result<bool, UnknownReason> {
        debug_assert!(self.frames.is_empty());
        let label = (self.annotation).at(&mut self.labels.aig, Cfa::START, fuel);
        let found = self.path.outside(None, (&self.labels.aig, label))?;
        Ok(found.is_some())
    }

    /// Decides, learns and backtracks until a goal is reached or the stack is empty.
    fn search(&mut self) -> Result<Option<ErrorPath>, UnknownReason> {
        while let Some(frame) = self.frames.last() {
            if let Some(reason) = self.annotation.stop_reason() {
                return Err(reason);
            }
            let (location, fuel) = (frame.location, frame.fuel);
            let outgoing = &self.order[location.index()];
            let Some(&action) = outgoing.get(frame.next) else {
                self.backtrack()?;
                continue;
            };
            if self.is_known(action, fuel)? {
                self.counters.blocked += 1;
                self.skip();
                continue;
            }
            let step = self.path.step(action);
            match self.blocking(&step, fuel)? {
                Some((core, fuel)) => {
                    self.learn(action, &core, fuel)?;
                    self.skip();
                }
                None if self.annotation.is_open_goal(action) => {
                    let (path, chosen) = self.path.found(&step);
                    return Ok(Some(ErrorPath { path, chosen }));
                }
                None => self.decide(step),
            }
        }
        Ok(None)
    }

    /// Whether a known label blocks an action in the current state.
    fn is_known(&mut self, action: ActionId, fuel: Fuel) -> Result<bool, UnknownReason> {
        let label = (self.annotation).label(&mut self.labels.aig, action, fuel);
        if label == Edge::TRUE {
            return Ok(true);
        }
        if label == Edge::FALSE || !self.options.learn {
            return Ok(false);
        }
        let found = self.path.outside(None, (&self.labels.aig, label))?;
        Ok(found.is_some())
    }

    /// Whether every state after a step is in the label there, for some fuel: then why, and the most fuel for
    /// which that is so, among the given one and unbounded fuel. Otherwise some state after it is outside of it.
    fn blocking(&mut self, step: &Step, fuel: Fuel) -> Result<Option<(Core, Fuel)>, UnknownReason> {
        let action = step.action;
        if self.annotation.left(action, fuel).is_none() {
            self.is_cut = true;
        }
        let mut behind = |fuel: Fuel| (self.annotation).behind(&mut self.labels.aig, action, fuel);
        let (bounded, unbounded) = (behind(fuel), behind(UNBOUNDED));
        let aig = &self.labels.aig;
        let Some(core) = self.path.outside(Some(step), (aig, bounded))? else {
            return Ok(None);
        };
        if bounded == unbounded {
            return Ok(Some((core, UNBOUNDED)));
        }
        let found = self.path.outside(Some(step), (aig, unbounded))?;
        Ok(Some(match found {
            Some(core) => (core, UNBOUNDED),
            None => (core, fuel),
        }))
    }

    /// The rule Decide: the path goes on with a step.
    fn decide(&mut self, step: Step) {
        self.counters.decisions += 1;
        let frame = self.frames.last_mut().expect("the stack is not empty");
        frame.is_extended = true;
        let left = self.annotation.left(step.action, frame.fuel);
        let target = self.actions.action(step.action).target;
        let is_known = std::mem::replace(&mut self.is_entered[target.index()], true);
        self.counters.locations += usize::from(!is_known);
        self.path.enter(step);
        self.frames.push(Frame {
            location: target,
            fuel: left.expect("a step without fuel is blocked"),
            next: 0,
            is_extended: false,
        });
    }

    /// The rule Learn: a label of an action that blocks it in the current state. The label is a part of an
    /// interpolant that a solver finds justified at the action.
    fn learn(&mut self, action: ActionId, core: &Core, fuel: Fuel) -> Result<(), UnknownReason> {
        if !self.options.learn {
            return Ok(());
        }
        let after = (self.annotation).behind(&mut self.labels.aig, action, fuel);
        let labels = &mut self.labels;
        let formula = match after {
            Edge::TRUE => Edge::TRUE,
            _ => {
                let blocked = Blocked {
                    actions: self.actions,
                    path: &self.path,
                    core,
                    action,
                    after,
                };
                let place = (self.actions, self.actions.action(action).source);
                let dial = &self.options.dial;
                (self.refuter).ask_cut(place, labels, &blocked, dial, self.control)?
            }
        };
        let conjuncts = self.refuter.split(labels, formula);
        let is_justified = (self.annotation).learn(labels, action, &conjuncts, fuel)?;
        assert!(is_justified, "an interpolant is justified at its action");
        self.counters.learnt += 1;
        Ok(())
    }

    /// The action that the current location looks at is blocked.
    fn skip(&mut self) {
        if let Some(frame) = self.frames.last_mut() {
            frame.next += 1;
        }
    }

    /// The rule Conjoin: all actions of the current location are blocked, so that the state is in the label of
    /// the location. The path gets shorter, and the action that led here is blocked by a new label.
    fn backtrack(&mut self) -> Result<(), UnknownReason> {
        let Some(done) = self.frames.pop() else {
            return Ok(());
        };
        self.counters.backtracks += usize::from(!done.is_extended);
        self.report(false);
        let Some(step) = self.path.leave() else {
            debug_assert!(self.frames.is_empty());
            return Ok(());
        };
        if self.options.learn {
            let fuel = self.frames.last().map_or(0, |frame| frame.fuel);
            let blocking = self.blocking(&step, fuel)?;
            let (core, fuel) = blocking.expect("the state behind the step is blocked");
            self.learn(step.action, &core, fuel)?;
        }
        self.skip();
        Ok(())
    }

    /// Passes the counts of the search on.
    pub(super) fn count(&self) {
        let (counters, control) = (&self.counters, self.control);
        control.listener.count("backtracks", counters.backtracks);
        control.listener.count("decisions", counters.decisions);
        control
            .listener
            .count("locations_entered", counters.locations);
        control.listener.count("labels_learnt", counters.learnt);
        control.listener.count("actions_blocked", counters.blocked);
        control.listener.count("searches", counters.rounds);
        control
            .listener
            .count("inductive_labels", self.annotation.n_inductive);
        control
            .listener
            .count("queries", self.path.n_queries + self.labels.n_queries);
        self.refuter.count(control);
    }

    /// Closes goals: they are reached, or no longer of interest.
    pub(super) fn close(&mut self, goals: impl IntoIterator<Item = ActionId>) {
        for action in goals {
            if self.annotation.is_open_goal(action) {
                self.annotation.close(&mut self.labels, action);
            }
        }
    }

    fn report(&mut self, always: bool) {
        let n = self.counters.backtracks;
        let due = n > self.counters.reported + REPORT_AFTER.max(self.counters.reported / 8);
        if !due && !always {
            return;
        }
        self.counters.reported = n;
        self.control.listener.note(NAME, || {
            let counters = &self.counters;
            format!(
                "fuel {}: {} backtracks, {} decisions, {} labels, {} of them inductive, {} actions blocked, \
                 {} queries{}",
                thousands(self.fuel as usize),
                thousands(counters.backtracks),
                thousands(counters.decisions),
                thousands(self.annotation.n_labels),
                thousands(self.annotation.n_inductive),
                thousands(counters.blocked),
                thousands(self.path.n_queries + self.labels.n_queries),
                self.refuter.report(),
            )
        });
    }
}

/// By location: its outgoing actions, those with the least distance to a goal first. Actions that retreat come
/// last.
fn order(actions: &Actions, annotation: &Annotation<'_>) -> Vec<Vec<ActionId>> {
    let mut distance = vec![u32::MAX; actions.n_locations()];
    distance[Cfa::ERROR.index()] = 0;
    let mut queue = VecDeque::from([Cfa::ERROR]);
    while let Some(location) = queue.pop_front() {
        for &action in actions.incoming(location) {
            let source = actions.action(action).source;
            if distance[source.index()] == u32::MAX {
                distance[source.index()] = distance[location.index()] + 1;
                queue.push_back(source);
            }
        }
    }
    let mut order = vec![Vec::new(); actions.n_locations()];
    for location in actions.locations() {
        let mut outgoing = actions.outgoing(location).to_vec();
        outgoing.sort_by_key(|&action| {
            let target = actions.action(action).target;
            (annotation.retreats(action), distance[target.index()])
        });
        order[location.index()] = outgoing;
    }
    order
}
