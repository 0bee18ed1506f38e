//! Lemmas of property-directed reachability on the automaton, for the engines on its circuit.
//!
//! The search on the automaton has a short time. If that decides the program, its evidence is judged as that of any engine.
//! Otherwise its lemmas become clauses over the latches, which hold in all states within some steps. Those that are
//! inductive together on the circuit that the engines get are invariants there
//! ([`craig_mc::engine::pdr::choose_inductive`]).

use std::time::Duration;

use craig_mc::{Alone, Control, StateClause};
use craig_model::Outcome;
use craig_program::{Answer, Bad, Cfa, CfaModel, Facts, pdr};

/// The name of the search in notes.
const NAME: &str = "lemmas";

/// The share of the time that is left, in percent, that the search has at most.
const SEARCH_PERCENT: u32 = 20;

/// What the search on the automaton comes to.
pub(crate) enum Lemmas {
    /// An answer, as an outcome about the circuit.
    Decided(Box<Outcome>),
    /// Clauses over the latches of the circuit. They need not be invariants.
    Found(Vec<StateClause>),
}

/// Searches the automaton for at most `time`. It assumes the facts about the automaton, if there are some.
pub(crate) fn search(
    (cfa, encoded, bad): (&Cfa, &CfaModel, Bad),
    facts: Option<&Facts>,
    time: Duration,
    control: Control<'_>,
) -> Lemmas {
    let own = Alone::until(control.stop.clone().within(SEARCH_PERCENT, time));
    let options = pdr::Options::default();
    let searched = facts.map_or(cfa, Facts::cfa);
    let (answer, clauses) = pdr::check_for_lemmas(searched, bad, options, encoded, own.control());
    if !matches!(answer, Answer::Unknown(_)) {
        let outcome = encoded.outcome(cfa, answer, facts, pdr::NAME);
        return Lemmas::Decided(Box::new(outcome));
    }
    control.listener.note(NAME, || {
        format!("{}: no answer, {} clauses", pdr::NAME, clauses.len())
    });
    Lemmas::Found(clauses)
}
