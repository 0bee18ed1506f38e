//! Positions in the source as witnesses name them.

use serde::Deserialize;

/// The internal name of `\result` in constraints.
pub const RESULT: &str = "__craig_result";

/// A position in the source.
#[derive(Clone, Debug, Deserialize)]
pub struct Place {
    /// The name of the file, as it was written.
    pub file_name: String,
    /// From 1.
    pub line: u32,
    /// From 1; `None` matches any.
    pub column: Option<u32>,
}
