//! Functions shared by the subcommands for circuits.

use std::path::Path;

use craig_hardware::aiger::Encoding;

pub(super) use craig_verify::{Kind, PropertyId};

/// The class of a property in reports.
pub(super) fn class_of(kind: Kind) -> &'static str {
    match kind {
        Kind::Bad => "bad",
        Kind::Justice => "justice",
    }
}

/// The name of entry `index` of a list: its symbol in the file, or else its kind and number.
pub(super) fn name_of(names: &[String], kind: char, index: usize) -> String {
    match names.get(index) {
        Some(name) if !name.is_empty() => name.clone(),
        _ => format!("{kind}{index}"),
    }
}

/// The encoding of AIGER determined by a file's name.
pub(super) fn encoding_of(path: &Path) -> Option<Encoding> {
    match path.extension()?.to_str()? {
        "aag" => Some(Encoding::Ascii),
        "aig" => Some(Encoding::Binary),
        _ => None,
    }
}

/// The path without its folders and, if it is compressed, without the extension that says so: what is left tells the kind
/// of the file. A path that is not compressed stays as it is.
pub(super) fn without_compression(path: &Path) -> &Path {
    let is_compressed = path
        .extension()
        .is_some_and(|extension| extension == "gz" || extension == "xz");
    match path.file_stem() {
        Some(stem) if is_compressed => Path::new(stem),
        _ => path,
    }
}
