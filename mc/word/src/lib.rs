//! Bit-vector terms: hash-consed, simplified as they are built, evaluated, and bit-blasted to an [`Aig`].
//!
//! Widths go from 1 to 128; truth values are terms of width 1. Operands have smaller numbers than the
//! terms that use them, so that every pass over a cone is a loop over increasing numbers.
//!
//! [`Aig`]: craig_solver::aig::Aig

mod blast;
mod display;
mod evaluate;
mod simplify;
mod structure;
mod substitute;
mod term;

pub use blast::Blaster;
pub use display::Display;
pub use evaluate::{Evaluator, binary, from_signed, mask, to_signed};
pub use term::{MAX_WIDTH, Node, Op, Term, Terms};

#[cfg(test)]
mod tests;
