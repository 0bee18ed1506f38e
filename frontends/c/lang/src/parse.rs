//! The parser on a source, with errors that have their place in its files.

use crate::source::Source;
use crate::syntax::TranslationUnit;
use crate::syntax::parse_text;

/// Parses preprocessed text. The error contains the position.
///
/// # Errors
/// If the text is no program, or has a construct that is not supported.
pub fn parse(source: &Source) -> Result<TranslationUnit, String> {
    let refused = |offset: usize, reason: &str| {
        let at = source.location(offset);
        let file = &source.files[at.file as usize];
        let reason = source.shown.message(file, reason);
        format!("{file}:{}:{}: {reason}", at.line, at.column)
    };
    if let Some((offset, reason)) = &source.unreadable {
        return Err(refused(*offset, reason));
    }
    parse_text(&source.text).map_err(|error| refused(error.offset, &error.message))
}
