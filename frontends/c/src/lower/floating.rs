//! Functions of `<math.h>` that the arithmetic of floats has, and the macros that tell kinds of floats apart.

use lang_c::ast::*;
use lang_c::span::Node;

use crate::float::{Rounding, from_double};
use crate::ir::{Expr, FloatOp};
use crate::types::{FloatType, IntType, Type};
use craig_word::Op;

use super::{Lowering, Result, Value};

/// A function's name without the suffix that names its format, for those known here.
fn family(name: &str) -> Option<(&str, FloatType)> {
    let is_known = |name: &str| {
        matches!(
            name,
            "fabs"
                | "sqrt"
                | "floor"
                | "ceil"
                | "trunc"
                | "round"
                | "roundeven"
                | "rint"
                | "nearbyint"
                | "lrint"
                | "llrint"
                | "lround"
                | "llround"
                | "copysign"
                | "inf"
                | "huge_val"
                | "nan"
        )
    };
    if is_known(name) {
        return Some((name, FloatType::Double));
    }
    let (format, base) = match (name.strip_suffix('f'), name.strip_suffix('l')) {
        (Some(base), _) => (FloatType::Single, base),
        (_, Some(base)) => (FloatType::Extended, base),
        _ => return None,
    };
    is_known(base).then_some((base, format))
}

impl<'a> Lowering<'a> {
    /// A call of a function that computes with floats, by its name without `__builtin_`.
    pub(super) fn float_function(
        &mut self,
        plain: &str,
        arguments: &'a [Node<Expression>],
    ) -> Result<Option<Value>> {
        let Some((base, format)) = family(plain) else {
            return Ok(None);
        };
        let ty = Type::Float(format);
        let width = self.scalar_width(&ty).unwrap_or(64);
        if matches!(base, "inf" | "huge_val" | "nan") {
            if base == "nan" && arguments.is_empty() || base != "nan" && !arguments.is_empty() {
                return Ok(None);
            }
            let value = if base == "nan" {
                f64::NAN
            } else {
                f64::INFINITY
            };
            let expr = self.program.constant(from_double(format, value), width);
            return Ok(Some(Value { expr, ty }));
        }
        let value = self.float_argument(arguments, 0, format)?;
        let sign = self.program.constant(1 << (width - 1), width);
        let magnitude = self.program.not(sign);
        let nearest_away = Some(Rounding::NearestAway);
        let expr = match base {
            "fabs" => self.program.binary(Op::And, value.expr, magnitude),
            "copysign" => {
                let other = self.float_argument(arguments, 1, format)?;
                let bit = self.program.binary(Op::And, other.expr, sign);
                let rest = self.program.binary(Op::And, value.expr, magnitude);
                self.program.binary(Op::Xor, rest, bit)
            }
            "sqrt" => self.float(FloatOp::Sqrt, format, value.expr, value.expr, width)?,
            "floor" => self.integral(&value, Some(Rounding::Down))?.expr,
            "ceil" => self.integral(&value, Some(Rounding::Up))?.expr,
            "trunc" => self.integral(&value, Some(Rounding::Zero))?.expr,
            "round" => self.integral(&value, nearest_away)?.expr,
            "roundeven" => self.integral(&value, Some(Rounding::NearestEven))?.expr,
            "rint" | "nearbyint" => self.integral(&value, None)?.expr,
            _ => {
                let mode = nearest_away.filter(|_| base.ends_with("round"));
                let rounded = self.integral(&value, mode)?;
                let int = if base.starts_with("ll") {
                    IntType::new(5, true, 8)
                } else {
                    IntType::long(self.options.model, true)
                };
                return self.cast(rounded, &Type::Int(int)).map(Some);
            }
        };
        Ok(Some(Value { expr, ty }))
    }

    fn float_argument(
        &mut self,
        arguments: &'a [Node<Expression>],
        index: usize,
        format: FloatType,
    ) -> Result<Value> {
        let argument = arguments
            .get(index)
            .ok_or_else(|| format!("a call without its argument {}", index + 1))?;
        let value = self.rvalue(argument)?;
        self.convert(value, &Type::Float(format))
    }

    /// What kind of number a float is: a truth value, or for infinities glibc's sign.
    pub(super) fn classify(&mut self, name: &str, format: FloatType, expr: Expr) -> Result<Value> {
        let (width, infinity, smallest) = landmarks(format)?;
        let keep = self.program.constant((1 << (width - 1)) - 1, width);
        let magnitude = self.program.binary(Op::And, expr, keep);
        let infinity = self.program.constant(infinity, width);
        let zero = self.program.constant(0, width);
        let bit = match name.trim_matches('_') {
            "signbit" | "signbitf" | "signbitl" => self.program.binary(Op::Slt, expr, zero),
            "isnan" | "isnanf" | "isnanl" => self.program.binary(Op::Ult, infinity, magnitude),
            "isfinite" | "finite" | "finitef" | "finitel" => {
                self.program.binary(Op::Ult, magnitude, infinity)
            }
            "isnormal" => {
                let smallest = self.program.constant(smallest, width);
                let tiny = self.program.binary(Op::Ult, magnitude, smallest);
                let finite = self.program.binary(Op::Ult, magnitude, infinity);
                let not_tiny = self.program.not(tiny);
                self.program.binary(Op::And, finite, not_tiny)
            }
            _ => {
                // glibc and gcc: 1, or -1 for the negative infinity.
                let infinite = self.program.binary(Op::Eq, magnitude, infinity);
                let negative = self.program.binary(Op::Slt, expr, zero);
                let is_signed = name == "isinf_sign" || name.starts_with("__");
                let minus = if is_signed { u128::MAX } else { 1 };
                let (plus, minus, none) = (
                    self.program.constant(1, 32),
                    self.program.constant(minus, 32),
                    self.program.constant(0, 32),
                );
                let sign = self.program.ite(negative, minus, plus);
                let expr = self.program.ite(infinite, sign, none);
                return Ok(Value {
                    expr,
                    ty: Type::INT,
                });
            }
        };
        Ok(self.int_of_bit(bit))
    }

    /// Which of five values stands for a float's kind: not a number, infinite, normal, subnormal, zero.
    pub(super) fn kind_of_float(&mut self, kinds: [Expr; 5], value: &Value) -> Result<Value> {
        let Type::Float(format) = value.ty else {
            return Err("the kind of what is no float".into());
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
fn landmarks(format: FloatType) -> Result<(u32, u128, u128)> {
    Ok(match format {
        FloatType::Single => (32, 0x7f80_0000, 0x0080_0000),
        FloatType::Double => (64, 0x7ff0_0000_0000_0000, 0x0010_0000_0000_0000),
        FloatType::Extended => (80, 0x7fff << 64 | 1 << 63, 1 << 64 | 1 << 63),
        FloatType::Quadruple => return Err("arithmetic on `_Float128`".into()),
    })
}
