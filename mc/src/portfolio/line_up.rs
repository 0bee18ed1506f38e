//! The line-up of engines that run in parallel, as data: a TOML file, by default the one next to this file.

mod read;

use std::time::Duration;

use super::entry::{Entry, Method, ProgramEntry, Turns};
use crate::circuit::reduce::Passes;
use crate::engine::entry::Engine;
use crate::engine::options::{EngineOption, Settings, Value};
use crate::program::Shape;
use crate::program::engine::ProgramEngine;

/// The engines for circuits, and for programs with loops.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineUp {
    circuit: Section,
    loops: Section,
    /// Those of the shapes of programs that have a section of their own.
    shapes: Vec<(Shape, Section)>,
}

/// The engines for one kind of task, in the order in which they get threads.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Section {
    /// The minimal number of engines, even with fewer threads.
    at_least: usize,
    members: Vec<Member>,
    /// The passes of the reduction that are left out before these engines.
    skipped: Vec<String>,
    /// The time that property-directed reachability on the automaton has before, for its lemmas.
    lemmas: Option<Duration>,
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

/// What decides programs of one shape.
#[derive(Clone)]
pub struct ProgramLineUp {
    /// The engines.
    pub entries: Vec<ProgramEntry>,
    /// The passes that reduce the circuit before.
    pub passes: Passes,
    /// The time that property-directed reachability on the automaton has before, whose lemmas the engines for circuits get.
    pub lemmas: Option<Duration>,
}

/// Why a file is not a line-up.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct LineUpError {
    /// The line, counted from 1.
    pub line: usize,
    /// The error, and what was expected.
    pub message: String,
}

impl Default for LineUp {
    fn default() -> Self {
        Self::parse(Self::DEFAULT).expect("the default line-up is valid")
    }
}

impl LineUp {
    /// The default line-up as a TOML text.
    pub const DEFAULT: &str = include_str!("line_up.toml");

    /// Reads a line-up.
    ///
    /// # Errors
    /// If the text is not TOML, or has tables, keys or values that a line-up does not have.
    pub fn parse(text: &str) -> Result<Self, LineUpError> {
        let reader = read::Reader { text };
        reader.line_up().map_err(|(offset, message)| LineUpError {
            line: 1 + text[..offset.min(text.len())].matches('\n').count(),
            message,
        })
    }

    /// The engines for a circuit with so many threads, at least one. `seed` determines their random choices.
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

    /// The engines for a program of this shape, and what comes before them.
    #[must_use]
    pub fn for_program(&self, shape: Shape, threads: usize, seed: u64) -> ProgramLineUp {
        let own = self.shapes.iter().find(|(own, _)| *own == shape);
        let section = own.map_or(&self.loops, |(_, section)| section);
        let skipped = section.skipped.iter();
        let passes = skipped.fold(Passes::ALL, |passes, name| passes.without(name));
        ProgramLineUp {
            entries: section.entries(threads, seed),
            passes,
            lemmas: section.lemmas,
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

#[cfg(test)]
mod tests {
    use super::*;

    fn names(entries: &[Entry]) -> Vec<&str> {
        entries.iter().map(|entry| &entry.name[..]).collect()
    }

    fn own_names(line_up: &ProgramLineUp) -> Vec<&str> {
        line_up
            .entries
            .iter()
            .map(|entry| &entry.name[..])
            .collect()
    }

    #[test]
    fn threads_choose_from_the_default() {
        let line_up = LineUp::default();
        let circuit = |threads| line_up.for_circuit(threads, 0);
        let few = ["pdr", "gla", "avy", "imc", "sim", "sim, guided", "bmc"];
        assert_eq!(names(&circuit(0)), few);
        for threads in [1, 2, 3] {
            let entries = circuit(threads);
            assert_eq!(names(&entries), few);
            let at_once = |entry: &Entry| entry.turns.map(|turns| turns.at_once);
            assert!(entries.iter().all(|entry| at_once(entry) == Some(threads)));
        }
        let four = circuit(4);
        assert_eq!(
            names(&four),
            [
                "pdr",
                "gla",
                "pdr, plain",
                "bmc, long",
                "sim",
                "sim, guided",
                "avy",
                "imc"
            ]
        );
        let at_once = four
            .iter()
            .map(|entry| entry.turns.map(|turns| turns.at_once));
        let shared = [Some(1); 5];
        assert!(at_once.eq([None; 3].into_iter().chain(shared)));
        for (threads, n_entries) in [(5, 5), (8, 8), (16, 16), (usize::MAX, 20)] {
            assert_eq!(circuit(threads).len(), n_entries);
        }
        // Strides of 1, 10, 65 and doubling ones, and both models.
        let sixteen = circuit(16);
        for name in ["bmc", "bmc, 10", "bmc, 65", "bmc, long"] {
            assert!(names(&sixteen).contains(&name), "{name}");
        }
        let original = sixteen.iter().filter(|entry| entry.original);
        assert_eq!(original.count(), 1);
        let loops = |threads| line_up.for_program(Shape::Loops, threads, 0);
        assert_eq!(own_names(&loops(1)), ["pdr", "imc"]);
        assert_eq!(own_names(&loops(9)), ["pdr", "imc", "kind", "isb"]);
    }

    #[test]
    fn entries_say_which_model_they_search() {
        let text = "[circuit]\n[[circuit.entry]]\nengine = \"imc\"\noriginal = \
                    true\n[[circuit.entry]]\nengine = \"pdr\"\n[loop]\n[[loop.entry]]\nengine = \"pdr\"\n";
        let entries = LineUp::parse(text).unwrap().for_circuit(2, 0);
        let original: Vec<bool> = entries.iter().map(|entry| entry.original).collect();
        assert_eq!(original, [true, false]);
    }

    /// A shape with a table of its own gets its engines and passes, another one those of `[loop]`.
    #[test]
    fn shapes_choose_their_tables() {
        let text = "[circuit]\n[[circuit.entry]]\nengine = \"imc\"\n[loop]\n[[loop.entry]]\nengine = \
                    \"pdr\"\n[event-loop]\nskip-passes = [\"signals\", \"latches\"]\n[[event-loop.entry]]\nengine = \
                    \"avy\"\n";
        let line_up = LineUp::parse(text).unwrap();
        let own = line_up.for_program(Shape::EventLoop, 2, 0);
        assert_eq!(own_names(&own), ["avy"]);
        let expected = Passes::ALL.without("signals").without("latches");
        assert_eq!(own.passes, expected);
        let own = line_up.for_program(Shape::OneLoop, 2, 0);
        assert_eq!(own_names(&own), ["pdr"]);
        assert_eq!(own.passes, Passes::ALL);
        let wrong = text.replace("\"latches\"", "\"latch\"");
        let error = LineUp::parse(&wrong).unwrap_err();
        assert!(
            error
                .message
                .starts_with("`skip-passes`: expected a list of"),
            "{error}"
        );
    }

    /// Tables for programs may have engines for automata and lemmas, that for circuits may not.
    #[test]
    fn engines_for_automata_are_for_programs() {
        let circuit = "[circuit]\n[[circuit.entry]]\nengine = \"imc\"\n";
        let own = "[loop]\nlemmas = 250\n[[loop.entry]]\nengine = \"pdr\"\n[[loop.entry]]\nengine = \
                   \"cfa-pdr\"\nbit-lemmas = true\nturn = 50\n";
        let line_up = LineUp::parse(&[circuit, own].concat()).unwrap();
        let found = line_up.for_program(Shape::Loops, 2, 0);
        assert_eq!(own_names(&found), ["pdr", "cfa-pdr"]);
        assert_eq!(found.lemmas, Some(Duration::from_millis(250)));
        let kinds = found.entries.iter().map(ProgramEntry::is_for_automata);
        assert_eq!(kinds.collect::<Vec<_>>(), [false, true]);
        for (from, to, expected) in [
            ("\"imc\"", "\"cfa-pdr\"", "`engine`: expected one of `bmc`"),
            (
                "[circuit]",
                "[circuit]\nlemmas = 250",
                "`lemmas`: expected one of `at-least`",
            ),
        ] {
            let wrong = [&circuit.replacen(from, to, 1), own].concat();
            let error = LineUp::parse(&wrong).unwrap_err();
            assert!(error.message.contains(expected), "{error}");
        }
    }

    #[test]
    fn errors_name_the_line_and_what_was_expected() {
        let good = "[circuit]\n[[circuit.entry]]\nengine = \"imc\"\n[loop]\n[[loop.entry]]\nengine = \
                    \"pdr\"\n";
        assert!(LineUp::parse(good).is_ok());
        for (from, to, line, expected) in [
            ("[circuit]", "[circuit", 1, "expected TOML"),
            (
                "\"imc\"",
                "\"imac\"",
                3,
                "`engine`: expected one of `bmc`, `imc`",
            ),
            (
                "\"imc\"",
                "\"imc\"\nsystm = \"mcmillan\"",
                4,
                "`systm`: expected one of `system`",
            ),
            (
                "\"imc\"",
                "\"imc\"\nsystem = 3",
                4,
                "`system`: expected one of `mcmillan`",
            ),
            (
                "\"imc\"",
                "\"imc\"\nmax-depth = -3",
                4,
                "`max-depth`: expected a whole number",
            ),
            (
                "\"imc\"",
                "\"imc\"\nfirst-turn = 20",
                2,
                "expected a key `turn`",
            ),
            (
                "\"imc\"",
                "\"imc\"\nthreads-to = 3",
                1,
                "expected an entry for 4 threads",
            ),
            (
                "\"imc\"",
                "\"imc\"\nturn = 0",
                4,
                "`turn`: expected a whole number, at least 1",
            ),
            (
                "\"imc\"",
                "\"imc\"\noriginal = 1",
                4,
                "`original`: expected `true` or `false`",
            ),
            (
                "\"imc\"",
                "\"imc\"\nthreads-from = 2",
                1,
                "expected an entry for 1 threads",
            ),
            (
                "[circuit]",
                "[circuit]\nat-least = 0",
                2,
                "`at-least`: expected a whole number, at",
            ),
            (
                "[circuit]",
                "[circuits]",
                1,
                "`circuits`: expected one of `circuit`",
            ),
            ("engine = \"pdr\"", "seed = 1", 5, "expected a key `engine`"),
            (
                "engine = \"pdr\"",
                "engine = \"pdr\"\npdr-without = \"turns\"",
                7,
                "a list of some of",
            ),
        ] {
            let error = LineUp::parse(&good.replacen(from, to, 1)).unwrap_err();
            assert!(error.message.contains(expected), "{error}");
            assert_eq!(error.line, line, "{error}");
        }
    }
}
