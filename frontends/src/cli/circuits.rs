//! Functions shared by the subcommands for circuits.

use std::path::Path;

use craig_hardware::aiger::Encoding;
use craig_mc::Model;

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
