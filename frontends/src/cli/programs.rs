//! What the subcommands for C programs share.

use std::path::Path;

use craig_c::DataModel;

/// Whether the file's name is that of a C program.
pub(super) fn is_c(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension == "c" || extension == "i")
}

/// The machine that a program is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Machine {
    /// x86-64.
    #[default]
    Lp64,
    /// i386.
    Ilp32,
}

impl Machine {
    /// The data model of the C reader.
    pub(super) fn data_model(self) -> DataModel {
        match self {
            Self::Lp64 => DataModel::Lp64,
            Self::Ilp32 => DataModel::Ilp32,
        }
    }
}
