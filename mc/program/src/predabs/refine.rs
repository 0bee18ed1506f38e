//! Transition interpolants: what a refutation of a path says of each action on it, in terms of predicates.

use std::collections::HashMap;

use craig_aig::{Aig, Edge};
use craig_itp::transform::{Raiser, Raising, Reduction, reduce};
use craig_itp::{Rule, Stop as Asked, Stopped, interpolant};
use craig_mc::Control;
use craig_mc::control::listen_in;
use craig_mc::engine::transform::REDUCTION_ROUNDS;
use craig_mc::engine::{refutation, stop_of, why_stopped};
use craig_mc::record::{Kind, Refutation};
use craig_model::{Stop, UnknownReason};
use craig_solver::encode::{ClauseSink, Encoder, Labelled};
use craig_solver::proof::{Origin, ProofDag};
use craig_solver::{Answer, Label, Lit, Solver, Var};
use oxidd::VarNo;

use super::predicates::{PredicateId, Predicates, current, next};
use crate::actions::{ActionId, Actions, position};
use crate::refutation::{Dial, Sink, Transform, places, recorded};
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
/// proof. Raising makes each of them stronger, which leaves them inconsistent; where clauses lose literals it may also make one
/// weaker, so that they are asked whether they are inconsistent, and drawn from the proof as it was if they are not.
pub(super) fn transitions(
    actions: &Actions,
    aig: &Aig,
    predicates: &Predicates,
    path: &[ActionId],
    dial: &Dial,
    control: Control<'_>,
) -> Result<Option<Vec<Transition>>, UnknownReason> {
    let mut sink = Sink::new(control.listener.is_recorded());
    let place = encode(actions, aig, predicates, path, &mut sink);
    if !is_refuted(&mut sink, control.stop)? {
        return Ok(None);
    }
    let parts = Parts {
        place,
        names: places(actions, path),
        n_pc: 0,
    };
    parts.interpolants(&sink, dial, control).map(Some)
}

/// Whether clauses contradict each other.
pub(super) fn is_refuted(sink: &mut Sink, stop: &Stop) -> Result<bool, UnknownReason> {
    stop_of(stop).install(&mut sink.solver);
    match sink.solver.solve(&[]) {
        Answer::Unknown => Err(why_stopped(stop)),
        Answer::Satisfiable => Ok(false),
        Answer::Unsatisfiable => Ok(true),
    }
}

/// The parts of a formula, numbered from 1 by the labels of their clauses.
pub(super) struct Parts {
    pub(super) place: Places,
    /// What is behind each part.
    pub(super) names: Vec<String>,
    /// The number of variables in front of those of predicates that are bits of the program counter.
    pub(super) n_pc: usize,
}

impl Parts {
    /// For each part of refuted clauses a consequence of it over the variables that it shares with others, from one proof.
    pub(super) fn interpolants(
        self,
        sink: &Sink,
        dial: &Dial,
        control: Control<'_>,
    ) -> Result<Vec<Transition>, UnknownReason> {
        let stop = control.stop;
        let asked = stop_of(stop);
        let stopped = |_| why_stopped(stop);
        let original = refutation(&sink.solver, stop)?;
        let dag = match dial.transform {
            Transform::Reduce => {
                reduce(&original, &Reduction::ALL, REDUCTION_ROUNDS, &asked).map_err(stopped)?
            }
            _ => original.clone(),
        };
        let refuted = Refuted {
            dag,
            parts: self,
            system: dial.rule(),
        };
        let raising = dial.transform.raising();
        let mut found = refuted.interpolants(raising, &asked).map_err(stopped)?;
        if raising.is_some_and(|raising| raising.shrink) && !are_inconsistent(&found, stop)? {
            found = refuted.interpolants(None, &asked).map_err(stopped)?;
        }
        (control.listener).record(|| refuted.recorded(sink, dial, (&original, &found)));
        Ok(found)
    }
}

/// The cut and the number of each variable at a cut; cut i lies before part i.
pub(super) type Places = HashMap<Var, (usize, PredicateId)>;

/// A refutation of the parts.
struct Refuted {
    dag: ProofDag,
    parts: Parts,
    system: Rule,
}

impl Refuted {
    /// The interpolant of each action and all others, from one proof.
    fn interpolants(
        &self,
        raising: Option<Raising>,
        stop: &Asked,
    ) -> Result<Vec<Transition>, Stopped> {
        let occurs = steps_of(&self.dag, self.parts.names.len());
        let n_occur = occurs.iter().filter(|&&occurs| occurs).count();
        let raiser = raising.map(|raising| Raiser::new(&self.dag, n_occur, raising, stop));
        let mut raiser = raiser.transpose()?;
        let mut transitions = Vec::new();
        for (step, occurs) in occurs.into_iter().enumerate() {
            if !occurs {
                transitions.push(Transition::nothing());
                continue;
            }
            let in_step = |label: Label| label == step as Label + 1;
            let raised = match &mut raiser {
                Some(raiser) => raiser.raise(&in_step, stop)?,
                None => None,
            };
            let dag = raised.as_ref().unwrap_or(&self.dag);
            let mut graph = Aig::new();
            let vars = self.variables(step);
            let inputs: HashMap<Var, Edge> = (vars.iter())
                .map(|&(var, _)| (var, graph.add_input()))
                .collect();
            let mut leaf = |var: Var| inputs[&var];
            let formula = interpolant(dag, &in_step, self.system, &mut graph, &mut leaf, stop)?;
            transitions.push(Transition {
                formula,
                aig: graph,
                variables: vars.into_iter().map(|(_, variable)| variable).collect(),
            });
        }
        Ok(transitions)
    }

    /// The interpolants of the actions, each of its clauses and those of all others, and what they come from.
    fn recorded(
        &self,
        sink: &Sink,
        dial: &Dial,
        (dag, found): (&ProofDag, &[Transition]),
    ) -> Refutation {
        let mut inputs: Vec<Var> = self.parts.place.keys().copied().collect();
        inputs.sort_unstable();
        let mut graph = Aig::new();
        let input: HashMap<Var, Edge> = (inputs.iter())
            .map(|&var| (var, graph.add_input()))
            .collect();
        let interpolants = found.iter().enumerate().map(|(step, transition)| {
            let vars = self.variables(step);
            let copied = graph.copy_cone(&transition.aig, &[transition.formula], &mut |node| {
                input[&vars[position(&transition.aig, node) as usize].0]
            });
            copied[0]
        });
        let interpolants: Vec<Edge> = interpolants.collect();
        let name = |var: &Var| {
            let (cut, number) = self.parts.place[var];
            let name = match number.checked_sub(self.parts.n_pc) {
                Some(predicate) => format!("predicate{predicate}"),
                None => format!("location[{number}]"),
            };
            (*var, format!("{name}@{cut}"))
        };
        Refutation {
            kind: Kind::Symmetric,
            names: inputs.iter().map(name).collect(),
            inputs,
            ..recorded(
                self.parts.names.clone(),
                sink,
                dial,
                (dag, &graph, &interpolants),
            )
        }
    }

    /// The variables of the predicates at the ends of an action. No variable is at both.
    fn variables(&self, step: usize) -> Vec<(Var, VarNo)> {
        let here = |&(cut, predicate): &(usize, PredicateId)| match cut {
            cut if cut == step => Some(current(predicate)),
            cut if cut == step + 1 => Some(next(predicate)),
            _ => None,
        };
        let vars = self.parts.place.iter();
        let vars = vars.filter_map(|(&var, place)| Some((var, here(place)?)));
        let mut vars: Vec<(Var, VarNo)> = vars.collect();
        vars.sort_unstable();
        vars
    }
}

/// Whether transitions of the actions of a path exclude it.
fn are_inconsistent(path: &[Transition], stop: &Stop) -> Result<bool, UnknownReason> {
    let mut solver = Solver::new();
    listen_in(stop, &mut solver);
    let mut at_cut: HashMap<(usize, VarNo), Lit> = HashMap::new();
    for (step, transition) in path.iter().enumerate() {
        let mut encoder = Encoder::new();
        for (&input, &variable) in transition.aig.inputs().iter().zip(&transition.variables) {
            // Variables behind an action are odd: they are those before the next one.
            let is_next = variable % 2 == 1;
            let place = (step + usize::from(is_next), variable / 2);
            let lit = *(at_cut.entry(place)).or_insert_with(|| solver.new_var().positive());
            encoder.set(input, lit);
        }
        let holds = encoder.encode(&transition.aig, transition.formula, &mut solver);
        solver.add_clause(&[holds]);
    }
    match solver.solve(&[]) {
        Answer::Satisfiable => Ok(false),
        Answer::Unsatisfiable => Ok(true),
        Answer::Unknown => Err(why_stopped(stop)),
    }
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

/// Encodes a path: action i with label i + 1.
fn encode(
    actions: &Actions,
    aig: &Aig,
    predicates: &Predicates,
    path: &[ActionId],
    path_sink: &mut Sink,
) -> Places {
    let mut place = HashMap::new();
    let mut before: Vec<Lit> = Vec::new();
    for (step, &id) in path.iter().enumerate() {
        let action = actions.action(id);
        let label = step as Label + 1;
        let behind: Vec<Lit> = (predicates.at(action.target).iter().enumerate())
            .map(|(predicate, _)| {
                let var = path_sink.new_var();
                place.insert(var, (step + 1, predicate));
                var.positive()
            })
            .collect();
        let mut sink = Labelled {
            sink: &mut *path_sink,
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
