//! Hardware models as files: AIGER circuits, and witnesses for their verdicts.

pub mod aiger;
pub mod witness;
