//! Pointers to functions in sections `.init_array` and `.init_array.N`, which run before `main` as constructors do: by N, which
//! is 65535 for the section without a number.

use std::collections::HashSet;

use crate::syntax::ast::*;
use crate::syntax::span::Node;

use super::cbmc::named_function;
use super::extension::extension_lists;
use super::state::Constructor;
use super::{Lowering, Result};

/// The section.
const SECTION: &str = ".init_array";

/// The priority of a section whose pointers are called at the start.
fn priority(section: &str) -> Option<u16> {
    match section.strip_prefix(SECTION)?.strip_prefix('.') {
        Some(number) => number.parse().ok(),
        None => (section == SECTION).then_some(u16::MAX),
    }
}

/// The name of the section that an attribute asks for.
fn section(attribute: &Attribute) -> Option<String> {
    match attribute.arguments.first().map(|argument| &argument.node) {
        Some(Expression::StringLiteral(text))
            if attribute.name.node.trim_matches('_') == "section" =>
        {
            Some(text.node.concat().replace('"', ""))
        }
        _ => None,
    }
}

/// The attributes of a declaration with an initialiser, with their bytes.
fn attributes<'a>(
    declaration: &'a Declaration,
    declarator: &'a InitDeclarator,
) -> impl Iterator<Item = (&'a Attribute, usize)> {
    let lists = extension_lists(&declaration.specifiers, &declarator.declarator);
    let has_value = declarator.initializer.is_some();
    lists
        .flatten()
        .filter_map(move |extension| match &extension.node {
            Extension::Attribute(attribute) if has_value => Some((attribute, extension.span.start)),
            _ => None,
        })
}

/// The bytes of the attributes by which objects of a unit are in such a section.
pub(super) fn of_objects(unit: &TranslationUnit) -> HashSet<usize> {
    let mut found = HashSet::new();
    for item in &unit.items {
        let ExternalDeclaration::Declaration(declaration) = &item.node else {
            continue;
        };
        for declarator in &declaration.node.declarators {
            for (attribute, start) in attributes(&declaration.node, &declarator.node) {
                let place = section(attribute);
                if place.is_some_and(|place| priority(&place).is_some()) {
                    found.insert(start);
                }
            }
        }
    }
    found
}

impl<'a> Lowering<'a> {
    /// Records the function of an object at file scope that is in such a section.
    ///
    /// # Errors
    /// If it is not one pointer to a named function, or one that compilers may leave out.
    pub(super) fn note_initial_pointer(
        &mut self,
        declaration: &'a Declaration,
        declarator: &'a Node<InitDeclarator>,
        is_static: bool,
    ) -> Result<()> {
        let (mut place, mut is_used) = (None, !is_static);
        for (attribute, _) in attributes(declaration, &declarator.node) {
            let name = attribute.name.node.trim_matches('_');
            is_used |= name == "used" || name == "retain";
            place = place.or(section(attribute).as_deref().and_then(priority));
        }
        let Some(place) = place else { return Ok(()) };
        let value = declarator.node.initializer.as_ref().map(|it| &it.node);
        let function = match value {
            Some(Initializer::Expression(value)) => named_function(value),
            _ => None,
        };
        let Some(function) = function else {
            return Err(
                "an object in the section `.init_array` that is not one pointer to a function"
                    .into(),
            );
        };
        if !is_used {
            return Err(
                "a static object in the section `.init_array` without the attribute `used`".into(),
            );
        }
        let link = self.link_name(function).into_owned();
        let order = i128::from(place);
        self.constructors.push(Constructor {
            order,
            link,
            is_pointer: true,
        });
        Ok(())
    }
}
