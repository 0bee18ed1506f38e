//! Functions on numbers that the compiler itself defines: kinds and comparisons of floats, bits of integers, and
//! arithmetic that tells of its overflow.

use lang_c::ast::*;
use lang_c::span::Node;

use crate::ir::{CheckKind, Choice, Expr};
use crate::types::{IntType, Type};
use craig_word::Op;

use super::builtin::argument;
use super::{Lowering, Place, Result, Value};

impl<'a> Lowering<'a> {
    pub(super) fn numeric_builtin(
        &mut self,
        name: &str,
        arguments: &'a [Node<Expression>],
    ) -> Result<Option<Value>> {
        let plain = name.strip_prefix("__builtin_").unwrap_or(name);
        if let Some(value) = self.float_function(plain, arguments)? {
            return Ok(Some(value));
        }
        let value = match plain {
            "isnan" | "isnanf" | "isnanl" | "isinf" | "isinff" | "isinfl" | "isinf_sign"
            | "isfinite" | "finite" | "finitef" | "finitel" | "isnormal" | "__isnan"
            | "__isnanf" | "__isnanl" | "__isinf" | "__isinff" | "__isinfl" | "__finite"
            | "__finitef" | "__finitel" | "signbit" | "signbitf" | "signbitl" | "__signbit"
            | "__signbitf" | "__signbitl" => {
                let argument = arguments.first().ok_or("a call without its argument")?;
                let value = self.rvalue(argument)?;
                let Type::Float(format) = value.ty else {
                    return Ok(None);
                };
                self.classify(plain, format, value.expr)?
            }
            "fpclassify" if arguments.len() == 6 => {
                let mut values = self.evaluate_all(arguments)?;
                let Some(value) = values.pop() else {
                    return Ok(None);
                };
                let mut kinds = Vec::new();
                for kind in &values {
                    kinds.push(self.resized(kind, 32)?);
                }
                let kinds = <[Expr; 5]>::try_from(kinds)
                    .map_err(|_| "a call without its arguments".to_string())?;
                self.kind_of_float(kinds, &value)?
            }
            "__fpclassify" | "__fpclassifyf" | "__fpclassifyl" => {
                let value = self.rvalue(argument(arguments, 0)?)?;
                // glibc's numbers.
                let kinds = [0, 1, 4, 3, 2].map(|kind| self.program.constant(kind, 32));
                self.kind_of_float(kinds, &value)?
            }
            "isgreater" | "isgreaterequal" | "isless" | "islessequal" | "isunordered"
            | "islessgreater" => {
                let values = self.evaluate_all(arguments)?;
                let [a, b] = <[Value; 2]>::try_from(values)
                    .map_err(|_| "a comparison of floats".to_string())?;
                let bit = match plain {
                    "isgreater" => self.compare(&BinaryOperator::Greater, a, b)?,
                    "isgreaterequal" => self.compare(&BinaryOperator::GreaterOrEqual, a, b)?,
                    "isless" => self.compare(&BinaryOperator::Less, a, b)?,
                    "islessequal" => self.compare(&BinaryOperator::LessOrEqual, a, b)?,
                    "islessgreater" => {
                        let less = self.compare(&BinaryOperator::Less, a.clone(), b.clone())?;
                        let greater = self.compare(&BinaryOperator::Greater, a, b)?;
                        self.or(less, greater)
                    }
                    _ => {
                        let x = self.compare(&BinaryOperator::NotEquals, a.clone(), a)?;
                        let y = self.compare(&BinaryOperator::NotEquals, b.clone(), b)?;
                        self.or(x, y)
                    }
                };
                self.int_of_bit(bit)
            }
            "abs" | "labs" | "llabs" => {
                let ty = match plain {
                    "abs" => IntType::INT,
                    "labs" => IntType::long(self.options.model, true),
                    _ => IntType::new(5, true, 8),
                };
                let checks_overflow = self.options.checks.overflow && self.is_own_code();
                let argument = arguments.first().ok_or("a call without its argument")?;
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
                Value {
                    expr: self.program.ite(negative, negated, value.expr),
                    ty: value.ty,
                }
            }
            "bitreverse8" | "bitreverse16" | "bitreverse32" | "bitreverse64" => {
                let width = plain["bitreverse".len()..].parse().unwrap_or(64);
                let value = self.rvalue(argument(arguments, 0)?)?;
                let value = self.resized(&value, width)?;
                let mut result = self.program.constant(0, width);
                for at in 0..width {
                    let bit = self.program.extract(value, at, 1);
                    let bit = self.program.resize(bit, width, false);
                    let place = self.program.constant(u128::from(width - 1 - at), width);
                    let bit = self.program.binary(Op::Shl, bit, place);
                    result = self.program.binary(Op::Xor, result, bit);
                }
                let rank = [1, 2, 3, 5][(width / 8).ilog2() as usize];
                Value {
                    expr: result,
                    ty: Type::Int(IntType::new(rank, false, (width / 8) as u8)),
                }
            }
            "bswap16" | "bswap32" | "bswap64" | "popcount" | "popcountl" | "popcountll" | "clz"
            | "clzl" | "clzll" | "ctz" | "ctzl" | "ctzll" | "ffs" | "ffsl" | "ffsll" | "parity" => {
                self.bit_builtin(plain, arguments)?
            }
            "add_overflow" | "sub_overflow" | "mul_overflow" | "sadd_overflow"
            | "saddl_overflow" | "saddll_overflow" | "uadd_overflow" | "uaddl_overflow"
            | "uaddll_overflow" | "ssub_overflow" | "ssubl_overflow" | "ssubll_overflow"
            | "usub_overflow" | "usubl_overflow" | "usubll_overflow" | "smul_overflow"
            | "smull_overflow" | "smulll_overflow" | "umul_overflow" | "umull_overflow"
            | "umulll_overflow"
                if name.starts_with("__builtin_") =>
            {
                self.overflow_builtin(plain, arguments)?
            }
            _ => return Ok(None),
        };
        Ok(Some(value))
    }

    fn bit_builtin(&mut self, name: &str, arguments: &'a [Node<Expression>]) -> Result<Value> {
        let width = match name {
            "bswap16" => 16,
            "bswap64" => 64,
            _ if name.ends_with("ll") => 64,
            _ if name.ends_with('l') => self.pointer_width(),
            _ => 32,
        };
        let argument = arguments.first().ok_or("a call without its argument")?;
        let value = self.rvalue(argument)?;
        let value = self.resized(&value, width)?;
        if name.starts_with("bswap") {
            let mut sum = self.program.constant(0, width);
            for byte in 0..width / 8 {
                let part = self.program.extract(value, byte * 8, 8);
                let part = self.program.resize(part, width, false);
                let amount = self
                    .program
                    .constant(u128::from(width - 8 - byte * 8), width);
                let part = self.program.binary(Op::Shl, part, amount);
                sum = self.program.binary(Op::Xor, sum, part);
            }
            let ty = IntType::new(
                if width == 64 {
                    5
                } else if width == 32 {
                    3
                } else {
                    2
                },
                false,
                (width / 8) as u8,
            );
            return Ok(Value {
                expr: sum,
                ty: Type::Int(ty),
            });
        }
        let bit = |lowering: &mut Self, index: u32| lowering.program.extract(value, index, 1);
        let expr = if name.starts_with("popcount") || name == "parity" {
            let mut sum = self.program.constant(0, 32);
            for index in 0..width {
                let one = bit(self, index);
                let one = self.program.resize(one, 32, false);
                sum = self.program.binary(Op::Add, sum, one);
            }
            if name == "parity" {
                let one = self.program.constant(1, 32);
                sum = self.program.binary(Op::And, sum, one);
            }
            sum
        } else {
            // The position of the first one. Of 0, gcc leaves the result undefined but for `ffs`.
            let (from_top, base) = (name.starts_with("clz"), u128::from(name.starts_with("ffs")));
            let is_nonzero = self
                .program
                .constant_value(value)
                .is_some_and(|value| value != 0);
            let mut found = if base == 1 || is_nonzero {
                self.program.constant(0, 32)
            } else {
                self.choose(
                    &Type::INT,
                    Choice::Open("a count in a word of zeros".into()),
                )?
                .expr
            };
            for step in (0..width).rev() {
                let index = if from_top { width - 1 - step } else { step };
                let one = bit(self, index);
                let position = self.program.constant(u128::from(step) + base, 32);
                found = self.program.ite(one, position, found);
            }
            found
        };
        Ok(Value {
            expr,
            ty: Type::INT,
        })
    }

    fn overflow_builtin(&mut self, name: &str, arguments: &'a [Node<Expression>]) -> Result<Value> {
        let values = self.evaluate_all(arguments)?;
        let [mut a, mut b, target] =
            <[Value; 3]>::try_from(values).map_err(|_| "an overflow check".to_string())?;
        let Type::Pointer(to) = &target.ty else {
            return Err("an overflow check".into());
        };
        let to = (**to).clone();
        let Type::Int(result) = to else {
            return Err("an overflow check".into());
        };
        if !matches!(name, "add_overflow" | "sub_overflow" | "mul_overflow") {
            a = self.convert(a, &to)?;
            b = self.convert(b, &to)?;
        }
        if values_are_wide(&a, &b) || result.size > 8 {
            return Err("an overflow check of 128 bits".into());
        }
        // Exact in 128 bits: a sign and 64 bits each, or 130 for products of two unsigned ones.
        let (x, y) = (self.resized(&a, 128)?, self.resized(&b, 128)?);
        let op = if name.contains("add") {
            Op::Add
        } else if name.contains("sub") {
            Op::Sub
        } else {
            Op::Mul
        };
        let exact = self.program.binary(op, x, y);
        let low = self.program.extract(exact, 0, result.width());
        let back = self.program.resize(low, 128, result.signed);
        let fits = self.program.binary(Op::Eq, exact, back);
        self.store(Place::Memory(target.expr), &Type::Int(result), low)?;
        let overflows = self.program.not(fits);
        Ok(Value {
            expr: self.program.resize(overflows, 8, false),
            ty: Type::Int(IntType::BOOL),
        })
    }
}

/// Whether one of the integers has more than 64 bits.
fn values_are_wide(a: &Value, b: &Value) -> bool {
    [a, b]
        .iter()
        .any(|value| matches!(value.ty, Type::Int(int) if int.size > 8))
}
