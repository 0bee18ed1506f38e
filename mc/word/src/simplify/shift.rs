//! Shifts. The amount has the width of the operand.

use crate::op::Op;
use crate::term::{Term, Terms};

impl Terms {
    /// Shift to the left. The amount has the width of the operand.
    pub fn shl(&mut self, a: Term, amount: Term) -> Term {
        let width = self.width(a);
        match self.amount(amount) {
            Some(0) => a,
            Some(by) if by >= u128::from(width) => self.constant(0, width),
            Some(by) => {
                let by = by as u32;
                let high = self.extract(a, 0, width - by);
                let low = self.constant(0, by);
                self.concat(high, low)
            }
            None => self.plain(Op::Shl, a, amount),
        }
    }

    /// Shift to the right, filling with 0.
    pub fn lshr(&mut self, a: Term, amount: Term) -> Term {
        let width = self.width(a);
        match self.amount(amount) {
            Some(0) => a,
            Some(by) if by >= u128::from(width) => self.constant(0, width),
            Some(by) => {
                let by = by as u32;
                let high = self.extract(a, by, width - by);
                self.zext(high, width)
            }
            None => self.plain(Op::LShr, a, amount),
        }
    }

    /// Shift to the right, filling with the sign.
    pub fn ashr(&mut self, a: Term, amount: Term) -> Term {
        let width = self.width(a);
        match self.amount(amount) {
            Some(0) => a,
            Some(by) => {
                let by = by.min(u128::from(width - 1)) as u32;
                let high = self.extract(a, by, width - by);
                self.sext(high, width)
            }
            None => self.plain(Op::AShr, a, amount),
        }
    }
}
