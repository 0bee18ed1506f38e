//! The options of a check of a C file.

use std::time::Instant;

use craig_c_exec::symbolic::unwinding::Unwinding;
use craig_c_files::property_file::PropertyFile;
use craig_c_lang::lower::{CbmcOptions, Checks, Goals, UnknownCalls};
use craig_c_lang::source::{LinkedFile, Preprocessing};
use craig_c_lang::types::DataModel;
use craig_verify::{AutomatonSearch, ProgramSearch};

/// The engines to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Engine {
    /// All of them, in parallel.
    #[default]
    Portfolio,
    /// Symbolic execution with loops unrolled.
    Unwind,
    /// Symbolic execution path by path.
    Paths,
    /// The single-loop program in the engines for circuits, or the control-flow automaton in the engine for
    /// programs if there is one.
    Model,
}

/// The options of a check.
#[derive(Clone, Debug)]
pub struct Options {
    /// The machine.
    pub model: DataModel,
    /// For the preprocessor.
    pub preprocessing: Preprocessing,
    /// The other files of the program.
    pub linked: Vec<LinkedFile>,
    /// A label or function that marks the error, instead of the conventional marks.
    pub error_name: Option<String>,
    /// The function in which the program starts.
    pub entry: String,
    /// Checks in addition to the error marks.
    pub checks: Checks,
    /// A property file, which replaces the marks, the checks and the entry function above.
    pub property_file: Option<PropertyFile>,
    /// The name of the only property that is asked about (`list` has them).
    pub property_name: Option<String>,
    /// Lines to be reached, by file and number, instead of the conventional marks.
    pub cover: Vec<(String, u32)>,
    /// Coverage goals instead of errors.
    pub goals: Option<Goals>,
    /// Whether `malloc` and similar functions may fail at any time.
    pub malloc_may_fail: bool,
    /// The effect of a function that has neither body nor model.
    pub unknown_calls: UnknownCalls,
    /// Whether each read of a volatile object may return any value.
    pub nondet_volatile: bool,
    /// Whether signed arithmetic is assumed not to overflow, where overflow is not checked.
    pub assume_no_overflow: bool,
    /// The dialect of C, and what the command line of CBMC's tools says about the program.
    pub cbmc: CbmcOptions,
    /// The limits of unrolling. They apply to the engines that unroll, not to those on a transition system.
    pub unwinding: Unwinding,
    /// The engines to run.
    pub engine: Engine,
    /// The engines for the single-loop program, and the stages before and beside them.
    pub search: AutomatonSearch,
    /// Whether a single engine decides alone: nothing searches before it, and it gets no other program.
    pub only: bool,
    /// What decides the control-flow automaton, in the place of `search`.
    pub program_search: Option<ProgramSearch>,
    /// The deadline; several properties share the remaining time.
    pub deadline: Option<Instant>,
}

impl Options {
    /// The function in which the program starts.
    #[must_use]
    pub fn entry(&self) -> &str {
        (self.property_file.as_ref()).map_or(self.entry.as_str(), PropertyFile::entry)
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            model: DataModel::Lp64,
            preprocessing: Preprocessing::default(),
            linked: Vec::new(),
            error_name: None,
            entry: "main".into(),
            checks: Checks::default(),
            property_file: None,
            property_name: None,
            cover: Vec::new(),
            goals: None,
            malloc_may_fail: false,
            unknown_calls: UnknownCalls::default(),
            nondet_volatile: false,
            assume_no_overflow: false,
            cbmc: CbmcOptions::default(),
            unwinding: Unwinding::default(),
            engine: Engine::default(),
            search: AutomatonSearch::portfolio(2),
            only: false,
            program_search: None,
            deadline: None,
        }
    }
}
