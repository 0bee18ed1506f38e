//! Explicit states: the engine `explicit`, for event loops.
//!
//! An event loop has many words that hold few values ([`Cfa::few_values`]), and few of their combinations are
//! reachable: hundreds, where a formula about one step has tens of thousands of gates. So the automaton is unfolded
//! over these *status words*: a state is a location with a value for each of them (`status.rs`), as schedulers are
//! executed explicitly and their threads symbolically in ESST (Cimatti, Micheli, Narasamdya, Roveri, *Verifying
//! SystemC: a software model checking approach*, FMCAD 2010). The other words, and inputs, may have any value in each
//! step, and a solver lists the states after it. If no such state has a step to a bad location, the states that were
//! found are an invariant: at each location, the status words have one of the combinations there. If one has, and
//! the path to it cannot be taken, the engine gives up.
//!
//! Errors that depend on other words are searched by concrete runs (`concrete.rs`), whose inputs are the constants
//! that the program compares them with, and few others.
//!
//! Soundness does not rest on the search: the invariant becomes a certificate that is checked, and a run is followed
//! on the automaton.

mod concrete;
pub(super) mod status;
#[cfg(test)]
mod tests;

use craig_aig::{Aig, Edge};
use craig_mc::Control;
use craig_model::UnknownReason;

use self::status::Explored;
use super::actions::Actions;
use super::answer::{Answer, Invariant, Run};
use super::cfa::Cfa;
use super::engine::{ARRAYS, BLOCKS, ProgramEngine, Query};
use super::to_model::Bad;

/// The engine's name.
pub const NAME: &str = "explicit";

/// The registration of the engine.
pub(super) const ENGINE: ProgramEngine = ProgramEngine {
    name: NAME,
    text: "For C programs: explicit states of words that hold few values, and concrete runs",
    options: &[&BLOCKS, &ARRAYS],
    build: |_| {
        std::sync::Arc::new(move |cfa, query: Query, control| {
            (check(cfa, query.bad, control), None)
        })
    },
};

/// The gates that the first search for errors may evaluate, each in 64 runs at once, and the last one.
const FIRST_EVALUATIONS: u64 = 200_000_000;
const LAST_EVALUATIONS: u64 = 4_000_000_000;

/// Decides whether a bad location is reachable.
#[must_use]
pub fn check(cfa: &Cfa, bad: Bad, control: Control<'_>) -> Answer {
    let actions = Actions::new(cfa, bad);
    decide(cfa, &actions, control).unwrap_or_else(Answer::Unknown)
}

fn decide(cfa: &Cfa, actions: &Actions, control: Control<'_>) -> Result<Answer, UnknownReason> {
    let as_run = |found| Ok(Answer::Unsafe(Run::new(cfa, actions, found)));
    if let Some(found) = concrete::search(actions, FIRST_EVALUATIONS, control.stop)? {
        return as_run(found);
    }
    match status::explore(actions, control)? {
        Explored::All(reached) => {
            let mut aig = Aig::new();
            let inputs: Vec<Edge> = actions.bits().iter().map(|_| aig.add_input()).collect();
            let invariant = Invariant::new(actions, &mut aig, |aig, location| {
                let states = reached.at(location).map(|values| {
                    let literals = reached
                        .bits(location)
                        .map(|(place, bit)| inputs[bit as usize].negate_if(!values.get(place)));
                    literals.collect::<Vec<Edge>>()
                });
                let states: Vec<Vec<Edge>> = states.collect();
                let states: Vec<Edge> =
                    states.into_iter().map(|state| aig.and_all(state)).collect();
                aig.or_all(states)
            });
            return Ok(Answer::Safe(Box::new(invariant)));
        }
        Explored::Error(found) => return as_run(found),
        Explored::Open(text) => control.listener.note(NAME, || text),
    }
    match concrete::search(actions, LAST_EVALUATIONS, control.stop)? {
        Some(found) => as_run(found),
        None => Err(UnknownReason::Bound(
            "no invariant of the words of few values, and no error in concrete runs".to_owned(),
        )),
    }
}
