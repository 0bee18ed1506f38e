//! How a computation with diagrams ends.

use oxidd::bcdd::BCDDFunction;

use crate::circuit::verdict::{Trace, UnknownReason};

/// Why a computation did not get to its end.
pub(super) enum Stop {
    /// More nodes were needed than there are.
    Nodes,
    /// The control stops the engine, or a bound on the steps is reached.
    Told(UnknownReason),
}

/// What came of a computation.
pub(super) enum End {
    /// An inductive invariant over the states that excludes the bad.
    Invariant(BCDDFunction),
    Run(Trace),
}
