//! The syntax of C: lexical elements, the tree, and the parser.

pub(crate) mod ast;
pub(crate) mod span;
