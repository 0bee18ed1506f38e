//! Terms over bit-vectors and arrays: hash-consed, simplified at construction, evaluated, and bit-blasted to
//! an [`Aig`].
//!
//! Bit-vectors have any width from 1; up to 128 bits, values are machine integers. Truth values are terms of
//! width 1. Arrays map bit-vectors to bit-vectors; they are constructed, simplified and evaluated, and have
//! to be eliminated before terms are blasted. Operands have smaller numbers than the terms that use them, so
//! that every pass over a cone is a loop over increasing numbers.
//!
//! A sum, its value, and its gates:
//!
//! ```
//! use craig_aig::Aig;
//! use craig_word::{Blaster, Evaluator, Terms};
//!
//! let mut terms = Terms::new();
//! let (x, seven) = (terms.variable(8), terms.constant(7, 8));
//! let sum = terms.add(x, seven);
//! assert_eq!(Evaluator::new(&terms, |_, _| 250).value(sum), 1);
//!
//! let (mut aig, mut blaster) = (Aig::new(), Blaster::new());
//! let bits = blaster.blast(&terms, &mut aig, sum, &mut |aig, _| (0..8).map(|_| aig.add_input()).collect());
//! assert_eq!((bits.len(), aig.n_inputs()), (8, 8));
//! // The terms that use a sum see what it is: without 7 again, it is the variable.
//! assert_eq!(terms.sub(sum, seven), x);
//! ```
//!
//! [`Aig`]: craig_aig::Aig

mod array_value;
mod bit_vector;
mod blast;
mod bounds;
mod c_expression;
mod display;
mod evaluate;
mod machine;
mod op;
mod simplify;
mod substitute;
mod term;

pub use array_value::ArrayValue;
pub use bit_vector::BitVector;
pub use blast::{ArrayError, Blaster};
pub use c_expression::CVariable;
pub use display::Display;
pub use evaluate::{Evaluator, Value};
pub use machine::{binary, from_signed, mask, to_signed};
pub use op::Op;
pub use term::{MAX_WIDTH, Node, Sort, Term, Terms, WideId};

#[cfg(test)]
mod c_expression_tests;
#[cfg(test)]
mod shaped_tests;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod wide_tests;
