//! The attempts: directions, orders and budgets of nodes.

use std::fmt::Debug;
use std::sync::Arc;

use craig_aig::NodeId;
use craig_model::{Model, Outcome, Trace, UnknownReason, Verdict};

use super::circuit::circuit;
use super::end::{End, Stop};
use super::order::{self, Order};
use super::system::System;
use crate::control::Control;
use crate::engine::entry::Engine;
use crate::engine::options::{EngineOption, MAX_DEPTH, Range, Word};
use crate::engine::question::Question;
use crate::engine::states::States;

/// The engine's name.
pub const NAME: &str = "bdd";

/// The direction of reachability.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Direction {
    /// From the reset states.
    Forward,
    /// From the bad.
    Backward,
    /// From the reset states, and if the budget does not suffice, from the bad.
    #[default]
    Both,
}

/// The options of the engine.
#[derive(Clone, Debug)]
pub struct Options {
    /// The direction of reachability.
    pub direction: Direction,
    /// The maximal number of nodes at once, in each direction.
    pub nodes: usize,
    /// The maximal number of steps; `None` for no limit.
    pub max_bound: Option<usize>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            direction: Direction::default(),
            nodes: 1 << 22,
            max_bound: None,
        }
    }
}

/// With more latches and inputs, diagrams are too large in practice, and too deep for the library, which is
/// recursive over their variables.
const MOST_VARIABLES: usize = 4000;

/// The least number of nodes of an attempt.
const LEAST_NODES: usize = 1 << 13;

const DIRECTION: EngineOption = EngineOption {
    name: "bdd-direction",
    placeholder: "WAY",
    range: Range::Word(&[
        Word {
            name: "forward",
            text: "From the reset states",
        },
        Word {
            name: "backward",
            text: "From the bad",
        },
        Word {
            name: "both",
            text: "From the reset states, and if the nodes do not suffice, from the bad",
        },
    ]),
    default: Some("both"),
    text: "For `bdd`: the direction of reachability",
    is_flag: true,
};

const NODES: EngineOption = EngineOption {
    name: "bdd-nodes",
    placeholder: "NODES",
    range: Range::Number(1),
    default: Some("4194304"),
    text: "For `bdd`: the maximal number of nodes",
    is_flag: true,
};

/// The registration of the engine.
pub(in crate::engine) const ENGINE: Engine = Engine {
    name: NAME,
    text: "Reachability with binary decision diagrams: for small circuits",
    is_shortest: false,
    options: &[&DIRECTION, &NODES, &MAX_DEPTH],
    build: |settings| {
        let mut options = Options {
            direction: match settings.word(&DIRECTION).as_str() {
                "forward" => Direction::Forward,
                "backward" => Direction::Backward,
                _ => Direction::Both,
            },
            max_bound: settings.count(&MAX_DEPTH),
            ..Options::default()
        };
        if let Some(nodes) = settings.count(&NODES) {
            options.nodes = nodes;
        }
        Arc::new(move |model, property, control| check(model, property, &options, control))
    },
};

/// Decides bad number `property`.
///
/// # Panics
/// If the model has no such bad.
#[must_use]
pub fn check(model: &Model, property: usize, options: &Options, control: Control<'_>) -> Outcome {
    Question::decide(NAME, model, property, control, |question| {
        Search { question, options }.run()
    })
}

/// The node limits of successive attempts, increasing up to `most`.
fn budgets(most: usize) -> Vec<usize> {
    let smaller = std::iter::successors(Some(most), |&nodes| Some(nodes / 8));
    let mut budgets: Vec<usize> = smaller.take_while(|&nodes| nodes >= LEAST_NODES).collect();
    if budgets.is_empty() {
        budgets.push(most);
    }
    budgets.reverse();
    budgets
}

pub(super) struct Search<'s, 'q> {
    pub(super) question: &'s mut Question<'q>,
    pub(super) options: &'s Options,
}

impl Search<'_, '_> {
    fn run(&mut self) -> Result<Verdict, UnknownReason> {
        let directions: &[Direction] = match self.options.direction {
            Direction::Both => &[Direction::Forward, Direction::Backward],
            Direction::Forward => &[Direction::Forward],
            Direction::Backward => &[Direction::Backward],
        };
        self.attempts(directions, Self::attempt)
    }

    /// Makes attempts with more and more nodes, in each of these ways and by each order, until one has a result.
    pub(super) fn attempts<W: Copy + Debug, T>(
        &mut self,
        ways: &[W],
        mut attempt: impl FnMut(&mut Self, W, &[NodeId], usize) -> Result<T, Stop>,
    ) -> Result<T, UnknownReason> {
        if self.question.any.aig().n_inputs() > MOST_VARIABLES {
            return Err(UnknownReason::Unsupported(format!(
                "decision diagrams are for at most {MOST_VARIABLES} latches and inputs, here are {}",
                self.question.any.aig().n_inputs()
            )));
        }
        let walked = order::depth_first(self.question.any);
        let control = self.question.control;
        let Some(pulled) = order::force(self.question.any, &walked, &mut control.stop.poll())
        else {
            return Err(control.stop.reason().unwrap_or(UnknownReason::Cancelled));
        };
        // Small limits first, for each way and order: one of them may need far fewer nodes than
        // another.
        for nodes in budgets(self.options.nodes) {
            for &way in ways {
                for (name, sequence) in [("depth-first", &walked), ("FORCE", &pulled)] {
                    match attempt(self, way, sequence, nodes) {
                        Ok(found) => return Ok(found),
                        Err(Stop::Told(reason)) => return Err(reason),
                        Err(Stop::Nodes) => self.question.control.listener.note(NAME, || {
                            format!("{way:?}, {name} order: {nodes} nodes do not suffice")
                        }),
                    }
                }
            }
        }
        Err(UnknownReason::Bound(format!(
            "the decision diagrams have more than {} nodes",
            self.options.nodes
        )))
    }

    fn attempt(
        &mut self,
        direction: Direction,
        sequence: &[NodeId],
        nodes: usize,
    ) -> Result<Verdict, Stop> {
        let order = Order::new(self.question.any, sequence);
        let system = System::new(
            self.question.model,
            self.question.any,
            order,
            nodes,
            self.question.control.stop,
        )?;
        let end = match direction {
            Direction::Forward | Direction::Both => self.forward(&system)?,
            Direction::Backward => self.backward(&system)?,
        };
        Ok(match end {
            End::Run(trace) => Verdict::Unsafe(trace),
            End::Invariant(invariant) => {
                let cone = self.question.any.cone();
                let mut states = States::new(self.question.model, cone);
                let latches: Vec<_> = states.latches();
                let invariant = circuit(&invariant, &mut states.aig, &|variable| {
                    latches[system.order.latch_at(variable)]
                });
                let certificate = states.certificate(
                    self.question.model,
                    self.question.property,
                    cone,
                    invariant,
                );
                Verdict::Safe(Box::new(certificate))
            }
        })
    }

    /// Called after each step: the bad is unreachable in all steps before `depth`.
    pub(super) fn advance(&mut self, depth: usize) -> Result<(), Stop> {
        self.question.safe_before(depth);
        if let Some(reason) = self.question.control.stop.reason() {
            return Err(Stop::Told(reason));
        }
        if self.options.max_bound.is_some_and(|last| depth > last) {
            return Err(Stop::Told(UnknownReason::Bound(format!(
                "no fixed point within {depth} steps"
            ))));
        }
        Ok(())
    }

    /// The trace with these values of the variables in each step. Only the first step's latch values are
    /// used.
    pub(super) fn trace(&self, system: &System<'_>, steps: &[Vec<bool>]) -> Trace {
        let value = |step: &Vec<bool>, edge: craig_aig::Edge| {
            step[system.order.of_node(edge.node()) as usize] != edge.is_negated()
        };
        Trace {
            property: self.question.property,
            initial: self
                .question
                .any
                .initial_values(&|edge| value(&steps[0], edge)),
            inputs: steps
                .iter()
                .map(|step| self.question.any.input_values(0, &|edge| value(step, edge)))
                .collect(),
        }
    }
}
