//! The circuit engines on the single-loop program.

use craig_mc::{Alone, Board, Control};
use std::sync::Arc;

use craig_mc::engine::pdr;
use craig_model::{
    Certificate, Model, Outcome, Stop, Trace, UnknownReason, Verdict as ModelVerdict,
};
use craig_program::line_up::{Condition, Stage, StageName};
use craig_program::words::{Strong, signals, strengthen};
use craig_program::{Answer, Bad, Blocks, Cfa, CfaModel, Facts, Recoded, explicit};
use craig_verify::{AutomatonTask, Proven};

use crate::automaton::Automaton;
use crate::loop_search::Search;
use crate::program_engines;
use crate::program_engines::Decision;
use crate::strengthened::{INVARIANTS, by_invariants, without_constraints};
use crate::verdict::Verdict;
use craig_c_lang::ir::Program;

/// The name of these engines in reports.
pub(crate) const NAME: &str = "single loop";

/// Checks a program.
pub(crate) fn check(program: &Program, search: &Search, control: Control<'_>) -> Verdict {
    let mut automaton = match Automaton::havocking(program, Blocks::Large, control.stop) {
        Ok(automaton) => automaton,
        Err(reason) => return Verdict::Unknown(reason),
    };
    let first = decide(
        program,
        &mut automaton,
        search,
        Bad::ErrorOrUnsupported,
        control,
    );
    // If some path is not supported, an error may still be found on another.
    match first {
        Decision::Left(reason) => {
            if !automaton.is_exact {
                automaton = match Automaton::new(program, Blocks::Large, control.stop) {
                    Ok(automaton) => automaton,
                    Err(reason) => return Verdict::Unknown(reason),
                };
            }
            match decide(program, &mut automaton, search, Bad::Error, control) {
                Decision::Verdict(found @ (Verdict::Unsafe(_) | Verdict::Internal(_))) => found,
                _ => Verdict::Unknown(UnknownReason::Unsupported(reason)),
            }
        }
        Decision::Verdict(verdict) => verdict,
    }
}

/// Checks a program with summaries of the objects that it allocates in loops. Proofs are of the program; a
/// path to an error counts if it replays.
pub(crate) fn check_with_summaries(
    program: &Program,
    search: &Search,
    control: Control<'_>,
) -> Verdict {
    let mut automaton = match Automaton::with_summaries(program, control.stop) {
        Ok(Some(automaton)) => automaton,
        Ok(None) => {
            return Verdict::Unknown(UnknownReason::Unsupported(
                "no loop allocates objects".into(),
            ));
        }
        Err(reason) => return Verdict::Unknown(reason),
    };
    let bad = Bad::ErrorOrUnsupported;
    match decide(program, &mut automaton, search, bad, control) {
        Decision::Left(reason) => Verdict::Unknown(UnknownReason::Unsupported(reason)),
        Decision::Verdict(Verdict::Safe(mut safety)) => {
            safety.text += "; of each allocation in a loop, one object is followed";
            Verdict::Safe(safety)
        }
        Decision::Verdict(verdict) => verdict,
    }
}

/// The verdict on a strengthened model, if it is found quickly. The usual reductions remove a constraint that
/// holds in all reachable states, and with it the information that makes the proof easy.
fn directly(strong: &Strong, search: &Search, control: Control<'_>) -> Option<Outcome> {
    if let Some(certificate) = by_invariants(strong) {
        return Some(Outcome {
            verdict: ModelVerdict::Safe(Box::new(certificate)),
            engine: INVARIANTS,
            depth: 1,
        });
    }
    let stage = search.stages.get(StageName::Strengthened)?;
    let own = Alone::until(stage.limit(control.stop));
    let outcome = pdr::check(&strong.model, 0, &pdr::Options::default(), own.control());
    (!matches!(outcome.verdict, ModelVerdict::Unknown(_))).then_some(outcome)
}

/// What proofs with indices are called in notes.
const WITH_INDICES: &str = "with indices";

/// What the search of explicit states comes to, if it decides the automaton of an event loop. It has indices for words of
/// few values, and for words and inputs that are compared with constants alone: an index is then an interval between these.
fn explicitly(
    program: &Program,
    automaton: &mut Automaton<'_>,
    recoded: Option<&mut Recoded>,
    (bad, stage): (Bad, &Stage),
    control: Control<'_>,
) -> Option<Decision> {
    let own = Alone::until(stage.limit(control.stop));
    let cfa = recoded
        .as_ref()
        .map_or(&automaton.cfa, |recoded| &recoded.cfa);
    let answer = match (explicit::check(cfa, bad, own.control()), recoded) {
        (Answer::Unknown(reason), _) => {
            control
                .listener
                .note(NAME, || format!("explicit states: {reason}"));
            return None;
        }
        (answer, None) => answer,
        (Answer::Unsafe(run), Some(recoded)) => Answer::Unsafe(recoded.run(&automaton.cfa, &run)?),
        (Answer::Safe(invariant), Some(recoded)) => {
            let (encoded, inner) = (automaton.cfa.to_model(bad), recoded.cfa.to_model(bad));
            let certificate = invariant.certificate(&recoded.cfa, &inner);
            let certificate =
                recoded.certificate(&automaton.cfa, &encoded, &inner, &certificate)?;
            let names = (explicit::NAME, WITH_INDICES);
            return certify_lifted(automaton, &encoded, certificate, names, control);
        }
    };
    Some(program_engines::certify_answer(
        program,
        automaton,
        explicit::NAME,
        (bad, answer),
        None,
        control.stop,
    ))
}

/// What the engines find on the automaton unfolded over its status words ([`Cfa::unfolded`]), if that decides the
/// program.
///
/// [`Cfa::unfolded`]: craig_program::Cfa::unfolded
fn unfolded(
    program: &Program,
    automaton: &mut Automaton<'_>,
    (encoded, bad): (&CfaModel, Bad),
    search: &Search,
    control: Control<'_>,
) -> Option<Decision> {
    let stages = &search.stages;
    let (building, engines) = (
        stages.get(StageName::Unfolding)?,
        stages.get(StageName::Unfolded)?,
    );
    let stop = building.limit(control.stop);
    let mut unfolded = automaton.cfa.unfolded(bad, &stop).ok().flatten()?;
    let inner = unfolded.cfa.to_model(bad);
    control.listener.note(NAME, || {
        format!(
            "{} cuts, unfolded over status words: {} locations, {} edges, {} latches, {} nodes",
            automaton.n_cuts(),
            unfolded.cfa.locations().len(),
            unfolded.cfa.edges().len(),
            inner.model.latches.len(),
            inner.model.aig.n_nodes()
        )
    });
    let own = Alone::heard_by(control.listener, engines.limit(control.stop));
    let unfolded_task = (&unfolded.cfa, &inner, bad);
    let (outcome, strong) = searched(unfolded_task, search, own.control()).ok()?;
    let decision = match outcome.verdict {
        ModelVerdict::Unknown(_) => return None,
        ModelVerdict::Unsafe(trace) => {
            let trace = unfolded.trace(encoded, &inner, &trace);
            replay_trace(program, automaton, (encoded, bad), &trace, control.stop)
        }
        ModelVerdict::Safe(certificate) => {
            let cfa = &automaton.cfa;
            let certificate = match strong {
                Some(strong) if strong.is_enough => {
                    unfolded.from_invariant(cfa, encoded, &inner, &strong)
                }
                _ => {
                    let certificate = without_constraints(*certificate);
                    unfolded.certificate(cfa, encoded, &inner, &certificate)?
                }
            };
            let names = (UNFOLDING, "of the unfolded automaton");
            certify_lifted(automaton, encoded, certificate, names, control)?
        }
    };
    control.listener.note(NAME, || {
        format!("{} on the unfolded automaton", outcome.engine)
    });
    // The automaton itself may have another path, or fewer places that are not supported.
    matches!(
        decision,
        Decision::Verdict(Verdict::Safe(_) | Verdict::Unsafe(_))
    )
    .then_some(decision)
}

/// What the engines find on the automaton with indices for words of few values ([`Cfa::recoded`]); `None` if few latches
/// are saved, or if it is not decided. Its evidence is checked.
///
/// [`Cfa::recoded`]: craig_program::Cfa::recoded
fn with_indices(
    program: &Program,
    automaton: &mut Automaton<'_>,
    (encoded, bad): (&CfaModel, Bad),
    mut recoded: Recoded,
    search: &Search,
    control: Control<'_>,
) -> Option<Decision> {
    let inner = recoded.cfa.to_model(bad);
    control.listener.note(NAME, || {
        format!(
            "with indices for words of few values: {} latches, {} inputs, {} nodes",
            inner.model.latches.len(),
            inner.model.inputs.len(),
            inner.model.aig.n_nodes()
        )
    });
    let stage = search.stages.get(StageName::Domains)?;
    let n_latches = encoded.model.latches.len();
    let fewer = n_latches.saturating_sub(inner.model.latches.len());
    if !stage.is_reached(Condition::SavedFrom, fewer * 100 / n_latches.max(1)) {
        return None;
    }
    let own = Alone::heard_by(control.listener, stage.limit(control.stop));
    let (outcome, _) = searched((&recoded.cfa, &inner, bad), search, own.control()).ok()?;
    match outcome.verdict {
        ModelVerdict::Unknown(_) => None,
        ModelVerdict::Unsafe(trace) => {
            let trace = recoded.trace(encoded, &inner, &trace);
            Some(replay_trace(
                program,
                automaton,
                (encoded, bad),
                &trace,
                control.stop,
            ))
        }
        ModelVerdict::Safe(certificate) => {
            let certificate = without_constraints(*certificate);
            let certificate = recoded.certificate(&automaton.cfa, encoded, &inner, &certificate)?;
            let names = (outcome.engine, WITH_INDICES);
            certify_lifted(automaton, encoded, certificate, names, control)
        }
    }
}

/// The name of the engines on an unfolded automaton in reports.
const UNFOLDING: &str = "unfolding";

/// The outcome of the engines on the circuit of an automaton, and the model with invariants as constraints, if there are
/// some.
fn searched(
    (cfa, encoded, bad): (&Cfa, &CfaModel, Bad),
    search: &Search,
    control: Control<'_>,
) -> Result<(Outcome, Option<Strong>), String> {
    let strong = (search.stages.has(StageName::Invariants))
        .then(|| strengthen(&encoded.model, &encoded.vocabulary, control))
        .flatten();
    if let Some(outcome) = strong
        .as_ref()
        .and_then(|strong| directly(strong, search, control))
    {
        return Ok((outcome, strong));
    }
    let model = strong.as_ref();
    let model = model.map_or(&encoded.model, |strong| &strong.model);
    if let Some(stage) = search.stages.get(StageName::Signals)
        && let Some(outcome) = with_signals(model, encoded, stage, control)
    {
        return Ok((outcome, strong));
    }
    let facts = (strong.as_ref())
        .filter(|_| search.searches_automata())
        .map(|strong| Arc::new(Facts::new(cfa, encoded, strong)));
    let signals = match search.wants_signals() {
        true => signals(model, &encoded.vocabulary),
        false => None,
    };
    let (model, signals) = match &signals {
        Some((model, formulas)) => (model, &formulas[..]),
        None => (model, &[][..]),
    };
    let task = AutomatonTask {
        model,
        cfa,
        bad,
        facts,
        signals,
    };
    // What engines share is about this model: other searches borrow another board.
    let board = Board::about(model, 0);
    let own = Control {
        board: &board,
        ..control
    };
    let outcome = (search.decide)(&task, own)?;
    Ok((outcome, strong))
}

/// What PDR with predicates over the words of a model comes to, if it decides it. The model is that of the circuit, maybe
/// with more constraints.
fn with_signals(
    model: &Model,
    encoded: &CfaModel,
    stage: &Stage,
    control: Control<'_>,
) -> Option<Outcome> {
    let most = stage.condition(Condition::NodesTo);
    if most.is_some_and(|most| model.aig.n_nodes() as u64 > most) {
        return None;
    }
    let (model, formulas) = signals(model, &encoded.vocabulary)?;
    let own = Alone::heard_by(control.listener, stage.limit(control.stop));
    let options = pdr::Options::default();
    let outcome = pdr::check_with_signals(&model, 0, &formulas, &options, own.control());
    let is_decided = !matches!(outcome.verdict, ModelVerdict::Unknown(_));
    control.listener.note(NAME, || {
        let what = if is_decided { "" } else { "no " };
        format!("{} predicates as signals: {what}answer", formulas.len())
    });
    is_decided.then_some(outcome)
}

/// What invariants, explicit states, unfolding and the engines find on an automaton.
pub(crate) fn decide(
    program: &Program,
    automaton: &mut Automaton<'_>,
    search: &Search,
    bad: Bad,
    control: Control<'_>,
) -> Decision {
    let stages = &search.stages;
    let explicit = stages.get(StageName::Explicit);
    let has_unfolding = stages.has(StageName::Unfolding);
    let is_event_loop = (explicit.is_some() || has_unfolding) && automaton.cfa.has_event_loop();
    let mut recoded = match stages.has(StageName::Domains) {
        true => automaton.cfa.recoded(),
        false => None,
    };
    if is_event_loop && let Some(stage) = explicit {
        let what = (bad, stage);
        let found = explicitly(program, automaton, recoded.as_mut(), what, control);
        if let Some(decision) = found {
            return decision;
        }
    }
    let encoded = automaton.cfa.to_model(bad);
    control.listener.note(NAME, || {
        format!(
            "{} cuts, {} latches, {} inputs, {} nodes",
            automaton.n_cuts(),
            encoded.model.latches.len(),
            encoded.model.inputs.len(),
            encoded.model.aig.n_nodes()
        )
    });
    if is_event_loop && has_unfolding {
        // Where the branches of an iteration follow each other, an edge for each combination of their outcomes would be
        // too many.
        let again = automaton.cut_again(Blocks::Sections, control.stop);
        let decision = match again.ok().flatten() {
            Some(mut sections) => {
                let encoded = sections.cfa.to_model(bad);
                unfolded(program, &mut sections, (&encoded, bad), search, control)
            }
            None => unfolded(program, automaton, (&encoded, bad), search, control),
        };
        if let Some(decision) = decision {
            return decision;
        }
    }
    if let Some(recoded) = recoded {
        let found = with_indices(
            program,
            automaton,
            (&encoded, bad),
            recoded,
            search,
            control,
        );
        if let Some(decision) = found {
            return decision;
        }
    }
    match searched((&automaton.cfa, &encoded, bad), search, control) {
        Ok((outcome, strong)) => {
            let found = (outcome, strong.is_some());
            concluded(program, automaton, (encoded, bad), found, control.stop)
        }
        Err(message) => Decision::Verdict(Verdict::Internal(message)),
    }
}

/// The verdict that an outcome of the engines on the circuit of an automaton comes to; with it, whether it is that of a
/// model with invariants as constraints. Its evidence is checked.
fn concluded(
    program: &Program,
    automaton: &mut Automaton<'_>,
    (encoded, bad): (CfaModel, Bad),
    (outcome, is_strong): (Outcome, bool),
    stop: &Stop,
) -> Decision {
    Decision::Verdict(match outcome.verdict {
        ModelVerdict::Unknown(reason) => Verdict::Unknown(reason),
        ModelVerdict::Safe(certificate) => {
            let certificate = if is_strong {
                without_constraints(*certificate)
            } else {
                *certificate
            };
            let names = (outcome.engine, None);
            program_engines::certify(automaton, &encoded, certificate, names, stop)
        }
        ModelVerdict::Unsafe(trace) => {
            return replay_trace(program, automaton, (&encoded, bad), &trace, stop);
        }
    })
}

/// What a trace of an automaton's circuit comes to: it counts if it replays.
pub(crate) fn replay_trace(
    program: &Program,
    automaton: &Automaton<'_>,
    (encoded, bad): (&CfaModel, Bad),
    trace: &Trace,
    stop: &Stop,
) -> Decision {
    let facts = automaton.facts(encoded, trace);
    let is_stuck = bad == Bad::ErrorOrUnsupported && automaton.has_stuck();
    program_engines::replay_path(program, automaton, facts, is_stuck, stop)
}

/// The verdict of a proof that was lifted to an automaton's circuit; `None` if the check refuses it. `which` says in notes
/// what the proof was about.
fn certify_lifted(
    automaton: &mut Automaton<'_>,
    encoded: &CfaModel,
    certificate: Certificate,
    (engine, which): (&'static str, &str),
    control: Control<'_>,
) -> Option<Decision> {
    let proven = match Proven::certify(&encoded.model, 0, certificate) {
        Ok(proven) => proven,
        Err(error) => {
            control
                .listener
                .note(NAME, || format!("the proof {which}: {error}"));
            return None;
        }
    };
    let names = (engine, None);
    let verdict = program_engines::safe_by(automaton, encoded, proven, names, control.stop);
    Some(Decision::Verdict(verdict))
}
