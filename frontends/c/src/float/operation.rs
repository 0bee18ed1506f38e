//! The operations on floats.

/// Operations on floats; operands and results are their bit patterns.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum FloatOp {
    Add,
    Sub,
    Mul,
    Div,
    /// Comparisons yield one bit.
    Equal,
    Less,
    LessOrEqual,
    /// From an integer, to the format.
    FromSigned,
    FromUnsigned,
    /// To an integer of the expression's width, rounding towards 0.
    ToSigned,
    ToUnsigned,
    /// To the format that has the expression's width; the given format is the operand's.
    Convert,
    Sqrt,
    /// To an integer of the same format.
    Integral,
}

impl FloatOp {
    /// Whether the result may have to be rounded.
    pub(crate) fn rounds(self) -> bool {
        !matches!(
            self,
            Self::Equal | Self::Less | Self::LessOrEqual | Self::ToSigned | Self::ToUnsigned
        )
    }
}
