//! Interpolation sequences converted into inductive traces (Y. Vizel, A. Gurfinkel, "Interpolating property
//! directed reachability", 2014).
//!
//! The frames are PDR's: sets of lemmas, each frame included in the next, and each step from a frame ends in
//! the next. Instead of obligations, one counterexample at a time, a refutation of all runs through the last
//! few frames to the bad strengthens them. Its interpolants over-approximate the strengthened frames; states
//! outside of them are excluded by lemmas that are generalised and pushed as in PDR, because interpolants
//! themselves are neither small nor likely to become inductive.
//!
//! The runs start as late as a refutation exists, in any state of that frame: shorter runs have smaller
//! proofs, and their interpolants are about states near the bad (the search for a suffix follows H. Govind,
//! Y. Vizel, V. Ganesh, A. Gurfinkel, "Interpolating strong induction", 2019).

mod outside;
mod search;
mod suffix;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use craig_itp::{Rule, System};
use craig_model::{Model, Outcome, Verdict};
use craig_solver::sweep::Budget;

use self::search::{End, Search};
use super::entry::Engine;
use super::options::{LABELLING, MAX_DEPTH, SYSTEM, Settings, rule};
use super::pdr::{self, Pdr, Stop, Transition, certificate};
use crate::circuit::unroll::{Start, Unrolling};
use crate::control::Control;
use crate::engine::posed;

/// The name of the engine without strong extensions.
pub const NAME: &str = "avy";

/// The name of the engine with strong extensions.
pub const STRONG_NAME: &str = "kavy";

/// The options of the engine.
#[derive(Clone, Debug)]
pub struct Options {
    /// The interpolation system.
    pub system: Rule,
    /// The maximal number of rounds of reductions of a refutation before interpolation.
    pub reduction_rounds: usize,
    /// The budget of compaction of interpolants; `None` to omit it.
    pub compaction: Option<Budget>,
    /// How lemmas are generalised and pushed. By default they are not exchanged with other engines: a PDR that
    /// runs beside this engine then takes the same way as alone.
    pub lemmas: pdr::Options,
    /// The maximal length of a run, in steps; `None` for no limit.
    pub max_bound: Option<usize>,
    /// Whether frames before a suffix of the runs are replaced by a later one, as long as there is a refutation.
    pub strong: bool,
}

impl Options {
    fn name(&self) -> &'static str {
        match self.strong {
            true => STRONG_NAME,
            false => NAME,
        }
    }

    /// Those that a user can set.
    fn from_settings(settings: &Settings) -> Self {
        Self {
            system: rule(settings),
            max_bound: settings.count(&MAX_DEPTH),
            ..Self::default()
        }
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            system: System::McMillan.into(),
            reduction_rounds: 1,
            compaction: None,
            lemmas: pdr::Options {
                techniques: pdr::Techniques {
                    import: false,
                    ..pdr::Techniques::ALL
                },
                ..pdr::Options::default()
            },
            max_bound: None,
            strong: false,
        }
    }
}

/// The registration of the engine.
pub(super) const ENGINE: Engine = Engine {
    name: NAME,
    text: "Interpolation sequences converted into inductive traces (Vizel and Gurfinkel 2014)",
    is_shortest: false,
    options: &[&SYSTEM, &LABELLING, &MAX_DEPTH],
    build: |settings| {
        let options = Options::from_settings(settings);
        Arc::new(move |model, property, control| check(model, property, &options, control))
    },
};

/// The registration of the engine with strong extensions.
pub(super) const STRONG: Engine = Engine {
    name: STRONG_NAME,
    text: "Interpolation sequences of strong induction (Vediramana Krishnan, Vizel, Ganesh and Gurfinkel 2019)",
    is_shortest: false,
    options: &[&SYSTEM, &LABELLING, &MAX_DEPTH],
    build: |settings| {
        let options = Options {
            strong: true,
            ..Options::from_settings(settings)
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
    posed((model, property), control, |model, control| {
        decide(model, property, options, control)
    })
}

/// As `check`, for a model without reset functions.
fn decide(model: &Model, property: usize, options: &Options, control: Control<'_>) -> Outcome {
    let mut any = Unrolling::new(model, property, Start::Free);
    any.push_frame();
    let transition = Transition::new(model, property, None);
    debug_assert_eq!(any.cone().latches, transition.latch_numbers());
    let mut search = Search {
        model,
        property,
        options,
        any: &any,
        pdr: Pdr::new(transition, options.lemmas.clone(), control),
        suffix: 1,
        depth: 0,
    };
    let verdict = match search.run() {
        Ok(End::Invariant(lemmas)) => {
            let lemmas = search.pdr.shrink(lemmas);
            let transition = &search.pdr.transition;
            Verdict::Safe(Box::new(certificate(model, property, transition, &lemmas)))
        }
        Ok(End::Run(trace)) => Verdict::Unsafe(trace),
        Err(Stop(reason)) => Verdict::Unknown(reason),
    };
    Outcome {
        verdict,
        engine: options.name(),
        depth: search.depth,
    }
}
