//! Benches of craig: the comparison with its peers, and the experiments of the papers.

pub mod answer;
mod bootstrap;
pub mod compare;
pub mod faults;
pub mod fuzz;
pub mod generate;
pub mod growth;
pub mod paper;
pub mod plot;
pub mod pool;
pub mod process;
pub mod programs;
pub mod row;
