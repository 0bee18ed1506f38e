//! The annotation: labels of actions, each valid up to an amount of fuel.

mod strengthen;

use std::collections::HashMap;

use craig_aig::{Aig, Edge};
use craig_model::{Stop, UnknownReason};

use crate::actions::{ActionId, Actions};
use crate::cfa::{Cfa, LocationId};
use crate::justification::{Conjuncts, Justification, is_subset};
use crate::labels::Labels;
use strengthen::Strengthening;

/// How many retreating actions the rest of a path may take.
pub(super) type Fuel = u32;

/// The fuel of labels that hold for paths of any length.
pub(super) const UNBOUNDED: Fuel = Fuel::MAX;

/// A label of an action: no path that begins with the action, in a state of the conjuncts, and takes at most
/// `fuel` retreating actions reaches a goal that is open.
struct Label {
    conjuncts: Conjuncts,
    formula: Edge,
    fuel: Fuel,
}

/// The labels of all actions.
///
/// The *label of an action* for some fuel is the disjunction of its labels with at least this fuel. The *label of
/// a location* `A(l)` is the conjunction of the labels of its outgoing actions; that of an open goal is false,
/// that of a goal that was reached is true. An action that retreats uses up one unit of fuel; where that is not
/// left, the label behind it is true (the paper's labels `tau < 0`).
///
/// Invariant: every label `phi` of an action `a` with fuel `t` is *justified*: `phi` and `a` imply
/// `A(target of a)` for the fuel that is left of `t`. A solver has shown it when the label was added. Labels are
/// only replaced by weaker ones with as much fuel, and `A` is monotone in them; goals are closed and never opened
/// again. So later changes leave all labels justified.
///
/// For unbounded fuel the same labels remain behind a retreating action: they are an inductive invariant.
pub(super) struct Annotation<'a> {
    actions: &'a Actions,
    stop: &'a Stop,
    /// By action: its labels.
    labels: Vec<Vec<Label>>,
    /// By action: whether it retreats, to a location that is visited before its source in a depth-first visit.
    /// Each cycle has such an action.
    retreats: Vec<bool>,
    /// By location: its position in the order in which that visit leaves them.
    postorder: Vec<u32>,
    /// By action: whether it leads to a goal that is open.
    open: Vec<bool>,
    justification: Justification<'a>,
    /// By action: the formulas of its label that were asked for since it changed.
    formulas: Vec<HashMap<Fuel, Edge>>,
    pub(super) n_labels: usize,
    /// Labels that were shown to be inductive after a bounded search.
    pub(super) n_inductive: usize,
}

impl<'a> Annotation<'a> {
    /// No labels; all actions to bad locations lead to open goals.
    pub(super) fn new(actions: &'a Actions, stop: &'a Stop) -> Self {
        let ids = 0..actions.n_actions() as ActionId;
        let is_goal = |action| actions.action(action).target == Cfa::ERROR;
        let (retreats, postorder) = visit(actions);
        Self {
            actions,
            stop,
            labels: (0..actions.n_actions()).map(|_| Vec::new()).collect(),
            retreats,
            postorder,
            open: ids.map(is_goal).collect(),
            justification: Justification::new(actions, stop),
            formulas: vec![HashMap::new(); actions.n_actions()],
            n_labels: 0,
            n_inductive: 0,
        }
    }

    /// Whether an action leads to a goal that is open.
    pub(super) fn is_open_goal(&self, action: ActionId) -> bool {
        self.open[action as usize]
    }

    pub(super) fn retreats(&self, action: ActionId) -> bool {
        self.retreats[action as usize]
    }

    /// The fuel that is left after an action; `None` if there is too little.
    pub(super) fn left(&self, action: ActionId, fuel: Fuel) -> Option<Fuel> {
        match self.retreats[action as usize] && fuel != UNBOUNDED {
            true => fuel.checked_sub(1),
            false => Some(fuel),
        }
    }

    /// The label of an action for some fuel.
    pub(super) fn label(&mut self, aig: &mut Aig, action: ActionId, fuel: Fuel) -> Edge {
        let labels = &self.labels[action as usize];
        *self.formulas[action as usize]
            .entry(fuel)
            .or_insert_with(|| {
                let usable = labels.iter().filter(|label| label.fuel >= fuel);
                let disjuncts: Vec<Edge> = usable.map(|label| label.formula).collect();
                aig.or_all(disjuncts)
            })
    }

    /// The label of a location for some fuel.
    pub(super) fn at(&mut self, aig: &mut Aig, location: LocationId, fuel: Fuel) -> Edge {
        debug_assert_ne!(location, Cfa::ERROR);
        let actions = self.actions;
        let outgoing = actions.outgoing(location).iter();
        let formulas: Vec<Edge> = outgoing.map(|&a| self.label(aig, a, fuel)).collect();
        aig.and_all(formulas)
    }

    /// The label of the target of an action, for the fuel that is left after it.
    pub(super) fn behind(&mut self, aig: &mut Aig, action: ActionId, fuel: Fuel) -> Edge {
        let target = self.actions.action(action).target;
        match self.left(action, fuel) {
            None => Edge::TRUE,
            Some(_) if target == Cfa::ERROR => match self.open[action as usize] {
                true => Edge::FALSE,
                false => Edge::TRUE,
            },
            Some(left) => self.at(aig, target, left),
        }
    }

    /// Adds those of the conjuncts that are needed as a label, if they are justified for the fuel. Whether they
    /// are.
    pub(super) fn learn(
        &mut self,
        labels: &mut Labels,
        action: ActionId,
        conjuncts: &[Edge],
        fuel: Fuel,
    ) -> Result<bool, UnknownReason> {
        let after = self.behind(&mut labels.aig, action, fuel);
        let found = match after {
            Edge::TRUE => Some(Conjuncts::default()),
            after => (self.justification).justify(labels, conjuncts, action, after)?,
        };
        let Some(mut conjuncts) = found else {
            return Ok(false);
        };
        conjuncts.sort_unstable();
        let own = &mut self.labels[action as usize];
        let is_known =
            |label: &Label| label.fuel >= fuel && is_subset(&label.conjuncts, &conjuncts);
        if own.iter().any(is_known) {
            return Ok(true);
        }
        let before = own.len();
        own.retain(|label| label.fuel > fuel || !is_subset(&conjuncts, &label.conjuncts));
        self.n_labels = self.n_labels + 1 + own.len() - before;
        own.push(Label {
            formula: labels.aig.and_all(conjuncts.iter().copied()),
            conjuncts,
            fuel,
        });
        self.formulas[action as usize].clear();
        Ok(true)
    }

    /// Closes a goal that was reached. Its label becomes true.
    pub(super) fn close(&mut self, labels: &mut Labels, action: ActionId) {
        debug_assert!(self.open[action as usize]);
        self.open[action as usize] = false;
        let learnt = self.learn(labels, action, &[], UNBOUNDED);
        debug_assert_eq!(learnt, Ok(true), "the label behind it is true");
    }

    /// The inductive labels among all: labels that were justified for bounded fuel are tried for unbounded fuel
    /// together, and those that are not justified by the rest are left out until all are. The label that remains
    /// is the greatest inductive subset. Each test is against the current subset: a label that leans on one that
    /// is left out later is tested again.
    pub(super) fn strengthen(&mut self, labels: &mut Labels) -> Result<(), UnknownReason> {
        Strengthening::new(self).run(labels)
    }

    pub(super) fn stop_reason(&self) -> Option<UnknownReason> {
        self.stop.reason()
    }

    /// Asserts that every label is justified.
    #[cfg(test)]
    pub(super) fn check(&mut self, labels: &mut Labels) {
        for action in 0..self.actions.n_actions() as ActionId {
            for index in 0..self.labels[action as usize].len() {
                let label = &self.labels[action as usize][index];
                let (conjuncts, fuel) = (label.conjuncts.clone(), label.fuel);
                let after = self.behind(&mut labels.aig, action, fuel);
                let found = (self.justification).justify(labels, &conjuncts, action, after);
                assert!(matches!(found, Ok(Some(_))), "{conjuncts:?} of {action}");
            }
        }
    }
}

/// By action: whether it leads to a location on the stack of a depth-first visit from the start; every cycle has such
/// an action. By location: its position in the order in which the visit leaves them.
fn visit(actions: &Actions) -> (Vec<bool>, Vec<u32>) {
    let mut retreats = vec![false; actions.n_actions()];
    let mut postorder = vec![u32::MAX; actions.n_locations()];
    let mut n_left = 0;
    let (mut seen, mut on_stack) = (
        vec![false; actions.n_locations()],
        vec![false; actions.n_locations()],
    );
    let mut stack = vec![(Cfa::START, 0)];
    seen[Cfa::START.index()] = true;
    on_stack[Cfa::START.index()] = true;
    while let Some((location, next)) = stack.last_mut() {
        let Some(&action) = actions.outgoing(*location).get(*next) else {
            on_stack[location.index()] = false;
            postorder[location.index()] = n_left;
            n_left += 1;
            stack.pop();
            continue;
        };
        *next += 1;
        let target = actions.action(action).target;
        retreats[action as usize] = on_stack[target.index()];
        if !std::mem::replace(&mut seen[target.index()], true) {
            on_stack[target.index()] = true;
            stack.push((target, 0));
        }
    }
    (retreats, postorder)
}
