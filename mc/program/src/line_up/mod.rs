//! The line-up of engines that run in parallel, as data: a TOML file, by default the one next to this file.

mod amount;
mod entry;
#[cfg(test)]
mod portfolio_tests;
mod read;
mod stage;
mod stage_name;
#[cfg(test)]
mod tests;

use std::sync::LazyLock;
use std::time::Duration;

use craig_mc::circuit::reduce::Passes;
use craig_mc::engine::entry::Engine;
use craig_mc::engine::options::{EngineOption, Settings, Value};
use craig_mc::portfolio::{Entry, Turns};

use crate::engine::ProgramEngine;
use entry::Method;

pub use amount::{Amount, Condition};
pub use entry::{Predicates, ProgramEntry};
pub use stage::{Stage, Stages};
pub use stage_name::{StageName, StageOf};

/// The engines for circuits, and for programs with loops.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineUp {
    circuit: Section,
    loops: Section,
    /// What comes before the engines for circuits.
    circuit_stages: Stages,
    /// What comes before the engines for programs, and beside them.
    program_stages: Stages,
}

/// The engines for one kind of task, in the order in which they get threads.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Section {
    /// The minimal number of engines, even with fewer threads.
    at_least: usize,
    members: Vec<Member>,
    /// The passes of the reduction that are left out before these engines.
    skipped: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Member {
    engine: Chosen,
    name: String,
    settings: Settings,
    threads_from: usize,
    threads_to: usize,
    /// The length of its turns, if it takes turns with others.
    turn: Option<Duration>,
    /// The length of the first turn, if it is another.
    first_turn: Option<Duration>,
    /// Whether it searches the model before the reduction.
    original: bool,
    /// Whether it has predicates over words as latches.
    signals: bool,
}

/// The engine of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Chosen {
    Circuit(&'static Engine),
    Automaton(&'static ProgramEngine),
}

impl Chosen {
    fn name(self) -> &'static str {
        match self {
            Self::Circuit(engine) => engine.name,
            Self::Automaton(engine) => engine.name,
        }
    }

    fn options(self) -> &'static [&'static EngineOption] {
        match self {
            Self::Circuit(engine) => engine.options,
            Self::Automaton(engine) => engine.options,
        }
    }
}

/// What decides programs with loops.
#[derive(Clone)]
pub struct ProgramLineUp {
    /// The engines.
    pub entries: Vec<ProgramEntry>,
    /// The passes that reduce the circuit before.
    pub passes: Passes,
}

/// Why a file is not a line-up.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
#[non_exhaustive]
pub struct LineUpError {
    /// The line, counted from 1.
    pub line: usize,
    /// The error, and what was expected.
    pub message: String,
}

#[cfg(feature = "bdd")]
const DEFAULT: &str = concat!(include_str!("line_up.toml"), include_str!("diagrams.toml"));
#[cfg(not(feature = "bdd"))]
const DEFAULT: &str = include_str!("line_up.toml");

impl Default for LineUp {
    fn default() -> Self {
        Self::built_in().clone()
    }
}

impl LineUp {
    /// The default line-up as a TOML text.
    pub const DEFAULT: &str = DEFAULT;

    /// The default line-up.
    fn built_in() -> &'static Self {
        static BUILT_IN: LazyLock<LineUp> = LazyLock::new(|| {
            LineUp::parse_over(LineUp::DEFAULT, None).expect("the default line-up is valid")
        });
        &BUILT_IN
    }

    /// Reads a line-up. If it lists no stages for circuits, or for programs, the default ones run, but for PDR with predicates before
    /// the engines; otherwise only those with a row do.
    ///
    /// # Errors
    /// If the text is not TOML, or has tables, keys or values that a line-up does not have.
    pub fn parse(text: &str) -> Result<Self, LineUpError> {
        let default = Self::built_in();
        // A line-up says which engines search: PDR is none of them unless it is named, or its stage.
        let program = default.program_stages.clone().without(StageName::Signals);
        Self::parse_over(text, Some([&default.circuit_stages, &program]))
    }

    /// Reads a line-up. Lists of stages that it does not have are these, for circuits and for programs.
    fn parse_over(text: &str, stages: Option<[&Stages; 2]>) -> Result<Self, LineUpError> {
        let reader = read::Reader { text, stages };
        reader.line_up().map_err(|(offset, message)| LineUpError {
            line: 1 + text[..offset.min(text.len())].matches('\n').count(),
            message,
        })
    }

    /// What comes before the engines for circuits.
    #[must_use]
    pub fn circuit_stages(&self) -> &Stages {
        &self.circuit_stages
    }

    /// What comes before the engines for programs, and beside them.
    #[must_use]
    pub fn program_stages(&self) -> &Stages {
        &self.program_stages
    }

    /// The engines for a circuit with `threads` threads, at least one. `seed` determines their random choices.
    #[must_use]
    pub fn for_circuit(&self, threads: usize, seed: u64) -> Vec<Entry> {
        let entries = self.circuit.entries(threads, seed).into_iter();
        let entries = entries.map(|entry| match entry.method {
            Method::Circuit(run) => Entry {
                name: entry.name,
                run,
                turns: entry.turns,
                original: entry.original,
            },
            Method::Automaton(..) => unreachable!("the reader refuses them for circuits"),
        });
        entries.collect()
    }

    /// The engines for a program with loops, and what comes before them.
    #[must_use]
    pub fn for_program(&self, threads: usize, seed: u64) -> ProgramLineUp {
        let skipped = self.loops.skipped.iter();
        let passes = skipped.fold(Passes::ALL, |passes, name| passes.without(name));
        ProgramLineUp {
            entries: self.loops.entries(threads, seed),
            passes,
        }
    }
}

impl Section {
    fn entries(&self, threads: usize, seed: u64) -> Vec<ProgramEntry> {
        let threads = threads.max(1);
        let most = threads.max(self.at_least);
        let members = self.members.iter();
        let fitting = members.filter(|member| member.fits(threads));
        let (shared, own): (Vec<&Member>, Vec<&Member>) =
            fitting.partition(|member| member.turn.is_some());
        // Those that take turns use at least one thread, and all that the others leave.
        let n_own = own.len().min(most - usize::from(!shared.is_empty()));
        let mut entries: Vec<ProgramEntry> = own[..n_own]
            .iter()
            .map(|member| member.entry(seed))
            .collect();
        for member in shared {
            entries.push(ProgramEntry {
                turns: member.turn.map(|length| Turns {
                    first: member.first_turn.unwrap_or(length),
                    length,
                    at_once: most - n_own,
                }),
                ..member.entry(seed)
            });
        }
        entries
    }
}

impl Member {
    fn fits(&self, threads: usize) -> bool {
        (self.threads_from..=self.threads_to).contains(&threads)
    }

    fn entry(&self, seed: u64) -> ProgramEntry {
        let mut settings = self.settings.clone();
        let option = (self.engine.options().iter()).find(|option| option.name == "seed");
        if let Some(option) = option {
            let own = settings.number(option).unwrap_or_default();
            settings.set(option, Value::Number(own.wrapping_add(seed)));
        }
        ProgramEntry {
            name: self.name.clone(),
            method: match self.engine {
                Chosen::Circuit(engine) => Method::Circuit((engine.build)(&settings)),
                Chosen::Automaton(engine) => {
                    Method::Automaton(engine.name, (engine.build)(&settings))
                }
            },
            turns: None,
            original: self.original,
            signals: self.signals,
        }
    }
}
