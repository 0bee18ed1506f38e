//! Solves a formula in DIMACS from standard input and prints what the search did.
//!
//! `cargo run --release -p craig-solver --example solve -- [none|log|lrat|check] [OPTION=VALUE ...] < FILE`
//!
//! The first argument selects what happens to the proof: nothing, storage in memory, output as binary LRAT
//! that is discarded, or a check of each step. The others switch techniques of the search off and on;
//! `conflicts=N` limits the number of conflicts, and `file=PATH` writes the LRAT as text to a file.

use std::io::{BufWriter, Read, Write};

use craig_solver::cdcl::Statistics;
use craig_solver::proof::check::CheckingSink;
use craig_solver::proof::lrat::LratWriter;
use craig_solver::proof::{Encoding, NoProof, ProofLog, ProofSink, Traced};
use craig_solver::{Answer, Cnf, Limits, Lit, Options, Solver};

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

fn solve<P: ProofSink>(
    (options, limits): (Options, Limits),
    sink: P,
    cnf: &Cnf,
) -> (Answer, Statistics) {
    let mut solver = Solver::with_proof(options, sink);
    solver.set_limits(limits);
    solver.add_cnf(cnf);
    solver.close_variables();
    let answer = solver.solve(&[]);
    if answer == Answer::Satisfiable {
        let model: Vec<bool> = (0..cnf.n_vars())
            .map(|var| solver.value(craig_solver::Var::new(var).positive()) == Some(true))
            .collect();
        assert!(cnf.is_satisfied_by(&model), "the model is wrong");
    }
    (answer, *solver.statistics())
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let proof = arguments.next().unwrap_or_else(|| "none".to_owned());
    let mut options = Options::default();
    let mut limits = Limits::default();
    let mut file = None;
    for argument in arguments {
        if let Some(path) = argument.strip_prefix("file=") {
            file = Some(std::fs::File::create(path).expect("the file can be written"));
            continue;
        }
        match argument.strip_prefix("conflicts=").map(str::parse) {
            Some(Ok(conflicts)) => limits.conflicts = Some(conflicts),
            _ => assert!(options.set(&argument), "unknown option {argument}"),
        }
    }
    let options = (options, limits);
    let mut text = String::new();
    std::io::stdin()
        .read_to_string(&mut text)
        .expect("standard input is text");
    let cnf = read(&text).expect("standard input is DIMACS");
    let (answer, statistics) = match proof.as_str() {
        "none" => solve(options, NoProof, &cnf),
        "log" => solve(options, ProofLog::new(), &cnf),
        "lrat" => {
            let n_originals = u32::try_from(cnf.n_clauses()).expect("not that many clauses");
            let (output, encoding): (Box<dyn Write>, _) = match file {
                Some(file) => (Box::new(BufWriter::new(file)), Encoding::Text),
                None => (Box::new(std::io::sink()), Encoding::Binary),
            };
            let mut writer = LratWriter::new(output, encoding, n_originals);
            let decided = solve(options, Traced::new(&mut writer), &cnf);
            let mut output = writer.finish().expect("the proof could be written");
            output.flush().expect("the proof could be written");
            decided
        }
        "check" => {
            let mut checker = CheckingSink::new();
            let decided = solve(options, Traced::new(&mut checker), &cnf);
            checker.finish().expect("every step of the proof is right");
            println!("{} steps checked", checker.n_derived());
            decided
        }
        other => panic!("unknown kind of proof {other}"),
    };
    println!("{statistics:#?}");
    println!("s {answer:?}");
}
