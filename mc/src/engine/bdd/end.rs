//! The results of a computation with diagrams.

use craig_model::{Trace, UnknownReason};
use oxidd::bcdd::BCDDFunction;

/// Why a computation ended early.
pub enum Stop {
    /// The node limit was reached.
    Nodes,
    /// The control stops the engine, or a bound on the steps is reached.
    Told(UnknownReason),
}

/// The result of a computation.
pub(super) enum End {
    /// An inductive invariant over the states that excludes the bad.
    Invariant(BCDDFunction),
    Run(Trace),
}
