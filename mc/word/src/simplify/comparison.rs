//! Order relations.

use crate::bit_vector::NARROW;
use crate::machine::{mask, to_signed};
use crate::op::Op;
use crate::term::{Node, Term, Terms};

impl Terms {
    /// Unsigned less-than.
    pub fn ult(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        if a == b {
            return self.boolean(false);
        }
        match (self.constant_value(a), self.constant_value(b)) {
            (Some(x), Some(y)) => return self.boolean(x < y),
            (_, Some(0)) => return self.boolean(false),
            (_, Some(1)) => {
                let zero = self.constant(0, width);
                return self.eq(a, zero);
            }
            (Some(x), _) if x == mask(width) => return self.boolean(false),
            (Some(0), _) => {
                let zero = self.constant(0, width);
                let equal = self.eq(b, zero);
                return self.not(equal);
            }
            _ => {}
        }
        if self.is_zero(b) {
            return self.boolean(false);
        }
        if let Some(known) = self.is_less(a, b) {
            return self.boolean(known);
        }
        match (self.node(a), self.node(b)) {
            (Node::ZExt(x), Node::ZExt(y)) if self.width(x) == self.width(y) => {
                return self.ult(x, y);
            }
            (Node::ZExt(x), Node::Const(value)) => {
                let inner = self.width(x);
                if value > mask(inner) {
                    return self.boolean(true);
                }
                let k = self.constant(value, inner);
                return self.ult(x, k);
            }
            (Node::Const(value), Node::ZExt(y)) => {
                let inner = self.width(y);
                if value >= mask(inner) {
                    return self.boolean(false);
                }
                let k = self.constant(value, inner);
                return self.ult(k, y);
            }
            (Node::Concat(high, low), Node::Const(value))
                if self.is_zero(low) && value.trailing_zeros() >= self.width(low) =>
            {
                let k = self.constant(value >> self.width(low), self.width(high));
                return self.ult(high, k);
            }
            (Node::Ite(c, x, y), Node::Const(_))
                if self.constant_value(x).is_some() && self.constant_value(y).is_some() =>
            {
                let (x, y) = (self.ult(x, b), self.ult(y, b));
                return self.ite(c, x, y);
            }
            _ => {}
        }
        if let Some(less) = self.along_table(Op::Ult, a, b) {
            return less;
        }
        self.intern(Node::Binary(Op::Ult, a, b), 1)
    }

    /// Unsigned less-or-equal.
    pub fn ule(&mut self, a: Term, b: Term) -> Term {
        let greater = self.ult(b, a);
        self.not(greater)
    }

    /// Signed less-than.
    pub fn slt(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        if a == b {
            return self.boolean(false);
        }
        if width > NARROW {
            return self.slt_wide(a, b);
        }
        let smallest = 1u128 << (width - 1);
        match (self.constant_value(a), self.constant_value(b)) {
            (Some(x), Some(y)) => {
                return self.boolean(to_signed(x, width) < to_signed(y, width));
            }
            (_, Some(0)) => return self.extract(a, width - 1, 1),
            (_, Some(y)) if y == smallest => return self.boolean(false),
            (Some(x), _) if x == smallest - 1 => return self.boolean(false),
            _ => {}
        }
        if let Some(known) = self.is_less_signed(a, b) {
            return self.boolean(known);
        }
        let not_negative = |terms: &Self, term: Term| match terms.node(term) {
            Node::Const(value) => value < smallest,
            Node::ZExt(_) => true,
            _ => false,
        };
        if not_negative(self, a) && not_negative(self, b) {
            return self.ult(a, b);
        }
        match (self.node(a), self.node(b)) {
            (Node::SExt(x), Node::SExt(y)) if self.width(x) == self.width(y) => {
                return self.slt(x, y);
            }
            (Node::Ite(c, x, y), Node::Const(_))
                if self.constant_value(x).is_some() && self.constant_value(y).is_some() =>
            {
                let (x, y) = (self.slt(x, b), self.slt(y, b));
                return self.ite(c, x, y);
            }
            _ => {}
        }
        if let Some(less) = self.along_table(Op::Slt, a, b) {
            return less;
        }
        self.intern(Node::Binary(Op::Slt, a, b), 1)
    }

    /// Signed less-than of terms of more than 128 bits that differ.
    fn slt_wide(&mut self, a: Term, b: Term) -> Term {
        if self.is_zero(b) {
            return self.extract(a, self.width(a) - 1, 1);
        }
        match (self.node(a), self.node(b)) {
            (Node::SExt(x), Node::SExt(y)) if self.width(x) == self.width(y) => self.slt(x, y),
            (Node::ZExt(_), Node::ZExt(_)) => self.ult(a, b),
            _ => self.intern(Node::Binary(Op::Slt, a, b), 1),
        }
    }

    /// Signed less-or-equal.
    pub fn sle(&mut self, a: Term, b: Term) -> Term {
        let greater = self.slt(b, a);
        self.not(greater)
    }
}
