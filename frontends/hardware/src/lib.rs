//! Hardware models as files: AIGER circuits, and the witnesses that show what is true of them.

pub mod aiger;
pub mod witness;
