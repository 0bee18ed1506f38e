//! The formats of numbers and the rounding modes.

use craig_word::mask;

use crate::types::FloatType;

/// The bits of exponent and significand, the leading one included.
#[derive(Clone, Copy)]
pub(super) struct Format {
    pub(super) exponent: u32,
    pub(super) significand: u32,
    /// Whether the leading bit of the significand is stored.
    pub(super) is_explicit: bool,
}

impl Format {
    pub(super) const fn of(ty: FloatType) -> Self {
        match ty {
            FloatType::Single => Self {
                exponent: 8,
                significand: 24,
                is_explicit: false,
            },
            FloatType::Double => Self {
                exponent: 11,
                significand: 53,
                is_explicit: false,
            },
            // No operation uses the format of 128 bits: lowering rejects it.
            FloatType::Extended | FloatType::Quadruple => Self {
                exponent: 15,
                significand: 64,
                is_explicit: true,
            },
        }
    }

    /// The format whose values have `width` bits.
    pub(super) fn of_width(width: u32) -> Self {
        Self::of(match width {
            32 => FloatType::Single,
            64 => FloatType::Double,
            _ => FloatType::Extended,
        })
    }

    pub(super) fn width(self) -> u32 {
        self.exponent_at() + self.exponent + 1
    }

    /// The position of the exponent's lowest bit.
    pub(super) fn exponent_at(self) -> u32 {
        self.significand - 1 + u32::from(self.is_explicit)
    }

    pub(super) fn bias(self) -> i128 {
        (1 << (self.exponent - 1)) - 1
    }

    /// The value with the given sign, exponent and fraction.
    pub(super) fn pack(self, sign: bool, plain: u128) -> u128 {
        let sign = u128::from(sign) << (self.width() - 1);
        let places = self.significand - 1;
        if !self.is_explicit {
            return sign | plain;
        }
        let biased = plain >> places;
        let leading = u128::from(biased != 0) << places;
        sign | biased << (places + 1) | leading | plain & mask(places)
    }

    pub(super) fn infinity(self) -> u128 {
        self.pack(false, mask(self.exponent) << (self.significand - 1))
    }

    pub(super) fn nan(self) -> u128 {
        self.infinity() | 1 << (self.significand - 2)
    }
}

/// How inexact results are rounded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rounding {
    /// To the nearest, ties to even.
    NearestEven,
    /// Towards negative infinity.
    Down,
    /// Towards positive infinity.
    Up,
    /// Towards zero.
    Zero,
    /// To the nearest, ties away from zero.
    NearestAway,
}

impl Rounding {
    /// The width of the words for rounding modes.
    pub(crate) const BITS: u32 = 3;

    /// Numbered as on x86, which has no mode with the number 4; further numbers mean the default.
    pub(crate) const ALL: [Self; 5] = [
        Self::NearestEven,
        Self::Down,
        Self::Up,
        Self::Zero,
        Self::NearestAway,
    ];

    /// The direction with this number in the C library.
    pub fn of(number: u128) -> Self {
        usize::try_from(number)
            .ok()
            .and_then(|number| Self::ALL.get(number).copied())
            .unwrap_or(Self::NearestEven)
    }
}
