//! Runs on which some literals all hold infinitely often, by the fixed point of E. Emerson, C.-L. Lei ("Efficient model checking in
//! fragments of the propositional mu-calculus", 1986).
//!
//! The first set has all states that matter. Each set after it has, for one of the literals, the states from which a run comes, now or
//! later, to a step that meets it and leads into the set before. A state that leaves the sets there has no run in the set before on which
//! the literal holds again. The sets become smaller until one has no initial state, or no literal makes them smaller: then there is
//! a run. All sets are closed backward.

use std::collections::HashMap;

use craig_aig::{Edge, NodeId};
use craig_model::{Model, Trace, UnknownReason};
use oxidd::bcdd::BCDDFunction;
use oxidd::{BooleanFunction, BooleanFunctionQuant, Function, FunctionSubst, Subst, VarNo};

use super::circuit::circuit;
use super::end::Stop;
use super::forward::Relation;
use super::order::Order;
use super::search::{NAME, Options, Search};
use super::system::System;
use crate::control::Control;
use crate::engine::question::Question;

/// What is found about the runs of a model.
pub(crate) enum Fair {
    /// None has all literals infinitely often.
    Never(Levels),
    /// A run without its last step, and the number of the step before which its last state occurs. All literals are met in between.
    Loop(Trace, usize),
}

/// Why no run has all literals infinitely often.
pub(crate) struct Levels {
    /// Sets of states, in the graph of the model: each contains the one before, all initial states are in the last one, and no run leaves
    /// one.
    pub(crate) sets: Vec<Edge>,
    /// For each set, a literal that holds in no step from a state of it that leads to none of a set before.
    pub(crate) literals: Vec<usize>,
}

/// The set of states to begin with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Within {
    Reachable,
    All,
}

/// Nodes of the diagrams, at most. An operation on more of them takes longer than a turn.
const MOST_NODES: usize = 1 << 19;
/// With more steps to a loop, a lasso is too large.
const MOST_STEPS: usize = 1 << 18;

/// Looks for a run on which the literals, which are at least one, all hold infinitely often. The sets of an answer are added to the
/// graph of the model.
pub(crate) fn fair(
    model: &mut Model,
    literals: &[Edge],
    control: Control<'_>,
) -> Result<Fair, UnknownReason> {
    debug_assert!(!literals.is_empty());
    let options = Options {
        nodes: MOST_NODES,
        ..Options::default()
    };
    let n_inputs = model.inputs.len();
    // One formula from which the literals can be had again: an input chooses one.
    let mut larger = model.clone();
    let choices: Vec<Edge> = literals.iter().map(|_| larger.aig.add_input()).collect();
    let chosen: Vec<Edge> = (choices.iter().zip(literals))
        .map(|(&choice, &literal)| larger.aig.and(choice, literal))
        .collect();
    larger.bads = vec![larger.aig.or_all(chosen)];
    larger.inputs.extend(choices);
    Question::pose(NAME, &larger, 0, control, |question| {
        let mut search = Search {
            question,
            options: &options,
        };
        search.attempts(
            &[Within::Reachable, Within::All],
            |search, within, sequence, nodes| {
                search.fair_within((within, n_inputs), sequence, nodes, model)
            },
        )
    })
}

/// One step backward.
struct Backward<'s, 'a> {
    system: &'s System<'a>,
    step: Subst<BCDDFunction, Vec<VarNo>, Vec<BCDDFunction>>,
    inputs: BCDDFunction,
    /// The steps that meet a literal, for each of them.
    literals: Vec<BCDDFunction>,
    /// The first of the sets.
    within: BCDDFunction,
}

impl Backward<'_, '_> {
    /// The states and inputs with which a step of some kind leads into a set.
    fn into(&self, set: &BCDDFunction, kind: &BCDDFunction) -> Result<BCDDFunction, Stop> {
        let diagrams = &self.system.diagrams;
        diagrams.compute(|| set.substitute(&self.step)?.and(kind))
    }

    /// The states of pairs of states and inputs.
    fn states(&self, pairs: &BCDDFunction) -> Result<BCDDFunction, Stop> {
        let diagrams = &self.system.diagrams;
        diagrams.compute(|| pairs.exists(&self.inputs)?.and(&self.within))
    }

    /// The states that come to some of `last` in exactly 0, 1, .. steps, and no fewer; and all of them.
    fn rings(&self, last: BCDDFunction) -> Result<(Vec<BCDDFunction>, BCDDFunction), Stop> {
        let diagrams = &self.system.diagrams;
        let mut all = last.clone();
        let mut rings = vec![last];
        loop {
            let pairs = self.into(&rings[rings.len() - 1], &self.system.constraint)?;
            let before = self.states(&pairs)?;
            let new = diagrams.compute(|| before.and(&all.not()?))?;
            if !new.satisfiable() {
                return Ok((rings, all));
            }
            all = diagrams.compute(|| all.or(&new))?;
            rings.push(new);
        }
    }

    /// The states that come to a step that meets a literal and leads into a set.
    fn next_set(&self, literal: usize, set: &BCDDFunction) -> Result<BCDDFunction, Stop> {
        let pairs = self.into(set, &self.literals[literal])?;
        Ok(self.rings(self.states(&pairs)?)?.1)
    }

    /// The steps that meet a literal and lead into a set, and at index i those that lead towards them from states i steps before.
    fn ways(&self, literal: usize, set: &BCDDFunction) -> Result<Vec<BCDDFunction>, Stop> {
        let meets = self.into(set, &self.literals[literal])?;
        let (rings, _) = self.rings(self.states(&meets)?)?;
        let mut ways = vec![meets];
        for ring in &rings[..rings.len() - 1] {
            ways.push(self.into(ring, &self.system.constraint)?);
        }
        Ok(ways)
    }
}

impl Search<'_, '_> {
    /// Looks within a set of states, for a model with `n_inputs` inputs before those that choose a literal.
    fn fair_within(
        &mut self,
        (within, n_inputs): (Within, usize),
        sequence: &[NodeId],
        nodes: usize,
        model: &mut Model,
    ) -> Result<Fair, Stop> {
        let any = self.question.any;
        let stop = self.question.control.stop;
        let order = Order::new(any, sequence);
        let system = System::new(self.question.model, any, order, nodes, stop)?;
        let within = match within {
            Within::All => system.diagrams.constant(true),
            Within::Reachable => self.reachable(&system, nodes)?,
        };
        let inputs = (system.diagrams).compute(|| system.diagrams.set(system.order.inputs()))?;
        let backward = Backward {
            step: Subst::new(system.order.latches().to_vec(), system.next.clone()),
            inputs,
            literals: self.literals(&system, n_inputs)?,
            within,
            system: &system,
        };
        let n_literals = backward.literals.len();
        let (mut sets, mut owners) = (vec![backward.within.clone()], Vec::new());
        let (mut literal, mut n_stable) = (0, 0);
        loop {
            let last = &sets[sets.len() - 1];
            let next = backward.next_set(literal, last)?;
            if next == *last {
                n_stable += 1;
                if n_stable == n_literals {
                    return self.lasso(&backward, &next, n_inputs);
                }
            } else {
                n_stable = 0;
                let start = system.diagrams.compute(|| system.initial.and(&next))?;
                sets.push(next);
                owners.push(literal);
                if !start.satisfiable() {
                    return self.levels(&backward, &sets, owners, model);
                }
            }
            // A literal is asked about again once the others do not change the set any more, too.
            literal = (literal + 1) % n_literals;
        }
    }

    /// The steps that meet each literal: those for which the bad holds if an input chooses it.
    fn literals(&self, system: &System<'_>, n_inputs: usize) -> Result<Vec<BCDDFunction>, Stop> {
        let any = self.question.any;
        let cone = any.cone();
        let choices: Vec<Option<VarNo>> = (n_inputs..self.question.model.inputs.len())
            .map(|input| {
                let place = cone.inputs.iter().position(|&other| other == input)?;
                Some(system.order.of_node(any.frames()[0].inputs[place].node()))
            })
            .collect();
        let known: Vec<VarNo> = choices.iter().flatten().copied().collect();
        let set = system.diagrams.compute(|| system.diagrams.set(&known))?;
        let literal = |choice: &Option<VarNo>| {
            system.diagrams.compute(|| {
                // A choice without effect is of a literal that is false.
                let Some(choice) = *choice else {
                    return Ok(system.diagrams.constant(false));
                };
                let values = known.iter().map(|&variable| (variable, variable == choice));
                let chosen = system.diagrams.cube(values.collect())?;
                system.bad.and(&chosen)?.exists(&set)
            })
        };
        choices.iter().map(literal).collect()
    }

    /// The reachable states. More steps than nodes are given up.
    fn reachable(&self, system: &System<'_>, nodes: usize) -> Result<BCDDFunction, Stop> {
        let any = self.question.any;
        let relation = system.diagrams.compute(|| Relation::new(any, system))?;
        let mut reached = system.initial.clone();
        let mut new = reached.clone();
        for _ in 0..nodes {
            let image = (system.diagrams).compute(|| relation.image(system, &new))?;
            new = (system.diagrams).compute(|| image.and(&reached.not()?))?;
            if !new.satisfiable() {
                return Ok(reached);
            }
            reached = (system.diagrams).compute(|| reached.or(&new))?;
        }
        Err(Stop::Nodes)
    }

    /// The complements of all sets but the first.
    fn levels(
        &self,
        backward: &Backward<'_, '_>,
        sets: &[BCDDFunction],
        literals: Vec<usize>,
        model: &mut Model,
    ) -> Result<Fair, Stop> {
        let system = backward.system;
        let cone = self.question.any.cone();
        let states: Vec<Edge> = (cone.latches.iter())
            .map(|&latch| model.latches[latch].state)
            .collect();
        let leaf = |variable| states[system.order.latch_at(variable)];
        let mut outside = Vec::with_capacity(literals.len());
        for set in &sets[1..] {
            let rest = (system.diagrams).compute(|| backward.within.and(&set.not()?))?;
            outside.push(circuit(&rest, &mut model.aig, &leaf));
        }
        self.question.control.listener.note(NAME, || {
            format!(
                "{} levels, {} nodes of states",
                literals.len(),
                backward.within.node_count()
            )
        });
        let sets = outside;
        Ok(Fair::Never(Levels { sets, literals }))
    }

    /// A run from an initial state of a set from all of whose states a run comes to each literal in a step that leads into it.
    fn lasso(
        &self,
        backward: &Backward<'_, '_>,
        set: &BCDDFunction,
        n_inputs: usize,
    ) -> Result<Fair, Stop> {
        let system = backward.system;
        let any = self.question.any;
        let ways: Result<Vec<Vec<BCDDFunction>>, Stop> = (0..backward.literals.len())
            .map(|literal| backward.ways(literal, set))
            .collect();
        let ways = ways?;
        let mut here = system.diagrams.compute(|| system.initial.and(set))?;
        let mut steps: Vec<Vec<bool>> = Vec::new();
        let mut rounds: HashMap<Vec<bool>, usize> = HashMap::new();
        for literal in (0..ways.len()).cycle() {
            let ways = &ways[literal];
            let mut distance = ways.len();
            let mut state = Vec::new();
            while distance > 0 {
                if steps.len() > MOST_STEPS {
                    return Err(Stop::Nodes);
                }
                let mut found = None;
                for (number, way) in ways[..distance].iter().enumerate() {
                    let both = system.diagrams.compute(|| here.and(way))?;
                    if let Some(step) = system.diagrams.pick(&both) {
                        found = Some((number, step));
                        break;
                    }
                }
                let (number, step) = found.expect("every state of the set comes to each literal");
                state = system.successor(any, &step);
                here = system.diagrams.compute(|| system.state(&state))?;
                steps.push(step);
                distance = number;
            }
            if literal + 1 == backward.literals.len() {
                if let Some(&first) = rounds.get(&state) {
                    let mut run = self.trace(system, &steps);
                    for values in &mut run.inputs {
                        values.truncate(n_inputs);
                    }
                    return Ok(Fair::Loop(run, first));
                }
                rounds.insert(state, steps.len());
            }
        }
        unreachable!("there is a literal")
    }
}
