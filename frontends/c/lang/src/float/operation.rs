//! The operations on floats.

/// Operations on floats; operands and results are their bit patterns.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FloatOp {
    /// Addition.
    Add,
    /// Subtraction.
    Sub,
    /// Multiplication.
    Mul,
    /// Division.
    Div,
    /// Comparisons yield one bit.
    Equal,
    /// Whether the first is less than the second.
    Less,
    /// Whether the first is less than the second or equal to it.
    LessOrEqual,
    /// From an integer, to the format.
    FromSigned,
    /// From an unsigned integer.
    FromUnsigned,
    /// To an integer of the expression's width, rounding towards 0.
    ToSigned,
    /// To an unsigned integer.
    ToUnsigned,
    /// To the format that has the expression's width; the given format is the operand's.
    Convert,
    /// The square root.
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
