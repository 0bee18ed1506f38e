//! Reducing transforms, one after the other until nothing gets smaller.

use super::{lower_units, recycle_pivots, recycle_units};
use crate::stop::Stop;
use craig_solver::proof::ProofDag;

/// A transform that makes proofs smaller and does not ask which side of a cut a variable is on.
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
    /// All of them, in the order in which [`reduce`] is best given them: units are recycled before they are lowered, and
    /// lowering makes room for the pivots.
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
    /// # Panics
    /// If the proof has no root.
    #[must_use]
    pub fn apply(self, dag: &ProofDag) -> ProofDag {
        match self {
            Self::RecyclePivots => recycle_pivots(dag),
            // All units of small proofs, and no more than a few sweeps over large ones.
            Self::RecycleUnits => recycle_units(dag, 1_000_000 + 2 * dag.n_steps() as u64),
            Self::LowerUnits => lower_units(dag),
        }
    }
}

/// Applies reductions in turn, for at most `max_rounds` rounds, until a round brings nothing.
///
/// Each proof is kept only if it has fewer resolutions than the one before, or as many and fewer
/// leaves. So the result is never larger than `dag`.
///
/// # Panics
/// If the proof has no root.
#[must_use]
pub fn reduce(dag: &ProofDag, reductions: &[Reduction], max_rounds: usize) -> ProofDag {
    reduce_until(dag, reductions, max_rounds, &Stop::never())
}

/// The same, ending on request after the reduction at hand.
///
/// # Panics
/// If the proof has no root.
#[must_use]
pub fn reduce_until(
    dag: &ProofDag,
    reductions: &[Reduction],
    max_rounds: usize,
    stop: &Stop,
) -> ProofDag {
    let size = |dag: &ProofDag| (dag.n_steps(), dag.n_vertices());
    let mut best = super::prune(dag);
    for _ in 0..max_rounds {
        let before = size(&best);
        for reduction in reductions {
            if stop.is_asked() {
                return best;
            }
            let reduced = reduction.apply(&best);
            if size(&reduced) < size(&best) {
                best = reduced;
            }
        }
        if size(&best) == before {
            break;
        }
    }
    best
}
