//! Files of hardware models: AIGER circuits, and witnesses for their verdicts.

pub mod aiger;
pub mod btor2;
pub mod witness;
