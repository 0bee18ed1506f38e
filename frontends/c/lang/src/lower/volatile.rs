//! Volatile objects (C11 6.7.3p7): which accesses are volatile, and the value of a read.

use super::qualifier::Qualified;
use super::{Lowering, Result, Symbol, Value};
use crate::ir::Choice;
use crate::syntax::ast::*;
use crate::syntax::span::Node;

impl<'a> Lowering<'a> {
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
    fn volatility(&self, expression: &Node<Expression>) -> Qualified {
        let value_of = |found: Qualified| Qualified {
            object: false,
            ..found
        };
        match &expression.node {
            Expression::Identifier(name) if !self.volatiles.is_empty() => {
                let symbol = self.lookup(&name.node.name);
                symbol.map_or(Qualified::default(), |it| self.volatiles.of_variable(&it))
            }
            Expression::Member(member) => {
                let inner = self.volatility(&member.node.expression);
                let is_volatile = match member.node.operator.node {
                    MemberOperator::Direct => inner.object,
                    MemberOperator::Indirect => inner.target,
                };
                let name = &member.node.identifier.node.name;
                let own = self.volatiles.of_any_member(name);
                Qualified {
                    object: own.object || is_volatile,
                    target: own.target,
                }
            }
            Expression::UnaryOperator(operation) => {
                let inner = self.volatility(&operation.node.operand);
                match operation.node.operator.node {
                    UnaryOperator::Indirection => Qualified {
                        object: inner.target || inner.object && self.is_array_of(expression),
                        target: false,
                    },
                    UnaryOperator::Address => Qualified {
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
                    BinaryOperator::Index => Qualified {
                        object: left.object || left.target,
                        target: left.object && left.target,
                    },
                    _ => value_of(left),
                }
            }
            Expression::Cast(cast) => {
                let name = &cast.node.type_name.node;
                value_of(self.volatiles.of_type_name(name))
            }
            Expression::Conditional(conditional) => {
                let first = &conditional.node.then_expression;
                value_of(self.volatility(first.as_ref().unwrap_or(&conditional.node.condition)))
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
