//! The `craig` command: one subcommand per module.
//!
//! To add a subcommand: a module with `Arguments` and `run`, a variant of `Command`, and its line in
//! `run`.
//!
//! Exit codes: 2 for an invalid input or command line; 1 for an internal failure (for example, evidence that
//! fails its check) and for a witness that `certify` or `simulate` rejects. Each subcommand documents its
//! codes for answers.

mod batch;
mod certify;
mod certify_words;
mod check;
mod circuits;
mod cluster;
mod completions;
mod convert;
mod dump;
mod engine_list;
mod engines;
mod failure;
mod hwmcc;
mod input;
mod itp;
mod journal;
mod json;
mod line_up;
mod manual;
mod options;
mod output;
mod page;
mod program_files;
mod programs;
mod progress;
mod proofs;
mod replay;
mod run;
mod sat;
mod sby;
mod schema;
mod simulate;
mod simulate_words;
mod smt;
mod strength;
mod terminal;
mod test;
mod transforms;
mod verilog;
mod watch;
mod waves;

use std::process::ExitCode;
use std::sync::OnceLock;
use std::time::Instant;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use engines::EngineName;

/// Model checker and interpolation tool with checked evidence.
#[derive(Debug, Parser)]
#[command(name = "craig", version = json::VERSION, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    #[command(visible_alias = json::BATCH)]
    Check(Box<check::Arguments>),
    Test(Box<test::Arguments>),
    Sat(sat::Arguments),
    Smt(smt::Arguments),
    Certify(certify::Arguments),
    Simulate(simulate::Arguments),
    Convert(convert::Arguments),
    Hwmcc(Box<hwmcc::Arguments>),
    SbyAiger(sby::AigerArguments),
    SbyBtor(sby::BtorArguments),
    Run(run::Arguments),
    Proofs(proofs::Arguments),
    Cluster(cluster::Arguments),
    Itp(itp::Arguments),
    Strength(strength::Arguments),
    LineUp(line_up::Arguments),
    Engines(engine_list::Arguments),
    Schema(schema::Arguments),
    Completions(completions::Arguments),
    Manual(manual::Arguments),
    Options(options::Arguments),
}

/// What `--version` prints: version and commit, then what this build has.
fn long_version() -> &'static str {
    static TEXT: OnceLock<String> = OnceLock::new();
    TEXT.get_or_init(|| {
        let engines: Vec<&str> = EngineName::all().map(EngineName::name).collect();
        let assertions = if cfg!(debug_assertions) {
            "with"
        } else {
            "without"
        };
        format!(
            "{}\nbuilt for {}-{}, {assertions} debug assertions\nengines: {}",
            json::VERSION,
            std::env::consts::ARCH,
            std::env::consts::OS,
            engines.join(" ")
        )
    })
}

/// The command line. The help of `check` comes from its table of options.
fn command() -> clap::Command {
    Arguments::command()
        .long_version(long_version())
        .mut_subcommand("check", check::with_help)
        .mut_subcommand("hwmcc", hwmcc::with_help)
}

/// Runs the subcommand of the process's arguments.
#[must_use]
pub fn run() -> ExitCode {
    let start = Instant::now();
    let parsed = command().try_get_matches();
    let parsed = parsed.and_then(|matches| {
        let arguments = Arguments::from_arg_matches(&matches)?;
        Ok((arguments, matches))
    });
    let (arguments, matches) = match parsed {
        Ok(parsed) => parsed,
        // Help and version are such errors as well.
        Err(error) => {
            let exit_code = u8::try_from(error.exit_code()).unwrap_or(2);
            if exit_code != 0 {
                let text = error.render().to_string();
                let message = text.lines().next().unwrap_or_default();
                let message = message.strip_prefix("error: ").unwrap_or(message);
                json::print_failure(message, exit_code, start);
            }
            if let Err(error) = error.print() {
                terminal::note_fault(&error);
            }
            return terminal::exit_code(exit_code);
        }
    };
    let result = match arguments.command {
        Command::Check(arguments) => {
            let given = matches.subcommand_matches("check");
            check::run(&arguments, given.unwrap_or(&matches))
        }
        Command::Test(arguments) => test::run(&arguments),
        Command::Sat(arguments) => sat::run(&arguments),
        Command::Smt(arguments) => smt::run(&arguments),
        Command::Certify(arguments) => certify::run(&arguments),
        Command::Simulate(arguments) => simulate::run(&arguments),
        Command::Convert(arguments) => convert::run(&arguments),
        Command::Hwmcc(arguments) => {
            let given = matches.subcommand_matches("hwmcc");
            hwmcc::run(&arguments, given.unwrap_or(&matches))
        }
        Command::SbyAiger(arguments) => sby::run_aiger(&arguments),
        Command::SbyBtor(arguments) => sby::run_btor(&arguments),
        Command::Run(arguments) => run::run(&arguments),
        Command::Proofs(arguments) => {
            let given = matches.subcommand_matches("proofs");
            proofs::run(&arguments, given.unwrap_or(&matches))
        }
        Command::Cluster(arguments) => cluster::run(&arguments),
        Command::Itp(arguments) => itp::run(&arguments),
        Command::Strength(arguments) => strength::run(&arguments),
        Command::LineUp(arguments) => line_up::run(&arguments),
        Command::Completions(arguments) => completions::run(&arguments, command()),
        Command::Manual(arguments) => manual::run(&arguments, command()),
        Command::Options(arguments) => options::run(&arguments, command()),
        Command::Engines(arguments) => engine_list::run(&arguments),
        Command::Schema(arguments) => schema::run(&arguments),
    };
    terminal::exit_code(result.unwrap_or_else(|failure| {
        json::print_failure(failure.message(), failure.exit_code(), start);
        failure.complain()
    }))
}
