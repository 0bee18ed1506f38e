//! The `craig` command.

pub mod cli;
mod problem;
