//! Refutations that engines have interpolated, for those who study them.

use craig_aig::{Aig, Edge};
use craig_solver::proof::ProofDag;
use craig_solver::{Cnf, Var};

/// What the interpolants of a refutation separate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The parts up to each cut from those behind it. Cut i, from 0, has the clauses with labels up to i + 1 before it.
    Sequence,
    /// Each part from all others. Part i, from 0, has the clauses with label i + 1.
    Symmetric,
}

impl Kind {
    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Sequence => "sequence",
            Self::Symmetric => "symmetric",
        }
    }
}

/// A refutation with its interpolants, before and after which nothing else is needed to compare another derivation.
#[derive(Clone, Debug)]
pub struct Refutation {
    /// The clauses; their labels are the numbers of their parts.
    pub cnf: Cnf,
    /// Their refutation, before it is transformed.
    pub dag: ProofDag,
    /// What the interpolants separate.
    pub kind: Kind,
    /// The interpolation system.
    pub system: &'static str,
    /// What is done to the refutation before it is interpolated.
    pub transform: &'static str,
    /// Variables that have a name.
    pub names: Vec<(Var, String)>,
    /// By interpolant: the location behind the cut, or behind the part.
    pub cuts: Vec<String>,
    /// The graph of the interpolants, and the variable of each input.
    pub aig: Aig,
    /// The variable of each input of the graph.
    pub inputs: Vec<Var>,
    /// The interpolant of each cut, or of each part.
    pub interpolants: Vec<Edge>,
}
