//! The proof transforms, as the command line names them.

use craig_itp::transform::{Raising, Reduction, raise_local, reduce};
use craig_solver::Label;
use craig_solver::proof::ProofDag;

/// What can be done to a proof before it is interpolated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum ProofTransform {
    /// Nothing.
    None,
    /// Raise the resolutions on variables local to A: stronger interpolants, often in CNF. Ends early where the proof would
    /// grow beyond 2^24 literals.
    RaiseLocal,
    /// The same as the paper has it, also where a clause loses a literal: this may weaken.
    RaiseLocalShrink,
    /// Recycle pivots, with intersection.
    RecyclePivots,
    /// Recycle units.
    RecycleUnits,
    /// Lower units.
    LowerUnits,
    /// The last three in turn, until nothing gets smaller.
    Reduce,
    /// Reduce, then raise.
    ReduceRaise,
}

/// Rounds of [`ProofTransform::Reduce`].
const MAX_ROUNDS: usize = 20;
/// Literals that raising may derive: it can make a proof larger by orders of magnitude, and stops half-way then.
const MAX_LITERALS: usize = 1 << 24;

impl ProofTransform {
    /// The name on the command line.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::RaiseLocal => "raise-local",
            Self::RaiseLocalShrink => "raise-local-shrink",
            Self::RecyclePivots => "recycle-pivots",
            Self::RecycleUnits => "recycle-units",
            Self::LowerUnits => "lower-units",
            Self::Reduce => "reduce",
            Self::ReduceRaise => "reduce-raise",
        }
    }

    /// Applies it; `in_a` says which labels belong to A.
    pub(super) fn apply(self, dag: &ProofDag, in_a: &dyn Fn(Label) -> bool) -> ProofDag {
        let raise = |dag: &ProofDag, shrink| {
            let raising = Raising {
                shrink,
                max_literals: MAX_LITERALS,
            };
            raise_local(dag, in_a, raising)
        };
        match self {
            Self::None => dag.clone(),
            Self::RaiseLocal => raise(dag, false),
            Self::RaiseLocalShrink => raise(dag, true),
            Self::RecyclePivots => Reduction::RecyclePivots.apply(dag),
            Self::RecycleUnits => Reduction::RecycleUnits.apply(dag),
            Self::LowerUnits => Reduction::LowerUnits.apply(dag),
            Self::Reduce => reduce(dag, &Reduction::ALL, MAX_ROUNDS),
            Self::ReduceRaise => raise(&reduce(dag, &Reduction::ALL, MAX_ROUNDS), false),
        }
    }

    /// Whether the result depends on the cut, so that it would be another proof for each.
    pub(super) fn depends_on_cut(self) -> bool {
        matches!(
            self,
            Self::RaiseLocal | Self::RaiseLocalShrink | Self::ReduceRaise
        )
    }
}
