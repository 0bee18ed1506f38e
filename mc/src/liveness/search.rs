//! The interface of a method.

use craig_model::{LivenessCertificate, Model, Trace, UnknownReason};

use super::proof::Proof;
use crate::circuit::reduce::Passes;
use crate::control::Control;
use crate::engine::entry::Run;

/// What methods can use.
#[derive(Clone, Copy)]
pub(super) struct Tools<'a> {
    /// The engine for safety that the user asks for; by default each method uses the one that suits it.
    pub(super) engine: Option<&'a Run>,
    /// The passes that reduce models which a method builds.
    pub(super) passes: Passes,
    /// The seed of engines.
    pub(super) seed: u64,
    /// The latches that are set while a literal other than the first is awaited, as far as the model has them.
    pub(super) awaits: &'a [usize],
    /// The model that was read, without reset functions, and the number of the justice property.
    pub(super) source: (&'a Model, usize),
}

/// What a method has found about a model whose only bad is the hit.
pub(super) enum Found {
    /// There are finitely many hits on every run.
    Proof(Box<Proof>),
    /// A run without its last step, and the number of the step before which its last state occurs, with a hit in
    /// between.
    Lasso(Trace, usize),
    /// As `Proof`, but already about the model that was read.
    #[cfg_attr(not(feature = "bdd"), expect(dead_code))]
    Certificate(Box<LivenessCertificate>),
    /// As `Lasso`, but of the model that was read; latches on which the property does not depend need not repeat.
    #[cfg_attr(not(feature = "bdd"), expect(dead_code))]
    LassoOfSource(Trace, usize),
}

/// Decides whether a run of the model has infinitely many hits.
pub(super) type Search = fn(&Model, &Tools<'_>, Control<'_>) -> Result<Found, UnknownReason>;
