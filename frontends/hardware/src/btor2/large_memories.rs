//! Circuits with memories that are too large for bits: abstractions that follow few words, refined until one
//! is decided, and beside them a search for errors that follows all writes.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use craig_mc::engine::bmc;
use craig_mc::word_system::{WordStep, blast, chains};
use craig_mc::{Alone, Control};
use craig_model::{Stop, UnknownReason, Verdict};
use craig_verify::{
    Amount, Answer, Apart, Engines, Judgement, Lemmas, Search, Stage, StageName, VerifyError,
};
use craig_word::Sort;

use super::abstraction::{Abstraction, MOST_EXACT_BITS, Replayed};
use super::certify::{WordCertifyError, certify, witness_of};
use super::evaluate::{check_lasso, first_bad_step, replay};
use super::live_to_safe::{lasso_of, live_to_safe};
use super::model::{Argument, Btor2, Line};
use super::operator::Operator;
use super::{read, system_of, trace, write};

/// With more tracked words than this, the refinement is taken for one that does not end.
const MOST_WORDS: usize = 24;

/// The propagated literals of the first query of that search that is put off.
const FIRST_PROPAGATIONS: u64 = 5_000_000;
/// Between two looks at whether to stop.
const LOOK: Duration = Duration::from_millis(20);

/// The evidence of an answer that was found without the circuit of bits of the file.
#[derive(Clone, Debug)]
pub struct WordEvidence {
    /// The content of its file: a run, or a witness circuit over words.
    pub text: Vec<u8>,
    /// The content of the circuit that a witness circuit is about, if that is not the file.
    pub model: Option<Vec<u8>>,
}

/// What a way to decide a bad comes to: no answer, or one that was certified on the file.
type Found = Result<Option<Apart<WordEvidence>>, VerifyError>;

/// Decides a bad. A run is one of the file, and has been replayed there; a proof is a witness circuit over
/// the words of the file. `None` if there is no answer.
pub(super) fn decide(file: &Btor2, search: &Search, bad: usize, control: Control<'_>) -> Found {
    let schedule = search.schedule();
    let chains = schedule.stages.get(StageName::Chains);
    let memories = schedule.stages.get(StageName::Memories);
    let (Some(chains), Some(_)) = (chains, memories) else {
        return match (chains, memories) {
            (Some(_), _) => by_chains(file, search, bad, control),
            (_, Some(_)) => by_abstraction(file, search, bad, control),
            (None, None) => Ok(None),
        };
    };
    let mut ways: Vec<(Way, Stop)> = Vec::new();
    match &schedule.engines {
        Engines::LineUp(_) if schedule.threads > 1 => {
            return side_by_side(&[by_chains, by_abstraction], file, search, bad, control);
        }
        Engines::LineUp(_) => {
            ways.push((by_chains, chains.limit(control.stop)));
            ways.push((by_abstraction, control.stop.clone()));
            ways.push((by_chains, control.stop.clone()));
        }
        Engines::One(engine, _) if engine.name == bmc::NAME => {
            ways.push((by_chains, control.stop.clone()));
            ways.push((by_abstraction, control.stop.clone()));
        }
        Engines::One(..) => ways.push((by_abstraction, control.stop.clone())),
    }
    for (way, stop) in ways {
        let control = Control {
            stop: &stop,
            ..control
        };
        if let Some(found) = way(file, search, bad, control)? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// Decides whether any bad is reachable. A run names the first bad that it reaches, a proof is about all.
pub(super) fn decide_any(file: &Btor2, search: &Search, control: Control<'_>) -> Found {
    any(file, decide(&united(file), search, 0, control)?)
}

/// What was found about the disjunction of all bads, with the first bad that a run reaches.
fn any(file: &Btor2, found: Option<Apart<WordEvidence>>) -> Found {
    let Some(mut found) = found else {
        return Ok(None);
    };
    if found.answer == Answer::Unsafe && !matches!(found.judgement, Judgement::Invalid(_)) {
        let mut run = trace::read(&found.evidence.text, "run", file).map_err(internal)?;
        match replay(file, &run) {
            Ok(steps) => {
                let is_shown = |&bad: &usize| first_bad_step(&steps, bad).is_some();
                run.bads = (0..file.bads.len()).find(is_shown).into_iter().collect();
                if run.bads.is_empty() {
                    found.judgement = Judgement::Invalid("the run shows no bad".to_owned());
                }
            }
            Err(reason) => found.judgement = Judgement::Invalid(reason),
        }
        found.evidence.text = text_of(file, &run)?;
    }
    Ok(Some(found))
}

/// As [`decide_bounded`], for the question whether any bad is reachable.
pub(super) fn decide_any_bounded(file: &Btor2, search: &Search, control: Control<'_>) -> Found {
    match search.schedule().engines {
        Engines::LineUp(_) => Ok(None),
        Engines::One(..) => any(file, decide_bounded(&united(file), search, 0, control)?),
    }
}

/// A run in the format of `btorsim`.
fn text_of(file: &Btor2, run: &trace::Trace) -> Result<Vec<u8>, VerifyError> {
    let mut text = Vec::new();
    trace::write(file, run, &mut text).map_err(internal)?;
    Ok(text)
}

/// The file with a single bad: the disjunction of its bads.
fn united(file: &Btor2) -> Btor2 {
    let mut file = file.clone();
    let mut any: Option<Argument> = None;
    for line in std::mem::take(&mut file.bads) {
        any = Some(match any {
            None => line.value,
            Some(any) => {
                let operands = [any, line.value];
                file.add_operation(Operator::Or, Sort::BitVector(1), &operands)
            }
        });
    }
    let line = |value| Line {
        value,
        symbol: String::new(),
    };
    file.bads = any.map(line).into_iter().collect();
    file
}

/// Decides a justice property as the bad of another circuit in BTOR2: a proof is a witness circuit of that
/// one. A run is one of the file, and has been replayed there. `None` if there is no answer.
pub(super) fn decide_justice(
    file: &Btor2,
    search: &Search,
    property: usize,
    control: Control<'_>,
) -> Found {
    let mut model = Vec::new();
    write(&live_to_safe(file, property), &mut model).map_err(internal)?;
    // As it will be read: with the identifiers that the witness circuit names.
    let safety = read(&model, "live-to-safe").map_err(internal)?;
    let Some(mut found) = decide(&safety, search, 0, control)? else {
        return Ok(None);
    };
    found.phase = StageName::MemoryJustice.name();
    match found.answer {
        Answer::Safe => {
            found.evidence.model = Some(model);
            return Ok(Some(found));
        }
        Answer::Unknown => return Ok(Some(found)),
        Answer::Unsafe => {}
    }
    let begin = Instant::now();
    let run = trace::read(&found.evidence.text, "run", &safety).map_err(internal)?;
    let Some((lasso, loop_start)) = lasso_of(file, property, &run, found.depth) else {
        return Err(VerifyError::internal(
            "a run against a justice property has no loop",
        ));
    };
    found.judgement = Judgement::of(check_lasso(file, &lasso, property, loop_start), begin);
    found.evidence.text = text_of(file, &lasso)?;
    found.loop_start = Some(loop_start);
    Ok(Some(found))
}

/// An error of writing or reading what this process has made.
fn internal(error: impl Into<Box<dyn std::error::Error>>) -> VerifyError {
    VerifyError::internal(error.into().to_string())
}

/// A way to decide a bad.
type Way = fn(&Btor2, &Search, usize, Control<'_>) -> Found;

/// The first result of several ways. The others are cancelled then, and not awaited: one that does not poll must
/// not hold up a result.
fn side_by_side(
    ways: &[Way],
    file: &Btor2,
    search: &Search,
    bad: usize,
    control: Control<'_>,
) -> Found {
    let inner = Alone {
        stop: control.stop.cancelled_apart(),
        board: control.board.hints(),
        listener: control.listener.clone(),
    };
    let shared = Arc::new((file.clone(), search.clone()));
    let (sender, results) = mpsc::channel();
    for &way in ways {
        let (sender, inner, shared) = (sender.clone(), inner.clone(), Arc::clone(&shared));
        thread::spawn(move || {
            let result = catch_unwind(AssertUnwindSafe(|| {
                way(&shared.0, &shared.1, bad, inner.control())
            }));
            let panicked = |_| {
                let message = "a search about large memories panicked";
                Err(VerifyError::internal(message))
            };
            // After the first result, the receiver is gone.
            let _ = sender.send(result.unwrap_or_else(panicked));
        });
    }
    drop(sender);
    loop {
        match results.recv_timeout(LOOK) {
            Ok(Ok(None)) => {}
            Ok(found) => {
                inner.stop.cancel();
                return found;
            }
            Err(mpsc::RecvTimeoutError::Timeout) => {
                if control.stop.reason().is_some() {
                    inner.stop.cancel();
                }
            }
            Err(mpsc::RecvTimeoutError::Disconnected) => return Ok(None),
        }
    }
}

/// Searches for a run, step by step, with memories as chains of their writes.
fn by_chains(file: &Btor2, search: &Search, bad: usize, control: Control<'_>) -> Found {
    let system = system_of(file);
    let bounds = chains::Bounds {
        last: search.schedule().max_depth,
        propagations: (!search.schedule().is_shortest()).then_some(FIRST_PROPAGATIONS),
    };
    // In a line-up, others may prove what is open.
    let is_bounded = !search.schedule().is_line_up();
    match chains::search(&system, bad, bounds, control) {
        Ok(steps) => of_run(file, bad, (chains::NAME, StageName::Chains), steps).map(Some),
        Err(UnknownReason::Unsupported(reason)) => {
            control.listener.note(chains::NAME, || reason);
            Ok(None)
        }
        Err(reason @ UnknownReason::Bound(_)) if is_bounded => Ok(Some(Apart {
            answer: Answer::Unknown,
            depth: bounds.last.map_or(0, |last| last + 1),
            reason: Some(reason),
            engine: chains::NAME,
            phase: StageName::Chains.name(),
            loop_start: None,
            judgement: Judgement::None,
            evidence: WordEvidence {
                text: Vec::new(),
                model: None,
            },
        })),
        Err(_) => Ok(None),
    }
}

/// The result of a run that an engine has found: it is replayed on the file.
fn of_run(
    file: &Btor2,
    bad: usize,
    (engine, stage): (&'static str, StageName),
    steps: Vec<WordStep>,
) -> Result<Apart<WordEvidence>, VerifyError> {
    let begin = Instant::now();
    let run = trace::Trace {
        bads: vec![bad],
        justice: Vec::new(),
        steps,
    };
    let first = replay(file, &run).and_then(|values| {
        first_bad_step(&values, bad).ok_or("the bad does not hold in the run".to_owned())
    });
    Ok(Apart {
        answer: Answer::Unsafe,
        reason: None,
        engine,
        phase: stage.name(),
        depth: first.clone().unwrap_or_default(),
        loop_start: None,
        judgement: Judgement::of(first.map(|_| ()), begin),
        evidence: WordEvidence {
            text: text_of(file, &run)?,
            model: None,
        },
    })
}

/// The stage for circuits whose memories could be bits, if a bad depends on one that is large.
pub(super) fn few_words<'a>(file: &Btor2, search: &'a Search, bad: usize) -> Option<&'a Stage> {
    let schedule = search.schedule();
    let stage = schedule.stages.get(StageName::FewWords)?;
    // An engine that was named decides alone.
    if !schedule.is_line_up() || schedule.passes.is_none() {
        return None;
    }
    has_large_memories(file, bad, stage).then_some(stage)
}

/// Whether a bad depends on a memory that is large for a stage.
fn has_large_memories(file: &Btor2, bad: usize, stage: &Stage) -> bool {
    let abstraction = Abstraction::new(file, bad, &[], most_bits(stage));
    abstraction.is_ok_and(|it| !it.is_exact())
}

fn most_bits(stage: &Stage) -> u64 {
    u64::from(stage.amount(Amount::BitsFrom)).saturating_sub(1)
}

/// Decides a bad of a circuit whose memories could be bits, in the limits of the stage.
pub(super) fn decide_with_few_words(
    file: &Btor2,
    search: &Search,
    bad: usize,
    control: Control<'_>,
) -> Found {
    let Some(stage) = few_words(file, search, bad) else {
        return Ok(None);
    };
    let stop = stage.limit(control.stop);
    let own = Control {
        stop: &stop,
        ..control
    };
    let of = (most_bits(stage), StageName::FewWords);
    follow_words(file, search, bad, of, own)
}

/// Searches for a run of a circuit whose memories could be bits, if bounded model checking is named and one is large.
pub(super) fn decide_bounded(
    file: &Btor2,
    search: &Search,
    bad: usize,
    control: Control<'_>,
) -> Found {
    let schedule = search.schedule();
    match &schedule.engines {
        // How memories are searched is no stage: it counts without stages, too.
        Engines::One(engine, _)
            if engine.name == bmc::NAME
                && has_large_memories(file, bad, &schedule.stages.row(StageName::FewWords)) =>
        {
            by_chains(file, search, bad, control)
        }
        _ => Ok(None),
    }
}

/// Decides a bad by abstractions that follow few words of each large memory.
fn by_abstraction(file: &Btor2, search: &Search, bad: usize, control: Control<'_>) -> Found {
    let of = (MOST_EXACT_BITS, StageName::Memories);
    follow_words(file, search, bad, of, control)
}

/// Decides a bad by abstractions that follow few words of each memory with more than `most_bits` bits.
fn follow_words(
    file: &Btor2,
    search: &Search,
    bad: usize,
    (most_bits, stage): (u64, StageName),
    control: Control<'_>,
) -> Found {
    let mut words = Vec::new();
    while words.len() <= MOST_WORDS {
        let Ok(abstraction) = Abstraction::new(file, bad, &words, most_bits) else {
            return Ok(None);
        };
        let system = system_of(&abstraction.model);
        let Ok(bits) = blast(&system) else {
            return Ok(None);
        };
        control.listener.note("memories", || {
            format!("{} words of large memories are followed", words.len())
        });
        // Each abstraction has latches of its own, so that nothing is shared.
        let own = Alone::until(control.stop.clone());
        let mut lemmas = Lemmas::default();
        let outcome = search
            .check_words(&system, &bits, 0, &mut lemmas, own.control())?
            .outcome;
        let engine = outcome.engine;
        match &outcome.verdict {
            Verdict::Unknown(_) => return Ok(None),
            Verdict::Safe(certificate) => {
                let witness = witness_of(&abstraction.model, &bits, certificate);
                let witness = abstraction.lift_witness(file, &witness);
                let mut text = Vec::new();
                write(&witness, &mut text).map_err(internal)?;
                return Ok(Some(Apart {
                    answer: Answer::Safe,
                    reason: None,
                    engine,
                    phase: stage.name(),
                    depth: outcome.depth,
                    loop_start: None,
                    judgement: judged(file, bad, &witness, search)?,
                    evidence: WordEvidence { text, model: None },
                }));
            }
            Verdict::Unsafe(run) => {
                let run = bits.lift(&run.initial, &run.inputs);
                match abstraction.replay(file, &run, most_bits) {
                    Err(_) => return Ok(None),
                    Ok(Replayed::Spurious(word)) => words.push(word),
                    Ok(Replayed::Run(steps)) => {
                        return of_run(file, bad, (engine, stage), steps).map(Some);
                    }
                }
            }
        }
    }
    Ok(None)
}

/// The judgement about a witness circuit over the words of a file.
fn judged(
    file: &Btor2,
    bad: usize,
    witness: &Btor2,
    search: &Search,
) -> Result<Judgement, VerifyError> {
    if !search.schedule().certify {
        return Ok(Judgement::None);
    }
    let begin = Instant::now();
    match certify(file, &[bad], witness) {
        Err(WordCertifyError::Solver(message)) => Err(VerifyError::internal(message)),
        result => Ok(Judgement::of(result, begin)),
    }
}
