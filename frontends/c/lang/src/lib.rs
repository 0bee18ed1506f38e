//! The C language: a file is read, preprocessed and parsed (`source`, `parse`), and lowered to functions over words
//! (`lower`, `ir`). What executors of these share stands here too: addresses of objects, kinds of checks, functions of
//! the host, arithmetic on floats.
//!
//! ```
//! use craig_c_lang::lower::{LoweringOptions, lower_text};
//! use craig_c_lang::property::properties;
//!
//! let text = "void reach_error(void);\nint main(int n, char **words) {\n  if (n > 9) reach_error();\n}";
//! let program = lower_text(text, "few.c", &LoweringOptions::default())?;
//! let lines: Vec<u32> = properties(&program).iter().map(|property| property.at.line).collect();
//! assert_eq!(lines, [3]);
//!
//! // What is no C is refused with its place.
//! let fault = lower_text("int main(void) { return 0 }", "few.c", &LoweringOptions::default());
//! assert!(fault.is_err_and(|message| message.starts_with("few.c:1")));
//! # Ok::<(), String>(())
//! ```

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
mod loop_pragma;
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
