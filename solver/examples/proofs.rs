//! A refutation as data: solve with the proof in memory, trim it, and read it.
//!
//! `cargo run --release -p craig-solver --example proofs`

use craig_solver::proof::{Origin, ProofLog, check};
use craig_solver::{Answer, Lit, Options, Solver};

fn main() {
    let mut solver = Solver::with_proof(Options::default(), ProofLog::new());
    let [a, b, c]: [Lit; 3] = [(); 3].map(|()| solver.new_var().positive());
    // The label of a clause names its part of the problem.
    for (label, clause) in [
        (0, &[a, b][..]),
        (0, &[a, !b]),
        (1, &[!a, c]),
        (1, &[!a, !c]),
        (1, &[b, c]),
    ] {
        solver.add_labelled_clause(clause, label);
    }
    assert_eq!(solver.solve(&[]), Answer::Unsatisfiable);
    let root = solver
        .refutation()
        .expect("without assumptions there is one");
    let dag = solver.proof().trim(root);
    check::check_dag(&dag).expect("every step is a resolution");
    for vertex in dag.vertices() {
        match dag.origin(vertex) {
            Origin::Leaf { label } => {
                println!("{vertex}: {:?} from part {label}", dag.clause(vertex));
            }
            Origin::Chain { first, steps } => {
                print!("{vertex}: {:?} = {first}", dag.clause(vertex));
                for step in steps {
                    print!(" *[{:?}] {}", step.pivot, step.antecedent);
                }
                println!();
            }
        }
    }
}
