//! Random C programs, run by gcc and checked by `craig`: each program is checked with constant, assumed and
//! free inputs, by the engine that unrolls and by the single-loop program (or those of `--engines`), once so that
//! the error cannot be reached and once so that it can. Every counterexample is replayed by the concrete interpreter. Programs
//! with undefined behaviour are detected by gcc's sanitizers and skipped. With `--branches`: programs of
//! branches with inputs of few values, and gcc's code is run on all of them.

mod arrays;
mod branches;
mod declarations;
mod exhaustive;
mod expression;
mod judge;
mod lines;
mod pointers;
mod program;
mod shrink;
mod statements;
mod types;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use clap::Parser;

use judge::{Answer, Engine, Judge, Question, question_source};
use program::{Program, generate};

/// Compare what `craig` says of random C programs with what gcc's code computes
#[derive(Parser)]
struct Args {
    /// The `craig` command
    craig: PathBuf,
    /// How many programs
    #[arg(long, default_value_t = 100)]
    count: u64,
    /// The first seed
    #[arg(long, default_value_t = 0)]
    from: u64,
    /// The limit for each question, in seconds
    #[arg(long, default_value_t = 10)]
    seconds: u32,
    /// How many programs at once
    #[arg(long, default_value_t = 1)]
    jobs: u64,
    /// Ask only every Nth question, another one for each program
    #[arg(long, default_value_t = 1)]
    every: u64,
    /// Where the files of a run and the programs that fail go
    #[arg(long, default_value = "fuzz-c")]
    folder: PathBuf,
    /// Write down the questions that are not answered, too
    #[arg(long)]
    keep_unknown: bool,
    /// Programs of branches, whose inputs have few values, compared on all of them
    #[arg(long)]
    branches: bool,
    /// The engines
    #[arg(long, value_enum, value_delimiter = ',', default_values_t = Engine::DEFAULT)]
    engines: Vec<Engine>,
    /// Print the program of `--from` and stop
    #[arg(long)]
    print: bool,
}

#[derive(Default)]
struct Tally {
    n_programs: u64,
    n_undefined: u64,
    right: BTreeMap<Question, u64>,
    unknown: BTreeMap<Question, u64>,
    reasons: BTreeMap<String, u64>,
    wrong: Vec<String>,
}

fn main() -> io::Result<ExitCode> {
    let args = Args::parse();
    if args.print {
        match args.branches {
            true => print!("{}", branches::generate(args.from).text()),
            false => print!("{}", generate(args.from).text()),
        }
        return Ok(ExitCode::SUCCESS);
    }
    let tally = Mutex::new(Tally::default());
    let next = AtomicU64::new(args.from);
    std::thread::scope(|scope| -> io::Result<()> {
        let workers: Vec<_> = (0..args.jobs)
            .map(|worker| {
                let (args, tally, next) = (&args, &tally, &next);
                scope.spawn(move || -> io::Result<()> {
                    let folder = args.folder.join(format!("worker-{worker}"));
                    let judge = Judge::new(folder, &args.craig, args.seconds)?;
                    loop {
                        let seed = next.fetch_add(1, Ordering::Relaxed);
                        if seed >= args.from + args.count {
                            return Ok(());
                        }
                        examine(args, &judge, seed, tally)?;
                    }
                })
            })
            .collect();
        for worker in workers {
            worker.join().expect("a worker does not panic")?;
        }
        Ok(())
    })?;
    let tally = tally.into_inner().expect("no worker panicked");
    print(&tally);
    Ok(if tally.wrong.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn examine(args: &Args, judge: &Judge, seed: u64, tally: &Mutex<Tally>) -> io::Result<()> {
    let to = Place {
        args,
        judge,
        seed,
        tally,
    };
    if args.branches {
        let program = branches::generate(seed);
        let with = |items: &[lines::Item]| branches::Program {
            items: items.to_vec(),
            ..program.clone()
        };
        to.compare(
            &program.items,
            Question::exhaustive(&args.engines),
            |items| judge.exhaust(&with(items)),
            |items, outcome, question| {
                exhaustive::question_source(&with(items), outcome, question, seed)
            },
        )
    } else {
        let program = generate(seed);
        let with = |items: &[lines::Item]| Program {
            items: items.to_vec(),
            ..program.clone()
        };
        to.compare(
            &program.items,
            Question::sampled(&args.engines),
            |items| judge.native(&with(items), seed),
            |items, runs, question| Some(question_source(&with(items), runs, question)),
        )
    }
}

/// One seed's program among the others.
struct Place<'a> {
    args: &'a Args,
    judge: &'a Judge,
    seed: u64,
    tally: &'a Mutex<Tally>,
}

impl Place<'_> {
    /// Compares what gcc's code computes for a program with the answers to questions about it.
    fn compare<R>(
        &self,
        items: &[lines::Item],
        questions: Vec<Question>,
        native: impl Fn(&[lines::Item]) -> io::Result<Option<R>>,
        source: impl Fn(&[lines::Item], &R, Question) -> Option<String>,
    ) -> io::Result<()> {
        let Self {
            args,
            judge,
            seed,
            tally,
        } = *self;
        let known = native(items)?;
        let locked = || tally.lock().expect("no worker panicked");
        locked().n_programs += 1;
        let Some(known) = known else {
            locked().n_undefined += 1;
            return Ok(());
        };
        for (k, question) in questions.into_iter().enumerate() {
            if !(k as u64 + seed).is_multiple_of(args.every) {
                continue;
            }
            let Some(text) = source(items, &known, question) else {
                continue;
            };
            match judge.ask(&text, question)? {
                Answer::Right => *locked().right.entry(question).or_default() += 1,
                Answer::Unknown(reason) => {
                    if args.keep_unknown {
                        let path = args.folder.join(format!("unknown-{seed}-{k}.c"));
                        fs::write(&path, text)?;
                    }
                    let mut tally = locked();
                    *tally.unknown.entry(question).or_default() += 1;
                    *tally.reasons.entry(reason).or_default() += 1;
                }
                Answer::Wrong(text) => {
                    eprintln!("seed {seed}, {question:?}: {text}");
                    let path = args.folder.join(format!("seed-{seed}.c"));
                    let small = shrink::shrink(items.to_vec(), |items| {
                        let Ok(Some(known)) = native(items) else {
                            return false;
                        };
                        source(items, &known, question).is_some_and(|text| {
                            matches!(judge.ask(&text, question),
                                Ok(Answer::Wrong(text)) if !text.contains("Some(2)"))
                        })
                    });
                    let known = native(&small)?.expect("the shrinker keeps to defined programs");
                    let small = source(&small, &known, question).unwrap_or_default();
                    fs::write(&path, small)?;
                    eprintln!("seed {seed}: minimised in {}", path.display());
                    locked().wrong.push(format!(
                        "seed {seed}, {question:?}: {text}; {}",
                        path.display()
                    ));
                    // The other queries would most likely fail by the same defect.
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}

fn print(tally: &Tally) {
    println!(
        "{} programs, {} of them left out for undefined behaviour or length",
        tally.n_programs, tally.n_undefined
    );
    println!(
        "{:<12}{:<14}{:<9}{:>8}{:>9}",
        "inputs", "engine", "error", "right", "unknown"
    );
    let questions: BTreeSet<Question> = tally
        .right
        .keys()
        .chain(tally.unknown.keys())
        .copied()
        .collect();
    for question in questions {
        let Question {
            inputs,
            engine,
            is_unsafe,
        } = question;
        println!(
            "{:<12}{:<14}{:<9}{:>8}{:>9}",
            format!("{inputs:?}").to_lowercase(),
            format!("{engine:?}"),
            if is_unsafe { "reached" } else { "none" },
            tally.right.get(&question).unwrap_or(&0),
            tally.unknown.get(&question).unwrap_or(&0)
        );
    }
    let mut reasons: Vec<_> = tally.reasons.iter().collect();
    reasons.sort_by_key(|&(_, &n)| std::cmp::Reverse(n));
    for (reason, n) in reasons.iter().take(15) {
        println!("{n:>6} unknown: {reason}");
    }
    for wrong in &tally.wrong {
        println!("WRONG {wrong}");
    }
    println!("{} wrong", tally.wrong.len());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_stands_for_one_program() {
        assert_eq!(branches::generate(7).text(), branches::generate(7).text());
        assert_ne!(branches::generate(7).text(), branches::generate(8).text());
        assert_eq!(generate(7).text(), generate(7).text());
        assert_ne!(generate(7).text(), generate(8).text());
    }

    /// Without gcc there is no reference.
    #[test]
    fn generated_programs_are_defined() {
        if std::process::Command::new("gcc")
            .arg("--version")
            .output()
            .is_err()
        {
            return;
        }
        let folder = std::env::temp_dir().join(format!("craig-fuzz-c-{}", std::process::id()));
        let judge = Judge::new(folder.clone(), std::path::Path::new("craig"), 1).expect("a folder");
        let undefined: Vec<u64> = (0..6)
            .filter(|&seed| {
                judge
                    .native(&generate(seed), seed)
                    .expect("gcc runs")
                    .is_none()
            })
            .chain((0..6).filter(|&seed| {
                let program = branches::generate(seed);
                let outcome = judge.exhaust(&program).expect("gcc runs");
                let n_runs: u32 = program.inputs.iter().map(|input| input.n_values).product();
                outcome.is_none_or(|outcome| outcome.results.len() as u32 != n_runs)
            }))
            .collect();
        fs::remove_dir_all(folder).expect("the folder is ours");
        assert_eq!(undefined, Vec::<u64>::new());
    }
}
