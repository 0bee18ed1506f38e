//! Linking as goto-cc does it: names of `static` functions in other files, and bodies that are left out.

use std::collections::HashMap;

use crate::syntax::ast::{ExternalDeclaration, TranslationUnit};

use crate::source::Source;

use super::super::Lowering;
use super::super::link::name_of;
use super::super::unit::SEPARATOR;
use super::RESERVED;

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
    /// Whether the body of a function with this link name is left out.
    pub(in crate::lower) fn is_removed(&mut self, link: &str) -> bool {
        let removed = &self.options.cbmc.removed_bodies;
        let exported = self.exported.iter().filter(|(_, known)| *known == link);
        let mut names = exported.map(|(name, _)| name.as_str()).chain([link]);
        let Some(name) = names.find(|name| removed.iter().any(|removed| removed == name)) else {
            return false;
        };
        let name = name.to_owned();
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
