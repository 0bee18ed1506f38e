//! Programs with arrays of which elements are tracked: which indices are tried, in which order.

use std::ops::ControlFlow;

use craig_mc::engine::bmc;
use craig_mc::{Alone, Control};
use craig_model::{Stop, UnknownReason, Verdict as ModelVerdict};
use craig_program::Bad;
use craig_program::line_up::{Amount, Stage, StageName, Stages};
use craig_verify::{AutomatonSearch, Decision, ProgramDesign, ProgramSearch};

use crate::automaton::{Automaton, DEPENDS_ON_HAVOCKED, Derived, Extent};
use crate::loop_engines::Decided;
use crate::verdict::{Found, Verdict, unknown};
use craig_c_exec::concrete::replay::Counterexample;
use craig_c_exec::symbolic::IndexChoice;
use craig_c_lang::ir::Program;

/// The name of the engines of the single loop where one element of each array is tracked.
pub(crate) const ELEMENTS: &str = "elements";

/// Arrays with more elements, accessed at unknown indices, lose their cells where one element is tracked.
const MOST_ELEMENTS: u64 = 4;

/// What searches an automaton in which elements are tracked.
#[derive(Clone, Copy)]
pub(crate) enum Searcher<'a> {
    /// The engines for circuits, on its circuit.
    Circuits(&'a AutomatonSearch),
    /// One engine for programs, on the automaton itself, with the stages of a schedule.
    Engine(&'a ProgramSearch, &'a Stages),
}

impl Searcher<'_> {
    fn stages(&self) -> &Stages {
        match self {
            Self::Circuits(search) => search.stages(),
            Self::Engine(_, stages) => stages,
        }
    }

    fn decide(&self, automaton: &mut Automaton<'_>, control: Control<'_>) -> Decided {
        let bad = Bad::ErrorOrUnsupported;
        match self {
            Self::Circuits(search) => search.decide(automaton, bad, control),
            Self::Engine(search, _) => search.decide(automaton, (bad, true), control),
        }
    }
}

/// Checks a program with one tracked element of each array. Proofs are of the program; a path to an error
/// counts if it replays.
pub(crate) fn check_with_elements(
    program: &Program,
    searcher: Searcher<'_>,
    control: Control<'_>,
) -> Verdict {
    check_elements_above(program, MOST_ELEMENTS, searcher, control)
}

/// By what the indices of tracked elements are chosen in one search.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Attempt {
    Choice(IndexChoice),
    Derived(Derived),
}

impl Attempt {
    /// The automaton with these indices, for arrays of more elements than `most`; `None` if there is no such array.
    fn automaton<'p>(
        self,
        program: &'p Program,
        (extent, most): (Extent, u64),
        stop: &Stop,
    ) -> Result<Option<Automaton<'p>>, UnknownReason> {
        match self {
            Self::Choice(choice) => Automaton::with_elements(program, extent, (most, choice), stop),
            Self::Derived(derived) => {
                Automaton::with_derived_index(program, extent, (most, derived), stop)
            }
        }
    }

    /// The elements in notes, and what the text of a proof says about them.
    fn texts(self) -> (String, &'static str) {
        match self {
            Self::Choice(IndexChoice::Pair) => ("elements k and l are".to_owned(), PAIR_TEXT),
            Self::Choice(IndexChoice::Recent(n)) => {
                (format!("elements at the last {n} indices are"), RECENT_TEXT)
            }
            Self::Derived(derived) => (format!("elements k and l, {derived}, are"), PAIR_TEXT),
            Self::Choice(IndexChoice::Store | IndexChoice::Change) => {
                ("element k is".to_owned(), CHOSEN_TEXT)
            }
            Self::Choice(_) => ("element k is".to_owned(), ELEMENTS_TEXT),
        }
    }

    /// Whether its proof search has a share of the time: other attempts come after it.
    fn is_one_of_several(self) -> bool {
        matches!(
            self,
            Self::Derived(_) | Self::Choice(IndexChoice::Pair | IndexChoice::Change)
        )
    }

    /// Whether indices may be derived from it. One refinement: what depends on a derived index depends on more than a
    /// few elements.
    fn may_derive(self, stages: &Stages) -> bool {
        self == Self::Choice(IndexChoice::Read) && stages.has(StageName::DerivedElements)
    }
}

/// As [`check_with_elements`], for arrays of more elements than `most`.
///
/// A path that does not replay is in one automaton and maybe not in the next: the elements that it reads without
/// tracking them say which indices are to be tracked as well, or it is left to the other choices. If there is no short
/// path and no proof with one index, all steps are asked for such reads.
pub(crate) fn check_elements_above(
    program: &Program,
    most: u64,
    searcher: Searcher<'_>,
    control: Control<'_>,
) -> Verdict {
    let attempts = Attempts {
        searcher,
        control,
        open: vec![
            Attempt::Choice(IndexChoice::Store),
            Attempt::Choice(IndexChoice::Read),
        ],
        left: None,
    };
    attempts.run(program, most)
}

/// Checks a program with an engine for programs and elements of each array at the last few indices: each attempt has more of
/// them than the one before it, whose path does not replay. Proofs are of the program; a path to an error counts if it
/// replays.
pub(crate) fn check_recent(
    program: &Program,
    (search, stages): (&ProgramSearch, &Stages),
    control: Control<'_>,
) -> Verdict {
    let row = stages.row(StageName::EngineRecent);
    let choices = numbers_of_indices(&row).map(IndexChoice::Recent);
    let mut open: Vec<Attempt> = choices.map(Attempt::Choice).collect();
    open.reverse();
    let attempts = Attempts {
        searcher: Searcher::Engine(search, stages),
        control,
        open,
        left: None,
    };
    attempts.run(program, MOST_ELEMENTS)
}

/// The numbers of indices of one automaton after the other, by a row of [`StageName::EngineRecent`].
fn numbers_of_indices(row: &Stage) -> impl Iterator<Item = u32> {
    let (first, last) = (row.amount(Amount::Indices), row.amount(Amount::IndicesTo));
    let growth = row.amount(Amount::Growth);
    let next = move |&n: &u32| n.checked_mul(growth).filter(|&more| more > n);
    std::iter::successors(Some(first), next)
        .skip_while(|&n| n == 0)
        .take_while(move |&n| n <= last)
}

/// Attempts at one program, made in turn.
struct Attempts<'a> {
    searcher: Searcher<'a>,
    control: Control<'a>,
    /// The attempts to be made, the next one last.
    open: Vec<Attempt>,
    /// Why the first attempt without an answer has none.
    left: Option<String>,
}

impl Attempts<'_> {
    /// Makes the attempts until one has an answer.
    fn run(mut self, program: &Program, most: u64) -> Verdict {
        let extent = Extent::of_elements(self.searcher.stages());
        let mut is_first = true;
        while let Some(attempt) = self.open.pop() {
            let mut automaton = match attempt.automaton(program, (extent, most), self.control.stop)
            {
                Ok(Some(automaton)) => automaton,
                Ok(None) => {
                    return unknown(UnknownReason::Unsupported(format!(
                        "no array of more than {most} elements is accessed at unknown indices"
                    )));
                }
                Err(reason) => return unknown(reason),
            };
            if std::mem::take(&mut is_first) && self.begins_with_others(attempt, &automaton) {
                continue;
            }
            if let ControlFlow::Break(verdict) = self.try_one(attempt, &mut automaton) {
                return verdict;
            }
        }
        unknown(UnknownReason::Unsupported(self.left.unwrap_or_default()))
    }

    /// Whether other attempts come before the first one. An error that depends on two elements says little about one,
    /// and nothing is known of what was read before if no step is gated.
    fn begins_with_others(&mut self, first: Attempt, automaton: &Automaton<'_>) -> bool {
        let depends_on_others = automaton.reads_two || automaton.has_changes;
        if !self.searcher.stages().has(StageName::ElementPairs) || !depends_on_others {
            return false;
        }
        self.open.push(first);
        let changes = automaton.has_changes.then_some(IndexChoice::Change);
        let pair = automaton.reads_two.then_some(IndexChoice::Pair);
        self.open
            .extend(changes.into_iter().chain(pair).map(Attempt::Choice));
        true
    }

    /// Searches for a short path, then for a proof.
    fn try_one(&mut self, attempt: Attempt, automaton: &mut Automaton<'_>) -> ControlFlow<Verdict> {
        let n_elements = automaton.n_elements;
        self.control.listener.note(ELEMENTS, || {
            let (which, _) = attempt.texts();
            format!("the {which} followed of {n_elements} arrays")
        });
        match self.short_path(automaton) {
            Short::None => {
                // Without a short path, one index may be enough.
                let derived = match attempt.may_derive(self.searcher.stages()) {
                    true => automaton.derived_indices(None),
                    false => Vec::new(),
                };
                self.prove(attempt, automaton, derived)
            }
            Short::Error(counterexample) => ControlFlow::Break(Ok(Found::Unsafe(counterexample))),
            Short::Other(derived) => {
                (self.left).get_or_insert_with(|| DEPENDS_ON_HAVOCKED.to_owned());
                self.control.listener.note(ELEMENTS, || {
                    format!(
                        "a path that does not replay; {} indices follow from it",
                        derived.len()
                    )
                });
                if attempt.may_derive(self.searcher.stages()) {
                    self.add_derived(derived);
                }
                ControlFlow::Continue(())
            }
        }
    }

    /// A short path to an error. An engine for programs looks for paths itself.
    fn short_path(&self, automaton: &mut Automaton<'_>) -> Short {
        match self.searcher {
            Searcher::Circuits(search) => shortly(automaton, search, self.control),
            Searcher::Engine(..) => Short::None,
        }
    }

    fn add_derived(&mut self, derived: Vec<Derived>) {
        (self.open).extend(derived.into_iter().rev().map(Attempt::Derived));
    }

    /// Searches for a proof; without one, the derived indices are tried.
    fn prove(
        &mut self,
        attempt: Attempt,
        automaton: &mut Automaton<'_>,
        derived: Vec<Derived>,
    ) -> ControlFlow<Verdict> {
        let is_one_of_several = attempt.is_one_of_several() || !derived.is_empty();
        let stop = match attempt {
            // Nothing is to be proved with one index.
            Attempt::Derived(_) => self.limited(StageName::DerivedElements),
            Attempt::Choice(_) if is_one_of_several => self.limited(StageName::ElementPairs),
            Attempt::Choice(_) => self.control.stop.clone(),
        };
        let control = Control {
            stop: &stop,
            ..self.control
        };
        match self.searcher.decide(automaton, control) {
            Ok(Decision::Left(reason)) => {
                self.left.get_or_insert(reason);
                // It is the first path of an engine for programs.
                if let Searcher::Engine(..) = self.searcher {
                    self.add_derived(derived);
                }
                ControlFlow::Continue(())
            }
            Ok(Decision::Verdict(Found::Safe(mut safety))) => {
                safety.text += attempt.texts().1;
                ControlFlow::Break(Ok(Found::Safe(safety)))
            }
            // The rest of the time is for one element, or for a second one that follows from the first.
            Ok(Decision::Verdict(Found::Unknown(_)))
                if is_one_of_several && self.control.stop.reason().is_none() =>
            {
                self.add_derived(derived);
                ControlFlow::Continue(())
            }
            Ok(Decision::Verdict(verdict)) => ControlFlow::Break(Ok(verdict)),
            Err(error) => ControlFlow::Break(Err(error)),
        }
    }

    /// When a stage stops.
    fn limited(&self, stage: StageName) -> Stop {
        match self.searcher.stages().get(stage) {
            Some(stage) => stage.limit(self.control.stop),
            None => self.control.stop.clone(),
        }
    }
}

/// What a short search for a path to an error comes to.
enum Short {
    None,
    Error(Box<Counterexample>),
    /// There is one that does not replay, so that no proof is to be found: the indices that follow from it.
    Other(Vec<Derived>),
}

/// Looks for a short path to an error in an automaton in which elements are tracked.
fn shortly(automaton: &mut Automaton<'_>, search: &AutomatonSearch, control: Control<'_>) -> Short {
    let Some(stage) = search.stages().get(StageName::ElementPaths) else {
        return Short::None;
    };
    let bad = Bad::ErrorOrUnsupported;
    let encoded = automaton.cfa.to_model(bad);
    let options = bmc::Options {
        max_depth: Some(stage.amount(Amount::StepsTo) as usize),
        ..bmc::Options::default()
    };
    let own = Alone::until(stage.limit(control.stop));
    let outcome = bmc::check(&encoded.model, 0, &options, own.control());
    let ModelVerdict::Unsafe(trace) = outcome.verdict else {
        return Short::None;
    };
    match automaton.replay_trace((&encoded, bad), &trace, control.stop) {
        Decision::Verdict(Found::Unsafe(counterexample)) => Short::Error(counterexample),
        _ => Short::Other(automaton.derived_indices(Some((&encoded, &trace)))),
    }
}

/// What a proof with tracked elements is about.
const ELEMENTS_TEXT: &str = "; of each array, the element at one index k is followed, and the invariant holds for \
                             every k";

/// As `ELEMENTS_TEXT`, where steps are left out that choose another index.
const CHOSEN_TEXT: &str = "; of each array, the element at one index k is followed, which each run chooses: that of the \
                           first store, or of the first read that changes what an error depends on";

/// As `ELEMENTS_TEXT`, with elements at the last indices.
const RECENT_TEXT: &str = "; of each array, the elements at the last few indices are followed";

/// As `ELEMENTS_TEXT`, with two indices.
const PAIR_TEXT: &str = "; of each array, the elements at two indices k and l are followed, and the invariant holds for \
                         all k and l";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_indices_are_those_of_the_row() {
        let numbers = |indices, to, growth| {
            let mut row = Stage::new(StageName::EngineRecent);
            let amounts = [Amount::Indices, Amount::IndicesTo, Amount::Growth];
            row.amounts = amounts.into_iter().zip([indices, to, growth]).collect();
            numbers_of_indices(&row).collect::<Vec<u32>>()
        };
        assert_eq!(numbers(4, 16, 2), [4, 8, 16]);
        assert_eq!(numbers(3, 100, 5), [3, 15, 75]);
        assert_eq!(numbers(5, 5, 2), [5]);
        assert_eq!(numbers(7, 100, 1), [7]);
        assert_eq!(numbers(7, 100, 0), [7]);
        assert_eq!(numbers(u32::MAX - 1, u32::MAX, 2), [u32::MAX - 1]);
        assert!(numbers(5, 4, 2).is_empty());
        assert!(numbers(0, 4, 2).is_empty());
        let default = Stage::new(StageName::EngineRecent);
        let default: Vec<u32> = numbers_of_indices(&default).collect();
        assert!(default.is_sorted() && !default.is_empty());
    }
}
