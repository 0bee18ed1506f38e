//! Models of integer functions: absolute values, counts and orders of bits, and arithmetic with overflow
//! results.

use crate::syntax::ast::BinaryOperator;
use craig_word::Op;

use super::builtin::argument;
use super::function_model::NamedCall;
use super::{Lowering, Place, Result, Value};
use crate::ir::{CheckKind, Choice, Expr};
use crate::types::{IntType, Type};

/// The unsigned type of `width` bits, a power of two from 8 to 64.
fn unsigned(width: u32) -> Type {
    let rank = [1, 2, 3, 5][(width / 8).ilog2() as usize];
    Type::Int(IntType::new(rank, false, (width / 8) as u8))
}

impl<'a> Lowering<'a> {
    pub(super) fn absolute(
        &mut self,
        call: &NamedCall<'a, '_>,
        ty: IntType,
    ) -> Result<Option<Value>> {
        let checks_overflow = self.options.checks.overflow && self.is_own_code();
        let argument = (call.arguments.first()).ok_or("a call without its argument")?;
        let value = self.rvalue(argument)?;
        let value = self.convert(value, &Type::Int(ty))?;
        let zero = self.program.constant(0, ty.width());
        let negative = self.program.binary(Op::Slt, value.expr, zero);
        let negated = self.program.binary(Op::Sub, zero, value.expr);
        if checks_overflow {
            let least = self.program.constant(1 << (ty.width() - 1), ty.width());
            let is_least = self.program.binary(Op::Eq, value.expr, least);
            let has_opposite = self.program.not(is_least);
            self.check(has_opposite, CheckKind::Overflow);
        }
        let expr = self.program.ite(negative, negated, value.expr);
        let ty = value.ty;
        Ok(Some(Value { expr, ty }))
    }

    /// Quotient and remainder of the library (C11 7.22.6.2), whose division is checked as the operator is.
    pub(super) fn division(
        &mut self,
        call: &NamedCall<'a, '_>,
        ty: IntType,
    ) -> Result<Option<Value>> {
        let mut operands = Vec::new();
        for value in self.evaluate_all(call.arguments)? {
            operands.push(self.convert(value, &Type::Int(ty))?);
        }
        let [a, b] = &operands[..] else {
            return Err(format!("a call of `{}` without its operands", call.name));
        };
        let (a, b) = (a.clone(), b.clone());
        self.arithmetic(&BinaryOperator::Divide, &a, &b)?;
        let known = self.library_call_as_declared(call.name, vec![a.expr, b.expr])?;
        Ok(Some(known))
    }

    /// The only argument, converted to `width` bits.
    fn word_argument(&mut self, call: &NamedCall<'a, '_>, width: u32) -> Result<Expr> {
        let value = self.rvalue(argument(call.arguments, 0)?)?;
        self.uses_all_bits(value.expr);
        self.resized(&value, width)
    }

    /// The parts of a word, each of `size` bits, in the opposite order.
    fn reverse_parts(
        &mut self,
        call: &NamedCall<'a, '_>,
        width: u32,
        size: u32,
    ) -> Result<Option<Value>> {
        let value = self.word_argument(call, width)?;
        let mut sum = self.program.constant(0, width);
        for at in (0..width).step_by(size as usize) {
            let part = self.program.extract(value, at, size);
            let part = self.program.resize(part, width, false);
            let amount = (self.program).constant(u128::from(width - size - at), width);
            let part = self.program.binary(Op::Shl, part, amount);
            sum = self.program.binary(Op::Xor, sum, part);
        }
        let ty = unsigned(width);
        Ok(Some(Value { expr: sum, ty }))
    }

    pub(super) fn reverse_bits(
        &mut self,
        call: &NamedCall<'a, '_>,
        width: u32,
    ) -> Result<Option<Value>> {
        self.reverse_parts(call, width, 1)
    }

    pub(super) fn reverse_bytes(
        &mut self,
        call: &NamedCall<'a, '_>,
        width: u32,
    ) -> Result<Option<Value>> {
        self.reverse_parts(call, width, 8)
    }

    /// The number of ones in the argument, 32 bits.
    fn ones(&mut self, call: &NamedCall<'a, '_>, width: u32) -> Result<Expr> {
        let value = self.word_argument(call, width)?;
        let mut sum = self.program.constant(0, 32);
        for index in 0..width {
            let bit = self.program.extract(value, index, 1);
            let bit = self.program.resize(bit, 32, false);
            sum = self.program.binary(Op::Add, sum, bit);
        }
        Ok(sum)
    }

    pub(super) fn count_ones(
        &mut self,
        call: &NamedCall<'a, '_>,
        width: u32,
    ) -> Result<Option<Value>> {
        let (expr, ty) = (self.ones(call, width)?, Type::INT);
        Ok(Some(Value { expr, ty }))
    }

    pub(super) fn parity(&mut self, call: &NamedCall<'a, '_>, width: u32) -> Result<Option<Value>> {
        let sum = self.ones(call, width)?;
        let one = self.program.constant(1, 32);
        let (expr, ty) = (self.program.binary(Op::And, sum, one), Type::INT);
        Ok(Some(Value { expr, ty }))
    }

    /// `base` plus the position of the first one, counted from the top or from the bottom; `none` for 0.
    fn first_one_from(
        &mut self,
        value: Expr,
        is_from_top: bool,
        base: u32,
        none: Expr,
    ) -> Option<Value> {
        let width = self.program.width(value);
        let mut found = none;
        for step in (0..width).rev() {
            let index = if is_from_top { width - 1 - step } else { step };
            let bit = self.program.extract(value, index, 1);
            let position = self.program.constant(u128::from(step + base), 32);
            found = self.program.ite(bit, position, found);
        }
        let (expr, ty) = (found, Type::INT);
        Some(Value { expr, ty })
    }

    /// The bit count for a word that may be 0, for which gcc's result is undefined.
    fn count_of_no_ones(&mut self, value: Expr) -> Result<Expr> {
        let known = self.program.constant_value(value);
        if known.is_some_and(|value| value != 0) {
            return Ok(self.program.constant(0, 32));
        }
        let kind = Choice::Open("a count in a word of zeros".into());
        Ok(self.choose(&Type::INT, kind)?.expr)
    }

    /// The number of zeros above the highest one (`is_from_top`) or below the lowest one.
    pub(super) fn count_zeros(
        &mut self,
        call: &NamedCall<'a, '_>,
        width: u32,
        is_from_top: bool,
    ) -> Result<Option<Value>> {
        let value = self.word_argument(call, width)?;
        let none = self.count_of_no_ones(value)?;
        Ok(self.first_one_from(value, is_from_top, 0, none))
    }

    /// The position of the lowest one, counted from 1; 0 if there is none.
    pub(super) fn first_one(
        &mut self,
        call: &NamedCall<'a, '_>,
        width: u32,
    ) -> Result<Option<Value>> {
        let value = self.word_argument(call, width)?;
        let none = self.program.constant(0, 32);
        Ok(self.first_one_from(value, false, 1, none))
    }

    /// Stores the wrapped result through the third argument; the value is whether the exact one differs. With
    /// `is_typed`, the operands are converted to the result's type first.
    pub(super) fn overflowing(
        &mut self,
        call: &NamedCall<'a, '_>,
        op: Op,
        is_typed: bool,
    ) -> Result<Option<Value>> {
        let values = self.evaluate_all(call.arguments)?;
        let [mut a, mut b, target] =
            <[Value; 3]>::try_from(values).map_err(|_| "an overflow check".to_string())?;
        let Type::Pointer(to) = &target.ty else {
            return Err("an overflow check".into());
        };
        let to = (**to).clone();
        let Type::Int(result) = to else {
            return Err("an overflow check".into());
        };
        if is_typed {
            a = self.convert(a, &to)?;
            b = self.convert(b, &to)?;
        }
        let (low, overflows) = self.exact_and_wrapped(op, (&a, &b), result)?;
        self.store(Place::Memory(target.expr), &Type::Int(result), low)?;
        Ok(Some(overflows))
    }

    /// Whether the exact result is none of the type of the third argument, which is not evaluated.
    pub(super) fn overflows_type(
        &mut self,
        call: &NamedCall<'a, '_>,
        op: Op,
    ) -> Result<Option<Value>> {
        let [a, b, result] = call.arguments else {
            return Err("an overflow check".into());
        };
        let (a, b) = (self.rvalue(a)?, self.rvalue(b)?);
        // A bit-field's own width counts.
        let Type::Int(result) = self.without_code(|lowering| lowering.rvalue(result))?.ty else {
            return Err("an overflow check".into());
        };
        let (_, overflows) = self.exact_and_wrapped(op, (&a, &b), result)?;
        Ok(Some(overflows))
    }

    /// The result of an operation, wrapped to a type, and whether the exact one is another.
    fn exact_and_wrapped(
        &mut self,
        op: Op,
        (a, b): (&Value, &Value),
        result: IntType,
    ) -> Result<(Expr, Value)> {
        if values_are_wide(a, b) || result.size > 8 {
            return Err("an overflow check of 128 bits".into());
        }
        // Exact in 128 bits: a sign and 64 bits each, or 130 for products of two unsigned ones.
        let (x, y) = (self.resized(a, 128)?, self.resized(b, 128)?);
        let exact = self.program.binary(op, x, y);
        let low = self.program.extract(exact, 0, result.width());
        let back = self.program.resize(low, 128, result.signed);
        let fits = self.program.binary(Op::Eq, exact, back);
        let overflows = self.program.not(fits);
        let expr = self.program.resize(overflows, 8, false);
        let ty = Type::Int(IntType::BOOL);
        Ok((low, Value { expr, ty }))
    }
}

/// Whether one of the integers has more than 64 bits.
fn values_are_wide(a: &Value, b: &Value) -> bool {
    [a, b]
        .iter()
        .any(|value| matches!(value.ty, Type::Int(int) if int.size > 8))
}
