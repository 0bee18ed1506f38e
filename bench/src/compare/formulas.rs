//! SAT solvers on formulas.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use craig_bench::answer::Answer;
use craig_bench::process::{Ended, run as run_process};
use craig_bench::row::Row;
use craig_formula::dimacs;
use varisat::ExtendFormula;

use crate::RunArguments;
use crate::report;
use crate::table;

/// Compare SAT solvers.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    run: RunArguments,
    /// The programs: `craig`, `cadical`, `kissat`, `minisat`, `varisat`. `craig+drat` and `craig+lrat` write
    /// a proof within the time, which `drat-trim` or `lrat-check` then judges; `craig+lrat-null`,
    /// `craig+drat-null` and `cadical+drat-null` write it to /dev/null, in binary; `craig+check` has each
    /// step checked by craig's own checker.
    #[arg(
        long,
        value_delimiter = ' ',
        default_value = "craig+lrat-null cadical+drat-null kissat minisat varisat"
    )]
    programs: Vec<String>,
    /// Wall seconds for each check of a proof.
    #[arg(long, default_value_t = 1200.0)]
    checker_limit: f64,
}

/// Runs the comparison, one problem at a time.
pub(crate) fn run(arguments: &Arguments) -> io::Result<()> {
    let problems = table::read_index(&arguments.run.folder, "name", "answer", &arguments.run.only)?;
    report::run(
        &arguments.run,
        &problems,
        |worker, name, expected, report| {
            // Not all programs read compressed formulas.
            let formula = arguments.run.output.join(format!("formula-{worker}.cnf"));
            let compressed = File::open(arguments.run.folder.join(format!("{name}.cnf.gz")))?;
            io::copy(
                &mut dimacs::decompress(compressed)?,
                &mut File::create(&formula)?,
            )?;
            for program in &arguments.programs {
                report(&run_one(arguments, program, &formula, name, expected)?)?;
            }
            fs::remove_file(&formula)
        },
    )
}

fn run_one(
    arguments: &Arguments,
    program: &str,
    formula: &Path,
    name: &str,
    expected: Answer,
) -> io::Result<Row> {
    let proof = formula.with_extension("proof");
    let text = |path: &Path| path.display().to_string();
    let words = |words: &[&str]| {
        words
            .iter()
            .map(|&word| word.to_owned())
            .collect::<Vec<String>>()
    };
    let craig = text(&arguments.run.craig);
    let file = text(formula);
    let (solver, format) = program.split_once('+').unwrap_or((program, ""));
    let command = match (solver, format) {
        ("craig", "") => words(&[&craig, "sat", &file]),
        ("craig", "check") => words(&[&craig, "sat", &file, "--check"]),
        ("craig", "lrat-null" | "drat-null") => words(&[
            &craig,
            "sat",
            &file,
            "--proof",
            "/dev/null",
            "--binary",
            "--proof-format",
            &format[..4],
        ]),
        ("cadical", "drat-null") => words(&[solver, "-q", &file, "/dev/null"]),
        ("craig", "lrat" | "drat") => words(&[
            &craig,
            "sat",
            &file,
            "--proof",
            &text(&proof),
            "--proof-format",
            format,
        ]),
        ("varisat", "") => words(&[&text(&std::env::current_exe()?), "varisat", &file]),
        ("cadical" | "kissat", "") => words(&[solver, "-q", &file]),
        ("minisat", "") => words(&[solver, "-verb=0", &file]),
        _ => return Err(io::Error::other(format!("there is no program {program}"))),
    };
    let ended = run_process(&command, arguments.run.limits())?;
    let answer = Answer::of_code(&ended, &[0]).unless_limited(&ended);
    let mut checks = String::new();
    if format == "check" && answer == Answer::Good {
        // craig reports a rejected step as an internal error.
        checks = "every step accepted".to_owned();
    }
    if matches!(format, "lrat" | "drat") && answer == Answer::Good {
        let checker = if format == "lrat" {
            "lrat-check"
        } else {
            "drat-trim"
        };
        checks = check(arguments, &words(&[checker, &file, &text(&proof)]), checker)?;
    }
    if proof.exists() {
        fs::remove_file(&proof)?;
    }
    Ok(Row::of_run(name, program, answer, expected, &ended, checks))
}

fn check(arguments: &Arguments, command: &[String], checker: &str) -> io::Result<String> {
    let limits = RunArguments::limits_of_judge(arguments.checker_limit);
    let mut command = command.to_vec();
    if checker == "drat-trim" {
        // drat-trim's own default limit is shorter than this one.
        command.extend(["-t".to_owned(), arguments.checker_limit.to_string()]);
    }
    let ended: Ended = run_process(&command, limits)?;
    // Both print `VERIFIED`, lrat-check in lower case and as a comment.
    let is_verified = ended.stdout.lines().any(|line| {
        line.trim_start_matches("c ")
            .trim()
            .eq_ignore_ascii_case("verified")
            || line == "s VERIFIED"
    });
    let verdict = match (is_verified, ended.is_limited) {
        (true, _) => "accepted",
        (false, true) => "undecided",
        (false, false) => "REJECTED",
    };
    Ok(format!("{checker} {verdict}"))
}

/// Solves a formula with varisat.
pub(crate) fn varisat(path: &PathBuf) -> ExitCode {
    let solve = || -> Result<bool, String> {
        let file = File::open(path).map_err(|error| error.to_string())?;
        let file: Box<dyn Read> = Box::new(file);
        let mut input = dimacs::decompress(file).map_err(|error| error.to_string())?;
        let cnf = dimacs::read(&mut input, &path.display().to_string())
            .map_err(|error| error.to_string())?;
        let mut solver = varisat::Solver::new();
        for (clause, _) in cnf.iter() {
            let lits: Vec<varisat::Lit> = clause
                .iter()
                .map(|lit| varisat::Lit::from_dimacs(lit.to_dimacs() as isize))
                .collect();
            solver.add_clause(&lits);
        }
        solver.solve().map_err(|error| error.to_string())
    };
    match solve() {
        Ok(true) => {
            println!("s SATISFIABLE");
            ExitCode::from(10)
        }
        Ok(false) => {
            println!("s UNSATISFIABLE");
            ExitCode::from(20)
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}
