//! Addresses as numbers.
//!
//! The program is executed with one layout of memory, in which each object starts at a multiple of a large power of
//! two. C promises of an address only that it is a multiple of the alignment of its type (C11 6.2.8). Where an
//! operation depends on other bits of a word that is an address, the execution ends as unsupported
//! ([`Instr::UsesBits`]); what the types of pointers promise is followed through sums and registers.

use craig_word::{Op, mask};

use crate::address_space::USER_BITS;
use crate::ir::{Expr, ExprNode, Instr, UsedBits};
use crate::syntax::ast::BinaryOperator;
use crate::types::Type;

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
        if to < USER_BITS.min(self.pointer_width()) {
            self.uses_all_bits(number);
        }
    }

    /// Notes that the result of an operation depends on all bits of a number that may be an address.
    pub(super) fn uses_all_bits(&mut self, number: Expr) {
        if self.may_be_address(number, 0) {
            self.uses_bits(number, UsedBits::All);
        }
    }

    fn uses_bits(&mut self, word: Expr, bits: UsedBits) {
        let width = self.pointer_width();
        let known = self.builder.address_numbers.get(&word);
        let promised = known.copied().unwrap_or(0);
        let bits = bits.map(|other| self.program.resize(other, width, false));
        let word = self.program.resize(word, width, false);
        self.emit(Instr::UsesBits {
            word,
            promised,
            bits,
        });
    }

    /// Notes that a pointer is subtracted from another one.
    pub(super) fn subtracts_pointers(&mut self, a: Expr, b: Expr) {
        if self.is_own_code() && self.may_be_address(a, 0) && self.may_be_address(b, 0) {
            self.uses_bits(b, UsedBits::Distance(a));
        }
    }

    /// Whether a word may be an address, or one with zeros above it, as far as its form says.
    pub(super) fn may_be_address(&self, word: Expr, depth: u32) -> bool {
        if self.program.width(word) < self.pointer_width()
            || self.is_without_code
            || self.program.constant_value(word).is_some()
        {
            return false;
        }
        if self.builder.address_numbers.contains_key(&word) {
            return true;
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
            ExprNode::Not(a) | ExprNode::ZExt(a) | ExprNode::SExt(a) => {
                self.may_be_address(a, depth + 1)
            }
            _ => false,
        }
    }

    /// Notes that an expression holds the lower bits of another one, or all of them.
    pub(super) fn keeps_address_number(&mut self, number: Expr, kept: Expr) {
        if let Some(&known) = self.builder.address_numbers.get(&number) {
            self.builder.address_numbers.insert(kept, known);
        }
    }

    /// Notes that a sum, a difference, or what a mask keeps, is the number of an address.
    pub(super) fn is_computed_from_address(
        &mut self,
        op: &BinaryOperator,
        result: Expr,
        (a, b): (Expr, Expr),
    ) {
        use BinaryOperator as B;
        let known = |expr| self.builder.address_numbers.get(&expr).copied();
        let (promised, other) = match (known(a), known(b)) {
            (Some(promised), None) => (promised, b),
            (None, Some(promised)) if *op != B::Minus => (promised, a),
            _ => return,
        };
        if self.program.constant_value(result).is_some() {
            return;
        }
        let constant = self.program.constant_value(other);
        let promised = match op {
            B::Plus | B::Minus => promised.min(constant.map_or(0, u128::trailing_zeros)),
            B::BitwiseAnd => promised,
            _ => return,
        };
        self.builder.address_numbers.insert(result, promised);
    }

    /// Notes that a comparison depends on how two words are ordered, of which one or both may be addresses.
    pub(super) fn orders_numbers(&mut self, op: &BinaryOperator, a: Expr, b: Expr) {
        use BinaryOperator as B;
        let is_order = matches!(
            op,
            B::Less | B::Greater | B::LessOrEqual | B::GreaterOrEqual
        );
        // The library compares addresses where it has to look which object comes first.
        if !is_order || !self.is_own_code() {
            return;
        }
        let is_constant = |expr| self.program.constant_value(expr).is_some();
        let (word, other) = if is_constant(a) { (b, a) } else { (a, b) };
        let is_other = is_constant(other) || self.may_be_address(other, 0);
        if is_other && self.may_be_address(word, 0) {
            self.uses_bits(word, UsedBits::Ordered(other));
        }
    }

    /// Notes which bits of its operands the result of an operation depends on, where they may be addresses.
    pub(super) fn keeps_to_promised_bits(&mut self, op: &BinaryOperator, a: Expr, b: Expr) {
        use BinaryOperator as B;
        match op {
            B::Minus if self.may_be_address(b, 0) => {
                self.uses_bits(b, UsedBits::Subtracted(a));
                return;
            }
            B::Plus if self.may_be_address(a, 0) && self.may_be_address(b, 0) => {
                self.uses_bits(a, UsedBits::Added(b));
                return;
            }
            _ => {}
        }
        let user_bits = USER_BITS.min(self.pointer_width());
        for (own, other, is_first) in [(a, b, true), (b, a, false)] {
            let known = self.program.constant_value(other);
            let bits = match (op, known) {
                (B::BitwiseAnd, _) => UsedBits::Masked(other),
                (B::BitwiseOr | B::BitwiseXor, _) => UsedBits::Combined(other),
                // Those above are 0, but of functions here.
                (B::ShiftRight, Some(amount)) if amount >= u128::from(user_bits) && is_first => {
                    let width = self.program.width(own);
                    let rest = (u128::MAX.checked_shl(amount as u32)).unwrap_or(0);
                    UsedBits::Masked(self.program.constant(rest & mask(width), width))
                }
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
