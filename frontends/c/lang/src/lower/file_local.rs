//! The names by which goto-cc links `static` functions from other files.

use std::collections::HashMap;

use crate::source::Source;
use crate::syntax::ast::{ExternalDeclaration, TranslationUnit};

use super::unit::{SEPARATOR, name_of};

/// The start of the names of functions that goto-cc exports although they are `static`.
pub(super) const FILE_LOCAL: &str = "__CPROVER_file_local_";
/// The name that goto-cc gives to a `static` function of a file.
fn exported_name(file: &str, function: &str) -> String {
    let base = file.rsplit('/').next().unwrap_or(file);
    let letters = base.chars().map(|c| match c {
        c if c.is_ascii_alphanumeric() => c,
        _ => '_',
    });
    format!("{FILE_LOCAL}{}_{function}", letters.collect::<String>())
}

/// The names of `static` functions in other files, with the names by which they are linked.
pub(super) fn exported_names(
    source: &Source,
    unit: &TranslationUnit,
    number: usize,
    is_internal: &dyn Fn(&str) -> bool,
) -> HashMap<String, String> {
    let mut names = HashMap::new();
    for declaration in &unit.items {
        let ExternalDeclaration::FunctionDefinition(definition) = &declaration.node else {
            continue;
        };
        let name = name_of(&definition.node.declarator);
        if let Some(name) = name.filter(|name| is_internal(name)) {
            let at = source.location(declaration.span.start);
            let file = source.files.get(at.file as usize);
            let exported = exported_name(file.map_or("", String::as_str), name);
            names.insert(exported, format!("{name}{SEPARATOR}{number}"));
        }
    }
    names
}
