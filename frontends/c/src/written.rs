//! What the files that are written about a program have in common.

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use super::float::show_extended;
use super::lower::int_words;
use super::sha256::sha256;
use super::types::{DataModel, FloatType, Type};
use craig_word::to_signed;

/// A program and a question about it, as files name them.
#[derive(Clone, Debug)]
pub struct Task {
    /// The program's file.
    pub file: String,
    /// Its SHA-256, in hexadecimal.
    pub hash: String,
    /// The property in the notation of SV-COMP.
    pub specification: String,
    /// The machine.
    pub model: DataModel,
    /// The function that the program starts with.
    pub entry: String,
    /// When the file was made, ISO 8601 in UTC.
    pub time: String,
}

impl Task {
    /// Describes a program.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn new(
        file: &Path,
        specification: &str,
        model: DataModel,
        entry: &str,
    ) -> Result<Self, String> {
        let bytes = std::fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        Ok(Self {
            file: file.display().to_string(),
            hash: sha256(&bytes),
            specification: specification.to_string(),
            model,
            entry: entry.to_string(),
            time: utc(now.map_or(0, |time| time.as_secs())),
        })
    }

    /// A UUID (RFC 4122, version 4) that the program, the time and some text decide.
    pub(crate) fn uuid(&self, text: &str) -> String {
        let hash = sha256(format!("{}{}{text}", self.hash, self.time).as_bytes());
        let variant = ["8", "9", "a", "b"][usize::from(hash.as_bytes()[16]) % 4];
        format!(
            "{}-{}-4{}-{variant}{}-{}",
            &hash[..8],
            &hash[8..12],
            &hash[13..16],
            &hash[17..20],
            &hash[20..32]
        )
    }

    pub(crate) fn data_model(&self) -> &'static str {
        match self.model {
            DataModel::Lp64 => "LP64",
            DataModel::Ilp32 => "ILP32",
        }
    }
}

/// Seconds since 1970 as a date and time (Hinnant, "chrono-Compatible Low-Level Date Algorithms":
/// `civil_from_days`).
fn utc(seconds: u64) -> String {
    let (days, rest) = (seconds / 86400, seconds % 86400);
    // Days since the first of March of year 0; years start with March, so that leap days come last.
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 {
        shifted_month + 3
    } else {
        shifted_month - 9
    };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    format!(
        "{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z",
        rest / 3600,
        rest / 60 % 60,
        rest % 60
    )
}

/// A string for YAML, quoted.
pub(crate) fn yaml(text: &str) -> String {
    format!("'{}'", text.replace(['\n', '\r'], " ").replace('\'', "''"))
}

/// A value as a C expression.
pub(crate) fn literal(value: u128, width: u32, ty: Option<&Type>) -> String {
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

/// A value as a plain number, for files that are not C.
pub(crate) fn number(value: u128, width: u32, ty: Option<&Type>) -> String {
    match ty {
        Some(Type::Int(int)) if !int.signed => value.to_string(),
        Some(Type::Pointer(_)) => value.to_string(),
        Some(Type::Float(FloatType::Single)) => format!("{:?}", f32::from_bits(value as u32)),
        Some(Type::Float(FloatType::Double)) => format!("{:?}", f64::from_bits(value as u64)),
        Some(Type::Float(FloatType::Extended)) => show_extended(value),
        _ => to_signed(value, width).to_string(),
    }
}

/// A scalar's type in C, as far as a reader of a test needs it.
pub(crate) fn type_name(ty: Option<&Type>) -> &'static str {
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
    fn dates_are_those_of_the_calendar() {
        assert_eq!(utc(0), "1970-01-01T00:00:00Z");
        assert_eq!(utc(951_827_696), "2000-02-29T12:34:56Z");
        assert_eq!(utc(4_102_444_799), "2099-12-31T23:59:59Z");
    }

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

    #[test]
    fn quotes_are_doubled() {
        assert_eq!(yaml("it's"), "'it''s'");
    }
}
