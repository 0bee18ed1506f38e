//! IEEE 754 arithmetic on integers, in every format and rounding mode: used to fold constants that the
//! machine's own floats can't, and as the reference for the same arithmetic over terms.

use craig_word::{from_signed, mask, to_signed};

use super::format::{Format, Rounding};
use super::operation::FloatOp;

/// An unpacked float.
#[derive(Clone, Copy)]
enum Number {
    Nan,
    Infinite(bool),
    Zero(bool),
    Finite(Finite),
}

/// `significand * 2^exponent`, negated if `sign`; the significand has as many bits as the format's.
#[derive(Clone, Copy)]
struct Finite {
    sign: bool,
    exponent: i32,
    significand: u128,
}

fn unpack(format: Format, bits: u128) -> Number {
    let places = format.significand - 1;
    let sign = bits >> (format.width() - 1) & 1 == 1;
    let biased = (bits >> format.exponent_at() & mask(format.exponent)) as i32;
    let fraction = bits & mask(places);
    if biased == mask(format.exponent) as i32 {
        return if fraction == 0 {
            Number::Infinite(sign)
        } else {
            Number::Nan
        };
    }
    if biased == 0 && fraction == 0 {
        return Number::Zero(sign);
    }
    let significand = if biased == 0 {
        fraction
    } else {
        fraction | 1 << places
    };
    let exponent = biased.max(1) - format.bias() as i32 - places as i32;
    let missing = format.significand - (128 - significand.leading_zeros());
    Number::Finite(Finite {
        sign,
        exponent: exponent - missing as i32,
        significand: significand << missing,
    })
}

fn zero(format: Format, sign: bool) -> u128 {
    u128::from(sign) << (format.width() - 1)
}

fn infinite(format: Format, sign: bool) -> u128 {
    zero(format, sign) | format.infinity()
}

/// Whether rounding increments the magnitude.
fn goes_up(rounding: Rounding, sign: bool, odd: bool, half: bool, rest: bool) -> bool {
    match rounding {
        Rounding::NearestEven => half && (rest || odd),
        Rounding::NearestAway => half,
        Rounding::Down => sign && (half || rest),
        Rounding::Up => !sign && (half || rest),
        Rounding::Zero => false,
    }
}

/// The float for `significand * 2^exponent`, and slightly more if `sticky`. The significand is not 0, and
/// with `sticky` it has at least two bits more than the format's.
fn round(
    format: Format,
    rounding: Rounding,
    sign: bool,
    exponent: i32,
    significand: u128,
    sticky: bool,
) -> u128 {
    debug_assert!(significand != 0);
    let length = 128 - significand.leading_zeros() as i32;
    let places = format.significand as i32 - 1;
    let bias = format.bias() as i32;
    let unit = (exponent + length - 1 - places).max(1 - bias - places);
    let shift = unit - exponent;
    let kept = if shift <= 0 {
        debug_assert!(!sticky);
        significand << -shift
    } else {
        let shift = shift as u32;
        let kept = significand.checked_shr(shift).unwrap_or(0);
        let half = shift <= 128 && significand >> (shift - 1) & 1 == 1;
        let below = if shift > 128 {
            significand
        } else {
            significand & mask(shift - 1)
        };
        let up = goes_up(rounding, sign, kept & 1 == 1, half, below != 0 || sticky);
        kept + u128::from(up)
    };
    // A carry out of the fraction adds 1 to the exponent, and the hidden bit does, too.
    let biased = (unit + places + bias - 1) as u128;
    let plain = (biased << places) + kept;
    let plain_infinity = mask(format.exponent) << places;
    let plain = if plain < plain_infinity {
        plain
    } else if goes_up(rounding, sign, true, true, true) {
        plain_infinity
    } else {
        plain_infinity - 1
    };
    format.pack(sign, plain)
}

fn add(format: Format, rounding: Rounding, a: u128, b: u128) -> u128 {
    match (unpack(format, a), unpack(format, b)) {
        (Number::Nan, _) | (_, Number::Nan) => format.nan(),
        (Number::Infinite(s), Number::Infinite(t)) if s != t => format.nan(),
        (Number::Infinite(_), _) => a,
        (_, Number::Infinite(_)) => b,
        (Number::Zero(s), Number::Zero(t)) => zero(
            format,
            if s == t {
                s
            } else {
                rounding == Rounding::Down
            },
        ),
        (Number::Zero(_), _) => b,
        (_, Number::Zero(_)) => a,
        (Number::Finite(x), Number::Finite(y)) => {
            let (x, y) = if x.exponent >= y.exponent {
                (x, y)
            } else {
                (y, x)
            };
            // Extra low bits, so that bits shifted out only need a sticky bit.
            const ROOM: u32 = 62;
            let distance = (x.exponent - y.exponent) as u32;
            let big = (x.significand << ROOM) as i128;
            let full = y.significand << ROOM;
            let small = full.checked_shr(distance).unwrap_or(0);
            let lost = small.checked_shl(distance).unwrap_or(0) != full;
            let mut sum = if x.sign == y.sign {
                big + small as i128
            } else {
                // The lost bits make the difference smaller: decrement, and set the sticky bit.
                big - small as i128 - i128::from(lost)
            };
            if sum == 0 {
                return zero(format, rounding == Rounding::Down);
            }
            let sign = x.sign ^ (sum < 0);
            sum = sum.abs();
            let exponent = x.exponent - ROOM as i32;
            round(format, rounding, sign, exponent, sum as u128, lost)
        }
    }
}

fn multiply(format: Format, rounding: Rounding, a: u128, b: u128) -> u128 {
    let sign = (a ^ b) >> (format.width() - 1) & 1 == 1;
    match (unpack(format, a), unpack(format, b)) {
        (Number::Nan, _)
        | (_, Number::Nan)
        | (Number::Infinite(_), Number::Zero(_))
        | (Number::Zero(_), Number::Infinite(_)) => format.nan(),
        (Number::Infinite(_), _) | (_, Number::Infinite(_)) => infinite(format, sign),
        (Number::Zero(_), _) | (_, Number::Zero(_)) => zero(format, sign),
        (Number::Finite(x), Number::Finite(y)) => round(
            format,
            rounding,
            sign,
            x.exponent + y.exponent,
            x.significand * y.significand,
            false,
        ),
    }
}

fn divide(format: Format, rounding: Rounding, a: u128, b: u128) -> u128 {
    let sign = (a ^ b) >> (format.width() - 1) & 1 == 1;
    match (unpack(format, a), unpack(format, b)) {
        (Number::Nan, _)
        | (_, Number::Nan)
        | (Number::Infinite(_), Number::Infinite(_))
        | (Number::Zero(_), Number::Zero(_)) => format.nan(),
        (Number::Infinite(_), _) | (_, Number::Zero(_)) => infinite(format, sign),
        (Number::Zero(_), _) | (_, Number::Infinite(_)) => zero(format, sign),
        (Number::Finite(x), Number::Finite(y)) => {
            let (mut quotient, mut rest) = (0u128, x.significand);
            let digits = format.significand + 3;
            for _ in 0..digits {
                quotient <<= 1;
                if rest >= y.significand {
                    quotient |= 1;
                    rest -= y.significand;
                }
                rest <<= 1;
            }
            let exponent = x.exponent - y.exponent - (digits as i32 - 1);
            round(format, rounding, sign, exponent, quotient, rest != 0)
        }
    }
}

fn square_root(format: Format, rounding: Rounding, a: u128) -> u128 {
    let x = match unpack(format, a) {
        Number::Zero(_) | Number::Infinite(false) => return a,
        Number::Finite(x) if !x.sign => x,
        _ => return format.nan(),
    };
    // The radicand is `x.significand * 2^odd`, up to an even power of two; its bits are taken in pairs from
    // the top.
    let top = x.exponent + format.significand as i32 - 1;
    let odd = (top & 1) as u32;
    let length = format.significand + 1;
    let radicand = x.significand << odd;
    let (mut root, mut rest) = (0u128, 0u128);
    let digits = format.significand + 2;
    for digit in 0..digits {
        let bit = |position: u32| {
            if position < length {
                radicand >> (length - 1 - position) & 1
            } else {
                0
            }
        };
        rest = rest << 2 | bit(2 * digit) << 1 | bit(2 * digit + 1);
        let trial = root << 2 | 1;
        root <<= 1;
        if rest >= trial {
            rest -= trial;
            root |= 1;
        }
    }
    let exponent = (top - odd as i32) / 2 - (digits as i32 - 1);
    round(format, rounding, false, exponent, root, rest != 0)
}

fn integral(format: Format, rounding: Rounding, a: u128) -> u128 {
    let x = match unpack(format, a) {
        Number::Nan => return format.nan(),
        Number::Finite(x) if x.exponent < 0 => x,
        _ => return a,
    };
    let shift = -x.exponent as u32;
    let kept = x.significand.checked_shr(shift).unwrap_or(0);
    let half = shift <= 128 && x.significand >> (shift - 1) & 1 == 1;
    let below = x.significand & mask((shift - 1).min(128));
    let up = goes_up(rounding, x.sign, kept & 1 == 1, half, below != 0);
    match kept + u128::from(up) {
        0 => zero(format, x.sign),
        kept => round(format, rounding, x.sign, 0, kept, false),
    }
}

/// Signed, as on x86: the smallest integer for all values out of range.
fn signed_integer(format: Format, a: u128, width: u32) -> u128 {
    let least = 1u128 << (width - 1);
    match unpack(format, a) {
        Number::Zero(_) => 0,
        Number::Finite(x) => {
            let length = x.exponent + format.significand as i32;
            if length > width as i32 {
                return least;
            }
            let magnitude = if x.exponent >= 0 {
                x.significand << x.exponent
            } else {
                x.significand.checked_shr(-x.exponent as u32).unwrap_or(0)
            };
            if magnitude >= least {
                return least;
            }
            debug_assert!(magnitude < least);
            let value = magnitude as i128;
            from_signed(if x.sign { -value } else { value }, width)
        }
        _ => least,
    }
}

/// Unsigned with 128 bits: 2^127 for all values out of range, which is undefined.
fn wide_integer(format: Format, a: u128) -> u128 {
    match unpack(format, a) {
        Number::Zero(_) => 0,
        Number::Finite(x) => {
            let magnitude = if x.exponent >= 0 {
                let length = x.exponent + format.significand as i32;
                (length <= 128).then(|| x.significand << x.exponent)
            } else {
                Some(x.significand.checked_shr(-x.exponent as u32).unwrap_or(0))
            };
            magnitude
                .filter(|&magnitude| magnitude == 0 || !x.sign)
                .unwrap_or(1 << 127)
        }
        _ => 1 << 127,
    }
}

fn integer(format: Format, a: u128, width: u32, signed: bool) -> u128 {
    match (width, signed) {
        (128, false) => wide_integer(format, a),
        (128, true) => signed_integer(format, a, 128),
        (64, false) => {
            let half = format.pack(
                false,
                ((63 + format.bias()) as u128) << (format.significand - 1),
            );
            if matches!(unpack(format, a), Number::Nan) || less(format, a, half, false) {
                return signed_integer(format, a, 64);
            }
            let lowered = add(format, Rounding::NearestEven, a, half | zero(format, true));
            signed_integer(format, lowered, 64) ^ 1 << 63
        }
        (64, _) | (32, true) => signed_integer(format, a, width),
        (32, false) => signed_integer(format, a, 64) & mask(32),
        _ => signed_integer(format, a, 32) & mask(width),
    }
}

/// Whether `a` is less than `b`, or equal with `equal`.
fn less(format: Format, a: u128, b: u128, equal: bool) -> bool {
    let (x, y) = (unpack(format, a), unpack(format, b));
    match (x, y) {
        (Number::Nan, _) | (_, Number::Nan) => false,
        (Number::Zero(_), Number::Zero(_)) => equal,
        _ => {
            // Magnitudes have the order of their bits.
            let key = |bits: u128| {
                let magnitude = (bits & mask(format.width() - 1)) as i128;
                if bits >> (format.width() - 1) & 1 == 1 {
                    -magnitude
                } else {
                    magnitude
                }
            };
            key(a) < key(b) || equal && key(a) == key(b)
        }
    }
}

/// The conversion of a float to another format.
pub(crate) fn convert(from: Format, to: Format, rounding: Rounding, a: u128) -> u128 {
    match unpack(from, a) {
        Number::Nan => to.nan(),
        Number::Infinite(sign) => infinite(to, sign),
        Number::Zero(sign) => zero(to, sign),
        Number::Finite(x) => round(to, rounding, x.sign, x.exponent, x.significand, false),
    }
}

/// The result of an operation, with the same arguments as `super::native`.
pub(crate) fn evaluate(
    op: FloatOp,
    format: Format,
    rounding: Rounding,
    (a, b): (u128, u128),
    operand_width: u32,
    width: u32,
) -> u128 {
    match op {
        FloatOp::Add => add(format, rounding, a, b),
        FloatOp::Sub => {
            if matches!(unpack(format, b), Number::Nan) {
                return format.nan();
            }
            add(format, rounding, a, b ^ zero(format, true))
        }
        FloatOp::Mul => multiply(format, rounding, a, b),
        FloatOp::Div => divide(format, rounding, a, b),
        FloatOp::Sqrt => square_root(format, rounding, a),
        FloatOp::Integral => integral(format, rounding, a),
        FloatOp::Equal => u128::from(less(format, a, b, true) && less(format, b, a, true)),
        FloatOp::Less => u128::from(less(format, a, b, false)),
        FloatOp::LessOrEqual => u128::from(less(format, a, b, true)),
        FloatOp::FromSigned | FloatOp::FromUnsigned => {
            let signed = to_signed(a, operand_width);
            let sign = op == FloatOp::FromSigned && signed < 0;
            let magnitude = if sign { signed.unsigned_abs() } else { a };
            if magnitude == 0 {
                return 0;
            }
            round(format, rounding, sign, 0, magnitude, false)
        }
        FloatOp::ToSigned => integer(format, a, width, true),
        FloatOp::ToUnsigned => integer(format, a, width, false),
        FloatOp::Convert => convert(format, Format::of_width(width), rounding, a),
    }
}

/// A natural number in words of 32 bits, the lowest first, without leading zeros.
#[derive(Clone, PartialEq, Eq)]
struct Natural(Vec<u32>);

impl Natural {
    fn multiply_add(&mut self, factor: u32, summand: u32) {
        let mut carry = u64::from(summand);
        for word in &mut self.0 {
            carry += u64::from(*word) * u64::from(factor);
            *word = carry as u32;
            carry >>= 32;
        }
        if carry > 0 {
            self.0.push(carry as u32);
        }
    }

    fn length(&self) -> i64 {
        self.0.last().map_or(0, |top| {
            self.0.len() as i64 * 32 - i64::from(top.leading_zeros())
        })
    }

    fn shift(&mut self, by: u32) {
        for _ in 0..by % 32 {
            self.multiply_add(2, 0);
        }
        self.0
            .splice(0..0, std::iter::repeat_n(0, (by / 32) as usize));
    }

    fn is_below(&self, other: &Self) -> bool {
        let key = |number: &Self| number.0.len();
        match key(self).cmp(&key(other)) {
            std::cmp::Ordering::Equal => self.0.iter().rev().lt(other.0.iter().rev()),
            order => order.is_lt(),
        }
    }

    /// Subtracts a number that is not larger.
    fn subtract(&mut self, other: &Self) {
        let mut borrow = false;
        for (index, word) in self.0.iter_mut().enumerate() {
            let (low, first) = word.overflowing_sub(other.0.get(index).copied().unwrap_or(0));
            let (low, second) = low.overflowing_sub(u32::from(borrow));
            *word = low;
            borrow = first || second;
        }
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
    }
}

/// The float nearest to a literal such as `1.25e-7` or `0x1.8p3`; `None` if it is malformed, or extremely
/// long.
pub(crate) fn literal(format: Format, text: &str) -> Option<u128> {
    let text = text.to_ascii_lowercase();
    let (text, base, mark) = match text.strip_prefix("0x") {
        Some(rest) => (rest, 16, 'p'),
        None => (text.as_str(), 10, 'e'),
    };
    let (digits, exponent) = text.split_once(mark).unwrap_or((text, "0"));
    let exponent: i64 = exponent.parse().ok()?;
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    if whole.len() + fraction.len() > 20_000 || whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let mut above = Natural(Vec::new());
    for digit in whole.chars().chain(fraction.chars()) {
        above.multiply_add(base, digit.to_digit(base)?);
    }
    if above.0.is_empty() {
        return Some(0);
    }
    let mut below = Natural(vec![1]);
    let fraction = fraction.len() as i64;
    let mut binary = 0i64;
    if base == 16 {
        binary = exponent.clamp(-100_000, 100_000) - 4 * fraction;
    } else {
        // Beyond these bounds, the result is zero or infinity.
        let power = (exponent - fraction).clamp(-30_000, 30_000);
        let grown = if power < 0 { &mut below } else { &mut above };
        for _ in 0..power.unsigned_abs() {
            grown.multiply_add(10, 0);
        }
    }
    // The quotient lies in [2^(n - 1), 2^(n + 1)), where n are the digits to come.
    let digits = i64::from(format.significand) + 3;
    let scale = digits - (above.length() - below.length());
    let grown = if scale < 0 { &mut below } else { &mut above };
    grown.shift(scale.unsigned_abs() as u32);
    let mut quotient = 0u128;
    // From the top: instead of shifting the divisor down again, the remainder is doubled.
    let top = (digits + 1) as u32;
    below.shift(top);
    for _ in 0..=top {
        quotient <<= 1;
        if !above.is_below(&below) {
            above.subtract(&below);
            quotient |= 1;
        }
        above.shift(1);
    }
    let exponent = i32::try_from(binary - scale).ok()?;
    Some(round(
        format,
        Rounding::NearestEven,
        false,
        exponent,
        quotient,
        !above.0.is_empty(),
    ))
}
