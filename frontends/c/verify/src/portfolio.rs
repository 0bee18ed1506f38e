//! The engines for C programs, alone or in parallel.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use craig_mc::Control;
use craig_model::UnknownReason;
use craig_program::annotate;

use crate::bounded;
use crate::bounded::Verdict;
use crate::element_engines;
use crate::element_engines::ELEMENTS;
use crate::load::STACK_BYTES;
use crate::loop_engines;
use crate::options::{Engine, Options};
use crate::part::Part;
use crate::procedures;
use crate::procedures::{Calls, Recursion};
use crate::program_engines;
use crate::program_engines::ProgramSearch;
use crate::recursion::without_recursion;
use crate::tail_calls::tail_calls_as_loops;
use crate::tracking;
use craig_c_exec::concrete::single_run;
use craig_c_exec::symbolic::unwinding::Unwinding;
use craig_c_lang::call_graph::is_recursive;
use craig_c_lang::ir::{DeclaredObject, Instr, Program, Storage};
use craig_c_lang::types::Type;

/// The interval at which cancellation of the caller's control is passed on.
const POLL: Duration = Duration::from_millis(20);

/// The verdict on all properties of a program together, and the engine that found it.
pub(crate) fn decide(
    program: &Program,
    options: &Options,
    control: &Control,
) -> (Verdict, &'static str) {
    match options.engine {
        Engine::Unwind => (
            bounded::check(program, &options.unwinding, control),
            bounded::NAME,
        ),
        Engine::Model => match model(program, options, control) {
            (Verdict::Unknown(reason), name) => match with_elements(program, options, control) {
                Some(safe) => (safe, name),
                None => (Verdict::Unknown(reason), name),
            },
            found => found,
        },
        Engine::Portfolio => side_by_side(program, options, control),
    }
}

/// The proof that the engines for circuits find with tracked elements of arrays after they have given up without.
fn with_elements(program: &Program, options: &Options, control: &Control) -> Option<Verdict> {
    let file = options.property_file.as_ref();
    let needs_ends = file.is_some_and(|file| tracking::needs_ends(program, file));
    let is_tried = options.program_search.is_none() && !needs_ends && may_have_elements(program);
    if !is_tried || control.stop_reason().is_some() {
        return None;
    }
    let verdict = element_engines::check_with_elements(program, &options.search, control);
    matches!(verdict, Verdict::Safe(_)).then_some(verdict)
}

/// The verdict of the engine for programs if one was asked for, else of the engines for circuits; and its
/// name.
fn model(program: &Program, options: &Options, control: &Control) -> (Verdict, &'static str) {
    match &options.program_search {
        Some(search) => (
            program_engine(program, search, options, control),
            search.name,
        ),
        None => (
            loop_engines::check(program, &options.search, control),
            loop_engines::NAME,
        ),
    }
}

/// Queries of lazy annotation about calls, before other summaries are tried, and afterwards.
const FIRST_QUERIES: usize = 300;
const QUERIES: usize = 10_000;

/// The verdict of an engine for programs: of a recursive program with summaries of its functions, if that is safe, else
/// with calls inlined.
fn program_engine(
    program: &Program,
    search: &ProgramSearch,
    options: &Options,
    control: &Control,
) -> Verdict {
    let file = options.property_file.as_ref();
    let needs_ends = file.is_some_and(|file| tracking::needs_ends(program, file));
    // Without recursion, calls as edges lost programs and won none (bench/records/c.md).
    let is_annotated = search.name == annotate::NAME;
    let calls = match is_annotated && is_recursive(program) {
        true => Calls::Shared,
        false => Calls::Recursive,
    };
    if !needs_ends && let Some(recursion) = Recursion::new(program, calls, control) {
        let decide = |program: &Program, _: bool, control: &Control| {
            program_engines::check(program, search, control)
        };
        let prove = |control: &Control| recursion.prove(&decide, control);
        // Lazy annotation learns summaries in its own search first, and later at greater length.
        let annotate = |most: usize| {
            let recursion = &recursion;
            move |control: &Control| recursion.annotate(Some(most), &decide, control)
        };
        let (first, last) = (annotate(FIRST_QUERIES), annotate(QUERIES));
        let steps: &[&dyn Fn(&Control) -> Verdict] = match is_annotated {
            true => &[&first, &prove, &last],
            false => &[&prove],
        };
        for step in steps {
            match step(control) {
                Verdict::Unknown(reason) => {
                    control.note(procedures::NAME, || reason.to_string());
                }
                verdict => return verdict,
            }
        }
        control.note(procedures::NAME, || "calls are inlined".into());
    } else if is_annotated && !is_recursive(program) {
        control.note(procedures::NAME, || {
            "calls are inlined: there is no recursion".into()
        });
    }
    program_engines::check(program, search, control)
}

/// The verdict on a recursive program by summaries of its functions.
fn with_procedures(program: &Program, options: &Options, control: &Control) -> Verdict {
    let Some(recursion) = Recursion::new(program, Calls::Recursive, control) else {
        return Verdict::Unknown(UnknownReason::Bound("no calls get summaries".into()));
    };
    let decide = |program: &Program, is_complete: bool, control: &Control| match is_complete {
        true => bounded::check(program, &Unwinding::default(), control),
        false => loop_engines::check(program, &options.search, control),
    };
    recursion.prove(&decide, control)
}

/// The verdict on a recursive program by lazy annotation of its functions.
fn with_annotated_calls(program: &Program, options: &Options, control: &Control) -> Verdict {
    let Some(recursion) = Recursion::new(program, Calls::Recursive, &Control::new()) else {
        return Verdict::Unknown(UnknownReason::Bound("no calls get summaries".into()));
    };
    let decide = |program: &Program, is_complete: bool, control: &Control| match is_complete {
        true => bounded::check(program, &Unwinding::default(), control),
        false => loop_engines::check(program, &options.search, control),
    };
    recursion.annotate(None, &decide, control)
}

/// The name of the engines on a program without its recursion.
const SUMMARIES: &str = "summaries";

/// A program without some or all of its recursion.
struct Summarised {
    program: Program,
    /// What became of the calls.
    how: &'static str,
}

impl Summarised {
    /// Tail calls as loops, and any results of other calls within a recursion.
    fn new(program: &Program) -> Option<Self> {
        let looped = tail_calls_as_loops(program);
        match (
            without_recursion(looped.as_ref().unwrap_or(program)),
            looped,
        ) {
            (Some(program), _) => Some(Self {
                program,
                how: "with calls within the recursion that return any value",
            }),
            (None, Some(program)) => Some(Self {
                program,
                how: "with tail calls as loops",
            }),
            (None, None) => None,
        }
    }

    /// The verdict on the program, if the engines for circuits prove it.
    fn proved(&self, options: &Options, control: &Control) -> Verdict {
        match loop_engines::check(&self.program, &options.search, control) {
            Verdict::Safe(mut safety) => {
                safety.text += "; ";
                safety.text += self.how;
                Verdict::Safe(safety)
            }
            Verdict::Unsafe(_) => Verdict::Unknown(UnknownReason::Bound(
                "an error of a program with other calls".into(),
            )),
            other => other,
        }
    }
}

/// The name of the engines on a program with summaries of the objects that it allocates in loops.
const OBJECTS: &str = "objects";

/// Whether summaries of objects may be of use: the program allocates memory, and lifetimes do not matter.
fn may_have_summaries(program: &Program) -> bool {
    let functions = program.functions.iter();
    let mut instrs = functions
        .flat_map(|function| &function.blocks)
        .flat_map(|block| &block.instrs);
    !program.tracks_lifetimes
        && !program.passes_goals
        && instrs.any(|(instr, _)| {
            let heap = Storage::Heap;
            matches!(instr, Instr::Allocate { storage, .. } if *storage == heap)
        })
}

/// Whether tracked elements may be of use: the program has loops, and arrays or allocated memory.
fn may_have_elements(program: &Program) -> bool {
    let functions = || program.functions.iter();
    let is_array = |object: &DeclaredObject| matches!(object.ty, Some(Type::Array(..)));
    // Contents of string literals are seldom what a proof is about.
    let mut statics = program.statics.iter();
    let allocates = || {
        let mut blocks = functions().flat_map(|function| &function.blocks);
        blocks.any(|block| {
            let mut instrs = block.instrs.iter();
            instrs.any(|(instr, _)| matches!(instr, Instr::Allocate { .. }))
        })
    };
    !program.passes_goals
        && functions().any(|function| !function.loops.is_empty())
        && (statics.any(|object| is_array(object) && !object.is_constant)
            || functions().any(|function| function.slots.iter().any(is_array))
            || allocates())
}

/// An engine with its arguments. It owns them: the engines that lose are not awaited.
type Run = Box<dyn FnOnce(&Control) -> Verdict + Send>;

/// The time that the proving engines have for a program before `single_run` starts, and how long that
/// continues after they have given up.
const HEAD_START: Duration = Duration::from_secs(1);
const AFTERWARDS: Duration = Duration::from_secs(5);

/// Runs both proving engines in parallel, and `single_run` a little later, and for recursions the engines on the
/// program without them; the first definite answer is the
/// result. Where "safe" needs that all runs end, only unrolling is definite, and has some more time after another
/// engine's answer.
fn side_by_side(
    program: &Program,
    options: &Options,
    control: &Control,
) -> (Verdict, &'static str) {
    let file = options.property_file.as_ref();
    let needs_ends = file.is_some_and(|file| tracking::needs_ends(program, file));
    let has = |part: Part| !options.without.contains(&part);
    let provers = [Part::Unwind, Part::Loops];
    let n_left_out = provers.into_iter().filter(|&part| !has(part)).count();
    let n_given_up = Arc::new(AtomicUsize::new(n_left_out));
    let mut own_options = options.clone();
    let left_out = options.without.iter();
    own_options.search = left_out.fold(own_options.search, |search, &part| search.without(part));
    let shared = Arc::new((program.clone(), own_options));
    let with_shared = |run: fn(&Program, &Options, &Control) -> Verdict| -> Run {
        let shared = Arc::clone(&shared);
        Box::new(move |control| run(&shared.0, &shared.1, control))
    };
    let mut engines: Vec<(&'static str, Run)> = Vec::new();
    if has(Part::Unwind) {
        engines.push((
            bounded::NAME,
            with_shared(|program, options, control| {
                bounded::check(program, &options.unwinding, control)
            }),
        ));
    }
    if has(Part::Loops) {
        engines.push((
            (options.program_search.as_ref()).map_or(loop_engines::NAME, |search| search.name),
            with_shared(|program, options, control| model(program, options, control).0),
        ));
    }
    if has(Part::Run) {
        let (shared, n_given_up) = (Arc::clone(&shared), Arc::clone(&n_given_up));
        let run: Run = Box::new(move |control| {
            let start = Instant::now();
            while start.elapsed() < HEAD_START
                && n_given_up.load(Ordering::Relaxed) < 2
                && control.stop_reason().is_none()
            {
                std::thread::sleep(POLL);
            }
            single_run::check(&shared.0, control).into()
        });
        engines.push((single_run::NAME, run));
    }
    if has(Part::Objects) && !needs_ends && may_have_summaries(program) {
        engines.push((
            OBJECTS,
            with_shared(|program, options, control| {
                loop_engines::check_with_summaries(program, &options.search, control)
            }),
        ));
    }
    if has(Part::Elements) && !needs_ends && may_have_elements(program) {
        engines.push((
            ELEMENTS,
            with_shared(|program, options, control| {
                element_engines::check_with_elements(program, &options.search, control)
            }),
        ));
    }
    if has(Part::Procedures) && !needs_ends && is_recursive(program) {
        engines.push((procedures::NAME, with_shared(with_procedures)));
        engines.push((procedures::ANNOTATED, with_shared(with_annotated_calls)));
    }
    // Where runs have to end, leaving out calls proves too little.
    let summarised = match needs_ends || !has(Part::Summaries) {
        true => None,
        false => Summarised::new(program),
    };
    if let Some(summarised) = summarised {
        let shared = Arc::clone(&shared);
        let run: Run = Box::new(move |control| summarised.proved(&shared.1, control));
        engines.push((SUMMARIES, run));
    }
    first_answer(engines, needs_ends, &n_given_up, control)
}

/// Runs the engines and returns at the first final answer. The others are cancelled then, and not awaited: one
/// that does not poll must not hold up an answer.
fn first_answer(
    engines: Vec<(&'static str, Run)>,
    needs_ends: bool,
    n_given_up: &AtomicUsize,
    control: &Control,
) -> (Verdict, &'static str) {
    let definite = |verdict: &Verdict| matches!(verdict, Verdict::Safe(_) | Verdict::Unsafe(_));
    let is_final = |verdict: &Verdict, name: &str| {
        let shows_ends = name == bounded::NAME || !needs_ends;
        definite(verdict) && (shows_ends || matches!(verdict, Verdict::Unsafe(_)))
    };
    let inner = control.fork();
    let (sender, receiver) = mpsc::channel();
    let mut running = engines.len();
    let mut proofs_end: Option<Instant> = None;
    for (name, run) in engines {
        let (sender, inner) = (sender.clone(), inner.clone());
        std::thread::Builder::new()
            .name(name.into())
            .stack_size(STACK_BYTES)
            .spawn(move || {
                let verdict = catch_unwind(AssertUnwindSafe(|| run(&inner)));
                let verdict = verdict
                    .unwrap_or_else(|_| Verdict::Internal(format!("the engine `{name}` panicked")));
                if let Verdict::Unknown(reason) = &verdict {
                    inner.note(name, || format!("no answer: {reason}"));
                }
                // After a final answer, the receiver is gone.
                let _ = sender.send((name, verdict));
            })
            .expect("a thread can be started");
    }
    let mut best: Option<(Verdict, &'static str)> = None;
    while running > 0 {
        match receiver.recv_timeout(POLL) {
            Ok((name, verdict)) => {
                running -= 1;
                if is_final(&verdict, name) {
                    inner.cancel();
                    return (verdict, name);
                }
                if definite(&verdict)
                    || ![
                        single_run::NAME,
                        SUMMARIES,
                        OBJECTS,
                        ELEMENTS,
                        procedures::NAME,
                        procedures::ANNOTATED,
                    ]
                    .contains(&name)
                        && n_given_up.fetch_add(1, Ordering::Relaxed) == 1
                {
                    proofs_end = Some(Instant::now());
                }
                // An answer has precedence over a failure, a failure over a reason, and the reason of
                // unrolling over other reasons.
                let keep = match &best {
                    None => true,
                    Some((old, _)) if definite(old) => false,
                    Some((Verdict::Internal(_), _)) => definite(&verdict),
                    Some(_) => {
                        definite(&verdict)
                            || matches!(verdict, Verdict::Internal(_))
                            || name == bounded::NAME
                    }
                };
                if keep {
                    best = Some((verdict, name));
                }
            }
            Err(_) => {
                let is_late = proofs_end.is_some_and(|end| end.elapsed() > AFTERWARDS);
                if is_late || control.stop_reason().is_some() {
                    inner.cancel();
                    if let Some((verdict, name)) = best.take_if(|(verdict, _)| definite(verdict)) {
                        return (verdict, name);
                    }
                }
            }
        }
    }
    best.unwrap_or((Verdict::Unknown(UnknownReason::Cancelled), bounded::NAME))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::{Evidence, Safety};

    /// An answer without evidence.
    fn safe() -> Verdict {
        Verdict::Safe(Safety {
            text: String::new(),
            evidence: Evidence::None,
            elements: None,
        })
    }

    /// An engine that never polls does not hold up the answer of another one.
    #[test]
    fn a_loser_that_does_not_poll_is_not_awaited() {
        let deaf: Run = Box::new(|_| {
            std::thread::sleep(Duration::from_secs(60));
            Verdict::Unknown(UnknownReason::Cancelled)
        });
        let quick: Run = Box::new(|_| safe());
        let start = Instant::now();
        let engines = vec![("deaf", deaf), ("quick", quick)];
        let (verdict, name) = first_answer(engines, false, &AtomicUsize::new(0), &Control::new());
        assert!(matches!(verdict, Verdict::Safe(_)));
        assert_eq!(name, "quick");
        assert!(start.elapsed() < Duration::from_secs(20));
    }

    /// An answer that is not final is kept when the time is over, although an engine does not poll.
    #[test]
    fn an_answer_is_kept_at_the_deadline() {
        let deaf: Run = Box::new(|_| {
            std::thread::sleep(Duration::from_secs(60));
            Verdict::Unknown(UnknownReason::Cancelled)
        });
        let quick: Run = Box::new(|_| safe());
        let start = Instant::now();
        let control = Control::new().with_deadline(start + Duration::from_millis(300));
        let engines = vec![("deaf", deaf), ("quick", quick)];
        let (verdict, name) = first_answer(engines, true, &AtomicUsize::new(0), &control);
        assert!(matches!(verdict, Verdict::Safe(_)));
        assert_eq!(name, "quick");
        assert!(start.elapsed() < Duration::from_secs(20));
    }
}
