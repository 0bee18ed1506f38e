//! The kinds of input.

use std::fmt;
use std::path::Path;

use crate::cli::circuits::without_compression;
use crate::cli::input::InputFormat;
use crate::cli::program_files::is_database;
use crate::cli::programs::is_c;
use crate::cli::verilog::is_verilog;

/// A set of kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Kinds(u8);

/// Circuits in AIGER, and in BLIF, which become such.
pub(super) const AIGER: Kinds = Kinds(1);
/// Circuits in BTOR2, and systems in VMT-LIB, which become such.
pub(super) const BTOR2: Kinds = Kinds(2);
/// Designs in Verilog.
pub(super) const VERILOG: Kinds = Kinds(4);
/// C programs.
pub(super) const C: Kinds = Kinds(8);
/// Circuits of all kinds.
pub(super) const CIRCUIT: Kinds = AIGER.and(BTOR2).and(VERILOG);

const NAMES: [(Kinds, &str); 4] = [
    (AIGER, "circuits in AIGER"),
    (BTOR2, "circuits in BTOR2"),
    (VERILOG, "Verilog"),
    (C, "C programs"),
];

impl Kinds {
    /// All.
    pub(super) const ANY: Self = CIRCUIT.and(C);
    /// None.
    pub(super) const NONE: Self = Self(0);

    /// Those of both sets.
    pub(super) const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether a kind is among them.
    pub(super) fn has(self, kind: Self) -> bool {
        self.0 & kind.0 != 0
    }

    /// Each kind.
    pub(super) fn each(self) -> impl Iterator<Item = Self> {
        let all = NAMES.iter().map(|&(kind, _)| kind);
        all.filter(move |&kind| self.has(kind))
    }

    /// Whether the name of a file tells that it is a circuit, a design or a program. Files of JSON are of many kinds.
    pub(super) fn is_told_by(path: &Path) -> bool {
        !is_database(path) && Self::of(path).each().count() == 1
    }

    /// The kind of a format.
    pub(super) fn of_format(format: InputFormat) -> Self {
        match format {
            InputFormat::Aag | InputFormat::Aig => AIGER,
            InputFormat::Btor2 | InputFormat::Vmt => BTOR2,
            InputFormat::C | InputFormat::I => C,
        }
    }

    /// The kind of a file, by its name. Circuits that the name does not tell apart are both.
    pub(super) fn of(path: &Path) -> Self {
        let path = without_compression(path);
        let extension = path.extension().and_then(|extension| extension.to_str());
        match extension {
            _ if is_c(path) || is_database(path) => C,
            _ if is_verilog(path) => VERILOG,
            Some("aag" | "aig" | "blif") => AIGER,
            Some("btor" | "btor2" | "vmt") => BTOR2,
            _ => AIGER.and(BTOR2),
        }
    }
}

impl fmt::Display for Kinds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == CIRCUIT {
            return f.write_str("circuits");
        }
        let names = NAMES.iter().filter(|(kind, _)| self.has(*kind));
        let names: Vec<&str> = names.map(|&(_, name)| name).collect();
        f.write_str(&names.join(" and "))
    }
}
