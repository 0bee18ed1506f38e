//! The properties of a circuit, by kind and number.

use std::fmt;
use std::str::FromStr;

use craig_model::Model;

/// The kind of a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A bad state must not be reached.
    Bad,
    /// Some formulas must not all hold infinitely often.
    Justice,
}

/// A property of a circuit: its kind, and its number among those of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PropertyId {
    /// The kind.
    pub kind: Kind,
    /// The number, counted from 0.
    pub number: usize,
}

impl PropertyId {
    /// The bad of this number.
    #[must_use]
    pub fn bad(number: usize) -> Self {
        let kind = Kind::Bad;
        Self { kind, number }
    }

    /// The justice property of this number.
    #[must_use]
    pub fn justice(number: usize) -> Self {
        let kind = Kind::Justice;
        Self { kind, number }
    }

    /// All properties of a model.
    #[must_use]
    pub fn all(model: &Model) -> Vec<Self> {
        let bads = (0..model.bads.len()).map(Self::bad);
        bads.chain((0..model.justice.len()).map(Self::justice))
            .collect()
    }

    /// The name in the file, or else the kind and number.
    #[must_use]
    pub fn name(self, model: &Model) -> String {
        let names = match self.kind {
            Kind::Bad => &model.names.bads,
            Kind::Justice => &model.names.justice,
        };
        match names.get(self.number) {
            Some(name) if !name.is_empty() => name.clone(),
            _ => self.to_string(),
        }
    }
}

impl fmt::Display for PropertyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            Kind::Bad => 'b',
            Kind::Justice => 'j',
        };
        write!(f, "{kind}{}", self.number)
    }
}

impl FromStr for PropertyId {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (kind, digits) = match text.split_at_checked(1) {
            Some(("j", digits)) => (Kind::Justice, digits),
            Some(("b", digits)) => (Kind::Bad, digits),
            _ => (Kind::Bad, text),
        };
        let number = digits.parse();
        let number = number.map_err(|_| "expected a number, or `b` or `j` and a number")?;
        Ok(Self { kind, number })
    }
}
