//! Whether an operation would overflow.

use crate::types::{FloatType, IntType, Type};
use craig_word::Op;

use super::super::builtin::argument;
use super::super::floating::FloatClass;
use super::super::function_model::NamedCall;
use super::super::{Lowering, Result, Value};
use super::RESERVED;

impl<'a> Lowering<'a> {
    fn truth_value(&mut self, bit: crate::ir::Expr) -> Value {
        Value {
            expr: self.program.resize(bit, 8, false),
            ty: Type::Int(IntType::BOOL),
        }
    }

    /// The class of a float whose format the name ends in: `f`, `d` or `ld`.
    pub(in crate::lower) fn classify_by_name(
        &mut self,
        call: &NamedCall<'a, '_>,
        class: FloatClass,
    ) -> Result<Option<Value>> {
        let classes = ["isnan", "isinf", "isfinite", "isnormal", "sign"];
        let name = call.name.trim_start_matches(RESERVED);
        let suffix = classes.iter().find_map(|class| name.strip_prefix(class));
        let format = match suffix {
            Some("f") => FloatType::Single,
            Some("d") => FloatType::Double,
            _ => FloatType::Extended,
        };
        match self.type_of(argument(call.arguments, 0)?)? {
            Type::Float(own) if own == format => self.classify(call, class),
            _ => Err(format!("`{}` of another type", call.name)),
        }
    }

    /// Whether the exact result of an operation differs from that in the type of the operands after the usual
    /// arithmetic conversions, also if that is unsigned.
    pub(in crate::lower) fn would_overflow(
        &mut self,
        call: &NamedCall<'a, '_>,
        op: Op,
    ) -> Result<Option<Value>> {
        let values = self.evaluate_all(call.arguments)?;
        let [a, b] = <[Value; 2]>::try_from(values)
            .map_err(|_| format!("`{}` of other than two operands", call.name))?;
        let (a, b, ty) = self.balance(a, b)?;
        let Type::Int(int) = ty else {
            return Err(format!("`{}` of operands that are no integers", call.name));
        };
        let width = int.width();
        let wide = match op {
            Op::Mul => 2 * width,
            _ => width + 1,
        };
        if wide > 128 {
            return Err(format!("`{}` of 128 bits", call.name));
        }
        let x = self.program.resize(a.expr, wide, int.signed);
        let y = self.program.resize(b.expr, wide, int.signed);
        let exact = self.program.binary(op, x, y);
        let fits = self.is_value_of(exact, int);
        let overflows = self.program.not(fits);
        Ok(Some(self.truth_value(overflows)))
    }

    /// Whether a word is that of a value of the type, extended to the word's width.
    fn is_value_of(&mut self, exact: crate::ir::Expr, int: IntType) -> crate::ir::Expr {
        let low = self.program.extract(exact, 0, int.width());
        let wide = self.program.width(exact);
        let back = self.program.resize(low, wide, int.signed);
        self.program.binary(Op::Eq, exact, back)
    }

    /// Whether a left shift loses bits of the value: the exact product with the power of two is not of the
    /// promoted type of the first operand.
    pub(in crate::lower) fn shift_would_overflow(
        &mut self,
        call: &NamedCall<'a, '_>,
    ) -> Result<Option<Value>> {
        let values = self.evaluate_all(call.arguments)?;
        let [a, b] = <[Value; 2]>::try_from(values)
            .map_err(|_| format!("`{}` of other than two operands", call.name))?;
        let (a, b) = (self.promote(a)?, self.promote(b)?);
        let (Type::Int(int), Type::Int(by)) = (&a.ty, &b.ty) else {
            return Err(format!("`{}` of operands that are no integers", call.name));
        };
        let (int, by) = (*int, *by);
        let width = int.width();
        if 2 * width > 128 {
            return Err(format!("`{}` of 128 bits", call.name));
        }
        let wide = 2 * width;
        let x = self.program.resize(a.expr, wide, int.signed);
        // All bits of the distance count, also those above the width of the shifted value.
        let distance = self.program.resize(b.expr, by.width().max(wide), by.signed);
        let limit = self
            .program
            .constant(u128::from(width), self.program.width(distance));
        let is_small = self.program.binary(Op::Ult, distance, limit);
        let near = self.program.extract(distance, 0, wide);
        let exact = self.program.binary(Op::Shl, x, near);
        let fits = self.is_value_of(exact, int);
        let zero = self.program.constant(0, width);
        let is_zero = self.program.binary(Op::Eq, a.expr, zero);
        let fits = self.program.binary(Op::And, is_small, fits);
        let fits = self.or(is_zero, fits);
        let overflows = self.program.not(fits);
        Ok(Some(self.truth_value(overflows)))
    }

    /// Whether the negated value is none of the promoted type.
    pub(in crate::lower) fn negation_would_overflow(
        &mut self,
        call: &NamedCall<'a, '_>,
    ) -> Result<Option<Value>> {
        let value = self.rvalue(argument(call.arguments, 0)?)?;
        let value = self.promote(value)?;
        let Type::Int(int) = value.ty else {
            return Err(format!("`{}` of an operand that is no integer", call.name));
        };
        let width = int.width();
        let overflows = if int.signed {
            let least = self.program.constant(1 << (width - 1), width);
            self.program.binary(Op::Eq, value.expr, least)
        } else {
            self.program.truth(value.expr)
        };
        Ok(Some(self.truth_value(overflows)))
    }
}
