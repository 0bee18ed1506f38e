//! What is known about the order of evaluations: effects of calls, and operands that are still to be read.

use std::collections::HashMap;
use std::rc::Rc;

use crate::ir::{Expr, Reg};
use crate::lower::accesses::{Body, Keys};
use crate::syntax::ast::Expression;
use crate::syntax::span::Node;
use crate::types::Type;

/// An operand whose evaluation may be postponed until after the next call.
pub(in crate::lower) struct OpenRead<'a> {
    pub(in crate::lower) operand: &'a Node<Expression>,
    pub(in crate::lower) reads: Keys,
    pub(in crate::lower) kept: Kept,
}

/// The stored value of an operand.
#[derive(Clone)]
pub(in crate::lower) enum Kept {
    Value(Reg),
    /// A copy of a record, at this address.
    Copy(Expr, Type),
    /// The address of an lvalue, and the value read there.
    Place(Reg, Option<(Reg, Type)>),
}

/// The outcome of a call by its name.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(in crate::lower) struct Outcome {
    /// Whether it may not return, on a path without an error.
    pub(in crate::lower) ends: bool,
    /// Whether it may reach an error.
    pub(in crate::lower) marks: bool,
}

impl Outcome {
    pub(in crate::lower) fn add(&mut self, other: Self) {
        self.ends |= other.ends;
        self.marks |= other.marks;
    }
}

/// The effects of a call, including all that it calls.
#[derive(Default)]
pub(in crate::lower) struct Sum {
    pub(in crate::lower) reads: Keys,
    pub(in crate::lower) writes: Keys,
    pub(in crate::lower) outcome: Outcome,
}

/// Program information for the order of evaluations.
#[derive(Default)]
pub(in crate::lower) struct Orders {
    pub(in crate::lower) bodies: HashMap<String, Rc<Body>>,
    pub(in crate::lower) sums: HashMap<String, Rc<Sum>>,
    /// Whether an expression calls or writes anything, by its address in memory.
    pub(in crate::lower) acting: HashMap<usize, bool>,
}
