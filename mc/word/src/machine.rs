//! Operators on words of up to 128 bits, in machine integers.

use super::op::Op;

/// The word of `width` ones, at most 128.
#[inline]
#[must_use]
pub fn mask(width: u32) -> u128 {
    if width >= 128 {
        u128::MAX
    } else {
        (1 << width) - 1
    }
}

/// The value of a word in two's complement.
#[inline]
#[must_use]
pub fn to_signed(value: u128, width: u32) -> i128 {
    let unused = 128 - width;
    ((value << unused) as i128) >> unused
}

/// The bits of a signed value.
#[inline]
#[must_use]
pub fn from_signed(value: i128, width: u32) -> u128 {
    value as u128 & mask(width)
}

/// The result of a binary operator on operands of the given width, at most 128.
#[must_use]
pub fn binary(op: Op, a: u128, b: u128, width: u32) -> u128 {
    let (signed_a, signed_b) = (to_signed(a, width), to_signed(b, width));
    let value = match op {
        Op::And => a & b,
        Op::Xor => a ^ b,
        Op::Add => a.wrapping_add(b),
        Op::Sub => a.wrapping_sub(b),
        Op::Mul => a.wrapping_mul(b),
        Op::UDiv => a.checked_div(b).unwrap_or(u128::MAX),
        Op::URem => a.checked_rem(b).unwrap_or(a),
        Op::SDiv if b == 0 => return if signed_a < 0 { 1 } else { mask(width) },
        Op::SDiv => signed_a.wrapping_div(signed_b) as u128,
        Op::SRem if b == 0 => a,
        Op::SRem => signed_a.wrapping_rem(signed_b) as u128,
        Op::Shl if b >= u128::from(width) => 0,
        Op::Shl => a << b,
        Op::LShr if b >= u128::from(width) => 0,
        Op::LShr => a >> b,
        Op::AShr => (signed_a >> b.min(127)) as u128,
        Op::Eq => return u128::from(a == b),
        Op::Ult => return u128::from(a < b),
        Op::Slt => return u128::from(signed_a < signed_b),
    };
    value & mask(width)
}
