//! The line-up of engines that run in parallel, as data: a TOML file, by default the one next to this file.

use std::time::Duration;

use toml::Spanned;
use toml::de::{DeArray, DeString, DeTable, DeValue};

use super::entry::{Entry, Method, ProgramEntry, Turns};
use crate::circuit::reduce::{Passes, ROWS};
use crate::engine::entry::Engine;
use crate::engine::options::{EngineOption, Range, Settings, Value};
use crate::engine::registry;
use crate::program::Shape;
use crate::program::engine::{BLOCKS, ProgramEngine};
use crate::program::registry as program_registry;

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
        let reader = Reader { text };
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

/// The error, and its offset.
type Wrong = (usize, String);
type Key<'a> = Spanned<DeString<'a>>;
type Item<'a> = Spanned<DeValue<'a>>;

struct Reader<'a> {
    text: &'a str,
}

impl Reader<'_> {
    fn line_up(&self) -> Result<LineUp, Wrong> {
        let table = DeTable::parse(self.text).map_err(|error| {
            let offset = error.span().map_or(0, |span| span.start);
            (offset, format!("expected TOML: {}", error.message()))
        })?;
        let (mut circuit, mut loops, mut shapes) = (None, None, Vec::new());
        for (key, item) in table.get_ref() {
            match key.get_ref().as_ref() {
                "circuit" => circuit = Some(self.section(item, false)?),
                "loop" => loops = Some(self.section(item, true)?),
                name => match Shape::ALL.into_iter().find(|shape| shape.name() == name) {
                    Some(shape) => shapes.push((shape, self.section(item, true)?)),
                    None => {
                        let names = Shape::ALL.map(|shape| format!("`{}`", shape.name()));
                        let expected = format!("`circuit`, `loop`, {}", names.join(", "));
                        return Err(unexpected(key, &expected));
                    }
                },
            }
        }
        let missing = |name: &str| (self.text.len(), format!("expected a table `[{name}]`"));
        Ok(LineUp {
            circuit: circuit.ok_or_else(|| missing("circuit"))?,
            loops: loops.ok_or_else(|| missing("loop"))?,
            shapes,
        })
    }

    /// A table, which is `of_programs` or of circuits.
    fn section(&self, item: &Item<'_>, of_programs: bool) -> Result<Section, Wrong> {
        let mut section = Section {
            at_least: 1,
            members: Vec::new(),
            skipped: Vec::new(),
            lemmas: None,
        };
        for (key, value) in table(item)? {
            match key.get_ref().as_ref() {
                "at-least" => section.at_least = count(key, value, 1)?,
                "skip-passes" => section.skipped = passes(key, value)?,
                "lemmas" if of_programs => section.lemmas = Some(milliseconds(key, value)?),
                "entry" => section.members = self.members(value, of_programs)?,
                _ => {
                    let lemmas = if of_programs { "`lemmas`, " } else { "" };
                    let expected = format!("`at-least`, `skip-passes`, {lemmas}`entry`");
                    return Err(unexpected(key, &expected));
                }
            }
        }
        // A number of threads without an entry would be the first one, or follow on the last of an entry.
        let ends = section.members.iter().map(|member| member.threads_to);
        let first_ones = ends.filter_map(|last| last.checked_add(1)).chain([1]);
        for threads in first_ones {
            if !section.members.iter().any(|member| member.fits(threads)) {
                let message = format!("expected an entry for {threads} threads");
                return Err((item.span().start, message));
            }
        }
        Ok(section)
    }

    fn members(&self, item: &Item<'_>, of_programs: bool) -> Result<Vec<Member>, Wrong> {
        let expected = || (item.span().start, "expected a list of tables".to_string());
        let entries: &DeArray<'_> = item.get_ref().as_array().ok_or_else(expected)?;
        (entries.iter())
            .map(|entry| self.member(entry, of_programs))
            .collect()
    }

    fn member(&self, item: &Item<'_>, of_programs: bool) -> Result<Member, Wrong> {
        let entries = table(item)?;
        let engine = entries.iter().find(|(key, _)| key.get_ref() == "engine");
        let Some((key, value)) = engine else {
            return Err((item.span().start, "expected a key `engine`".to_string()));
        };
        let name = text(key, value)?;
        let engine = engine_of(name, of_programs).ok_or_else(|| {
            let names = registry::ENGINES.iter().map(|engine| engine.name);
            let more = program_registry::ENGINES.iter();
            let more = more.filter(|_| of_programs).map(|engine| engine.name);
            let names: Vec<String> = names.chain(more).map(|name| format!("`{name}`")).collect();
            let expected = names.join(", ");
            (
                value.span().start,
                format!("`engine`: expected one of {expected}"),
            )
        })?;
        let mut member = Member {
            engine,
            name: engine.name().to_string(),
            settings: Settings::default(),
            threads_from: 1,
            threads_to: usize::MAX,
            turn: None,
            first_turn: None,
            original: false,
            signals: false,
        };
        for (key, value) in entries {
            match key.get_ref().as_ref() {
                "engine" => {}
                "name" => member.name = text(key, value)?.to_string(),
                "threads-from" => member.threads_from = count(key, value, 1)?,
                "threads-to" => member.threads_to = count(key, value, 1)?,
                "turn" => member.turn = Some(milliseconds(key, value)?),
                "first-turn" => member.first_turn = Some(milliseconds(key, value)?),
                "original" => member.original = switch(key, value)?,
                "signals" if of_programs && matches!(engine, Chosen::Circuit(_)) => {
                    member.signals = switch(key, value)?;
                }
                name => {
                    // How the automaton is cut is not the engine's choice here.
                    let options = engine.options().iter();
                    let options = options.filter(|option| option.name != BLOCKS.name);
                    let mut own = options.clone();
                    let Some(option) = own.find(|option| option.name == name) else {
                        let names = options.map(|option| format!("`{}`", option.name));
                        let mut names: Vec<String> = names.collect();
                        let own = [
                            "engine",
                            "name",
                            "threads-from",
                            "threads-to",
                            "turn",
                            "first-turn",
                            "original",
                        ];
                        names.extend(own.map(|name| format!("`{name}`")));
                        if of_programs && matches!(engine, Chosen::Circuit(_)) {
                            names.push("`signals`".to_string());
                        }
                        return Err(unexpected(key, &names.join(", ")));
                    };
                    member.settings.set(option, setting(option, value)?);
                }
            }
        }
        if member.first_turn.is_some() && member.turn.is_none() {
            let message = "expected a key `turn` where there is `first-turn`";
            return Err((item.span().start, message.to_string()));
        }
        Ok(member)
    }
}

/// The engine of this name; one for automata only for programs.
fn engine_of(name: &str, of_programs: bool) -> Option<Chosen> {
    let on_automata = || {
        let mut engines = program_registry::ENGINES.iter();
        engines.find(|engine| of_programs && engine.name == name)
    };
    let on_circuits = registry::find(name).map(Chosen::Circuit);
    on_circuits.or_else(|| on_automata().map(Chosen::Automaton))
}

fn table<'t, 'a>(item: &'t Item<'a>) -> Result<&'t DeTable<'a>, Wrong> {
    let expected = || (item.span().start, "expected a table".to_string());
    item.get_ref().as_table().ok_or_else(expected)
}

fn unexpected(key: &Key<'_>, expected: &str) -> Wrong {
    let message = format!("`{}`: expected one of {expected}", key.get_ref());
    (key.span().start, message)
}

fn text<'t>(key: &Key<'_>, item: &'t Item<'_>) -> Result<&'t str, Wrong> {
    let expected = || format!("`{}`: expected a text in quotes", key.get_ref());
    item.get_ref()
        .as_str()
        .ok_or_else(|| (item.span().start, expected()))
}

/// Names of passes of the reduction.
fn passes(key: &Key<'_>, item: &Item<'_>) -> Result<Vec<String>, Wrong> {
    let known = || ROWS.iter().map(|row| row.pass.name());
    let names = item.get_ref().as_array().and_then(|names| {
        let names = names.iter().map(|name| name.get_ref().as_str());
        let names = names.map(|name| name.filter(|&name| known().any(|known| known == name)));
        names.map(|name| name.map(str::to_owned)).collect()
    });
    names.ok_or_else(|| {
        let mut known: Vec<&str> = known().collect();
        known.dedup();
        let message = format!("`{}`: expected a list of {known:?}", key.get_ref());
        (item.span().start, message)
    })
}

fn number(item: &Item<'_>) -> Option<u64> {
    let integer = item.get_ref().as_integer()?;
    u64::from_str_radix(integer.as_str(), integer.radix()).ok()
}

fn count(key: &Key<'_>, item: &Item<'_>, least: usize) -> Result<usize, Wrong> {
    let number = number(item).and_then(|number| usize::try_from(number).ok());
    let expected = || {
        format!(
            "`{}`: expected a whole number, at least {least}",
            key.get_ref()
        )
    };
    number
        .filter(|&number| number >= least)
        .ok_or_else(|| (item.span().start, expected()))
}

fn switch(key: &Key<'_>, item: &Item<'_>) -> Result<bool, Wrong> {
    let expected = || format!("`{}`: expected `true` or `false`", key.get_ref());
    item.get_ref()
        .as_bool()
        .ok_or_else(|| (item.span().start, expected()))
}

fn milliseconds(key: &Key<'_>, item: &Item<'_>) -> Result<Duration, Wrong> {
    Ok(Duration::from_millis(count(key, item, 1)? as u64))
}

/// The value of an engine's option.
fn setting(option: &EngineOption, item: &Item<'_>) -> Result<Value, Wrong> {
    let words = |items: &DeArray<'_>| {
        let words = items
            .iter()
            .map(|item| Some(item.get_ref().as_str()?.to_string()));
        words.collect::<Option<Vec<String>>>()
    };
    let value = match (option.range, item.get_ref()) {
        (Range::Words(_), DeValue::Array(items)) => words(items).map(Value::Words),
        (_, DeValue::Boolean(is_on)) => Some(Value::Switch(*is_on)),
        (_, DeValue::Integer(_)) => number(item).map(Value::Number),
        (_, DeValue::String(word)) => Some(Value::Word(word.to_string())),
        _ => None,
    };
    value.filter(|value| option.allows(value)).ok_or_else(|| {
        let message = format!("`{}`: expected {}", option.name, option.expected());
        (item.span().start, message)
    })
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
        let few = ["pdr", "gla", "avy", "sim", "sim, guided", "bmc"];
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
                "avy"
            ]
        );
        let at_once = four
            .iter()
            .map(|entry| entry.turns.map(|turns| turns.at_once));
        let shared = [Some(1); 4];
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
