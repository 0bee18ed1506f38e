//! The passes in the order in which they run, and which of them to run.

use super::combinational::Combinational;
use super::cone::Cone;
use super::correspondence::{LatchCorrespondence, SignalCorrespondence};
use super::folding::ConstraintFolding;
use super::inputs::FreeGates;
use super::pass::Pass;
use super::ternary::StuckLatches;

/// When a row of the list runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// Unless the user excludes the pass.
    Usually,
    /// Only if the user requests the pass: no benefit was measured.
    OnRequest,
    /// Again, if the pass of the previous row has run and found something. The first row of a pass determines
    /// whether it runs at all.
    AfterFind,
}

/// A row of the list of passes.
pub struct Row {
    /// The pass.
    pub pass: &'static dyn Pass,
    /// When it runs.
    pub when: When,
}

/// The passes, in the order in which they run.
pub const ROWS: &[Row] = &[
    row(&Cone, When::Usually),
    row(&StuckLatches, When::Usually),
    row(&Combinational, When::Usually),
    row(&LatchCorrespondence, When::Usually),
    row(&Combinational, When::AfterFind),
    row(&SignalCorrespondence, When::Usually),
    row(&Combinational, When::AfterFind),
    row(&FreeGates, When::Usually),
    row(&ConstraintFolding, When::OnRequest),
];

const fn row(pass: &'static dyn Pass, when: When) -> Row {
    Row { pass, when }
}

/// A set of passes: bit i belongs to the pass whose first row in [`ROWS`] is row i.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passes(u32);

impl Passes {
    /// Every pass except those without a measured benefit.
    pub const ALL: Self = Self(usual(ROWS));
    /// No pass: the model keeps its parts, except for the other bads.
    pub const NONE: Self = Self(0);

    /// These passes and another one.
    ///
    /// # Panics
    /// If there is no pass of this name.
    #[must_use]
    pub fn with(self, name: &str) -> Self {
        Self(self.0 | bit(name))
    }

    /// These passes but one.
    ///
    /// # Panics
    /// If there is no pass of this name.
    #[must_use]
    pub fn without(self, name: &str) -> Self {
        Self(self.0 & !bit(name))
    }

    /// Whether a pass is among these.
    ///
    /// # Panics
    /// If there is no pass of this name.
    #[must_use]
    pub fn contains(self, name: &str) -> bool {
        self.0 & bit(name) != 0
    }
}

impl Default for Passes {
    fn default() -> Self {
        Self::ALL
    }
}

const fn usual(rows: &[Row]) -> u32 {
    assert!(rows.len() <= 32, "a row has a bit");
    let (mut bits, mut index) = (0, 0);
    while index < rows.len() {
        if matches!(rows[index].when, When::Usually) {
            bits |= 1 << index;
        }
        index += 1;
    }
    bits
}

/// The bit of a pass.
fn bit(name: &str) -> u32 {
    let first = ROWS.iter().position(|row| row.pass.name() == name);
    1 << first.unwrap_or_else(|| panic!("there is no pass `{name}`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [`begin`](crate::circuit::reduce::begin) runs the first row alone.
    #[test]
    fn the_cone_comes_first() {
        assert_eq!(ROWS[0].pass.name(), "cone");
        assert!(ROWS[1].when != When::AfterFind);
    }

    #[test]
    fn rows_of_repeated_passes_follow_a_first_row() {
        for (index, row) in ROWS.iter().enumerate() {
            let earlier = ROWS[..index].iter();
            let is_first = earlier
                .clone()
                .all(|other| other.pass.name() != row.pass.name());
            assert_eq!(is_first, row.when != When::AfterFind, "{}", row.pass.name());
        }
    }
}
