//! Programs: control-flow automata over words, and the operations of engines on them.
//!
//! A [`Cfa`] has locations that carry words, and edges with a guard and parallel assignments: terms over the words of the
//! edge's source, and over inputs that each step chooses anew. [`Cfa::check`] tests its invariants, [`Cfa::overlap`] whether the
//! edges of a location exclude each other, on which [`Cfa::to_model`] relies. Runs end at the error and at the location for
//! what is not supported; a proof needs both to be unreachable.
//!
//! Engines share edges as formulas of one graph (`actions`), paths in one solver and the interpolants of their refutations
//! (`refutation`, `word_labels`), labels of locations with memoised entailment (`labels`), and their answer (`answer`): an
//! invariant for each location, or a run. An answer becomes an outcome about the circuit of the automaton, which is judged as
//! any other. [`Facts`] were proved before; [`unfold`](Cfa::unfolded) and [`Recoded`] make other automata with a way back for
//! evidence; [`words`] searches invariants over words; [`line_up`] is the schedule of engines.
//!
//! A word that is counted up to 3, and is then compared with 4:
//!
//! ```
//! use craig_mc::Alone;
//! use craig_program::{Answer, Assignment, Bad, Cfa, impact};
//! use craig_word::Terms;
//!
//! let mut terms = Terms::new();
//! let word = terms.variable(8);
//! let [zero, one, three, four] = [0, 1, 3, 4].map(|value| terms.constant(value, 8));
//! let (yes, more) = (terms.boolean(true), terms.ult(word, three));
//! let (next, is_four) = (terms.add(word, one), terms.eq(word, four));
//! let wrong = { let end = terms.not(more); terms.and(end, is_four) };
//!
//! let mut cfa = Cfa::new(terms);
//! cfa.add_word(word, "n");
//! let head = cfa.add_location("head", vec![word], vec![word]);
//! cfa.add_edge(Cfa::START, head, yes, vec![Assignment { word, value: zero }]);
//! cfa.add_edge(head, Cfa::ERROR, wrong, vec![]);
//! cfa.add_edge(head, head, more, vec![Assignment { word, value: next }]);
//! cfa.check()?;
//! let options = impact::Options::default();
//! let answer = impact::check(&cfa, Bad::Error, &options, Alone::new().control());
//! assert!(matches!(answer, Answer::Safe(_)));
//! # Ok::<(), String>(())
//! ```

mod action_clauses;
mod actions;
pub mod annotate;
mod answer;
mod certificate;
mod cfa;
mod display;
mod drawing;
pub mod engine;
mod event_loop;
pub mod explicit;
mod facts;
#[cfg(test)]
mod facts_tests;
mod few_values;
pub mod impact;
mod justification;
mod labelling;
mod labels;
pub mod line_up;
mod outcome;
mod overlap;
mod part;
mod path;
#[cfg(feature = "bdd")]
pub mod predabs;
pub mod procedures;
mod recode;
mod refutation;
pub mod registry;
pub mod rse;
mod slice;
mod step;
mod to_model;
mod unfold;
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
pub use to_model::{Bad, CfaModel, Visit};
pub use unfold::Unfolded;
pub use word_labels::LabelKind;

#[cfg(test)]
pub(crate) mod tests;
