//! The arithmetic types of C on x86-64, as far as the generator needs them: names, widths, conversions.

use fastrand::Rng;

/// A scalar type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Scalar {
    Bool,
    Integer {
        /// The conversion rank (C11 6.3.1.1): `char` 1, `short` 2, `int` 3, `long` 4, `long long` 5,
        /// `__int128` 6.
        rank: u8,
        signed: bool,
        /// Plain `char`, which is signed on this machine.
        plain: bool,
    },
    Float,
    Double,
}

pub(crate) const INT: Scalar = integer(3, true);

const fn integer(rank: u8, signed: bool) -> Scalar {
    Scalar::Integer {
        rank,
        signed,
        plain: false,
    }
}

/// Every integer type that a variable of the generated programs may have.
const INTEGERS: [Scalar; 12] = [
    Scalar::Bool,
    integer(1, true),
    Scalar::Integer {
        rank: 1,
        signed: true,
        plain: true,
    },
    integer(1, false),
    integer(2, true),
    integer(2, false),
    INT,
    integer(3, false),
    integer(4, true),
    integer(4, false),
    integer(5, true),
    integer(5, false),
];

/// The types that an input may have, with the names of the functions that supply them.
pub(crate) const INPUTS: [(Scalar, &str); 8] = [
    (Scalar::Bool, "_Bool"),
    (integer(1, false), "uchar"),
    (integer(1, true), "char"),
    (integer(2, true), "short"),
    (integer(2, false), "ushort"),
    (INT, "int"),
    (integer(3, false), "uint"),
    (integer(4, false), "ulong"),
];

impl Scalar {
    pub(crate) const INTEGER_UNSIGNED: Self = integer(3, false);
    pub(crate) const LONG_UNSIGNED: Self = integer(4, false);
    pub(crate) const LONG_LONG: Self = integer(5, true);
    pub(crate) const LONG_LONG_UNSIGNED: Self = integer(5, false);

    pub(crate) fn random(rng: &mut Rng, floats: bool) -> Self {
        match rng.u8(..40) {
            0 => integer(6, true),
            1 => integer(6, false),
            2..6 if floats => Self::Double,
            6..9 if floats => Self::Float,
            _ => INTEGERS[rng.usize(..INTEGERS.len())],
        }
    }

    /// An integer type of at most 64 bits, as bit-fields and enumerations need.
    pub(crate) fn random_integer(rng: &mut Rng) -> Self {
        INTEGERS[rng.usize(..INTEGERS.len())]
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Bool => "_Bool",
            Self::Float => "float",
            Self::Double => "double",
            Self::Integer { plain: true, .. } => "char",
            Self::Integer { rank, signed, .. } => match (rank, signed) {
                (1, true) => "signed char",
                (1, false) => "unsigned char",
                (2, true) => "short",
                (2, false) => "unsigned short",
                (3, true) => "int",
                (3, false) => "unsigned int",
                (4, true) => "long",
                (4, false) => "unsigned long",
                (5, true) => "long long",
                (5, false) => "unsigned long long",
                (_, true) => "__int128",
                (_, false) => "unsigned __int128",
            },
        }
    }

    pub(crate) fn is_float(self) -> bool {
        matches!(self, Self::Float | Self::Double)
    }

    pub(crate) fn is_signed(self) -> bool {
        matches!(self, Self::Integer { signed: true, .. })
    }

    /// The width in bits of the stored value.
    pub(crate) fn width(self) -> u32 {
        match self {
            Self::Bool => 8,
            Self::Integer { rank, .. } => [8, 8, 16, 32, 64, 64, 128][usize::from(rank)],
            Self::Float => 32,
            Self::Double => 64,
        }
    }

    /// The least and the greatest value of an integer type; that of `unsigned __int128` is limited to the
    /// greatest `i128`, which only restricts the generator.
    pub(crate) fn range(self) -> (i128, i128) {
        match self {
            Self::Bool => (0, 1),
            Self::Integer { signed, .. } => bits_range(self.width(), signed),
            Self::Float | Self::Double => (i128::MIN, i128::MAX),
        }
    }

    /// The integer promotions (C11 6.3.1.1).
    pub(crate) fn promoted(self) -> Self {
        match self {
            Self::Bool | Self::Integer { rank: 1 | 2, .. } => INT,
            other => other,
        }
    }

    /// The usual arithmetic conversions (C11 6.3.1.8).
    pub(crate) fn common(self, other: Self) -> Self {
        match (self.promoted(), other.promoted()) {
            (Self::Double, _) | (_, Self::Double) => Self::Double,
            (Self::Float, _) | (_, Self::Float) => Self::Float,
            (
                a @ Self::Integer {
                    rank: ra,
                    signed: sa,
                    ..
                },
                b @ Self::Integer {
                    rank: rb,
                    signed: sb,
                    ..
                },
            ) => {
                if sa == sb {
                    return if ra >= rb { a } else { b };
                }
                let (unsigned, signed) = if sa { (b, a) } else { (a, b) };
                let (ru, rs) = if sa { (rb, ra) } else { (ra, rb) };
                if ru >= rs {
                    unsigned
                } else if signed.width() > unsigned.width() {
                    signed
                } else {
                    integer(rs, false)
                }
            }
            (Self::Bool, _) | (_, Self::Bool) => unreachable!("promoted"),
        }
    }
}

/// The least and the greatest value of an integer with `width` bits.
pub(crate) fn bits_range(width: u32, signed: bool) -> (i128, i128) {
    match (width, signed) {
        (128, true) => (i128::MIN, i128::MAX),
        (127.., false) => (0, i128::MAX),
        (_, true) => (-(1 << (width - 1)), (1 << (width - 1)) - 1),
        (_, false) => (0, (1 << width) - 1),
    }
}
