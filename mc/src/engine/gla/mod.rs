//! Gate-level abstraction: property-directed reachability on a part of the circuit, which refutations refine.
//!
//! Gates and latches are visible or not. In the abstraction, what is not visible is an input, free in every step,
//! and constraints that are not visible are dropped. So each run of the circuit is one of the abstraction, and
//! clauses that are inductive there are inductive for the circuit.
//!
//! A run of the abstraction to the bad says which values hidden gates must have. The circuit's own definitions of
//! these gates, over the inputs and the known values of the run, are given to a solver. If they can have these
//! values, the inputs found are a run of the circuit, which is replayed. Otherwise the gates whose definitions the
//! refutation uses become visible: they exclude the run. What PDR has learned about the coarser abstraction holds of
//! the finer one ([`pdr::resume`]), so each search continues where the last one ended.
//!
//! After R. P. Kurshan, "Computer-aided verification of coordinating processes" (1994), localisation; P. Chauhan et
//! al., "Automated abstraction refinement for model checking large state spaces using SAT based conflict analysis"
//! (FMCAD 2002), refutations of abstract runs; K. L. McMillan and N. Amla, "Automatic abstraction without
//! counterexamples" (TACAS 2003), what is visible from proofs; A. Mishchenko et al., "GLA: gate-level abstraction
//! revisited" (DATE 2013), gates instead of latches alone.

mod abstraction;
mod known;
mod refine;

use std::sync::Arc;

use craig_model::{Model, Outcome, Trace, UnknownReason, Verdict};

use self::abstraction::{Abstraction, Part, Visible};
use self::refine::{Refinement, refine, refine_all};
use super::entry::Engine;
use super::options::{MAX_DEPTH, SEED};
use super::pdr::{self, Reached};
use crate::control::{Alone, Control};
use crate::engine::posed;

/// The engine's name.
pub const NAME: &str = "gla";

/// The options of the engine.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The searches on abstractions. They exchange no invariants: those of the circuit need not be inductive in an
    /// abstraction.
    pub search: pdr::Options,
}

/// The registration of the engine.
pub(super) const ENGINE: Engine = Engine {
    name: NAME,
    text: "PDR on an abstraction by gates, refined by refutations (Mishchenko et al. 2013)",
    is_shortest: false,
    options: &[&SEED, &MAX_DEPTH],
    build: |settings| {
        let search = pdr::Options {
            seed: settings.number(&SEED).unwrap_or_default(),
            max_frames: settings.count(&MAX_DEPTH),
            ..pdr::Options::default()
        };
        let options = Options { search };
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
    let mut search = Search {
        visible: Visible::new(model, property),
        control,
        next_depth: 1,
    };
    let mut depth = 0;
    let verdict = search
        .run(options, &mut depth)
        .unwrap_or_else(Verdict::Unknown);
    Outcome {
        depth: match &verdict {
            Verdict::Unsafe(trace) => trace.depth(),
            Verdict::Safe(_) | Verdict::Unknown(_) => depth,
        },
        verdict,
        engine: NAME,
    }
}

struct Search<'a> {
    visible: Visible<'a>,
    control: Control<'a>,
    /// When the abstraction has a run of at least `next_depth` steps, all runs of the circuit of that length are excluded
    /// together.
    next_depth: usize,
}

impl Search<'_> {
    /// Searches and refines until the bad is decided. In all steps before `depth` it is unreachable.
    fn run(&mut self, options: &Options, depth: &mut usize) -> Result<Verdict, UnknownReason> {
        let mut options = options.search.clone();
        options.techniques.import = false;
        let mut reached = Reached::default();
        loop {
            let abstraction = self.visible.abstraction();
            let (outcome, invariant) = pdr::resume_for_clauses(
                &abstraction.model,
                0,
                &options,
                &mut reached,
                Alone::until(self.control.stop.clone()).control(),
            );
            if reached.level() > *depth {
                *depth = reached.level();
                self.control.report_depth(NAME, *depth);
            }
            let trace = match outcome.verdict {
                Verdict::Unknown(reason) => return Err(reason),
                Verdict::Unsafe(trace) => trace,
                Verdict::Safe(_) => {
                    let clauses = invariant.expect("a proof has an invariant");
                    let (model, property) = (self.visible.model, self.visible.property);
                    let certificate = pdr::certificate_of_clauses(model, property, clauses);
                    return Ok(Verdict::Safe(Box::new(certificate)));
                }
            };
            match self.refine(&abstraction, &trace)? {
                Refinement::Run(trace) => return Ok(Verdict::Unsafe(trace)),
                Refinement::Parts(parts) => self.show(parts, trace.depth())?,
            }
        }
    }

    /// The parts that exclude a run of the abstraction and, within a limit, all runs of its length.
    fn refine(
        &mut self,
        abstraction: &Abstraction,
        trace: &Trace,
    ) -> Result<Refinement, UnknownReason> {
        let depth = trace.depth();
        let mut parts = match refine(&self.visible, abstraction, trace, self.control.stop)? {
            Refinement::Parts(parts) => parts,
            run @ Refinement::Run(_) => return Ok(run),
        };
        if depth >= self.next_depth {
            match refine_all(&self.visible, depth, self.control.stop)? {
                Some(Refinement::Parts(more)) => {
                    self.next_depth = depth + 1;
                    parts.extend(more);
                }
                Some(run) => return Ok(run),
                None => self.next_depth = 2 * (depth + 1),
            }
        }
        Ok(Refinement::Parts(parts))
    }

    fn show(&mut self, parts: Vec<Part>, depth: usize) -> Result<(), UnknownReason> {
        let more = self.visible.show(parts);
        if more == 0 {
            // Visible parts alone would exclude the run, but PDR has found it.
            debug_assert!(false, "a refutation without a hidden part");
            let text = "a run of an abstraction was not excluded".to_owned();
            return Err(UnknownReason::Bound(text));
        }
        self.control.listener.count("refinements", 1);
        self.control.listener.note(NAME, || {
            format!(
                "a run of {depth} steps is excluded by {more} more parts: {}",
                self.visible.describe()
            )
        });
        Ok(())
    }
}
