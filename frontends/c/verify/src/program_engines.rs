//! The engines for programs on the control-flow automaton.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use craig_mc::Control;
use craig_mc::engine::options::{Settings, Value};
use craig_model::{Certificate, Stop, UnknownReason};
use craig_program::engine::{Arrays, BLOCKS, ProgramEngine, ProgramRun, Query, arrays, blocks};
use craig_program::line_up::{Stage, StageName};
use craig_program::words::strengthen;
use craig_program::{Answer, Bad, Blocks, Cfa, CfaModel, Drawing, Facts, Invariant, WordInvariant};
use craig_verify::Proven;

use crate::automaton::Automaton;
use crate::evidence::{Evidence, Safety};
use crate::strengthened::{INVARIANTS, by_invariants, without_constraints};
use crate::verdict::Verdict;
use craig_c_exec::concrete::machine::End;
use craig_c_exec::concrete::replay::{Fact, error_of};
use craig_c_lang::ir::Program;

/// Why a path of an over-approximation counts for nothing.
pub(crate) const DEPENDS_ON_HAVOCKED: &str =
    "a path was found that depends on the contents of large or many objects";

/// An engine for programs with its options chosen.
#[derive(Clone)]
pub struct ProgramSearch {
    /// The name under which it reports.
    pub(crate) name: &'static str,
    /// `None`: large blocks, and basic blocks if the engine gives up.
    pub(crate) blocks: Option<Blocks>,
    /// What the automaton has of arrays.
    pub(crate) arrays: Arrays,
    run: ProgramRun,
    /// The names of the options that have other values than by default.
    changed: Vec<&'static str>,
    /// The time for what is proved of the words first, which the engine assumes; `None` if that is not wanted.
    invariants: Option<Stage>,
    /// Takes the engine's tree, if it is wanted.
    drawing: Option<Arc<Mutex<Option<Drawing>>>>,
}

impl ProgramSearch {
    /// The engine with these options.
    #[must_use]
    pub fn new(engine: &ProgramEngine, settings: &Settings) -> Self {
        let default = Settings::default();
        let options = engine.options.iter();
        // A switch that is off may be absent.
        let value = |settings: &Settings, option| {
            (settings.value(option)).filter(|value| *value != Value::Switch(false))
        };
        let changed = options.filter(|option| value(settings, option) != value(&default, option));
        Self {
            name: engine.name,
            changed: changed.map(|option| option.name).collect(),
            blocks: blocks(settings),
            arrays: arrays(settings),
            run: (engine.build)(settings),
            invariants: None,
            drawing: None,
        }
    }

    /// An option of lazy annotation that is not for the annotation of calls, if one was chosen.
    pub(crate) fn option_of_locations(&self) -> Option<&'static str> {
        let mut changed = self.changed.iter().copied();
        changed.find(|&name| name != BLOCKS.name)
    }

    /// This engine, after a search for invariants over the words of the program. They may prove it by themselves; otherwise
    /// the engine assumes them.
    #[must_use]
    pub fn with_invariants(mut self) -> Self {
        self.invariants = Some(Stage::new(StageName::Invariants));
        self
    }

    /// As [`Self::with_invariants`] with the limits of this stage, unless invariants are wanted already. A tree that is drawn is
    /// one that the engine finds without help.
    pub(crate) fn with_invariants_of(&self, stage: &Stage) -> Self {
        let mut search = self.clone();
        if search.invariants.is_none() && search.drawing.is_none() {
            search.invariants = Some(stage.clone());
        }
        search
    }

    /// This engine, which keeps the tree of its last search.
    #[must_use]
    pub fn with_drawing(mut self) -> Self {
        self.drawing = Some(Arc::default());
        self
    }

    /// Takes the tree of the last search.
    #[must_use]
    pub fn take_drawing(&self) -> Option<Drawing> {
        let slot = self.drawing.as_ref()?;
        slot.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl fmt::Debug for ProgramSearch {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "ProgramSearch({})", self.name)
    }
}

/// Checks a program whose arrays have a word for each element.
pub(crate) fn check(program: &Program, search: &ProgramSearch, control: Control<'_>) -> Verdict {
    if let Some(blocks) = search.blocks {
        return check_blocks(program, search, blocks, false, control);
    }
    match check_blocks(program, search, Blocks::Large, true, control) {
        Verdict::Unknown(UnknownReason::Bound(text)) => {
            control
                .listener
                .note(search.name, || format!("{text}; again with basic blocks"));
            check_blocks(program, search, Blocks::Basic, false, control)
        }
        verdict => verdict,
    }
}

/// Checks a program cut into such blocks.
fn check_blocks(
    program: &Program,
    search: &ProgramSearch,
    blocks: Blocks,
    may_give_up: bool,
    control: Control<'_>,
) -> Verdict {
    let mut automaton = match Automaton::havocking(program, blocks, control.stop) {
        Ok(automaton) => automaton,
        Err(reason) => return Verdict::Unknown(reason),
    };
    control.listener.note(search.name, || {
        let cfa = &automaton.cfa;
        format!(
            "{} locations, {} edges",
            cfa.locations().len(),
            cfa.edges().len()
        )
    });
    control
        .listener
        .count("locations", automaton.cfa.locations().len());
    control.listener.count("edges", automaton.cfa.edges().len());
    let bads = [Bad::ErrorOrUnsupported, Bad::Error];
    let mut left = None;
    for bad in bads {
        match decide(program, &mut automaton, search, (bad, may_give_up), control) {
            // If some path is not supported, an error may still be found on another.
            Decision::Left(reason) => {
                left = left.or(Some(reason));
                if bad == Bad::ErrorOrUnsupported && !automaton.is_exact {
                    automaton = match Automaton::new(program, blocks, control.stop) {
                        Ok(automaton) => automaton,
                        Err(reason) => return Verdict::Unknown(reason),
                    };
                }
            }
            Decision::Verdict(found @ (Verdict::Unsafe(_) | Verdict::Internal(_))) => {
                return found;
            }
            Decision::Verdict(verdict) => {
                return match left {
                    Some(reason) => Verdict::Unknown(UnknownReason::Unsupported(reason)),
                    None => verdict,
                };
            }
        }
    }
    let reason = left.unwrap_or_default();
    Verdict::Unknown(UnknownReason::Unsupported(reason))
}

/// What a search of an automaton comes to.
pub(crate) enum Decision {
    /// A verdict.
    Verdict(Verdict),
    /// A path ends at an unsupported construct.
    Left(String),
}

/// What the engine finds on an automaton.
pub(crate) fn decide(
    program: &Program,
    automaton: &mut Automaton<'_>,
    search: &ProgramSearch,
    (bad, may_give_up): (Bad, bool),
    control: Control<'_>,
) -> Decision {
    let query = Query {
        bad,
        draws: search.drawing.is_some(),
        may_give_up,
    };
    let known = search.invariants.as_ref().map(|stage| {
        let stop = &stage.limit(control.stop);
        facts(automaton, bad, Control { stop, ..control })
    });
    let facts = match known {
        Some(Known::Proof(decision)) => return decision,
        Some(Known::Facts(facts)) => facts,
        None => None,
    };
    let cfa = facts.as_ref().map_or(&automaton.cfa, |facts| facts.cfa());
    let (answer, drawing) = (search.run)(cfa, query, control);
    if let (Some(slot), Some(drawing)) = (&search.drawing, drawing) {
        *slot.lock().unwrap_or_else(PoisonError::into_inner) = Some(drawing);
    }
    let answer = (bad, answer);
    certify_answer(
        program,
        automaton,
        search.name,
        answer,
        facts.as_deref(),
        control.stop,
    )
}

/// What invariants over the words come to.
enum Known {
    /// They prove the program.
    Proof(Decision),
    /// What an engine may assume.
    Facts(Option<Box<Facts>>),
}

/// Searches for invariants over the words of an automaton.
fn facts(automaton: &mut Automaton<'_>, bad: Bad, control: Control<'_>) -> Known {
    let encoded = automaton.cfa.to_model(bad);
    let Some(strong) = strengthen(&encoded.model, &encoded.vocabulary, control) else {
        return Known::Facts(None);
    };
    match by_invariants(&strong) {
        Some(certificate) => {
            let certificate = without_constraints(certificate);
            let names = (INVARIANTS, None);
            let verdict = certify(automaton, &encoded, certificate, names, control.stop);
            Known::Proof(Decision::Verdict(verdict))
        }
        None => {
            let facts = Facts::new(&automaton.cfa, &encoded, &strong);
            Known::Facts(Some(Box::new(facts)))
        }
    }
}

/// What the answer of an engine of this name comes to: its evidence is checked. With facts, the engine has assumed them.
pub(crate) fn certify_answer(
    program: &Program,
    automaton: &mut Automaton<'_>,
    name: &'static str,
    (bad, answer): (Bad, Answer),
    facts: Option<&Facts>,
    stop: &Stop,
) -> Decision {
    match answer {
        Answer::Unknown(reason) => Decision::Verdict(Verdict::Unknown(reason)),
        Answer::Unsafe(run) => {
            let end = run.path.last().map(|&edge| automaton.cfa.edge(edge).target);
            let is_stuck = end == Some(Cfa::UNSUPPORTED);
            let facts = automaton.facts_of(run.visits);
            replay_path(program, automaton, facts, is_stuck, stop)
        }
        Answer::Safe(invariant) => {
            let invariant = (&*invariant, facts);
            Decision::Verdict(certify_invariant(automaton, name, bad, invariant, stop))
        }
    }
}

/// What a path comes to, given by what happened on it: it counts if the interpreter replays it. `is_stuck`
/// says whether it may end at an unsupported construct.
pub(crate) fn replay_path(
    program: &Program,
    automaton: &Automaton<'_>,
    facts: Vec<Fact>,
    is_stuck: bool,
    stop: &Stop,
) -> Decision {
    let text = match error_of(program, facts, stop) {
        Ok(Ok(found)) => return Decision::Verdict(Verdict::Unsafe(Box::new(found))),
        Ok(Err(End::Stuck { text, at })) => {
            return Decision::Left(format!("{}: unsupported: {text}", program.place(at)));
        }
        Ok(Err(end)) => format!("its replay ends otherwise ({end:?})"),
        Err(message) => format!("its replay fails: {message}"),
    };
    match automaton.first_stuck() {
        Some(mark) if is_stuck => {
            let place = program.place(mark.at);
            Decision::Left(format!("{place}: unsupported: {}", mark.text))
        }
        _ if !automaton.is_exact => Decision::Left(DEPENDS_ON_HAVOCKED.into()),
        _ => Decision::Verdict(Verdict::Unknown(UnknownReason::Unsupported(format!(
            "a path to an error was found, but {text}"
        )))),
    }
}

/// The verdict on an invariant, whose certificate is checked on the automaton's circuit; with it, the facts that it assumes.
fn certify_invariant(
    automaton: &mut Automaton<'_>,
    name: &'static str,
    bad: Bad,
    (invariant, facts): (&Invariant, Option<&Facts>),
    stop: &Stop,
) -> Verdict {
    let encoded = automaton.cfa.to_model(bad);
    let (certificate, words) = match facts {
        Some(facts) => {
            let certificate = facts.certificate(&automaton.cfa, &encoded, invariant);
            (certificate, invariant.words().map(|own| facts.words(own)))
        }
        None => {
            let certificate = invariant.certificate(&automaton.cfa, &encoded);
            (certificate, invariant.words().cloned())
        }
    };
    let names = (name, words.as_ref());
    certify(automaton, &encoded, certificate, names, stop)
}

/// The verdict of a certificate, which is checked, from an engine of this name; with it, what is known over words.
pub(crate) fn certify(
    automaton: &mut Automaton<'_>,
    encoded: &CfaModel,
    certificate: Certificate,
    (engine, words): (&'static str, Option<&WordInvariant>),
    stop: &Stop,
) -> Verdict {
    match Proven::certify(&encoded.model, 0, certificate) {
        Ok(proven) => safe_by(automaton, encoded, proven, (engine, words), stop),
        Err(error) => Verdict::Internal(format!("a certificate from {engine}: {error}")),
    }
}

/// The verdict of a proof from an engine of this name; with it, what is known over words.
pub(crate) fn safe_by(
    automaton: &mut Automaton<'_>,
    encoded: &CfaModel,
    proven: Proven,
    (engine, words): (&'static str, Option<&WordInvariant>),
    stop: &Stop,
) -> Verdict {
    let invariants = automaton.invariants(encoded, proven.certificate(), words, stop);
    let elements = automaton.for_all(encoded, proven.certificate(), stop);
    Verdict::Safe(Safety {
        text: format!("a certificate of the single-loop program from {engine}, checked"),
        evidence: Evidence::Certificate(proven, invariants),
        elements,
        found_by: Some(engine),
    })
}
