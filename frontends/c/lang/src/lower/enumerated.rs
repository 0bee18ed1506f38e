//! Which enumeration a type is, as far as `__builtin_types_compatible_p` asks: types are the integers of enumerations
//! (C11 6.7.2.2p4), so that what tells two enumerations apart is recorded by the declarations.

use std::collections::HashMap;

use crate::syntax::ast::*;
use crate::syntax::span::Node;

use super::qualifier::{Keeper, keeper};
use super::{Lowering, Symbol};

/// What is known about an integer type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Enumerated {
    /// It is none of an enumeration.
    No,
    /// The enumeration: its tag, or where it is declared.
    Is(String),
    /// It may be that of an enumeration.
    Unknown,
}

/// The enumerations of names.
#[derive(Debug, Default)]
pub(super) struct Enumerations {
    /// Those that names of types stand for.
    types: HashMap<String, String>,
    variables: HashMap<Keeper, String>,
    /// What all members of a name are.
    members: HashMap<String, Enumerated>,
    /// Whether the program has an enumeration.
    pub(super) has_any: bool,
}

impl Enumerations {
    pub(super) fn keep_variable(&mut self, symbol: &Symbol, found: Option<String>) {
        let Some(keeper) = keeper(symbol) else { return };
        match found {
            Some(found) => drop(self.variables.insert(keeper, found)),
            None => drop(self.variables.remove(&keeper)),
        }
    }

    pub(super) fn keep_member(&mut self, name: &str, found: Option<String>) {
        let found = found.map_or(Enumerated::No, Enumerated::Is);
        match self.members.get_mut(name) {
            None => drop(self.members.insert(name.to_string(), found)),
            Some(known) if *known != found => *known = Enumerated::Unknown,
            Some(_) => {}
        }
    }

    /// Removes the variables of a function.
    pub(super) fn leave_function(&mut self) {
        self.variables.retain(|keeper, _| keeper.is_static());
    }
}

impl<'a> Lowering<'a> {
    /// The enumeration that a type's name denotes.
    pub(super) fn enumeration_of(&self, name: &TypeName) -> Enumerated {
        let is_plain = (name.declarator.as_ref()).is_none_or(|it| it.node.derived.is_empty());
        if !is_plain {
            return Enumerated::No;
        }
        let mut types = name.specifiers.iter().filter_map(|it| match &it.node {
            SpecifierQualifier::TypeSpecifier(ty) => Some(self.enumeration_of_specifier(&ty.node)),
            _ => None,
        });
        types
            .find(|found| *found != Enumerated::No)
            .unwrap_or(Enumerated::No)
    }

    fn enumeration_of_specifier(&self, specifier: &TypeSpecifier) -> Enumerated {
        match specifier {
            TypeSpecifier::Enum(it) => Enumerated::Is(match &it.node.identifier {
                Some(tag) => tag.node.name.clone(),
                None => format!("at {}", it.span.start),
            }),
            TypeSpecifier::TypedefName(name) => {
                let found = self.enumerations.types.get(&name.node.name).cloned();
                found.map_or(Enumerated::No, Enumerated::Is)
            }
            TypeSpecifier::TypeOf(of) => match &of.node {
                TypeOf::Type(name) => self.enumeration_of(&name.node),
                TypeOf::Expression(of) => self.enumeration_of_expression(of),
            },
            _ => Enumerated::No,
        }
    }

    /// The enumeration of an expression's type. Constants of enumerations, and results of arithmetic, have the types of
    /// integers.
    fn enumeration_of_expression(&self, expression: &Node<Expression>) -> Enumerated {
        let unknown = match self.enumerations.has_any {
            true => Enumerated::Unknown,
            false => Enumerated::No,
        };
        match &expression.node {
            Expression::Identifier(name) => {
                let keeper = (self.lookup(&name.node.name)).and_then(|symbol| keeper(&symbol));
                let found = keeper.and_then(|keeper| self.enumerations.variables.get(&keeper));
                found.cloned().map_or(Enumerated::No, Enumerated::Is)
            }
            Expression::Member(member) => {
                let name = &member.node.identifier.node.name;
                let found = self.enumerations.members.get(name);
                found.cloned().unwrap_or(unknown)
            }
            Expression::Cast(cast) => self.enumeration_of(&cast.node.type_name.node),
            Expression::CompoundLiteral(literal) => {
                self.enumeration_of(&literal.node.type_name.node)
            }
            Expression::Constant(_)
            | Expression::StringLiteral(_)
            | Expression::SizeOfTy(_)
            | Expression::SizeOfVal(_)
            | Expression::AlignOf(_)
            | Expression::OffsetOf(_)
            | Expression::LabelAddress(_)
            | Expression::TypesCompatible(_)
            | Expression::Quantified(_) => Enumerated::No,
            _ => unknown,
        }
    }

    /// Records the enumeration that a type's name stands for.
    pub(super) fn note_enumeration(
        &mut self,
        name: &str,
        specifiers: &[Node<DeclarationSpecifier>],
        declarator: &Node<Declarator>,
    ) {
        match self.enumeration_of_declaration(specifiers, declarator) {
            Some(found) => drop(self.enumerations.types.insert(name.to_string(), found)),
            None => drop(self.enumerations.types.remove(name)),
        }
    }

    /// The enumeration of what a declaration declares.
    pub(super) fn enumeration_of_declaration(
        &self,
        specifiers: &[Node<DeclarationSpecifier>],
        declarator: &Node<Declarator>,
    ) -> Option<String> {
        let types = specifiers.iter().filter_map(|it| match &it.node {
            DeclarationSpecifier::TypeSpecifier(ty) => Some(&ty.node),
            _ => None,
        });
        self.enumeration_of_types(types, Some(declarator))
    }

    /// The enumeration of a member.
    pub(super) fn enumeration_of_member(
        &self,
        specifiers: &[Node<SpecifierQualifier>],
        declarator: Option<&Node<Declarator>>,
    ) -> Option<String> {
        let types = specifiers.iter().filter_map(|it| match &it.node {
            SpecifierQualifier::TypeSpecifier(ty) => Some(&ty.node),
            _ => None,
        });
        self.enumeration_of_types(types, declarator)
    }

    fn enumeration_of_types<'s>(
        &self,
        mut types: impl Iterator<Item = &'s TypeSpecifier>,
        declarator: Option<&Node<Declarator>>,
    ) -> Option<String> {
        if declarator.is_some_and(|it| !it.node.derived.is_empty()) {
            return None;
        }
        types.find_map(|ty| match self.enumeration_of_specifier(ty) {
            Enumerated::Is(found) => Some(found),
            _ => None,
        })
    }
}
