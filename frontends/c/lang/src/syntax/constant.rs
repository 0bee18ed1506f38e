//! Numbers: integer and floating constants (C23 6.4.4), with GNU's suffixes.

use super::ast::{
    Constant, Float, FloatBase, FloatFormat, FloatSuffix, Integer, IntegerBase, IntegerSize,
    IntegerSuffix, InterchangeFloat, InterchangeFormat,
};

/// The constant that a preprocessing number denotes.
pub(super) fn number(text: &str) -> Result<Constant, String> {
    let text = text.replace('\'', "");
    let lower = text.to_ascii_lowercase();
    let invalid = || format!("`{text}` is no number");
    let (base, digits) = match lower.as_bytes() {
        [b'0', b'x', ..] => (IntegerBase::Hexadecimal, &text[2..]),
        [b'0', b'b', ..] => (IntegerBase::Binary, &text[2..]),
        _ => (IntegerBase::Decimal, text.as_str()),
    };
    let is_hexadecimal = base == IntegerBase::Hexadecimal;
    let is_floating = match base {
        IntegerBase::Hexadecimal => digits.contains(['.', 'p', 'P']),
        IntegerBase::Binary => digits.contains('.'),
        _ => digits.contains(['.', 'e', 'E']),
    };
    if is_floating && base != IntegerBase::Binary {
        return floating(digits, is_hexadecimal).ok_or_else(invalid);
    }
    integer(base, digits).ok_or_else(invalid)
}

fn integer(base: IntegerBase, text: &str) -> Option<Constant> {
    let radix = match base {
        IntegerBase::Binary => 2,
        IntegerBase::Hexadecimal => 16,
        _ => 10,
    };
    let length = text
        .find(|c: char| !c.is_digit(radix))
        .unwrap_or(text.len());
    let (digits, suffix) = text.split_at(length);
    // A leading 0 alone is a decimal digit.
    let (base, number) = match digits.strip_prefix('0') {
        Some(rest) if base == IntegerBase::Decimal && !rest.is_empty() => {
            (IntegerBase::Octal, rest)
        }
        _ => (base, digits),
    };
    let is_valid =
        !number.is_empty() && (base != IntegerBase::Octal || !number.contains(['8', '9']));
    let suffix = integer_suffix(suffix).filter(|_| is_valid)?;
    let number = number.into();
    Some(Constant::Integer(Integer {
        base,
        number,
        suffix,
    }))
}

fn integer_suffix(text: &str) -> Option<IntegerSuffix> {
    let mut suffix = IntegerSuffix {
        size: IntegerSize::Int,
        unsigned: false,
        imaginary: false,
    };
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let length = match letter {
            'u' | 'U' if !suffix.unsigned => {
                suffix.unsigned = true;
                1
            }
            'i' | 'I' | 'j' | 'J' if !suffix.imaginary => {
                suffix.imaginary = true;
                1
            }
            _ if suffix.size != IntegerSize::Int => return None,
            'l' | 'L' => {
                let is_long_long = rest[1..].starts_with(letter);
                suffix.size = if is_long_long {
                    IntegerSize::LongLong
                } else {
                    IntegerSize::Long
                };
                1 + usize::from(is_long_long)
            }
            'w' | 'W' if matches!(rest.get(..2), Some("wb" | "WB")) => {
                suffix.size = IntegerSize::BitPrecise;
                2
            }
            _ => return None,
        };
        rest = &rest[length..];
    }
    Some(suffix)
}

fn floating(text: &str, is_hexadecimal: bool) -> Option<Constant> {
    let is_digit = |c: char| {
        if is_hexadecimal {
            c.is_ascii_hexdigit()
        } else {
            c.is_ascii_digit()
        }
    };
    let count = |text: &str| text.chars().take_while(|&c| is_digit(c)).count();
    let mut end = count(text);
    let mut n_digits = end;
    if text[end..].starts_with('.') {
        let fraction = count(&text[end + 1..]);
        n_digits += fraction;
        end += 1 + fraction;
    }
    let marks = if is_hexadecimal {
        ['p', 'P']
    } else {
        ['e', 'E']
    };
    if text[end..].starts_with(marks) {
        let sign = usize::from(text[end + 1..].starts_with(['+', '-']));
        let exponent = &text[end + 1 + sign..];
        let length = exponent.chars().take_while(char::is_ascii_digit).count();
        end += 1 + sign + length;
        if length == 0 {
            return None;
        }
    } else if is_hexadecimal {
        return None;
    }
    let suffix = float_suffix(&text[end..])?;
    let base = if is_hexadecimal {
        FloatBase::Hexadecimal
    } else {
        FloatBase::Decimal
    };
    (n_digits > 0).then(|| {
        let number = text[..end].into();
        Constant::Float(Float {
            base,
            number,
            suffix,
        })
    })
}

fn float_suffix(text: &str) -> Option<FloatSuffix> {
    let plain: String = text
        .chars()
        .filter(|c| !matches!(c, 'i' | 'I' | 'j' | 'J'))
        .collect();
    let imaginary = match text.len() - plain.len() {
        0 => false,
        1 => true,
        _ => return None,
    };
    let interchange = |format, width| FloatFormat::Interchange(InterchangeFloat { format, width });
    let format = match plain.as_str() {
        "" | "d" | "D" => FloatFormat::Double,
        "f" | "F" => FloatFormat::Float,
        "l" | "L" => FloatFormat::LongDouble,
        "q" | "Q" => interchange(InterchangeFormat::Binary, 128),
        "w" | "W" => FloatFormat::LongDouble,
        "df" | "DF" => interchange(InterchangeFormat::Decimal, 32),
        "dd" | "DD" => interchange(InterchangeFormat::Decimal, 64),
        "dl" | "DL" => interchange(InterchangeFormat::Decimal, 128),
        _ => {
            let width = plain.strip_prefix(['f', 'F'])?;
            match width.strip_suffix('x') {
                Some(width) => interchange(InterchangeFormat::BinaryExtended, width.parse().ok()?),
                None => interchange(InterchangeFormat::Binary, width.parse().ok()?),
            }
        }
    };
    Some(FloatSuffix { format, imaginary })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_taken_apart() {
        let integer = |text| match number(text) {
            Ok(Constant::Integer(it)) => (it.base, it.number.to_string(), it.suffix),
            other => panic!("{text}: {other:?}"),
        };
        assert_eq!(integer("0").0, IntegerBase::Decimal);
        assert_eq!(integer("017").1, "17");
        let (base, digits, suffix) = integer("0xFF'ffuLL");
        assert_eq!((base, digits.as_str()), (IntegerBase::Hexadecimal, "FFff"));
        assert!(suffix.unsigned && suffix.size == IntegerSize::LongLong);
        assert_eq!(integer("0b10'1").1, "101");
        assert_eq!(integer("3wbu").2.size, IntegerSize::BitPrecise);
        assert!(integer("3i").2.imaginary);
        for text in [
            "1.5", "1e3", ".5f", "0x1p-3", "0x.8p1L", "1.f128", "2.0if", "1.0q",
        ] {
            assert!(matches!(number(text), Ok(Constant::Float(_))), "{text}");
        }
    }

    #[test]
    fn what_is_no_number_is_an_error() {
        for text in [
            "08", "0x", "0b2", "1lll", "1lL", "1x", "0x1.5", "1e", "1e+", "1.5z", "0b1.0", "1uu",
            "1..2", "0x1pf",
        ] {
            assert!(number(text).is_err(), "{text}");
        }
    }
}
