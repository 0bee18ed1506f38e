//! Solves a formula in DIMACS from standard input by several searches, and prints what each of them did.
//!
//! `cargo run --release -p craig-solver --example parallel -- SEARCHES [deterministic] [proof] [OPTION=VALUE ...] < FILE`

use std::io::Read;
use std::num::NonZeroUsize;
use std::time::Instant;

use craig_solver::parallel::{Control, Settings, solve};
use craig_solver::proof::check;
use craig_solver::{Cnf, Lit, Options};

fn read(text: &str) -> Option<Cnf> {
    let mut cnf = Cnf::new();
    let mut clause = Vec::new();
    let lines = text.lines().filter(|line| !line.starts_with(['c', 'p']));
    for word in lines.flat_map(str::split_ascii_whitespace) {
        match word.parse().ok()? {
            0 => {
                cnf.add_clause(&clause);
                clause.clear();
            }
            number => clause.push(Lit::from_dimacs(number)?),
        }
    }
    Some(cnf)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let workers: NonZeroUsize = arguments.next().ok_or("how many searches?")?.parse()?;
    let mut settings = Settings {
        workers,
        options: Options {
            eliminate: true,
            ..Options::default()
        },
        ..Settings::default()
    };
    for argument in arguments {
        match argument.as_str() {
            "deterministic" => settings.deterministic = true,
            "proof" => settings.proof = true,
            option => assert!(settings.options.set(option), "unknown option {option}"),
        }
    }
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text)?;
    let cnf = read(&text).ok_or("standard input is no DIMACS")?;
    let start = Instant::now();
    let found = solve(&cnf, &[], &settings, &Control::default())?;
    println!("{:.2} s: {:?}", start.elapsed().as_secs_f64(), found.answer);
    for (number, own) in found.workers.iter().enumerate() {
        let role = if found.winner == Some(number) {
            " (winner)"
        } else {
            ""
        };
        let conflicts = own.statistics.conflicts;
        println!(
            "{number} {}{role}: {conflicts} conflicts, {:?}",
            own.variation, own.traffic
        );
    }
    if let Some(proof) = &found.refutation {
        check::check_dag(proof)?;
        check::check_leaves(proof, &cnf)?;
        println!(
            "{} clauses and {} resolutions checked",
            proof.n_vertices(),
            proof.n_steps()
        );
    }
    Ok(())
}
