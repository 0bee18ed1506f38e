//! The engines for C programs, alone or in parallel.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Instant;

use craig_mc::{Alone, Control};
use craig_model::UnknownReason;
use craig_program::annotate;
use craig_program::line_up::{Amount, Condition, StageName};
use craig_verify::{Limits, Member, POLL, PROVERS, ProgramSearch, first_answer};

use crate::bounded;
use crate::element_engines;
use crate::element_engines::{ELEMENTS, Searcher};
use crate::engine_arrays;
use crate::engine_arrays::has_arrays;
use crate::evidence::Safety;
use crate::load::STACK_BYTES;
use crate::loop_engines;
use crate::open_copies;
use crate::open_copies::HeadStart;
use crate::options::{Engine, Options};
use crate::paths;
use crate::paths::Effort;
use crate::procedures;
use crate::procedures::{Calls, Recursion};
use crate::program_engines;
use crate::report::{Decider, ENGINE};
use crate::tail_calls::tail_calls_as_loops;
use crate::tracking;
use crate::verdict::{Found, Verdict, of_single_run, unknown};
use craig_c_exec::concrete::replay::Counterexample;
use craig_c_exec::concrete::single_run;
use craig_c_exec::symbolic::unwinding::Unwinding;
use craig_c_lang::call_graph::is_recursive;
use craig_c_lang::ir::{Instr, Program, Storage};

/// An engine with its arguments.
type Run = Box<dyn FnOnce(Control<'_>) -> Verdict + Send>;

/// The verdict on all properties of a program together, and who has found it.
pub(crate) fn decide(
    program: &Program,
    options: &Options,
    control: Control<'_>,
) -> (Verdict, Decider) {
    match options.engine {
        Engine::Unwind => (
            unrolled(program, options, HeadStart::default(), control),
            Decider {
                engine: bounded::NAME,
                phase: ENGINE,
            },
        ),
        Engine::Paths => (
            paths::check(
                program,
                &options.unwinding,
                Effort::of(&options.search.stages().row(StageName::EnginePaths)),
                control,
            ),
            Decider {
                engine: paths::NAME,
                phase: ENGINE,
            },
        ),
        Engine::Model => match model(program, options, control) {
            (Ok(Found::Unknown(reason)), decider) => match with_elements(program, options, control)
            {
                Some(safe) => (safe, Decider::of(ELEMENTS, StageName::Elements)),
                None => (Ok(Found::Unknown(reason)), decider),
            },
            found => found,
        },
        Engine::Portfolio => side_by_side(program, options, control),
    }
}

/// The verdict of unrolling, also with open copies where all that counts is whether an error is reached.
fn unrolled(
    program: &Program,
    options: &Options,
    head_start: HeadStart,
    control: Control<'_>,
) -> Verdict {
    let limits = (&options.unwinding, options.search.stages());
    match tracking::needs_ends(program, options.property_file.as_ref()) {
        true => bounded::check(program, limits, control),
        false => open_copies::unrolled(program, limits, head_start, control),
    }
}

/// A run that waits for an end of something else.
fn delayed(is_over: Arc<AtomicBool>, run: Run) -> Run {
    Box::new(move |control| {
        while !is_over.load(Ordering::Relaxed) && control.stop.reason().is_none() {
            std::thread::sleep(POLL);
        }
        run(control)
    })
}

/// The proof that the engines for circuits find with tracked elements of arrays after they have given up without.
fn with_elements(program: &Program, options: &Options, control: Control<'_>) -> Option<Verdict> {
    let is_tried = options.program_search.is_none()
        && !options.only
        && options.search.stages().has(StageName::Elements)
        && !tracking::needs_ends(program, options.property_file.as_ref())
        && may_have_elements(program);
    if !is_tried || control.stop.reason().is_some() {
        return None;
    }
    let searcher = Searcher::Circuits(&options.search);
    let verdict = element_engines::check_with_elements(program, searcher, control);
    matches!(verdict, Ok(Found::Safe(_))).then_some(verdict)
}

/// The verdict of the engine for programs if one was asked for, else of the engines for circuits; and who has found it.
fn model(program: &Program, options: &Options, control: Control<'_>) -> (Verdict, Decider) {
    match &options.program_search {
        Some(search) => program_engine(program, search, options, control),
        None => (
            loop_engines::check(program, &options.search, control),
            Decider::of(loop_engines::NAME, StageName::Loops),
        ),
    }
}

/// Why an option of the engine is refused: lazy annotation of the calls of a recursion has none of those of locations, and
/// elements of arrays are not followed over basic blocks.
pub(crate) fn refusal(program: &Program, options: &Options) -> Option<String> {
    let search = options.program_search.as_ref()?;
    if let Some(refusal) = engine_arrays::refusal(search) {
        return Some(refusal);
    }
    let option = search.option_of_locations()?;
    let annotates_calls = search.name() == annotate::NAME
        && !matches!(options.engine, Engine::Unwind | Engine::Paths)
        && is_recursive(program)
        && !tracking::needs_ends(program, options.property_file.as_ref())
        && Recursion::new(
            program,
            (Calls::Shared, options.search.stages()),
            Alone::new().control(),
        )
        .is_some();
    annotates_calls.then(|| {
        format!(
            "`--{option}` is for the annotation of locations, and this program is recursive: `{}` annotates its calls",
            search.name()
        )
    })
}

/// A step of an engine for programs on a recursive program: who decides, and how.
type Step<'a> = Box<dyn Fn(Control<'_>) -> (Verdict, Decider) + 'a>;

/// The verdict of an engine for programs, and who has found it: on a recursive program of what has summaries of its functions, or
/// of the program without its recursion, if that is safe; else with calls inlined.
fn program_engine(
    program: &Program,
    search: &ProgramSearch,
    options: &Options,
    control: Control<'_>,
) -> (Verdict, Decider) {
    // Without recursion, calls as edges lost programs and won none (bench/records/c.md).
    let is_annotated = search.name() == annotate::NAME;
    let calls = match is_annotated && is_recursive(program) {
        true => Calls::Shared,
        false => Calls::Recursive,
    };
    let recursion = match tracking::needs_ends(program, options.property_file.as_ref()) {
        true => None,
        false => Recursion::new(program, (calls, options.search.stages()), control),
    };
    if let Some(recursion) = &recursion {
        for step in steps(program, recursion, search, options) {
            match step(control) {
                (Ok(Found::Unknown(reason)), _) => {
                    control
                        .listener
                        .note(procedures::NAME, || reason.to_string());
                }
                found => return found,
            }
        }
        control
            .listener
            .note(procedures::NAME, || "calls are inlined".into());
    } else if is_annotated && !is_recursive(program) {
        control.listener.note(procedures::NAME, || {
            "calls are inlined: there is no recursion".into()
        });
    }
    engine_arrays::check(program, search, options, control)
}

/// The steps of an engine for programs on a recursive program, in their order. With [`Options::only`], lazy annotation of the
/// calls is the engine's own search, and there is no other step.
fn steps<'a>(
    program: &'a Program,
    recursion: &'a Recursion<'a>,
    search: &'a ProgramSearch,
    options: &'a Options,
) -> Vec<Step<'a>> {
    let decide = |program: &Program, _: bool, control: Control<'_>| {
        program_engines::check(program, (search, options.search.stages()), control)
    };
    // Lazy annotation learns summaries in its own search first, and later at greater length.
    let row = options.search.stages().row(StageName::EngineProcedures);
    let annotate = |most: Amount| -> Step<'a> {
        let (most, with_samples) = (row.amount(most) as usize, !options.only);
        Box::new(move |control| {
            let (verdict, is_sampled) =
                recursion.annotate(Some(most), with_samples, &decide, control);
            let phase = if is_sampled {
                procedures::SAMPLES
            } else {
                procedures::ANNOTATED
            };
            let engine = if is_sampled {
                procedures::NAME
            } else {
                search.name()
            };
            (verdict, Decider { engine, phase })
        })
    };
    if options.only {
        return match search.name() == annotate::NAME {
            true => vec![annotate(Amount::QueriesTo)],
            false => Vec::new(),
        };
    }
    let looped = limited(
        options,
        StageName::EngineTailCalls,
        search.name(),
        move |control| {
            let looped = tail_calls_as_loops(program);
            let verdict = looped.map(|looped| {
                prove_looped(&looped, &|program| {
                    program_engines::check(program, (search, options.search.stages()), control)
                })
            });
            verdict.unwrap_or_else(|| undecided("there are no tail calls"))
        },
    );
    let summaries = StageName::EngineProcedures;
    let summaries = limited(options, summaries, procedures::NAME, move |control| {
        recursion.prove(&decide, control)
    });
    match search.name() == annotate::NAME {
        true => {
            let first = [annotate(Amount::QueriesFirst)].into_iter();
            let steps = first.chain(looped).chain(summaries);
            steps.chain([annotate(Amount::QueriesTo)]).collect()
        }
        false => looped.into_iter().chain(summaries).collect(),
    }
}

/// A step within the limits of its stage, if the schedule has that.
fn limited<'a>(
    options: &'a Options,
    name: StageName,
    engine: &'static str,
    run: impl Fn(Control<'_>) -> Verdict + 'a,
) -> Option<Step<'a>> {
    let stage = options.search.stages().get(name)?;
    Some(Box::new(move |control| {
        let stop = &stage.limit(control.stop);
        let verdict = run(Control { stop, ..control });
        (verdict, Decider::of(engine, name))
    }))
}

/// No answer, for this reason.
fn undecided(reason: &str) -> Verdict {
    unknown(UnknownReason::Bound(reason.into()))
}

/// The verdict on a program in which calls that recur are summaries: unrolled, if all its loops end within a bound.
fn without_recursion(
    program: &Program,
    is_complete: bool,
    options: &Options,
    control: Control<'_>,
) -> Verdict {
    let stages = options.search.stages();
    match is_complete {
        true => bounded::check(program, (&Unwinding::default(), stages), control),
        false => loop_engines::check(program, &options.search, control),
    }
}

/// The verdict on a recursive program by summaries of its functions.
fn with_procedures(program: &Program, options: &Options, control: Control<'_>) -> Verdict {
    let Some(recursion) = Recursion::new(
        program,
        (Calls::Recursive, options.search.stages()),
        control,
    ) else {
        return undecided("no calls get summaries");
    };
    let decide = |program: &Program, is_complete: bool, control: Control<'_>| {
        without_recursion(program, is_complete, options, control)
    };
    recursion.prove(&decide, control)
}

/// The verdict on a recursive program by lazy annotation of its functions.
fn with_annotated_calls(program: &Program, options: &Options, control: Control<'_>) -> Verdict {
    let Some(recursion) = Recursion::new(
        program,
        (Calls::Recursive, options.search.stages()),
        Alone::new().control(),
    ) else {
        return undecided("no calls get summaries");
    };
    let decide = |program: &Program, is_complete: bool, control: Control<'_>| {
        without_recursion(program, is_complete, options, control)
    };
    recursion.annotate(None, true, &decide, control).0
}

/// The name of the engines on a program whose tail calls are loops.
const TAIL_CALLS: &str = "tail calls";

/// The verdict on a program with its tail calls as loops, if the engine proves it.
fn prove_looped(looped: &Program, check: &dyn Fn(&Program) -> Verdict) -> Verdict {
    match check(looped) {
        Ok(Found::Safe(mut safety)) => {
            safety.text += "; with tail calls as loops";
            Ok(Found::Safe(safety))
        }
        Ok(Found::Unsafe(_)) => undecided("an error of a program with other calls"),
        other => other,
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
    let mut functions = program.functions.iter();
    functions.any(|function| !function.loops.is_empty()) && has_arrays(program)
}

/// Runs both proving engines in parallel, and `single_run` a little later, and for recursions the engines on the
/// program without them, as far as they are stages of the schedule; the first definite answer is the
/// result. Where "safe" needs that all runs end, only unrolling is definite, and has some more time after another
/// engine's answer.
fn side_by_side(program: &Program, options: &Options, control: Control<'_>) -> (Verdict, Decider) {
    let needs_ends = tracking::needs_ends(program, options.property_file.as_ref());
    let stages = options.search.stages();
    let n_left_out = PROVERS.iter().filter(|&&stage| !stages.has(stage)).count();
    let n_given_up = Arc::new(AtomicUsize::new(n_left_out));
    let members = members(program, options, needs_ends, &n_given_up);
    let rest = stages
        .get(StageName::Run)
        .map(|stage| stage.duration(Condition::Rest));
    let limits = Limits {
        needs_ends,
        rest: rest.unwrap_or_default(),
        stack_bytes: STACK_BYTES,
    };
    match first_answer(members, limits, &n_given_up, control) {
        Some(raced) => {
            let decider = Decider::of(raced.name, raced.stage);
            (raced.found, decider)
        }
        None => (
            unknown(UnknownReason::Cancelled),
            Decider::of(bounded::NAME, StageName::Unwind),
        ),
    }
}

/// The engines for a program that run side by side.
fn members(
    program: &Program,
    options: &Options,
    needs_ends: bool,
    n_given_up: &Arc<AtomicUsize>,
) -> Vec<Member<Safety, Box<Counterexample>>> {
    let stages = options.search.stages();
    let shared = Arc::new((program.clone(), options.clone()));
    let with_shared = |run: fn(&Program, &Options, Control<'_>) -> Verdict| -> Run {
        let shared = Arc::clone(&shared);
        Box::new(move |control| run(&shared.0, &shared.1, control))
    };
    let mut members = Vec::new();
    let mut add = |stage: StageName, name: &'static str, run: Run| {
        if stages.has(stage) {
            members.push(Member { stage, name, run });
        }
    };
    // Abstractions of objects and arrays rarely prove what copies of open length hide, and would slow down what does.
    let head_start = HeadStart::default();
    let is_over = head_start.end();
    let run: Run = {
        let shared = Arc::clone(&shared);
        Box::new(move |control| unrolled(&shared.0, &shared.1, head_start, control))
    };
    add(StageName::Unwind, bounded::NAME, run);
    if let Some(stage) = stages.get(StageName::Paths) {
        let (shared, stage) = (Arc::clone(&shared), stage.clone());
        let run: Run = Box::new(move |control| {
            let stop = stage.limit(control.stop);
            let own = Control {
                stop: &stop,
                ..control
            };
            paths::check(&shared.0, &shared.1.unwinding, Effort::of(&stage), own)
        });
        add(StageName::Paths, paths::NAME, run);
    }
    let loops = |program: &Program, options: &Options, control: Control<'_>| {
        model(program, options, control).0
    };
    let name = (options.program_search.as_ref()).map_or(loop_engines::NAME, |search| search.name());
    add(StageName::Loops, name, with_shared(loops));
    if let Some(stage) = stages.get(StageName::Run) {
        let (shared, n_given_up) = (Arc::clone(&shared), Arc::clone(n_given_up));
        let head_start = stage.duration(Condition::After);
        let run: Run = Box::new(move |control| {
            let start = Instant::now();
            while start.elapsed() < head_start
                && n_given_up.load(Ordering::Relaxed) < PROVERS.len()
                && control.stop.reason().is_none()
            {
                std::thread::sleep(POLL);
            }
            of_single_run(single_run::check(&shared.0, control.stop))
        });
        add(StageName::Run, single_run::NAME, run);
    }
    // Where runs have to end, leaving out calls and objects proves too little.
    if needs_ends {
        return members;
    }
    if may_have_summaries(program) {
        let run = |program: &Program, options: &Options, control: Control<'_>| {
            loop_engines::check_with_summaries(program, &options.search, control)
        };
        let run = delayed(Arc::clone(&is_over), with_shared(run));
        add(StageName::Objects, OBJECTS, run);
    }
    if may_have_elements(program) {
        let run = |program: &Program, options: &Options, control: Control<'_>| {
            let searcher = Searcher::Circuits(&options.search);
            element_engines::check_with_elements(program, searcher, control)
        };
        add(
            StageName::Elements,
            ELEMENTS,
            delayed(is_over, with_shared(run)),
        );
    }
    if is_recursive(program) {
        let stage = StageName::Procedures;
        add(stage, procedures::NAME, with_shared(with_procedures));
        let run = with_shared(with_annotated_calls);
        add(stage, procedures::ANNOTATED, run);
    }
    let looped = (stages.has(StageName::TailCalls)).then(|| tail_calls_as_loops(program));
    if let Some(looped) = looped.flatten() {
        let shared = Arc::clone(&shared);
        let run: Run = Box::new(move |control| {
            let search = &shared.1.search;
            prove_looped(&looped, &|program| {
                loop_engines::check(program, search, control)
            })
        });
        add(StageName::TailCalls, TAIL_CALLS, run);
    }
    members
}
