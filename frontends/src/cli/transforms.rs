//! The proof transforms, as the command line names them.

use clap::ValueEnum as _;
use craig_itp::transform::{Raising, Reduction, raise_local, reduce};
use craig_itp::{Stop, Stopped};
use craig_solver::Label;
use craig_solver::proof::ProofDag;

use super::failure::Failure;

/// A transform of a proof before interpolation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum ProofTransform {
    /// Nothing.
    None,
    /// Raise the resolutions on variables local to A: stronger interpolants, often in CNF. Ends early where
    /// the proof would grow beyond 2^24 literals.
    RaiseLocal,
    /// Raise the resolutions on variables local to B: weaker interpolants, often disjunctions of cubes. The dual of
    /// `raise-local`, with the same limit.
    RaiseLocalB,
    /// `raise-local` as in the paper, also if a clause loses a literal: this may weaken.
    RaiseLocalShrink,
    /// Recycle pivots, with intersection.
    RecyclePivots,
    /// Recycle units.
    RecycleUnits,
    /// Lower units.
    LowerUnits,
    /// Lower clauses that are units but for what is resolved away later.
    LowerUnivalents,
    /// Derive equal clauses once: structural hashing.
    MergeEqual,
    /// Local rules that lose a literal or a resolution.
    RewriteLocal,
    /// Recycle units, lower units and recycle pivots in turn, until nothing gets smaller.
    Reduce,
    /// Reduce, then raise.
    ReduceRaise,
}

/// The limit on literals that raising derives: it can make a proof larger by orders of magnitude, and then
/// ends early.
pub(super) const MAX_LITERALS: usize = 1 << 24;

/// The rounds of [`reduce`], unless others are asked for.
const ROUNDS: usize = 20;

impl ProofTransform {
    /// The name on the command line.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::RaiseLocal => "raise-local",
            Self::RaiseLocalB => "raise-local-b",
            Self::RaiseLocalShrink => "raise-local-shrink",
            Self::RecyclePivots => "recycle-pivots",
            Self::RecycleUnits => "recycle-units",
            Self::LowerUnits => "lower-units",
            Self::LowerUnivalents => "lower-univalents",
            Self::MergeEqual => "merge-equal",
            Self::RewriteLocal => "rewrite-local",
            Self::Reduce => "reduce",
            Self::ReduceRaise => "reduce-raise",
        }
    }

    /// The rounds of [`reduce`] among some transforms: those that are asked for, or [`ROUNDS`].
    ///
    /// # Errors
    /// If rounds are asked for, and it is not among them.
    pub(super) fn rounds_among(
        mut transforms: impl Iterator<Item = Self>,
        asked: Option<usize>,
    ) -> Result<usize, Failure> {
        match asked {
            Some(_) if !transforms.any(|it| matches!(it, Self::Reduce | Self::ReduceRaise)) => Err(
                Failure::input("`--rounds` is for the transform `reduce`, which is not asked for"),
            ),
            _ => Ok(asked.unwrap_or(ROUNDS)),
        }
    }

    /// Applies it. `in_a` tells which labels belong to A; `rounds` bounds the repetitions of [`reduce`].
    pub(super) fn apply(
        self,
        dag: &ProofDag,
        in_a: &dyn Fn(Label) -> bool,
        rounds: usize,
        stop: &Stop,
    ) -> Result<ProofDag, Stopped> {
        let raise = |dag: &ProofDag, in_a: &dyn Fn(Label) -> bool, shrink| {
            let raising = Raising {
                shrink,
                max_literals: MAX_LITERALS,
                max_growth: usize::MAX,
            };
            raise_local(dag, in_a, raising, stop)
        };
        match self {
            Self::None => Ok(dag.clone()),
            Self::RaiseLocal => raise(dag, in_a, false),
            Self::RaiseLocalB => raise(dag, &|label| !in_a(label), false),
            Self::RaiseLocalShrink => raise(dag, in_a, true),
            Self::RecyclePivots => Reduction::RecyclePivots.apply(dag, stop),
            Self::RecycleUnits => Reduction::RecycleUnits.apply(dag, stop),
            Self::LowerUnits => Reduction::LowerUnits.apply(dag, stop),
            Self::LowerUnivalents => Reduction::LowerUnivalents.apply(dag, stop),
            Self::MergeEqual => Reduction::MergeEqual.apply(dag, stop),
            Self::RewriteLocal => Reduction::RewriteLocal.apply(dag, stop),
            Self::Reduce => reduce(dag, &Reduction::ALL, rounds, stop),
            Self::ReduceRaise => {
                let reduced = reduce(dag, &Reduction::ALL, rounds, stop)?;
                raise(&reduced, in_a, false)
            }
        }
    }

    /// Whether the result depends on the cut, so that each cut gets a different proof.
    pub(super) fn depends_on_cut(self) -> bool {
        matches!(
            self,
            Self::RaiseLocal | Self::RaiseLocalB | Self::RaiseLocalShrink | Self::ReduceRaise
        )
    }
}

/// Several transforms in sequence, named in a study by their names joined by `+`.
#[derive(Clone, Debug)]
pub(super) struct Chain {
    pub(super) name: String,
    pub(super) transforms: Vec<ProofTransform>,
}

impl Chain {
    /// Parses the command-line form.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let transform = |word: &str| {
            ProofTransform::from_str(word, false).map_err(|_| {
                let names: Vec<&str> = ProofTransform::value_variants()
                    .iter()
                    .map(|transform| transform.name())
                    .collect();
                format!(
                    "expected one of {}, or several of them joined by \"+\"",
                    names.join(", ")
                )
            })
        };
        Ok(Self {
            name: text.to_owned(),
            transforms: text.split('+').map(transform).collect::<Result<_, _>>()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chains_are_read() {
        let chain = Chain::parse("lower-units+raise-local").unwrap();
        let expected = [ProofTransform::LowerUnits, ProofTransform::RaiseLocal];
        assert_eq!(chain.transforms, expected);
        for text in ["", "+", "reduce+", "Reduce", "reduce raise-local"] {
            assert!(Chain::parse(text).is_err(), "{text}");
        }
        for transform in ProofTransform::value_variants() {
            assert_eq!(
                Chain::parse(transform.name()).unwrap().transforms,
                [*transform]
            );
        }
    }
}
