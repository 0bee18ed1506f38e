//! Clauses of constraints: how many literals are true, weighted sums, parities.
//!
//! Each function adds clauses over the literals and over new variables such that an assignment of the literals satisfies the
//! constraint if and only if it can be extended to one of the clauses. Literals may repeat, and then count as often.
//! [`Totalizer`] counts once for several bounds.
//!
//! ```
//! use craig_solver::{Answer, Solver, constraints};
//!
//! let mut solver = Solver::new();
//! let lits: Vec<_> = (0..5).map(|_| solver.new_var().positive()).collect();
//! constraints::at_most(&mut solver, &lits, 2);
//! constraints::parity(&mut solver, &lits, true);
//! assert_eq!(solver.solve(&lits[..1]), Answer::Satisfiable);
//! assert_eq!(solver.solve(&lits[..2]), Answer::Unsatisfiable);
//! ```

mod adder;
mod cardinality;
mod linear;
mod parity;
#[cfg(test)]
mod tests;
mod totalizer;

pub use cardinality::{at_least, at_most, exactly};
pub use linear::{linear_at_least, linear_at_most};
pub use parity::parity;
pub use totalizer::Totalizer;
