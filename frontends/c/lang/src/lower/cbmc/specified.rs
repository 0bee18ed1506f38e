//! Conditions of specifications. What they contain beyond C depends on whether a condition has to be proved or may be
//! assumed: an arbitrary index stands for all of them in a goal, an arbitrary witness for one that exists in a
//! hypothesis.

use crate::ir::Expr;
use crate::syntax::ast::*;
use crate::syntax::span::{Node, Span};
use crate::syntax::visit::{self, Visit};
use craig_word::Op;

use super::super::state::Side;
use super::super::{Lowering, Result};

impl Side {
    /// That of a negated condition.
    fn flipped(self) -> Self {
        match self {
            Self::Goal | Self::Denied => Self::Hypothesis,
            Self::Hypothesis => Self::Denied,
            Self::Both => Self::Both,
        }
    }
}

/// Finds what may only be evaluated where the condition before it holds.
struct Guarded(bool);

impl<'ast> Visit<'ast> for Guarded {
    fn visit_expression(&mut self, expression: &'ast Expression, span: &'ast Span) {
        self.0 |= match expression {
            Expression::Call(_)
            | Expression::Statement(_)
            | Expression::Quantified(_)
            | Expression::Member(_) => true,
            Expression::UnaryOperator(operation) => {
                operation.node.operator.node == UnaryOperator::Indirection
            }
            Expression::BinaryOperator(operation) => matches!(
                operation.node.operator.node,
                BinaryOperator::Index | BinaryOperator::Divide | BinaryOperator::Modulo
            ),
            _ => false,
        };
        visit::visit_expression(self, expression, span);
    }
}

/// Finds quantifiers.
struct Quantifiers(bool);

impl<'ast> Visit<'ast> for Quantifiers {
    fn visit_expression(&mut self, expression: &'ast Expression, span: &'ast Span) {
        self.0 |= matches!(expression, Expression::Quantified(_));
        visit::visit_expression(self, expression, span);
    }
}

/// Whether an expression has quantifiers.
pub(in crate::lower) fn has_quantifiers(expression: &Node<Expression>) -> bool {
    let mut finder = Quantifiers(false);
    finder.visit_expression(&expression.node, &expression.span);
    finder.0
}

fn is_guarded(expression: &Node<Expression>) -> bool {
    let mut finder = Guarded(false);
    finder.visit_expression(&expression.node, &expression.span);
    finder.0
}

impl<'a> Lowering<'a> {
    /// One bit: whether a condition holds, as far as the use of the value needs it.
    pub(in crate::lower) fn specified(
        &mut self,
        expression: &'a Node<Expression>,
        side: Side,
    ) -> Result<Expr> {
        match &expression.node {
            Expression::BinaryOperator(operation) => match operation.node.operator.node {
                BinaryOperator::LogicalAnd
                | BinaryOperator::LogicalOr
                | BinaryOperator::Implies => self.connective(&operation.node, side),
                _ => self.plain_condition(expression),
            },
            Expression::UnaryOperator(operation)
                if operation.node.operator.node == UnaryOperator::Negate =>
            {
                let inner = self.specified(&operation.node.operand, side.flipped())?;
                Ok(self.program.not(inner))
            }
            Expression::Quantified(quantified) => self.quantified(&quantified.node, side),
            _ => self.plain_condition(expression),
        }
    }

    /// A condition without structure that matters.
    pub(in crate::lower) fn plain_condition(
        &mut self,
        expression: &'a Node<Expression>,
    ) -> Result<Expr> {
        let value = self.rvalue(expression)?;
        self.truth(&value)
    }

    /// `&&`, `||` and `==>`.
    fn connective(&mut self, operation: &'a BinaryOperatorExpression, side: Side) -> Result<Expr> {
        let operator = operation.operator.node;
        let is_implication = operator == BinaryOperator::Implies;
        let of_left = if is_implication { side.flipped() } else { side };
        let mut left = self.specified(&operation.lhs, of_left)?;
        if is_implication {
            left = self.program.not(left);
        }
        let is_conjunction = operator == BinaryOperator::LogicalAnd;
        // The value without the second operand.
        let decided = u128::from(!is_conjunction);
        if self.program.constant_value(left) == Some(decided) {
            return Ok(left);
        }
        let is_open = self.program.constant_value(left).is_none();
        let is_bound = self.specification.depth > 0;
        if !is_open || is_bound || !is_guarded(&operation.rhs) {
            let right = self.specified(&operation.rhs, side)?;
            return Ok(match is_conjunction {
                true => self.program.binary(Op::And, left, right),
                false => self.or(left, right),
            });
        }
        let reg = self.fresh(1);
        let without = self.program.constant(decided, 1);
        self.set(reg, without);
        let (more, join) = (self.builder.block(), self.builder.block());
        let condition = match is_conjunction {
            true => left,
            false => self.program.not(left),
        };
        self.branch(condition, more, join, more);
        let right = self.specified(&operation.rhs, side)?;
        self.set(reg, right);
        self.jump(join, join);
        Ok(self.read(reg))
    }

    /// The condition of an assertion or an assumption of the program.
    pub(in crate::lower) fn condition_of(
        &mut self,
        expression: &'a Node<Expression>,
        side: Side,
    ) -> Result<Expr> {
        if has_quantifiers(expression) {
            return self.specified(expression, side);
        }
        self.plain_condition(expression)
    }
}
