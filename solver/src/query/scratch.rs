//! Buffers of conflict analysis.

use crate::lit::Lit;

/// Vectors that conflict analysis keeps between calls for their capacity.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    /// The literals of the learned clause, the asserting one first.
    pub(super) learned: Vec<Lit>,
    /// Literals whose variables are marked.
    pub(super) marked: Vec<Lit>,
    /// The depth-first search of minimisation: clauses and positions in them.
    pub(super) stack: Vec<(u32, usize)>,
}
