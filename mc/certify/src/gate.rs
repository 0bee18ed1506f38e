//! The literals of the certifier's formulas.

/// A literal of [`Gates`](crate::Gates): `2 * node + sign`.
pub type Gate = u32;

/// The constant false.
pub(crate) const FALSE: Gate = 0;
/// The constant true.
pub(crate) const TRUE: Gate = 1;
