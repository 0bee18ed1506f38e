//! Which pointers lead to `const` objects. Types have no qualifiers; those of declarations are recorded
//! separately (`qualifier`), as far as `_Generic` and `__builtin_types_compatible_p` ask.

use super::qualifier::{Qualified, Qualifiers};
use super::{Lowering, Symbol};
use crate::syntax::ast::*;
use crate::syntax::span::Node;
use crate::types::Type;

impl<'a> Lowering<'a> {
    /// What is known of the qualifiers of one kind.
    fn qualifiers_of(&self, kind: &TypeQualifier) -> &Qualifiers {
        match kind {
            TypeQualifier::Volatile => &self.volatiles,
            TypeQualifier::Atomic => &self.atomics,
            TypeQualifier::Const | TypeQualifier::Restrict => &self.constants,
        }
    }

    /// Which of the objects that the value of an expression leads to have a qualifier; `None` if this is not known.
    pub(super) fn qualified_value(
        &mut self,
        expression: &'a Node<Expression>,
        kind: &TypeQualifier,
    ) -> Option<Qualified> {
        match self.type_of(expression) {
            Ok(Type::Array(..) | Type::Variable(..)) => {
                return Some(self.qualified_object(expression, kind)?.pointer());
            }
            // Pointers lead nowhere from there; a function has no qualifiers.
            Ok(Type::Int(_) | Type::Float(_) | Type::Function(_)) => {
                return Some(Qualified::default());
            }
            _ => {}
        }
        match &expression.node {
            Expression::Constant(_) => Some(Qualified::default()),
            Expression::Cast(cast) => {
                let name = &cast.node.type_name.node;
                Some(self.qualifiers_of(kind).of_type_name(name).value())
            }
            Expression::Call(call) => match &call.node.callee.node {
                Expression::Identifier(name) => self.qualifiers_of(kind).of_result(&name.node.name),
                _ => None,
            },
            Expression::UnaryOperator(operation) => {
                let operand = &operation.node.operand;
                match operation.node.operator.node {
                    UnaryOperator::Address => Some(self.qualified_object(operand, kind)?.pointer()),
                    UnaryOperator::Indirection => {
                        Some(self.qualified_object(expression, kind)?.value())
                    }
                    _ => self.qualified_value(operand, kind),
                }
            }
            Expression::BinaryOperator(operation) => {
                let (left, right) = (&operation.node.lhs, &operation.node.rhs);
                match operation.node.operator.node {
                    BinaryOperator::Index => Some(self.qualified_object(expression, kind)?.value()),
                    BinaryOperator::Plus if matches!(self.type_of(left), Ok(Type::Int(_))) => {
                        self.qualified_value(right, kind)
                    }
                    _ => self.qualified_value(left, kind),
                }
            }
            Expression::Conditional(conditional) => {
                let node = &conditional.node;
                let first = node.then_expression.as_ref().unwrap_or(&node.condition);
                let first = self.qualified_value(first, kind)?;
                let second = self.qualified_value(&node.else_expression, kind)?;
                Some(Qualified {
                    object: false,
                    target: first.target || second.target,
                    deeper: first.deeper || second.deeper,
                })
            }
            Expression::Comma(parts) => self.qualified_value(parts.last()?, kind),
            _ => Some(self.qualified_object(expression, kind)?.value()),
        }
    }

    /// Which of the objects at an lvalue, and of those that it leads to, have a qualifier; `None` if this is not known.
    fn qualified_object(
        &mut self,
        lvalue: &'a Node<Expression>,
        kind: &TypeQualifier,
    ) -> Option<Qualified> {
        match &lvalue.node {
            Expression::StringLiteral(_) => Some(Qualified::default()),
            Expression::Identifier(name) => match self.lookup(&name.node.name)? {
                Symbol::Function(..) => Some(Qualified::default()),
                symbol => Some(self.qualifiers_of(kind).of_variable(&symbol)),
            },
            Expression::Member(member) => {
                let name = &member.node.identifier.node.name;
                let own = self.qualifiers_of(kind).of_member(name)?;
                let inner = &member.node.expression;
                let around = match member.node.operator.node {
                    MemberOperator::Direct => self.qualified_object(inner, kind)?.object,
                    MemberOperator::Indirect => self.qualified_value(inner, kind)?.target,
                };
                Some(Qualified {
                    object: own.object || around,
                    ..own
                })
            }
            Expression::UnaryOperator(operation)
                if operation.node.operator.node == UnaryOperator::Indirection =>
            {
                self.pointed_object(&operation.node.operand, kind)
            }
            Expression::BinaryOperator(operation)
                if operation.node.operator.node == BinaryOperator::Index =>
            {
                let (left, right) = (&operation.node.lhs, &operation.node.rhs);
                match self.type_of(left) {
                    Ok(Type::Int(_)) => self.pointed_object(right, kind),
                    _ => self.pointed_object(left, kind),
                }
            }
            Expression::CompoundLiteral(literal) => {
                let name = &literal.node.type_name.node;
                Some(self.qualifiers_of(kind).of_type_name(name))
            }
            _ => None,
        }
    }

    /// As `qualified_object`, of what a pointer or an array leads to.
    fn pointed_object(
        &mut self,
        pointer: &'a Node<Expression>,
        kind: &TypeQualifier,
    ) -> Option<Qualified> {
        let is_array = matches!(
            self.type_of(pointer),
            Ok(Type::Array(..) | Type::Variable(..))
        );
        // Elements have the qualifiers of their array.
        if is_array {
            return self.qualified_object(pointer, kind);
        }
        let found = self.qualified_value(pointer, kind)?;
        let object = found.target;
        if !found.deeper {
            return Some(Qualified {
                object,
                ..Qualified::default()
            });
        }
        // With two pointers, the deeper object is the one behind both.
        let depth = self.type_of(pointer).ok().map(|ty| depth(&ty));
        (depth == Some(2)).then_some(Qualified {
            object,
            target: true,
            deeper: false,
        })
    }

    /// A parameter that is declared as an array is a pointer to its elements.
    pub(super) fn note_array_parameter(&mut self, name: &str, declarator: &Node<Declarator>) {
        let is_array = (declarator.node.derived.last())
            .is_some_and(|it| matches!(it.node, DerivedDeclarator::Array(_)));
        if is_array && let Some(symbol) = self.lookup(name) {
            for kept in [&mut self.volatiles, &mut self.constants, &mut self.atomics] {
                let found = kept.of_variable(&symbol).pointer();
                kept.keep(&symbol, found);
            }
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
        let enumeration = self.enumeration_of_declaration(specifiers, declarator);
        self.enumerations.keep_variable(&symbol, enumeration);
        for kept in [&mut self.volatiles, &mut self.constants, &mut self.atomics] {
            let base = kept.of_specifiers(specifiers);
            let found = kept.declared(base, Some(declarator));
            kept.keep(&symbol, found);
        }
    }

    /// Records the qualifiers of the result of a function that is declared in the ordinary way.
    pub(super) fn note_qualifiers_of_result(
        &mut self,
        name: &str,
        specifiers: &[Node<DeclarationSpecifier>],
        declarator: &Node<Declarator>,
    ) {
        if !matches!(declarator.node.kind.node, DeclaratorKind::Identifier(_)) {
            return;
        }
        for kept in [&mut self.volatiles, &mut self.constants, &mut self.atomics] {
            let base = kept.of_specifiers(specifiers);
            let found = kept.declared(base, Some(declarator)).value();
            kept.keep_result(name, found);
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
        let enumeration = self.enumeration_of_member(specifiers, declarator);
        self.enumerations.keep_member(name, enumeration);
        for kept in [&mut self.volatiles, &mut self.constants, &mut self.atomics] {
            let base = kept.of_qualifiers(specifiers);
            let found = kept.declared(base, declarator);
            kept.keep_member(name, found);
        }
    }
}

/// How many pointers lead from a value of a type to the last object.
pub(super) fn depth(ty: &Type) -> usize {
    let (mut ty, mut depth) = (ty, 0);
    loop {
        match ty {
            Type::Pointer(to) => (ty, depth) = (to, depth + 1),
            Type::Array(element, _) | Type::Variable(element, _) => ty = element,
            _ => return depth,
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
