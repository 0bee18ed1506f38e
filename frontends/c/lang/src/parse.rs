//! The interface to the parser; no other file depends on it.

use lang_c::ast::TranslationUnit;
use lang_c::driver::{Config, Flavor, parse_preprocessed};

use crate::source::Source;

/// Parses preprocessed text. The error contains the position.
pub fn parse(source: &Source) -> Result<TranslationUnit, String> {
    if let Some((offset, reason)) = &source.unreadable {
        let at = source.original_location(*offset);
        let file = &source.files[at.file as usize];
        return Err(format!("{file}:{}:{}: {reason}", at.line, at.column));
    }
    let config = Config {
        cpp_command: String::new(),
        cpp_options: Vec::new(),
        flavor: Flavor::GnuC11,
    };
    match parse_preprocessed(&config, source.text.clone()) {
        Ok(parsed) => Ok(parsed.unit),
        Err(error) => {
            let at = source.location(error.offset);
            let (before, rest) = source.text.split_at(error.offset.min(source.text.len()));
            let near: String = rest.chars().take_while(|&c| c != '\n').take(30).collect();
            let what = match unread(before, rest) {
                Some(construct) => format!("{construct} is not supported"),
                None => format!("the parser cannot read this: `{}`", near.trim()),
            };
            Err(format!(
                "{}:{}:{}: {what}",
                source.files[at.file as usize], at.line, at.column
            ))
        }
    }
}

/// The name of the GNU C construct at which the parser stops, if it is a known one.
fn unread(before: &str, rest: &str) -> Option<String> {
    if rest.trim_start().starts_with('{') && depth(before) > 0 {
        let name = function_head(before.trim_end())?;
        return Some(format!("the nested function `{name}`"));
    }
    None
}

/// The number of open braces after a text, ignoring those in literals.
fn depth(text: &str) -> i64 {
    let mut depth = 0;
    let mut quote = None;
    let mut is_escaped = false;
    for c in text.chars() {
        match quote {
            Some(_) if is_escaped => is_escaped = false,
            Some(_) if c == '\\' => is_escaped = true,
            Some(open) if c == open => quote = None,
            Some(_) => {}
            None if matches!(c, '"' | '\'') => quote = Some(c),
            None => depth += i64::from(c == '{') - i64::from(c == '}'),
        }
    }
    depth
}

/// The name before the parameter list at the end of a text.
fn function_head(text: &str) -> Option<&str> {
    let mut open = 0u32;
    let start = text.rfind(|c| {
        match c {
            ')' => open += 1,
            '(' => open = open.saturating_sub(1),
            _ => {}
        }
        open == 0
    })?;
    let head = text[..start].trim_end();
    let name = head
        .rsplit(|c: char| !c.is_alphanumeric() && c != '_')
        .next()?;
    let is_name = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let is_keyword = matches!(name, "if" | "while" | "for" | "switch");
    (text.ends_with(')') && is_name && !is_keyword).then_some(name)
}
