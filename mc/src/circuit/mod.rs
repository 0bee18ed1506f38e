//! Circuits: reductions of transition systems over and-inverter graphs, and their steps as formulas.

pub mod isomorphic;
pub(crate) mod patterns;
pub mod reduce;
pub mod slices;
pub mod unroll;
