//! Depth limits of simplification.

/// The depth to which comparisons and extractions are pushed into a chain of choices between constants.
pub(super) const CHAIN_DEPTH: usize = 48;

/// The length up to which a chain is followed when it is compared with a constant.
pub(super) const MAX_CHAIN: usize = 4096;

/// The numbers of rows of the tables that are looked at row by row.
pub(super) const MIN_TABLE: usize = 16;
pub(super) const MAX_TABLE: usize = 1 << 14;
