//! Models of the functions of `<math.h>` that correspond to float operations, of the classification macros,
//! and of comparisons that raise no exception.

use craig_word::Op;

use super::builtin::argument;
use super::function_model::NamedCall;
use super::{Lowering, Result, Value};
use crate::float::{Rounding, from_double};
use crate::host_function::HostFunction;
use crate::ir::{Expr, FloatOp, Instr};
use crate::syntax::ast::*;
use crate::syntax::span::Node;
use crate::types::{FloatType, IntType, Type};

/// A class of floats.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum FloatClass {
    NotANumber,
    Infinite,
    /// As in glibc and gcc: 1, or -1 for negative infinity.
    InfiniteWithSign,
    Finite,
    Normal,
    Negative,
}

/// A comparison of floats.
#[derive(Clone, Copy)]
pub(super) enum FloatComparison {
    By(BinaryOperator),
    LessOrGreater,
    Unordered,
}

impl<'a> Lowering<'a> {
    pub(super) fn absolute_float(&mut self, call: &NamedCall<'a, '_>) -> Result<Option<Value>> {
        let value = self.float_argument(call.arguments, 0, call.format)?;
        let (_, magnitude) = self.sign_masks(call.format);
        let expr = self.program.binary(Op::And, value.expr, magnitude);
        Ok(Some(Value { expr, ..value }))
    }

    pub(super) fn copy_sign(&mut self, call: &NamedCall<'a, '_>) -> Result<Option<Value>> {
        let value = self.float_argument(call.arguments, 0, call.format)?;
        let (sign, magnitude) = self.sign_masks(call.format);
        let other = self.float_argument(call.arguments, 1, call.format)?;
        let width = self.program.width(other.expr);
        let (_, infinity, _) = landmarks(call.format)?;
        let infinity = self.program.constant(infinity, width);
        let other_size = self.program.binary(Op::And, other.expr, magnitude);
        let is_nan = self.program.binary(Op::Ult, infinity, other_size);
        let zero = self.program.constant(0, width);
        let negative = self.program.binary(Op::Slt, other.expr, zero);
        let negative = self.open_if_nan(is_nan, negative);
        let bit = self.program.ite(negative, sign, zero);
        let rest = self.program.binary(Op::And, value.expr, magnitude);
        let expr = self.program.binary(Op::Xor, rest, bit);
        Ok(Some(Value { expr, ..value }))
    }

    pub(super) fn square_root(&mut self, call: &NamedCall<'a, '_>) -> Result<Option<Value>> {
        let value = self.float_argument(call.arguments, 0, call.format)?;
        let width = self.program.width(value.expr);
        let operands = (value.expr, value.expr);
        let expr = self.float(FloatOp::Sqrt, call.format, operands.0, operands.1, width)?;
        Ok(Some(Value { expr, ..value }))
    }

    /// The argument rounded to an integral value; `None` means the current rounding mode.
    pub(super) fn rounded(
        &mut self,
        call: &NamedCall<'a, '_>,
        mode: Option<Rounding>,
    ) -> Result<Option<Value>> {
        let value = self.float_argument(call.arguments, 0, call.format)?;
        let expr = self.integral(&value, mode)?.expr;
        Ok(Some(Value { expr, ..value }))
    }

    pub(super) fn rounded_to_long(
        &mut self,
        call: &NamedCall<'a, '_>,
        mode: Option<Rounding>,
    ) -> Result<Option<Value>> {
        self.rounded_to(call, mode, IntType::long(self.options.model, true))
    }

    pub(super) fn rounded_to_long_long(
        &mut self,
        call: &NamedCall<'a, '_>,
        mode: Option<Rounding>,
    ) -> Result<Option<Value>> {
        self.rounded_to(call, mode, IntType::new(5, true, 8))
    }

    fn rounded_to(
        &mut self,
        call: &NamedCall<'a, '_>,
        mode: Option<Rounding>,
        int: IntType,
    ) -> Result<Option<Value>> {
        let value = self.float_argument(call.arguments, 0, call.format)?;
        let rounded = self.integral(&value, mode)?;
        self.cast(rounded, &Type::Int(int)).map(Some)
    }

    /// Infinity, of a function without arguments.
    pub(super) fn infinity(&mut self, call: &NamedCall<'a, '_>) -> Result<Option<Value>> {
        if !call.arguments.is_empty() {
            return Ok(None);
        }
        Ok(Some(self.float_constant(call.format, f64::INFINITY)))
    }

    /// NaN; its payload, the argument, is not represented.
    pub(super) fn not_a_number(&mut self, call: &NamedCall<'a, '_>) -> Result<Option<Value>> {
        if call.arguments.is_empty() {
            return Ok(None);
        }
        Ok(Some(self.float_constant(call.format, f64::NAN)))
    }

    fn float_constant(&mut self, format: FloatType, value: f64) -> Value {
        let ty = Type::Float(format);
        let width = self.scalar_width(&ty).unwrap_or(64);
        let expr = self.program.constant(from_double(format, value), width);
        Value { expr, ty }
    }

    /// The sign bit of a format, and all other bits.
    fn sign_masks(&mut self, format: FloatType) -> (Expr, Expr) {
        let width = self.scalar_width(&Type::Float(format)).unwrap_or(64);
        let sign = self.program.constant(1 << (width - 1), width);
        (sign, self.program.not(sign))
    }

    fn float_argument(
        &mut self,
        arguments: &'a [Node<Expression>],
        index: usize,
        format: FloatType,
    ) -> Result<Value> {
        if index == 0 {
            self.refuse_conflict(arguments)?;
        }
        let value = self.rvalue(argument(arguments, index)?)?;
        self.convert(value, &Type::Float(format))
    }

    /// Whether a float is in a class; `None` if the argument is not a float.
    pub(super) fn classify(
        &mut self,
        call: &NamedCall<'a, '_>,
        class: FloatClass,
    ) -> Result<Option<Value>> {
        let argument = (call.arguments.first()).ok_or("a call without its argument")?;
        let value = self.rvalue(argument)?;
        let Type::Float(format) = value.ty else {
            return Ok(None);
        };
        let expr = value.expr;
        let (width, infinity, smallest) = landmarks(format)?;
        let keep = self.program.constant((1 << (width - 1)) - 1, width);
        let magnitude = self.program.binary(Op::And, expr, keep);
        let infinity = self.program.constant(infinity, width);
        let zero = self.program.constant(0, width);
        let bit = match class {
            FloatClass::Negative => {
                let is_nan = self.program.binary(Op::Ult, infinity, magnitude);
                let negative = self.program.binary(Op::Slt, expr, zero);
                self.open_if_nan(is_nan, negative)
            }
            FloatClass::NotANumber => self.program.binary(Op::Ult, infinity, magnitude),
            FloatClass::Finite => self.program.binary(Op::Ult, magnitude, infinity),
            FloatClass::Normal => {
                let smallest = self.program.constant(smallest, width);
                let tiny = self.program.binary(Op::Ult, magnitude, smallest);
                let finite = self.program.binary(Op::Ult, magnitude, infinity);
                let not_tiny = self.program.not(tiny);
                self.program.binary(Op::And, finite, not_tiny)
            }
            FloatClass::Infinite => self.program.binary(Op::Eq, magnitude, infinity),
            FloatClass::InfiniteWithSign => {
                let infinite = self.program.binary(Op::Eq, magnitude, infinity);
                let negative = self.program.binary(Op::Slt, expr, zero);
                let (plus, minus, none) = (
                    self.program.constant(1, 32),
                    self.program.constant(u128::MAX, 32),
                    self.program.constant(0, 32),
                );
                let sign = self.program.ite(negative, minus, plus);
                let (expr, ty) = (self.program.ite(infinite, sign, none), Type::INT);
                return Ok(Some(Value { expr, ty }));
            }
        };
        Ok(Some(self.int_of_bit(bit)))
    }

    /// The sign of a float: of a NaN, it is not represented.
    pub(super) fn open_if_nan(&mut self, is_nan: Expr, negative: Expr) -> Expr {
        if self.program.constant_value(is_nan) == Some(0)
            || self.is_without_code
            || !self.is_own_code()
        {
            return negative;
        }
        let reg = self.fresh(1);
        self.emit(Instr::Host {
            reg,
            function: HostFunction::SignOfNan,
            format: FloatType::Double,
            arguments: vec![negative],
        });
        let open = self.read(reg);
        self.program.ite(is_nan, open, negative)
    }

    /// The macro `fpclassify` of gcc: the first five arguments are the numbers of the classes.
    pub(super) fn kind_among_arguments(
        &mut self,
        call: &NamedCall<'a, '_>,
    ) -> Result<Option<Value>> {
        if call.arguments.len() != 6 {
            return Ok(None);
        }
        let mut values = self.evaluate_all(call.arguments)?;
        let Some(value) = values.pop() else {
            return Ok(None);
        };
        let mut kinds = Vec::new();
        for kind in &values {
            kinds.push(self.resized(kind, 32)?);
        }
        let kinds =
            <[Expr; 5]>::try_from(kinds).map_err(|_| "a call without its arguments".to_string())?;
        self.kind_of_float(kinds, &value).map(Some)
    }

    /// The function behind glibc's macro `fpclassify`, with glibc's numbers of the classes.
    pub(super) fn kind_for_glibc(&mut self, call: &NamedCall<'a, '_>) -> Result<Option<Value>> {
        let value = self.rvalue(argument(call.arguments, 0)?)?;
        let kinds = [0, 1, 4, 3, 2].map(|kind| self.program.constant(kind, 32));
        self.kind_of_float(kinds, &value).map(Some)
    }

    pub(super) fn compare_floats(
        &mut self,
        call: &NamedCall<'a, '_>,
        comparison: FloatComparison,
    ) -> Result<Option<Value>> {
        let values = self.evaluate_all(call.arguments)?;
        let [a, b] =
            <[Value; 2]>::try_from(values).map_err(|_| "a comparison of floats".to_string())?;
        let bit = match comparison {
            FloatComparison::By(op) => self.compare(&op, a, b)?,
            FloatComparison::LessOrGreater => {
                let less = self.compare(&BinaryOperator::Less, a.clone(), b.clone())?;
                let greater = self.compare(&BinaryOperator::Greater, a, b)?;
                self.or(less, greater)
            }
            FloatComparison::Unordered => {
                let x = self.compare(&BinaryOperator::NotEquals, a.clone(), a)?;
                let y = self.compare(&BinaryOperator::NotEquals, b.clone(), b)?;
                self.or(x, y)
            }
        };
        Ok(Some(self.int_of_bit(bit)))
    }

    /// Which of five values is that of a float's class: NaN, infinite, normal, subnormal, zero.
    fn kind_of_float(&mut self, kinds: [Expr; 5], value: &Value) -> Result<Value> {
        let Type::Float(format) = value.ty else {
            return Err("the class of an operand that is not a float".into());
        };
        let (width, infinity, smallest) = landmarks(format)?;
        let keep = self.program.constant((1 << (width - 1)) - 1, width);
        let magnitude = self.program.binary(Op::And, value.expr, keep);
        let infinity = self.program.constant(infinity, width);
        let smallest = self.program.constant(smallest, width);
        let zero = self.program.constant(0, width);
        let is_nan = self.program.binary(Op::Ult, infinity, magnitude);
        let is_infinite = self.program.binary(Op::Eq, infinity, magnitude);
        let is_zero = self.program.binary(Op::Eq, magnitude, zero);
        let is_tiny = self.program.binary(Op::Ult, magnitude, smallest);
        let [nan, infinite, normal, subnormal, zero] = kinds;
        let mut expr = self.program.ite(is_tiny, subnormal, normal);
        for (is, kind) in [(is_zero, zero), (is_infinite, infinite), (is_nan, nan)] {
            expr = self.program.ite(is, kind, expr);
        }
        Ok(Value {
            expr,
            ty: Type::INT,
        })
    }
}

/// A format's width, the bits of infinity, and those of the smallest normal number.
pub(super) fn landmarks(format: FloatType) -> Result<(u32, u128, u128)> {
    Ok(match format {
        FloatType::Single => (32, 0x7f80_0000, 0x0080_0000),
        FloatType::Double => (64, 0x7ff0_0000_0000_0000, 0x0010_0000_0000_0000),
        FloatType::Extended => (80, 0x7fff << 64 | 1 << 63, 1 << 64 | 1 << 63),
        FloatType::Quadruple => return Err("arithmetic on `_Float128`".into()),
    })
}
