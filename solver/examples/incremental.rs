//! The maximal number of queens on a board, by incremental calls of one solver with assumptions.
//!
//! `cargo run --release -p craig-solver --example incremental`

use craig_solver::{Answer, Lit, Solver};

fn main() {
    let size = 6;
    let mut solver = Solver::new();
    let squares: Vec<Lit> = (0..size * size)
        .map(|_| solver.new_var().positive())
        .collect();
    let attacks = |a: usize, b: usize| {
        let (row, column) = ((a / size).abs_diff(b / size), (a % size).abs_diff(b % size));
        row == 0 || column == 0 || row == column
    };
    for a in 0..squares.len() {
        for b in 0..a {
            if attacks(a, b) {
                solver.add_clause(&[!squares[a], !squares[b]]);
            }
        }
    }
    // counter[k] is true if more than k of the squares so far hold a queen (Sinz, CP 2005).
    let mut counter: Vec<Lit> = Vec::new();
    for &square in &squares {
        let next: Vec<Lit> = (0..=counter.len())
            .map(|_| solver.new_var().positive())
            .collect();
        for k in 0..next.len() {
            // More than k now follows from: more than k before, or more than k - 1 before and a queen here.
            let mut before = vec![!next[k]];
            before.extend(counter.get(k));
            let mut with = before.clone();
            before.push(square);
            solver.add_clause(&before);
            if k > 0 {
                with.push(counter[k - 1]);
                solver.add_clause(&with);
            }
        }
        counter = next;
    }
    for (k, &more_than_k) in counter.iter().enumerate() {
        match solver.solve(&[more_than_k]) {
            Answer::Satisfiable => println!("{} queens fit", k + 1),
            Answer::Unsatisfiable => {
                println!("{} do not", k + 1);
                return;
            }
            Answer::Unknown => unreachable!("no limit was set"),
        }
    }
}
