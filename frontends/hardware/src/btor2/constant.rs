//! Constants, as digits: a short line can state a wide one.

use craig_word::BitVector;

/// The base of a constant's digits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Base {
    /// `const`.
    Binary,
    /// `constd`; the digits may begin with a minus sign.
    Decimal,
    /// `consth`.
    Hexadecimal,
}

/// More decimal digits than this are rejected: the conversion takes quadratic time.
const MAX_DECIMAL_DIGITS: usize = 1 << 14;

/// A constant, whose width is that of its node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Constant {
    /// All bits 0.
    Zero,
    /// The number 1.
    One,
    /// All bits 1.
    Ones,
    /// Digits that fit the width.
    Digits(Base, Box<str>),
}

impl Constant {
    /// The constant of a line with digits.
    ///
    /// # Errors
    /// If these are not digits of the base, or the number does not fit the width.
    pub(super) fn from_digits(base: Base, digits: &str, width: u32) -> Result<Self, String> {
        let radix = match base {
            Base::Binary => 2,
            Base::Decimal => 10,
            Base::Hexadecimal => 16,
        };
        let (is_negative, magnitude) = match (base, digits.strip_prefix('-')) {
            (Base::Decimal, Some(magnitude)) => (true, magnitude),
            _ => (false, digits),
        };
        let is_digit = |character: char| character.is_digit(radix);
        if magnitude.is_empty() || !magnitude.chars().all(is_digit) {
            return Err(format!(
                "expected digits to base {radix}, but found {:?}",
                shortened(digits)
            ));
        }
        if base == Base::Binary && magnitude.len() != width as usize {
            return Err(format!(
                "expected {width} binary digits, as many as the width, but found {}",
                magnitude.len()
            ));
        }
        let significant = magnitude.trim_start_matches('0');
        if base == Base::Decimal && significant.len() > MAX_DECIMAL_DIGITS {
            return Err(format!(
                "decimal constants of more than {MAX_DECIMAL_DIGITS} digits are not supported; expected \
                 `const` or `consth`"
            ));
        }
        let fits = match base {
            Base::Binary => true,
            Base::Hexadecimal => {
                let first = significant.chars().next().and_then(|it| it.to_digit(16));
                let rest = significant.len().saturating_sub(1) as u64;
                let n_bits =
                    first.map_or(0, |digit| 4 * rest + u64::from(32 - digit.leading_zeros()));
                n_bits <= u64::from(width)
            }
            Base::Decimal => {
                // A number of n digits has less than 4n bits.
                let room = 4 * significant.len() as u32 + 1;
                let value = BitVector::from_digits(magnitude, 10, room);
                value.is_some_and(|value| {
                    let highest = (0..room).rev().find(|&bit| value.bit(bit));
                    let lower = highest.map_or(0, |highest| highest + 1);
                    let is_power =
                        highest.is_some_and(|highest| (0..highest).all(|bit| !value.bit(bit)));
                    match is_negative {
                        false => lower <= width,
                        true => lower < width || lower == width && is_power,
                    }
                })
            }
        };
        if !fits {
            return Err(format!(
                "the constant {} does not fit width {width}",
                shortened(digits)
            ));
        }
        Ok(Self::Digits(base, digits.into()))
    }

    /// The value at a width.
    #[must_use]
    pub fn value(&self, width: u32) -> BitVector {
        match self {
            Self::Zero => BitVector::new(0, width),
            Self::One => BitVector::new(1, width),
            Self::Ones => BitVector::new(0, width).not(),
            Self::Digits(Base::Decimal, digits) => {
                let magnitude = digits.trim_start_matches('-');
                let value = BitVector::from_digits(magnitude, 10, width);
                let value = value.unwrap_or_else(|| BitVector::new(0, width));
                match digits.starts_with('-') {
                    true => value.neg(),
                    false => value,
                }
            }
            Self::Digits(Base::Binary, digits) => by_groups(digits, 1, width),
            Self::Digits(Base::Hexadecimal, digits) => by_groups(digits, 4, width),
        }
    }
}

/// The value of digits of `bits` bits each.
fn by_groups(digits: &str, bits: usize, width: u32) -> BitVector {
    let mut limbs = vec![0_u64; width.div_ceil(64) as usize];
    for (position, digit) in digits.chars().rev().enumerate() {
        let at = position * bits;
        let digit = digit.to_digit(1 << bits).unwrap_or(0);
        if let Some(limb) = limbs.get_mut(at / 64) {
            *limb |= u64::from(digit) << (at % 64);
        }
    }
    BitVector::from_limbs(&limbs, width)
}

/// The beginning of a text, for messages.
pub(super) fn shortened(text: &str) -> &str {
    let end = text.char_indices().nth(40).map_or(text.len(), |(at, _)| at);
    &text[..end]
}
