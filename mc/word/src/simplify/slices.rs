//! Some bits of a term.
//!
//! The bits of an operation are those of its operands where that is cheaper. Operands are shared, so that a walk of all paths to
//! them would take exponential time; and chains of them are long, so that nothing here is recursive. What the bits of an operation
//! are made of is found once.

use super::limits::CHAIN_DEPTH;
use crate::op::Op;
use crate::term::{Node, Slice, Term, Terms};

/// Some bits of an operation, as a node whose operands are bits of its operands.
enum Parts {
    Not(Slice),
    /// Extended to the width, with the sign if it has one.
    Extended(Slice, bool),
    Binary(Op, Slice, Slice),
    /// High part, low part.
    Joined(Slice, Slice),
    Chosen(Term, Slice, Slice),
}

impl Terms {
    /// The bits `low .. low + width`.
    pub fn extract(&mut self, a: Term, low: u32, width: u32) -> Term {
        let mut open: Vec<(Slice, usize)> = Vec::new();
        let (mut slice, mut depth) = ((a, low, width), CHAIN_DEPTH);
        loop {
            match self.bits(slice, depth) {
                Ok(term) => match open.pop() {
                    Some(next) => (slice, depth) = next,
                    None => return term,
                },
                Err((own, parts, below)) => match self.made(own, &parts, below) {
                    Ok(term) => drop(self.slices.insert(own, term)),
                    Err(part) => {
                        open.push((slice, depth));
                        (slice, depth) = (part, below);
                    }
                },
            }
        }
    }

    /// The term of a slice if it is known or needs no others; else the same bits as those of an operation, what these are made of, and
    /// the depth of that.
    fn bits(&mut self, slice: Slice, depth: usize) -> Result<Term, (Slice, Parts, usize)> {
        let (mut a, mut low, width) = slice;
        loop {
            let whole = self.width(a);
            debug_assert!(low + width <= whole && width > 0);
            if width == whole {
                return Ok(a);
            }
            if low > 0
                && let Some(bits) = self.bounded_bits(a, low)
            {
                return Ok(self.constant(bits, width));
            }
            match self.node(a) {
                Node::Const(value) => return Ok(self.constant(value >> low, width)),
                Node::Extract(x, from) => (a, low) = (x, from + low),
                Node::Concat(high, rest) if low >= self.width(rest) => {
                    (a, low) = (high, low - self.width(rest));
                }
                Node::Concat(_, rest) if low + width <= self.width(rest) => a = rest,
                Node::ZExt(x) if low >= self.width(x) => return Ok(self.constant(0, width)),
                Node::ZExt(x) | Node::SExt(x) if low + width <= self.width(x) => a = x,
                _ => break,
            }
        }
        let own = (a, low, width);
        if let Some(&known) = self.slices.get(&own) {
            return Ok(known);
        }
        let at = |x: Term| (x, low, width);
        let parts = match self.node(a) {
            Node::Concat(high, rest) => {
                let split = self.width(rest);
                Parts::Joined((high, 0, low + width - split), (rest, low, split - low))
            }
            Node::ZExt(x) => Parts::Extended((x, low, self.width(x) - low), false),
            Node::SExt(x) => {
                let inner = self.width(x);
                let low = low.min(inner - 1);
                Parts::Extended((x, low, inner - low), true)
            }
            Node::Not(x) => Parts::Not(at(x)),
            Node::Binary(op @ (Op::And | Op::Xor), x, y) => Parts::Binary(op, at(x), at(y)),
            // The low bits of sums and products depend only on the low bits of the operands.
            Node::Binary(op @ (Op::Add | Op::Sub | Op::Mul), x, y) if low == 0 && depth > 0 => {
                return Err((own, Parts::Binary(op, at(x), at(y)), depth - 1));
            }
            Node::Ite(c, x, y) if depth > 0 && (self.is_constant(x) || self.is_constant(y)) => {
                return Err((own, Parts::Chosen(c, at(x), at(y)), depth - 1));
            }
            Node::Ite(..) => {
                let part = match self.extract_of_table(a, low, width) {
                    Some(part) => part,
                    None => self.intern(Node::Extract(a, low), width),
                };
                // At the limit of the depth, more may be known of it later.
                if depth > 0 {
                    self.slices.insert(own, part);
                }
                return Ok(part);
            }
            _ => return Ok(self.intern(Node::Extract(a, low), width)),
        };
        Err((own, parts, depth))
    }

    /// The term that is made of these parts, or one of them that has no term yet.
    fn made(&mut self, slice: Slice, parts: &Parts, depth: usize) -> Result<Term, Slice> {
        let mut of = |part: Slice| self.bits(part, depth).map_err(|_| part);
        Ok(match *parts {
            Parts::Not(x) => {
                let x = of(x)?;
                self.not(x)
            }
            Parts::Extended(x, is_signed) => {
                let x = of(x)?;
                match is_signed {
                    true => self.sext(x, slice.2),
                    false => self.zext(x, slice.2),
                }
            }
            Parts::Binary(op, x, y) => {
                let (x, y) = (of(x)?, of(y)?);
                self.binary(op, x, y)
            }
            Parts::Joined(high, low) => {
                let (high, low) = (of(high)?, of(low)?);
                self.concat(high, low)
            }
            Parts::Chosen(condition, x, y) => {
                let (x, y) = (of(x)?, of(y)?);
                self.ite(condition, x, y)
            }
        })
    }
}
