//! Which enumeration a type is, as far as `__builtin_types_compatible_p` asks: types are the integers of enumerations
//! (C11 6.7.2.2p4), so that what tells two enumerations apart is recorded by the declarations.

use crate::syntax::ast::*;
use crate::syntax::span::Node;

use super::Lowering;
use super::state::Enumerated;

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
            TypeSpecifier::TypedefName(name) => self.enumerations.of_type(&name.node.name),
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
                let symbol = self.lookup(&name.node.name);
                symbol.map_or(Enumerated::No, |it| self.enumerations.of_variable(&it))
            }
            Expression::Member(member) => {
                let name = &member.node.identifier.node.name;
                self.enumerations.of_member(name).unwrap_or(unknown)
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
        let found = self.enumeration_of_declaration(specifiers, declarator);
        self.enumerations.keep_type(name, found);
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
