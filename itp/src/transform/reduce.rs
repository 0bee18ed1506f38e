//! Repeated reductions, until nothing gets smaller.

use craig_solver::proof::ProofDag;

use super::draft::prune;
use super::lower_units::lower_units;
use super::recycle_pivots::recycle_pivots;
use super::recycle_units::recycle_units;
use crate::stop::{Stop, Stopped};

/// A transform that makes proofs smaller and does not depend on the cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reduction {
    /// [`recycle_pivots`](super::recycle_pivots()).
    RecyclePivots,
    /// [`recycle_units`](super::recycle_units()).
    RecycleUnits,
    /// [`lower_units`](super::lower_units()).
    LowerUnits,
}

impl Reduction {
    /// All of them, in the order that suits [`reduce`]: units are recycled before they are lowered, and
    /// lowering makes more pivots recyclable.
    pub const ALL: [Self; 3] = [Self::RecycleUnits, Self::LowerUnits, Self::RecyclePivots];

    /// The name on the command line: `recycle-pivots`, `recycle-units` or `lower-units`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::RecyclePivots => "recycle-pivots",
            Self::RecycleUnits => "recycle-units",
            Self::LowerUnits => "lower-units",
        }
    }

    /// The reduction with the given name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|reduction| reduction.name() == name)
    }

    /// Applies it once.
    ///
    /// # Errors
    /// If `stop` requests the end.
    ///
    /// # Panics
    /// If the proof has no root.
    pub fn apply(self, dag: &ProofDag, stop: &Stop) -> Result<ProofDag, Stopped> {
        match self {
            Self::RecyclePivots => recycle_pivots(dag, stop),
            // Enough for all units of small proofs, and for about two passes over large ones.
            Self::RecycleUnits => recycle_units(dag, 1_000_000 + 2 * dag.n_steps() as u64, stop),
            Self::LowerUnits => lower_units(dag, stop),
        }
    }
}

/// Applies reductions in turn, for at most `max_rounds` rounds, until a round has no effect. No round at all
/// prunes the proof.
///
/// A reduced proof is kept only if it has fewer resolutions than the one before, or as many and fewer
/// vertices. So the result is never larger than `dag`.
///
/// # Errors
/// If `stop` requests the end.
///
/// # Panics
/// If the proof has no root.
pub fn reduce(
    dag: &ProofDag,
    reductions: &[Reduction],
    max_rounds: usize,
    stop: &Stop,
) -> Result<ProofDag, Stopped> {
    let size = |dag: &ProofDag| (dag.n_steps(), dag.n_vertices());
    let mut best = prune(dag, stop)?;
    for _ in 0..max_rounds {
        let before = size(&best);
        for reduction in reductions {
            let reduced = reduction.apply(&best, stop)?;
            if size(&reduced) < size(&best) {
                best = reduced;
            }
        }
        if size(&best) == before {
            break;
        }
    }
    Ok(best)
}
