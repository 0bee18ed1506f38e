//! Symbolic execution of the lowered program, with merging of paths.
//!
//! An instance is a block in a particular call and iteration. Instances are ordered such that all
//! predecessors come first: each is executed once, on the merger of the states that reach it. Loops are
//! unrolled up to a bound, or cut at their heads, as the policy determines; calls are executed inline.

mod access;
mod allocate;
mod call_edges;
mod choices;
pub mod consistency;
mod elements;
mod executor;
mod facts;
mod forgotten;
pub mod free_values;
mod graph;
mod guard;
mod havoc;
mod lemmas;
mod lifetime;
mod memory;
mod merge;
mod objects;
pub(crate) mod overlap;
pub(crate) mod overlay;
mod points;
mod range;
mod run;
mod state;
mod step;
mod summary;
pub mod unwinding;
mod wrong_read;

pub use call_edges::{EdgeCalls, Vocabulary};
pub use choices::{image, leaves};
pub use elements::{INDEX_BITS, IndexChoice};
pub use executor::{COUNTER_BITS, Executor, MAX_TERMS, Policy};
pub use graph::{Graph, loop_heads};
pub use memory::{choose, constant_low_bits, read_at};
pub use points::Points;
pub use state::{Cut, Event, Happening, Log, Loop, LoopHeads, Mark, Position, State};
pub use summary::{OtherRead, Summaries, gate, relevant};
