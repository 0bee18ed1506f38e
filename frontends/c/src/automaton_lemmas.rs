//! Lemmas of property-directed reachability on the automaton, for the engines on its circuit.
//!
//! The search on the automaton has a short time. If that decides the program, its evidence is judged as that of any engine.
//! Otherwise its lemmas become clauses over the latches, which hold in all states within some steps. Those that are
//! inductive together on the circuit that the engines get are invariants there.

use std::time::Duration;

use craig_mc::circuit::reduce::Reduced;
use craig_mc::engine::pdr::inductive_clauses;
use craig_mc::program::{Answer, Bad, Cfa, CfaModel, pdr};
use craig_mc::{Control, Outcome, StateClause};

/// The name of these steps in notes.
const NAME: &str = "lemmas";

/// The share of the time that is left, in percent, that the search has at most, and that the selection of inductive
/// clauses has.
const SEARCH_PERCENT: u32 = 20;
const SELECTION_PERCENT: u32 = 5;
/// The most that the selection has.
const SELECTION_PATIENCE: Duration = Duration::from_secs(1);

/// What the search on the automaton comes to.
pub(super) enum Lemmas {
    /// An answer, as an outcome about the circuit.
    Decided(Box<Outcome>),
    /// Clauses over the latches of the circuit. They need not be invariants.
    Found(Vec<StateClause>),
}

/// Searches the automaton for at most so long.
pub(super) fn search(
    (cfa, encoded, bad): (&Cfa, &CfaModel, Bad),
    time: Duration,
    control: &Control,
) -> Lemmas {
    let own = control.apart_for(SEARCH_PERCENT, time);
    let options = pdr::Options::default();
    let (answer, clauses) = pdr::check_for_lemmas(cfa, bad, options, encoded, &own);
    if !matches!(answer, Answer::Unknown(_)) {
        return Lemmas::Decided(Box::new(answer.outcome(cfa, encoded, pdr::NAME)));
    }
    control.note(NAME, || {
        format!("{}: no answer, {} clauses", pdr::NAME, clauses.len())
    });
    Lemmas::Found(clauses)
}

/// Those candidates of the control, clauses over the states of the model before its reduction, that are inductive together
/// on the reduced one.
pub(super) fn inductive(reduced: &Reduced, control: &Control) -> Vec<StateClause> {
    let candidates = reduced.about(control.candidates());
    if candidates.is_empty() {
        return candidates;
    }
    let n_candidates = candidates.len();
    let own = control.apart_for(SELECTION_PERCENT, SELECTION_PATIENCE);
    let found = inductive_clauses(&reduced.model, 0, &candidates, &own);
    control.note(NAME, || {
        format!(
            "{} of {n_candidates} clauses of {} are inductive",
            found.len(),
            pdr::NAME
        )
    });
    found
}
