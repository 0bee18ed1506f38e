//! IEEE 754 arithmetic over terms.

use craig_word::{Term, Terms, mask};

use super::evaluate;
use super::format::{Format, Rounding};
use super::operation::FloatOp;
use crate::types::FloatType;

/// The operation over terms, rounding in the mode of the word `mode` (see [`Rounding::of`]).
pub fn build(
    terms: &mut Terms,
    op: FloatOp,
    ty: FloatType,
    (a, b): (Term, Term),
    mode: Term,
    width: u32,
) -> Term {
    if let (Some(x), Some(y), Some(mode)) = (
        terms.constant_value(a),
        terms.constant_value(b),
        terms.constant_value(mode),
    ) {
        let operand_width = terms.width(a);
        let value = evaluate(op, ty, Rounding::of(mode), (x, y), operand_width, width);
        return terms.constant(value, width);
    }
    let format = Format::of(ty);
    let mut builder = Builder {
        terms,
        format,
        mode,
    };
    match op {
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
        FloatOp::Sqrt => builder.square_root(a),
        FloatOp::Integral => builder.integral(a),
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
        FloatOp::Convert => builder.convert(a, Format::of_width(width)),
    }
}

/// The width of exponents in computations: a sum of two exponents of x87's format, and of twice the number of
/// bits of its significand, fits.
pub(super) const EXPONENT_BITS: u32 = 18;

pub(super) struct Parts {
    pub(super) sign: Term,
    /// Unbiased, signed.
    pub(super) exponent: Term,
    /// With the hidden bit.
    pub(super) significand: Term,
    pub(super) is_nan: Term,
    pub(super) is_infinite: Term,
    pub(super) is_zero: Term,
}

pub(super) struct Builder<'t> {
    pub(super) terms: &'t mut Terms,
    pub(super) format: Format,
    mode: Term,
}

impl Builder<'_> {
    pub(super) fn constant(&mut self, value: i128, width: u32) -> Term {
        self.terms.constant(value as u128, width)
    }

    /// Unpacks a float. With `normal`, subnormal significands are normalised.
    pub(super) fn unpack(&mut self, a: Term, normal: bool) -> Parts {
        let Format {
            exponent: eb,
            significand: sb,
            ..
        } = self.format;
        let bias = self.format.bias();
        let sign = self.terms.extract(a, self.format.width() - 1, 1);
        let biased = self.terms.extract(a, self.format.exponent_at(), eb);
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

    /// Shifts the leading one to the top, and adjusts the exponent. The result for 0 is meaningless.
    pub(super) fn normalise(&mut self, mut significand: Term, mut exponent: Term) -> (Term, Term) {
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
    pub(super) fn widen(&mut self, significand: Term, width: u32) -> Term {
        let own = self.terms.width(significand);
        if own >= width {
            return significand;
        }
        let low = self.constant(0, width - own);
        self.terms.concat(significand, low)
    }

    /// Shifts to the right by an exponent; the lost bits are combined into the lowest bit.
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

    /// Whether the rounding mode is this one; numbers of no mode mean the default.
    pub(super) fn rounds(&mut self, rounding: Rounding) -> Term {
        let number = Rounding::ALL.iter().position(|&mode| mode == rounding);
        let number = self.constant(number.unwrap_or(0) as i128, Rounding::BITS);
        self.terms.eq(self.mode, number)
    }

    /// Whether rounding increments the magnitude: `half` is the first bit cut off, `rest` whether there are
    /// more, `odd` the last bit kept.
    fn goes_up(&mut self, sign: Term, odd: Term, half: Term, rest: Term) -> Term {
        let inexact = self.terms.or(half, rest);
        let (never, positive) = (self.terms.boolean(false), self.terms.not(sign));
        let up = self.terms.or(rest, odd);
        let mut result = self.terms.and(half, up);
        let (down, up) = (
            self.terms.and(inexact, sign),
            self.terms.and(inexact, positive),
        );
        for (rounding, value) in [
            (Rounding::NearestAway, half),
            (Rounding::Down, down),
            (Rounding::Up, up),
            (Rounding::Zero, never),
        ] {
            let chosen = self.rounds(rounding);
            result = self.terms.ite(chosen, value, result);
        }
        result
    }

    /// A float from its sign, exponent and fraction.
    pub(super) fn pack(&mut self, sign: Term, plain: Term) -> Term {
        let Format {
            exponent: eb,
            significand: sb,
            is_explicit,
        } = self.format;
        if !is_explicit {
            return self.terms.concat(sign, plain);
        }
        let biased = self.terms.extract(plain, sb - 1, eb);
        let fraction = self.terms.extract(plain, 0, sb - 1);
        let zero = self.constant(0, eb);
        let subnormal = self.terms.eq(biased, zero);
        let leading = self.terms.not(subnormal);
        let significand = self.terms.concat(leading, fraction);
        let magnitude = self.terms.concat(biased, significand);
        self.terms.concat(sign, magnitude)
    }

    /// The float for `significand / 2^(width - 1) * 2^exponent`, rounded. The leading one is at the top; the
    /// lowest bit is a sticky bit.
    pub(super) fn round(&mut self, sign: Term, exponent: Term, significand: Term) -> Term {
        let Format {
            exponent: eb,
            significand: sb,
            ..
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
        let up = self.goes_up(sign, odd, guard, sticky);
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
        let infinity = self.constant(mask(eb) as i128, eb);
        let infinity = self.terms.concat(infinity, no_fraction);
        let limit = self.terms.zext(infinity, total);
        let fits = self.terms.slt(sum, limit);
        let packed = self.terms.extract(sum, 0, eb + sb - 1);
        // Beyond the largest float the result is infinity, if rounding leads away from zero.
        let one = self.constant(1, eb + sb - 1);
        let largest = self.terms.sub(infinity, one);
        let always = self.terms.boolean(true);
        let beyond = self.goes_up(sign, always, always, always);
        let beyond = self.terms.ite(beyond, infinity, largest);
        let plain = self.terms.ite(fits, packed, beyond);
        self.pack(sign, plain)
    }

    /// Adds the special cases: NaN has precedence over infinity, that over zero.
    pub(super) fn finish(
        &mut self,
        value: Term,
        sign: Term,
        zero: Term,
        infinite: Term,
        nan: Term,
    ) -> Term {
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

    pub(super) fn add(&mut self, a: Term, b: Term) -> Term {
        // In one order, so that sums with the operands exchanged are one term.
        let (a, b) = (a.min(b), a.max(b));
        if let Some(sum) = self.simple_sum(a, b) {
            return sum;
        }
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
        // Opposite numbers add up to +0, or to -0 when rounding down; equal zeros keep their sign.
        let down = self.rounds(Rounding::Down);
        let zero_sign = self.terms.ite(differ, down, x.sign);
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

    pub(super) fn multiply(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = (a.min(b), a.max(b));
        if let Some(product) = self.simple_product(a, b) {
            return product;
        }
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

    /// Shifts up by one bit if the top bit is 0.
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
        if let Some(quotient) = self.simple_quotient(a, b) {
            return quotient;
        }
        let sb = self.format.significand;
        let (x, y) = (self.unpack(a, true), self.unpack(b, true));
        let sign = self.terms.xor(x.sign, y.sign);
        // Digit by digit. Both have their leading one at the top, so that the quotient lies in (1/2, 2).
        let width = sb + 1;
        let divisor = self.terms.zext(y.significand, width);
        let mut rest = self.terms.zext(x.significand, width);
        let mut quotient: Option<Term> = None;
        let one = self.constant(1, width);
        for _ in 0..sb + 3 {
            let below = self.terms.ult(rest, divisor);
            let digit = self.terms.not(below);
            let lowered = self.terms.sub(rest, divisor);
            let left = self.terms.ite(below, rest, lowered);
            rest = self.terms.shl(left, one);
            quotient = Some(match quotient {
                Some(higher) => self.terms.concat(higher, digit),
                None => digit,
            });
        }
        let nothing = self.constant(0, width);
        let exact = self.terms.eq(rest, nothing);
        let sticky = self.terms.not(exact);
        let significand = match quotient {
            Some(quotient) => self.terms.concat(quotient, sticky),
            None => sticky,
        };
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

    fn square_root(&mut self, a: Term) -> Term {
        let sb = self.format.significand;
        let x = self.unpack(a, true);
        // The root of a significand in [1, 4) lies in [1, 2); the remaining exponent is even.
        let odd = self.terms.extract(x.exponent, 0, 1);
        let zero = self.constant(0, 1);
        let (single, double) = (
            self.terms.concat(zero, x.significand),
            self.terms.concat(x.significand, zero),
        );
        let radicand = self.terms.ite(odd, double, single);
        let width = sb + 4;
        let mut rest = self.constant(0, width);
        let mut root = self.constant(0, width);
        let (one, two) = (self.constant(1, width), self.constant(2, width));
        for digit in 0..sb + 2 {
            // The next two bits of the radicand, which has `sb + 1` bits, followed by zeros.
            rest = self.terms.shl(rest, two);
            for (position, weight) in [(2 * digit, 1), (2 * digit + 1, 0)] {
                if position <= sb {
                    let bit = self.terms.extract(radicand, sb - position, 1);
                    let bit = self.terms.zext(bit, width);
                    let weight = self.constant(weight, width);
                    let bit = self.terms.shl(bit, weight);
                    rest = self.terms.or(rest, bit);
                }
            }
            let trial = self.terms.shl(root, two);
            let trial = self.terms.or(trial, one);
            let below = self.terms.ult(rest, trial);
            let lowered = self.terms.sub(rest, trial);
            rest = self.terms.ite(below, rest, lowered);
            let digit = self.terms.not(below);
            let digit = self.terms.zext(digit, width);
            root = self.terms.shl(root, one);
            root = self.terms.or(root, digit);
        }
        let nothing = self.constant(0, width);
        let exact = self.terms.eq(rest, nothing);
        let sticky = self.terms.not(exact);
        let root = self.terms.extract(root, 0, sb + 2);
        let significand = self.terms.concat(root, sticky);
        let half = self.terms.extract(x.exponent, 1, EXPONENT_BITS - 1);
        let exponent = self.terms.sext(half, EXPONENT_BITS);
        let rounded = self.round(x.sign, exponent, significand);
        let some = self.terms.not(x.is_zero);
        let negative = self.terms.and(x.sign, some);
        let nan = self.terms.or(x.is_nan, negative);
        self.finish(rounded, x.sign, x.is_zero, x.is_infinite, nan)
    }

    /// Rounded to an integer of the same format.
    fn integral(&mut self, a: Term) -> Term {
        let Format {
            exponent: eb,
            significand: sb,
            ..
        } = self.format;
        let width = eb + sb - 1;
        let x = self.unpack(a, false);
        let biased = self.terms.extract(a, self.format.exponent_at(), eb);
        let fraction = self.terms.extract(a, 0, sb - 1);
        let plain = self.terms.concat(biased, fraction);
        let (nothing, one) = (self.constant(0, width), self.constant(1, width));
        // The number of bits of the fraction that are cut off, for exponents of 0 and more.
        let places = self.constant(i128::from(sb) - 1, EXPONENT_BITS);
        let amount = self.terms.sub(places, x.exponent);
        let none = self.constant(0, EXPONENT_BITS);
        let is_whole = self.terms.sle(amount, none);
        let is_small = self.terms.slt(x.exponent, none);
        let amount = self.terms.zext(amount, width);
        let unit = self.terms.shl(one, amount);
        let below = self.terms.sub(unit, one);
        let cut = self.terms.and(plain, below);
        let whole = self.terms.xor(plain, cut);
        let half_unit = self.terms.lshr(unit, one);
        let half = self.terms.and(plain, half_unit);
        let is_set = |builder: &mut Self, word: Term| {
            let zero = builder.constant(0, builder.terms.width(word));
            let is_zero = builder.terms.eq(word, zero);
            builder.terms.not(is_zero)
        };
        let rest = self.terms.xor(cut, half);
        let (half, rest) = (is_set(self, half), is_set(self, rest));
        let odd = self.terms.and(plain, unit);
        let odd = is_set(self, odd);
        // The unit of numbers below 2 is the leading bit, which is not among these.
        let is_one = self.terms.eq(x.exponent, none);
        let odd = self.terms.or(odd, is_one);
        let up = self.goes_up(x.sign, odd, half, rest);
        let next = self.terms.add(whole, unit);
        let large = self.terms.ite(up, next, whole);
        // Below 1: from 1/2 on the leading bit is the half bit.
        let minus_one = self.constant(-1, EXPONENT_BITS);
        let half = self.terms.eq(x.exponent, minus_one);
        let (some_fraction, some) = (is_set(self, fraction), is_set(self, plain));
        let rest = self.terms.ite(half, some_fraction, some);
        let never = self.terms.boolean(false);
        let up = self.goes_up(x.sign, never, half, rest);
        let bias = self.constant(self.format.bias(), eb);
        let no_fraction = self.constant(0, sb - 1);
        let number_one = self.terms.concat(bias, no_fraction);
        let small = self.terms.ite(up, number_one, nothing);
        let result = self.terms.ite(is_small, small, large);
        let result = self.terms.ite(is_whole, plain, result);
        let value = self.pack(x.sign, result);
        let not_a_number = self.terms.constant(self.format.nan(), self.format.width());
        self.terms.ite(x.is_nan, not_a_number, value)
    }

    fn convert(&mut self, a: Term, target: Format) -> Term {
        let parts = self.unpack(a, true);
        self.format = target;
        let significand = self.widen(parts.significand, target.significand + 2);
        let rounded = self.round(parts.sign, parts.exponent, significand);
        self.finish(
            rounded,
            parts.sign,
            parts.is_zero,
            parts.is_infinite,
            parts.is_nan,
        )
    }
}
