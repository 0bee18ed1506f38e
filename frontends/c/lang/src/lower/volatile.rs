//! Volatile objects (C11 6.7.3p7): which accesses are volatile, and the value of a read.

use super::qualifier::{Qualified, Qualifiers};
use super::{Lowering, Result, Symbol, Value};
use crate::ir::Choice;
use crate::syntax::ast::*;
use crate::syntax::span::Node;

impl<'a> Lowering<'a> {
    /// The value of a read of an lvalue, if the object holds this one.
    pub(super) fn read_of(&mut self, lvalue: &Node<Expression>, value: Value) -> Result<Value> {
        if self.is_without_code
            || self.scalar_width(&value.ty).is_none()
            || !self.qualification(&self.volatiles, lvalue).object
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

    /// Whether an lvalue designates an atomic object.
    pub(super) fn is_atomic(&self, lvalue: &Node<Expression>) -> bool {
        self.qualification(&self.atomics, lvalue).object
    }

    /// Whether an lvalue has a qualifier; for other expressions, whether the objects have it that their value points to.
    fn qualification(&self, kept: &Qualifiers, expression: &Node<Expression>) -> Qualified {
        let value_of = |found: Qualified| Qualified {
            object: false,
            ..found
        };
        match &expression.node {
            Expression::Identifier(name) if !kept.is_empty() => {
                let symbol = self.lookup(&name.node.name);
                symbol.map_or(Qualified::default(), |it| kept.of_variable(&it))
            }
            Expression::Member(member) => {
                let inner = self.qualification(kept, &member.node.expression);
                let has_object = match member.node.operator.node {
                    MemberOperator::Direct => inner.object,
                    MemberOperator::Indirect => inner.target,
                };
                let name = &member.node.identifier.node.name;
                let own = kept.of_any_member(name);
                Qualified {
                    object: own.object || has_object,
                    ..own
                }
            }
            Expression::UnaryOperator(operation) => {
                let inner = self.qualification(kept, &operation.node.operand);
                match operation.node.operator.node {
                    UnaryOperator::Indirection => Qualified {
                        object: inner.target || inner.object && self.is_array_of(expression),
                        target: inner.deeper,
                        deeper: inner.deeper,
                    },
                    UnaryOperator::Address => inner.pointer(),
                    _ => value_of(inner),
                }
            }
            Expression::BinaryOperator(operation) => {
                let left = self.qualification(kept, &operation.node.lhs);
                match operation.node.operator.node {
                    // An array's elements have its qualifier; a pointer's target has that of the target
                    // type.
                    BinaryOperator::Index => Qualified {
                        object: left.object || left.target,
                        target: left.object && left.target || left.deeper,
                        deeper: left.deeper,
                    },
                    _ => value_of(left),
                }
            }
            Expression::Cast(cast) => {
                let name = &cast.node.type_name.node;
                value_of(kept.of_type_name(name))
            }
            Expression::Conditional(conditional) => {
                let first = &conditional.node.then_expression;
                value_of(
                    self.qualification(kept, first.as_ref().unwrap_or(&conditional.node.condition)),
                )
            }
            _ => Qualified::default(),
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
