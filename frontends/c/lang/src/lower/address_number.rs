//! Addresses as numbers.
//!
//! The program is executed with one layout of memory, in which each object starts at a multiple of a large power of
//! two. C promises of an address only that it is a multiple of the alignment of its type (C11 6.2.8). Where an
//! expression takes other bits of one, its value is that of this layout alone, and is refused. Numbers of addresses
//! are followed through sums and registers; what is read from memory or comes from `void *`, which often holds plain
//! numbers, is not.

use crate::ir::Expr;
use crate::syntax::ast::BinaryOperator;
use crate::types::Type;

use super::{Lowering, Result};

/// The bits of an address of a process on x86-64; all others are 0.
const USER_BITS: u32 = 47;

impl Lowering<'_> {
    /// Notes that an expression is the number of a pointer's address.
    pub(super) fn is_address_number(&mut self, expr: Expr, pointee: &Type) {
        if pointee.is_void()
            || self.program.width(expr) < self.pointer_width()
            || self.program.constant_value(expr).is_some()
            || !self.is_own_code()
        {
            return;
        }
        let align = match pointee {
            Type::Function(_) => 1,
            _ => self.types.align(pointee, false).max(1),
        };
        let promised = align.trailing_zeros();
        self.builder.address_numbers.insert(expr, promised);
    }

    /// Notes that an expression holds the lower bits of another one, or all of them.
    pub(super) fn keeps_address_number(&mut self, number: Expr, kept: Expr) {
        if let Some(&promised) = self.builder.address_numbers.get(&number) {
            self.builder.address_numbers.insert(kept, promised);
        }
    }

    /// Notes a sum or difference of an address and another number.
    pub(super) fn is_sum_with_address(
        &mut self,
        op: &BinaryOperator,
        sum: Expr,
        (a, b): (Expr, Expr),
    ) {
        let is_sum = matches!(op, BinaryOperator::Plus | BinaryOperator::Minus);
        let promised = |expr| self.builder.address_numbers.get(&expr).copied();
        let (bits, other) = match (promised(a), promised(b)) {
            (Some(bits), None) => (bits, b),
            (None, Some(bits)) if *op == BinaryOperator::Plus => (bits, a),
            _ => return,
        };
        if !is_sum || self.program.constant_value(sum).is_some() {
            return;
        }
        let other = self
            .program
            .constant_value(other)
            .map_or(0, u128::trailing_zeros);
        self.builder.address_numbers.insert(sum, bits.min(other));
    }

    /// An error if the result of an operation depends on bits of an address of which C promises nothing.
    pub(super) fn keeps_to_promised_bits(
        &self,
        op: &BinaryOperator,
        a: Expr,
        b: Expr,
    ) -> Result<()> {
        use BinaryOperator as B;
        let promised = |expr| self.builder.address_numbers.get(&expr).copied();
        let (promised, other) = match (promised(a), promised(b)) {
            (Some(bits), None) => (bits, b),
            (None, Some(bits)) => (bits, a),
            // What two addresses are apart.
            (Some(_), Some(_)) | (None, None) => return Ok(()),
        };
        let low = (1u128 << promised) - 1;
        let known = self.program.constant_value(other);
        let user = (1u128 << USER_BITS.min(self.pointer_width())) - 1;
        let is_promised = match (op, known) {
            (B::BitwiseAnd, Some(mask)) => mask & !low == 0 || (mask | low) & user == user,
            (B::BitwiseOr | B::BitwiseXor, Some(bits)) => bits & !low == 0,
            (B::Modulo, Some(divisor)) => divisor.is_power_of_two() && divisor - 1 <= low,
            (B::ShiftRight, Some(amount)) => amount >= u128::from(USER_BITS),
            (B::Multiply | B::Divide, Some(factor)) => factor <= 1,
            (
                B::BitwiseAnd | B::Modulo | B::ShiftLeft | B::ShiftRight | B::Multiply | B::Divide,
                _,
            ) => false,
            _ => true,
        };
        if is_promised {
            return Ok(());
        }
        Err("an operation on bits of an address that depend on where the object is".into())
    }
}
