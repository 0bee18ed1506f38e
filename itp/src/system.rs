//! Interpolation systems, as labellings of the literals of a proof.
//!
//! A labelled interpolation system (D'Silva, Kroening, Purandare, Weissenbacher 2010) decides for each
//! occurrence of a literal in an original clause whether it counts as A's, as B's, or as both's. Where a
//! variable occurs on one side only there is no choice; for shared variables every choice is sound, and
//! each gives another interpolant of the same proof. The order b, ab, a on labels orders the interpolants by
//! implication, from strong to weak.

use craig_solver::proof::VertexId;
use craig_solver::{Lit, Var};

/// What an occurrence of a literal counts as: the label of labelled interpolation. (The word label is
/// taken by the partition numbers of clauses.)
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Side {
    /// Label a, the weakest: resolving on it joins partial interpolants by OR.
    A = 1,
    /// Label b, the strongest: resolving on it joins partial interpolants by AND.
    B = 2,
    /// Label ab: resolving on it selects a partial interpolant by the pivot's value.
    Both = 3,
}

impl Side {
    /// The label of a literal that two antecedents contribute: a and b give ab.
    #[inline]
    #[must_use]
    pub fn join(self, other: Self) -> Self {
        match self as u8 | other as u8 {
            1 => Self::A,
            2 => Self::B,
            _ => Self::Both,
        }
    }

    /// Whether a labelling that says `self` yields interpolants at least as strong as one that
    /// says `other` and is otherwise equal: b before ab before a.
    #[must_use]
    pub fn is_at_least_as_strong_as(self, other: Self) -> bool {
        let rank = |side| match side {
            Self::B => 0,
            Self::Both => 1,
            Self::A => 2,
        };
        rank(self) <= rank(other)
    }
}

/// The three classic systems: one label for all shared literals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum System {
    /// McMillan's system (2003): all shared literals labelled b, the strongest interpolant of the three.
    McMillan,
    /// The symmetric system of Huang, Krajicek and Pudlak: all shared literals labelled ab.
    Symmetric,
    /// The dual of McMillan's system: all shared literals labelled a, the weakest interpolant of the three.
    InverseMcMillan,
}

impl System {
    /// The three systems, from the strongest to the weakest.
    pub const ALL: [Self; 3] = [Self::McMillan, Self::Symmetric, Self::InverseMcMillan];

    /// The label of all shared literals.
    #[must_use]
    pub fn side(self) -> Side {
        match self {
            Self::McMillan => Side::B,
            Self::Symmetric => Side::Both,
            Self::InverseMcMillan => Side::A,
        }
    }

    /// The system whose interpolant of (B, A) is the negation of this one's interpolant of (A, B):
    /// deriving backward with one is deriving forward with the other.
    #[must_use]
    pub fn dual(self) -> Self {
        match self {
            Self::McMillan => Self::InverseMcMillan,
            Self::Symmetric => Self::Symmetric,
            Self::InverseMcMillan => Self::McMillan,
        }
    }

    /// The system's name on the command line: `mcmillan`, `symmetric` or `inverse`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::McMillan => "mcmillan",
            Self::Symmetric => "symmetric",
            Self::InverseMcMillan => "inverse",
        }
    }

    /// The system with the given name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|system| system.name() == name)
    }
}

/// A member of the labelled family. Functions are asked about shared variables only; what occurs
/// on one side only has the label of its side in every system.
#[derive(Clone, Copy)]
pub enum Labelling<'a> {
    /// The same label for all shared literals.
    Uniform(System),
    /// One label for all occurrences of a variable. As fast as a uniform system.
    Variables(&'a dyn Fn(Var) -> Side),
    /// A label for each occurrence of a literal in a leaf; resolvents [join](Side::join) the
    /// labels of their antecedents.
    Occurrences(&'a dyn Fn(VertexId, Lit) -> Side),
}

impl From<System> for Labelling<'_> {
    fn from(system: System) -> Self {
        Self::Uniform(system)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_join_as_sets_and_are_ordered_by_strength() {
        let all = [Side::A, Side::B, Side::Both];
        for left in all {
            assert_eq!(left.join(left), left);
            assert_eq!(left.join(Side::Both), Side::Both);
            for right in all {
                assert_eq!(left.join(right), right.join(left));
            }
        }
        assert_eq!(Side::A.join(Side::B), Side::Both);
        assert!(Side::B.is_at_least_as_strong_as(Side::Both));
        assert!(Side::Both.is_at_least_as_strong_as(Side::A));
        assert!(!Side::A.is_at_least_as_strong_as(Side::B));
    }

    #[test]
    fn names_and_duals_round_trip() {
        for system in System::ALL {
            assert_eq!(System::from_name(system.name()), Some(system));
            assert_eq!(system.dual().dual(), system);
        }
        assert_eq!(System::from_name("craig"), None);
    }
}
