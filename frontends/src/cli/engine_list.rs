//! `craig engines`: the engines, and their options.

use std::fmt::Write as _;

use craig_mc::engine::options::{EngineOption, Range};

use super::engines::{EngineName, of_paper};
use super::failure::Failure;
use super::terminal::print;

/// List the engines of `craig check --engine`; of one engine, its options with their values and defaults.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The engine.
    name: Option<String>,
}

/// Runs the subcommand.
pub(super) fn run(arguments: &Arguments) -> Result<u8, Failure> {
    let Some(name) = &arguments.name else {
        print(&list());
        return Ok(0);
    };
    let Some(engine) = EngineName::find(name) else {
        let names: Vec<&str> = EngineName::all().map(EngineName::name).collect();
        return Err(Failure::input(format!(
            "there is no engine `{name}`: expected one of {}",
            names.join(", ")
        )));
    };
    print(&describe(engine));
    Ok(0)
}

/// A line for each engine.
fn list() -> String {
    let mut text = String::new();
    for engine in EngineName::all() {
        if matches!(engine, EngineName::Program(_)) && !text.contains("\nFor C programs") {
            text += "\nFor C programs only:\n";
        }
        let _ = writeln!(text, "{:<13} {}", engine.name(), engine.text());
    }
    text + "\n`craig engines NAME` lists the options of one: `craig check --engine NAME:OPTION=VALUE,..`.\n"
}

/// An engine with its options.
fn describe(engine: EngineName) -> String {
    let mut text = format!(
        "{}: {}\nSource: {}\n",
        engine.name(),
        engine.text(),
        source(engine.name())
    );
    let options: Vec<&EngineOption> = engine.options().collect();
    if options.is_empty() {
        return text + "It has no options.\n";
    }
    text += "Options:\n";
    for option in options {
        let _ = write!(text, "  {}", option.name);
        if option.range != Range::Switch {
            let _ = write!(text, "={}", option.placeholder);
        }
        // Names of engines come first in the texts of options that several have.
        let about = option
            .text
            .split_once(": ")
            .filter(|(whose, _)| whose.starts_with("For "));
        let about = about.map_or(option.text, |(_, about)| about);
        let default = match (engine.default_of(option), option.range) {
            (Some(default), _) => default,
            (None, Range::Switch) => "off",
            (None, _) => "none",
        };
        let _ = writeln!(text, "\n    {about}.");
        match option.range {
            Range::Switch => {}
            Range::Word(words) | Range::Words(words) => {
                for word in words {
                    let name = word.name.replace(',', "+");
                    let value = craig_mc::engine::options::Value::Word(word.name.to_owned());
                    if engine.allows(option, &value) {
                        let _ = writeln!(text, "      {name:<14} {}", word.text);
                    }
                }
            }
            Range::Number(_) | Range::NumberOr(..) => {
                let _ = writeln!(text, "    Values: {}.", option.expected());
            }
        }
        let _ = writeln!(text, "    Default: {default}.");
    }
    if let Some(options) = of_paper(engine) {
        let _ = writeln!(
            text,
            "As in its paper (`--as-in {}`):\n  {options}",
            engine.name()
        );
    }
    text
}

/// Where an engine comes from.
fn source(name: &str) -> &'static str {
    SOURCES
        .iter()
        .find(|(engine, _)| *engine == name)
        .map_or("this project", |(_, source)| source)
}

const SOURCES: [(&str, &str); 18] = [
    (
        "bmc",
        "Biere, Cimatti, Clarke, Zhu, Symbolic model checking without BDDs, TACAS 1999",
    ),
    (
        "imc",
        "McMillan, Interpolation and SAT-based model checking, CAV 2003",
    ),
    (
        "imc-backward",
        "McMillan, Interpolation and SAT-based model checking, CAV 2003; with its direction reversed",
    ),
    (
        "isb",
        "Vizel, Grumberg, Interpolation-sequence based model checking, FMCAD 2009",
    ),
    (
        "tra",
        "Jhala, McMillan, Interpolant-based transition relation approximation, CAV 2005",
    ),
    (
        "avy",
        "Vizel, Gurfinkel, Interpolating property directed reachability, CAV 2014",
    ),
    (
        "kavy",
        "Govind, Vizel, Ganesh, Gurfinkel, Interpolating strong induction, CAV 2019",
    ),
    (
        "bdd",
        "Burch, Clarke, McMillan, Dill, Hwang, Symbolic model checking: 10^20 states and beyond, 1990",
    ),
    ("sim", "this project"),
    (
        "kind",
        "Sheeran, Singh, Stålmarck, Checking safety properties using induction and a SAT-solver, FMCAD 2000",
    ),
    (
        "pdr",
        "Bradley, SAT-based model checking without unrolling, VMCAI 2011; Eén, Mishchenko, Brayton, FMCAD 2011",
    ),
    ("gla", "this project: gate-level abstraction around PDR"),
    (
        "impact",
        "McMillan, Lazy abstraction with interpolants, CAV 2006",
    ),
    (
        "predabs",
        "Jhala, McMillan, Interpolant-based transition relation approximation, LMCS 2007, section 6",
    ),
    (
        "predabs-whole",
        "Jhala, McMillan, Interpolant-based transition relation approximation, LMCS 2007, section 5",
    ),
    (
        "rse",
        "Tian, Duan, Duan, Ong, More effective interpolations in software model checking, ASE 2017",
    ),
    (
        "annotate",
        "McMillan, Lazy annotation for program testing and verification, CAV 2010",
    ),
    (
        "explicit",
        "this project, after ESST: Cimatti, Micheli, Narasamdya, Roveri, FMCAD 2010",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_engine_is_described() {
        let all = list();
        for engine in EngineName::all() {
            assert!(all.contains(&format!("{} ", engine.name())), "{all}");
            let own = describe(engine);
            for option in engine.options() {
                assert!(own.contains(&format!("\n  {}", option.name)), "{own}");
            }
            let is_known = SOURCES.iter().any(|(name, _)| *name == engine.name());
            assert!(
                is_known || engine == EngineName::Portfolio,
                "{}",
                engine.name()
            );
        }
        assert!(describe(EngineName::find("rse").unwrap()).contains("      r+s+e "));
        assert!(!describe(EngineName::find("imc").unwrap()).contains("      r+s+e "));
    }
}
