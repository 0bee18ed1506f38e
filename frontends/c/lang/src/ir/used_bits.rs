//! What an operation needs of a word that may be an address.

use super::Expr;

/// Why a path ends on which an operation depends on bits of an address of which C promises nothing.
pub const UNKNOWN_BITS: &str =
    "an operation on bits of an address that depend on where the object is";

/// The bits of a word that an operation depends on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UsedBits {
    /// All of them.
    All,
    /// Those of a mask that the word is combined with by `&`. A mask with all bits that depend on the place of an
    /// object keeps an address.
    Masked(Expr),
    /// Those of a word that it is combined with by `|` or `^`.
    Combined(Expr),
    /// All of them, if the word that it is added to is an address, too.
    Added(Expr),
    /// All of them, unless it is subtracted from an address in its own object, or from what may be any number.
    Subtracted(Expr),
    /// All of them, if the pointer that it is subtracted from leads into another object, which C does not define.
    Distance(Expr),
    /// All of them, if the word that it is ordered with is an address in another object, or a number that an address may
    /// have.
    Ordered(Expr),
}

impl UsedBits {
    /// These bits with the other operand mapped, as for the expressions of another function.
    #[must_use]
    pub fn map(self, operand: impl FnOnce(Expr) -> Expr) -> Self {
        match self {
            Self::All => Self::All,
            Self::Masked(other) => Self::Masked(operand(other)),
            Self::Combined(other) => Self::Combined(operand(other)),
            Self::Added(other) => Self::Added(operand(other)),
            Self::Subtracted(other) => Self::Subtracted(operand(other)),
            Self::Distance(other) => Self::Distance(operand(other)),
            Self::Ordered(other) => Self::Ordered(operand(other)),
        }
    }

    /// The other operand.
    #[must_use]
    pub fn operand(self) -> Option<Expr> {
        match self {
            Self::All => None,
            Self::Masked(other)
            | Self::Combined(other)
            | Self::Added(other)
            | Self::Subtracted(other)
            | Self::Distance(other)
            | Self::Ordered(other) => Some(other),
        }
    }
}
