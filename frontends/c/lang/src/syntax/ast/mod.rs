//! The syntax tree of a translation unit: C23 with GNU's extensions and CBMC's specifications.
//!
//! Types are named after the nonterminals of the standard's grammar (ISO/IEC 9899, annex A).

mod declaration;
mod expression;
mod statement;

pub(crate) use declaration::*;
pub(crate) use expression::*;
pub use statement::TranslationUnit;
pub(crate) use statement::*;
