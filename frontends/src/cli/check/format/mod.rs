//! Output formats of reports: one format per file.
//!
//! To add one: a file with an implementation of [`Format`], a variant of [`FormatName`] with its line in
//! [`FormatName::make`], and the option that selects it in `check::run`.

mod beside;
mod html;
mod json;
pub(super) mod sarif;
mod sink;
mod text;

use std::path::Path;

use beside::Beside;
use html::write_page;
use json::Json;
use sarif::write_sarif;
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
    /// A printer for reports on `subject`, with a SARIF log and a page if files are given for them.
    pub(super) fn make(
        self,
        subject: Subject,
        sarif: Option<&Path>,
        html: Option<&Path>,
    ) -> Box<dyn Format> {
        let format: Box<dyn Format> = match self {
            Self::Text { is_quiet } => Box::new(Text::new(subject, is_quiet)),
            Self::Json => Box::new(Json),
        };
        let format: Box<dyn Format> = match sarif {
            Some(path) => Box::new(Beside::new(format, path, write_sarif)),
            None => format,
        };
        match html {
            Some(path) => Box::new(Beside::new(format, path, write_page)),
            None => format,
        }
    }

    /// Whether the format tells more than the verdicts.
    pub(super) fn has_details(self) -> bool {
        self != Self::Text { is_quiet: true }
    }

    /// Whether the format also shows the progress of the search.
    pub(super) fn is_chatty(self) -> bool {
        self == Self::Text { is_quiet: false }
    }
}
