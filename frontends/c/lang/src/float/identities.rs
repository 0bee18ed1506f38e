//! Sums, products and quotients that need no arithmetic, since an operand is a constant that changes nothing
//! but signs and exponents, or since the operands are equal.
//!
//! Programs are full of `x * 1.0`, `x + 0.0` and `x / 2.0`, and a multiplier or divider of 53 bits that is
//! compared with its own operand costs a search.

use craig_word::{Term, mask};

use super::format::Rounding;
use super::terms::Builder;

/// What is special about a constant.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Special {
    Zero,
    /// A power of two whose reciprocal is a normal number, too.
    PowerOfTwo {
        /// As the format keeps it.
        biased: u128,
    },
}

impl Builder<'_> {
    /// The sign of an operand that is a special constant, and which it is.
    fn special(&self, operand: Term) -> Option<(bool, Special)> {
        let value = self.terms.constant_value(operand)?;
        let format = self.format;
        let biased = value >> format.exponent_at() & mask(format.exponent);
        let is_negative = value >> (format.width() - 1) & 1 == 1;
        if value & mask(format.significand - 1) != 0 {
            return None;
        }
        // Of exponents e and -e, none is 0 or the largest.
        let largest = mask(format.exponent) - 1;
        match biased {
            0 => Some((is_negative, Special::Zero)),
            1.. if biased < largest => Some((is_negative, Special::PowerOfTwo { biased })),
            _ => None,
        }
    }

    fn is_one(&self, special: Special) -> bool {
        let biased = self.format.bias() as u128;
        special == Special::PowerOfTwo { biased }
    }

    /// The operand with its sign changed or not, and with the one NaN in the place of all.
    fn unchanged(&mut self, operand: Term, negate: bool) -> Term {
        let format = self.format;
        let parts = self.unpack(operand, false);
        let biased = (self.terms).extract(operand, format.exponent_at(), format.exponent);
        let fraction = self.terms.extract(operand, 0, format.significand - 1);
        let plain = self.terms.concat(biased, fraction);
        let sign = match negate {
            true => self.terms.not(parts.sign),
            false => parts.sign,
        };
        let value = self.pack(sign, plain);
        let nan = self.terms.constant(format.nan(), format.width());
        self.terms.ite(parts.is_nan, nan, value)
    }

    /// The sum of the operands, which may be exchanged, where one of them is a zero or both are the same.
    pub(super) fn simple_sum(&mut self, a: Term, b: Term) -> Option<Term> {
        if a == b {
            let two = (self.format.bias() as u128 + 1) << (self.format.significand - 1);
            let two = (self.terms).constant(self.format.pack(false, two), self.format.width());
            return Some(self.multiply(a, two));
        }
        let (other, is_negative) = match (self.special(a), self.special(b)) {
            (Some((sign, Special::Zero)), _) => (b, sign),
            (_, Some((sign, Special::Zero))) => (a, sign),
            _ => return None,
        };
        // Zeros of different signs add up to +0, or to -0 where all is rounded down.
        let parts = self.unpack(other, false);
        let zero_sign = self.terms.boolean(is_negative);
        let differ = self.terms.xor(parts.sign, zero_sign);
        let down = self.rounds(Rounding::Down);
        let sign = self.terms.ite(differ, down, zero_sign);
        let nothing = self.constant(0, self.format.width() - 1);
        let zero = self.terms.concat(sign, nothing);
        let value = self.unchanged(other, false);
        Some(self.terms.ite(parts.is_zero, zero, value))
    }

    /// The product of the operands, which may be exchanged, where one of them is a zero, 1 or -1.
    pub(super) fn simple_product(&mut self, a: Term, b: Term) -> Option<Term> {
        let (other, (is_negative, special)) = match (self.special(a), self.special(b)) {
            (Some(found), _) if found.1 == Special::Zero || self.is_one(found.1) => (b, found),
            (_, Some(found)) if found.1 == Special::Zero || self.is_one(found.1) => (a, found),
            _ => return None,
        };
        if special != Special::Zero {
            return Some(self.unchanged(other, is_negative));
        }
        let parts = self.unpack(other, false);
        let zero_sign = self.terms.boolean(is_negative);
        let sign = self.terms.xor(parts.sign, zero_sign);
        let nothing = self.constant(0, self.format.width() - 1);
        let zero = self.terms.concat(sign, nothing);
        let no_number = self.terms.or(parts.is_nan, parts.is_infinite);
        let nan = self.terms.constant(self.format.nan(), self.format.width());
        Some(self.terms.ite(no_number, nan, zero))
    }

    /// The quotient where the divisor is a power of two: the product with its reciprocal, which is exact.
    pub(super) fn simple_quotient(&mut self, a: Term, b: Term) -> Option<Term> {
        let (is_negative, Special::PowerOfTwo { biased }) = self.special(b)? else {
            return None;
        };
        let reciprocal = 2 * self.format.bias() as u128 - biased;
        let plain = reciprocal << (self.format.significand - 1);
        let reciprocal =
            (self.terms).constant(self.format.pack(is_negative, plain), self.format.width());
        Some(self.multiply(a, reciprocal))
    }
}
