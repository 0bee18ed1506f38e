//! IEEE 754 arithmetic in the formats and rounding modes of the machine: over integers (`exact`), on the
//! machine's own floats where these suffice, and over terms (`terms`).
//!
//! NaN results have one bit pattern, the quiet NaN without a sign. Conversions to integers that are out of
//! range have the results of x86, those to 128 bits 2^127. x87's format stores its leading bit; patterns in
//! which that bit contradicts the exponent are interpreted as with the right one.

mod exact;
mod format;
mod identities;
mod operation;
mod relations;
mod terms;

#[cfg(test)]
mod tests;

use craig_word::mask;

use crate::types::FloatType;

pub use format::Rounding;
pub use operation::FloatOp;
pub use terms::build;

use format::Format;

/// The float nearest to a literal of C, without its suffix; `None` if it is malformed.
pub(crate) fn literal(ty: FloatType, text: &str) -> Option<u128> {
    exact::literal(Format::of(ty), text)
}

/// A number in a format.
pub(crate) fn from_double(ty: FloatType, value: f64) -> u128 {
    let double = Format::of(FloatType::Double);
    exact::convert(
        double,
        Format::of(ty),
        Rounding::NearestEven,
        u128::from(value.to_bits()),
    )
}

/// The `double` of the same value as an extended number, where there is one that is a number.
pub(crate) fn to_double(value: u128) -> Option<f64> {
    let (from, to) = (
        Format::of(FloatType::Extended),
        Format::of(FloatType::Double),
    );
    let double = exact::convert(from, to, Rounding::NearestEven, value);
    let is_same = exact::convert(to, from, Rounding::NearestEven, double) == value;
    is_same.then(|| f64::from_bits(double as u64))
}

/// A value in C's syntax, without suffix: in decimal if a `double` can represent it, else in hexadecimal.
pub fn show_extended(value: u128) -> String {
    let (from, to) = (
        Format::of(FloatType::Extended),
        Format::of(FloatType::Double),
    );
    let double = exact::convert(from, to, Rounding::NearestEven, value);
    if exact::convert(to, from, Rounding::NearestEven, double) == value || double == to.nan() {
        return format!("{:?}", f64::from_bits(double as u64));
    }
    let sign = if value >> 79 & 1 == 1 { "-" } else { "" };
    let biased = (value >> 64 & 0x7fff) as i128;
    let exponent = biased.max(1) - from.bias() - 63;
    format!("{sign}{:#x}p{exponent}", value as u64)
}

/// Whether the machine's own floats give the right result.
fn is_native(op: FloatOp, format: FloatType, width: u32, rounding: Rounding) -> bool {
    format != FloatType::Extended
        && rounding == Rounding::NearestEven
        && !(op == FloatOp::Convert && width == 80)
}

/// The result of the operation. Its operands have `operand_width` bits, the result `width`.
pub fn evaluate(
    op: FloatOp,
    format: FloatType,
    rounding: Rounding,
    operands: (u128, u128),
    operand_width: u32,
    width: u32,
) -> u128 {
    if is_native(op, format, width, rounding) {
        native(op, format, operands.0, operands.1, operand_width, width)
    } else {
        let format = Format::of(format);
        exact::evaluate(op, format, rounding, operands, operand_width, width)
    }
}

/// The result of the operation on the machine, rounding to the nearest.
fn native(
    op: FloatOp,
    format: FloatType,
    a: u128,
    b: u128,
    operand_width: u32,
    width: u32,
) -> u128 {
    let signed = |value: u128| craig_word::to_signed(value, operand_width);
    match op {
        FloatOp::FromSigned | FloatOp::FromUnsigned => {
            return match (format, op == FloatOp::FromSigned) {
                (FloatType::Single, true) => u128::from((signed(a) as f32).to_bits()),
                (FloatType::Single, false) => u128::from((a as f32).to_bits()),
                (_, true) => u128::from((signed(a) as f64).to_bits()),
                (_, false) => u128::from((a as f64).to_bits()),
            };
        }
        _ => {}
    }
    let exact = |bits: u128| match format {
        FloatType::Single => f64::from(f32::from_bits(bits as u32)),
        _ => f64::from_bits(bits as u64),
    };
    let (x, y) = (exact(a), exact(b));
    match op {
        FloatOp::Equal => return u128::from(x == y),
        FloatOp::Less => return u128::from(x < y),
        FloatOp::LessOrEqual => return u128::from(x <= y),
        FloatOp::ToSigned => return to_integer(x, width, true),
        FloatOp::ToUnsigned => return to_integer(x, width, false),
        FloatOp::Convert => {
            return match format {
                FloatType::Single => double_bits(x),
                _ => single_bits(x as f32),
            };
        }
        _ => {}
    }
    macro_rules! computed {
        ($x:expr, $y:expr) => {
            match op {
                FloatOp::Add => $x + $y,
                FloatOp::Sub => $x - $y,
                FloatOp::Mul => $x * $y,
                FloatOp::Div => $x / $y,
                FloatOp::Integral => $x.round_ties_even(),
                _ => $x.sqrt(),
            }
        };
    }
    match format {
        FloatType::Single => {
            let (x, y) = (f32::from_bits(a as u32), f32::from_bits(b as u32));
            single_bits(computed!(x, y))
        }
        _ => double_bits(computed!(x, y)),
    }
}

fn single_bits(value: f32) -> u128 {
    if value.is_nan() {
        0x7fc0_0000
    } else {
        u128::from(value.to_bits())
    }
}

fn double_bits(value: f64) -> u128 {
    if value.is_nan() {
        0x7ff8_0000_0000_0000
    } else {
        u128::from(value.to_bits())
    }
}

/// x86's conversion to 32 or 64 signed bits, and the analogous one to 128: the smallest integer for all
/// values out of range.
fn convert(value: f64, width: u32) -> u128 {
    let limit = 2f64.powi(width as i32 - 1);
    let truncated = value.trunc();
    if truncated >= -limit && truncated < limit {
        craig_word::from_signed(truncated as i128, width)
    } else {
        1 << (width - 1)
    }
}

fn to_integer(value: f64, width: u32, signed: bool) -> u128 {
    let half = 2f64.powi(63);
    match (width, signed) {
        (128, true) => convert(value, 128),
        (128, false) => {
            let truncated = value.trunc();
            if truncated >= 0.0 && truncated < 2f64.powi(128) {
                truncated as u128
            } else {
                1 << 127
            }
        }
        (64, false) if value >= half => convert(value - half, 64) ^ 1 << 63,
        (64, _) | (32, true) => convert(value, width),
        (32, false) => convert(value, 64) & mask(32),
        _ => convert(value, 32) & mask(width),
    }
}
