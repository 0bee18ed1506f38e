//! Unsatisfiable cores: each wish is an assumption; the failed assumptions are the wishes that conflict.
//!
//! `cargo run --release -p craig-solver --example cores`

use craig_solver::{Answer, Solver};

fn main() {
    let mut solver = Solver::new();
    let names = ["tea", "coffee", "no caffeine", "something hot", "no stove"];
    let [tea, coffee, decaf, hot, cold] = [(); 5].map(|()| solver.new_var().positive());
    solver.add_clause(&[!decaf, !coffee]);
    solver.add_clause(&[!decaf, !tea]);
    solver.add_clause(&[!hot, tea, coffee]);
    solver.add_clause(&[!cold, !coffee]);
    let wishes = [hot, cold, decaf];
    assert_eq!(solver.solve(&wishes), Answer::Unsatisfiable);
    println!("These wishes clash:");
    for lit in solver.failed_assumptions() {
        println!("  {}", names[lit.var().index()]);
    }
}
