//! Programs: control-flow automata over words, and the operations of engines on them.

mod action_clauses;
mod actions;
pub mod annotate;
mod answer;
mod certificate;
mod cfa;
mod display;
mod drawing;
pub mod dual;
pub mod engine;
pub mod explicit;
mod facts;
#[cfg(test)]
mod facts_tests;
mod few_values;
pub mod impact;
mod justification;
mod labels;
pub mod line_up;
mod outcome;
mod overlap;
mod part;
mod path;
pub mod pdr;
pub mod predabs;
pub mod procedures;
mod recode;
mod refutation;
pub mod registry;
pub mod rse;
pub mod sequences;
mod shape;
mod slice;
mod step;
mod to_model;
mod unfold;
mod union;
mod unrolled;
mod unwinding;
mod word_labels;
pub mod words;

pub use answer::{Answer, Invariant, Run, WordInvariant};
pub use cfa::{Assignment, Blocks, Cfa, Edge, EdgeId, Location, LocationId, LocationKind, Word};
pub use drawing::{Drawing, DrawnVertex};
pub use facts::Facts;
pub use few_values::FewValues;
pub use path::{Bits, Path, PathFormula};
pub use recode::Recoded;
pub use refutation::{Dial, Transform};
pub use shape::Shape;
pub use to_model::{Bad, CfaModel, Visit};
pub use unfold::Unfolded;
pub use word_labels::LabelKind;

#[cfg(test)]
pub(crate) mod tests;
#[cfg(test)]
mod unrolled_tests;
