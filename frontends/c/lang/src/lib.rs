//! The C language: a file is read, preprocessed and parsed (`source`, `parse`), and lowered to functions over words
//! (`lower`, `ir`). What executors of these share stands here too: addresses of objects, kinds of checks, functions of
//! the host, arithmetic on floats.

pub mod address_space;
pub mod c_literal;
pub mod call_graph;
mod check_kind;
mod check_pragma;
pub mod cover;
pub mod float;
pub mod given_text;
pub mod host_function;
pub mod ir;
pub mod library;
pub mod lower;
mod nesting;
pub mod parse;
pub mod placement;
mod pragma_attribute;
pub mod presumed_lines;
pub mod property;
pub mod property_name;
mod record_scalars;
pub mod shown_text;
pub mod source;
pub mod source_place;
pub mod syntax;
mod tokens;
pub mod types;
