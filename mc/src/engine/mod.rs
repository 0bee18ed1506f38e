//! The engines, one file or folder each.

pub mod avy;
#[cfg(feature = "bdd")]
pub mod bdd;
pub mod bmc;
mod bounded;
mod clauses;
mod closure;
pub mod entry;
pub mod first_steps;
mod frames;
pub mod gla;
pub mod imc;
pub mod imc_backward;
pub mod induction;
pub mod isb;
pub mod kind;
mod links;
pub mod one_cut;
pub mod options;
mod path;
pub mod pdr;
mod question;
pub mod registry;
pub mod sim;
mod states;
pub mod tra;
pub mod transform;

use craig_aig::Edge;
use craig_model::{Model, Outcome, Reset, Stop, Trace, UnknownReason, simulate};
use craig_solver::Solver;
use craig_solver::encode::Encoder;
use craig_solver::proof::{ProofDag, ProofLog, ProofSink, TrimError};

use crate::board::Board;
use crate::circuit::reduce::Resets;
use crate::control::Control;

/// Poses the question about a bad to an engine: the model without reset functions ([`Resets`]), and the board only if it is
/// about this bad. The outcome is about the model that was given.
fn posed(
    (model, property): (&Model, usize),
    control: Control<'_>,
    engine: impl FnOnce(&Model, Control<'_>) -> Outcome,
) -> Outcome {
    let unknown = Board::about(model, property);
    let board = match control.board.is_about(model, property) {
        true => control.board,
        false => &unknown,
    };
    Resets::decide(model, |model| engine(model, Control { board, ..control }))
}

/// A stop, as the condition that functions of `craig_itp` take.
#[must_use]
pub fn stop_of(stop: &Stop) -> craig_itp::Stop {
    let stop = stop.clone();
    craig_itp::Stop::when(move || stop.reason().is_some())
}

/// Why a solver that was set up by [`listen_in`](crate::control::listen_in) has stopped.
#[must_use]
pub fn why_stopped(stop: &Stop) -> UnknownReason {
    // Once there is a reason, it stays; without one the solver had no space for a clause or for its proof.
    stop.reason().unwrap_or(UnknownReason::OutOfMemory)
}

/// The refutation that a solver which was set up by [`listen_in`](crate::control::listen_in) has found.
///
/// # Errors
/// If there is a reason to stop before the proof is trimmed.
///
/// # Panics
/// If the solver has found no contradiction.
pub fn refutation(solver: &Solver<ProofLog>, stop: &Stop) -> Result<ProofDag, UnknownReason> {
    let root = solver.refutation();
    let root = root.expect("there is a proof of what was refuted");
    let is_asked = || stop.reason().is_some();
    match solver.proof().try_trim_until(root, is_asked) {
        Ok(dag) => Ok(dag),
        Err(TrimError::Stopped) => Err(why_stopped(stop)),
        Err(error) => panic!("the proof log is broken: {error}"),
    }
}

/// The value of a formula in the solver's last model; false if the formula is not encoded.
fn model_value<P: ProofSink>(solver: &Solver<P>, encoder: &Encoder, edge: Edge) -> bool {
    if edge.is_constant() {
        return edge == Edge::TRUE;
    }
    encoder
        .literal(edge)
        .and_then(|lit| solver.value(lit))
        .unwrap_or(false)
}

/// A run to the bad of its property, truncated after the first step in which the bad holds.
///
/// Values that the run leaves open are irrelevant to the bad at its end. An earlier bad is only known for the
/// values that the replay has chosen, so these are stored if the run gets shorter.
fn up_to_bad(model: &Model, mut trace: Trace) -> Trace {
    let replayed = simulate::replay_bads(model, &trace).expect("the trace fits its model");
    let bad = replayed.bads[trace.property];
    let bad = bad.expect("the run that was found reaches the bad");
    if bad + 1 < trace.inputs.len() {
        trace.inputs.truncate(bad + 1);
        for (value, latch) in trace.initial.iter_mut().zip(&model.latches) {
            value.get_or_insert(latch.reset == Reset::One);
        }
        for value in trace.inputs.iter_mut().flatten() {
            value.get_or_insert(false);
        }
    }
    trace
}
