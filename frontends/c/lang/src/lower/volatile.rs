//! Volatile objects (C11 6.7.3p7): which accesses are volatile, and the value of a read.
//!
//! Types have no qualifiers. Which variables and members are volatile, or point to volatile objects, is
//! recorded separately, by their declarations; members of the same name are not distinguished.

use std::collections::HashMap;

use crate::ir::{Choice, Reg, SlotId, StaticId};
use crate::syntax::ast::*;
use crate::syntax::span::Node;

use super::{Lowering, Result, Symbol, Value};

/// Whether an object is volatile, and whether the object it points to is.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct Volatility {
    object: bool,
    target: bool,
}

/// The identity of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Keeper {
    Static(StaticId),
    Slot(SlotId),
    Register(Reg),
}

/// The volatile variables, types and members of a program.
#[derive(Default)]
pub(super) struct Volatiles {
    variables: HashMap<Keeper, Volatility>,
    types: HashMap<String, Volatility>,
    members: HashMap<String, Volatility>,
}

impl Volatiles {
    /// Removes the variables of a function.
    pub(super) fn leave_function(&mut self) {
        self.variables
            .retain(|keeper, _| matches!(keeper, Keeper::Static(_)));
    }

    fn is_empty(&self) -> bool {
        self.variables.is_empty() && self.members.is_empty()
    }

    /// The volatility of a declarator on specifiers of the given volatility.
    fn declared(base: Volatility, declarator: Option<&Node<Declarator>>) -> Volatility {
        let Some(declarator) = declarator else {
            return base;
        };
        let mut current = base;
        for derived in &declarator.node.derived {
            if let DerivedDeclarator::Pointer(qualifiers) = &derived.node {
                let object = qualifiers.iter().any(|qualifier| {
                    matches!(&qualifier.node, PointerQualifier::TypeQualifier(qualifier)
                        if qualifier.node == TypeQualifier::Volatile)
                });
                current = Volatility {
                    object,
                    target: current.object,
                };
            }
        }
        match &declarator.node.kind.node {
            DeclaratorKind::Declarator(inner) => Self::declared(current, Some(inner)),
            _ => current,
        }
    }

    fn of_type(&self, specifier: &TypeSpecifier) -> Volatility {
        match specifier {
            TypeSpecifier::TypedefName(name) => {
                self.types.get(&name.node.name).copied().unwrap_or_default()
            }
            _ => Volatility::default(),
        }
    }

    fn of_specifiers(&self, specifiers: &[Node<DeclarationSpecifier>]) -> Volatility {
        let parts = specifiers
            .iter()
            .filter_map(|specifier| match &specifier.node {
                DeclarationSpecifier::TypeQualifier(qualifier) => {
                    Some(Part::Qualifier(&qualifier.node))
                }
                DeclarationSpecifier::TypeSpecifier(specifier) => Some(Part::Type(&specifier.node)),
                _ => None,
            });
        self.of_parts(parts)
    }

    fn of_qualifiers(&self, specifiers: &[Node<SpecifierQualifier>]) -> Volatility {
        let parts = specifiers
            .iter()
            .filter_map(|specifier| match &specifier.node {
                SpecifierQualifier::TypeQualifier(qualifier) => {
                    Some(Part::Qualifier(&qualifier.node))
                }
                SpecifierQualifier::TypeSpecifier(specifier) => Some(Part::Type(&specifier.node)),
                SpecifierQualifier::Alignment(_) | SpecifierQualifier::Extension(_) => None,
            });
        self.of_parts(parts)
    }

    fn of_parts<'s>(&self, parts: impl Iterator<Item = Part<'s>>) -> Volatility {
        let mut found = Volatility::default();
        for part in parts {
            match part {
                Part::Qualifier(qualifier) => found.object |= *qualifier == TypeQualifier::Volatile,
                Part::Type(specifier) => {
                    let own = self.of_type(specifier);
                    found.object |= own.object;
                    found.target |= own.target;
                }
            }
        }
        found
    }
}

/// What the specifiers of a declaration and those of a member or a type's name have in common.
enum Part<'s> {
    Qualifier(&'s TypeQualifier),
    Type(&'s TypeSpecifier),
}

impl<'a> Lowering<'a> {
    /// Records whether a variable that was just declared is volatile.
    pub(super) fn note_volatile(
        &mut self,
        name: &str,
        specifiers: &[Node<DeclarationSpecifier>],
        declarator: &Node<Declarator>,
    ) {
        let base = self.volatiles.of_specifiers(specifiers);
        let found = Volatiles::declared(base, Some(declarator));
        if let Some(symbol) = self.lookup(name) {
            self.keep_volatility(&symbol, found);
        }
    }

    fn keep_volatility(&mut self, symbol: &Symbol, found: Volatility) {
        let Some(keeper) = keeper(symbol) else { return };
        if found == Volatility::default() {
            self.volatiles.variables.remove(&keeper);
        } else {
            self.volatiles.variables.insert(keeper, found);
        }
    }

    /// Records whether a type name denotes a volatile type.
    pub(super) fn note_volatile_type(
        &mut self,
        name: &str,
        specifiers: &[Node<DeclarationSpecifier>],
        declarator: &Node<Declarator>,
    ) {
        let base = self.volatiles.of_specifiers(specifiers);
        let found = Volatiles::declared(base, Some(declarator));
        if found == Volatility::default() {
            self.volatiles.types.remove(name);
        } else {
            self.volatiles.types.insert(name.to_string(), found);
        }
    }

    /// Records whether a member is volatile.
    pub(super) fn note_volatile_member(
        &mut self,
        name: &str,
        specifiers: &[Node<SpecifierQualifier>],
        declarator: Option<&Node<Declarator>>,
    ) {
        let base = self.volatiles.of_qualifiers(specifiers);
        let found = Volatiles::declared(base, declarator);
        if found != Volatility::default() {
            self.volatiles.members.insert(name.to_string(), found);
        }
    }

    /// The value of a read of an lvalue, if the object holds this one.
    pub(super) fn read_of(&mut self, lvalue: &Node<Expression>, value: Value) -> Result<Value> {
        if self.is_without_code
            || self.scalar_width(&value.ty).is_none()
            || !self.volatility(lvalue).object
        {
            return Ok(value);
        }
        if self.options.nondet_volatile {
            return self.choose(&value.ty, Choice::Open("what is volatile holds".into()));
        }
        self.note(
            "volatile objects are taken to hold what was written to them last; `--nondet-volatile` lets \
             every read give any value"
                .into(),
        );
        Ok(value)
    }

    /// The volatility of an lvalue; for other expressions, that of the objects their value points to.
    fn volatility(&self, expression: &Node<Expression>) -> Volatility {
        let value_of = |found: Volatility| Volatility {
            object: false,
            ..found
        };
        match &expression.node {
            Expression::Identifier(name) if !self.volatiles.is_empty() => {
                let symbol = self.lookup(&name.node.name);
                let keeper = symbol.as_ref().and_then(keeper);
                let found = keeper.and_then(|keeper| self.volatiles.variables.get(&keeper));
                found.copied().unwrap_or_default()
            }
            Expression::Member(member) => {
                let inner = self.volatility(&member.node.expression);
                let is_volatile = match member.node.operator.node {
                    MemberOperator::Direct => inner.object,
                    MemberOperator::Indirect => inner.target,
                };
                let name = &member.node.identifier.node.name;
                let own = self
                    .volatiles
                    .members
                    .get(name)
                    .copied()
                    .unwrap_or_default();
                Volatility {
                    object: own.object || is_volatile,
                    target: own.target,
                }
            }
            Expression::UnaryOperator(operation) => {
                let inner = self.volatility(&operation.node.operand);
                match operation.node.operator.node {
                    UnaryOperator::Indirection => Volatility {
                        object: inner.target || inner.object && self.is_array_of(expression),
                        target: false,
                    },
                    UnaryOperator::Address => Volatility {
                        object: false,
                        target: inner.object,
                    },
                    _ => value_of(inner),
                }
            }
            Expression::BinaryOperator(operation) => {
                let left = self.volatility(&operation.node.lhs);
                match operation.node.operator.node {
                    // An array's elements have its volatility; a pointer's target has that of the target
                    // type.
                    BinaryOperator::Index => Volatility {
                        object: left.object || left.target,
                        target: left.object && left.target,
                    },
                    _ => value_of(left),
                }
            }
            Expression::Cast(cast) => {
                let name = &cast.node.type_name.node;
                let base = self.volatiles.of_qualifiers(&name.specifiers);
                value_of(Volatiles::declared(base, name.declarator.as_ref()))
            }
            Expression::Conditional(conditional) => {
                let first = &conditional.node.then_expression;
                value_of(self.volatility(first.as_ref().unwrap_or(&conditional.node.condition)))
            }
            _ => Volatility::default(),
        }
    }

    /// Whether an indirection goes through the name of an array.
    fn is_array_of(&self, indirection: &Node<Expression>) -> bool {
        let Expression::UnaryOperator(operation) = &indirection.node else {
            return false;
        };
        let Expression::Identifier(name) = &operation.node.operand.node else {
            return false;
        };
        matches!(
            self.lookup(&name.node.name),
            Some(
                Symbol::Slot(_, crate::types::Type::Array(..))
                    | Symbol::Static(_, crate::types::Type::Array(..))
            )
        )
    }
}

fn keeper(symbol: &Symbol) -> Option<Keeper> {
    match *symbol {
        Symbol::Register(reg, _) => Some(Keeper::Register(reg)),
        Symbol::Slot(slot, _) => Some(Keeper::Slot(slot)),
        Symbol::Static(id, _) => Some(Keeper::Static(id)),
        _ => None,
    }
}
