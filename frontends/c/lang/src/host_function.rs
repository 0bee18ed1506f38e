//! Functions that the interpreter computes on this machine: those of `<math.h>` whose results C leaves to the
//! implementation, and the text of floats.
//!
//! Proofs hold for every result within bounds; a path to an error counts only with the results of this
//! machine's library, which the interpreter uses.

use crate::float::to_double;
use crate::types::FloatType;

/// A function of words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HostFunction {
    /// `sin`.
    Sin,
    /// `cos`.
    Cos,
    /// `tan`.
    Tan,
    /// `asin`.
    Asin,
    /// `acos`.
    Acos,
    /// `atan`.
    Atan,
    /// `sinh`.
    Sinh,
    /// `cosh`.
    Cosh,
    /// `tanh`.
    Tanh,
    /// `exp`.
    Exp,
    /// `exp2`.
    Exp2,
    /// `expm1`.
    Expm1,
    /// `log`.
    Log,
    /// `log2`.
    Log2,
    /// `log10`.
    Log10,
    /// `log1p`.
    Log1p,
    /// `erf`.
    Erf,
    /// `pow`.
    Pow,
    /// `hypot`.
    Hypot,
    /// `cbrt`.
    Cbrt,
    /// `atan2`.
    Atan2,
    /// The text of a float without its sign: of the float, the letter of the conversion (with
    /// `ALTERNATIVE`), the precision (negative: none is given) and an index the character there; of a
    /// negative index the length.
    FloatText,
    /// The number for an address in text: any number, but in the interpreter the address.
    AddressText,
    /// What an output function returns that succeeds: its argument. It may fail, which the library's text says.
    Output,
    /// The sign of a NaN, which is not represented: any, but in the interpreter that of its word.
    SignOfNan,
}

/// What the flag `#` adds to the letter of a conversion.
const ALTERNATIVE: u128 = 256;

/// The maximal distance of results of one implementation of `<math.h>` from those of another one, in units in
/// the last place: an assumption, which the documents state.
const DISTANCE: u64 = 16;

/// A precision beyond this is not formatted.
const MAX_PRECISION: i32 = 2000;

/// The value of a function of <math.h>, for a float type of the machine.
macro_rules! value_at {
    ($function:expr, $x:expr, $y:expr) => {
        Some(match $function {
            HostFunction::Sin => $x.sin(),
            HostFunction::Cos => $x.cos(),
            HostFunction::Tan => $x.tan(),
            HostFunction::Asin => $x.asin(),
            HostFunction::Acos => $x.acos(),
            HostFunction::Atan => $x.atan(),
            HostFunction::Sinh => $x.sinh(),
            HostFunction::Cosh => $x.cosh(),
            HostFunction::Tanh => $x.tanh(),
            HostFunction::Exp => $x.exp(),
            HostFunction::Exp2 => $x.exp2(),
            HostFunction::Expm1 => $x.exp_m1(),
            HostFunction::Log => $x.ln(),
            HostFunction::Log2 => $x.log2(),
            HostFunction::Log10 => $x.log10(),
            HostFunction::Log1p => $x.ln_1p(),
            HostFunction::Pow => $x.powf($y?),
            HostFunction::Hypot => $x.hypot($y?),
            HostFunction::Cbrt => $x.cbrt(),
            HostFunction::Atan2 => $x.atan2($y?),
            HostFunction::Erf
            | HostFunction::FloatText
            | HostFunction::AddressText
            | HostFunction::Output
            | HostFunction::SignOfNan => {
                return None;
            }
        })
    };
}

impl HostFunction {
    /// The function with a name in the library's text.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "sin" => Self::Sin,
            "cos" => Self::Cos,
            "tan" => Self::Tan,
            "asin" => Self::Asin,
            "acos" => Self::Acos,
            "atan" => Self::Atan,
            "sinh" => Self::Sinh,
            "cosh" => Self::Cosh,
            "tanh" => Self::Tanh,
            "exp" => Self::Exp,
            "exp2" => Self::Exp2,
            "expm1" => Self::Expm1,
            "log" => Self::Log,
            "log2" => Self::Log2,
            "log10" => Self::Log10,
            "log1p" => Self::Log1p,
            "erf" => Self::Erf,
            "pow" => Self::Pow,
            "hypot" => Self::Hypot,
            "cbrt" => Self::Cbrt,
            "atan2" => Self::Atan2,
            "float text" => Self::FloatText,
            "address" => Self::AddressText,
            "output" => Self::Output,
            "sign of NaN" => Self::SignOfNan,
            _ => return None,
        })
    }

    /// The result on this machine; `None` if it is not computed here.
    pub fn result(self, format: FloatType, arguments: &[u128]) -> Option<u128> {
        match self {
            Self::AddressText | Self::Output | Self::SignOfNan => arguments.first().copied(),
            Self::FloatText => float_text(format, arguments),
            _ => match format {
                FloatType::Single => {
                    let values: Vec<f32> = (arguments.iter())
                        .map(|&bits| f32::from_bits(bits as u32))
                        .collect();
                    let result = self.single(*values.first()?, values.get(1).copied())?;
                    Some(u128::from(result.to_bits()))
                }
                FloatType::Double => {
                    let values: Vec<f64> = (arguments.iter())
                        .map(|&bits| f64::from_bits(bits as u64))
                        .collect();
                    let result = self.double(*values.first()?, values.get(1).copied())?;
                    Some(u128::from(result.to_bits()))
                }
                FloatType::Extended | FloatType::Quadruple => None,
            },
        }
    }

    /// The least and the largest result of any implementation, as words; `None` if there are no bounds.
    pub fn bounds(self, format: FloatType, arguments: &[u128]) -> Option<(u128, u128)> {
        match self {
            Self::AddressText | Self::Output | Self::SignOfNan => None,
            // It is determined by the standard.
            Self::FloatText => self.result(format, arguments).map(|word| (word, word)),
            _ => {
                let (sign, infinity) = match format {
                    FloatType::Single => (1u128 << 31, 0x7f80_0000),
                    FloatType::Double => (1u128 << 63, 0x7ff0_0000_0000_0000),
                    FloatType::Extended | FloatType::Quadruple => return None,
                };
                let result = self.result(format, arguments)?;
                let magnitude = result & (sign - 1);
                let distance = u128::from(DISTANCE);
                // Around zero and infinity the order of words is not that of the values.
                (magnitude > distance && magnitude + distance < infinity)
                    .then(|| (result - distance, result + distance))
            }
        }
    }

    fn double(self, x: f64, y: Option<f64>) -> Option<f64> {
        value_at!(self, x, y)
    }

    fn single(self, x: f32, y: Option<f32>) -> Option<f32> {
        value_at!(self, x, y)
    }
}

/// See [`HostFunction::FloatText`].
fn float_text(format: FloatType, arguments: &[u128]) -> Option<u128> {
    let &[bits, letter, precision, index] = arguments else {
        return None;
    };
    let value = match format {
        FloatType::Double => f64::from_bits(bits as u64),
        FloatType::Extended => to_double(bits)?,
        FloatType::Single | FloatType::Quadruple => return None,
    };
    let is_alternative = letter & ALTERNATIVE != 0;
    let letter = char::from((letter & 0xff) as u8);
    let text = text_of(value.abs(), letter, precision as u32 as i32, is_alternative)?;
    let index = index as u32 as i32;
    if index < 0 {
        return Some(text.len() as u128);
    }
    Some(u128::from(
        text.as_bytes().get(index as usize).copied().unwrap_or(0),
    ))
}

/// A number that is not negative as `printf` prints it (C11 7.21.6.1), in the default rounding.
fn text_of(value: f64, letter: char, precision: i32, is_alternative: bool) -> Option<String> {
    if value.is_nan() || precision > MAX_PRECISION {
        return None;
    }
    let is_upper = letter.is_ascii_uppercase();
    let text = if value.is_infinite() {
        "inf".to_string()
    } else {
        let digits = usize::try_from(precision).unwrap_or(6);
        match letter.to_ascii_lowercase() {
            'f' => fixed(value, digits, is_alternative),
            'e' => scientific(value, digits, is_alternative).0,
            'g' => general(value, digits.max(1), is_alternative),
            _ => return None,
        }
    };
    Some(if is_upper { text.to_uppercase() } else { text })
}

/// `%f`.
fn fixed(value: f64, digits: usize, keeps_point: bool) -> String {
    let mut text = format!("{value:.digits$}");
    if digits == 0 && keeps_point {
        text.push('.');
    }
    text
}

/// `%e`, and the exponent.
fn scientific(value: f64, digits: usize, keeps_point: bool) -> (String, i32) {
    let text = format!("{value:.digits$e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let point = if digits == 0 && keeps_point { "." } else { "" };
    let sign = if exponent < 0 { '-' } else { '+' };
    let text = format!("{mantissa}{point}e{sign}{:02}", exponent.unsigned_abs());
    (text, exponent)
}

/// `%g`: the style follows from the exponent that `%e` would have.
fn general(value: f64, digits: usize, keeps_zeros: bool) -> String {
    let (scientific, exponent) = scientific(value, digits - 1, keeps_zeros);
    let (mut number, rest) = if exponent < -4 || exponent >= digits as i32 {
        let (mantissa, exponent) = scientific.split_at(scientific.find('e').unwrap_or(0));
        (mantissa.to_string(), exponent.to_string())
    } else {
        let after_point = (digits as i32 - 1 - exponent).max(0) as usize;
        (fixed(value, after_point, keeps_zeros), String::new())
    };
    if !keeps_zeros && number.contains('.') {
        let kept = number.trim_end_matches('0').trim_end_matches('.').len();
        number.truncate(kept);
    }
    number + &rest
}
