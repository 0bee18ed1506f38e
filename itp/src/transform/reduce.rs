//! Repeated reductions, until nothing gets smaller.

use craig_solver::proof::ProofDag;

use super::draft::prune;
use super::lower_units::lower_units;
use super::lower_univalents::lower_univalents;
use super::merge_equal::merge_equal;
use super::raise_local::rewrite_local;
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
    /// [`lower_univalents`](super::lower_univalents()).
    LowerUnivalents,
    /// [`merge_equal`](super::merge_equal()).
    MergeEqual,
    /// [`rewrite_local`](super::rewrite_local()).
    RewriteLocal,
}

impl Reduction {
    /// The classic ones, in the order that suits [`reduce`]: units are recycled before they are lowered, and
    /// lowering makes more pivots recyclable.
    pub const ALL: [Self; 3] = [Self::RecycleUnits, Self::LowerUnits, Self::RecyclePivots];

    /// Every one, those that are not in [`Reduction::ALL`] last.
    pub const EVERY: [Self; 6] = [
        Self::RecycleUnits,
        Self::LowerUnits,
        Self::RecyclePivots,
        Self::LowerUnivalents,
        Self::MergeEqual,
        Self::RewriteLocal,
    ];

    /// The name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::RecyclePivots => "recycle-pivots",
            Self::RecycleUnits => "recycle-units",
            Self::LowerUnits => "lower-units",
            Self::LowerUnivalents => "lower-univalents",
            Self::MergeEqual => "merge-equal",
            Self::RewriteLocal => "rewrite-local",
        }
    }

    /// The reduction with the given name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::EVERY
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
            Self::LowerUnivalents => lower_univalents(dag, stop),
            Self::MergeEqual => merge_equal(dag, stop),
            Self::RewriteLocal => rewrite_local(dag, stop),
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
