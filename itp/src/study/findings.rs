//! What a study finds.

use std::fmt;
use std::time::Duration;

use craig_aig::{Aig, Edge};
use craig_solver::Var;

use super::density::Density;
use super::order::Order;
use crate::prove::NoRefutation;
use crate::size::Size;
use crate::transform::ProofStatistics;
use crate::verify::Violation;

/// A new result of a study.
#[derive(Clone, Copy, Debug)]
pub enum Finding<'a> {
    /// The number of variables that the two sides share.
    Shared(usize),
    /// A proof.
    Proof(&'a ProofRecord),
    /// An interpolant of the last proof.
    Entry(&'a Entry),
}

/// The origin of a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A search with this seed.
    Seed(u64),
    /// Supplied by the caller, with its name.
    Given(String),
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Seed(seed) => write!(f, "seed {seed}"),
            Self::Given(name) => f.write_str(name),
        }
    }
}

/// One proof of a study.
#[derive(Clone, Debug)]
pub struct ProofRecord {
    /// Its origin.
    pub source: Source,
    /// The transform that was applied.
    pub transform: String,
    /// Its size.
    pub statistics: ProofStatistics,
    /// How long the transform took.
    pub time: Duration,
}

/// One interpolant of a study.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The proof that it was computed from, by position in [`Study::proofs`].
    pub proof: usize,
    /// The labelling, by its name.
    pub labelling: String,
    /// The formula.
    pub edge: Edge,
    /// Whether Craig's conditions hold; `None` if that was not checked or is undecided.
    pub verdict: Option<Result<(), Violation>>,
    /// Its size, as constructed.
    pub size: Size,
    /// The fraction of the assignments to the shared variables that satisfy it.
    pub density: Density,
    /// AND gates after compaction, if the grid requests it.
    pub compacted: Option<usize>,
    /// AND gates after simplification, which may change the formula, and compaction, if the grid requests it.
    pub simplified: Option<usize>,
    /// How long the construction took.
    pub time: Duration,
}

/// The results of a study.
#[derive(Clone, Debug)]
pub struct Study {
    /// The proofs, by source and transform.
    pub proofs: Vec<ProofRecord>,
    /// The interpolants.
    pub entries: Vec<Entry>,
    /// Which of the interpolants implies which.
    pub order: Order,
    /// How many variables the two sides share.
    pub n_shared: usize,
    /// The graph that holds the interpolants.
    pub aig: Aig,
    /// By input of the graph: its variable.
    pub variables: Vec<Var>,
    /// The times of the searches that found a proof.
    pub search_times: Vec<Duration>,
    /// Requested results that the study does not contain, as messages.
    pub missing: Vec<String>,
}

impl Study {
    /// A study without results, to which a listener adds its findings.
    #[must_use]
    pub fn begun(n_shared: usize) -> Self {
        Self {
            proofs: Vec::new(),
            entries: Vec::new(),
            order: Order::undecided(0),
            n_shared,
            aig: Aig::new(),
            variables: Vec::new(),
            search_times: Vec::new(),
            missing: Vec::new(),
        }
    }
}

/// Why a problem could not be studied.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("seed {seed}: {reason}")]
#[non_exhaustive]
pub struct StudyError {
    /// The seed of the search.
    pub seed: u64,
    /// Why the search found no refutation.
    pub reason: NoRefutation,
}
