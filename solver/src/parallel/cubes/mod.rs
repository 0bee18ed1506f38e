//! Cube and conquer: a formula is split into cubes by looking ahead, and searches refute them one by one.
//!
//! A short search comes first. What it leaves of the formula is split on variables that reduce it most (`lookahead`) until
//! there are as many cubes, conjunctions of literals, as asked for. Each search begins with a copy of the first one. It assumes a
//! cube, keeps what it has learned for the next one, and exchanges clauses with the others as in [`super`]. A cube that takes
//! too many conflicts is split again.
//!
//! ```
//! use craig_solver::parallel::{Control, cubes};
//! use craig_solver::proof::check;
//! use craig_solver::{Answer, Cnf, Lit};
//!
//! let mut cnf = Cnf::new();
//! for clause in [[1, 2], [1, -2], [-1, 2], [-1, -2]] {
//!     cnf.add_clause(&clause.map(|number| Lit::from_dimacs(number).unwrap()));
//! }
//! let mut settings = cubes::Settings::default();
//! settings.team.proof = true;
//! let (found, _) = cubes::solve(&cnf, &[], &settings, &Control::default())?;
//! assert_eq!(found.answer, Answer::Unsatisfiable);
//! check::check_dag(&found.refutation.expect("the proof was asked for"))?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # One proof
//!
//! A search that refutes a cube derives a clause of negations of its literals. The clauses of the two halves of a cube are
//! resolved on the literal that splits it, up to the empty clause (`tree`); if one of them does not need that literal, the other
//! half is not searched. So looking ahead is not in the proof, and the proof consists of resolutions. What the empty clause
//! needs of all searches is put in one order as in [`super`].

mod board;
mod lookahead;
mod run;
mod split;
#[cfg(test)]
mod tests;
mod tree;

pub use run::solve;
pub use split::split;

/// How to split, and how to search.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The searches. Their options are alike, [`Limits`](crate::Limits) are those of each, and with `deterministic` they
    /// exchange no clauses.
    pub team: super::Settings,
    /// How many cubes there are at first.
    pub cubes: usize,
    /// A cube that takes more conflicts is split.
    pub conflicts: u64,
    /// The conflicts of the search before the formula is split.
    pub warm_up: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            team: super::Settings::default(),
            cubes: 64,
            conflicts: 5000,
            warm_up: 3000,
        }
    }
}

/// What has become of the cubes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// How many there were at first; 0 if the search before was enough.
    pub cubes: u64,
    /// How many were refuted by a search.
    pub refuted: u64,
    /// How many were split because they took too many conflicts.
    pub split: u64,
    /// How many were left out because the clause of another one refutes them.
    pub superfluous: u64,
}
