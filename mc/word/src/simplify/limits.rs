//! How far simplification looks.

/// How deep comparisons and extractions are pushed into a chain of choices between constants.
pub(super) const CHAIN_DEPTH: usize = 48;

/// A chain is followed no further than this when its end is compared with a constant.
pub(super) const MAX_CHAIN: usize = 4096;
