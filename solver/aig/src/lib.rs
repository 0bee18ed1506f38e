//! And-inverter graphs: the representation of all formulas.
//!
//! An [`Aig`] is a graph of conjunctions whose edges ([`Edge`]) may be negated. It is structurally hashed: a conjunction
//! of two edges exists once, and constant and two-level rules apply when it is made. The crate has no solver and no
//! literals; clauses for a graph, and simplification that asks a solver, are parts of `craig-solver`.
//!
//! ```
//! use craig_aig::Aig;
//!
//! let mut aig = Aig::new();
//! let [a, b] = [(); 2].map(|()| aig.add_input());
//! let (left, right) = (aig.and(a, b), aig.and(b, a));
//! assert_eq!(left, right, "equal conjunctions are one");
//! let differ = aig.xor(a, b);
//! assert_eq!(aig.evaluate(&[true, false], &[left, differ]), [false, true]);
//! ```

mod cone;
mod cuts;
mod dump;
mod edge;
mod graph;
#[cfg(debug_assertions)]
#[doc(hidden)]
pub mod planted;
mod poll;
mod random;
mod resynthesize;
mod rewrite;
mod simulate;
mod strash;
mod synthesis;
#[cfg(test)]
mod testing;
mod two_level;

pub use cone::extract;
pub use edge::{Edge, Node, NodeId};
pub use graph::Aig;
pub use poll::Poll;
pub use random::Random;
pub use resynthesize::{resynthesize, resynthesize_until};
pub use rewrite::{rewrite, rewrite_until};
