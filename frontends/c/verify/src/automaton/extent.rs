//! How the automaton of a program is cut, and how long its proofs are printed: amounts of a schedule.

use std::time::Duration;

use craig_program::Blocks;
use craig_program::line_up::{Amount, StageName, Stages};

/// How far an automaton goes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    /// The size of blocks between two cuts.
    pub(crate) blocks: Blocks,
    /// Loops whose condition stays decided for more iterations are cut.
    pub(super) decided: u32,
    /// The time for the invariants that are printed of a proof: it is one without them as well.
    pub(super) printed: Duration,
}

impl Extent {
    /// As a schedule says, with such blocks.
    pub(crate) fn new(stages: &Stages, blocks: Blocks) -> Self {
        let row = stages.row(StageName::Loops);
        Self {
            blocks,
            decided: row.amount(Amount::DecidedTo),
            printed: row.time(Amount::Printed),
        }
    }

    /// As a schedule says, where elements of arrays are tracked.
    pub(crate) fn of_elements(stages: &Stages) -> Self {
        let row = stages.row(StageName::Elements);
        Self {
            decided: row.amount(Amount::DecidedTo),
            ..Self::new(stages, Blocks::Large)
        }
    }
}
