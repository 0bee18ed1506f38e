//! The formats in which a run is told to others.

use std::path::Path;

use crate::cli::dump::Format;

/// The format of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli::check) enum RunFormat {
    /// A witness of Yosys.
    Yosys,
    /// Waves.
    Waves(Format),
    /// A testbench.
    Testbench,
}

impl RunFormat {
    /// That of `--trace`, by the name of its file.
    pub(in crate::cli::check) fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "yw" => Some(Self::Yosys),
            "vcd" => Some(Self::Waves(Format::Vcd)),
            "fst" => Some(Self::Waves(Format::Fst)),
            _ => None,
        }
    }
}
