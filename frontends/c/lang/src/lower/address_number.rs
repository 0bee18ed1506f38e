//! Addresses as numbers.
//!
//! The program is executed with one layout of memory, in which each object starts at a multiple of a large power of
//! two. C promises of an address only that it is a multiple of the alignment of its type (C11 6.2.8). Where an
//! expression takes other bits of one, its value is that of this layout alone, and is refused. Numbers of addresses
//! are followed through sums and registers, not through memory. Of a `void *`, which often holds a plain number, the run
//! shows whether it is an address; a read of a part of a named object that holds a pointer counts as such an
//! operation.

use craig_word::Op;

use crate::ir::{Expr, ExprNode, Instr, Terminator};
use crate::syntax::ast::BinaryOperator;
use crate::types::Type;

use super::builder::AddressNumber;
use super::{Lowering, Result};

/// Why an operation on the number of an address is refused.
const UNKNOWN_BITS: &str = "an operation on bits of an address that depend on where the object is";

/// The bits of an address of a process on x86-64; all others are 0.
const USER_BITS: u32 = 47;

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
        let is_certain = !pointee.is_void();
        let number = AddressNumber {
            promised,
            is_certain,
        };
        self.builder.address_numbers.insert(expr, number);
    }

    /// A conversion to fewer bits than an address has.
    pub(super) fn narrows_address(
        &mut self,
        number: Expr,
        pointee: Option<&Type>,
        to: u32,
    ) -> Result<()> {
        if to >= USER_BITS.min(self.pointer_width()) || !self.is_own_code() {
            return Ok(());
        }
        if let Some(pointee) = pointee {
            self.is_address_number(number, pointee);
        }
        match self.builder.address_numbers.get(&number) {
            Some(known) if self.program.constant_value(number).is_none() => {
                self.is_no_address(number, known.is_certain)
            }
            _ => Ok(()),
        }
    }

    /// A read of a part of a pointer: its bytes depend on where the object is that it points to.
    pub(super) fn reads_part(&mut self, address: Expr, bytes: u32) -> Result<()> {
        let whole = u64::from(self.pointer_width() / 8);
        if u64::from(bytes) >= whole || !self.is_own_code() {
            return Ok(());
        }
        let (base, offset) = match self.program.node(address) {
            ExprNode::Binary(Op::Add, base, offset) | ExprNode::Moved(base, offset) => {
                match self.program.constant_value(offset) {
                    Some(offset) => (base, offset as u64),
                    None => return Ok(()),
                }
            }
            _ => (address, 0),
        };
        let ty = match self.program.node(base) {
            ExprNode::Static(id) => self.program.statics[id as usize].ty.clone(),
            ExprNode::Slot(slot) => self.builder.function.slots[slot as usize].ty.clone(),
            _ => None,
        };
        let Some(start) = ty.and_then(|ty| self.pointer_around(&ty, offset)) else {
            return Ok(());
        };
        let reg = self.fresh(self.pointer_width());
        let address = self.offset(base, start);
        self.emit(Instr::Load {
            reg,
            address,
            bytes: whole as u32,
        });
        let pointer = self.read(reg);
        self.is_no_address(pointer, false)
    }

    /// The offset of a pointer in an object of the type that has a byte at an offset.
    fn pointer_around(&self, ty: &Type, offset: u64) -> Option<u64> {
        match ty {
            Type::Pointer(_) => Some(0),
            Type::Array(element, _) => {
                let size = self.types.size(element).filter(|&size| size > 0)?;
                let start = self.pointer_around(element, offset % size)?;
                Some(offset / size * size + start)
            }
            Type::Record(id) => {
                let fields = self.types.records[*id].fields.iter();
                let mut around = fields.filter(|field| {
                    let size = self.types.size(&field.ty).unwrap_or(0);
                    field.bits.is_none() && field.offset <= offset && offset - field.offset < size
                });
                around.find_map(|field| {
                    let start = self.pointer_around(&field.ty, offset - field.offset)?;
                    Some(field.offset + start)
                })
            }
            _ => None,
        }
    }

    /// Refuses a number that is the address of an object; one that may be a plain number, where it is none.
    fn is_no_address(&mut self, number: Expr, is_certain: bool) -> Result<()> {
        if is_certain {
            return Err(UNKNOWN_BITS.into());
        }
        if self.is_without_code {
            return Ok(());
        }
        let reg = self.fresh(self.pointer_width());
        self.emit(Instr::SizeOf {
            reg,
            address: number,
        });
        let size = self.read(reg);
        let condition = self.program.truth(size);
        let (refused, next) = (self.builder.block(), self.builder.block());
        self.branch(condition, refused, next, refused);
        self.terminate_into(Terminator::Stuck(UNKNOWN_BITS.into()), next);
        Ok(())
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
        let (number, other) = match (known(a), known(b)) {
            (Some(number), None) => (number, b),
            (None, Some(number)) if *op == BinaryOperator::Plus => (number, a),
            _ => return,
        };
        if !is_sum || self.program.constant_value(sum).is_some() {
            return;
        }
        let other = self
            .program
            .constant_value(other)
            .map_or(0, u128::trailing_zeros);
        let number = AddressNumber {
            promised: number.promised.min(other),
            ..number
        };
        self.builder.address_numbers.insert(sum, number);
    }

    /// `address & mask` for a mask that is not constant, and has all bits or none: the address, or null. Other masks are
    /// refused where a run has one.
    pub(super) fn masked_address(&mut self, a: Expr, b: Expr) -> Option<Expr> {
        let is_address = |expr| {
            let known = self.builder.address_numbers.get(&expr);
            known.is_some_and(|known| known.is_certain)
        };
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

    /// An error if the result of an operation depends on bits of an address of which C promises nothing.
    pub(super) fn keeps_to_promised_bits(
        &mut self,
        op: &BinaryOperator,
        a: Expr,
        b: Expr,
    ) -> Result<()> {
        use BinaryOperator as B;
        let known = |expr| self.builder.address_numbers.get(&expr).copied();
        let (number, own, other) = match (known(a), known(b)) {
            (Some(number), None) => (number, a, b),
            (None, Some(number)) => (number, b, a),
            // What two addresses are apart.
            (Some(_), Some(_)) | (None, None) => return Ok(()),
        };
        let low = (1u128 << number.promised) - 1;
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
        self.is_no_address(own, number.is_certain)
    }
}
