//! Interpolation systems, as labellings of the literals of a proof.
//!
//! A labelled interpolation system (V. D'Silva, D. Kroening, M. Purandare and G. Weissenbacher, "Interpolant
//! strength", VMCAI 2010) labels each occurrence of a literal in an original clause with a, b or ab. The
//! label of a variable that occurs on one side only is fixed. For shared variables every choice is sound, and
//! different choices give different interpolants of the same proof. The order b, ab, a on labels orders the
//! interpolants by implication, from strong to weak.

use craig_solver::proof::VertexId;
use craig_solver::{Lit, Var};

/// The label of an occurrence of a literal. It is called side here, since [`Label`](craig_solver::Label) is
/// the partition of a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Side {
    /// Label a, the weakest: partial interpolants are combined by OR.
    A = 1,
    /// Label b, the strongest: partial interpolants are combined by AND.
    B = 2,
    /// Label ab: the value of the pivot selects a partial interpolant.
    Both = 3,
}

impl Side {
    /// The label of a literal that occurs in two antecedents: a and b give ab.
    #[inline]
    #[must_use]
    pub fn join(self, other: Self) -> Self {
        match self as u8 | other as u8 {
            1 => Self::A,
            2 => Self::B,
            _ => Self::Both,
        }
    }

    /// Whether a labelling with `self` yields interpolants at least as strong as one with `other` that is
    /// otherwise equal: b before ab before a.
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
    /// McMillan's system (CAV 2003): all shared literals are labelled b. The strongest interpolant of the
    /// three.
    McMillan,
    /// The symmetric system of Huang, Krajicek and Pudlak: all shared literals are labelled ab.
    Symmetric,
    /// The dual of McMillan's system: all shared literals are labelled a. The weakest interpolant of the
    /// three.
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

    /// The system whose interpolant of (B, A) is the negation of this one's interpolant of (A, B).
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

/// A labelled interpolation system. The functions are called for shared variables only; a variable that
/// occurs on one side only has the label of its side in every system.
#[derive(Clone, Copy)]
pub enum Labelling<'a> {
    /// One label for all shared literals.
    Uniform(System),
    /// One label for all occurrences of a variable. As fast as a uniform system.
    Variables(&'a dyn Fn(Var) -> Side),
    /// A label for each occurrence of a literal in a leaf; in a resolvent, the labels of the antecedents are
    /// [joined](Side::join).
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
