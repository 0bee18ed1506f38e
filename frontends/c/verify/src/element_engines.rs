//! Programs with arrays of which elements are tracked: which indices are tried, in which order.

use craig_mc::engine::bmc;
use craig_mc::{Alone, Control};
use craig_model::{UnknownReason, Verdict as ModelVerdict};
use craig_program::line_up::StageName;
use craig_program::{Bad, Blocks};

use crate::automaton::{Automaton, Derived};
use crate::bounded::Verdict;
use crate::loop_engines::{decide, replay_trace};
use crate::loop_search::Search;
use crate::program_engines::{DEPENDS_ON_HAVOCKED, Decision};
use craig_c_exec::concrete::replay::Counterexample;
use craig_c_exec::symbolic::IndexChoice;
use craig_c_lang::ir::Program;

/// The name of the engines of the single loop where one element of each array is tracked.
pub(crate) const ELEMENTS: &str = "elements";

/// Arrays with more elements, accessed at unknown indices, lose their cells where one element is tracked.
const MOST_ELEMENTS: u64 = 4;

/// Checks a program with one tracked element of each array. Proofs are of the program; a path to an error
/// counts if it replays.
pub(crate) fn check_with_elements(
    program: &Program,
    search: &Search,
    control: Control<'_>,
) -> Verdict {
    check_elements_above(program, MOST_ELEMENTS, search, control)
}

/// By what the indices of tracked elements are chosen in one search.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Attempt {
    Choice(IndexChoice),
    Derived(Derived),
}

/// As [`check_with_elements`], for arrays of more elements than `most`.
///
/// A path that does not replay is in one automaton and maybe not in the next: the elements that it reads without
/// following them say which indices are to be followed as well, or it is left to the other choices. If there is no short
/// path and no proof with one index, all steps are asked for such reads.
pub(crate) fn check_elements_above(
    program: &Program,
    most: u64,
    search: &Search,
    control: Control<'_>,
) -> Verdict {
    let mut left = None;
    let mut attempts = vec![
        Attempt::Choice(IndexChoice::Store),
        Attempt::Choice(IndexChoice::Read),
    ];
    let mut is_first = true;
    let has = |stage| search.stages.has(stage);
    while let Some(attempt) = attempts.pop() {
        let automaton = match attempt {
            Attempt::Choice(choice) => {
                Automaton::with_elements(program, Blocks::Large, (most, choice), control.stop)
            }
            Attempt::Derived(derived) => {
                Automaton::with_derived_index(program, (most, derived), control.stop)
            }
        };
        let mut automaton = match automaton {
            Ok(Some(automaton)) => automaton,
            Ok(None) => {
                return Verdict::Unknown(UnknownReason::Unsupported(
                    "no array is accessed at unknown indices".into(),
                ));
            }
            Err(reason) => return Verdict::Unknown(reason),
        };
        if std::mem::take(&mut is_first)
            && has(StageName::ElementPairs)
            && (automaton.reads_two || automaton.has_changes)
        {
            // An error that depends on two elements says little about one, and nothing is known of what was read
            // before if no step is gated.
            attempts.push(attempt);
            let changes = automaton.has_changes.then_some(IndexChoice::Change);
            let pair = automaton.reads_two.then_some(IndexChoice::Pair);
            attempts.extend(changes.into_iter().chain(pair).map(Attempt::Choice));
            continue;
        }
        let (which, text) = match attempt {
            Attempt::Choice(IndexChoice::Pair) => ("elements k and l are".to_owned(), PAIR_TEXT),
            Attempt::Derived(derived) => (format!("elements k and l, {derived}, are"), PAIR_TEXT),
            Attempt::Choice(IndexChoice::Store | IndexChoice::Change) => {
                ("element k is".to_owned(), CHOSEN_TEXT)
            }
            Attempt::Choice(_) => ("element k is".to_owned(), ELEMENTS_TEXT),
        };
        let is_one_of_several = matches!(
            attempt,
            Attempt::Derived(_) | Attempt::Choice(IndexChoice::Pair | IndexChoice::Change)
        );
        let n_elements = automaton.n_elements;
        control.listener.note(ELEMENTS, || {
            format!("the {which} followed of {n_elements} arrays")
        });
        let mut derived = Vec::new();
        match shortly(program, &mut automaton, search, control) {
            // Without a short path, one index may be enough.
            Short::None
                if attempt == Attempt::Choice(IndexChoice::Read)
                    && has(StageName::DerivedElements) =>
            {
                derived = automaton.derived_indices(None);
            }
            Short::None => {}
            Short::Error(counterexample) => return Verdict::Unsafe(counterexample),
            Short::Other(derived) => {
                left = left.or(Some(DEPENDS_ON_HAVOCKED.to_owned()));
                control.listener.note(ELEMENTS, || {
                    format!(
                        "a path that does not replay; {} indices follow from it",
                        derived.len()
                    )
                });
                // One refinement: what depends on a derived index depends on more than a few elements.
                if attempt == Attempt::Choice(IndexChoice::Read) && has(StageName::DerivedElements)
                {
                    attempts.extend(derived.into_iter().rev().map(Attempt::Derived));
                }
                continue;
            }
        }
        let bad = Bad::ErrorOrUnsupported;
        let limited = |stage| match search.stages.get(stage) {
            Some(stage) => stage.limit(control.stop),
            None => control.stop.clone(),
        };
        let stop = match attempt {
            // Nothing is to be proved with one index.
            Attempt::Derived(_) => limited(StageName::DerivedElements),
            _ if is_one_of_several || !derived.is_empty() => limited(StageName::ElementPairs),
            Attempt::Choice(_) => control.stop.clone(),
        };
        let own = Control {
            stop: &stop,
            ..control
        };
        match decide(program, &mut automaton, search, bad, own) {
            Decision::Left(reason) => left = left.or(Some(reason)),
            Decision::Verdict(Verdict::Safe(mut safety)) => {
                safety.text += text;
                return Verdict::Safe(safety);
            }
            // The rest of the time is for one element, or for a second one that follows from the first.
            Decision::Verdict(Verdict::Unknown(_))
                if (is_one_of_several || !derived.is_empty())
                    && control.stop.reason().is_none() =>
            {
                attempts.extend(derived.into_iter().rev().map(Attempt::Derived));
            }
            Decision::Verdict(verdict) => return verdict,
        }
    }
    Verdict::Unknown(UnknownReason::Unsupported(left.unwrap_or_default()))
}

/// What a short search for a path to an error comes to.
enum Short {
    None,
    Error(Box<Counterexample>),
    /// There is one that does not replay, so that no proof is to be found: the indices that follow from it.
    Other(Vec<Derived>),
}

/// The steps of a short path.
const SHORT_STEPS: usize = 20;

/// Looks for a short path to an error in an automaton in which elements are tracked.
fn shortly(
    program: &Program,
    automaton: &mut Automaton<'_>,
    search: &Search,
    control: Control<'_>,
) -> Short {
    let Some(stage) = search.stages.get(StageName::ElementPaths) else {
        return Short::None;
    };
    let bad = Bad::ErrorOrUnsupported;
    let encoded = automaton.cfa.to_model(bad);
    let options = bmc::Options {
        max_depth: Some(SHORT_STEPS),
        ..bmc::Options::default()
    };
    let own = Alone::until(stage.limit(control.stop));
    let outcome = bmc::check(&encoded.model, 0, &options, own.control());
    let ModelVerdict::Unsafe(trace) = outcome.verdict else {
        return Short::None;
    };
    match replay_trace(program, automaton, (&encoded, bad), &trace, control.stop) {
        Decision::Verdict(Verdict::Unsafe(counterexample)) => Short::Error(counterexample),
        _ => Short::Other(automaton.derived_indices(Some((&encoded, &trace)))),
    }
}

/// What a proof with tracked elements is about.
const ELEMENTS_TEXT: &str = "; of each array, the element at one index k is followed, and the invariant holds for \
                             every k";

/// As `ELEMENTS_TEXT`, where steps are left out that choose another index.
const CHOSEN_TEXT: &str = "; of each array, the element at one index k is followed, which each run chooses: that of the \
                           first store, or of the first read that changes what an error depends on";

/// As `ELEMENTS_TEXT`, with two indices.
const PAIR_TEXT: &str = "; of each array, the elements at two indices k and l are followed, and the invariant holds for \
                         all k and l";
