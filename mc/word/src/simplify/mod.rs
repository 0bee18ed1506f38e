//! Constructors of terms: each returns a simplified term with the given meaning.

mod arithmetic;
mod array;
mod bitwise;
mod choice;
mod comparison;
mod equality;
mod limits;
mod shape;
mod shift;
mod slices;
mod structure;
mod sums;
mod table;

use super::op::Op;
use super::term::{Term, Terms};

impl Terms {
    /// A binary operator by name.
    pub fn binary(&mut self, op: Op, a: Term, b: Term) -> Term {
        match op {
            Op::And => self.and(a, b),
            Op::Xor => self.xor(a, b),
            Op::Add => self.add(a, b),
            Op::Sub => self.sub(a, b),
            Op::Mul => self.mul(a, b),
            Op::UDiv => self.udiv(a, b),
            Op::URem => self.urem(a, b),
            Op::SDiv => self.sdiv(a, b),
            Op::SRem => self.srem(a, b),
            Op::Shl => self.shl(a, b),
            Op::LShr => self.lshr(a, b),
            Op::AShr => self.ashr(a, b),
            Op::Eq => self.eq(a, b),
            Op::Ult => self.ult(a, b),
            Op::Slt => self.slt(a, b),
        }
    }
}
