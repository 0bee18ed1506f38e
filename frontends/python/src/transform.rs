//! Transforms of proofs by name.

use craig_itp::transform::{Raising, Reduction, raise_local, reduce};
use craig_itp::{Stop, Stopped};
use craig_solver::Label;
use craig_solver::proof::ProofDag;
use pyo3::prelude::*;

use crate::errors::argument;

/// Larger proofs are not raised any further, as in the command.
const MAX_LITERALS: usize = 1 << 24;

/// The most rounds of the transform `reduce`, as in the command.
const MAX_ROUNDS: usize = 20;

/// A transform of proofs.
#[derive(Clone, Copy)]
pub(crate) enum Transform {
    Reduction(Reduction),
    /// All classic reductions in turn.
    Reduce,
    RaiseLocal,
    RaiseLocalB,
    RaiseLocalShrink,
}

impl Transform {
    /// The transform of a name.
    ///
    /// # Errors
    /// If there is none.
    pub(crate) fn from_name(name: &str) -> PyResult<Self> {
        match name {
            "reduce" => return Ok(Self::Reduce),
            "raise-local" => return Ok(Self::RaiseLocal),
            "raise-local-b" => return Ok(Self::RaiseLocalB),
            "raise-local-shrink" => return Ok(Self::RaiseLocalShrink),
            _ => {}
        }
        Reduction::from_name(name).map(Self::Reduction).ok_or_else(|| {
            let names = Reduction::EVERY.map(Reduction::name).join(", ");
            argument(&format!(
                "there is no transform {name:?}: expected one of {names}, reduce, raise-local, raise-local-b, raise-local-shrink"
            ))
        })
    }

    /// Whether the result depends on which clauses are in A.
    pub(crate) fn depends_on_cut(self) -> bool {
        matches!(
            self,
            Self::RaiseLocal | Self::RaiseLocalB | Self::RaiseLocalShrink
        )
    }

    /// Applies it. `in_a` tells which labels belong to A.
    pub(crate) fn apply(
        self,
        dag: &ProofDag,
        in_a: &dyn Fn(Label) -> bool,
        stop: &Stop,
    ) -> Result<ProofDag, Stopped> {
        let raising = Raising {
            shrink: matches!(self, Self::RaiseLocalShrink),
            max_literals: MAX_LITERALS,
            max_growth: usize::MAX,
        };
        match self {
            Self::Reduction(reduction) => reduction.apply(dag, stop),
            Self::Reduce => reduce(dag, &Reduction::ALL, MAX_ROUNDS, stop),
            Self::RaiseLocal | Self::RaiseLocalShrink => raise_local(dag, in_a, raising, stop),
            Self::RaiseLocalB => raise_local(dag, &|label| !in_a(label), raising, stop),
        }
    }
}
