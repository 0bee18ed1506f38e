//! Comparisons of floats over terms, and conversions between floats and integers.

use craig_word::Term;

use super::terms::{Builder, EXPONENT_BITS, Parts};

impl Builder<'_> {
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

    pub(super) fn equal(&mut self, a: Term, b: Term) -> Term {
        let same = self.terms.eq(a, b);
        let zeros = self.both_zero(a, b);
        let equal = self.terms.or(same, zeros);
        let ordered = self.ordered(a, b);
        self.terms.and(ordered, equal)
    }

    pub(super) fn less(&mut self, a: Term, b: Term) -> Term {
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

    pub(super) fn integer(&mut self, a: Term, signed: bool) -> Term {
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

    /// The magnitude of a float without its fraction, if that has at most `width` bits; with the float's
    /// parts.
    fn truncated(&mut self, a: Term, width: u32) -> (Parts, Term) {
        let sb = self.format.significand;
        let parts = self.unpack(a, false);
        let room = width.max(sb);
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
        (parts, self.terms.extract(magnitude, 0, width))
    }

    /// x86's conversion to 32 or 64 signed bits, and the analogous one to 128.
    fn signed_integer(&mut self, a: Term, width: u32) -> Term {
        let (parts, magnitude) = self.truncated(a, width);
        let negated = self.terms.neg(magnitude);
        let value = self.terms.ite(parts.sign, negated, magnitude);
        // In range by the exponent, or the value is the smallest integer, which is also the result if it is
        // out of range.
        let top = self.constant(i128::from(width) - 1, EXPONENT_BITS);
        let small = self.terms.slt(parts.exponent, top);
        let special = self.terms.or(parts.is_nan, parts.is_infinite);
        let ordinary = self.terms.not(special);
        let fits = self.terms.and(small, ordinary);
        let smallest = self.terms.constant(1 << (width - 1), width);
        self.terms.ite(fits, value, smallest)
    }

    /// To 128 bits without a sign: 2^127 for all values out of range, which is undefined.
    fn wide_integer(&mut self, a: Term) -> Term {
        let (parts, magnitude) = self.truncated(a, 128);
        let top = self.constant(128, EXPONENT_BITS);
        let zero = self.constant(0, EXPONENT_BITS);
        let small = self.terms.slt(parts.exponent, top);
        let below_one = self.terms.slt(parts.exponent, zero);
        let positive = self.terms.not(parts.sign);
        let has_sign = self.terms.or(positive, below_one);
        let fits = self.terms.and(small, has_sign);
        let special = self.terms.or(parts.is_nan, parts.is_infinite);
        let ordinary = self.terms.not(special);
        let fits = self.terms.and(fits, ordinary);
        let misfit = self.terms.constant(1 << 127, 128);
        self.terms.ite(fits, magnitude, misfit)
    }

    pub(super) fn integer_of(&mut self, a: Term, width: u32, signed: bool) -> Term {
        match (width, signed) {
            (128, true) => self.signed_integer(a, 128),
            (128, false) => self.wide_integer(a),
            (64, false) => {
                let half = self.format.pack(
                    false,
                    ((63 + self.format.bias()) as u128) << (self.format.significand - 1),
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
}
