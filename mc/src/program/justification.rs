//! Queries whether a formula before an action implies one after it.

use craig_solver::aig::Edge;
use craig_solver::{Answer, Lit, Solver};

use super::actions::{ActionId, Actions};
use super::labels::Labels;
use super::step::StepEncoding;
use crate::circuit::verdict::UnknownReason;
use crate::control::Control;
use crate::engine::why_stopped;

/// A conjunction, as its conjuncts in increasing order.
pub(super) type Conjuncts = Box<[Edge]>;

/// An action in a solver of its own.
struct Step {
    solver: Solver,
    encoding: StepEncoding,
}

/// A solver for each action, made at its first query.
pub(super) struct Justification<'a> {
    actions: &'a Actions,
    control: &'a Control,
    steps: Vec<Option<Step>>,
}

impl<'a> Justification<'a> {
    pub(super) fn new(actions: &'a Actions, control: &'a Control) -> Self {
        Self {
            actions,
            control,
            steps: (0..actions.n_actions()).map(|_| None).collect(),
        }
    }

    /// Whether some conjuncts and an action imply a formula after the action: the conjuncts that are needed for
    /// it. Formulas are edges of the graph of `labels`.
    pub(super) fn justify(
        &mut self,
        labels: &mut Labels,
        conjuncts: &[Edge],
        action: ActionId,
        after: Edge,
    ) -> Result<Option<Conjuncts>, UnknownReason> {
        if let Some(reason) = self.control.stop_reason() {
            return Err(reason);
        }
        let (actions, action_id) = (self.actions, action as usize);
        let action = actions.action(action);
        let control = self.control;
        let Step { solver, encoding } = self.steps[action_id].get_or_insert_with(|| {
            let mut solver = Solver::new();
            let own = control.clone();
            solver.set_stop_callback(Some(Box::new(move || own.stop_reason().is_some())));
            let encoding = StepEncoding::new(actions, action, &mut solver);
            Step { solver, encoding }
        });
        let mut before: Vec<(Edge, Lit)> = Vec::new();
        for &conjunct in conjuncts {
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
                encoding.behind(actions, action, &labels.aig, (after, &support), solver)
            });
            assumptions.push(!lit);
        }
        labels.n_queries += 1;
        match solver.solve(&assumptions) {
            Answer::Satisfiable => Ok(None),
            Answer::Unknown => Err(why_stopped(control)),
            Answer::Unsatisfiable => {
                let failed = solver.failed_assumptions();
                let needed = before.iter().filter(|(_, lit)| failed.contains(lit));
                Ok(Some(needed.map(|&(conjunct, _)| conjunct).collect()))
            }
        }
    }
}

/// Whether all elements of a set are in another one; both in increasing order.
pub(super) fn is_subset(part: &[Edge], whole: &[Edge]) -> bool {
    let mut rest = whole.iter();
    part.iter().all(|edge| rest.any(|other| other == edge))
}
