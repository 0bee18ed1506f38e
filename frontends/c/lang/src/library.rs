//! Models of C's library, written in C, and lowered if a program calls a function without defining it.

use std::sync::OnceLock;

use crate::syntax::ast::TranslationUnit;

use crate::parse::parse;
use crate::source::Source;
use crate::types::DataModel;

/// The file name of the library's text.
pub const LIBRARY: &str = "<library>";

/// The library's text, parsed.
pub struct Library {
    pub(crate) source: Source,
    pub(crate) unit: TranslationUnit,
}

/// The libraries that have been parsed, for LP64 and for ILP32.
static PARSED: [OnceLock<Result<Library, String>>; 2] = [const { OnceLock::new() }; 2];

impl Library {
    /// The library for a machine, which is parsed once.
    ///
    /// # Errors
    /// If the library's own text cannot be parsed; its tests exclude this.
    pub fn of(model: DataModel) -> Result<&'static Self, String> {
        let place = &PARSED[usize::from(model == DataModel::Ilp32)];
        let parsed = place.get_or_init(|| Self::parsed(model));
        parsed.as_ref().map_err(String::clone)
    }

    fn parsed(model: DataModel) -> Result<Self, String> {
        let size = match model {
            DataModel::Lp64 => "unsigned long",
            DataModel::Ilp32 => "unsigned int",
        };
        let parts = |ty, mode, suffix| {
            include_str!("complex_parts.c")
                .replace("PART", ty)
                .replace("MODE", mode)
                .replace("SUFFIX", suffix)
        };
        let text = [
            include_str!("library.c"),
            include_str!("cbmc.c"),
            include_str!("formatted.c"),
            include_str!("transcendental.c"),
            include_str!("plane.c"),
            &parts("double", "d", ""),
            &parts("float", "s", "f"),
            include_str!("complex.c"),
            include_str!("wide.c"),
            include_str!("words.c"),
            include_str!("output.c"),
            include_str!("streams.c"),
            include_str!("input.c"),
            include_str!("environment.c"),
            include_str!("time.c"),
            include_str!("threads.c"),
        ]
        .concat();
        let text = text.replace("SIZE", size);
        let source = Source::new(&text, LIBRARY);
        let unit = parse(&source)?;
        Ok(Self { source, unit })
    }
}
