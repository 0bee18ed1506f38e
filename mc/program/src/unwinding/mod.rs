//! Labelled unwindings of programs: the tree and its covering relation, and the steps that strengthen its
//! labels by interpolants of refuted paths (K. L. McMillan, "Lazy abstraction with interpolants", CAV 2006).
//! Engines choose the order of the steps.

mod draw;
mod labelled;
mod options;
mod tree;

pub(super) use labelled::{Implied, LabelledUnwinding, Refined, thousands};
pub use options::Options;
pub(super) use options::{
    COVER_CANDIDATES, COVER_CONFLICTS, COVER_LOSSES, NO_EXPAND_QUERIES, NO_FORCE_COVER,
    NO_KNOWN_LABELS, NO_SLICE, WHOLE_PATHS,
};
pub(super) use tree::{Unwinding, VertexId};
