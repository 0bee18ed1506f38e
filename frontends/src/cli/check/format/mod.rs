//! Output formats of reports: one format per file.
//!
//! To add one: a file with an implementation of [`Format`], a variant of [`FormatName`] with its line in
//! [`FormatName::make`], and the option that selects it in `check::run`.

mod json;
pub(super) mod sarif;
mod sink;
mod text;

use std::path::Path;

use json::Json;
use sarif::Sarif;
use text::Text;

use super::report::Subject;
pub(super) use sink::Format;

/// The formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FormatName {
    /// Lines for people.
    Text {
        /// Only the verdicts.
        is_quiet: bool,
    },
    /// One JSON object.
    Json,
}

impl FormatName {
    /// A printer for reports on `subject`, with a SARIF log if a file is given for it.
    pub(super) fn make(self, subject: Subject, sarif: Option<&Path>) -> Box<dyn Format> {
        let format: Box<dyn Format> = match self {
            Self::Text { is_quiet } => Box::new(Text::new(subject, is_quiet)),
            Self::Json => Box::new(Json),
        };
        match sarif {
            Some(path) => Box::new(Sarif::new(format, path.to_owned())),
            None => format,
        }
    }

    /// Whether the format also shows the progress of the search.
    pub(super) fn is_chatty(self) -> bool {
        self == Self::Text { is_quiet: false }
    }
}
