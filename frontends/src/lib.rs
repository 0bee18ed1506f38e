//! Readers and writers for circuits and formulas, and the `craig` command.

pub mod aiger;
pub mod c;
pub mod cli;
pub mod dimacs;
pub mod formula;
pub mod problem;
pub mod witness;
pub mod word;
