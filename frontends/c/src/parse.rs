//! The call of the parser; no other file depends on how syntax trees are made.

use lang_c::ast::TranslationUnit;
use lang_c::driver::{Config, Flavor, parse_preprocessed};

use super::source::Source;

/// Parses preprocessed text. The error names the place.
pub(crate) fn parse(source: &Source) -> Result<TranslationUnit, String> {
    let config = Config {
        cpp_command: String::new(),
        cpp_options: Vec::new(),
        flavor: Flavor::GnuC11,
    };
    match parse_preprocessed(&config, source.text.clone()) {
        Ok(parsed) => Ok(parsed.unit),
        Err(error) => {
            let at = source.location(error.offset);
            let rest = &source.text[error.offset.min(source.text.len())..];
            let near: String = rest.chars().take_while(|&c| c != '\n').take(30).collect();
            Err(format!(
                "{}:{}:{}: the parser cannot read this: `{}`",
                source.files[at.file as usize],
                at.line,
                at.column,
                near.trim()
            ))
        }
    }
}
