//! Arithmetic modulo 2^width.

use crate::machine::{binary, mask};
use crate::op::Op;
use crate::term::{Node, Term, Terms};

impl Terms {
    /// Sum modulo 2^width.
    pub fn add(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        debug_assert_eq!(width, self.width(b));
        if width == 1 {
            return self.xor(a, b);
        }
        let (a, b) = self.constant_last(a, b);
        match (self.constant_value(a), self.constant_value(b)) {
            (Some(x), Some(y)) => return self.constant(x.wrapping_add(y), width),
            (_, Some(0)) => return a,
            (None, Some(y)) => {
                if let Node::Binary(Op::Add, x, c) = self.node(a)
                    && let Some(c) = self.constant_value(c)
                {
                    let sum = self.constant(c.wrapping_add(y), width);
                    return self.add(x, sum);
                }
                // A chain of choices between constants, usually pointers, remains such a chain.
                if let Node::Ite(c, x, z) = self.node(a)
                    && self.constant_value(x).is_some()
                    && self.constant_value(z).is_some()
                {
                    let (x, z) = (self.add(x, b), self.add(z, b));
                    return self.ite(c, x, z);
                }
            }
            _ => {}
        }
        if self.is_zero(b) {
            return a;
        }
        // (x + c) + y = (x + y) + c, so that constants move to the outermost sum.
        for (p, q) in [(a, b), (b, a)] {
            if let Node::Binary(Op::Add, x, c) = self.node(p)
                && self.constant_value(c).is_some()
                && self.constant_value(q).is_none()
            {
                let sum = self.add(x, q);
                return self.add(sum, c);
            }
        }
        // Multiples of one word add up.
        if width <= 128 && self.constant_value(b).is_none() {
            let ((x, c), (y, d)) = (self.as_multiple(a), self.as_multiple(b));
            if x == y {
                let factor = self.constant(c.wrapping_add(d) & mask(width), width);
                return self.mul(x, factor);
            }
        }
        // Low bits that are 0 in one operand produce no carry.
        for (p, q) in [(a, b), (b, a)] {
            let zeros = self.low_zeros(p);
            if zeros > 0
                && zeros < width
                && self.constant_value(p).is_none()
                && match self.constant_value(q) {
                    // Only for small constants: large ones are addresses, which are kept whole.
                    Some(y) => y < 4096 || y > mask(width) - 4096,
                    None => self.low_zeros(q) > 0,
                }
            {
                let (high_p, high_q) = (
                    self.extract(p, zeros, width - zeros),
                    self.extract(q, zeros, width - zeros),
                );
                let low = self.extract(q, 0, zeros);
                let high = self.add(high_p, high_q);
                return self.concat(high, low);
            }
        }
        self.intern(Node::Binary(Op::Add, a, b), width)
    }

    /// A word as a multiple of another one: `x * c`, `-x`, `x << k`, or the word itself, once.
    pub(super) fn as_multiple(&self, a: Term) -> (Term, u128) {
        match self.node(a) {
            Node::Binary(Op::Sub, zero, x) if self.is_zero(zero) => (x, mask(self.width(a))),
            Node::Binary(Op::Mul, x, c) => match self.constant_value(c) {
                Some(c) => (x, c),
                None => (a, 1),
            },
            Node::Concat(high, low) if self.is_zero(low) && self.width(low) < 128 => {
                match self.node(high) {
                    Node::Extract(x, 0) if self.width(x) == self.width(a) => {
                        (x, 1 << self.width(low))
                    }
                    _ => (a, 1),
                }
            }
            _ => (a, 1),
        }
    }

    /// Difference modulo 2^width.
    pub fn sub(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        if width == 1 {
            return self.xor(a, b);
        }
        if a == b {
            return self.constant(0, width);
        }
        if self.is_zero(b) {
            return a;
        }
        if let Some(y) = self.constant_value(b) {
            let negated = self.constant(y.wrapping_neg(), width);
            return self.add(a, negated);
        }
        // (x + y) - y = x, and constants move to the outermost sum.
        if let Node::Binary(Op::Add, x, y) = self.node(a) {
            if x == b {
                return y;
            }
            if y == b {
                return x;
            }
            if self.constant_value(y).is_some() {
                let difference = self.sub(x, b);
                return self.add(difference, y);
            }
        }
        if let Node::Binary(Op::Add, x, y) = self.node(b)
            && let Some(y) = self.constant_value(y)
        {
            let difference = self.sub(a, x);
            let negated = self.constant(y.wrapping_neg(), width);
            return self.add(difference, negated);
        }
        self.intern(Node::Binary(Op::Sub, a, b), width)
    }

    /// The negative in two's complement.
    pub fn neg(&mut self, a: Term) -> Term {
        let zero = self.constant(0, self.width(a));
        if let Node::Binary(Op::Sub, x, y) = self.node(a)
            && self.is_zero(x)
        {
            return y;
        }
        self.sub(zero, a)
    }

    /// Product modulo 2^width.
    pub fn mul(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        if width == 1 {
            return self.and(a, b);
        }
        let (a, b) = self.constant_last(a, b);
        match (self.constant_value(a), self.constant_value(b)) {
            (Some(x), Some(y)) => return self.constant(x.wrapping_mul(y), width),
            (_, Some(0)) => return b,
            (_, Some(1)) => return a,
            (_, Some(y)) if y == mask(width) => return self.neg(a),
            (_, Some(y)) if y.is_power_of_two() => {
                let amount = self.constant(u128::from(y.trailing_zeros()), width);
                return self.shl(a, amount);
            }
            (None, Some(y)) => {
                if let Node::Binary(Op::Add, x, c) = self.node(a)
                    && let Some(c) = self.constant_value(c)
                {
                    let product = self.mul(x, b);
                    let c = self.constant(c.wrapping_mul(y), width);
                    return self.add(product, c);
                }
            }
            _ => {}
        }
        if let Some(product) = self.along_table(Op::Mul, a, b) {
            return product;
        }
        match self.amount(b) {
            Some(0) => b,
            Some(1) => a,
            _ => self.intern(Node::Binary(Op::Mul, a, b), width),
        }
    }

    /// A binary operator with few simplifications.
    pub(super) fn plain(&mut self, op: Op, a: Term, b: Term) -> Term {
        let width = self.width(a);
        debug_assert_eq!(width, self.width(b));
        if let (Some(x), Some(y)) = (self.constant_value(a), self.constant_value(b)) {
            return self.constant(binary(op, x, y, width), width);
        }
        self.intern(Node::Binary(op, a, b), width)
    }

    /// Unsigned quotient.
    pub fn udiv(&mut self, a: Term, b: Term) -> Term {
        match self.constant_value(b) {
            Some(1) => a,
            Some(y) if y.is_power_of_two() => {
                let amount = self.constant(u128::from(y.trailing_zeros()), self.width(a));
                self.lshr(a, amount)
            }
            _ => self.plain(Op::UDiv, a, b),
        }
    }

    /// Unsigned remainder.
    pub fn urem(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        match self.constant_value(b) {
            Some(y) if y.is_power_of_two() => {
                let low = self.constant(y - 1, width);
                self.and(a, low)
            }
            _ => self.plain(Op::URem, a, b),
        }
    }

    /// Signed quotient.
    pub fn sdiv(&mut self, a: Term, b: Term) -> Term {
        if self.constant_value(b) == Some(1) && self.width(a) > 1 {
            return a;
        }
        self.plain(Op::SDiv, a, b)
    }

    /// Signed remainder.
    pub fn srem(&mut self, a: Term, b: Term) -> Term {
        self.plain(Op::SRem, a, b)
    }
}
