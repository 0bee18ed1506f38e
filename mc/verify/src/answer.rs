//! Answers.

/// The answer about a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// No bad state is reachable, or the justice property holds.
    Safe,
    /// One is reachable, or the property fails.
    Unsafe,
    /// Not decided.
    Unknown,
}
