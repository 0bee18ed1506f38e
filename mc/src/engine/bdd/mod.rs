//! Reachability with binary decision diagrams (J. Burch, E. Clarke, K. McMillan, D. Dill, L. Hwang, "Symbolic
//! model checking: 10^20 states and beyond", 1990): the exact set of reachable states, or of those that reach
//! the bad.
//!
//! For small circuits that are hard for the engines that use a SAT solver. The variable order is fixed for
//! each attempt. Attempts start with few nodes, by two orders, and the engine gives up at a budget of nodes.

mod backward;
mod circuit;
mod diagrams;
mod end;
mod fair;
mod forward;
mod order;
mod search;
mod system;

pub use circuit::circuit;
pub use diagrams::Diagrams;
pub use end::Stop;
pub(crate) use fair::{Fair, Levels, fair};
pub(in crate::engine) use search::ENGINE;
pub use search::{Direction, NAME, Options, check};
