//! Values and their types in C syntax, and as plain numbers for other file formats.

use crate::float::show_extended;
use crate::lower::int_words;
use crate::types::{FloatType, Type};
use craig_word::to_signed;

/// A value as a C expression.
pub fn literal(value: u128, width: u32, ty: Option<&Type>) -> String {
    match ty {
        Some(Type::Float(FloatType::Single)) => {
            float_literal(f64::from(f32::from_bits(value as u32)), "f")
        }
        Some(Type::Float(FloatType::Double)) => float_literal(f64::from_bits(value as u64), ""),
        Some(Type::Float(FloatType::Extended)) => match show_extended(value).as_str() {
            "NaN" => "__builtin_nanl(\"\")".into(),
            "inf" => "__builtin_infl()".into(),
            "-inf" => "-__builtin_infl()".into(),
            number => format!("{number}L"),
        },
        Some(Type::Int(int)) if int.size > 8 => {
            let sign = if int.signed { "" } else { "unsigned " };
            let (high, low) = ((value >> 64) as u64, value as u64);
            format!("({sign}__int128)((unsigned __int128){high}ull << 64 | {low}ull)")
        }
        Some(Type::Pointer(_)) if value == 0 => "0".into(),
        Some(Type::Pointer(_)) => format!("(void *){value:#x}ul"),
        Some(Type::Int(int)) if !int.signed => {
            let suffix = match int.rank {
                0..=2 => "",
                3 => "u",
                4 => "ul",
                _ => "ull",
            };
            format!("{value}{suffix}")
        }
        _ => {
            let number = to_signed(value, width);
            let suffix = match ty {
                Some(Type::Int(int)) if int.rank == 4 => "l",
                Some(Type::Int(int)) if int.rank > 4 => "ll",
                _ => "",
            };
            // The least number has no literal of its own.
            if number == -(1 << (width - 1)) && width >= 32 {
                format!("({}{suffix} - 1)", number + 1)
            } else {
                format!("{number}{suffix}")
            }
        }
    }
}

fn float_literal(value: f64, suffix: &str) -> String {
    if value.is_nan() {
        return format!("__builtin_nan{suffix}(\"\")");
    }
    if value.is_infinite() {
        let sign = if value < 0.0 { "-" } else { "" };
        return format!("{sign}__builtin_inf{suffix}()");
    }
    format!("{value:?}{suffix}")
}

/// A value as a plain number, for other file formats.
pub fn number(value: u128, width: u32, ty: Option<&Type>) -> String {
    match ty {
        Some(Type::Int(int)) if !int.signed => value.to_string(),
        Some(Type::Pointer(_)) => value.to_string(),
        Some(Type::Float(FloatType::Single)) => format!("{:?}", f32::from_bits(value as u32)),
        Some(Type::Float(FloatType::Double)) => format!("{:?}", f64::from_bits(value as u64)),
        Some(Type::Float(FloatType::Extended)) => show_extended(value),
        _ => to_signed(value, width).to_string(),
    }
}

/// The C name of a scalar type, for readers of a test.
pub fn type_name(ty: Option<&Type>) -> &'static str {
    match ty {
        Some(Type::Int(int)) => int_words(*int),
        Some(Type::Float(FloatType::Single)) => "float",
        Some(Type::Float(FloatType::Extended)) => "long double",
        Some(Type::Float(FloatType::Quadruple)) => "_Float128",
        Some(Type::Float(FloatType::Double)) => "double",
        Some(Type::Pointer(_)) => "void *",
        _ => "int",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::IntType;

    #[test]
    fn values_are_written_as_c_reads_them() {
        let int = |value: i64| literal(value as u128, 32, Some(&Type::INT));
        assert_eq!(int(-5), "-5");
        assert_eq!(int(i64::from(i32::MIN)), "(-2147483647 - 1)");
        let unsigned = Type::Int(IntType::UINT);
        assert_eq!(literal(4_294_967_295, 32, Some(&unsigned)), "4294967295u");
        let single = Type::Float(FloatType::Single);
        assert_eq!(
            literal(u128::from(1.5f32.to_bits()), 32, Some(&single)),
            "1.5f"
        );
        assert_eq!(
            literal(0x7fc0_0000, 32, Some(&single)),
            "__builtin_nanf(\"\")"
        );
    }
}
