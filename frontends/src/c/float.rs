//! IEEE 754 arithmetic: on the machine's own floats for constants, and over terms, rounding to the nearest.
//!
//! Results that are no number have one bit pattern, the quiet NaN without a sign. Conversions to integers that
//! do not fit give what x86 gives.

use crate::word::{Term, Terms, mask};

use super::ir::FloatOp;
use super::types::FloatType;

/// The bits of exponent and significand, the hidden one included.
#[derive(Clone, Copy)]
struct Format {
    exponent: u32,
    significand: u32,
}

impl Format {
    fn of(ty: FloatType) -> Result<Self, String> {
        match ty {
            FloatType::Single => Ok(Self {
                exponent: 8,
                significand: 24,
            }),
            FloatType::Double => Ok(Self {
                exponent: 11,
                significand: 53,
            }),
            FloatType::Extended => Err("arithmetic on `long double`".into()),
        }
    }

    fn width(self) -> u32 {
        self.exponent + self.significand
    }

    fn bias(self) -> i128 {
        (1 << (self.exponent - 1)) - 1
    }

    fn infinity(self) -> u128 {
        mask(self.exponent) << (self.significand - 1)
    }

    fn nan(self) -> u128 {
        self.infinity() | 1 << (self.significand - 2)
    }
}

/// What the operation yields on the machine.
pub(crate) fn native(
    op: FloatOp,
    format: FloatType,
    a: u128,
    b: u128,
    operand_width: u32,
    width: u32,
) -> u128 {
    let signed = |value: u128| crate::word::to_signed(value, operand_width);
    match op {
        FloatOp::FromSigned | FloatOp::FromUnsigned => {
            let value = if op == FloatOp::FromSigned {
                signed(a)
            } else {
                a as i128
            };
            return match format {
                FloatType::Single => u128::from((value as f32).to_bits()),
                _ => u128::from((value as f64).to_bits()),
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
    match format {
        FloatType::Single => {
            let (x, y) = (f32::from_bits(a as u32), f32::from_bits(b as u32));
            single_bits(match op {
                FloatOp::Add => x + y,
                FloatOp::Sub => x - y,
                FloatOp::Mul => x * y,
                FloatOp::Div => x / y,
                _ => x.sqrt(),
            })
        }
        _ => double_bits(match op {
            FloatOp::Add => x + y,
            FloatOp::Sub => x - y,
            FloatOp::Mul => x * y,
            FloatOp::Div => x / y,
            _ => x.sqrt(),
        }),
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

/// x86's conversion to 32 or 64 signed bits: the smallest integer for all that does not fit.
fn convert(value: f64, width: u32) -> u128 {
    let limit = 2f64.powi(width as i32 - 1);
    let truncated = value.trunc();
    if truncated >= -limit && truncated < limit {
        crate::word::from_signed(truncated as i128, width)
    } else {
        1 << (width - 1)
    }
}

fn to_integer(value: f64, width: u32, signed: bool) -> u128 {
    let half = 2f64.powi(63);
    match (width, signed) {
        (64, false) if value >= half => convert(value - half, 64) ^ 1 << 63,
        (64, _) | (32, true) => convert(value, width),
        (32, false) => convert(value, 64) & mask(32),
        _ => convert(value, 32) & mask(width),
    }
}

/// The operation over terms.
pub(crate) fn build(
    terms: &mut Terms,
    op: FloatOp,
    ty: FloatType,
    a: Term,
    b: Term,
    width: u32,
) -> Result<Term, String> {
    if ty == FloatType::Extended {
        return Err("arithmetic on `long double`".into());
    }
    if let (Some(x), Some(y)) = (terms.constant_value(a), terms.constant_value(b)) {
        let operand_width = terms.width(a);
        let value = native(op, ty, x, y, operand_width, width);
        return Ok(terms.constant(value, width));
    }
    let format = Format::of(ty)?;
    let mut builder = Builder { terms, format };
    Ok(match op {
        FloatOp::Add => builder.add(a, b),
        FloatOp::Sub => {
            let sign = builder
                .terms
                .constant(1 << (format.width() - 1), format.width());
            let negated = builder.terms.xor(b, sign);
            builder.add(a, negated)
        }
        FloatOp::Mul => builder.multiply(a, b),
        FloatOp::Div => builder.divide(a, b),
        FloatOp::Equal => builder.equal(a, b),
        FloatOp::Less => builder.less(a, b),
        FloatOp::LessOrEqual => {
            let less = builder.less(a, b);
            let equal = builder.equal(a, b);
            builder.terms.or(less, equal)
        }
        FloatOp::FromSigned => builder.integer(a, true),
        FloatOp::FromUnsigned => builder.integer(a, false),
        FloatOp::ToSigned => builder.integer_of(a, width, true),
        FloatOp::ToUnsigned => builder.integer_of(a, width, false),
        FloatOp::Convert => {
            let parts = builder.unpack(a, true);
            let target = if ty == FloatType::Single {
                FloatType::Double
            } else {
                FloatType::Single
            };
            builder.format = Format::of(target)?;
            let exponent = builder.terms.sext(parts.exponent, EXPONENT_BITS);
            let room = builder.format.significand + 2;
            let significand = builder.widen(parts.significand, room);
            let rounded = builder.round(parts.sign, exponent, significand);
            builder.finish(
                rounded,
                parts.sign,
                parts.is_zero,
                parts.is_infinite,
                parts.is_nan,
            )
        }
        FloatOp::Sqrt => return Err("a square root of an unknown value".into()),
    })
}

/// Exponents are kept in words of this width while they are computed with.
const EXPONENT_BITS: u32 = 16;

struct Parts {
    sign: Term,
    /// Unbiased, signed.
    exponent: Term,
    /// With the hidden bit.
    significand: Term,
    is_nan: Term,
    is_infinite: Term,
    is_zero: Term,
}

struct Builder<'t> {
    terms: &'t mut Terms,
    format: Format,
}

impl Builder<'_> {
    fn constant(&mut self, value: i128, width: u32) -> Term {
        self.terms.constant(value as u128, width)
    }

    /// Takes a float apart. `normal`: subnormal significands are shifted up.
    fn unpack(&mut self, a: Term, normal: bool) -> Parts {
        let Format {
            exponent: eb,
            significand: sb,
        } = self.format;
        let bias = self.format.bias();
        let sign = self.terms.extract(a, eb + sb - 1, 1);
        let biased = self.terms.extract(a, sb - 1, eb);
        let fraction = self.terms.extract(a, 0, sb - 1);
        let (no_exponent, all_ones) = (self.constant(0, eb), self.constant(-1, eb));
        let subnormal = self.terms.eq(biased, no_exponent);
        let special = self.terms.eq(biased, all_ones);
        let no_fraction = self.constant(0, sb - 1);
        let no_fraction = self.terms.eq(fraction, no_fraction);
        let some_fraction = self.terms.not(no_fraction);
        let hidden = self.terms.not(subnormal);
        let significand = self.terms.concat(hidden, fraction);
        let wide = self.terms.zext(biased, EXPONENT_BITS);
        let bias_term = self.constant(bias, EXPONENT_BITS);
        let unbiased = self.terms.sub(wide, bias_term);
        let smallest = self.constant(1 - bias, EXPONENT_BITS);
        let exponent = self.terms.ite(subnormal, smallest, unbiased);
        let (significand, exponent) = if normal {
            self.normalise(significand, exponent)
        } else {
            (significand, exponent)
        };
        Parts {
            sign,
            exponent,
            significand,
            is_nan: self.terms.and(special, some_fraction),
            is_infinite: self.terms.and(special, no_fraction),
            is_zero: self.terms.and(subnormal, no_fraction),
        }
    }

    /// Shifts the leading one to the top, and corrects the exponent. Of 0 nothing sensible comes out.
    fn normalise(&mut self, mut significand: Term, mut exponent: Term) -> (Term, Term) {
        let width = self.terms.width(significand);
        let mut step = 1;
        while step * 2 < width {
            step *= 2;
        }
        while step > 0 {
            let top = self.terms.extract(significand, width - step, step);
            let zero = self.constant(0, step);
            let empty = self.terms.eq(top, zero);
            let by = self.constant(i128::from(step), width);
            let shifted = self.terms.shl(significand, by);
            significand = self.terms.ite(empty, shifted, significand);
            let by = self.constant(i128::from(step), EXPONENT_BITS);
            let lowered = self.terms.sub(exponent, by);
            exponent = self.terms.ite(empty, lowered, exponent);
            step /= 2;
        }
        (significand, exponent)
    }

    /// Zeros below, up to `width` bits.
    fn widen(&mut self, significand: Term, width: u32) -> Term {
        let own = self.terms.width(significand);
        if own >= width {
            return significand;
        }
        let low = self.constant(0, width - own);
        self.terms.concat(significand, low)
    }

    /// Shifts to the right by an exponent's worth; what is lost stays as the lowest bit.
    fn shift_sticky(&mut self, a: Term, amount: Term) -> Term {
        let width = self.terms.width(a);
        let limit = self.constant(i128::from(width), EXPONENT_BITS);
        let far = self.terms.ult(limit, amount);
        let amount = self.terms.ite(far, limit, amount);
        let amount = if width >= EXPONENT_BITS {
            self.terms.zext(amount, width)
        } else {
            self.terms.extract(amount, 0, width)
        };
        let shifted = self.terms.lshr(a, amount);
        let back = self.terms.shl(shifted, amount);
        let lost = self.terms.eq(back, a);
        let lost = self.terms.not(lost);
        let sticky = self.terms.zext(lost, width);
        self.terms.or(shifted, sticky)
    }

    /// The float nearest to `significand / 2^(width - 1) * 2^exponent`, ties to even. The leading one is at the
    /// top; the lowest bit may stand for anything below it.
    fn round(&mut self, sign: Term, exponent: Term, significand: Term) -> Term {
        let Format {
            exponent: eb,
            significand: sb,
        } = self.format;
        let bias = self.format.bias();
        let width = self.terms.width(significand);
        debug_assert!(width >= sb + 2);
        let smallest = self.constant(1 - bias, EXPONENT_BITS);
        let tiny = self.terms.slt(exponent, smallest);
        let missing = self.terms.sub(smallest, exponent);
        let nothing = self.constant(0, EXPONENT_BITS);
        let amount = self.terms.ite(tiny, missing, nothing);
        let shifted = self.shift_sticky(significand, amount);
        let kept = self.terms.extract(shifted, width - sb, sb);
        let guard = self.terms.extract(shifted, width - sb - 1, 1);
        let rest = self.terms.extract(shifted, 0, width - sb - 1);
        let no_rest = self.constant(0, width - sb - 1);
        let no_rest = self.terms.eq(rest, no_rest);
        let sticky = self.terms.not(no_rest);
        let odd = self.terms.extract(kept, 0, 1);
        let up = self.terms.or(sticky, odd);
        let up = self.terms.and(guard, up);
        // The hidden bit and a carry out of the fraction both add 1 to the exponent below.
        let bias_term = self.constant(bias - 1, EXPONENT_BITS);
        let biased = self.terms.add(exponent, bias_term);
        let biased = self.terms.ite(tiny, nothing, biased);
        let total = EXPONENT_BITS + sb - 1;
        let no_fraction = self.constant(0, sb - 1);
        let high = self.terms.concat(biased, no_fraction);
        let low = self.terms.zext(kept, total);
        let sum = self.terms.add(high, low);
        let up = self.terms.zext(up, total);
        let sum = self.terms.add(sum, up);
        let infinity = self.format.infinity();
        let limit = self.terms.constant(infinity, total);
        let fits = self.terms.slt(sum, limit);
        let packed = self.terms.extract(sum, 0, eb + sb - 1);
        let infinite = self.terms.constant(infinity, eb + sb - 1);
        let magnitude = self.terms.ite(fits, packed, infinite);
        self.terms.concat(sign, magnitude)
    }

    /// Puts the special cases in: NaN before infinity before zero.
    fn finish(&mut self, value: Term, sign: Term, zero: Term, infinite: Term, nan: Term) -> Term {
        let width = self.format.width();
        let nothing = self.constant(0, width - 1);
        let signed_zero = self.terms.concat(sign, nothing);
        let infinity = self.terms.constant(self.format.infinity(), width - 1);
        let signed_infinity = self.terms.concat(sign, infinity);
        let not_a_number = self.terms.constant(self.format.nan(), width);
        let value = self.terms.ite(zero, signed_zero, value);
        let value = self.terms.ite(infinite, signed_infinity, value);
        self.terms.ite(nan, not_a_number, value)
    }

    fn add(&mut self, a: Term, b: Term) -> Term {
        let Format {
            significand: sb, ..
        } = self.format;
        let width = self.format.width();
        // The larger magnitude first.
        let (x, y) = (
            self.terms.extract(a, 0, width - 1),
            self.terms.extract(b, 0, width - 1),
        );
        let swap = self.terms.ult(x, y);
        let (first, second) = (self.terms.ite(swap, b, a), self.terms.ite(swap, a, b));
        let (x, y) = (self.unpack(first, false), self.unpack(second, false));
        let distance = self.terms.sub(x.exponent, y.exponent);
        let (big, small) = (
            self.widen(x.significand, sb + 3),
            self.widen(y.significand, sb + 3),
        );
        let small = self.shift_sticky(small, distance);
        let (big, small) = (self.terms.zext(big, sb + 4), self.terms.zext(small, sb + 4));
        let differ = self.terms.xor(x.sign, y.sign);
        let (sum, difference) = (self.terms.add(big, small), self.terms.sub(big, small));
        let result = self.terms.ite(differ, difference, sum);
        let nothing = self.constant(0, sb + 4);
        let cancelled = self.terms.eq(result, nothing);
        let one = self.constant(1, EXPONENT_BITS);
        let exponent = self.terms.add(x.exponent, one);
        let (significand, exponent) = self.normalise(result, exponent);
        let rounded = self.round(x.sign, exponent, significand);
        // Opposite numbers add up to +0; equal zeros keep their sign.
        let same = self.terms.not(differ);
        let zero_sign = self.terms.and(same, x.sign);
        let nothing = self.constant(0, width - 1);
        let zero = self.terms.concat(zero_sign, nothing);
        let value = self.terms.ite(cancelled, zero, rounded);
        let either = self.terms.or(x.is_nan, y.is_nan);
        let both = self.terms.and(x.is_infinite, y.is_infinite);
        let opposite = self.terms.and(both, differ);
        let nan = self.terms.or(either, opposite);
        let never = self.terms.boolean(false);
        self.finish(value, x.sign, never, x.is_infinite, nan)
    }

    fn multiply(&mut self, a: Term, b: Term) -> Term {
        let sb = self.format.significand;
        let (x, y) = (self.unpack(a, true), self.unpack(b, true));
        let sign = self.terms.xor(x.sign, y.sign);
        let (p, q) = (
            self.terms.zext(x.significand, 2 * sb),
            self.terms.zext(y.significand, 2 * sb),
        );
        let product = self.terms.mul(p, q);
        let exponent = self.terms.add(x.exponent, y.exponent);
        let one = self.constant(1, EXPONENT_BITS);
        let exponent = self.terms.add(exponent, one);
        let (significand, exponent) = self.normalise_once(product, exponent);
        let rounded = self.round(sign, exponent, significand);
        let zero = self.terms.or(x.is_zero, y.is_zero);
        let infinite = self.terms.or(x.is_infinite, y.is_infinite);
        let invalid = self.terms.and(zero, infinite);
        let nan = self.terms.or(x.is_nan, y.is_nan);
        let nan = self.terms.or(nan, invalid);
        self.finish(rounded, sign, zero, infinite, nan)
    }

    /// Shifts up by one place where the top bit is 0.
    fn normalise_once(&mut self, significand: Term, exponent: Term) -> (Term, Term) {
        let width = self.terms.width(significand);
        let top = self.terms.extract(significand, width - 1, 1);
        let one = self.constant(1, width);
        let shifted = self.terms.shl(significand, one);
        let one = self.constant(1, EXPONENT_BITS);
        let lowered = self.terms.sub(exponent, one);
        (
            self.terms.ite(top, significand, shifted),
            self.terms.ite(top, exponent, lowered),
        )
    }

    fn divide(&mut self, a: Term, b: Term) -> Term {
        let sb = self.format.significand;
        let (x, y) = (self.unpack(a, true), self.unpack(b, true));
        let sign = self.terms.xor(x.sign, y.sign);
        let width = 2 * sb + 3;
        let dividend = self.widen(x.significand, width - 1);
        let dividend = self.terms.zext(dividend, width);
        let divisor = self.terms.zext(y.significand, width);
        let quotient = self.terms.udiv(dividend, divisor);
        let remainder = self.terms.urem(dividend, divisor);
        let nothing = self.constant(0, width);
        let exact = self.terms.eq(remainder, nothing);
        let sticky = self.terms.not(exact);
        // Both have their leading one at the top, so that the quotient lies in (2^(sb+1), 2^(sb+3)).
        let quotient = self.terms.extract(quotient, 0, sb + 3);
        let significand = self.terms.concat(quotient, sticky);
        let exponent = self.terms.sub(x.exponent, y.exponent);
        let (significand, exponent) = self.normalise_once(significand, exponent);
        let rounded = self.round(sign, exponent, significand);
        let zero = self.terms.or(x.is_zero, y.is_infinite);
        let infinite = self.terms.or(x.is_infinite, y.is_zero);
        let (zeros, infinities) = (
            self.terms.and(x.is_zero, y.is_zero),
            self.terms.and(x.is_infinite, y.is_infinite),
        );
        let nan = self.terms.or(x.is_nan, y.is_nan);
        let nan = self.terms.or(nan, zeros);
        let nan = self.terms.or(nan, infinities);
        self.finish(rounded, sign, zero, infinite, nan)
    }

    fn is_nan(&mut self, a: Term) -> Term {
        let width = self.format.width();
        let magnitude = self.terms.extract(a, 0, width - 1);
        let infinity = self.terms.constant(self.format.infinity(), width - 1);
        self.terms.ult(infinity, magnitude)
    }

    fn both_zero(&mut self, a: Term, b: Term) -> Term {
        let width = self.format.width();
        let (x, y) = (
            self.terms.extract(a, 0, width - 1),
            self.terms.extract(b, 0, width - 1),
        );
        let zero = self.constant(0, width - 1);
        let (x, y) = (self.terms.eq(x, zero), self.terms.eq(y, zero));
        self.terms.and(x, y)
    }

    fn ordered(&mut self, a: Term, b: Term) -> Term {
        let (x, y) = (self.is_nan(a), self.is_nan(b));
        let either = self.terms.or(x, y);
        self.terms.not(either)
    }

    fn equal(&mut self, a: Term, b: Term) -> Term {
        let same = self.terms.eq(a, b);
        let zeros = self.both_zero(a, b);
        let equal = self.terms.or(same, zeros);
        let ordered = self.ordered(a, b);
        self.terms.and(ordered, equal)
    }

    fn less(&mut self, a: Term, b: Term) -> Term {
        let width = self.format.width();
        let (s, t) = (
            self.terms.extract(a, width - 1, 1),
            self.terms.extract(b, width - 1, 1),
        );
        let (up, down) = (self.terms.ult(a, b), self.terms.ult(b, a));
        // Of two negative numbers the one with the larger magnitude is less.
        let same_sign = self.terms.ite(s, down, up);
        let differ = self.terms.xor(s, t);
        let less = self.terms.ite(differ, s, same_sign);
        let zeros = self.both_zero(a, b);
        let some = self.terms.not(zeros);
        let less = self.terms.and(less, some);
        let ordered = self.ordered(a, b);
        self.terms.and(ordered, less)
    }

    fn integer(&mut self, a: Term, signed: bool) -> Term {
        let width = self.terms.width(a);
        let sign = if signed {
            self.terms.extract(a, width - 1, 1)
        } else {
            self.terms.boolean(false)
        };
        let negated = self.terms.neg(a);
        let magnitude = self.terms.ite(sign, negated, a);
        let zero = self.constant(0, width);
        let is_zero = self.terms.eq(a, zero);
        let exponent = self.constant(i128::from(width) - 1, EXPONENT_BITS);
        let room = self.format.significand + 2;
        let magnitude = self.widen(magnitude, room);
        let (significand, exponent) = self.normalise(magnitude, exponent);
        let rounded = self.round(sign, exponent, significand);
        let never = self.terms.boolean(false);
        self.finish(rounded, sign, is_zero, never, never)
    }

    /// x86's conversion to 32 or 64 signed bits.
    fn signed_integer(&mut self, a: Term, width: u32) -> Term {
        let sb = self.format.significand;
        let parts = self.unpack(a, false);
        let room = width.max(sb) + 1;
        let significand = self.terms.zext(parts.significand, room);
        let places = self.constant(i128::from(sb) - 1, EXPONENT_BITS);
        let left = self.terms.sub(parts.exponent, places);
        let right = self.terms.sub(places, parts.exponent);
        let goes_right = self.terms.slt(left, right);
        let limit = self.constant(i128::from(room), EXPONENT_BITS);
        let clamp = |builder: &mut Self, amount: Term| {
            let far = builder.terms.ult(limit, amount);
            let amount = builder.terms.ite(far, limit, amount);
            if room >= EXPONENT_BITS {
                builder.terms.zext(amount, room)
            } else {
                builder.terms.extract(amount, 0, room)
            }
        };
        let (left, right) = (clamp(self, left), clamp(self, right));
        let (up, down) = (
            self.terms.shl(significand, left),
            self.terms.lshr(significand, right),
        );
        let magnitude = self.terms.ite(goes_right, down, up);
        let magnitude = self.terms.extract(magnitude, 0, width);
        let negated = self.terms.neg(magnitude);
        let value = self.terms.ite(parts.sign, negated, magnitude);
        // In range: the exponent says so, or the value is the smallest integer, which is also the answer else.
        let top = self.constant(i128::from(width) - 1, EXPONENT_BITS);
        let small = self.terms.slt(parts.exponent, top);
        let special = self.terms.or(parts.is_nan, parts.is_infinite);
        let ordinary = self.terms.not(special);
        let fits = self.terms.and(small, ordinary);
        let smallest = self.terms.constant(1 << (width - 1), width);
        self.terms.ite(fits, value, smallest)
    }

    fn integer_of(&mut self, a: Term, width: u32, signed: bool) -> Term {
        match (width, signed) {
            (64, false) => {
                let half = native(
                    FloatOp::FromUnsigned,
                    self.ty(),
                    1 << 63,
                    0,
                    64,
                    self.format.width(),
                );
                let half = self.terms.constant(half, self.format.width());
                let below = self.less(a, half);
                let nan = self.is_nan(a);
                let below = self.terms.or(below, nan);
                let sign = self
                    .terms
                    .constant(1 << (self.format.width() - 1), self.format.width());
                let negated = self.terms.xor(half, sign);
                let lowered = self.add(a, negated);
                let high = self.signed_integer(lowered, 64);
                let top = self.terms.constant(1 << 63, 64);
                let high = self.terms.xor(high, top);
                let low = self.signed_integer(a, 64);
                self.terms.ite(below, low, high)
            }
            (64 | 32, true) => self.signed_integer(a, width),
            (32, false) => {
                let wide = self.signed_integer(a, 64);
                self.terms.extract(wide, 0, 32)
            }
            _ => {
                let wide = self.signed_integer(a, 32);
                self.terms.extract(wide, 0, width)
            }
        }
    }

    fn ty(&self) -> FloatType {
        if self.format.exponent == 8 {
            FloatType::Single
        } else {
            FloatType::Double
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::word::Evaluator;

    fn random(state: &mut u64) -> u64 {
        *state ^= *state << 13;
        *state ^= *state >> 7;
        *state ^= *state << 17;
        *state
    }

    /// Floats with a fondness for corners: zeros, infinities, NaNs, subnormals, small integers, neighbours.
    fn operand(state: &mut u64, ty: FloatType, near: u128) -> u128 {
        let choice = random(state) % 12;
        let format = Format::of(ty).unwrap();
        let bits = u128::from(random(state)) & mask(format.width());
        let sign = u128::from(random(state) & 1) << (format.width() - 1);
        sign ^ match choice {
            0 => 0,
            1 => format.infinity(),
            2 => format.nan() | bits & mask(format.significand - 1),
            3 => bits & mask(format.significand - 1),
            4 => native(
                FloatOp::FromSigned,
                ty,
                u128::from(random(state) % 2000),
                0,
                64,
                format.width(),
            ),
            5 => 1 << (format.significand - 1) | bits & 3,
            6 => near ^ u128::from(random(state) & 7),
            7 => native(
                FloatOp::FromSigned,
                ty,
                u128::from(random(state) >> (random(state) % 63)),
                0,
                64,
                0,
            ),
            _ => bits,
        }
    }

    #[test]
    fn terms_agree_with_the_machine() {
        let mut state = 0x1357_9bdf_2468_aceb;
        for ty in [FloatType::Single, FloatType::Double] {
            let width = Format::of(ty).unwrap().width();
            let binary = [
                FloatOp::Add,
                FloatOp::Sub,
                FloatOp::Mul,
                FloatOp::Div,
                FloatOp::Equal,
                FloatOp::Less,
                FloatOp::LessOrEqual,
            ];
            for op in binary {
                let result = if matches!(op, FloatOp::Equal | FloatOp::Less | FloatOp::LessOrEqual)
                {
                    1
                } else {
                    width
                };
                let mut terms = Terms::new();
                let (a, b) = (terms.variable(width), terms.variable(width));
                let root = build(&mut terms, op, ty, a, b, result).unwrap();
                for _ in 0..1500 {
                    let x = operand(&mut state, ty, 0);
                    let y = operand(&mut state, ty, x);
                    let mut evaluator =
                        Evaluator::new(&terms, |_, number| if number == 0 { x } else { y });
                    let expected = native(op, ty, x, y, width, result);
                    assert_eq!(
                        evaluator.value(root),
                        expected,
                        "{op:?} {ty:?} {x:#x} {y:#x}"
                    );
                }
            }
        }
    }

    #[test]
    fn conversions_agree_with_the_machine() {
        let mut state = 0x0f0f_1234_5678_9abc;
        for ty in [FloatType::Single, FloatType::Double] {
            let width = Format::of(ty).unwrap().width();
            for integer in [8, 16, 32, 64] {
                for op in [
                    FloatOp::FromSigned,
                    FloatOp::FromUnsigned,
                    FloatOp::ToSigned,
                    FloatOp::ToUnsigned,
                ] {
                    let from = matches!(op, FloatOp::FromSigned | FloatOp::FromUnsigned);
                    let (operand_width, result) = if from {
                        (integer, width)
                    } else {
                        (width, integer)
                    };
                    let mut terms = Terms::new();
                    let a = terms.variable(operand_width);
                    let root = build(&mut terms, op, ty, a, a, result).unwrap();
                    for _ in 0..800 {
                        let x = if from {
                            u128::from(random(&mut state) >> (random(&mut state) % 64))
                                & mask(integer)
                        } else {
                            operand(&mut state, ty, 0)
                        };
                        let mut evaluator = Evaluator::new(&terms, |_, _| x);
                        let expected = native(op, ty, x, x, operand_width, result);
                        assert_eq!(
                            evaluator.value(root),
                            expected,
                            "{op:?} {ty:?} {x:#x} {integer}"
                        );
                    }
                }
            }
            let other = 96 - width;
            let mut terms = Terms::new();
            let a = terms.variable(width);
            let root = build(&mut terms, FloatOp::Convert, ty, a, a, other).unwrap();
            for _ in 0..4000 {
                let x = operand(&mut state, ty, 0);
                let mut evaluator = Evaluator::new(&terms, |_, _| x);
                let expected = native(FloatOp::Convert, ty, x, x, width, other);
                assert_eq!(evaluator.value(root), expected, "{ty:?} {x:#x}");
            }
        }
    }
}
