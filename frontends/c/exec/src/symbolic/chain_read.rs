//! The names of contents of large objects, and reads of them.

use craig_word::Term;

/// A link of a chain of writes, which represents the contents up to it.
pub(crate) type ChainId = u32;

/// The word of a read from a chain.
#[derive(Clone, Copy)]
pub struct Read {
    pub(crate) term: Term,
    pub(crate) chain: ChainId,
    pub(crate) offset: Term,
    pub(crate) bytes: u32,
}
