//! Which pointers lead to `const` objects. Types have no qualifiers; those of declarations are recorded
//! separately (`qualifier`), as far as `_Generic` and `__builtin_types_compatible_p` ask.

use super::qualifier::Qualified;
use super::{Lowering, Symbol};
use crate::syntax::ast::*;
use crate::syntax::span::Node;
use crate::types::Type;

impl<'a> Lowering<'a> {
    /// Whether the object that the value of an expression points to is `const`; `None` if this is not known.
    pub(super) fn points_to_const(&mut self, expression: &'a Node<Expression>) -> Option<bool> {
        let is_array = matches!(
            self.type_of(expression),
            Ok(Type::Array(..) | Type::Variable(..))
        );
        if is_array {
            return self.is_const_object(expression);
        }
        match &expression.node {
            Expression::Constant(_) => Some(false),
            Expression::Identifier(name) => match self.lookup(&name.node.name)? {
                Symbol::Function(..) => Some(false),
                symbol => Some(self.constants.of_variable(&symbol).target),
            },
            Expression::Member(member) => {
                let name = &member.node.identifier.node.name;
                self.constants.of_member(name).map(|own| own.target)
            }
            Expression::Cast(cast) => self.type_name_points_to_const(&cast.node.type_name.node),
            Expression::UnaryOperator(operation) => {
                let operand = &operation.node.operand;
                match operation.node.operator.node {
                    UnaryOperator::Address => self.is_const_object(operand),
                    UnaryOperator::Indirection => None,
                    _ => self.points_to_const(operand),
                }
            }
            Expression::BinaryOperator(operation) => {
                let (left, right) = (&operation.node.lhs, &operation.node.rhs);
                match operation.node.operator.node {
                    BinaryOperator::Index => self.element_points_to_const(left),
                    BinaryOperator::Plus if matches!(self.type_of(left), Ok(Type::Int(_))) => {
                        self.points_to_const(right)
                    }
                    _ => self.points_to_const(left),
                }
            }
            Expression::Conditional(conditional) => {
                let node = &conditional.node;
                let first = node.then_expression.as_ref().unwrap_or(&node.condition);
                let (first, second) = (first, &node.else_expression);
                Some(self.points_to_const(first)? || self.points_to_const(second)?)
            }
            Expression::Comma(parts) => self.points_to_const(parts.last()?),
            _ => None,
        }
    }

    /// Whether the elements of an array of pointers point to `const` objects.
    fn element_points_to_const(&mut self, array: &'a Node<Expression>) -> Option<bool> {
        match &array.node {
            Expression::Identifier(name) => match self.lookup(&name.node.name)? {
                symbol
                @ (Symbol::Slot(_, Type::Array(..)) | Symbol::Static(_, Type::Array(..))) => {
                    Some(self.constants.of_variable(&symbol).target)
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether an lvalue designates a `const` object; `None` if this is not known.
    fn is_const_object(&mut self, lvalue: &'a Node<Expression>) -> Option<bool> {
        match &lvalue.node {
            Expression::StringLiteral(_) => Some(false),
            Expression::Identifier(name) => match self.lookup(&name.node.name) {
                Some(Symbol::Function(..)) => Some(false),
                Some(symbol) => Some(self.constants.of_variable(&symbol).object),
                None => Some(true),
            },
            Expression::Member(member) => {
                let own = self
                    .constants
                    .of_member(&member.node.identifier.node.name)?;
                let inner = &member.node.expression;
                let around = match member.node.operator.node {
                    MemberOperator::Direct => self.is_const_object(inner)?,
                    MemberOperator::Indirect => self.points_to_const(inner)?,
                };
                Some(own.object || around)
            }
            Expression::UnaryOperator(operation)
                if operation.node.operator.node == UnaryOperator::Indirection =>
            {
                self.points_to_const(&operation.node.operand)
            }
            Expression::BinaryOperator(operation)
                if operation.node.operator.node == BinaryOperator::Index =>
            {
                self.points_to_const(&operation.node.lhs)
            }
            Expression::CompoundLiteral(literal) => {
                let name = &literal.node.type_name.node;
                Some(self.constants.of_type_name(name).object)
            }
            _ => None,
        }
    }

    /// A parameter that is declared as an array is a pointer to its elements.
    pub(super) fn note_array_parameter(&mut self, name: &str, declarator: &Node<Declarator>) {
        let is_array = (declarator.node.derived.last())
            .is_some_and(|it| matches!(it.node, DerivedDeclarator::Array(_)));
        if is_array && let Some(symbol) = self.lookup(name) {
            let target = self.constants.of_variable(&symbol).object;
            let found = Qualified {
                object: false,
                target,
            };
            self.constants.keep(&symbol, found);
        }
    }

    /// The enumeration that a name denotes: its tag, or where it is declared.
    pub(super) fn enumeration_of(&self, name: &TypeName) -> Option<String> {
        if name.declarator.is_some() {
            return None;
        }
        name.specifiers.iter().find_map(|it| match &it.node {
            SpecifierQualifier::TypeSpecifier(ty) => self.named_enumeration(&ty.node),
            _ => None,
        })
    }

    fn named_enumeration(&self, specifier: &TypeSpecifier) -> Option<String> {
        match specifier {
            TypeSpecifier::Enum(it) => Some(match &it.node.identifier {
                Some(tag) => tag.node.name.clone(),
                None => format!("at {}", it.span.start),
            }),
            TypeSpecifier::TypedefName(name) => self.enumerations.get(&name.node.name).cloned(),
            _ => None,
        }
    }

    /// Records the enumeration that a type's name stands for.
    pub(super) fn note_enumeration(
        &mut self,
        name: &str,
        specifiers: &[Node<DeclarationSpecifier>],
        declarator: &Node<Declarator>,
    ) {
        let found = specifiers.iter().find_map(|it| match &it.node {
            DeclarationSpecifier::TypeSpecifier(ty) => self.named_enumeration(&ty.node),
            _ => None,
        });
        match found.filter(|_| declarator.node.derived.is_empty()) {
            Some(found) => drop(self.enumerations.insert(name.to_string(), found)),
            None => drop(self.enumerations.remove(name)),
        }
    }

    /// Whether the type that a name denotes is that of pointers to `const` objects; `None` if pointers in it
    /// lead further, so that more qualifiers count.
    pub(super) fn type_name_points_to_const(&self, name: &TypeName) -> Option<bool> {
        if self.constants.of_type_name(name) == Qualified::default() || n_pointers(name) < 2 {
            return Some(self.constants.of_type_name(name).target);
        }
        None
    }
}

impl<'a> Lowering<'a> {
    /// Records the qualifiers of a variable that was just declared.
    pub(super) fn note_qualifiers(
        &mut self,
        name: &str,
        specifiers: &[Node<DeclarationSpecifier>],
        declarator: &Node<Declarator>,
    ) {
        let Some(symbol) = self.lookup(name) else {
            return;
        };
        for kept in [&mut self.volatiles, &mut self.constants, &mut self.atomics] {
            let base = kept.of_specifiers(specifiers);
            let found = kept.declared(base, Some(declarator));
            kept.keep(&symbol, found);
        }
    }

    /// Records the qualifiers of the type that a name denotes.
    pub(super) fn note_qualifiers_of_type(
        &mut self,
        name: &str,
        specifiers: &[Node<DeclarationSpecifier>],
        declarator: &Node<Declarator>,
    ) {
        for kept in [&mut self.volatiles, &mut self.constants, &mut self.atomics] {
            let base = kept.of_specifiers(specifiers);
            let found = kept.declared(base, Some(declarator));
            kept.keep_type(name, found);
        }
    }

    /// Records the qualifiers of a member.
    pub(super) fn note_qualifiers_of_member(
        &mut self,
        name: &str,
        specifiers: &[Node<SpecifierQualifier>],
        declarator: Option<&Node<Declarator>>,
    ) {
        for kept in [&mut self.volatiles, &mut self.constants, &mut self.atomics] {
            let base = kept.of_qualifiers(specifiers);
            let found = kept.declared(base, declarator);
            kept.keep_member(name, found);
        }
    }
}

/// The number of pointers in the declarator of a type's name.
fn n_pointers(name: &TypeName) -> usize {
    let mut count = 0;
    let mut declarator = name.declarator.as_ref();
    while let Some(current) = declarator {
        let derived = current.node.derived.iter();
        count += derived
            .filter(|it| matches!(it.node, DerivedDeclarator::Pointer(_)))
            .count();
        declarator = match &current.node.kind.node {
            DeclaratorKind::Declarator(inner) => Some(inner),
            _ => None,
        };
    }
    count
}
