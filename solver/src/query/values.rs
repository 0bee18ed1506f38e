//! The values of literals.
//!
//! A variable outside the domain counts as satisfying both of its literals in every clause. Such a clause can
//! be skipped: some value of a definition outside the domain satisfies it.

/// The literal is false.
pub(super) const FALSE: i8 = -1;
/// The variable is in the domain and has no value.
pub(super) const UNASSIGNED: i8 = 0;
/// The literal is true.
pub(super) const TRUE: i8 = 1;
/// The variable is outside the domain and has no value.
pub(super) const OUTSIDE: i8 = 2;
