//! Attributes and labels, by the text of a declaration.

use crate::syntax::ast::*;
use crate::syntax::span::Node;

/// The attributes and labels of a declaration: those before its declarator, and those after it.
pub(super) fn extension_lists<'a>(
    specifiers: &'a [Node<DeclarationSpecifier>],
    declarator: &'a Node<Declarator>,
) -> impl DoubleEndedIterator<Item = &'a [Node<Extension>]> {
    let before = specifiers
        .iter()
        .filter_map(|specifier| match &specifier.node {
            DeclarationSpecifier::Extension(list) => Some(list.as_slice()),
            _ => None,
        });
    before.chain(std::iter::once(declarator.node.extensions.as_slice()))
}
