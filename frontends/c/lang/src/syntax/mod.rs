//! The syntax of C: lexical elements, the tree, and the parser.

pub(crate) mod ast;
mod attribute;
mod constant;
mod declaration;
mod declarator;
mod expression;
mod lexer;
mod parser;
mod primary;
mod record;
mod scope;
pub(crate) mod span;
mod specification;
mod specifier;
mod statement;
#[cfg(test)]
mod tests;
pub(crate) mod visit;

pub use ast::TranslationUnit;
pub(crate) use parser::parse_text;
