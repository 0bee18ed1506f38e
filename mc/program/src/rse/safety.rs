//! Safety interpolants: for each action, labels from whose states no run that begins with the action reaches
//! a bad location.

use craig_aig::{Aig, Edge};
use craig_model::{Stop, UnknownReason};

use crate::actions::{ActionId, Actions};
use crate::cfa::{Cfa, LocationId};
use crate::justification::{Conjuncts, Justification, is_subset};
use crate::labels::{LabelId, Labels};

/// The maximal number of labels of an action.
const MAX_LABELS: usize = 48;

/// The labels of all actions.
///
/// The label `A(l)` of a location is the conjunction, over its outgoing actions, of the disjunction of the
/// action's labels; `A` of a bad location is false. Invariant: every label `phi` of every action `a` is
/// *justified*, that is, `phi` and `a` imply `A(target of a)`. A solver has shown it when the label was
/// added, together with the labels that were added in the same step. Labels are only replaced by weaker ones,
/// and `A` is monotone in them, so that later labels leave it justified.
///
/// It follows that a step from `A(l)` ends in `A(l')`: the action's disjunction is one of the conjuncts of
/// `A(l)`. So no run from a state of `A(l)` at `l` reaches a bad location.
pub(super) struct SafetyLabels<'a> {
    actions: &'a Actions,
    /// By action: its labels. None contains another one.
    labels: Vec<Vec<Conjuncts>>,
    /// By action: the disjunction of its labels.
    formulas: Vec<Edge>,
    justification: Justification<'a>,
    n_labels: usize,
}

/// Labels that were shown to be justified together: the action and the conjuncts of each.
pub(super) type Justified = Vec<(ActionId, Conjuncts)>;

impl<'a> SafetyLabels<'a> {
    pub(super) fn new(actions: &'a Actions, stop: &'a Stop) -> Self {
        Self {
            actions,
            labels: vec![Vec::new(); actions.n_actions()],
            formulas: vec![Edge::FALSE; actions.n_actions()],
            justification: Justification::new(actions, stop),
            n_labels: 0,
        }
    }

    /// The number of labels, for reports.
    pub(super) fn len(&self) -> usize {
        self.n_labels
    }

    /// Whether the label of a location is full: each outgoing action has a label. Otherwise it is half, and
    /// false.
    pub(super) fn is_full(&self, location: LocationId) -> bool {
        location != Cfa::ERROR && {
            let mut outgoing = self.actions.outgoing(location).iter();
            // The conjuncts of a label may contradict each other: then its formula is false.
            outgoing.all(|&action| !self.labels[action as usize].is_empty())
        }
    }

    /// The label `A(l)` of a location as a formula.
    pub(super) fn formula(&self, aig: &mut Aig, location: LocationId) -> Edge {
        if location == Cfa::ERROR {
            return Edge::FALSE;
        }
        let outgoing = self.actions.outgoing(location).iter();
        let formulas: Vec<Edge> = outgoing
            .map(|&action| self.formulas[action as usize])
            .collect();
        aig.and_all(formulas)
    }

    /// The label of a location, with a conjunct for each action.
    pub(super) fn label(&self, labels: &mut Labels, location: LocationId) -> LabelId {
        if location == Cfa::ERROR {
            return LabelId::FALSE;
        }
        labels.strengthened(LabelId::TRUE, &self.conjuncts(location))
    }

    /// The label of a location as formulas, one for each action whose disjunction is not true. Not for a bad location.
    pub(super) fn conjuncts(&self, location: LocationId) -> Vec<Edge> {
        debug_assert!(location != Cfa::ERROR);
        let outgoing = self.actions.outgoing(location).iter();
        outgoing
            .map(|&action| self.formulas[action as usize])
            .filter(|&formula| formula != Edge::TRUE)
            .collect()
    }

    /// Whether a label of the action is known that a label implies.
    pub(super) fn blocks(
        &self,
        labels: &mut Labels,
        label: LabelId,
        action: ActionId,
    ) -> Result<bool, UnknownReason> {
        let conjuncts = labels.conjuncts(label);
        if self.contains_part_of(action, conjuncts) {
            return Ok(true);
        }
        let formula = self.formulas[action as usize];
        let source = self.actions.action(action).source;
        Ok(formula != Edge::FALSE && labels.entails_conjunct(source, label, formula)?)
    }

    /// Whether some label of an action has no other conjuncts than these, which are in increasing order.
    fn contains_part_of(&self, action: ActionId, conjuncts: &[Edge]) -> bool {
        let mut labels = self.labels[action as usize].iter();
        labels.any(|label| is_subset(label, conjuncts))
    }

    /// Whether a label and an action imply a formula after the action: the conjuncts of the label that are
    /// needed for it.
    pub(super) fn justify(
        &mut self,
        labels: &mut Labels,
        label: LabelId,
        action: ActionId,
        after: Edge,
    ) -> Result<Option<Conjuncts>, UnknownReason> {
        let conjuncts = labels.conjuncts(label).to_vec();
        self.justification
            .justify(labels, &conjuncts, action, after)
    }

    /// Adds labels that are justified by the known ones and by each other. Whether there was space for them;
    /// otherwise none is added. Locations whose label has become full are added to `full`.
    pub(super) fn learn(
        &mut self,
        aig: &mut Aig,
        justified: Justified,
        full: &mut Vec<LocationId>,
    ) -> bool {
        let mut changed: Vec<(ActionId, Vec<Conjuncts>)> = Vec::new();
        for (action, conjuncts) in justified {
            debug_assert!(conjuncts.is_sorted());
            let place = match changed.iter().position(|&(other, _)| other == action) {
                Some(place) => place,
                None => {
                    changed.push((action, self.labels[action as usize].clone()));
                    changed.len() - 1
                }
            };
            let labels = &mut changed[place].1;
            if labels.iter().any(|label| is_subset(label, &conjuncts)) {
                continue;
            }
            labels.retain(|label| !is_subset(&conjuncts, label));
            labels.push(conjuncts);
        }
        if changed.iter().any(|(_, labels)| labels.len() > MAX_LABELS) {
            return false;
        }
        for (action, labels) in changed {
            let source = self.actions.action(action).source;
            let was_full = self.is_full(source);
            let disjuncts: Vec<Edge> = (labels.iter())
                .map(|label| aig.and_all(label.iter().copied()))
                .collect();
            self.n_labels = self.n_labels + labels.len() - self.labels[action as usize].len();
            self.formulas[action as usize] = aig.or_all(disjuncts);
            self.labels[action as usize] = labels;
            if !was_full && self.is_full(source) {
                full.push(source);
            }
        }
        true
    }

    /// Asserts that every label is justified.
    #[cfg(test)]
    pub(super) fn check(&mut self, labels: &mut Labels) {
        for action in 0..self.actions.n_actions() as ActionId {
            for index in 0..self.labels[action as usize].len() {
                let conjuncts = self.labels[action as usize][index].clone();
                let label = labels.strengthened(LabelId::TRUE, &conjuncts);
                let target = self.actions.action(action).target;
                let after = self.formula(&mut labels.aig, target);
                let found = self.justify(labels, label, action, after);
                assert!(matches!(found, Ok(Some(_))));
            }
        }
    }
}
