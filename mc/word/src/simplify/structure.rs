//! Concatenation, extraction and extension.

use super::limits::CHAIN_DEPTH;
use crate::bit_vector::NARROW;
use crate::machine::{from_signed, to_signed};
use crate::term::{Node, Term, Terms};

impl Terms {
    /// The concatenation of the high and the low part.
    pub fn concat(&mut self, high: Term, low: Term) -> Term {
        let low_width = self.width(low);
        let width = self.width(high) + low_width;
        match (self.node(high), self.node(low)) {
            (Node::Const(x), Node::Const(y)) if width <= NARROW => {
                return self.constant(x << low_width | y, width);
            }
            _ if self.is_zero(high) => return self.zext(low, width),
            // A choice between constants remains one: bytes of an address become the address again.
            (Node::Ite(c, x, y), Node::Const(_)) if self.is_constant_choice(high, CHAIN_DEPTH) => {
                let (x, y) = (self.concat(x, low), self.concat(y, low));
                return self.ite(c, x, y);
            }
            (Node::Const(_), Node::Ite(c, x, y)) if self.is_constant_choice(low, CHAIN_DEPTH) => {
                let (x, y) = (self.concat(high, x), self.concat(high, y));
                return self.ite(c, x, y);
            }
            (Node::Ite(c, x, y), Node::Ite(d, v, w))
                if c == d
                    && self.is_constant_choice(high, CHAIN_DEPTH)
                    && self.is_constant_choice(low, CHAIN_DEPTH) =>
            {
                let (x, y) = (self.concat(x, v), self.concat(y, w));
                return self.ite(c, x, y);
            }
            (Node::Extract(x, from), Node::Extract(y, at)) if x == y && from == at + low_width => {
                return self.extract(x, at, width);
            }
            // The concatenation of a term's high bits with all of its lower bits.
            (Node::Extract(x, from), _) if x == low && from == low_width => return x,
            (Node::Extract(x, from), Node::Concat(middle, rest)) => {
                if let Node::Extract(y, at) = self.node(middle)
                    && x == y
                    && from == at + self.width(middle)
                {
                    let joined = self.extract(x, at, self.width(high) + self.width(middle));
                    return self.concat(joined, rest);
                }
            }
            (Node::Concat(top, bottom), _) => {
                // Nested to the right, so that adjacent parts are combined.
                let joined = self.concat(bottom, low);
                return self.concat(top, joined);
            }
            (Node::Const(_) | Node::Wide(_), Node::Concat(middle, rest))
                if self.is_constant(middle) =>
            {
                let joined = self.concat(high, middle);
                return self.concat(joined, rest);
            }
            _ => {}
        }
        self.intern(Node::Concat(high, low), width)
    }

    /// Zero extension to `width` bits.
    pub fn zext(&mut self, a: Term, width: u32) -> Term {
        debug_assert!(width >= self.width(a));
        if width == self.width(a) {
            return a;
        }
        match self.node(a) {
            Node::Const(value) => self.constant(value, width),
            Node::ZExt(x) => self.zext(x, width),
            _ => self.intern(Node::ZExt(a), width),
        }
    }

    /// Sign extension to `width` bits.
    pub fn sext(&mut self, a: Term, width: u32) -> Term {
        let inner = self.width(a);
        debug_assert!(width >= inner);
        if width == inner {
            return a;
        }
        match self.node(a) {
            Node::Const(value) if width <= NARROW => {
                self.constant(from_signed(to_signed(value, inner), width), width)
            }
            Node::SExt(x) => self.sext(x, width),
            Node::ZExt(x) => self.zext(x, width),
            _ => self.intern(Node::SExt(a), width),
        }
    }
}
