//! Symbolic execution of the lowered program, with merging of paths.
//!
//! An instance is a block in a particular call and iteration. Instances are ordered such that all
//! predecessors come first: each is executed once, on the merger of the states that reach it. Loops are
//! unrolled up to a bound, or cut at their heads, as the policy determines; calls are executed inline.

mod access;
mod address_bits;
mod allocate;
mod arrays;
mod call_edges;
mod calls;
mod chain_read;
mod choices;
pub mod consistency;
mod constant_addresses;
mod contents;
mod copied;
mod copies;
mod divided_address;
mod edge_calls;
mod elements;
mod executor;
mod facts;
pub mod free_values;
mod ghost;
mod graph;
mod guard;
mod havoc;
mod havocked;
mod lemmas;
mod lifetime;
mod meeting;
mod memory;
mod merge;
mod objects;
mod other_read;
pub(crate) mod overlap;
pub(crate) mod overlay;
mod paths;
mod pieces;
mod points;
mod range;
mod run;
mod sites;
mod state;
mod step;
mod stored;
mod stored_addresses;
mod summary;
pub mod unwinding;
mod wrong_read;

pub use arrays::{Elements, INDEX_BITS, IndexChoice};
pub use choices::{image, leaves};
pub use contents::{Cells, Contents};
pub use edge_calls::{EdgeCalls, Vocabulary};
pub use executor::{COUNTER_BITS, Executor, MAX_TERMS, Policy};
pub use graph::{Graph, loop_heads};
pub use memory::{choose, constant_low_bits, read_at};
pub use other_read::{OtherRead, gate, relevant};
pub use paths::{Noted, Way};
pub use points::Points;
pub use sites::Summaries;
pub use state::{Cut, Event, Happening, Log, Loop, LoopHeads, Mark, Position, State};
