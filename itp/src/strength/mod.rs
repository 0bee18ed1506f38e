//! How strong and how large interpolants are: what a strength study measures and compares.
//!
//! [`size`] counts, [`density`] says how much of the space a formula covers, [`order`] finds which of
//! several formulas imply which, and [`study`] runs the grid of proofs, transforms and systems over one problem.

mod density;
mod order;
mod size;
mod study;

pub use density::{Density, DensityBudget, density};
pub(crate) use density::{Random, extract};
pub use order::{Order, order};
pub use size::{Size, size};
pub use study::{
    Entry, Finding, Grid, ProofFunction, ProofRecord, Source, Study, StudyError, Transform,
    shared_variables, study,
};
