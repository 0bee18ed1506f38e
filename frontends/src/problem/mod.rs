//! Interpolation problems: formulas whose clauses are divided among partitions.

mod circuit;
mod formula;
mod partitioned;

pub(crate) use circuit::bounded;
pub(crate) use formula::Problem;
pub(crate) use partitioned::partitioned;
