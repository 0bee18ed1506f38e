//! Transition interpolants: what a refutation of a path says of each action on it, in terms of predicates.

use std::collections::HashMap;

use craig_aig::{Aig, Edge};
use craig_itp::interpolant;
use craig_itp::transform::{Raiser, Reduction, reduce};
use craig_mc::engine::{refutation, stop_of, why_stopped};
use craig_model::{Stop, UnknownReason};
use craig_solver::encode::{ClauseSink, Labelled};
use craig_solver::proof::{Origin, ProofDag, ProofLog};
use craig_solver::{Answer, Label, Lit, Options as SolverOptions, Solver, Var};
use oxidd::VarNo;

use super::predicates::{PredicateId, Predicates, current, next};
use crate::actions::{ActionId, Actions};
use crate::refutation::{Dial, REDUCTION_ROUNDS, Transform};
use crate::step::StepEncoding;

/// What holds of the predicates before and behind an action. Input number i of the graph is the variable
/// `variables[i]`.
pub(super) struct Transition {
    pub(super) aig: Aig,
    pub(super) formula: Edge,
    pub(super) variables: Vec<VarNo>,
}

impl Transition {
    /// A formula that is true.
    fn nothing() -> Self {
        Self {
            aig: Aig::new(),
            formula: Edge::TRUE,
            variables: Vec::new(),
        }
    }
}

/// For each action of an infeasible path a consequence of it over the predicates at its ends, such that these
/// consequences exclude the path; nothing if the predicates do not suffice for that.
///
/// The actions of the path have no variables in common but those of the predicates in between, so that the
/// symmetric interpolants of a refutation are such consequences (paper, section 6.1). They come from one
/// proof. Raising makes each of them stronger, which leaves them inconsistent.
pub(super) fn transitions(
    actions: &Actions,
    aig: &Aig,
    predicates: &Predicates,
    path: &[ActionId],
    dial: &Dial,
    stop: &Stop,
) -> Result<Option<Vec<Transition>>, UnknownReason> {
    let asked = stop_of(stop);
    let stopped = |_| why_stopped(stop);
    let mut solver = Solver::with_proof(SolverOptions::default(), ProofLog::new());
    asked.install(&mut solver);
    let place = encode(actions, aig, predicates, path, &mut solver);
    match solver.solve(&[]) {
        Answer::Unknown => return Err(why_stopped(stop)),
        Answer::Satisfiable => return Ok(None),
        Answer::Unsatisfiable => {}
    }
    let dag = refutation(&solver, stop)?;
    drop(solver);
    let dag = match dial.transform {
        Transform::Reduce => {
            reduce(&dag, &Reduction::ALL, REDUCTION_ROUNDS, &asked).map_err(stopped)?
        }
        _ => dag,
    };
    let occurs = steps_of(&dag, path.len());
    let n_occur = occurs.iter().filter(|&&occurs| occurs).count();
    let mut raiser = match dial.transform.raising() {
        Some(raising) => Some(Raiser::new(&dag, n_occur, raising, &asked).map_err(stopped)?),
        None => None,
    };
    let mut transitions = Vec::new();
    for (step, occurs) in occurs.into_iter().enumerate() {
        if !occurs {
            transitions.push(Transition::nothing());
            continue;
        }
        let in_step = |label: Label| label == step as Label + 1;
        let raised = match &mut raiser {
            Some(raiser) => raiser.raise(&in_step, &asked).map_err(stopped)?,
            None => None,
        };
        let dag = raised.as_ref().unwrap_or(&dag);
        let mut graph = Aig::new();
        // No variable of a predicate is at both ends of one action.
        let vars = place
            .iter()
            .filter(|(_, (cut, _))| [step, step + 1].contains(cut));
        let mut vars: Vec<(Var, VarNo)> = vars
            .map(|(&var, &(cut, predicate))| {
                let variable = if cut == step {
                    current(predicate)
                } else {
                    next(predicate)
                };
                (var, variable)
            })
            .collect();
        vars.sort_unstable();
        let inputs: HashMap<Var, Edge> = vars
            .iter()
            .map(|&(var, _)| (var, graph.add_input()))
            .collect();
        let mut leaf = |var: Var| inputs[&var];
        let formula = interpolant(dag, &in_step, dial.system, &mut graph, &mut leaf, &asked);
        transitions.push(Transition {
            formula: formula.map_err(stopped)?,
            aig: graph,
            variables: vars.into_iter().map(|(_, variable)| variable).collect(),
        });
    }
    Ok(Some(transitions))
}

/// By action of a path: whether a clause of it is a leaf of the refutation. The interpolant of another one is
/// true.
fn steps_of(dag: &ProofDag, n: usize) -> Vec<bool> {
    let mut occurs = vec![false; n];
    for vertex in dag.vertices() {
        if let Origin::Leaf { label } = dag.origin(vertex) {
            occurs[label as usize - 1] = true;
        }
    }
    occurs
}

/// Encodes a path: action i with label i + 1. The cut and the predicate of each variable of a predicate; cut
/// i lies before action i.
fn encode(
    actions: &Actions,
    aig: &Aig,
    predicates: &Predicates,
    path: &[ActionId],
    solver: &mut Solver<ProofLog>,
) -> HashMap<Var, (usize, PredicateId)> {
    let mut place = HashMap::new();
    let mut before: Vec<Lit> = Vec::new();
    for (step, &id) in path.iter().enumerate() {
        let action = actions.action(id);
        let label = step as Label + 1;
        let behind: Vec<Lit> = (predicates.at(action.target).iter().enumerate())
            .map(|(predicate, _)| {
                let var = solver.new_var();
                place.insert(var, (step + 1, predicate));
                var.positive()
            })
            .collect();
        let mut sink = Labelled {
            sink: &mut *solver,
            label,
        };
        let mut encoding = StepEncoding::new(actions, action, &mut sink);
        for (predicate, &lit) in predicates.at(action.source).iter().zip(&before) {
            let formula = (predicate.formula, &*predicate.support);
            let value = encoding.before(actions, aig, formula, &mut sink);
            equate(&mut sink, lit, value);
        }
        for (predicate, &lit) in predicates.at(action.target).iter().zip(&behind) {
            let formula = (predicate.formula, &*predicate.support);
            let value = encoding.behind(actions, action, aig, formula, &mut sink);
            equate(&mut sink, lit, value);
        }
        before = behind;
    }
    place
}

fn equate(sink: &mut impl ClauseSink, one: Lit, other: Lit) {
    sink.add_clause(&[!one, other]);
    sink.add_clause(&[one, !other]);
}
