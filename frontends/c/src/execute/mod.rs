//! Symbolic execution of the lowered program, with merging of paths.
//!
//! An instance is a block in a particular call and iteration. Instances are ordered such that all
//! predecessors come first: each is executed once, on the merger of the states that reach it. Loops are
//! unrolled up to a bound, or cut at their heads, as the policy determines; calls are executed inline.

mod access;
mod allocate;
mod call_edges;
mod choices;
mod elements;
mod executor;
mod facts;
mod forgotten;
mod graph;
mod guard;
mod havoc;
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

pub(crate) use call_edges::{EdgeCalls, Vocabulary};
pub(crate) use choices::{image, leaves};
pub(crate) use elements::{INDEX_BITS, IndexChoice};
pub(crate) use executor::{COUNTER_BITS, Executor, MAX_TERMS, Policy};
pub(crate) use graph::{Graph, loop_heads};
pub(crate) use memory::{AddressSpace, ObjectId, choose, constant_low_bits, read_at};
pub(crate) use points::Points;
pub(crate) use state::{Cut, Event, Happening, Log, Loop, LoopHeads, Mark, Position, State};
pub(crate) use summary::{OtherRead, Summaries, gate, relevant};
