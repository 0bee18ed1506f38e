//! Variables and literals.

use std::fmt;
use std::ops::Not;

/// A propositional variable, numbered from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Var(u32);

impl Var {
    /// The largest variable number: a literal's code, `2 * number + sign`, has to fit in 31 bits, so
    /// that a literal also fits in DIMACS's signed numbers.
    pub const MAX_INDEX: usize = (1 << 30) - 1;

    /// The variable with the given number.
    ///
    /// # Panics
    /// If `index` exceeds [`Var::MAX_INDEX`], in all builds: a larger number would alias another variable's
    /// literals. Where the number comes from an input, use [`Var::try_new`].
    #[inline]
    #[must_use]
    pub fn new(index: usize) -> Self {
        assert!(
            index <= Self::MAX_INDEX,
            "a variable's number is at most 2^30 - 1"
        );
        Self(index as u32)
    }

    /// The variable with the given number; `None` if `index` exceeds [`Var::MAX_INDEX`].
    #[inline]
    #[must_use]
    pub fn try_new(index: usize) -> Option<Self> {
        (index <= Self::MAX_INDEX).then_some(Self(index as u32))
    }

    /// The variable's number, to index tables by.
    #[inline]
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The literal that is true when the variable is.
    #[inline]
    #[must_use]
    pub fn positive(self) -> Lit {
        Lit(self.0 << 1)
    }

    /// The literal that is true when the variable is false.
    #[inline]
    #[must_use]
    pub fn negative(self) -> Lit {
        Lit(self.0 << 1 | 1)
    }

    /// The literal of this variable with the given sign.
    #[inline]
    #[must_use]
    pub fn lit(self, negated: bool) -> Lit {
        Lit(self.0 << 1 | u32::from(negated))
    }
}

/// A literal: a variable or its negation, coded as `2 * variable + sign` in 32 bits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Lit(u32);

impl Lit {
    /// The literal with the given code, `2 * variable + sign`.
    ///
    /// # Panics
    /// If the variable exceeds [`Var::MAX_INDEX`], in all builds.
    #[inline]
    #[must_use]
    pub fn from_code(code: u32) -> Self {
        assert!(code <= Self::MAX_CODE, "a literal's code is below 2^31");
        Self(code)
    }

    const MAX_CODE: u32 = 2 * Var::MAX_INDEX as u32 + 1;

    /// As [`Lit::from_code`] where the code is that of a literal. Checked in debug builds only: for the
    /// innermost loops.
    #[inline]
    pub(crate) fn from_stored(code: u32) -> Self {
        debug_assert!(code <= Self::MAX_CODE);
        Self(code)
    }

    /// The code, `2 * variable + sign`.
    #[inline]
    #[must_use]
    pub fn code(self) -> u32 {
        self.0
    }

    /// The code as an index into tables that hold one entry per literal.
    #[inline]
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The literal's variable.
    #[inline]
    #[must_use]
    pub fn var(self) -> Var {
        Var(self.0 >> 1)
    }

    /// Whether the literal is a negation.
    #[inline]
    #[must_use]
    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// The literal that DIMACS writes as `number`: 1 is variable 0, -1 its negation.
    /// `None` for 0 and for numbers whose variable exceeds [`Var::MAX_INDEX`].
    #[must_use]
    pub fn from_dimacs(number: i64) -> Option<Self> {
        let index = usize::try_from(number.unsigned_abs().checked_sub(1)?).ok()?;
        Var::try_new(index).map(|var| var.lit(number < 0))
    }

    /// The literal as DIMACS writes it.
    #[must_use]
    pub fn to_dimacs(self) -> i32 {
        let number = (self.0 >> 1) as i32 + 1;
        if self.is_negated() { -number } else { number }
    }

    /// The literal itself, or its negation where `negate` holds.
    #[inline]
    #[must_use]
    pub fn negate_if(self, negate: bool) -> Self {
        Self(self.0 ^ u32::from(negate))
    }
}

impl Not for Lit {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        Self(self.0 ^ 1)
    }
}

impl fmt::Debug for Var {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "v{}", self.0)
    }
}

/// Shown as DIMACS numbers it, so that logs and proof files read alike.
impl fmt::Debug for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.to_dimacs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dimacs_numbers_round_trip() {
        for number in [1, -1, 2, -77, 1 << 30, -(1 << 30)] {
            let lit = Lit::from_dimacs(number).unwrap();
            assert_eq!(i64::from(lit.to_dimacs()), number);
            assert_eq!(lit.is_negated(), number < 0);
        }
        assert_eq!(Lit::from_dimacs(0), None);
        assert_eq!(Lit::from_dimacs((1 << 30) + 1), None);
        assert_eq!(Lit::from_dimacs(i64::MIN), None);
    }

    #[test]
    fn numbers_beyond_the_range_are_refused_in_all_builds() {
        let last = Var::new(Var::MAX_INDEX);
        assert_eq!(Var::try_new(Var::MAX_INDEX), Some(last));
        assert_eq!(Lit::from_code(last.negative().code()), last.negative());
        for index in [Var::MAX_INDEX + 1, 1 << 31, 1 << 32, usize::MAX] {
            assert_eq!(Var::try_new(index), None);
            assert!(
                std::panic::catch_unwind(|| Var::new(index)).is_err(),
                "{index}"
            );
        }
        for code in [1 << 31, u32::MAX] {
            assert!(
                std::panic::catch_unwind(|| Lit::from_code(code)).is_err(),
                "{code}"
            );
        }
    }

    #[test]
    fn negation_flips_only_the_sign() {
        let lit = Var::new(5).positive();
        assert_eq!((!lit).var(), lit.var());
        assert!((!lit).is_negated());
        assert_eq!(!!lit, lit);
        assert_eq!(lit.negate_if(true), !lit);
    }
}
