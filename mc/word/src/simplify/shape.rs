//! Properties determined by the head of a term.

use crate::bit_vector::NARROW;
use crate::machine::mask;
use crate::op::Op;
use crate::term::{Node, Term, Terms};

impl Terms {
    /// Whether one term is the negation of the other.
    pub(super) fn are_opposite(&self, a: Term, b: Term) -> bool {
        self.node(a) == Node::Not(b) || self.node(b) == Node::Not(a)
    }

    /// The operands in a canonical order, a constant last.
    pub(super) fn constant_last(&self, a: Term, b: Term) -> (Term, Term) {
        let first_constant = self.is_constant(a);
        let second_constant = self.is_constant(b);
        if first_constant != second_constant {
            if first_constant { (b, a) } else { (a, b) }
        } else if a <= b {
            (a, b)
        } else {
            (b, a)
        }
    }

    /// The number of low bits known to be 0 from the head of the term.
    pub(super) fn low_zeros(&self, a: Term) -> u32 {
        match self.node(a) {
            Node::Const(0) => self.width(a),
            Node::Const(value) => value.trailing_zeros(),
            Node::Concat(_, low) if self.is_zero(low) => self.width(low),
            _ => 0,
        }
    }

    /// A term as another one plus a constant.
    pub(super) fn split_constant(&self, a: Term) -> (Term, u128) {
        if let Node::Binary(Op::Add, x, c) = self.node(a)
            && let Some(c) = self.constant_value(c)
        {
            return (x, c);
        }
        (a, 0)
    }

    /// Whether the term is the constant with all bits set.
    pub(super) fn is_ones(&self, a: Term) -> bool {
        match self.node(a) {
            Node::Const(value) => value == mask(self.width(a)),
            Node::Wide(_) => self.constant_bits(a).is_some_and(|value| value.is_ones()),
            _ => false,
        }
    }

    /// The value of a constant of any width, at most 2^128 - 1: a shift amount.
    pub(super) fn amount(&self, a: Term) -> Option<u128> {
        match self.constant_value(a) {
            None if self.width(a) > NARROW => {
                let value = self.constant_bits(a)?;
                Some(value.to_u128().unwrap_or(u128::MAX))
            }
            value => value,
        }
    }
}
