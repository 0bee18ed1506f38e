//! For each option of `craig check`: the kinds of input and the engines that it is for, its heading, and whether it is one
//! that the short help shows. Parsing and help are made from this table.

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command};
use craig_program::predabs::whole;

use super::kind::{AIGER, BTOR2, C, CIRCUIT, Kinds, VERILOG};
use crate::cli::engines::{EngineName, EngineOptions, check_together, given};
use crate::cli::failure::Failure;

/// The ways in which C programs are decided, as `--c-engine` names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ways {
    /// The default: all, or a named engine on the transition system.
    Default,
    /// All.
    All,
    /// Unrolling alone.
    Unwind,
    /// Execution path by path alone.
    Paths,
    /// The transition system alone.
    Model,
}

/// What an option is about, for the headings of the help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Heading {
    Input,
    Property,
    Output,
    Limits,
    Engines,
    C,
}

impl Heading {
    fn text(self) -> &'static str {
        match self {
            Self::Input => "Input",
            Self::Property => "Property",
            Self::Output => "Output",
            Self::Limits => "Limits",
            Self::Engines => "Engines",
            Self::C => "C programs",
        }
    }
}

/// The engines that an option is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum For {
    /// All.
    Any,
    /// The portfolio.
    Portfolio,
    /// An engine that is named.
    Named,
    /// An engine on circuits: also of those into which C programs are turned for a named one.
    Circuits,
    /// An engine on circuits that is named.
    NamedCircuits,
    /// The unrolling of C programs.
    Unwinding,
    /// An engine that unwinds the automaton of a C program.
    Unwinder,
    /// An engine for programs that interpolates refutations.
    Recorded,
}

/// The engines that `--unwinding` can draw.
const UNWINDERS: [&str; 4] = ["impact", "predabs", "rse", "annotate"];

/// The engines as a question selects them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    pub(super) engine: EngineName,
    pub(super) ways: Ways,
}

impl For {
    /// Whether an option for these engines is for the chosen ones, about an input of such a kind.
    fn fits(self, kind: Kinds, choice: Choice) -> bool {
        let Choice { engine, ways } = choice;
        let is_c = kind == C;
        let has_model = !is_c || !matches!(ways, Ways::Unwind | Ways::Paths);
        match self {
            Self::Any => true,
            Self::Portfolio => engine == EngineName::Portfolio && has_model,
            Self::Named => engine != EngineName::Portfolio && has_model,
            Self::Circuits => match engine {
                EngineName::Portfolio => !is_c,
                EngineName::Single(_) => has_model,
                EngineName::Program(_) => false,
            },
            Self::NamedCircuits => matches!(engine, EngineName::Single(_)) && has_model,
            Self::Unwinding => match ways {
                Ways::Default => engine == EngineName::Portfolio,
                Ways::All | Ways::Unwind | Ways::Paths => true,
                Ways::Model => false,
            },
            Self::Unwinder => UNWINDERS.contains(&engine.name()) && has_model,
            Self::Recorded => {
                let name = engine.name();
                (UNWINDERS.contains(&name) || name == whole::NAME) && has_model
            }
        }
    }

    /// The engines, in words.
    fn text(self) -> &'static str {
        match self {
            Self::Any => "all engines",
            Self::Portfolio => "the portfolio",
            Self::Named => "an engine that is named by `--engine`",
            Self::Circuits => "engines on circuits; of C programs, for one that is named",
            Self::NamedCircuits => "an engine on circuits that is named by `--engine`",
            Self::Unwinding => {
                "unrolling (the portfolio, `--c-engine unwind`, or `--c-engine paths`)"
            }
            Self::Unwinder => "the engines impact, predabs, rse and annotate",
            Self::Recorded => "the engines impact, predabs, predabs-whole, rse and annotate",
        }
    }
}

/// An option.
struct Row {
    /// As it is written.
    name: &'static str,
    kinds: Kinds,
    engines: For,
    heading: Heading,
    /// Whether the short help shows it.
    is_everyday: bool,
}

const fn row(name: &'static str, kinds: Kinds, engines: For, heading: Heading) -> Row {
    Row {
        name,
        kinds,
        engines,
        heading,
        is_everyday: false,
    }
}

/// An option that the short help shows.
const fn day(name: &'static str, kinds: Kinds, engines: For, heading: Heading) -> Row {
    let row = row(name, kinds, engines, heading);
    Row {
        is_everyday: true,
        ..row
    }
}

const ANY: Kinds = Kinds::ANY;

/// The options, in the order of the help. Those of engines are in their registries.
#[rustfmt::skip]
const ROWS: &[Row] = &[
    day("FILE", ANY, For::Any, Heading::Input),
    day("--link", C, For::Any, Heading::Input),
    day("-I", C.and(VERILOG), For::Any, Heading::Input),
    day("-D", C.and(VERILOG), For::Any, Heading::Input),
    row("--std", C, For::Any, Heading::Input),
    row("--trust", C, For::Any, Heading::Input),
    row("--format", ANY, For::Any, Heading::Input),
    row("--jobs", ANY, For::Any, Heading::Input),
    row("--shard", ANY, For::Any, Heading::Input),
    row("--resume", ANY, For::Any, Heading::Input),
    row("--digests", ANY, For::Any, Heading::Input),
    day("--top", VERILOG, For::Any, Heading::Input),
    row("--file-list", VERILOG, For::Any, Heading::Input),
    row("--each-file", VERILOG, For::Any, Heading::Input),
    row("--param", VERILOG, For::Any, Heading::Input),
    row("--blackbox", VERILOG, For::Any, Heading::Input),
    row("--clock", VERILOG, For::Any, Heading::Input),
    row("--multiclock", VERILOG, For::Any, Heading::Input),
    row("--reset", VERILOG, For::Any, Heading::Input),
    row("--reset-active", VERILOG, For::Any, Heading::Input),
    row("--reset-cycles", VERILOG, For::Any, Heading::Input),
    row("--frontend", VERILOG, For::Any, Heading::Input),
    row("--strict", VERILOG, For::Any, Heading::Input),

    day("--property", ANY, For::Any, Heading::Property),
    day("--check", C, For::Any, Heading::Property),
    day("--list", C, For::Any, Heading::Property),
    day("--each", C, For::Any, Heading::Property),
    day("--cover", C.and(VERILOG), For::Any, Heading::Property),
    day("--entry", C, For::Any, Heading::Property),
    row("--error-label", C, For::Any, Heading::Property),

    day("--witness", ANY, For::Any, Heading::Output),
    row("--witness-dir", ANY, For::Any, Heading::Output),
    row("--trace", CIRCUIT, For::Any, Heading::Output),
    row("--testbench", VERILOG, For::Any, Heading::Output),
    row("--invariant", VERILOG, For::Any, Heading::Output),
    day("--json", ANY, For::Any, Heading::Output),
    day("--html", ANY, For::Any, Heading::Output),
    day("--sarif", C, For::Any, Heading::Output),
    day("--replay-native", C, For::Any, Heading::Output),
    row("--test-driver", C, For::Any, Heading::Output),
    row("--test-suite", C, For::Any, Heading::Output),
    row("--model", C, For::Any, Heading::Output),
    row("--cnf", C, For::Any, Heading::Output),
    row("--proof", C, For::Any, Heading::Output),
    row("--unwinding", C, For::Unwinder, Heading::Output),
    row("--record", C, For::Recorded, Heading::Output),
    day("--quiet", ANY, For::Any, Heading::Output),
    day("--verbose", ANY, For::Any, Heading::Output),
    row("--exit-code", ANY, For::Any, Heading::Output),

    day("--timeout", ANY, For::Any, Heading::Limits),
    day("--memory", ANY, For::Any, Heading::Limits),
    day("--threads", ANY, For::Any, Heading::Limits),
    day("--unwind", C, For::Unwinding, Heading::Limits),
    row("--unwindset", C, For::Unwinding, Heading::Limits),

    day("--engine", ANY, For::Any, Heading::Engines),
    row("--as-in", ANY, For::Any, Heading::Engines),
    row("--only", ANY, For::Named, Heading::Engines),
    row("--line-up", ANY, For::Any, Heading::Engines),
    row("--liveness", CIRCUIT, For::Any, Heading::Engines),
    row("--no-certify", CIRCUIT, For::Any, Heading::Engines),
    row("--no-preprocess", ANY, For::Circuits, Heading::Engines),
    row("--skip-pass", ANY, For::Circuits, Heading::Engines),
    row("--extra-pass", ANY, For::Circuits, Heading::Engines),
    row("--no-first-steps", ANY, For::Circuits, Heading::Engines),
    row("--no-isomorphic", ANY, For::Circuits, Heading::Engines),
    row("--exchange", CIRCUIT, For::Any, Heading::Engines),

    day("--data-model", C, For::Any, Heading::C),
    row("--malloc-may-fail", C, For::Any, Heading::C),
    row("--nondet-volatile", C, For::Any, Heading::C),
    row("--assume-no-overflow", C, For::Any, Heading::C),
    row("--unknown-calls", C, For::Any, Heading::C),
    row("--c-engine", C, For::Any, Heading::C),
    row("--with-invariants", C, For::Named, Heading::C),
    row("--with-signals", C, For::NamedCircuits, Heading::C),
    row("--without", C, For::Portfolio, Heading::C),

    // By the names that CBMC's tools have for them.
    row("--dialect", C, For::Any, Heading::C),
    row("--unwinding-assertions", C, For::Any, Heading::C),
    row("--object-bits", C, For::Any, Heading::C),
    row("--remove-function-body", C, For::Any, Heading::C),
    row("--malloc-fail-null", C, For::Any, Heading::C),
    row("--nondet-static", C, For::Any, Heading::C),
    row("--max-nondet-tree-depth", C, For::Any, Heading::C),
    row("--min-null-tree-depth", C, For::Any, Heading::C),
    row("--restrict-function-pointer", C, For::Any, Heading::C),
    row("--function-pointer-restrictions-file", C, For::Any, Heading::C),
    row("--enforce-contract", C, For::Any, Heading::C),
    row("--enforce-contract-rec", C, For::Any, Heading::C),
    row("--replace-call-with-contract", C, For::Any, Heading::C),
    row("--apply-loop-contracts", C, For::Any, Heading::C),
    row("--bounds-check", C, For::Any, Heading::C),
    row("--pointer-check", C, For::Any, Heading::C),
    row("--pointer-overflow-check", C, For::Any, Heading::C),
    row("--memory-leak-check", C, For::Any, Heading::C),
    row("--div-by-zero-check", C, For::Any, Heading::C),
    row("--signed-overflow-check", C, For::Any, Heading::C),
    row("--unsigned-overflow-check", C, For::Any, Heading::C),
    row("--undefined-shift-check", C, For::Any, Heading::C),
    row("--conversion-check", C, For::Any, Heading::C),

    // For a process that decides one of several inputs: nobody sees them.
    row("--only-input", ANY, For::Any, Heading::Input),
    row("--only-witness", ANY, For::Any, Heading::Input),
    row("--only-threads", ANY, For::Any, Heading::Input),
    row("--only-sarif", C, For::Any, Heading::Input),
];

/// The name of an option as it is written.
fn name_of(arg: &Arg) -> String {
    match (arg.get_long(), arg.get_short()) {
        (Some(long), _) => format!("--{long}"),
        (None, Some(short)) => format!("-{short}"),
        (None, None) => arg.get_value_names().map_or_else(
            || arg.get_id().to_string(),
            |names| names.iter().map(ToString::to_string).collect(),
        ),
    }
}

/// The command with its help made from the table: under headings, in its order, with what each option is for. The
/// options of engines are listed by `craig engines`.
pub(in crate::cli) fn with_help(command: Command) -> Command {
    command.mut_args(|arg| {
        let name = name_of(&arg);
        let Some(place) = ROWS.iter().position(|row| row.name == name) else {
            let is_of_engine = EngineOptions::flags().any(|option| arg.get_id() == option.name);
            return arg.hide(is_of_engine);
        };
        let row = &ROWS[place];
        let arg = arg
            .help_heading(row.heading.text())
            .display_order(place)
            .hide_short_help(!row.is_everyday);
        if row.kinds == ANY {
            return arg;
        }
        let with_kinds = |text: Option<&clap::builder::StyledStr>| {
            text.map(|text| format!("{} [{}]", text.to_string().trim_end_matches('.'), row.kinds))
        };
        let [short, long] = [arg.get_help(), arg.get_long_help()].map(with_kinds);
        let arg = match short {
            Some(text) => arg.help(text),
            None => arg,
        };
        match long {
            Some(text) => arg.long_help(text),
            None => arg,
        }
    })
}

/// Refuses the options that are for none of the inputs, whose kinds are given, or not for the chosen engine.
///
/// # Errors
/// The first such option, with what it is for.
pub(super) fn check(matches: &ArgMatches, kinds: Kinds, choice: Choice) -> Result<(), Failure> {
    check_rows(ROWS.iter(), matches, kinds, choice)
}

fn check_rows<'r>(
    rows: impl Iterator<Item = &'r Row>,
    matches: &ArgMatches,
    kinds: Kinds,
    choice: Choice,
) -> Result<(), Failure> {
    let is_given = |id: &str| {
        matches!(matches.try_contains_id(id), Ok(true))
            && matches.value_source(id) == Some(ValueSource::CommandLine)
    };
    for row in rows.filter(|row| is_given(&id_of(row.name))) {
        let of_kind = kinds.each().filter(|&kind| row.kinds.has(kind));
        let of_kind: Vec<Kinds> = of_kind.collect();
        if of_kind.is_empty() {
            return Err(Failure::input(format!(
                "`{}` is for {}, and the input is {}",
                row.name, row.kinds, kinds
            )));
        }
        if !of_kind.iter().any(|&kind| row.engines.fits(kind, choice)) {
            let engine = match choice.ways {
                Ways::Unwind => "`--c-engine unwind`".to_owned(),
                Ways::Paths => "`--c-engine paths`".to_owned(),
                Ways::Model => "`--c-engine model`".to_owned(),
                _ => format!("`{}`", choice.engine.name()),
            };
            return Err(Failure::input(format!(
                "`{}` is for {}, and the engine is {engine}",
                row.name,
                row.engines.text()
            )));
        }
    }
    let engine = choice.engine;
    for option in EngineOptions::flags().filter(|option| is_given(option.name)) {
        if !engine.options().any(|own| own.name == option.name) {
            let all =
                EngineName::all().filter(|it| it.options().any(|own| own.name == option.name));
            let names: Vec<&str> = all.map(EngineName::name).collect();
            return Err(Failure::input(format!(
                "`--{}` is an option of {}, and the engine is `{}`",
                option.name,
                names.join(", "),
                engine.name()
            )));
        }
        if let Some(value) = EngineOptions::chosen(option, matches)
            && !engine.allows(option, &value)
        {
            return Err(Failure::input(format!(
                "this value of `--{}` is not for the engine `{}`",
                option.name,
                engine.name()
            )));
        }
    }
    check_together(&given(matches)).map_err(Failure::input)?;
    let alone = match choice.ways {
        Ways::Unwind => Some("unwind"),
        Ways::Paths => Some("paths"),
        Ways::Default | Ways::All | Ways::Model => None,
    };
    if let Some(alone) = alone
        && engine != EngineName::Portfolio
    {
        return Err(Failure::input(format!(
            "`--c-engine {alone}` runs no other engine, and `--engine` names `{}`",
            engine.name()
        )));
    }
    Ok(())
}

/// As [`check`], of another command that decides circuits, with bits or words, and has the options of engines and limits.
///
/// # Errors
/// As [`check`].
pub(in crate::cli) fn check_circuit(
    matches: &ArgMatches,
    has_words: bool,
    engine: EngineName,
) -> Result<(), Failure> {
    let kind = if has_words { BTOR2 } else { AIGER };
    let ways = Ways::Default;
    let shared = |row: &&Row| matches!(row.heading, Heading::Engines | Heading::Limits);
    let choice = Choice { engine, ways };
    check_rows(ROWS.iter().filter(shared), matches, kind, choice)
}

/// The identifiers of all options.
pub(super) fn ids() -> impl Iterator<Item = String> {
    let of_engines = EngineOptions::flags().map(|option| option.name.to_owned());
    ROWS.iter().map(|row| id_of(row.name)).chain(of_engines)
}

/// The identifier of an option in the parsed command line.
fn id_of(name: &str) -> String {
    match name {
        "FILE" => "files".to_owned(),
        "-I" => "include".to_owned(),
        "-D" => "define".to_owned(),
        _ => name.trim_start_matches('-').replace('-', "_"),
    }
}

#[cfg(test)]
mod tests;
