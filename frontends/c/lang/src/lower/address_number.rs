//! Addresses as numbers.
//!
//! The program is executed with one layout of memory, in which each object starts at a multiple of a large power of
//! two. C promises of an address only that it is a multiple of the alignment of its type (C11 6.2.8). Where an
//! operation depends on other bits of a word that is an address, the execution ends as unsupported
//! ([`Instr::UsesBits`]); what the types of pointers promise is followed through sums and registers.

use craig_word::Op;

use crate::address_space::USER_BITS;
use crate::ir::{Expr, ExprNode, Instr, Terminator, UNKNOWN_BITS, UsedBits};
use crate::syntax::ast::BinaryOperator;
use crate::types::{DataModel, Type};

use super::Lowering;

impl Lowering<'_> {
    /// Notes that an expression is the number of a pointer's address.
    pub(super) fn is_address_number(&mut self, expr: Expr, pointee: &Type) {
        if self.program.width(expr) < self.pointer_width()
            || self.program.constant_value(expr).is_some()
            || !self.is_own_code()
        {
            return;
        }
        let align = match pointee {
            Type::Function(_) | Type::Void => 1,
            _ => self.types.align(pointee, false).max(1),
        };
        let promised = align.trailing_zeros();
        self.builder.address_numbers.insert(expr, promised);
    }

    /// A conversion to fewer bits than an address has.
    pub(super) fn narrows_address(&mut self, number: Expr, to: u32) {
        if to < USER_BITS.min(self.pointer_width()) && self.may_be_address(number, 0) {
            self.uses_bits(number, UsedBits::All);
        }
    }

    fn uses_bits(&mut self, word: Expr, bits: UsedBits) {
        let known = self.builder.address_numbers.get(&word);
        let promised = known.copied().unwrap_or(0);
        self.emit(Instr::UsesBits {
            word,
            promised,
            bits,
        });
    }

    /// Whether a word of the program's own code may be an address, as far as its form says. On i386, where every
    /// `int` has the width of an address, only those that come from a pointer in the function.
    fn may_be_address(&self, word: Expr, depth: u32) -> bool {
        if self.program.width(word) != self.pointer_width()
            || self.is_without_code
            || !self.is_own_code()
        {
            return false;
        }
        if self.builder.address_numbers.contains_key(&word) {
            return self.program.constant_value(word).is_none();
        }
        if self.options.model == DataModel::Ilp32 {
            return false;
        }
        match self.program.node(word) {
            ExprNode::Reg(_) | ExprNode::Static(_) | ExprNode::Slot(_) | ExprNode::Function(_) => {
                true
            }
            ExprNode::Moved(..) => true,
            ExprNode::Binary(Op::Add | Op::Sub | Op::And | Op::Xor, a, b)
            | ExprNode::Ite(_, a, b) => {
                depth > 8 || self.may_be_address(a, depth + 1) || self.may_be_address(b, depth + 1)
            }
            ExprNode::Not(a) => self.may_be_address(a, depth + 1),
            _ => false,
        }
    }

    /// Notes that an expression holds the lower bits of another one, or all of them.
    pub(super) fn keeps_address_number(&mut self, number: Expr, kept: Expr) {
        if let Some(&known) = self.builder.address_numbers.get(&number) {
            self.builder.address_numbers.insert(kept, known);
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
        let known = |expr| self.builder.address_numbers.get(&expr).copied();
        let (promised, other) = match (known(a), known(b)) {
            (Some(promised), None) => (promised, b),
            (None, Some(promised)) if *op == BinaryOperator::Plus => (promised, a),
            _ => return,
        };
        if !is_sum || self.program.constant_value(sum).is_some() {
            return;
        }
        let other = self
            .program
            .constant_value(other)
            .map_or(0, u128::trailing_zeros);
        let promised = promised.min(other);
        self.builder.address_numbers.insert(sum, promised);
    }

    /// `address & mask` for a mask that is not constant, and has all bits or none: the address, or null. Other masks are
    /// refused where a run has one.
    pub(super) fn masked_address(&mut self, a: Expr, b: Expr) -> Option<Expr> {
        let is_address = |expr| self.builder.address_numbers.contains_key(&expr);
        let (number, mask) = match (is_address(a), is_address(b)) {
            (true, false) => (a, b),
            (false, true) => (b, a),
            _ => return None,
        };
        if self.program.constant_value(mask).is_some() || self.is_without_code {
            return None;
        }
        let width = self.program.width(mask);
        let (none, all) = (
            self.program.constant(0, width),
            self.program
                .constant(u128::MAX >> (u128::BITS - width), width),
        );
        let is_none = self.program.binary(Op::Eq, mask, none);
        let is_all = self.program.binary(Op::Eq, mask, all);
        let is_either = self.or(is_none, is_all);
        let (refused, next) = (self.builder.block(), self.builder.block());
        self.branch(is_either, next, refused, refused);
        self.terminate_into(Terminator::Stuck(UNKNOWN_BITS.into()), next);
        let masked = self.program.ite(is_all, number, none);
        self.keeps_address_number(number, masked);
        Some(masked)
    }

    /// Notes that a comparison depends on how two words are ordered, where both may be addresses.
    pub(super) fn orders_numbers(&mut self, op: &BinaryOperator, a: Expr, b: Expr) {
        use BinaryOperator as B;
        let is_order = matches!(
            op,
            B::Less | B::Greater | B::LessOrEqual | B::GreaterOrEqual
        );
        if is_order && self.may_be_address(a, 0) && self.may_be_address(b, 0) {
            self.uses_bits(a, UsedBits::Distance(b));
        }
    }

    /// Notes which bits of its operands the result of an operation depends on, where they may be addresses.
    pub(super) fn keeps_to_promised_bits(&mut self, op: &BinaryOperator, a: Expr, b: Expr) {
        use BinaryOperator as B;
        if *op == B::Minus && self.may_be_address(a, 0) && self.may_be_address(b, 0) {
            self.uses_bits(a, UsedBits::Distance(b));
            return;
        }
        for (own, other, is_first) in [(a, b, true), (b, a, false)] {
            let known = self.program.constant_value(other);
            let bits = match (op, known) {
                (B::BitwiseAnd, _) => UsedBits::Masked(other),
                (B::BitwiseOr | B::BitwiseXor, _) => UsedBits::Combined(other),
                (B::ShiftRight, Some(amount)) if amount >= u128::from(USER_BITS) => continue,
                (B::ShiftLeft | B::ShiftRight, _) if !is_first => continue,
                (B::Multiply | B::Divide, Some(factor)) if factor <= 1 => continue,
                (B::Modulo, Some(divisor)) if divisor.is_power_of_two() && is_first => {
                    let mask = (self.program).constant(divisor - 1, self.program.width(own));
                    UsedBits::Masked(mask)
                }
                (B::Modulo | B::ShiftLeft | B::ShiftRight | B::Multiply | B::Divide, _) => {
                    UsedBits::All
                }
                _ => continue,
            };
            if self.may_be_address(own, 0) {
                self.uses_bits(own, bits);
            }
        }
    }
}
