//! `craig certify` for circuits in BTOR2: runs and witness circuits over words.

use craig_hardware::btor2::certify::{WordCertifyError, certify};
use craig_hardware::btor2::evaluate::{find_loop, first_bad_step, replay};
use craig_hardware::btor2::{self, WordCircuit, trace};

use super::circuits::{Kind, PropertyId};
use super::failure::Failure;

/// Checks a witness circuit over words for one bad, or for all. Returns what it proves, or why it proves
/// nothing.
pub(super) fn certify_words(
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

/// Checks a run in the format of `btorsim` for every property that it names. Returns what it shows, or why it
/// shows nothing. A run against a justice property ends in a loop; the format does not say where it begins.
pub(super) fn certify_run(
    circuit: &WordCircuit,
    bytes: &[u8],
    name: &str,
    property: Option<PropertyId>,
) -> Result<Result<String, String>, Failure> {
    let run = trace::read(bytes, name, &circuit.file).map_err(Failure::input)?;
    if let Some(PropertyId { kind, number }) = property
        && !match kind {
            Kind::Bad => run.bads.contains(&number),
            Kind::Justice => run.justice.contains(&number),
        }
    {
        return Ok(Err(format!(
            "the trace does not name property {}",
            PropertyId { kind, number }
        )));
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
    for &number in &run.justice {
        match find_loop(&circuit.file, &run, number) {
            Ok(start) => shown.push(format!("j{number} by a loop from step {start}")),
            Err(message) => return Ok(Err(message)),
        }
    }
    match shown.is_empty() {
        true => Ok(Err("the run names no property".to_owned())),
        false => Ok(Ok(format!("unsafe ({})", shown.join(", ")))),
    }
}
