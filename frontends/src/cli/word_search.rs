//! The search about a bad of a system of words: with large operators as inputs first, then with fewer words, or
//! on the circuit of bits of the system.

use std::time::Duration;

use craig_mc::Control;
use craig_mc::word_system::{Blasted, WordSystem, operators, reduce};
use craig_model::{Model, Outcome, Verdict};

use super::engines::{EngineArguments, Lemmas};
use super::failure::Failure;

/// The abstraction has so much of the time, in percent, and so much at most.
const SHARE: u32 = 40;
const AT_MOST: Duration = Duration::from_secs(600);

/// Decides a bad. `full` is the circuit of bits of the system, about which the evidence is.
pub(super) fn check(
    engines: &EngineArguments,
    system: &WordSystem,
    full: &Blasted,
    bad: usize,
    lemmas: &mut Lemmas,
    control: &Control,
) -> Result<Outcome, Failure> {
    if !engines.no_preprocess {
        let own = control.apart_for(SHARE, AT_MOST);
        let mut search = |model: &Model| engines.check(model, 0, &own.apart());
        let least = operators::LEAST_GATES;
        let decided = operators::decide(system, full, bad, least, &own, &mut search)?;
        if let Some(decided) = decided {
            control.note("operators", || {
                format!(
                    "{} large operations are inputs after {} abstractions",
                    decided.n_inputs, decided.n_rounds
                )
            });
            if !matches!(decided.outcome.verdict, Verdict::Unknown(_)) {
                return Ok(decided.outcome);
            }
        }
        // With several bads, lemmas about the latches of the whole circuit go from one to the next.
        if system.bads.len() == 1
            && let Some((derived, own)) = reduce::reduced(system, full, bad, control)
        {
            control.note("words", || {
                let n_latches = [full, &own].map(|bits| bits.model.latches.len());
                format!("{} latches instead of {}", n_latches[1], n_latches[0])
            });
            let outcome = engines.check(&own.model, 0, control)?;
            if let Some(outcome) = derived.lift_outcome(system, full, &own, outcome) {
                return Ok(outcome);
            }
        }
    }
    engines.check_with(&full.model, bad, lemmas, control)
}
