//! Strength and size of interpolants.
//!
//! [`density`](fn@density) computes the fraction of all assignments that satisfy a formula,
//! [`order`](fn@order) determines which of several formulas imply which others, and [`study`] computes and
//! measures the interpolants of one problem for a grid of proofs, transforms and labellings.

mod density;
mod findings;
mod grid;
mod order;

pub use density::{Density, DensityBudget, density};
pub use findings::{Entry, Finding, ProofRecord, Source, Study, StudyError};
pub use grid::{Grid, ProofFunction, Transform, study};
pub use order::{Order, order};
