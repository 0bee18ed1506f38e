//! Operands with calls whose arguments read what calls of another operand change (C11 6.5.2.2p10): such an argument may be read, then
//! the other operand be evaluated, and then the call be made. It is neither of the two orders of the operands.

use crate::ir::{Choice, Reg};
use crate::syntax::ast::*;
use crate::syntax::span::Node;
use crate::types::Type;

use super::accesses::Keys;
use super::effects::Effects;
use super::state::{Kept, OpenRead, Sum};
use super::{Lowering, Result, Value};

impl<'a> Lowering<'a> {
    /// Whether a call of an operand conflicts with another operand.
    fn call_meets(&self, call: &Sum, other: &Effects) -> bool {
        let writes = [&other.writes, &other.call_writes];
        let all = [
            &other.reads,
            &other.writes,
            &other.call_reads,
            &other.call_writes,
        ];
        let meets = |keys: &Keys, others: &[&Keys]| {
            let mut keys = keys.iter();
            keys.any(|key| others.iter().any(|keys| self.meets(key, keys)))
        };
        meets(&call.reads, &writes) || meets(&call.writes, &all)
    }

    fn reads_meet(&self, own: &Effects, other: &Effects) -> bool {
        let mut reads = own.reads.iter();
        reads.any(|key| self.meets(key, &other.call_writes))
    }

    /// The arguments of an operand that may be read before the others, although its call comes after them. An error where other
    /// reads of it have an order of their own.
    pub(super) fn early_arguments(
        &mut self,
        operand: &'a Node<Expression>,
        others: &[&'a Node<Expression>],
    ) -> Result<Vec<&'a Node<Expression>>> {
        let mut other = Effects::default();
        for expression in others {
            other.add(&self.effects(expression));
        }
        let own = self.effects(operand);
        let mut found = Vec::new();
        let mut calls = own.calls.iter();
        if calls.any(|call| self.call_meets(call, &other)) && self.reads_meet(&own, &other) {
            self.collect_early(operand, &other, false, &mut found)?;
        }
        Ok(found)
    }

    /// Adds the arguments that read what the other operands change. `is_argument`: the expression is one of a call that meets them.
    fn collect_early(
        &mut self,
        expression: &'a Node<Expression>,
        other: &Effects,
        is_argument: bool,
        found: &mut Vec<&'a Node<Expression>>,
    ) -> Result<()> {
        let own = self.effects(expression);
        if !self.reads_meet(&own, other) {
            return Ok(());
        }
        if is_argument && !self.acts(expression) {
            found.push(expression);
            return Ok(());
        }
        match &expression.node {
            Expression::Cast(cast) => {
                self.collect_early(&cast.node.expression, other, false, found)
            }
            Expression::UnaryOperator(operation) if self.acts(&operation.node.operand) => {
                self.collect_early(&operation.node.operand, other, false, found)
            }
            Expression::BinaryOperator(operation)
                if is_arithmetic(&operation.node.operator.node) =>
            {
                self.collect_early(&operation.node.lhs, other, false, found)?;
                self.collect_early(&operation.node.rhs, other, false, found)
            }
            Expression::Call(call) if self.is_own_call(&call.node) => {
                for argument in &call.node.arguments {
                    self.collect_early(argument, other, true, found)?;
                }
                Ok(())
            }
            _ => Err(
                "an operand that reads what calls beside it change, before its own call or after it"
                    .into(),
            ),
        }
    }

    /// Whether a call is one of a function of the program by its name, with arguments that do not conflict.
    fn is_own_call(&mut self, call: &'a CallExpression) -> bool {
        let Expression::Identifier(name) = &call.callee.node else {
            return false;
        };
        let is_own = self
            .definition_of(&name.node.name)
            .is_some_and(|definition| definition.is_own());
        is_own && matches!(self.arguments_conflict(&call.arguments), Ok(None))
    }

    /// Runs code in which arguments may have the values that they have now, or after any call in it.
    pub(super) fn with_early_arguments<T>(
        &mut self,
        early: &[&'a Node<Expression>],
        run: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        let n_outer = self.open_reads.len();
        for &operand in early {
            let value = self.rvalue(operand)?;
            if matches!(value.ty, Type::Record(_)) {
                return Err("a record among operands whose order is open".into());
            }
            let reg = self.kept(&value);
            let reads = self.effects(operand).reads;
            self.open_reads.push(OpenRead {
                operand,
                reads,
                kept: Kept::Value(reg),
            });
            self.early_arguments.insert(place_of(operand), reg);
        }
        let result = run(self);
        self.open_reads.truncate(n_outer);
        for operand in early {
            self.early_arguments.remove(&place_of(operand));
        }
        result
    }

    /// The value of an argument: the one that it has now, or the earlier one that was kept.
    pub(super) fn early_or_now(
        &mut self,
        argument: &'a Node<Expression>,
        now: Value,
    ) -> Result<Value> {
        let known: Option<Reg> = self.early_arguments.get(&place_of(argument)).copied();
        let Some(reg) = known.filter(|_| !self.is_without_code) else {
            return Ok(now);
        };
        let what = "an argument is read before other operands";
        let open = self.choose(&Type::INT, Choice::Open(what.into()))?;
        let is_early = self.program.truth(open.expr);
        let kept = self.read(reg);
        let expr = self.program.ite(is_early, kept, now.expr);
        Ok(Value { expr, ..now })
    }
}

/// The place of an expression in memory, which tells it from all others.
fn place_of(expression: &Node<Expression>) -> usize {
    std::ptr::from_ref(expression) as usize
}

/// Whether an operator evaluates both operands, in any order, and nothing else.
fn is_arithmetic(operator: &BinaryOperator) -> bool {
    use BinaryOperator as B;
    matches!(
        operator,
        B::Multiply
            | B::Divide
            | B::Modulo
            | B::Plus
            | B::Minus
            | B::ShiftLeft
            | B::ShiftRight
            | B::Less
            | B::Greater
            | B::LessOrEqual
            | B::GreaterOrEqual
            | B::Equals
            | B::NotEquals
            | B::BitwiseAnd
            | B::BitwiseXor
            | B::BitwiseOr
    )
}
