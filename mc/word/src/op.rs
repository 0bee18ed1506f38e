//! Binary operators.

/// A binary operator. Operands of arithmetic have the width of the result; comparisons have operands of one
/// width and a result of one bit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    /// Bitwise conjunction.
    And,
    /// Bitwise exclusive or.
    Xor,
    /// Sum modulo 2^width.
    Add,
    /// Difference modulo 2^width.
    Sub,
    /// Product modulo 2^width.
    Mul,
    /// Unsigned quotient; all ones where the divisor is 0.
    UDiv,
    /// Unsigned remainder; the dividend where the divisor is 0.
    URem,
    /// Signed quotient, rounded towards 0; 1 or -1 where the divisor is 0 (as the dividend is negative or
    /// not).
    SDiv,
    /// Signed remainder, with the sign of the dividend; the dividend where the divisor is 0.
    SRem,
    /// Shift to the left; 0 where the amount is at least the width.
    Shl,
    /// Shift to the right, filling with 0.
    LShr,
    /// Shift to the right, filling with the sign.
    AShr,
    /// Equality, also of arrays.
    Eq,
    /// Unsigned less-than.
    Ult,
    /// Signed less-than.
    Slt,
}

impl Op {
    /// Whether the result is one bit, whatever the width of the operands.
    #[must_use]
    pub fn is_comparison(self) -> bool {
        matches!(self, Self::Eq | Self::Ult | Self::Slt)
    }
}
