//! `craig options`: the options of a subcommand, for programs that start it.

use clap::{Arg, ArgAction, Command};
use serde::Serialize;

use super::failure::Failure;
use super::json::VERSION;
use super::terminal::print;

/// Print the options of a subcommand as an object of JSON, for programs that start it.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The subcommand.
    #[arg(default_value = "check")]
    subcommand: String,
}

#[derive(Serialize)]
struct Table {
    craig: &'static str,
    subcommand: String,
    options: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    /// As it is written, such as `--timeout`.
    name: String,
    /// Other ways to write it.
    aliases: Vec<String>,
    heading: Option<String>,
    /// What its value is called; a switch has none.
    value: Option<String>,
    /// Whether the value may be left out.
    is_value_optional: bool,
    /// All values, if they are few.
    values: Vec<String>,
    defaults: Vec<String>,
    is_repeatable: bool,
    help: String,
}

impl Row {
    fn new(arg: &Arg) -> Self {
        let long = arg.get_long().map(|name| format!("--{name}"));
        let short = arg.get_short().map(|name| format!("-{name}"));
        let mut names: Vec<String> = long.into_iter().chain(short).collect();
        let aliases = arg.get_all_aliases().unwrap_or_default();
        names.extend(aliases.into_iter().map(|name| format!("--{name}")));
        let takes_value = arg.get_action().takes_values();
        let called = arg.get_value_names().and_then(|names| names.first());
        let default = || arg.get_id().as_str().to_uppercase();
        let help = arg.get_long_help().or(arg.get_help());
        let values = arg.get_possible_values();
        Self {
            name: names.remove(0),
            aliases: names,
            heading: arg.get_help_heading().map(str::to_owned),
            value: takes_value.then(|| called.map_or_else(default, ToString::to_string)),
            is_value_optional: arg
                .get_num_args()
                .is_some_and(|n| takes_value && n.min_values() == 0),
            values: (values.iter().filter(|_| takes_value))
                .map(|value| value.get_name().to_owned())
                .collect(),
            defaults: (arg.get_default_values().iter().filter(|_| takes_value))
                .map(|value| value.to_string_lossy().into_owned())
                .collect(),
            is_repeatable: matches!(arg.get_action(), ArgAction::Append),
            help: help.map(ToString::to_string).unwrap_or_default(),
        }
    }
}

/// Runs the subcommand. `command` is the whole command line, with all subcommands.
pub(super) fn run(arguments: &Arguments, mut command: Command) -> Result<u8, Failure> {
    command.build();
    let name = &arguments.subcommand;
    let Some(subcommand) = command.find_subcommand(name) else {
        return Err(Failure::input(format!("there is no subcommand `{name}`")));
    };
    let is_option = |arg: &&Arg| !arg.is_positional() && arg.get_id() != "help";
    // Options for processes that the command starts itself are not for others; `--engine`'s are hidden for their number only.
    let is_internal = |arg: &&Arg| arg.get_id().as_str().starts_with("only_");
    let args = subcommand.get_arguments();
    let table = Table {
        craig: VERSION,
        subcommand: subcommand.get_name().to_owned(),
        options: args
            .filter(is_option)
            .filter(|arg| !is_internal(arg))
            .map(Row::new)
            .collect(),
    };
    print(&(serde_json::to_string_pretty(&table).map_err(Failure::internal)? + "\n"));
    Ok(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows() -> Vec<Row> {
        let mut command = crate::cli::command();
        command.build();
        let check = command.find_subcommand("check").unwrap();
        check
            .get_arguments()
            .filter(|arg| !arg.is_positional())
            .map(Row::new)
            .collect()
    }

    #[test]
    fn a_row_tells_how_an_option_is_written() {
        let rows = rows();
        let row = |name: &str| rows.iter().find(|row| row.name == name).unwrap();
        let timeout = row("--timeout");
        assert_eq!(timeout.value.as_deref(), Some("SECONDS"));
        assert_eq!(row("--entry").aliases, ["--function"]);
        assert!(!timeout.is_repeatable && !timeout.help.is_empty());
        assert_eq!(row("--link").value, None);
        assert!(row("-I").is_repeatable);
        assert!(
            row("--data-model")
                .values
                .iter()
                .any(|value| value == "lp64")
        );
        assert!(row("--max-depth").value.is_some(), "options of engines");
    }

    #[test]
    fn other_subcommands_are_refused() {
        let arguments = Arguments {
            subcommand: "chek".to_owned(),
        };
        let failure = run(&arguments, crate::cli::command()).unwrap_err();
        assert!(failure.message().contains("`chek`"));
    }
}
