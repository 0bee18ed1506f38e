//! Queries whether a formula before an action implies one after it.

use std::collections::HashMap;

use craig_aig::Edge;
use craig_mc::control::listen_in;
use craig_mc::engine::why_stopped;
use craig_model::{Stop, UnknownReason};
use craig_solver::{Answer, Lit, Solver};

use super::actions::{ActionId, Actions};
use super::labels::Labels;
use super::step::StepEncoding;

/// A conjunction, as its conjuncts in increasing order.
pub(super) type Conjuncts = Box<[Edge]>;

/// A formula behind an action, in one row of a query of [`Justification::rely`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Premise {
    pub(super) row: usize,
    pub(super) formula: Edge,
}

/// An action in a solver of its own.
struct Step {
    solver: Solver,
    encoding: StepEncoding,
    rows: Option<Rows>,
}

/// What queries about a conjunction of disjunctions behind an action share, one disjunction for each row.
struct Rows {
    /// Some row is chosen.
    some: Lit,
    /// By row: no formula of it holds whose selector is true.
    chosen: Vec<Lit>,
    /// The selectors of formulas, by row and formula.
    selectors: HashMap<(usize, Edge), Lit>,
}

/// A solver for each action, made at its first query.
pub(super) struct Justification<'a> {
    actions: &'a Actions,
    stop: &'a Stop,
    steps: Vec<Option<Step>>,
}

impl<'a> Justification<'a> {
    pub(super) fn new(actions: &'a Actions, stop: &'a Stop) -> Self {
        Self {
            actions,
            stop,
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
        if let Some(reason) = self.stop.reason() {
            return Err(reason);
        }
        let (actions, stop) = (self.actions, self.stop);
        let action_id = action;
        let action = actions.action(action);
        let Step {
            solver, encoding, ..
        } = self.step(action_id);
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
            Answer::Unknown => Err(why_stopped(stop)),
            Answer::Unsatisfiable => {
                let failed = solver.failed_assumptions();
                let needed = before.iter().filter(|(_, lit)| failed.contains(lit));
                Ok(Some(needed.map(|&(conjunct, _)| conjunct).collect()))
            }
        }
    }
}

impl Justification<'_> {
    fn step(&mut self, id: ActionId) -> &mut Step {
        let (actions, stop) = (self.actions, self.stop);
        self.steps[id as usize].get_or_insert_with(|| {
            let mut solver = Solver::new();
            listen_in(stop, &mut solver);
            let encoding = StepEncoding::new(actions, actions.action(id), &mut solver);
            Step {
                solver,
                encoding,
                rows: None,
            }
        })
    }

    /// Whether some conjuncts and an action imply that after the action each row has a formula that holds: the
    /// formulas that are needed for it. The number of rows is always the same for an action. Each formula is encoded
    /// once for all queries.
    pub(super) fn rely(
        &mut self,
        labels: &mut Labels,
        conjuncts: &[Edge],
        action: ActionId,
        behind: &[Vec<Edge>],
    ) -> Result<Option<Vec<Premise>>, UnknownReason> {
        if let Some(reason) = self.stop.reason() {
            return Err(reason);
        }
        let (actions, stop) = (self.actions, self.stop);
        let Step {
            solver,
            encoding,
            rows,
        } = self.step(action);
        let action = actions.action(action);
        let rows = rows.get_or_insert_with(|| Rows::new(behind.len(), solver));
        debug_assert_eq!(rows.chosen.len(), behind.len());
        let mut assumptions = vec![rows.some];
        for &conjunct in conjuncts {
            assumptions.push(encoding.known_before(conjunct).unwrap_or_else(|| {
                let support = labels.support(conjunct);
                encoding.before(actions, &labels.aig, (conjunct, &support), solver)
            }));
        }
        let mut premises: Vec<(Lit, Premise)> = Vec::new();
        for (row, formulas) in behind.iter().enumerate() {
            for &formula in formulas {
                let chosen = rows.chosen[row];
                let selector = *rows.selectors.entry((row, formula)).or_insert_with(|| {
                    let support = labels.support(formula);
                    let formula = (formula, &*support);
                    let lit = encoding.behind(actions, action, &labels.aig, formula, solver);
                    let selector = solver.new_var().positive();
                    solver.add_clause(&[!selector, !chosen, !lit]);
                    selector
                });
                premises.push((selector, Premise { row, formula }));
            }
        }
        assumptions.extend(premises.iter().map(|&(selector, _)| selector));
        labels.n_queries += 1;
        match solver.solve(&assumptions) {
            Answer::Satisfiable => Ok(None),
            Answer::Unknown => Err(why_stopped(stop)),
            Answer::Unsatisfiable => {
                let mut failed = solver.failed_assumptions().to_vec();
                failed.sort_unstable();
                let needed = premises.into_iter();
                let needed = needed.filter(|(lit, _)| failed.binary_search(lit).is_ok());
                Ok(Some(needed.map(|(_, premise)| premise).collect()))
            }
        }
    }
}

impl Rows {
    fn new(n: usize, solver: &mut Solver) -> Self {
        let some = solver.new_var().positive();
        let chosen: Vec<Lit> = (0..n).map(|_| solver.new_var().positive()).collect();
        let mut clause = vec![!some];
        clause.extend(&chosen);
        solver.add_clause(&clause);
        Self {
            some,
            chosen,
            selectors: HashMap::new(),
        }
    }
}

/// Whether all elements of a set are in another one; both in increasing order.
pub(super) fn is_subset(part: &[Edge], whole: &[Edge]) -> bool {
    let mut rest = whole.iter();
    part.iter().all(|edge| rest.any(|other| other == edge))
}
