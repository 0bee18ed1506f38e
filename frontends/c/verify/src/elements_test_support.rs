//! What the tests of automata in which elements of arrays are tracked have in common.

use craig_mc::Alone;
use craig_mc::engine::bmc::{self, Stride};
use craig_model::{Outcome, Stop, UnknownReason, Verdict as ModelVerdict};
use craig_program::Bad;
use craig_program::line_up::{LineUp, Stages};

use crate::automaton::{Automaton, Extent};
use craig_c_exec::symbolic::IndexChoice;
use craig_c_lang::ir::Program;
use craig_verify::AutomatonSearch;

/// By what the indices of tracked elements are chosen in tests that no error is lost.
pub(crate) const CHOICES: [IndexChoice; 7] = [
    IndexChoice::Read,
    IndexChoice::Store,
    IndexChoice::Pair,
    IndexChoice::Change,
    IndexChoice::Recent(1),
    IndexChoice::Recent(2),
    IndexChoice::Recent(4),
];

/// The word-level invariants alone.
pub(crate) fn quickly() -> AutomatonSearch {
    let search = AutomatonSearch::new(&LineUp::default(), |_, _, _| {
        Ok(Outcome {
            verdict: ModelVerdict::Unknown(UnknownReason::Bound("the invariants".into())),
            engine: "none",
            depth: 0,
        })
    });
    search.with_invariants(&LineUp::default())
}

/// Whether the automaton in which elements of all arrays are tracked has a path of `max_depth` steps to the error; `None` if
/// there is no such automaton.
pub(crate) fn keeps_error(
    program: &Program,
    choice: IndexChoice,
    max_depth: usize,
) -> Option<bool> {
    let extent = Extent::of_elements(&Stages::NONE);
    let found = Automaton::with_elements(program, extent, (0, choice), &Stop::new());
    has_error(found, max_depth)
}

/// Whether an automaton has such a path.
pub(crate) fn has_error(
    found: Result<Option<Automaton<'_>>, UnknownReason>,
    max_depth: usize,
) -> Option<bool> {
    let Ok(Some(mut automaton)) = found else {
        return None;
    };
    let model = automaton.cfa.to_model(Bad::ErrorOrUnsupported).model;
    let options = bmc::Options {
        max_depth: Some(max_depth),
        stride: Stride::Doubling,
        ..bmc::Options::default()
    };
    let outcome = bmc::check(&model, 0, &options, Alone::new().control());
    Some(matches!(outcome.verdict, ModelVerdict::Unsafe(_)))
}

/// The number of random programs: more by hand.
pub(crate) fn n_programs(usual: usize) -> usize {
    let asked = std::env::var("CRAIG_RANDOM_PROGRAMS").ok();
    asked.and_then(|asked| asked.parse().ok()).unwrap_or(usual)
}
