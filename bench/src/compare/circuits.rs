//! Model checkers on circuits.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use craig_bench::answer::Answer;
use craig_bench::process::{Ended, run as run_process};
use craig_bench::row::Row;

use crate::RunArguments;
use crate::report;
use crate::table;

/// Compare model checkers.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    run: RunArguments,
    /// The programs: `craig:ENGINE[,OPTION[=VALUE]]..`, `abc:int`, `abc:bmc3`, `abc:pdr`, `ric3:ENGINE`.
    #[arg(
        long,
        value_delimiter = ' ',
        default_value = "craig:imc craig:bmc abc:int abc:bmc3"
    )]
    programs: Vec<String>,
    /// A second checker of craig's evidence: `check_witness.py`.
    #[arg(long)]
    checker: Option<PathBuf>,
    /// Wall seconds for each check of evidence.
    #[arg(long, default_value_t = 600.0)]
    checker_limit: f64,
}

/// Runs the comparison.
pub(crate) fn run(arguments: &Arguments) -> io::Result<()> {
    let problems = table::read_index(
        &arguments.run.folder,
        "file",
        "expected",
        &arguments.run.only,
    )?;
    report::run(&arguments.run, &problems, |_, name, expected, report| {
        for program in &arguments.programs {
            report(&run_one(arguments, program, name, expected)?)?;
        }
        Ok(())
    })
}

fn run_one(arguments: &Arguments, program: &str, name: &str, expected: Answer) -> io::Result<Row> {
    let model = arguments.run.folder.join(name);
    let file_name = format!("{name}.{}.witness", program.replace([':', ',', '='], "-"));
    let witness = arguments.run.output.join(file_name);
    let command = command_line(arguments, program, &model, &witness)?;
    let ended = run_process(&command, arguments.run.limits())?;
    let is_craig = program.starts_with("craig:");
    let answer = match program.split(':').next() {
        Some("abc") => Answer::of_abc(&ended),
        Some("ric3") => Answer::of_ric3(&ended),
        _ => Answer::of_code(&ended, &[30]),
    }
    .unless_limited(&ended);
    let mut checks = String::new();
    if is_craig && matches!(answer, Answer::Good | Answer::Bad) {
        checks = judge(arguments, &model, &witness, answer)?;
    }
    if witness.exists() && !checks.contains("REJECTED") {
        fs::remove_file(&witness)?;
    }
    Ok(Row::of_run(name, program, answer, expected, &ended, checks))
}

/// The command line of a program.
fn command_line(
    arguments: &Arguments,
    program: &str,
    model: &Path,
    witness: &Path,
) -> io::Result<Vec<String>> {
    let path = |path: &Path| path.display().to_string();
    let unknown = || io::Error::other(format!("there is no program {program}"));
    let (kind, engine) = program.split_once(':').ok_or_else(unknown)?;
    Ok(match kind {
        "craig" => {
            let mut options = engine.split(',');
            let mut command = vec![path(&arguments.run.craig), "check".to_owned(), path(model)];
            command.extend([
                "--engine".to_owned(),
                options.next().unwrap_or_default().to_owned(),
            ]);
            // The other limits are on processor time; with this one craig ends by itself with an answer.
            let wall = arguments.run.limits().wall_seconds;
            command.extend(["--timeout".to_owned(), wall.to_string()]);
            command.extend(["--witness".to_owned(), path(witness), "--quiet".to_owned()]);
            command.extend(options.map(|option| format!("--{option}")));
            command
        }
        "abc" => {
            let prove = match engine {
                "int" => "int -C 1000000000",
                "bmc3" => "bmc3",
                "pdr" => "pdr",
                _ => return Err(unknown()),
            };
            // ABC's engines support neither uninitialised latches nor constraints: the former become inputs
            // that are read in the first step, and the latter are folded into the bad.
            let script = format!(
                "read_aiger {}; logic; undc; strash; zero; fold; {prove}",
                path(model)
            );
            vec!["abc".to_owned(), "-q".to_owned(), script]
        }
        "ric3" => ["rIC3", "-e", engine, &path(model)]
            .map(str::to_owned)
            .to_vec(),
        _ => return Err(unknown()),
    })
}

/// Checks evidence by craig's own certifier and by the external checker; returns their results for the table.
fn judge(
    arguments: &Arguments,
    model: &Path,
    witness: &Path,
    answer: Answer,
) -> io::Result<String> {
    let limits = RunArguments::limits_of_judge(arguments.checker_limit);
    let wanted = if answer == Answer::Good {
        "valid safe"
    } else {
        "valid unsafe"
    };
    let verdict = |ended: &Ended| {
        if ended.code == Some(0) && ended.stdout.starts_with(wanted) {
            "accepted"
        } else if ended.is_limited || ended.code == Some(3) {
            "undecided"
        } else {
            "REJECTED"
        }
    };
    let (model, witness) = (model.display().to_string(), witness.display().to_string());
    let craig = arguments.run.craig.display().to_string();
    let own = run_process(
        &[craig, "certify".to_owned(), model.clone(), witness.clone()],
        limits,
    )?;
    let mut text = format!("certify {}", verdict(&own));
    if let Some(checker) = &arguments.checker {
        let checker = checker.display().to_string();
        let command = ["python3".to_owned(), checker, "--time".to_owned()];
        let rest = [arguments.checker_limit.to_string(), model, witness];
        let other = run_process(&[&command[..], &rest[..]].concat(), limits)?;
        text += &format!("; checker {}", verdict(&other));
    }
    Ok(text)
}
