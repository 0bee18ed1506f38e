//! Bitwise operators.

use crate::machine::mask;
use crate::op::Op;
use crate::term::{Node, Term, Terms};

impl Terms {
    /// Bitwise negation.
    pub fn not(&mut self, a: Term) -> Term {
        let width = self.width(a);
        match self.node(a) {
            Node::Const(value) => self.constant(!value, width),
            Node::Not(inner) => inner,
            _ => self.intern(Node::Not(a), width),
        }
    }

    /// Bitwise conjunction.
    pub fn and(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        debug_assert_eq!(width, self.width(b));
        let (a, b) = self.constant_last(a, b);
        if a == b {
            return a;
        }
        match (self.constant_value(a), self.constant_value(b)) {
            (Some(x), Some(y)) => return self.constant(x & y, width),
            (_, Some(0)) => return b,
            (_, Some(y)) if y == mask(width) => return a,
            (_, Some(y)) if width > 1 && y & (y + 1) == 0 => {
                // A mask of low bits.
                let low = self.extract(a, 0, y.count_ones());
                return self.zext(low, width);
            }
            _ => {}
        }
        if self.is_zero(b) {
            return b;
        }
        if self.is_ones(b) {
            return a;
        }
        if self.are_opposite(a, b) {
            return self.constant(0, width);
        }
        if let Node::Binary(Op::And, x, y) = self.node(b) {
            if a == x || a == y {
                return b;
            }
            if self.are_opposite(a, x) || self.are_opposite(a, y) {
                return self.constant(0, width);
            }
        }
        if let Node::Binary(Op::And, x, y) = self.node(a) {
            if b == x || b == y {
                return a;
            }
            if self.are_opposite(b, x) || self.are_opposite(b, y) {
                return self.constant(0, width);
            }
        }
        // a & !(x & y): a = x gives a & !y; a = !x gives a.
        for (p, q) in [(a, b), (b, a)] {
            if let Node::Not(inner) = self.node(q)
                && let Node::Binary(Op::And, x, y) = self.node(inner)
            {
                if self.are_opposite(p, x) || self.are_opposite(p, y) {
                    return p;
                }
                if p == x || p == y {
                    let other = if p == x { y } else { x };
                    let negated = self.not(other);
                    return self.and(p, negated);
                }
            }
        }
        // !(x & y) & !(x & !y) = !x.
        if let (Node::Not(left), Node::Not(right)) = (self.node(a), self.node(b))
            && let (Node::Binary(Op::And, x, y), Node::Binary(Op::And, v, w)) =
                (self.node(left), self.node(right))
        {
            for (p, q, r, s) in [(x, y, v, w), (x, y, w, v), (y, x, v, w), (y, x, w, v)] {
                if p == r && self.are_opposite(q, s) {
                    return self.not(p);
                }
            }
        }
        self.intern(Node::Binary(Op::And, a, b), width)
    }

    /// Bitwise disjunction.
    pub fn or(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = (self.not(a), self.not(b));
        let neither = self.and(a, b);
        self.not(neither)
    }

    /// Bitwise exclusive or.
    pub fn xor(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        debug_assert_eq!(width, self.width(b));
        let (a, b) = self.constant_last(a, b);
        if a == b {
            return self.constant(0, width);
        }
        match (self.constant_value(a), self.constant_value(b)) {
            (Some(x), Some(y)) => return self.constant(x ^ y, width),
            (_, Some(0)) => return a,
            (_, Some(y)) if y == mask(width) => return self.not(a),
            _ => {}
        }
        if self.is_zero(b) {
            return a;
        }
        if self.is_ones(b) {
            return self.not(a);
        }
        self.intern(Node::Binary(Op::Xor, a, b), width)
    }
}
