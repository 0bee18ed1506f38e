//! Values of bit-vectors of any width.

use std::cmp::Ordering;
use std::fmt;

use super::machine::{self, mask};
use super::op::Op;

/// The widest value that a machine integer holds.
pub(crate) const NARROW: u32 = 128;
const LIMB: u32 = u64::BITS;

/// A value of a bit-vector: a natural number below 2^width. Ordered by width, then as a number.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct BitVector {
    width: u32,
    digits: Digits,
}

/// No bit beyond the width is set.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Digits {
    /// Up to 128 bits.
    Narrow(u128),
    /// More than 128 bits, as limbs of 64 bits, the lowest first, as many as the width needs.
    Wide(Box<[u64]>),
}

impl BitVector {
    /// A number; bits beyond the width are dropped.
    ///
    /// # Panics
    /// If the width is 0.
    #[must_use]
    pub fn new(value: u128, width: u32) -> Self {
        Self::from_limbs(&[value as u64, (value >> LIMB) as u64], width)
    }

    /// A number from its limbs of 64 bits, the lowest first. Missing limbs are 0; bits beyond the width are
    /// dropped.
    ///
    /// # Panics
    /// If the width is 0.
    #[must_use]
    pub fn from_limbs(limbs: &[u64], width: u32) -> Self {
        assert!(width > 0, "a bit-vector has at least one bit");
        let limb = |index: usize| limbs.get(index).copied().unwrap_or(0);
        if width <= NARROW {
            let value = u128::from(limb(1)) << LIMB | u128::from(limb(0));
            return Self {
                width,
                digits: Digits::Narrow(value & mask(width)),
            };
        }
        let mut own: Box<[u64]> = (0..width.div_ceil(LIMB) as usize).map(limb).collect();
        let unused = own.len() as u32 * LIMB - width;
        if let Some(top) = own.last_mut() {
            *top &= u64::MAX >> unused;
        }
        Self {
            width,
            digits: Digits::Wide(own),
        }
    }

    /// A number from its digits to a base of at most 36, the highest first; bits beyond the width are
    /// dropped. `None` for an empty text or an invalid digit.
    #[must_use]
    pub fn from_digits(digits: &str, base: u32, width: u32) -> Option<Self> {
        let mut limbs = vec![0u64; width.div_ceil(LIMB) as usize];
        for digit in digits.chars() {
            let mut carry = u128::from(digit.to_digit(base)?);
            for limb in &mut limbs {
                let sum = u128::from(*limb) * u128::from(base) + carry;
                *limb = sum as u64;
                carry = sum >> LIMB;
            }
        }
        (!digits.is_empty()).then(|| Self::from_limbs(&limbs, width))
    }

    /// The width in bits.
    #[inline]
    #[must_use]
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The number, if it is below 2^128.
    #[must_use]
    pub fn to_u128(&self) -> Option<u128> {
        match &self.digits {
            Digits::Narrow(value) => Some(*value),
            Digits::Wide(limbs) => {
                let is_small = limbs[2..].iter().all(|&limb| limb == 0);
                is_small.then(|| u128::from(limbs[1]) << LIMB | u128::from(limbs[0]))
            }
        }
    }

    /// The limb with the given number, the lowest being 0; limbs beyond the width are 0.
    #[must_use]
    pub fn limb(&self, index: usize) -> u64 {
        match &self.digits {
            Digits::Narrow(value) if index < 2 => (value >> (LIMB * index as u32)) as u64,
            Digits::Narrow(_) => 0,
            Digits::Wide(limbs) => limbs.get(index).copied().unwrap_or(0),
        }
    }

    /// Whether a bit is set; the lowest has number 0, and bits beyond the width are not set.
    #[must_use]
    pub fn bit(&self, index: u32) -> bool {
        self.limb((index / LIMB) as usize) >> (index % LIMB) & 1 == 1
    }

    /// Whether all bits are 0.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        (0..self.n_limbs()).all(|index| self.limb(index) == 0)
    }

    /// Whether all bits are 1.
    #[must_use]
    pub fn is_ones(&self) -> bool {
        self.not().is_zero()
    }

    fn n_limbs(&self) -> usize {
        self.width.div_ceil(LIMB) as usize
    }

    fn is_negative(&self) -> bool {
        self.bit(self.width - 1)
    }

    /// A value from a function that returns each limb.
    fn build(width: u32, limb: impl FnMut(usize) -> u64) -> Self {
        let limbs: Vec<u64> = (0..width.div_ceil(LIMB) as usize).map(limb).collect();
        Self::from_limbs(&limbs, width)
    }

    /// Bitwise negation.
    #[must_use]
    pub fn not(&self) -> Self {
        Self::build(self.width, |index| !self.limb(index))
    }

    /// The negative in two's complement.
    #[must_use]
    pub fn neg(&self) -> Self {
        Self::new(0, self.width).sub(self)
    }

    /// The bits `low .. low + width`.
    ///
    /// # Panics
    /// In debug builds, if there are fewer bits.
    #[must_use]
    pub fn extract(&self, low: u32, width: u32) -> Self {
        debug_assert!(low + width <= self.width);
        self.shifted_right(low, width)
    }

    /// The concatenation with this value as the high part.
    #[must_use]
    pub fn concat(&self, low: &Self) -> Self {
        let width = self.width + low.width;
        let high = self.shifted_left(low.width, width);
        Self::build(width, |index| high.limb(index) | low.limb(index))
    }

    /// Zero extension.
    ///
    /// # Panics
    /// In debug builds, if the value is wider.
    #[must_use]
    pub fn zext(&self, width: u32) -> Self {
        debug_assert!(width >= self.width);
        Self::build(width, |index| self.limb(index))
    }

    /// Sign extension.
    ///
    /// # Panics
    /// In debug builds, if the value is wider.
    #[must_use]
    pub fn sext(&self, width: u32) -> Self {
        debug_assert!(width >= self.width);
        match self.is_negative() {
            true => self.not().zext(width).not(),
            false => self.zext(width),
        }
    }

    /// The bits from `by` upwards, `width` of them, with zeros beyond the end.
    fn shifted_right(&self, by: u32, width: u32) -> Self {
        let (limbs, bits) = ((by / LIMB) as usize, by % LIMB);
        Self::build(width, |index| {
            let low = self.limb(index + limbs) >> bits;
            match bits {
                0 => low,
                _ => low | self.limb(index + limbs + 1) << (LIMB - bits),
            }
        })
    }

    /// The value times 2^by, modulo 2^width.
    fn shifted_left(&self, by: u32, width: u32) -> Self {
        let (limbs, bits) = ((by / LIMB) as usize, by % LIMB);
        let limb = |index: Option<usize>| index.map_or(0, |index| self.limb(index));
        Self::build(width, |index| {
            let high = limb(index.checked_sub(limbs)) << bits;
            match bits {
                0 => high,
                _ => high | limb(index.checked_sub(limbs + 1)) >> (LIMB - bits),
            }
        })
    }

    fn add_with_carry(&self, other: &Self, mut carry: bool) -> Self {
        Self::build(self.width, |index| {
            let (sum, first) = self.limb(index).overflowing_add(other.limb(index));
            let (sum, second) = sum.overflowing_add(u64::from(carry));
            carry = first || second;
            sum
        })
    }

    fn sub(&self, other: &Self) -> Self {
        self.add_with_carry(&other.not(), true)
    }

    fn mul(&self, other: &Self) -> Self {
        let n = self.n_limbs();
        let mut limbs = vec![0u64; n];
        for i in 0..n {
            let mut carry = 0u128;
            for j in 0..n - i {
                let product = u128::from(self.limb(i)) * u128::from(other.limb(j));
                let sum = product + u128::from(limbs[i + j]) + carry;
                limbs[i + j] = sum as u64;
                carry = sum >> LIMB;
            }
        }
        Self::from_limbs(&limbs, self.width)
    }

    /// Quotient and remainder by shifting and subtracting; all ones and the dividend if the divisor is 0.
    fn divide(&self, divisor: &Self) -> (Self, Self) {
        if divisor.is_zero() {
            return (Self::new(0, self.width).not(), self.clone());
        }
        let mut quotient = vec![0u64; self.n_limbs()];
        // One bit wider, so that doubling does not overflow.
        let mut remainder = Self::new(0, self.width + 1);
        let divisor = divisor.zext(self.width + 1);
        for index in (0..self.width).rev() {
            remainder = remainder.shifted_left(1, self.width + 1);
            if self.bit(index) {
                remainder = remainder.add_with_carry(&Self::new(0, self.width + 1), true);
            }
            if remainder >= divisor {
                remainder = remainder.sub(&divisor);
                quotient[(index / LIMB) as usize] |= 1 << (index % LIMB);
            }
        }
        let remainder = remainder.extract(0, self.width);
        (Self::from_limbs(&quotient, self.width), remainder)
    }

    fn negate_if(&self, condition: bool) -> Self {
        if condition { self.neg() } else { self.clone() }
    }

    /// The result of a binary operator; that of a comparison is one bit wide.
    ///
    /// # Panics
    /// In debug builds, if the operands differ in width.
    #[must_use]
    pub fn binary(op: Op, a: &Self, b: &Self) -> Self {
        debug_assert_eq!(a.width, b.width);
        let width = a.width;
        if let (Digits::Narrow(x), Digits::Narrow(y)) = (&a.digits, &b.digits) {
            let value = machine::binary(op, *x, *y, width);
            return Self::new(value, if op.is_comparison() { 1 } else { width });
        }
        // Amounts beyond 128 bits are at least as large as the width, too.
        let by = b.to_u128().filter(|&by| by < u128::from(width));
        let truth = |value: bool| Self::new(u128::from(value), 1);
        match op {
            Op::And => Self::build(width, |index| a.limb(index) & b.limb(index)),
            Op::Xor => Self::build(width, |index| a.limb(index) ^ b.limb(index)),
            Op::Add => a.add_with_carry(b, false),
            Op::Sub => a.sub(b),
            Op::Mul => a.mul(b),
            Op::UDiv => a.divide(b).0,
            Op::URem => a.divide(b).1,
            Op::SDiv | Op::SRem => {
                let (s, t) = (a.is_negative(), b.is_negative());
                let (quotient, remainder) = a.negate_if(s).divide(&b.negate_if(t));
                match op {
                    Op::SDiv => quotient.negate_if(s != t),
                    _ => remainder.negate_if(s),
                }
            }
            Op::Shl => by.map_or(Self::new(0, width), |by| a.shifted_left(by as u32, width)),
            Op::LShr => by.map_or(Self::new(0, width), |by| a.shifted_right(by as u32, width)),
            Op::AShr => {
                let by = by.map_or(width - 1, |by| by as u32);
                a.extract(by, width - by).sext(width)
            }
            Op::Eq => truth(a == b),
            Op::Ult => truth(a < b),
            Op::Slt => truth(match (a.is_negative(), b.is_negative()) {
                (true, false) => true,
                (false, true) => false,
                _ => a < b,
            }),
        }
    }
}

impl Ord for BitVector {
    fn cmp(&self, other: &Self) -> Ordering {
        let limbs = |this: &Self| this.n_limbs();
        self.width.cmp(&other.width).then_with(|| {
            let mut indices = (0..limbs(self)).rev();
            let different = indices.find(|&index| self.limb(index) != other.limb(index));
            different.map_or(Ordering::Equal, |index| {
                self.limb(index).cmp(&other.limb(index))
            })
        })
    }
}

impl PartialOrd for BitVector {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// In hexadecimal, with the width: `0x1f:12`.
impl fmt::Debug for BitVector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:x}:{}", self.width)
    }
}

/// In hexadecimal, without leading zeros.
impl fmt::LowerHex for BitVector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("0x")?;
        let mut limbs = (0..self.n_limbs()).rev();
        let first = limbs.find(|&index| self.limb(index) != 0 || index == 0);
        let first = first.unwrap_or(0);
        write!(f, "{:x}", self.limb(first))?;
        (0..first)
            .rev()
            .try_for_each(|index| write!(f, "{:016x}", self.limb(index)))
    }
}
