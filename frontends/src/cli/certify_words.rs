//! `craig certify` for circuits in BTOR2: runs and witness circuits over words.

use super::circuits::{Kind, PropertyId};
use super::failure::Failure;
use super::word_circuit::WordCircuit;
use craig_hardware::btor2::certify::{WordCertifyError, certify};
use craig_hardware::btor2::evaluate::{first_bad_step, replay};
use craig_hardware::btor2::{self, trace};

/// Checks a witness circuit over words for one bad, or for all. Returns what it proves, or why it proves
/// nothing.
pub(super) fn judge_words(
    circuit: &WordCircuit,
    bytes: &[u8],
    name: &str,
    property: Option<PropertyId>,
) -> Result<Result<String, String>, Failure> {
    let witness = btor2::read(bytes, name).map_err(Failure::input)?;
    let (bads, shown) = match property {
        None => ((0..circuit.file.bads.len()).collect(), "safe".to_owned()),
        Some(PropertyId {
            kind: Kind::Bad,
            number,
        }) => (vec![number], format!("safe (b{number})")),
        Some(property) => {
            let text = format!("the witness circuit says nothing about {property}");
            return Ok(Err(text));
        }
    };
    match certify(&circuit.file, &bads, &witness) {
        Ok(()) => Ok(Ok(shown)),
        Err(WordCertifyError::Solver(message)) => Err(Failure::internal(message)),
        Err(error) => Ok(Err(error.to_string())),
    }
}

/// Checks a run in the format of `btorsim` for every bad that it names. Returns what it shows, or why it
/// shows
/// nothing.
pub(super) fn judge_run(
    circuit: &WordCircuit,
    bytes: &[u8],
    name: &str,
    property: Option<PropertyId>,
) -> Result<Result<String, String>, Failure> {
    let run = trace::read(bytes, name, &circuit.file).map_err(Failure::input)?;
    if !run.justice.is_empty() {
        return Err(Failure::input(format!(
            "{name}: a run over words can't show that a justice property fails; expected a lasso in AIGER's \
             format for the circuit of bits"
        )));
    }
    if let Some(property) = property
        && !(property.kind == Kind::Bad && run.bads.contains(&property.number))
    {
        return Ok(Err(format!("the trace does not name property {property}")));
    }
    let steps = match replay(&circuit.file, &run) {
        Ok(steps) => steps,
        Err(message) => return Ok(Err(message)),
    };
    let mut shown = Vec::new();
    for &bad in &run.bads {
        match first_bad_step(&steps, bad) {
            Some(step) => shown.push(format!("b{bad} at step {step}")),
            None => return Ok(Err(format!("b{bad} does not hold in any step"))),
        }
    }
    match shown.is_empty() {
        true => Ok(Err("the run names no bad".to_owned())),
        false => Ok(Ok(format!("unsafe ({})", shown.join(", ")))),
    }
}
