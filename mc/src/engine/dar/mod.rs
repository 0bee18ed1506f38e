//! Dual approximated reachability (Y. Vizel, O. Grumberg, S. Shoham, "Intertwined forward-backward reachability
//! analysis using interpolants", TACAS 2013).
//!
//! There are two sequences of sets of states. The states that are reachable in j steps lie in `forward[j]`: the
//! first set is that of the resets, and the successors of each lie in the next. The states from which the bad is
//! reachable in j steps lie in `backward[j]`: the first set contains the states in which the bad may hold, and the
//! predecessors of each lie in the next. No set of the first sequence has a bad state, none of the second a reset.
//!
//! To extend both by bound n, a place is looked for where they do not meet: no state of `forward[i]` has a
//! successor in `backward[n - 1 - i]`. From there, interpolants of one step each strengthen the sets forwards up to
//! the bad, and backwards up to the resets (*local* strengthening). If there is none, runs from the resets to a set
//! of the second sequence are refuted, of one step more each time, and their interpolants strengthen the first
//! sequence (*global* strengthening); then the place is known. The last of these runs ends in the bad itself,
//! and is a counterexample if it exists.
//!
//! The union of the first sets of a sequence is closed as soon as the next one lies in it: an invariant, or the
//! complement of one.
//!
//! Unlike the paper's, the bad may depend on inputs, so that the first backward set is an interpolant, too, and
//! may have states from which the bad cannot hold. Runs of the last global query end in the bad itself instead.

mod instance;

use std::sync::Arc;

use craig_aig::{Aig, Edge};
use craig_itp::System;
use craig_model::{Model, Outcome, UnknownReason, Verdict};
use craig_solver::sweep::Budget;

use self::instance::{End, Instance};
use super::entry::Engine;
use super::imported::with_invariants;
use super::options::{MAX_DEPTH, SYSTEM, system};
use super::question::Question;
use super::states::{COMPACTION, States};
use crate::control::{Control, Event};

/// The engine's name.
pub const NAME: &str = "dar";

/// The options of the engine.
#[derive(Clone, Debug)]
pub struct Options {
    /// The interpolation system of forward interpolants; backward ones have its dual.
    pub system: System,
    /// The budget of compaction of interpolants; `None` to omit it.
    pub compaction: Option<Budget>,
    /// Whether places where the sequences do not meet are looked for; else all strengthening is global.
    pub local: bool,
    /// The maximal length of a run, in steps; `None` for no limit.
    pub max_bound: Option<usize>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            system: System::McMillan,
            compaction: Some(COMPACTION),
            local: true,
            max_bound: None,
        }
    }
}

/// The registration of the engine.
pub(super) const ENGINE: Engine = Engine {
    name: NAME,
    text: "Dual approximated reachability (Vizel, Grumberg and Shoham 2013)",
    is_shortest: false,
    options: &[&SYSTEM, &MAX_DEPTH],
    build: |settings| {
        let options = Options {
            system: system(settings),
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
pub fn check(model: &Model, property: usize, options: &Options, control: Control<'_>) -> Outcome {
    with_invariants(model, control, |model| {
        Question::decide(NAME, model, property, control, |question| {
            let states = States::new(question.model, question.any.cone());
            let mut search = Search {
                question,
                options,
                forward: vec![states.initial],
                backward: Vec::new(),
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
    /// At index i, an over-approximation of the states reachable in i steps.
    forward: Vec<Edge>,
    /// At index i, an over-approximation of the states from which the bad is reachable in i steps.
    backward: Vec<Edge>,
}

impl Search<'_, '_> {
    fn run(&mut self) -> Result<Verdict, UnknownReason> {
        loop {
            let bound = self.question.next_bound(self.options.max_bound)?;
            if let Some(found) = self.extend(bound)? {
                return Ok(found);
            }
            self.question.safe_before(bound + 1);
            let control = self.question.control;
            let closed = match self
                .states
                .closed(&self.forward, Edge::TRUE, control.stop)?
            {
                Some(union) => Some(union),
                None => (self
                    .states
                    .closed(&self.backward, Edge::TRUE, control.stop)?)
                .map(|union| !union),
            };
            if let Some(invariant) = closed {
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

    /// Makes both sequences exclude runs of `bound` steps. Returns a run of that length, if there is one.
    ///
    /// When the place is found, `forward[from]` excludes `backward[bound - from]`, or the bad if that does not exist.
    fn extend(&mut self, bound: usize) -> Result<Option<Verdict>, UnknownReason> {
        self.forward.resize(bound + 1, Edge::TRUE);
        self.backward.resize(bound + 1, Edge::TRUE);
        let from = match self.local(bound)? {
            Some(from) => from,
            None => match self.global(bound)? {
                Ok(from) => from,
                Err(run) => return Ok(Some(run)),
            },
        };
        for step in from..bound {
            self.strengthen_forward(step, bound)?;
        }
        if from == bound {
            self.strengthen_bad(bound)?;
        }
        for step in (0..from).rev() {
            self.strengthen_backward(step, bound)?;
        }
        Ok(None)
    }

    /// A place where the sequences do not meet, looked for from the end: `forward` is strengthened there.
    fn local(&mut self, bound: usize) -> Result<Option<usize>, UnknownReason> {
        if !self.options.local {
            return Ok(None);
        }
        for step in (0..bound).rev() {
            if self.exclude_forward(step, bound)? {
                return Ok(Some(step + 1));
            }
        }
        Ok(None)
    }

    /// Refutes runs of one, two, .. steps from the resets to the backward set with as many steps left, and at last
    /// runs of all steps to the bad. The forward sets are strengthened by the sequence of interpolants.
    fn global(&mut self, bound: usize) -> Result<Result<usize, Verdict>, UnknownReason> {
        let sets = (1..=bound).map(|depth| (depth, End::Set(self.backward[bound - depth])));
        // The local phase has tried the first one.
        let skipped = usize::from(self.options.local);
        let ends: Vec<(usize, End)> = sets.skip(skipped).chain([(bound, End::Bad)]).collect();
        for (depth, end) in ends {
            let mut instance = self.instance(&self.forward[..depth], depth, end);
            let Some(dag) = instance.refute(self.question.control.stop)? else {
                if end == End::Bad {
                    let latches = self.question.model.latches.iter();
                    let resets: Vec<Option<bool>> =
                        latches.map(|latch| latch.reset.value()).collect();
                    let trace = instance.trace(self.question.property, &resets);
                    return Ok(Err(Verdict::Unsafe(trace)));
                }
                continue;
            };
            // The first forward set is that of the resets: nothing is to be excluded there.
            if depth > 0 {
                let system = self.options.system;
                let (scratch, sets) =
                    instance.interpolants(&dag, 1, system, self.question.control.stop)?;
                drop(instance);
                for (index, &set) in sets.iter().enumerate() {
                    self.conjoin_forward(index + 1, &scratch, set);
                }
            }
            return Ok(Ok(depth));
        }
        unreachable!("the last runs end in the bad")
    }

    fn instance(&self, sets: &[Edge], depth: usize, end: End) -> Instance<'_> {
        // Where no step is made, the set is that of the state at the end.
        let sets = match depth {
            0 => &self.forward[..1],
            _ => sets,
        };
        let question = &*self.question;
        Instance::new(
            question.any,
            &self.states,
            sets,
            depth,
            end,
            question.control,
        )
    }

    /// Strengthens the set after a forward set, if no state of that one has a successor in the backward set with
    /// as many steps left.
    fn exclude_forward(&mut self, step: usize, bound: usize) -> Result<bool, UnknownReason> {
        let end = End::Set(self.backward[bound - 1 - step]);
        let set = self.forward[step];
        let mut instance = self.instance(&[set], 1, end);
        let Some(dag) = instance.refute(self.question.control.stop)? else {
            return Ok(false);
        };
        let system = self.options.system;
        let (scratch, sets) = instance.interpolants(&dag, 1, system, self.question.control.stop)?;
        drop(instance);
        self.conjoin_forward(step + 1, &scratch, sets[0]);
        Ok(true)
    }

    /// As `exclude_forward` where it is known to succeed: the forward set excludes a set with all predecessors of the
    /// backward one.
    fn strengthen_forward(&mut self, step: usize, bound: usize) -> Result<(), UnknownReason> {
        let is_excluded = self.exclude_forward(step, bound)?;
        debug_assert!(is_excluded, "the forward set excludes all predecessors");
        Ok(())
    }

    /// Strengthens the first backward set, as the last forward set excludes the bad.
    fn strengthen_bad(&mut self, bound: usize) -> Result<(), UnknownReason> {
        let set = self.forward[bound];
        let question = &*self.question;
        let control = question.control;
        let mut instance = Instance::new(question.any, &self.states, &[set], 0, End::Bad, control);
        let dag = instance.refute(control.stop)?;
        let dag = dag.expect("the last forward set excludes the bad");
        let system = self.options.system.dual();
        let (scratch, sets) = instance.interpolants(&dag, 0, system, control.stop)?;
        drop(instance);
        self.conjoin_backward(0, &scratch, !sets[0]);
        Ok(())
    }

    /// Strengthens the backward set that has all predecessors of the next one: no state of the forward set at its
    /// place is one.
    fn strengthen_backward(&mut self, step: usize, bound: usize) -> Result<(), UnknownReason> {
        let left = bound - 1 - step;
        let mut instance = self.instance(&[self.forward[step]], 1, End::Set(self.backward[left]));
        let control = self.question.control;
        let dag = instance.refute(control.stop)?;
        let dag = dag.expect("the next forward set excludes the backward one");
        let system = self.options.system.dual();
        let (scratch, sets) = instance.interpolants(&dag, 0, system, control.stop)?;
        drop(instance);
        self.conjoin_backward(left + 1, &scratch, !sets[0]);
        Ok(())
    }

    fn conjoin_forward(&mut self, place: usize, scratch: &Aig, set: Edge) {
        let set = self.adopt(place, scratch, set);
        self.forward[place] = self.states.aig.and(self.forward[place], set);
    }

    fn conjoin_backward(&mut self, place: usize, scratch: &Aig, set: Edge) {
        let set = self.adopt(place, scratch, set);
        self.backward[place] = self.states.aig.and(self.backward[place], set);
    }

    fn adopt(&mut self, place: usize, scratch: &Aig, set: Edge) -> Edge {
        let control = self.question.control;
        let set = (self.states).adopt(scratch, set, self.options.compaction, control.stop);
        control.listener.tell(Event::Interpolant {
            engine: NAME,
            bound: self.question.depth(),
            round: place,
            ands: self.states.aig.n_ands_in_cone(&[set]),
        });
        set
    }
}
