//! Checks that the exact result of an operation on integers is one of its type.

use craig_word::Op;

use super::{Lowering, Result};
use crate::ir::{CheckKind, Expr};

impl Lowering<'_> {
    /// Checks arithmetic on words of 128 bits, whose exact results don't fit into a word.
    fn check_wide_overflow(&mut self, op: Op, a: Expr, b: Expr) -> Result<()> {
        let width = self.program.width(a);
        let zero = self.program.constant(0, width);
        let fits = match op {
            Op::Add | Op::Sub => {
                // The result's sign differs from both operands' (of a difference, the second one negated).
                let result = self.program.binary(op, a, b);
                let own = self.program.binary(Op::Xor, a, result);
                let second = if op == Op::Add {
                    b
                } else {
                    self.program.not(b)
                };
                let other = self.program.binary(Op::Xor, second, result);
                let both = self.program.binary(Op::And, own, other);
                let overflows = self.program.binary(Op::Slt, both, zero);
                self.program.not(overflows)
            }
            Op::SDiv | Op::SRem => {
                let least = self.program.constant(1 << (width - 1), width);
                let minus_one = self.program.constant(u128::MAX, width);
                let is_least = self.program.binary(Op::Eq, a, least);
                let is_minus_one = self.program.binary(Op::Eq, b, minus_one);
                let overflows = self.program.binary(Op::And, is_least, is_minus_one);
                self.program.not(overflows)
            }
            Op::Mul => return Err("an overflow check of a product of 128 bits".into()),
            _ => return Ok(()),
        };
        self.check(fits, CheckKind::Overflow);
        Ok(())
    }

    pub(super) fn check_overflow(&mut self, op: Op, a: Expr, b: Expr) -> Result<()> {
        let width = self.program.width(a);
        if width > 64 {
            return self.check_wide_overflow(op, a, b);
        }
        let wide = width * 2;
        let (x, y) = (
            self.program.resize(a, wide, true),
            self.program.resize(b, wide, true),
        );
        // A remainder is undefined where its quotient is (C11 6.5.5p6).
        let op = if op == Op::SRem { Op::SDiv } else { op };
        if matches!(op, Op::Add | Op::Sub | Op::Mul | Op::SDiv) {
            if op == Op::SDiv && self.program.constant_value(y) == Some(0) {
                return Ok(());
            }
            let exact = self.program.binary(op, x, y);
            let low = self.program.extract(exact, 0, width);
            let back = self.program.resize(low, wide, true);
            let fits = self.program.binary(Op::Eq, exact, back);
            self.check(fits, CheckKind::Overflow);
        }
        Ok(())
    }

    /// Checks that the exact result is one of the unsigned type.
    pub(super) fn check_unsigned_overflow(&mut self, op: Op, a: Expr, b: Expr) -> Result<()> {
        let width = self.program.width(a);
        let fits = match op {
            Op::Sub => {
                let wraps = self.program.binary(Op::Ult, a, b);
                self.program.not(wraps)
            }
            Op::Add => {
                let room = self.program.not(a);
                let wraps = self.program.binary(Op::Ult, room, b);
                self.program.not(wraps)
            }
            Op::Mul if width > 64 => {
                return Err("an overflow check of a product of 128 bits".into());
            }
            Op::Mul => {
                let [x, y] = [a, b].map(|factor| self.program.resize(factor, 2 * width, false));
                let exact = self.program.binary(Op::Mul, x, y);
                let high = self.program.extract(exact, width, width);
                let zero = self.program.constant(0, width);
                self.program.binary(Op::Eq, high, zero)
            }
            _ => return Ok(()),
        };
        self.check(fits, CheckKind::UnsignedOverflow);
        Ok(())
    }

    /// Checks that the type can represent the product of `a` and 2 to the amount. A negative amount is an
    /// error: `signed_amount` is the amount before it was resized, if it may be negative.
    pub(super) fn check_left_shift(&mut self, a: Expr, amount: Expr, signed_amount: Option<Expr>) {
        let width = self.program.width(a);
        let zero = self.program.constant(0, width);
        let limit = self.program.constant(u128::from(width), width);
        let shifted = self.program.binary(Op::Shl, a, amount);
        let back = self.program.binary(Op::AShr, shifted, amount);
        let is_kept = self.program.binary(Op::Eq, back, a);
        let is_below = self.program.binary(Op::Ult, amount, limit);
        let fits = self.program.binary(Op::And, is_kept, is_below);
        let is_zero = self.program.binary(Op::Eq, a, zero);
        let mut fits = self.or(fits, is_zero);
        if let Some(signed) = signed_amount {
            let zero = self.program.constant(0, self.program.width(signed));
            let is_negative = self.program.binary(Op::Slt, signed, zero);
            fits = self.or(fits, is_negative);
        }
        self.check(fits, CheckKind::Overflow);
    }
}
