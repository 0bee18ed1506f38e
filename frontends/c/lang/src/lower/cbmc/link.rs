//! Linking as goto-cc does it: names of `static` functions in other files, and bodies that are left out.

use std::collections::HashMap;

use crate::syntax::ast::{ExternalDeclaration, TranslationUnit};

use crate::source::Source;

use super::super::Lowering;
use super::super::link::name_of;
use super::super::unit::{SEPARATOR, source_name};
use super::RESERVED;

/// The start of the names of functions that goto-cc exports although they are `static`.
pub(super) const FILE_LOCAL: &str = "__CPROVER_file_local_";
/// What stands between the name of a file and that of its function.
const C_FILE: &str = "_c_";

/// The name that goto-cc gives to a `static` function of a file.
fn exported_name(file: &str, function: &str) -> String {
    let base = file.rsplit('/').next().unwrap_or(file);
    let letters = base.chars().map(|c| match c {
        c if c.is_ascii_alphanumeric() => c,
        _ => '_',
    });
    format!(
        "{RESERVED}file_local_{}_{function}",
        letters.collect::<String>()
    )
}

/// The names of `static` functions in other files, with the names by which they are linked.
pub(in crate::lower) fn exported_names(
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

impl Lowering<'_> {
    /// The link name of the `static` function that has this name in other files.
    ///
    /// The names of preprocessed files are often not those of their sources: if no file has the name, the only function
    /// of that name counts.
    pub(in crate::lower) fn exported_link(&self, name: &str) -> Option<String> {
        if let Some(link) = self.exported.get(name) {
            return Some(link.clone());
        }
        let rest = name.strip_prefix(FILE_LOCAL)?;
        let parts = rest.match_indices(C_FILE);
        let functions: Vec<&str> = parts.map(|(at, end)| &rest[at + end.len()..]).collect();
        let is_it = |link: &&String| functions.contains(&source_name(link));
        let mut links = self.exported.values().filter(is_it);
        let link = links.next()?;
        links.next().is_none().then(|| link.clone())
    }

    /// Whether the body of a function with this link name is left out.
    pub(in crate::lower) fn is_removed(&mut self, link: &str) -> bool {
        let removed = &self.options.cbmc.removed_bodies;
        let is_it =
            |name: &&String| *name == link || self.exported_link(name).as_deref() == Some(link);
        let Some(name) = removed.iter().find(is_it) else {
            return false;
        };
        let name = name.clone();
        self.without_body.insert(name);
        true
    }

    /// The unit of a function that is linked within its unit.
    pub(in crate::lower) fn unit_of_static(&self, link: &str) -> Option<usize> {
        let (_, unit) = link.split_once(SEPARATOR)?;
        unit.parse().ok()
    }

    /// Says which functions had no body that could have been left out.
    pub(in crate::lower) fn note_missing_bodies(&mut self) {
        for name in self.options.cbmc.removed_bodies.clone() {
            if !self.without_body.contains(&name) {
                self.note(format!("`{name}` has no body that could be removed"));
            }
        }
    }
}
