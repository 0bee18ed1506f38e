//! The two encodings of a file.

/// Which of AIGER's two encodings a file uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// Text, gates in any order: `aag`.
    #[default]
    Ascii,
    /// Gates in topological order as differences of literals: `aig`.
    Binary,
}
