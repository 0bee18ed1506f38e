//! Each option has its row, and is refused where the row says so.

use std::collections::BTreeSet;

use super::*;

/// The subcommand as it is parsed, and the arguments of a command line.
fn parsed(words: &[&str]) -> Result<ArgMatches, clap::Error> {
    let line = ["craig", "check"].iter().chain(words);
    let mut matches = crate::cli::command().try_get_matches_from(line)?;
    Ok(matches.remove_subcommand().map(|(_, check)| check).unwrap())
}

fn subcommand() -> Command {
    let mut command = crate::cli::command();
    command.build();
    command.find_subcommand("check").unwrap().clone()
}

#[test]
fn each_option_has_a_row_and_each_row_an_option() {
    let of_engines: BTreeSet<&str> = EngineOptions::flags().map(|option| option.name).collect();
    let options: BTreeSet<String> = (subcommand().get_arguments())
        .map(name_of)
        .filter(|name| name != "--help")
        .filter(|name| !of_engines.contains(name.trim_start_matches("--")))
        .collect();
    let rows: BTreeSet<String> = ROWS.iter().map(|row| row.name.to_owned()).collect();
    assert_eq!(options, rows);
    assert_eq!(rows.len(), ROWS.len());
    for row in ROWS {
        let ids = subcommand();
        let mut ids = ids.get_arguments().map(|arg| arg.get_id().to_string());
        assert!(ids.any(|id| id == id_of(row.name)), "{}", row.name);
    }
}

/// A value of an option.
fn value(arg: &Arg) -> Option<String> {
    if !arg.get_action().takes_values() {
        return None;
    }
    let fixed = match arg.get_id().as_str() {
        "unwindset" => "main.0:3",
        "restrict_function_pointer" => "f.function_pointer_call.1/g",
        "cover" => "a.c:3",
        "param" => "W=1",
        "shard" => "1/2",
        "property" => "0",
        "line_up" => return None,
        "without" => "invariants",
        "engine" => "pdr",
        _ => match arg.get_possible_values().first() {
            Some(first) => return Some(first.get_name().to_owned()),
            None => "1",
        },
    };
    Some(fixed.to_owned())
}

/// The ways to ask for engines, one of which fits each row.
const ENGINES: [&[&str]; 4] = [
    &[],
    &["--engine", "imc"],
    &["--engine", "rse"],
    &["--c-engine", "unwind"],
];

fn choice_of(matches: &ArgMatches) -> Choice {
    let engine = matches.get_one::<EngineName>("engine");
    let ways = match matches.value_source("c_engine") {
        Some(ValueSource::CommandLine) => Ways::Unwind,
        _ => Ways::Default,
    };
    Choice {
        engine: *engine.unwrap(),
        ways,
    }
}

/// Every option with every kind of input: it is taken for the kinds of its row, with some engine, and refused for
/// the others, with all engines, by a message that names the option and what it is for.
#[test]
fn each_option_is_taken_for_its_kinds_alone() {
    let command = subcommand();
    let mut n_pairs = 0;
    for row in ROWS.iter().filter(|row| row.name.starts_with('-')) {
        let arg = command
            .get_arguments()
            .find(|arg| name_of(arg) == row.name)
            .unwrap();
        // Its value is a file that has to exist.
        if row.name == "--line-up" {
            continue;
        }
        for kind in [AIGER, BTOR2, VERILOG, C] {
            n_pairs += 1;
            let mut is_taken = false;
            for engines in ENGINES {
                let mut words = vec!["file", row.name];
                let value = value(arg);
                words.extend(value.as_deref());
                // `--as-in` is another way to name an engine.
                let names = |first: &str| row.name == "--as-in" && first == "--engine";
                let is_free = |first: &&str| *first != row.name && !names(first);
                if engines.first().is_none_or(is_free) {
                    words.extend(engines);
                }
                let matches = parsed(&words).unwrap_or_else(|error| panic!("{error}"));
                match check(&matches, kind, choice_of(&matches)) {
                    Ok(()) => is_taken = true,
                    Err(Failure::Input(message) | Failure::Internal(message)) => {
                        if !row.kinds.has(kind) && engines.is_empty() {
                            assert!(message.contains(row.name), "{message}");
                            assert!(message.contains(&row.kinds.to_string()), "{message}");
                        }
                    }
                }
            }
            assert_eq!(is_taken, row.kinds.has(kind), "{} and {kind}", row.name);
        }
    }
    assert!(n_pairs > 180, "{n_pairs}");
}

/// Every option of an engine with every engine.
#[test]
fn the_options_of_an_engine_are_taken_for_it_alone() {
    for option in EngineOptions::flags() {
        for engine in EngineName::all() {
            let command = subcommand();
            let mut args = command.get_arguments();
            let arg = args.find(|arg| arg.get_id() == option.name).unwrap();
            let flag = format!("--{}", option.name);
            let mut words = vec!["file", "--engine", engine.name(), &flag];
            let has = engine.options().any(|own| own.name == option.name);
            let value = match (option.name, engine) {
                ("interpolants", EngineName::Program(_)) => Some("r".to_owned()),
                _ => value(arg),
            };
            words.extend(value.as_deref());
            let matches = parsed(&words).unwrap_or_else(|error| panic!("{error}"));
            let taken = check(&matches, C, choice_of(&matches));
            assert_eq!(
                taken.is_ok(),
                has,
                "{} and {flag}: {taken:?}",
                engine.name()
            );
        }
    }
}

#[test]
fn the_short_help_has_everyday_options_under_headings() {
    let mut command = subcommand();
    let help = command.render_help().to_string();
    let options = help
        .lines()
        .filter(|line| line.trim_start().starts_with('-'));
    assert!((20..=32).contains(&options.count()), "{help}");
    for heading in [
        "Input",
        "Property",
        "Output",
        "Limits",
        "Engines",
        "C programs",
    ] {
        assert!(help.contains(&format!("\n{heading}:\n")), "{help}");
    }
    assert!(!help.contains("--skip-pass") && !help.contains("--max-depth"));
    let long = command.render_long_help().to_string();
    assert!(
        long.contains("--skip-pass") && !long.contains("--max-depth"),
        "{long}"
    );
    assert!(
        long.contains("[Verilog]") && long.contains("[C programs]"),
        "{long}"
    );
}
