//! Circuits with memories that are too large for bits: abstractions that follow few words, refined until one
//! is decided.

use std::time::Instant;

use super::engines::{EngineArguments, Judgement, Lemmas};
use super::failure::Failure;
use super::word_search;
use craig_hardware::btor2::abstraction::{Abstraction, MOST_EXACT_BITS, Replayed};
use craig_hardware::btor2::certify::{WordCertifyError, certify, witness_of};
use craig_hardware::btor2::{self, Btor2, system_of, trace};
use craig_mc::word_system::blast;
use craig_mc::{Certificate, Control, Verdict};

/// With more tracked words than this, the refinement is taken for one that does not end.
const MOST_WORDS: usize = 24;

/// A result about a bad that was found without the circuit of bits of the file.
pub(super) struct OwnResult {
    /// Whether the bad is unreachable.
    pub(super) is_safe: bool,
    /// The engine.
    pub(super) engine: &'static str,
    /// The depth reached, or the length of the run.
    pub(super) depth: usize,
    /// Of the evidence, on the file.
    pub(super) judgement: Judgement,
    /// The content of the file of the evidence: a run, or a witness circuit over words.
    pub(super) evidence: Vec<u8>,
}

/// Decides a bad. A run is one of the file, and has been replayed there; a proof is a witness circuit over
/// the words of the file. `None` if there is no answer.
pub(super) fn decide(
    file: &Btor2,
    engines: &EngineArguments,
    bad: usize,
    control: &Control,
) -> Result<Option<OwnResult>, Failure> {
    let mut words = Vec::new();
    while words.len() <= MOST_WORDS {
        let Ok(abstraction) = Abstraction::new(file, bad, &words, MOST_EXACT_BITS) else {
            return Ok(None);
        };
        let system = system_of(&abstraction.model);
        let Ok(bits) = blast(&system) else {
            return Ok(None);
        };
        control.note("memories", || {
            format!("{} words of large memories are followed", words.len())
        });
        // Each abstraction has latches of its own, so that nothing is shared.
        let own = control.apart();
        let mut lemmas = Lemmas::default();
        let outcome = word_search::check(engines, &system, &bits, 0, &mut lemmas, &own)?;
        let (is_safe, evidence, judgement) = match &outcome.verdict {
            Verdict::Unknown(_) => return Ok(None),
            Verdict::Safe(certificate) => {
                let certificate: &Certificate = certificate;
                let witness = witness_of(&abstraction.model, &bits, certificate);
                let witness = abstraction.lift_witness(file, &witness);
                let begin = Instant::now();
                let judgement = match engines.no_certify {
                    true => Judgement::None,
                    false => match certify(file, &[bad], &witness) {
                        Ok(()) => Judgement::Valid(begin.elapsed().as_secs_f64()),
                        Err(WordCertifyError::Solver(message)) => {
                            return Err(Failure::internal(message));
                        }
                        Err(error) => Judgement::Invalid(error.to_string()),
                    },
                };
                let mut bytes = Vec::new();
                btor2::write(&witness, &mut bytes)
                    .map_err(|it| Failure::internal(it.to_string()))?;
                (true, bytes, judgement)
            }
            Verdict::Unsafe(run) => {
                let run = bits.lift(&run.initial, &run.inputs);
                let begin = Instant::now();
                match abstraction.replay(file, &run, MOST_EXACT_BITS) {
                    Err(_) => return Ok(None),
                    Ok(Replayed::Spurious(word)) => {
                        words.push(word);
                        continue;
                    }
                    Ok(Replayed::Run(steps)) => {
                        let run = trace::Trace {
                            bads: vec![bad],
                            justice: Vec::new(),
                            steps,
                        };
                        let mut bytes = Vec::new();
                        trace::write(file, &run, &mut bytes)
                            .map_err(|it| Failure::internal(it.to_string()))?;
                        let judgement = Judgement::Valid(begin.elapsed().as_secs_f64());
                        (false, bytes, judgement)
                    }
                }
            }
        };
        return Ok(Some(OwnResult {
            is_safe,
            engine: outcome.engine,
            depth: outcome.depth,
            judgement,
            evidence,
        }));
    }
    Ok(None)
}
