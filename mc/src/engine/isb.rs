//! Interpolation sequences (Y. Vizel, O. Grumberg, "Interpolation-sequence based model checking", 2009).
//!
//! The refutation of runs of k steps to the bad is cut after each step. The conjunction of the interpolants
//! at cut j, over all k so far, over-approximates the states reachable in j steps; the union of the sets for
//! successive j is closed as soon as one of them lies in the union of the previous ones.
//!
//! Closed frames of other engines ([`Reached`]) are further sets of such a sequence, and are conjoined with it on request. The
//! search goes on at their level then, as all frames before exclude the bad. The sets are suggested to the others as clauses.
//!
//! Invariants that other engines have shared are stated of each state of the runs, and are part of the invariant.

use std::sync::Arc;

use craig_aig::Edge;
use craig_itp::transform::{Reduction, reduce};
use craig_itp::{Rule, System};
use craig_solver::sweep::Budget;

use super::clauses;
use super::entry::Engine;
use super::options::{EXCHANGE, EngineOption, LABELLING, MAX_DEPTH, Range, SYSTEM, rule};
use super::path::{Found, Known, Path};
use super::question::Question;
use super::states::{COMPACTION, States};
use super::{stop_of, why_stopped};
use crate::circuit::unroll::Start;
use crate::control::{Control, Event};
#[cfg(doc)]
use crate::exchange::Reached;
use craig_model::{Model, Outcome, UnknownReason, Verdict};

/// The engine's name.
pub const NAME: &str = "isb";

/// The options of the engine.
#[derive(Clone, Debug)]
pub struct Options {
    /// The interpolation system.
    pub system: Rule,
    /// Whether the sets found so far are added to later instances, so that interpolants only strengthen them.
    pub strengthen: bool,
    /// The maximal number of rounds of reductions of a refutation before interpolation.
    pub reduction_rounds: usize,
    /// The budget of compaction of interpolants; `None` to omit it.
    pub compaction: Option<Budget>,
    /// The maximal length of a run, in steps; `None` for no limit.
    pub max_bound: Option<usize>,
    /// Whether frames of other engines strengthen the sets, and sets are suggested to them. Without strengthening, they do
    /// not.
    pub exchange: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            system: System::McMillan.into(),
            strengthen: true,
            reduction_rounds: 0,
            compaction: Some(COMPACTION),
            max_bound: None,
            exchange: false,
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
    options: &[
        &SYSTEM,
        &LABELLING,
        &MAX_DEPTH,
        &NO_STRENGTHENING,
        &EXCHANGE,
    ],
    build: |settings| {
        let options = Options {
            system: rule(settings),
            strengthen: !settings.switch(&NO_STRENGTHENING),
            max_bound: settings.count(&MAX_DEPTH),
            exchange: settings.switch(&EXCHANGE) && !settings.switch(&NO_STRENGTHENING),
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
pub fn check(model: &Model, property: usize, options: &Options, control: Control<'_>) -> Outcome {
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
}

struct Search<'s, 'q> {
    question: &'s mut Question<'q>,
    options: &'s Options,
    states: States,
    /// At index i, an over-approximation of the states reachable in i steps. The successors of each set lie in the
    /// next one, and none of them contains a bad state.
    reached: Vec<Edge>,
}

impl Search<'_, '_> {
    fn run(&mut self) -> Result<Verdict, UnknownReason> {
        loop {
            self.take_frames()?;
            let bound = self.question.next_bound(self.options.max_bound)?;
            let cone = self.question.any.cone();
            let shared = self.states.shared_invariant(cone, self.question.control);
            let stated = self.stated(bound, shared);
            let known = match stated.is_empty() {
                true => Known::Nothing,
                false => Known::Sets(&self.states, &stated),
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
            let dag = match path.solve(self.question.control.stop)? {
                Found::Run(trace) => return Ok(Verdict::Unsafe(trace)),
                Found::Refutation(dag) => {
                    let asked = stop_of(self.question.control.stop);
                    let rounds = self.options.reduction_rounds;
                    reduce(&dag, &Reduction::ALL, rounds, &asked)
                        .map_err(|_| why_stopped(self.question.control.stop))?
                }
            };
            self.question.safe_before(bound + 1);
            let (scratch, interpolants) =
                path.interpolants(&dag, self.options.system, self.question.control.stop)?;
            drop(path);
            self.reached.resize(bound + 1, Edge::TRUE);
            for (index, &interpolant) in interpolants.iter().enumerate() {
                let set = self.states.adopt(
                    &scratch,
                    interpolant,
                    self.options.compaction,
                    self.question.control.stop,
                );
                self.question.control.listener.tell(Event::Interpolant {
                    engine: NAME,
                    bound,
                    round: index + 1,
                    ands: self.states.aig.n_ands_in_cone(&[set]),
                });
                self.reached[index + 1] = self.states.aig.and(self.reached[index + 1], set);
                if self.options.exchange {
                    let (cone, control) = (self.question.any.cone(), self.question.control);
                    clauses::suggest(&self.states, cone, set, index + 1, control);
                }
            }
            // A state of set number j that satisfies `shared` has its successors in set j + 1: the interpolants of all
            // sequences, for which no more than that was known, say so.
            let control = self.question.control;
            if let Some(union) = self.states.closed(&self.reached, shared, control.stop)? {
                let invariant = self.states.aig.and(union, shared);
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

    /// Strengthens the sets with the frames of other engines, and goes on at their level.
    ///
    /// What holds of the sets remains so: with sets R(j) and closed frames F(j), the successors of R(j) in F(j) lie in R(j + 1)
    /// and in F(j + 1). All sets before the level exclude the bad, since the frames do.
    fn take_frames(&mut self) -> Result<(), UnknownReason> {
        if !self.options.exchange {
            return Ok(());
        }
        // Frames are taken on this engine's turn, which asking for a bound waits for.
        self.question.next_bound(self.options.max_bound)?;
        let (cone, control) = (self.question.any.cone(), self.question.control);
        let frames = self.states.shared_frames(NAME, cone, control);
        self.question.safe_before(frames.level);
        let bound = self.question.depth();
        self.reached.resize(bound + 1, Edge::TRUE);
        for (step, set) in self.reached.iter_mut().enumerate().skip(1) {
            let frame = frames.within(step, &mut self.states.aig);
            *set = self.states.aig.and(*set, frame);
        }
        Ok(())
    }

    /// What is stated of the states before each of the first steps of a sequence of `bound` steps.
    fn stated(&mut self, bound: usize, shared: Edge) -> Vec<Edge> {
        match (self.options.strengthen, shared) {
            (true, Edge::TRUE) => self.reached.clone(),
            (false, Edge::TRUE) => Vec::new(),
            (true, _) => (0..=bound)
                .map(|step| match self.reached.get(step) {
                    Some(&set) => self.states.aig.and(set, shared),
                    None => shared,
                })
                .collect(),
            (false, _) => vec![shared; bound + 1],
        }
    }
}
