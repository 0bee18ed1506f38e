//! What was tried, in numbers.

use std::collections::BTreeMap;
use std::fmt;

/// Counts by name.
#[derive(Clone, Debug, Default)]
pub(super) struct Tally(BTreeMap<String, u64>);

impl Tally {
    /// Counts one more.
    pub(super) fn count(&mut self, what: &str) {
        match self.0.get_mut(what) {
            Some(count) => *count += 1,
            None => drop(self.0.insert(what.to_owned(), 1)),
        }
    }

    /// Adds the counts of another one.
    pub(super) fn add(&mut self, other: &Self) {
        for (what, count) in &other.0 {
            *self.0.entry(what.clone()).or_default() += count;
        }
    }

    /// The count of this name.
    #[cfg(test)]
    pub(super) fn of(&self, what: &str) -> u64 {
        self.0.get(what).copied().unwrap_or_default()
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (what, count) in &self.0 {
            writeln!(f, "{count:>10} {what}")?;
        }
        Ok(())
    }
}
