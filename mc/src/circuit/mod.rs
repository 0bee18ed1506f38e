//! Circuits: transition systems over and-inverter graphs, their runs, and the evidence for verdicts about
//! them.

pub mod certificate;
pub mod certify;
pub mod cone;
pub mod isomorphic;
pub mod model;
pub(crate) mod patterns;
pub mod reduce;
pub mod simulate;
pub mod unroll;
pub mod verdict;
