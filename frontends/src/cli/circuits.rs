//! Functions shared by the subcommands for circuits.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use craig_hardware::aiger::Encoding;
use craig_model::Model;
use serde::Serialize;

/// The kind of a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Kind {
    /// A bad state must not be reached.
    Bad,
    /// Some formulas must not all hold infinitely often.
    Justice,
}

/// A property of a circuit: its kind, and its number among those of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct PropertyId {
    /// The kind.
    pub(super) kind: Kind,
    /// The number, counted from 0.
    pub(super) number: usize,
}

impl PropertyId {
    /// The bad of this number.
    pub(super) fn bad(number: usize) -> Self {
        let kind = Kind::Bad;
        Self { kind, number }
    }

    /// The justice property of this number.
    pub(super) fn justice(number: usize) -> Self {
        let kind = Kind::Justice;
        Self { kind, number }
    }

    /// All properties of a model.
    pub(super) fn all(model: &Model) -> Vec<Self> {
        let bads = (0..model.bads.len()).map(Self::bad);
        bads.chain((0..model.justice.len()).map(Self::justice))
            .collect()
    }

    /// The name in the file, or else the kind and number.
    pub(super) fn name(self, model: &Model) -> String {
        match self.kind {
            Kind::Bad => name_of(&model.names.bads, 'b', self.number),
            Kind::Justice => name_of(&model.names.justice, 'j', self.number),
        }
    }

    /// Whether the model has it.
    ///
    /// # Errors
    /// If not: a message for users.
    pub(super) fn check(self, model: &Model) -> Result<(), String> {
        let (what, n_properties) = match self.kind {
            Kind::Bad => ("property", model.bads.len()),
            Kind::Justice => ("justice property", model.justice.len()),
        };
        match self.number < n_properties {
            true => Ok(()),
            false => Err(format!(
                "there is no {what} {}: the circuit has {n_properties}",
                self.number
            )),
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

/// The name of entry `index` of a list: its symbol in the file, or else its kind and number.
pub(super) fn name_of(names: &[String], kind: char, index: usize) -> String {
    match names.get(index) {
        Some(name) if !name.is_empty() => name.clone(),
        _ => format!("{kind}{index}"),
    }
}

/// The model with a single bad: the disjunction of its bads.
pub(super) fn unite(model: &Model) -> Model {
    let mut united = model.clone();
    let any = united.aig.or_all(model.bads.iter().copied());
    united.bads = vec![any];
    united.names.bads.clear();
    united
}

/// The encoding of AIGER determined by a file's name.
pub(super) fn encoding_of(path: &Path) -> Option<Encoding> {
    match path.extension()?.to_str()? {
        "aag" => Some(Encoding::Ascii),
        "aig" => Some(Encoding::Binary),
        _ => None,
    }
}

/// The path without the extension of a compression: what is left tells the kind of the file.
pub(super) fn without_compression(path: &Path) -> &Path {
    let is_compressed = path
        .extension()
        .is_some_and(|extension| extension == "gz" || extension == "xz");
    match path.file_stem() {
        Some(stem) if is_compressed => Path::new(stem),
        _ => path,
    }
}
