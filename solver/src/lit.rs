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
    /// In debug builds, if `index` exceeds [`Var::MAX_INDEX`].
    #[inline]
    #[must_use]
    pub fn new(index: usize) -> Self {
        debug_assert!(index <= Self::MAX_INDEX);
        Self(index as u32)
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
    #[inline]
    #[must_use]
    pub fn from_code(code: u32) -> Self {
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
        (index <= Var::MAX_INDEX).then(|| Var::new(index).lit(number < 0))
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
    fn negation_flips_only_the_sign() {
        let lit = Var::new(5).positive();
        assert_eq!((!lit).var(), lit.var());
        assert!((!lit).is_negated());
        assert_eq!(!!lit, lit);
        assert_eq!(lit.negate_if(true), !lit);
    }
}
