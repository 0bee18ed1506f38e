//! Circuits with memories that are too large for bits: abstractions that follow few words, refined until one
//! is decided, and beside them a search for errors that follows all writes.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use craig_hardware::btor2::abstraction::{Abstraction, MOST_EXACT_BITS, Replayed};
use craig_hardware::btor2::certify::{WordCertifyError, certify, witness_of};
use craig_hardware::btor2::evaluate::{check_lasso, first_bad_step, replay};
use craig_hardware::btor2::live_to_safe::{lasso_of, live_to_safe};
use craig_hardware::btor2::{self, Btor2, system_of, trace};
use craig_mc::Control;
use craig_mc::engine::bmc;
use craig_mc::word_system::{WordStep, blast, chains};
use craig_model::{Certificate, UnknownReason, Verdict};

use super::engines::{EngineArguments, EngineName, Judgement, Lemmas};
use super::failure::Failure;
use super::word_search;

/// With more tracked words than this, the refinement is taken for one that does not end.
const MOST_WORDS: usize = 24;

/// On one thread, the search for errors comes first, for so much of the time, in percent, and so much at most.
const SHARE: u32 = 20;
const AT_MOST: Duration = Duration::from_secs(300);
/// The propagated literals of the first query of that search that is put off.
const FIRST_PROPAGATIONS: u64 = 5_000_000;
/// Between two looks at whether to stop.
const LOOK: Duration = Duration::from_millis(20);

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
    /// The content of the circuit that a witness circuit is about, if that is not the file.
    pub(super) model: Option<Vec<u8>>,
    /// The step at which the loop of a run against a justice property begins.
    pub(super) loop_start: Option<usize>,
}

/// Decides a bad. A run is one of the file, and has been replayed there; a proof is a witness circuit over
/// the words of the file. `None` if there is no answer.
pub(super) fn decide(
    file: &Btor2,
    engines: &EngineArguments,
    bad: usize,
    control: &Control,
) -> Result<Option<OwnResult>, Failure> {
    let errors = |control: &Control| by_chains(file, engines, bad, control);
    let abstractions = |control: &Control| by_abstraction(file, engines, bad, control);
    match engines.engine {
        EngineName::Portfolio if engines.n_threads() > 1 => {
            side_by_side(&[by_chains, by_abstraction], file, engines, bad, control)
        }
        EngineName::Portfolio => {
            let found = errors(&control.apart_for(SHARE, AT_MOST))?;
            let found = match found {
                None => abstractions(control)?,
                found => found,
            };
            match found {
                None => errors(control),
                found => Ok(found),
            }
        }
        EngineName::Single(engine) if engine.name == bmc::NAME => match errors(control)? {
            None => abstractions(control),
            found => Ok(found),
        },
        _ => abstractions(control),
    }
}

/// Decides a justice property as the bad of another circuit in BTOR2: a proof is a witness circuit of that
/// one. A run is one of the file, and has been replayed there. `None` if there is no answer.
pub(super) fn decide_justice(
    file: &Btor2,
    engines: &EngineArguments,
    property: usize,
    control: &Control,
) -> Result<Option<OwnResult>, Failure> {
    let mut model = Vec::new();
    btor2::write(&live_to_safe(file, property), &mut model)
        .map_err(|it| Failure::internal(it.to_string()))?;
    // As it will be read: with the identifiers that the witness circuit names.
    let of_text = |it: btor2::Btor2Error| Failure::internal(it.to_string());
    let safety = btor2::read(&model, "live-to-safe").map_err(of_text)?;
    let Some(result) = decide(&safety, engines, 0, control)? else {
        return Ok(None);
    };
    if result.is_safe {
        let model = Some(model);
        return Ok(Some(OwnResult { model, ..result }));
    }
    let begin = Instant::now();
    let run = trace::read(&result.evidence, "run", &safety).map_err(of_text)?;
    let Some((lasso, loop_start)) = lasso_of(file, property, &run, result.depth) else {
        return Err(Failure::internal(
            "a run against a justice property has no loop",
        ));
    };
    let judgement = match check_lasso(file, &lasso, property, loop_start) {
        Ok(()) => Judgement::Valid(begin.elapsed().as_secs_f64()),
        Err(reason) => Judgement::Invalid(reason),
    };
    let mut evidence = Vec::new();
    trace::write(file, &lasso, &mut evidence).map_err(|it| Failure::internal(it.to_string()))?;
    Ok(Some(OwnResult {
        judgement,
        evidence,
        loop_start: Some(loop_start),
        ..result
    }))
}

/// A way to decide a bad.
type Way = fn(&Btor2, &EngineArguments, usize, &Control) -> Result<Option<OwnResult>, Failure>;

/// The first result of several ways. The others are cancelled then, and not awaited: one that does not poll must
/// not hold up a result.
fn side_by_side(
    ways: &[Way],
    file: &Btor2,
    engines: &EngineArguments,
    bad: usize,
    control: &Control,
) -> Result<Option<OwnResult>, Failure> {
    let inner = control.fork();
    let shared = Arc::new((file.clone(), engines.clone()));
    let (sender, results) = mpsc::channel();
    for &way in ways {
        let (sender, inner, shared) = (sender.clone(), inner.clone(), Arc::clone(&shared));
        thread::spawn(move || {
            let search = || way(&shared.0, &shared.1, bad, &inner);
            let result = catch_unwind(AssertUnwindSafe(search));
            let panicked = |_| Err(Failure::internal("a search about large memories panicked"));
            // After the first result, the receiver is gone.
            let _ = sender.send(result.unwrap_or_else(panicked));
        });
    }
    drop(sender);
    loop {
        match results.recv_timeout(LOOK) {
            Ok(Ok(None)) => {}
            Ok(found) => {
                inner.cancel();
                return found;
            }
            Err(mpsc::RecvTimeoutError::Timeout) => {
                if control.stop_reason().is_some() {
                    inner.cancel();
                }
            }
            Err(mpsc::RecvTimeoutError::Disconnected) => return Ok(None),
        }
    }
}

/// Searches for a run, step by step, with memories as chains of their writes.
fn by_chains(
    file: &Btor2,
    engines: &EngineArguments,
    bad: usize,
    control: &Control,
) -> Result<Option<OwnResult>, Failure> {
    let system = system_of(file);
    let bounds = chains::Bounds {
        last: engines.max_depth(),
        propagations: (!engines.engine.is_shortest()).then_some(FIRST_PROPAGATIONS),
    };
    match chains::search(&system, bad, bounds, control) {
        Ok(steps) => of_run(file, bad, chains::NAME, steps).map(Some),
        Err(UnknownReason::Unsupported(reason)) => {
            control.note(chains::NAME, || reason);
            Ok(None)
        }
        Err(_) => Ok(None),
    }
}

/// The result of a run that an engine has found: it is replayed on the file.
fn of_run(
    file: &Btor2,
    bad: usize,
    engine: &'static str,
    steps: Vec<WordStep>,
) -> Result<OwnResult, Failure> {
    let begin = Instant::now();
    let run = trace::Trace {
        bads: vec![bad],
        justice: Vec::new(),
        steps,
    };
    let first = replay(file, &run).map(|values| first_bad_step(&values, bad));
    let judgement = match &first {
        Ok(Some(_)) => Judgement::Valid(begin.elapsed().as_secs_f64()),
        Ok(None) => Judgement::Invalid("the bad does not hold in the run".to_owned()),
        Err(reason) => Judgement::Invalid(reason.clone()),
    };
    let mut evidence = Vec::new();
    trace::write(file, &run, &mut evidence).map_err(|it| Failure::internal(it.to_string()))?;
    Ok(OwnResult {
        is_safe: false,
        engine,
        depth: first.ok().flatten().unwrap_or_default(),
        judgement,
        evidence,
        model: None,
        loop_start: None,
    })
}

/// Decides a bad by abstractions that follow few words of each memory.
fn by_abstraction(
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
        let (evidence, judgement) = match &outcome.verdict {
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
                (bytes, judgement)
            }
            Verdict::Unsafe(run) => {
                let run = bits.lift(&run.initial, &run.inputs);
                match abstraction.replay(file, &run, MOST_EXACT_BITS) {
                    Err(_) => return Ok(None),
                    Ok(Replayed::Spurious(word)) => {
                        words.push(word);
                        continue;
                    }
                    Ok(Replayed::Run(steps)) => {
                        return of_run(file, bad, outcome.engine, steps).map(Some);
                    }
                }
            }
        };
        return Ok(Some(OwnResult {
            is_safe: true,
            engine: outcome.engine,
            depth: outcome.depth,
            judgement,
            evidence,
            model: None,
            loop_start: None,
        }));
    }
    Ok(None)
}
