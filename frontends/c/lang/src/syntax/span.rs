//! Positions of the nodes of a tree: ranges of bytes of the preprocessed text.

use std::fmt;

/// A range of bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) start: usize,
    /// The byte after the last one.
    pub(crate) end: usize,
}

impl Span {
    pub(crate) const fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }

    /// The span of what no text stands for.
    pub(crate) const fn none() -> Self {
        Self::new(usize::MAX, usize::MAX)
    }
}

impl fmt::Debug for Span {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}..{}", self.start, self.end)
    }
}

/// A part of a tree with its position.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Node<T> {
    pub(crate) node: T,
    pub(crate) span: Span,
}

impl<T> Node<T> {
    pub(crate) const fn new(node: T, span: Span) -> Self {
        Self { node, span }
    }
}
