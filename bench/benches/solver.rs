//! The parts of the solver: propagation, conflict analysis, search with and without a proof, trimming,
//! checking.
//!
//! `cargo bench -p craig-bench --bench solver`
//!
//! The formulas are generated, so that the bench needs no files: a long chain of implications for propagation
//! and analysis, unsatisfiable random 3-SAT for everything else. The search is deterministic.

use std::hint::black_box;

use craig_solver::proof::check::check_dag;
use craig_solver::proof::{NoProof, ProofDag, ProofLog, ProofSink};
use craig_solver::{Answer, Cnf, Lit, Options, Solver, Var};
use criterion::{BatchSize, Criterion};

/// Links of the chain.
const CHAIN: usize = 50_000;
/// Variables of the random formula.
const RANDOM_VARS: usize = 150;
/// Its clauses: enough to make it unsatisfiable, and few enough to need some thousand conflicts.
const RANDOM_CLAUSES: usize = 690;

/// Each link is implied by the two before it.
fn chain() -> Cnf {
    let x = |index: usize| Var::new(index).positive();
    let mut cnf = Cnf::new();
    cnf.add_clause(&[!x(0), x(1)]);
    for index in 2..CHAIN {
        cnf.add_clause(&[!x(index - 2), !x(index - 1), x(index)]);
    }
    cnf
}

/// Clauses of three different variables, drawn with a linear congruential generator.
fn random() -> Cnf {
    let mut word = 1u64;
    let mut below = |bound: usize| {
        word = word
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (word >> 33) as usize % bound
    };
    let mut cnf = Cnf::new();
    let mut clause: Vec<Lit> = Vec::new();
    for _ in 0..RANDOM_CLAUSES {
        clause.clear();
        while clause.len() < 3 {
            let lit = Var::new(below(RANDOM_VARS)).lit(below(2) == 1);
            if clause.iter().all(|other| other.var() != lit.var()) {
                clause.push(lit);
            }
        }
        cnf.add_clause(&clause);
    }
    cnf
}

fn load<P: ProofSink>(cnf: &Cnf, sink: P) -> Solver<P> {
    let mut solver = Solver::with_proof(Options::default(), sink);
    solver.add_cnf(cnf);
    solver
}

fn refute<P: ProofSink>(mut solver: Solver<P>) -> Solver<P> {
    assert_eq!(solver.solve(&[]), Answer::Unsatisfiable);
    solver
}

fn propagation(criterion: &mut Criterion) {
    let mut solver = load(&chain(), NoProof);
    let first = Var::new(0).positive();
    // From the second call on, the only work is propagation along the chain.
    criterion.bench_function("propagate along a chain", |bencher| {
        bencher.iter(|| assert_eq!(solver.solve(&[first]), Answer::Satisfiable));
    });
}

fn analysis(criterion: &mut Criterion) {
    let mut cnf = chain();
    let last = Var::new(CHAIN - 1).positive();
    cnf.add_clause(&[!Var::new(CHAIN - 2).positive(), !last]);
    let first = Var::new(0).positive();
    let fails = |solver: &mut Solver<ProofLog>| {
        assert_eq!(solver.solve(&[first]), Answer::Unsatisfiable);
    };
    let ready = || load(&cnf, ProofLog::new());
    // One conflict, whose only unique implication point is the assumption: each link of the chain is resolved
    // with. The time includes the propagation, which the previous benchmark measures.
    criterion.bench_function("analyse a conflict at the end of a chain", |bencher| {
        bencher.iter_batched_ref(ready, fails, BatchSize::LargeInput);
    });
}

fn search(criterion: &mut Criterion) {
    let cnf = random();
    criterion.bench_function("search without a proof", |bencher| {
        bencher.iter_batched(|| load(&cnf, NoProof), refute, BatchSize::LargeInput);
    });
    criterion.bench_function("search with a proof in memory", |bencher| {
        bencher.iter_batched(
            || load(&cnf, ProofLog::new()),
            refute,
            BatchSize::LargeInput,
        );
    });
    let solver = load(&cnf, NoProof);
    criterion.bench_function("clone a solver", |bencher| {
        bencher.iter(|| black_box(solver.clone()));
    });
}

fn proofs(criterion: &mut Criterion) {
    let solver = refute(load(&random(), ProofLog::new()));
    let root = solver.refutation().expect("there is a refutation");
    criterion.bench_function("trim a proof", |bencher| {
        bencher.iter(|| black_box(solver.proof().trim(root)));
    });
    let dag: ProofDag = solver.proof().trim(root);
    criterion.bench_function("check a trimmed proof", |bencher| {
        bencher.iter(|| check_dag(black_box(&dag)).expect("the proof is right"));
    });
}

fn main() {
    let mut criterion = Criterion::default().sample_size(10).configure_from_args();
    propagation(&mut criterion);
    analysis(&mut criterion);
    search(&mut criterion);
    proofs(&mut criterion);
    criterion.final_summary();
}
