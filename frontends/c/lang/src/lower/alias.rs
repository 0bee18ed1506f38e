//! The attribute `alias("f")` of a function that a file declares: another name of `f`, which the file defines.

use std::collections::HashSet;

use crate::syntax::ast::*;
use crate::syntax::span::Node;
use crate::types::Type;

use super::extension::extension_lists;
use super::state::Alias;
use super::unit::name_of;
use super::{Lowering, Result, Symbol};

/// The name that an attribute `alias` of a declaration gives.
pub(super) fn alias_target(
    specifiers: &[Node<DeclarationSpecifier>],
    declarator: &Node<Declarator>,
) -> Option<String> {
    let lists = extension_lists(specifiers, declarator);
    lists.flatten().find_map(|extension| match &extension.node {
        Extension::Attribute(attribute) if attribute.name.node.trim_matches('_') == "alias" => {
            match attribute.arguments.first().map(|argument| &argument.node) {
                Some(Expression::StringLiteral(text)) => Some(text.node.concat().replace('"', "")),
                _ => Some(String::new()),
            }
        }
        _ => None,
    })
}

/// The names of the functions that a unit defines.
fn defined_names(unit: &TranslationUnit) -> HashSet<&str> {
    let definitions = unit.items.iter().filter_map(|item| match &item.node {
        ExternalDeclaration::FunctionDefinition(definition) => name_of(&definition.node.declarator),
        _ => None,
    });
    definitions.collect()
}

impl<'a> Lowering<'a> {
    /// Notes the other names of functions in all units, before any name is used. A weak one counts where no unit defines
    /// the name.
    pub(super) fn note_aliases(&mut self, units: &[&'a TranslationUnit]) {
        let defined: Vec<HashSet<&str>> = units.iter().map(|unit| defined_names(unit)).collect();
        for (number, unit) in units.iter().enumerate() {
            for item in &unit.items {
                let ExternalDeclaration::Declaration(declaration) = &item.node else {
                    continue;
                };
                for declarator in &declaration.node.declarators {
                    let declarator = &declarator.node.declarator;
                    let target = alias_target(&declaration.node.specifiers, declarator);
                    let (Some(name), Some(target)) = (name_of(declarator), target) else {
                        continue;
                    };
                    if !defined[number].contains(target.as_str())
                        || defined.iter().any(|names| names.contains(name))
                    {
                        continue;
                    }
                    let link = self.link_name_in(number, name).into_owned();
                    let to = self.link_name_in(number, &target).into_owned();
                    self.alias_links.insert(link, to);
                    self.aliases.push(Alias {
                        unit: number,
                        name: name.to_string(),
                        target,
                    });
                }
            }
        }
    }

    /// Looks at a declaration with the attribute.
    ///
    /// # Errors
    /// If it is none of those that [`Self::note_aliases`] has noted.
    pub(super) fn check_alias(
        &self,
        name: &str,
        ty: &Type,
        specifiers: &[Node<DeclarationSpecifier>],
        declarator: &Node<Declarator>,
    ) -> Result<()> {
        let Some(target) = alias_target(specifiers, declarator) else {
            return Ok(());
        };
        if !matches!(ty, Type::Function(_)) {
            return Err("the attribute `alias` of an object".into());
        }
        let is_known = (self.aliases.iter())
            .any(|alias| alias.unit == self.unit && alias.name == name && alias.target == target);
        // A weak name that another unit defines is no alias.
        let is_replaced = self.weak.contains(name) && self.definition_of(name).is_some();
        if is_known || is_replaced {
            Ok(())
        } else {
            Err(format!(
                "the attribute `alias` with `{target}`, which the file does not define"
            ))
        }
    }

    /// Compares the types of all functions with those of their other names, when all of them are known.
    ///
    /// # Errors
    /// If two differ: such a call is undefined.
    pub(super) fn check_types_of_aliases(&mut self) -> Result<()> {
        for alias in std::mem::take(&mut self.aliases) {
            self.enter_unit(alias.unit);
            let declared = match self.lookup(&alias.name) {
                Some(Symbol::Function(_, ty)) => Some(ty),
                _ => None,
            };
            let definition = self.definition_of(&alias.target);
            let (Some(declared), Some(definition)) = (declared, definition) else {
                return Err(format!("the attribute `alias` of `{}`", alias.name));
            };
            let defined = self.type_of_definition(definition)?;
            let (declared, defined) = (Type::Function(declared), Type::Function(defined));
            if !self.types.is_same(&declared, &defined) {
                return Err(format!(
                    "the attribute `alias` of `{}`, which has another type than `{}`",
                    alias.name, alias.target
                ));
            }
        }
        Ok(())
    }
}
