//! Safety interpolants: for each action, labels from whose states no run that begins with the action reaches
//! a bad location.

use craig_solver::aig::{Aig, Edge};
use craig_solver::{Answer, Lit, Solver};

use crate::circuit::verdict::UnknownReason;
use crate::control::Control;
use crate::engine::why_stopped;
use crate::program::actions::{ActionId, Actions};
use crate::program::cfa::{Cfa, LocationId};
use crate::program::labels::{LabelId, Labels};
use crate::program::step::StepEncoding;

/// The maximal number of labels of an action.
const MAX_LABELS: usize = 48;

/// An action in a solver of its own.
struct StepQueries {
    solver: Solver,
    encoding: StepEncoding,
}

/// A label of an action: a set of conjuncts, in increasing order.
type Conjuncts = Box<[Edge]>;

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
    control: &'a Control,
    /// By action: its labels. None contains another one.
    labels: Vec<Vec<Conjuncts>>,
    /// By action: the disjunction of its labels.
    formulas: Vec<Edge>,
    steps: Vec<Option<StepQueries>>,
    n_labels: usize,
}

/// Labels that were shown to be justified together: the action and the conjuncts of each.
pub(super) type Justified = Vec<(ActionId, Conjuncts)>;

impl<'a> SafetyLabels<'a> {
    pub(super) fn new(actions: &'a Actions, control: &'a Control) -> Self {
        Self {
            actions,
            control,
            labels: vec![Vec::new(); actions.n_actions()],
            formulas: vec![Edge::FALSE; actions.n_actions()],
            steps: (0..actions.n_actions()).map(|_| None).collect(),
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
            outgoing.all(|&action| self.formulas[action as usize] != Edge::FALSE)
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

    /// The same as a label with a conjunct for each action.
    pub(super) fn label(&self, labels: &mut Labels, location: LocationId) -> LabelId {
        if location == Cfa::ERROR {
            return LabelId::FALSE;
        }
        let outgoing = self.actions.outgoing(location).iter();
        let formulas: Vec<Edge> = outgoing
            .map(|&action| self.formulas[action as usize])
            .filter(|&formula| formula != Edge::TRUE)
            .collect();
        labels.strengthened(LabelId::TRUE, &formulas)
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
        if let Some(reason) = self.control.stop_reason() {
            return Err(reason);
        }
        let conjuncts = labels.conjuncts(label).to_vec();
        let (actions, step) = (self.actions, self.actions.action(action));
        let queries = self.steps[action as usize].get_or_insert_with(|| {
            let mut solver = Solver::new();
            let own = self.control.clone();
            solver.set_stop_callback(Some(Box::new(move || own.stop_reason().is_some())));
            let encoding = StepEncoding::new(actions, step, &mut solver);
            StepQueries { solver, encoding }
        });
        let StepQueries { solver, encoding } = queries;
        let mut before: Vec<(Edge, Lit)> = Vec::new();
        for conjunct in conjuncts {
            let lit = encoding.known_before(conjunct).unwrap_or_else(|| {
                let support = labels.support(conjunct);
                encoding.before(actions, &labels.aig, (conjunct, &support), solver)
            });
            before.push((conjunct, lit));
        }
        let mut assumptions: Vec<Lit> = before.iter().map(|&(_, lit)| lit).collect();
        if after != Edge::FALSE {
            let lit = encoding.known_behind(after).unwrap_or_else(|| {
                let support = labels.support(after);
                encoding.behind(actions, step, &labels.aig, (after, &support), solver)
            });
            assumptions.push(!lit);
        }
        labels.n_queries += 1;
        match solver.solve(&assumptions) {
            Answer::Satisfiable => Ok(None),
            Answer::Unknown => Err(why_stopped(self.control)),
            Answer::Unsatisfiable => {
                let failed = solver.failed_assumptions();
                let needed = before.iter().filter(|(_, lit)| failed.contains(lit));
                Ok(Some(needed.map(|&(conjunct, _)| conjunct).collect()))
            }
        }
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

/// Whether all elements of a set are in another one; both in increasing order.
fn is_subset(part: &[Edge], whole: &[Edge]) -> bool {
    let mut rest = whole.iter();
    part.iter().all(|edge| rest.any(|other| other == edge))
}
