//! Interpolation sequences (Y. Vizel, O. Grumberg, "Interpolation-sequence based model checking", 2009).
//!
//! The refutation of runs of k steps to the bad is cut after each step. The conjunction of the interpolants
//! at cut j, over all k so far, over-approximates the states reachable in j steps; the union of the sets for
//! successive j is closed as soon as one of them lies in the union of the previous ones.

use std::sync::Arc;

use craig_itp::System;
use craig_itp::transform::{Reduction, reduce};
use craig_solver::aig::{Budget, Edge, Encoder};
use craig_solver::{Answer, Solver};

use super::entry::Engine;
use super::imported::with_invariants;
use super::options::{EngineOption, MAX_DEPTH, Range, SYSTEM, system};
use super::path::{Found, Known, Path};
use super::question::Question;
use super::states::{COMPACTION, States};
use super::{listen, stop_of, why_stopped};
use crate::circuit::model::Model;
use crate::circuit::unroll::Start;
use crate::circuit::verdict::{Outcome, UnknownReason, Verdict};
use crate::control::{Control, Event};

/// The engine's name.
pub const NAME: &str = "isb";

/// The options of the engine.
#[derive(Clone, Debug)]
pub struct Options {
    /// The interpolation system.
    pub system: System,
    /// Whether the sets found so far are added to later instances, so that interpolants only strengthen them.
    pub strengthen: bool,
    /// The maximal number of rounds of reductions of a refutation before interpolation.
    pub reduction_rounds: usize,
    /// The budget of compaction of interpolants; `None` to omit it.
    pub compaction: Option<Budget>,
    /// The maximal length of a run, in steps; `None` for no limit.
    pub max_bound: Option<usize>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            system: System::McMillan,
            strengthen: true,
            reduction_rounds: 0,
            compaction: Some(COMPACTION),
            max_bound: None,
        }
    }
}

const NO_STRENGTHENING: EngineOption = EngineOption {
    name: "no-strengthening",
    placeholder: "",
    range: Range::Switch,
    default: None,
    text: "For `isb`: do not add earlier interpolants to later instances, as in the paper",
    is_flag: true,
};

/// The registration of the engine.
pub(super) const ENGINE: Engine = Engine {
    name: NAME,
    text: "Interpolation sequences (Vizel and Grumberg 2009)",
    is_shortest: false,
    options: &[&SYSTEM, &MAX_DEPTH, &NO_STRENGTHENING],
    build: |settings| {
        let options = Options {
            system: system(settings),
            strengthen: !settings.switch(&NO_STRENGTHENING),
            max_bound: settings.count(&MAX_DEPTH),
            ..Options::default()
        };
        Arc::new(move |model, property, control| check(model, property, &options, control))
    },
};

/// Decides bad number `property`.
///
/// # Panics
/// If the model has no such bad.
#[must_use]
pub fn check(model: &Model, property: usize, options: &Options, control: &Control) -> Outcome {
    with_invariants(model, control, |model| {
        Question::decide(NAME, model, property, control, |question| {
            let states = States::new(question.model, question.any.cone());
            let mut search = Search {
                question,
                options,
                reached: vec![states.initial],
                states,
            };
            search.run()
        })
    })
}

struct Search<'s, 'q> {
    question: &'s mut Question<'q>,
    options: &'s Options,
    states: States,
    /// Over-approximations of the states reachable in so many steps. The successors of each set lie in the
    /// next one, and none of them contains a bad state.
    reached: Vec<Edge>,
}

impl Search<'_, '_> {
    fn run(&mut self) -> Result<Verdict, UnknownReason> {
        loop {
            let bound = self.question.next_bound(self.options.max_bound)?;
            let known = if self.options.strengthen {
                Known::Sets(&self.states, &self.reached)
            } else {
                Known::Nothing
            };
            let mut path = Path::new(
                self.question.model,
                self.question.property,
                self.question.any,
                bound,
                Start::Reset,
                known,
                self.question.control,
            );
            let dag = match path.solve(self.question.control)? {
                Found::Run(trace) => return Ok(Verdict::Unsafe(trace)),
                Found::Refutation(dag) => {
                    let stop = stop_of(self.question.control);
                    let rounds = self.options.reduction_rounds;
                    reduce(&dag, &Reduction::ALL, rounds, &stop)
                        .map_err(|_| why_stopped(self.question.control))?
                }
            };
            self.question.safe_before(bound + 1);
            let (scratch, interpolants) =
                path.interpolants(&dag, self.options.system, self.question.control)?;
            drop(path);
            self.reached.resize(bound + 1, Edge::TRUE);
            for (index, &interpolant) in interpolants.iter().enumerate() {
                let set = self.states.adopt(
                    &scratch,
                    interpolant,
                    self.options.compaction,
                    self.question.control,
                );
                self.question.control.tell(Event::Interpolant {
                    engine: NAME,
                    bound,
                    round: index + 1,
                    ands: self.states.aig.n_ands_in_cone(&[set]),
                });
                self.reached[index + 1] = self.states.aig.and(self.reached[index + 1], set);
            }
            if let Some(invariant) = self.closed()? {
                let cone = self.question.any.cone();
                let certificate = self.states.certificate(
                    self.question.model,
                    self.question.property,
                    cone,
                    invariant,
                );
                return Ok(Verdict::Safe(Box::new(certificate)));
            }
        }
    }

    /// The union of the sets up to one that lies in the previous ones, if there is one: an inductive
    /// invariant.
    fn closed(&mut self) -> Result<Option<Edge>, UnknownReason> {
        let mut solver = Solver::new();
        listen(&mut solver, self.question.control);
        let mut encoder = Encoder::new();
        for index in 1..self.reached.len() {
            let before = encoder.encode(&self.states.aig, self.reached[index - 1], &mut solver);
            solver.add_clause(&[!before]);
            let set = encoder.encode(&self.states.aig, self.reached[index], &mut solver);
            match solver.solve(&[set]) {
                Answer::Satisfiable => {}
                Answer::Unsatisfiable => {
                    let sets = self.reached[..index].to_vec();
                    return Ok(Some(self.states.aig.or_all(sets)));
                }
                Answer::Unknown => return Err(why_stopped(self.question.control)),
            }
        }
        Ok(None)
    }
}
