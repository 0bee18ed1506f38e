//! The values of literals (C11 6.4.4).

use crate::float;
use crate::syntax::ast::*;
use crate::types::{FloatType, IntType, Type};

use super::string_literal::character;
use super::{Lowering, Result, Value};

impl Lowering<'_> {
    /// The value of a literal.
    pub(super) fn literal(&mut self, constant: &Constant) -> Result<Value> {
        match constant {
            Constant::NullPointer => Ok(Value {
                expr: self.program.constant(0, self.pointer_width()),
                ty: Type::Void.pointer_to(),
            }),
            Constant::Bool(truth) => Ok(Value {
                expr: self
                    .program
                    .constant(u128::from(*truth), IntType::BOOL.width()),
                ty: Type::Int(IntType::BOOL),
            }),
            Constant::Integer(integer) => self.integer_literal(integer),
            Constant::Float(float) => self.float_literal(float),
            Constant::Character(text) => {
                let (value, ty) = character(text)?;
                Ok(Value {
                    expr: self.program.constant(u128::from(value), ty.width()),
                    ty: Type::Int(ty),
                })
            }
        }
    }

    /// C11 6.4.4.1p5: the first type of a list that has the value.
    fn integer_literal(&mut self, integer: &Integer) -> Result<Value> {
        let radix = match integer.base {
            IntegerBase::Decimal => 10,
            IntegerBase::Octal => 8,
            IntegerBase::Hexadecimal => 16,
            IntegerBase::Binary => 2,
        };
        let digits = if integer.number.is_empty() {
            "0"
        } else {
            &integer.number
        };
        if integer.suffix.size == IntegerSize::BitPrecise {
            return self.bit_precise_literal(digits, radix, integer.suffix.unsigned);
        }
        let value = u64::from_str_radix(digits, radix)
            .map_err(|_| format!("the literal `{}`", integer.number))?;
        let model = self.options.model;
        let long_long = |signed| IntType::new(5, signed, 8);
        let mut candidates = Vec::new();
        for (size, signed, unsigned) in [
            (IntegerSize::Int, IntType::INT, IntType::UINT),
            (
                IntegerSize::Long,
                IntType::long(model, true),
                IntType::long(model, false),
            ),
            (IntegerSize::LongLong, long_long(true), long_long(false)),
        ] {
            if size < integer.suffix.size {
                continue;
            }
            if !integer.suffix.unsigned {
                candidates.push(signed);
            }
            if integer.suffix.unsigned || integer.base != IntegerBase::Decimal {
                candidates.push(unsigned);
            }
        }
        let fits = |ty: &IntType| {
            let bits = ty.width() - u32::from(ty.signed);
            bits == 64 || value >> bits == 0
        };
        let ty = candidates
            .into_iter()
            .find(fits)
            .unwrap_or(long_long(false));
        let expr = self.program.constant(u128::from(value), ty.width());
        if integer.suffix.imaginary {
            return self.imaginary(expr, &Type::Int(ty));
        }
        Ok(Value {
            expr,
            ty: Type::Int(ty),
        })
    }

    /// C23 6.4.4.1p6: of the type with the least bits that has the value.
    fn bit_precise_literal(&mut self, digits: &str, radix: u32, unsigned: bool) -> Result<Value> {
        let refused = || format!("the literal `{digits}wb`");
        let value = u128::from_str_radix(digits, radix).map_err(|_| refused())?;
        let needed = u128::BITS - value.leading_zeros();
        let bits = match unsigned {
            true => needed.max(1),
            false => needed.max(1) + 1,
        };
        if bits > 128 {
            return Err(refused());
        }
        Ok(Value {
            expr: self.program.constant(value, bits),
            ty: Type::Int(IntType::bit_precise(bits as u8, !unsigned)),
        })
    }

    fn float_literal(&mut self, float: &Float) -> Result<Value> {
        let text = &float.number;
        let (format, width) = match float.suffix.format {
            FloatFormat::Float => (FloatType::Single, 32),
            FloatFormat::Double => (FloatType::Double, 64),
            FloatFormat::LongDouble => (FloatType::Extended, 80),
            FloatFormat::Interchange(float) => match Self::interchange(float)? {
                format @ FloatType::Single => (format, 32),
                format @ FloatType::Double => (format, 64),
                format @ FloatType::Extended => (format, 80),
                FloatType::Quadruple => {
                    return Err(format!("the type of the literal `{text}`"));
                }
            },
        };
        let whole = match float.base {
            FloatBase::Hexadecimal => format!("0x{text}"),
            FloatBase::Decimal => text.to_string(),
        };
        let bits = float::literal(format, &whole).ok_or_else(|| format!("the literal `{text}`"))?;
        let expr = self.program.constant(bits, width);
        let ty = Type::Float(format);
        if float.suffix.imaginary {
            return self.imaginary(expr, &ty);
        }
        Ok(Value { expr, ty })
    }
}
