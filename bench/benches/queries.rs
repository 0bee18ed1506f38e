//! PDR's queries, recorded once and replayed on the query solver and on the general solver.
//!
//! `cargo bench -p craig-bench --bench queries`
//!
//! The circuits are one example of craig and those named by the environment variable `CRAIG_BENCH_CIRCUITS`
//! (paths separated by spaces), the latter reduced as by `craig check`. PDR runs on each for at most a
//! minute; the queries up to then are replayed, so that a change to a solver is measured on the same work.

use craig_mc::Alone;
use craig_model::Stop;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use craig_hardware::aiger;
use craig_mc::circuit::reduce::{self, Passes};
use craig_mc::engine::pdr;
use craig_solver::proof::NoProof;
use craig_solver::query::record::{Call, Recording};
use craig_solver::{Answer, Lit, Solver};
use criterion::Criterion;

/// The circuit that is always included.
const EXAMPLE: &str = "../examples/shift_register_safe.aag";
/// The time limit of PDR on a circuit.
const RECORDING_TIME: Duration = Duration::from_secs(60);

/// The queries of PDR about the first bad of a circuit.
fn record(path: &Path, passes: &Passes) -> Recording {
    let circuit = aiger::read_file(path).expect("the circuit can be read");
    let alone = Alone::until(Stop::new().with_deadline(Instant::now() + RECORDING_TIME));
    let control = alone.control();
    let reduced = reduce::run(&circuit.model, 0, passes, control);
    let model = &reduced.model;
    let recording = Arc::new(Mutex::new(Recording::default()));
    let options = pdr::Options {
        recording: Some(Arc::clone(&recording)),
        ..pdr::Options::default()
    };
    // Only the recorded queries matter, not the answer.
    let _ = pdr::check(model, 0, &options, control);
    std::mem::take(&mut *recording.lock().expect("PDR didn't panic"))
}

/// The general solver with the interface of the query solver: it ignores definitions and domains, and decides
/// every variable of the circuit.
#[derive(Clone)]
struct General {
    solver: Solver<NoProof>,
    /// Its temporary clauses hold for one call, those of the query solver until they are cleared.
    temporary: Vec<Vec<Lit>>,
}

fn replay_with_the_general_solver(recording: &Recording) -> Vec<Answer> {
    let mut solver = Solver::new();
    // The reserved variable of the query solver.
    solver.new_var();
    let mut solvers = vec![General {
        solver,
        temporary: Vec::new(),
    }];
    let mut answers = Vec::new();
    for (number, call) in recording.calls() {
        let general = &mut solvers[number];
        match call {
            Call::NewVar => {
                general.solver.new_var();
            }
            Call::Define(_, _, clauses) => {
                for clause in clauses {
                    general.solver.add_clause(clause);
                }
            }
            Call::AddClause(clause) => general.solver.add_clause(clause),
            Call::AddLocalClause(guard, clause) => {
                let mut clause = clause.to_vec();
                clause.extend(guard);
                general.solver.add_clause(&clause);
            }
            Call::SetTemporary(clauses) => {
                general.temporary = clauses.iter().map(|clause| clause.to_vec()).collect();
            }
            Call::ClearTemporary => general.temporary.clear(),
            Call::SetPhase(lit) => general.solver.set_phase(lit),
            Call::Solve(assumptions) => {
                for clause in &general.temporary {
                    general.solver.add_temporary_clause(clause);
                }
                answers.push(general.solver.solve(assumptions));
            }
            Call::Clone => {
                let clone = general.clone();
                solvers.push(clone);
            }
            Call::Include(_) | Call::FixDomain(_) | Call::ReleaseDomain => {}
        }
    }
    answers
}

fn main() {
    let mut criterion = Criterion::default().sample_size(10).configure_from_args();
    // Not reduced: the reduction decides the example without queries.
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join(EXAMPLE);
    let mut circuits = vec![(example, Passes::NONE)];
    if let Ok(more) = std::env::var("CRAIG_BENCH_CIRCUITS") {
        let more = more.split_whitespace();
        circuits.extend(more.map(|path| (PathBuf::from(path), Passes::ALL)));
    }
    for (path, passes) in circuits {
        let name = path
            .file_stem()
            .map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
        let recording = record(&path, &passes);
        let expected: Vec<Answer> = recording.answers().to_vec();
        println!(
            "{name}: {} queries to {} solvers",
            expected.len(),
            recording.n_solvers()
        );
        // The query in which PDR was stopped has no answer to compare with.
        let decided = expected.len()
            - expected
                .iter()
                .filter(|&&answer| answer == Answer::Unknown)
                .count();
        let mut group = criterion.benchmark_group(name);
        group.bench_function("query solver", |bencher| {
            bencher.iter(|| assert_eq!(recording.replay()[..decided], expected[..decided]));
        });
        group.bench_function("general solver", |bencher| {
            bencher.iter(|| {
                let answers = replay_with_the_general_solver(&recording);
                assert_eq!(answers[..decided], expected[..decided]);
            });
        });
    }
    criterion.final_summary();
}
