//! Equality.

use super::limits::{CHAIN_DEPTH, MAX_CHAIN};
use crate::bit_vector::BitVector;
use crate::machine::{from_signed, mask, to_signed};
use crate::op::Op;
use crate::term::{Node, Term, Terms};

impl Terms {
    /// Equality.
    pub fn eq(&mut self, a: Term, b: Term) -> Term {
        self.eq_to_depth(a, b, CHAIN_DEPTH)
    }

    fn eq_to_depth(&mut self, a: Term, b: Term, depth: usize) -> Term {
        if self.is_array(a) {
            return self.eq_arrays(a, b);
        }
        let width = self.width(a);
        debug_assert_eq!(width, self.width(b));
        if a == b {
            return self.boolean(true);
        }
        if width == 1 {
            let different = self.xor(a, b);
            return self.not(different);
        }
        if self.are_apart(a, b) {
            return self.boolean(false);
        }
        let (a, b) = self.constant_last(a, b);
        let Some(value) = self.constant_value(b) else {
            if let Some(value) = self.constant_bits(b) {
                return self.eq_wide(a, b, &value, depth);
            }
            if self.are_opposite(a, b) {
                return self.boolean(false);
            }
            // x + c = x + d, x + c = x.
            let (x, c) = self.split_constant(a);
            let (y, d) = self.split_constant(b);
            if x == y {
                return self.boolean(c == d);
            }
            if c != 0 && c == d {
                return self.eq_to_depth(x, y, depth);
            }
            if let Some(equal) = self.along_table(Op::Eq, a, b) {
                return equal;
            }
            if let Some(equal) = self.equal_tables(a, b) {
                return equal;
            }
            return self.intern(Node::Binary(Op::Eq, a, b), 1);
        };
        match self.node(a) {
            Node::Const(other) => self.boolean(value == other),
            Node::Not(x) => {
                let k = self.constant(!value, width);
                self.eq_to_depth(x, k, depth)
            }
            Node::ZExt(x) => {
                let inner = self.width(x);
                if value > mask(inner) {
                    return self.boolean(false);
                }
                let k = self.constant(value, inner);
                self.eq_to_depth(x, k, depth)
            }
            Node::SExt(x) => {
                let inner = self.width(x);
                if from_signed(to_signed(value & mask(inner), inner), width) != value {
                    return self.boolean(false);
                }
                let k = self.constant(value, inner);
                self.eq_to_depth(x, k, depth)
            }
            Node::Concat(high, low) => {
                let shift = self.width(low);
                let high_value = self.constant(value >> shift, width - shift);
                let low_value = self.constant(value, shift);
                let high = self.eq_to_depth(high, high_value, depth);
                let low = self.eq_to_depth(low, low_value, depth);
                self.and(high, low)
            }
            Node::Binary(Op::Add, x, c) if self.constant_value(c).is_some() => {
                let c = self.constant_value(c).unwrap_or(0);
                let k = self.constant(value.wrapping_sub(c), width);
                self.eq_to_depth(x, k, depth)
            }
            Node::Binary(Op::Sub, x, y) if value == 0 => self.eq_to_depth(x, y, depth),
            Node::Binary(Op::Xor, x, y) if value == 0 => self.eq_to_depth(x, y, depth),
            Node::Ite(_, x, y)
                if depth > 0
                    && (self.constant_value(x).is_some() || self.constant_value(y).is_some()) =>
            {
                self.eq_along_chain(a, value, depth)
            }
            _ => self.intern(Node::Binary(Op::Eq, a, b), 1),
        }
    }

    /// Whether a chain of choices, each between a constant and the rest of the chain, equals a constant. Such
    /// chains can be long: results of recursive functions, with a constant added on each level.
    fn eq_along_chain(&mut self, a: Term, value: u128, depth: usize) -> Term {
        let width = self.width(a);
        let (mut at, mut value) = (a, value);
        // The conditions, whether the constant is chosen if they hold, and whether it is the given one.
        let mut turns: Vec<(Term, bool, bool)> = Vec::new();
        while turns.len() < MAX_CHAIN {
            match self.node(at) {
                Node::Binary(Op::Add, x, c) if self.constant_value(c).is_some() => {
                    let c = self.constant_value(c).unwrap_or(0);
                    value = value.wrapping_sub(c) & mask(width);
                    at = x;
                }
                Node::Ite(c, x, y) => match (self.constant_value(x), self.constant_value(y)) {
                    (Some(k), _) => {
                        turns.push((c, true, k == value));
                        at = y;
                    }
                    (None, Some(k)) => {
                        turns.push((c, false, k == value));
                        at = x;
                    }
                    (None, None) => break,
                },
                _ => break,
            }
        }
        let last = self.constant(value, width);
        let mut equal = match self.node(at) {
            Node::Ite(..) => self.intern(Node::Binary(Op::Eq, at, last), 1),
            _ => self.eq_to_depth(at, last, depth - 1),
        };
        for (condition, is_then, is_right) in turns.into_iter().rev() {
            let constant = self.boolean(is_right);
            equal = match is_then {
                true => self.ite(condition, constant, equal),
                false => self.ite(condition, equal, constant),
            };
        }
        equal
    }

    /// Whether a term is a constant of more than 128 bits.
    fn eq_wide(&mut self, a: Term, b: Term, value: &BitVector, depth: usize) -> Term {
        match self.node(a) {
            Node::Not(x) => {
                let k = self.bit_vector(&value.not());
                self.eq_to_depth(x, k, depth)
            }
            Node::ZExt(x) | Node::SExt(x) => {
                let low = value.extract(0, self.width(x));
                let extended = match self.node(a) {
                    Node::ZExt(_) => low.zext(value.width()),
                    _ => low.sext(value.width()),
                };
                if extended != *value {
                    return self.boolean(false);
                }
                let k = self.bit_vector(&low);
                self.eq_to_depth(x, k, depth)
            }
            Node::Concat(high, low) => {
                let shift = self.width(low);
                let high_value = self.bit_vector(&value.extract(shift, value.width() - shift));
                let low_value = self.bit_vector(&value.extract(0, shift));
                let high = self.eq_to_depth(high, high_value, depth);
                let low = self.eq_to_depth(low, low_value, depth);
                self.and(high, low)
            }
            _ => self.intern(Node::Binary(Op::Eq, a, b), 1),
        }
    }
}
