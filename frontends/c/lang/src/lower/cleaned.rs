//! Which declarations have the attribute `cleanup`, by their text.

use crate::syntax::ast::*;
use crate::syntax::span::Node;

use super::extension::extension_lists;
use super::unit::name_of;

/// The name of the attribute.
const CLEANUP: &str = "cleanup";

/// The function that a declaration names in its attribute.
pub(super) fn cleanup_function<'a>(
    specifiers: &'a [Node<DeclarationSpecifier>],
    declarator: &'a Node<Declarator>,
) -> Option<&'a Node<Expression>> {
    let lists = extension_lists(specifiers, declarator);
    let mut attributes = lists
        .flatten()
        .filter_map(|extension| match &extension.node {
            Extension::Attribute(attribute) => Some(attribute),
            Extension::AsmLabel(_) => None,
        });
    attributes
        .rfind(|attribute| attribute.name.node.trim_matches('_') == CLEANUP)
        .and_then(|attribute| attribute.arguments.first())
}

/// The names in the attribute of a declaration: the variables, and the functions that are called for them.
pub(super) fn cleaned_variables(declaration: &Declaration) -> Vec<(&str, &str)> {
    let declarators = declaration.declarators.iter();
    let cleaned = declarators.filter_map(|declarator| {
        let declarator = &declarator.node.declarator;
        let function = cleanup_function(&declaration.specifiers, declarator)?;
        match &function.node {
            Expression::Identifier(function) => {
                Some((name_of(declarator)?, function.node.name.as_str()))
            }
            _ => None,
        }
    });
    cleaned.collect()
}
