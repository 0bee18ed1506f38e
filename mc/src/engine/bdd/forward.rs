//! Forward reachability from the reset states, with a partitioned transition relation.

use oxidd::bcdd::BCDDFunction;
use oxidd::util::AllocResult;
use oxidd::{
    BooleanFunction, BooleanFunctionQuant, BooleanOperator, Function, FunctionSubst, Subst, VarNo,
};

use super::end::{End, Stop};
use super::search::{NAME, Search};
use super::system::System;
use crate::circuit::unroll::Unrolling;

/// Conjuncts are merged into a part until it has this many nodes.
const PART: usize = 2000;

/// The relation between a state, an input and the next state, as a conjunction (J. Burch, E. Clarke, D. Long,
/// "Symbolic model checking with partitioned transition relations", 1991).
pub(super) struct Relation {
    /// Variables on which only the set of states depends.
    idle: BCDDFunction,
    /// The parts, each with the variables on which no later part depends.
    parts: Vec<(BCDDFunction, BCDDFunction)>,
    /// Renames the variables after a step to those before it.
    rename: Subst<BCDDFunction, Vec<VarNo>, Vec<BCDDFunction>>,
}

impl Relation {
    pub(super) fn new(any: &Unrolling<'_>, system: &System<'_>) -> AllocResult<Self> {
        let aig = any.aig();
        let order = &system.order;
        let support = |edge| -> Vec<VarNo> {
            let nodes = aig.support(&[edge]).into_iter();
            nodes.map(|node| order.of_node(node)).collect()
        };
        // The constraints come first, since they restrict everything else, then the latches in their order.
        let constraints = any.frames()[0].constraints.iter();
        let mut first = Vec::new();
        constraints.for_each(|&edge| first.extend(support(edge)));
        let mut parts = vec![(system.constraint.clone(), first)];
        let mut latches: Vec<usize> = (0..system.next.len()).collect();
        latches.sort_by_key(|&position| order.latches()[position]);
        for position in latches {
            system.diagrams.poll()?;
            let behind = system.diagrams.variable(order.latches()[position] + 1)?;
            let part = behind.equiv(&system.next[position])?;
            let (last, variables) = parts.last_mut().expect("there is a first part");
            let joined = last.and(&part)?;
            let needed = support(any.state()[position]);
            if joined.node_count() <= PART {
                *last = joined;
                variables.extend(needed);
            } else {
                parts.push((part, needed));
            }
        }
        let mut last_use = vec![None; order.n_variables() as usize];
        for (index, (_, variables)) in parts.iter().enumerate() {
            for &variable in variables {
                last_use[variable as usize] = Some(index);
            }
        }
        let quantified = |index: Option<usize>| {
            let here: Vec<VarNo> = order
                .latches()
                .iter()
                .chain(order.inputs())
                .copied()
                .filter(|&variable| last_use[variable as usize] == index)
                .collect();
            system.diagrams.set(&here)
        };
        let idle = quantified(None)?;
        let parts: AllocResult<Vec<_>> = parts
            .into_iter()
            .enumerate()
            .map(|(index, (part, _))| Ok((part, quantified(Some(index))?)))
            .collect();
        let before: AllocResult<Vec<_>> = order
            .latches()
            .iter()
            .map(|&variable| system.diagrams.variable(variable))
            .collect();
        Ok(Self {
            idle,
            parts: parts?,
            rename: Subst::new(order.next_latches(), before?),
        })
    }

    /// The successors of a set of states.
    pub(super) fn image(
        &self,
        system: &System<'_>,
        states: &BCDDFunction,
    ) -> AllocResult<BCDDFunction> {
        let mut image = states.exists(&self.idle)?;
        for (part, variables) in &self.parts {
            system.diagrams.poll()?;
            image = image.apply_exists(BooleanOperator::And, part, variables)?;
        }
        image.substitute(&self.rename)
    }
}

impl Search<'_, '_> {
    /// The reachable states, or a run.
    pub(super) fn forward(&mut self, system: &System<'_>) -> Result<End, Stop> {
        let relation = system
            .diagrams
            .compute(|| Relation::new(self.question.any, system))?;
        let mut reached = system.initial.clone();
        let mut layers = vec![system.initial.clone()];
        loop {
            let depth = layers.len();
            let frontier = &layers[depth - 1];
            let bad = system.diagrams.compute(|| frontier.and(&system.bad))?;
            if let Some(last) = system.diagrams.pick(&bad) {
                return Ok(End::Run(self.run_to(system, &layers, last)?));
            }
            let new = system
                .diagrams
                .compute(|| relation.image(system, frontier)?.and(&reached.not()?))?;
            self.question.control.listener.note(NAME, || {
                format!(
                    "step {depth}: {} nodes reached, {} in the frontier",
                    reached.node_count(),
                    new.node_count()
                )
            });
            if !new.satisfiable() {
                return Ok(End::Invariant(reached));
            }
            self.advance(depth)?;
            reached = system.diagrams.compute(|| reached.or(&new))?;
            layers.push(new);
        }
    }

    /// A run through all layers that ends with the values `last`.
    fn run_to(
        &self,
        system: &System<'_>,
        layers: &[BCDDFunction],
        last: Vec<bool>,
    ) -> Result<craig_model::Trace, Stop> {
        let mut steps = vec![last];
        for layer in layers[..layers.len() - 1].iter().rev() {
            let later = &steps[steps.len() - 1];
            let before = system.diagrams.compute(|| {
                let mut before = layer.and(&system.constraint)?;
                for (next, &variable) in system.next.iter().zip(system.order.latches()) {
                    system.diagrams.poll()?;
                    before = system
                        .diagrams
                        .and_value(&before, next, later[variable as usize])?;
                }
                Ok(before)
            })?;
            let step = system.diagrams.pick(&before);
            steps.push(step.expect("each state of a layer has a predecessor in the layer before"));
        }
        steps.reverse();
        Ok(self.trace(system, &steps))
    }
}
