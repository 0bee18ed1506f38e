//! An engine for programs on arrays: with a word for each element, or with the element at a prophecy index.

use craig_mc::Control;
use craig_model::{Stop, UnknownReason};
use craig_program::Blocks;
use craig_program::engine::Arrays;
use craig_program::line_up::{Amount, Stage, StageName};
use craig_verify::{INVARIANTS, ProgramSearch};

use crate::element_engines::{Searcher, check_recent, check_with_elements};
use crate::options::Options;
use crate::program_engines;
use crate::report::{Decider, ENGINE};
use crate::tracking::needs_ends;
use crate::verdict::{Found, Verdict, unknown};
use craig_c_lang::ir::{DeclaredObject, Instr, Program};
use craig_c_lang::types::Type;

/// The verdict of an engine for programs that may inline all calls, and whether it needed elements of arrays for it; or that of the
/// invariants that were searched for it, if these are a proof.
pub(crate) fn check(
    program: &Program,
    search: &ProgramSearch,
    options: &Options,
    control: Control<'_>,
) -> (Verdict, Decider) {
    let (verdict, decider) = decide(program, search, options, control);
    let engine = match &verdict {
        Ok(Found::Safe(safety)) if safety.found_by == Some(INVARIANTS) => INVARIANTS,
        _ => decider.engine,
    };
    (verdict, Decider { engine, ..decider })
}

fn decide(
    program: &Program,
    search: &ProgramSearch,
    options: &Options,
    control: Control<'_>,
) -> (Verdict, Decider) {
    let cells_until = |stop: &Stop| {
        let own = Control { stop, ..control };
        program_engines::check(program, (search, options.search.stages()), own)
    };
    let cells = || cells_until(control.stop);
    let of_engine = Decider {
        engine: search.name(),
        phase: ENGINE,
    };
    let followed = Followed {
        program,
        search,
        options,
        control,
    };
    match search.arrays() {
        Arrays::Cells => (cells(), of_engine),
        Arrays::Elements => (followed.alone(), followed.decider()),
        Arrays::Auto if !followed.may_help() => (cells(), of_engine),
        Arrays::Auto => {
            let row = options.search.stages().row(StageName::EngineElements);
            // Paths that pass many cells of a large array are long formulas.
            if has_large_arrays(program, row.amount(Amount::LargeFrom).into()) {
                // Many programs have large arrays that no proof is about.
                let briefly = row.first(control.stop);
                if let Some(verdict) = definite(cells_until(&briefly)) {
                    return (verdict, of_engine);
                }
                if let Some(verdict) = definite(followed.first()) {
                    return (verdict, followed.decider());
                }
            }
            // What had its time may have more, if cells are none of the automaton's.
            match cells() {
                Ok(Found::Unknown(reason @ UnknownReason::Unsupported(_))) => {
                    match definite(followed.last()) {
                        Some(verdict) => (verdict, followed.decider()),
                        None => (Ok(Found::Unknown(reason)), of_engine),
                    }
                }
                verdict => (verdict, of_engine),
            }
        }
    }
}

/// A verdict that is none of "unknown".
fn definite(verdict: Verdict) -> Option<Verdict> {
    (!matches!(verdict, Ok(Found::Unknown(_)))).then_some(verdict)
}

/// Why `--arrays elements` is refused.
pub(crate) fn refusal(search: &ProgramSearch) -> Option<String> {
    let is_refused = search.arrays() == Arrays::Elements && search.blocks() == Some(Blocks::Basic);
    is_refused.then(|| {
        "`--arrays elements` follows what one step of the automaton reads, which is from one head of a loop to the next: it \
         is not for `--blocks basic`"
            .to_owned()
    })
}

/// An engine for programs on automata that follow elements of arrays.
struct Followed<'a> {
    program: &'a Program,
    search: &'a ProgramSearch,
    options: &'a Options,
    control: Control<'a>,
}

impl Followed<'_> {
    fn decider(&self) -> Decider {
        Decider::of(self.search.name(), StageName::EngineElements)
    }

    /// Whether they are tried beside cells.
    fn may_help(&self) -> bool {
        let stages = self.options.search.stages();
        !self.options.only
            && self.search.blocks() != Some(Blocks::Basic)
            && stages.has(StageName::EngineElements)
            && has_arrays(self.program)
            && !needs_ends(self.program, self.options.property_file.as_ref())
    }

    /// The verdict where nothing else is tried.
    fn alone(&self) -> Verdict {
        let unsupported = |text: &str| unknown(UnknownReason::Unsupported(text.into()));
        if self.program.passes_goals {
            return unsupported(
                "elements of arrays are not followed where several goals are covered",
            );
        }
        if needs_ends(self.program, self.options.property_file.as_ref()) {
            return unsupported("elements of arrays are not followed where all runs have to end");
        }
        self.decide(self.control.stop)
    }

    /// The verdict before cells are tried.
    fn first(&self) -> Verdict {
        let stages = self.options.search.stages();
        let stop = match stages.get(StageName::EngineElements) {
            Some(stage) => stage.limit(self.control.stop),
            None => self.control.stop.clone(),
        };
        self.noted(&stop, "cells of arrays are next")
    }

    /// The verdict after cells were tried.
    fn last(&self) -> Verdict {
        match self.control.stop.reason() {
            Some(reason) => unknown(reason),
            None => self.noted(self.control.stop, "no other automaton is left"),
        }
    }

    fn noted(&self, stop: &Stop, next: &str) -> Verdict {
        let verdict = self.decide(stop);
        if let Ok(Found::Unknown(reason)) = &verdict {
            let listener = self.control.listener;
            listener.note(self.search.name(), || {
                format!("with elements of arrays followed: {reason}; {next}")
            });
        }
        verdict
    }

    /// The verdict with elements followed, before a stop. The engine alone has the first part of the time: errors within few
    /// rounds, and what few refutations prove, need no help. Paths through a loop of many rounds are refuted by its bound, one
    /// number of rounds after the other: no refutation says what holds of the elements, and invariants do.
    fn decide(&self, stop: &Stop) -> Verdict {
        let stage = (self.options.search.stages()).get(StageName::EngineInvariants);
        let Some(stage) = stage.filter(|_| !self.options.only) else {
            let chosen = self.decide_by(self.search, &self.before_recent(stop));
            return self.or_recent(chosen, stop);
        };
        let briefly = self.decide_by(self.search, &stage.first(stop));
        if let Some(verdict) = definite(briefly) {
            return verdict;
        }
        if let Some(recent) = self.recent_stage()
            && let Some(verdict) = definite(self.recent(&recent.first(stop)))
        {
            return verdict;
        }
        let search = self.search.with_invariants_of(stage);
        let chosen = self.decide_by(&search, &self.before_recent(stop));
        self.or_recent(chosen, stop)
    }

    fn recent_stage(&self) -> Option<&Stage> {
        (self.options.search.stages()).get(StageName::EngineRecent)
    }

    /// When elements at chosen indices give way to those at the last ones.
    fn before_recent(&self, stop: &Stop) -> Stop {
        match self.recent_stage() {
            Some(stage) => stage.rest(stop),
            None => stop.clone(),
        }
    }

    /// A verdict that is none of "unknown", or that with elements at the last indices followed, or the first one.
    fn or_recent(&self, chosen: Verdict, stop: &Stop) -> Verdict {
        let is_last = self.recent_stage().is_none() || stop.reason().is_some();
        if !matches!(chosen, Ok(Found::Unknown(_))) || is_last {
            return chosen;
        }
        definite(self.recent(stop)).unwrap_or(chosen)
    }

    /// The verdict with elements at the last indices followed: for programs that access few elements.
    fn recent(&self, stop: &Stop) -> Verdict {
        let own = Control {
            stop,
            ..self.control
        };
        let stages = self.options.search.stages();
        check_recent(self.program, (self.search, stages), own)
    }

    fn decide_by(&self, search: &ProgramSearch, stop: &Stop) -> Verdict {
        let searcher = Searcher::Engine(search, self.options.search.stages());
        let own = Control {
            stop,
            ..self.control
        };
        check_with_elements(self.program, searcher, own)
    }
}

/// Whether a program has arrays or allocated memory, and no goals that runs pass.
pub(crate) fn has_arrays(program: &Program) -> bool {
    let is_array = |object: &DeclaredObject| matches!(object.ty, Some(Type::Array(..)));
    !program.passes_goals && (has_object(program, &is_array) || allocates(program, &|_| true))
}

/// Whether some array has this number of elements or more, or an unknown one.
fn has_large_arrays(program: &Program, large: u64) -> bool {
    let is_large = |object: &DeclaredObject| {
        let length = match object.ty {
            Some(Type::Array(_, length)) => length,
            _ => Some(0),
        };
        length.is_none_or(|length| length >= large)
    };
    let is_open = |instr: &Instr| {
        let Instr::Allocate { size, .. } = instr else {
            return false;
        };
        program.constant_value(*size).is_none()
    };
    has_object(program, &is_large) || allocates(program, &is_open)
}

/// Whether such an object is declared. Contents of string literals are seldom what a proof is about.
fn has_object(program: &Program, is_wanted: &dyn Fn(&DeclaredObject) -> bool) -> bool {
    let functions = program.functions.iter();
    let mut slots = functions.flat_map(|function| &function.slots);
    let mut statics = program.statics.iter().filter(|object| !object.is_constant);
    statics.any(is_wanted) || slots.any(is_wanted)
}

fn allocates(program: &Program, is_wanted: &dyn Fn(&Instr) -> bool) -> bool {
    let functions = program.functions.iter();
    let mut blocks = functions.flat_map(|function| &function.blocks);
    blocks.any(|block| {
        let mut instrs = block.instrs.iter();
        instrs.any(|(instr, _)| matches!(instr, Instr::Allocate { .. }) && is_wanted(instr))
    })
}
