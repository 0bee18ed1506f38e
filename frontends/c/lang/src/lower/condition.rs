//! Conditions that determine control flow, and conditional expressions.

use crate::ir::{BlockId, Location, Terminator};
use crate::syntax::ast::*;
use crate::syntax::span::Node;
use crate::types::Type;

use super::call::Part;
use super::state::Enumerated;
use super::{Lowering, Moment, Result, Value};

impl<'a> Lowering<'a> {
    /// CBMC's `a <==> b`: whether both hold, or neither.
    pub(super) fn equivalence(&mut self, operation: &'a BinaryOperatorExpression) -> Result<Value> {
        let left = self.rvalue(&operation.lhs)?;
        let left = self.truth(&left)?;
        let right = self.rvalue(&operation.rhs)?;
        let right = self.truth(&right)?;
        let both = self.program.binary(craig_word::Op::Eq, left, right);
        Ok(self.int_of_bit(both))
    }

    /// GNU's `__builtin_types_compatible_p`, which ignores the qualifiers of the types themselves.
    pub(super) fn types_compatible(&mut self, types: &'a TypesCompatible) -> Result<Value> {
        let first = self.type_name(&types.first.node)?;
        let second = self.type_name(&types.second.node)?;
        let [of_first, of_second] =
            [&types.first, &types.second].map(|name| self.type_name_points_to_const(&name.node));
        let is_same = self.types.is_same(&first, &second);
        let may_differ = matches!(first, Type::Pointer(_)) && of_first != of_second;
        if is_same && (of_first.is_none() || of_second.is_none()) {
            return Err("types of pointers to pointers with qualifiers".into());
        }
        let enums = [&types.first, &types.second].map(|name| self.enumeration_of(&name.node));
        let are_enums = match &enums {
            [Enumerated::No, _] | [_, Enumerated::No] => false,
            [Enumerated::Is(a), Enumerated::Is(b)] => a != b,
            _ if !is_same => false,
            _ => return Err("types of which it is not known whether they are enumerations".into()),
        };
        let bit = u128::from(is_same && !may_differ && !are_enums);
        let bit = self.program.constant(bit, 1);
        Ok(self.int_of_bit(bit))
    }

    /// The value of a condition evaluated by control flow: 1 or 0.
    pub(super) fn logical(&mut self, expression: &'a Node<Expression>) -> Result<Value> {
        let reg = self.fresh(32);
        let (yes, no) = (self.builder.block(), self.builder.block());
        let join = self.builder.block();
        let before = self.builder.current;
        self.condition(expression, yes, no, yes)?;
        // A constant result needs no branches, as required for constant expressions.
        if self.builder.function.blocks[before as usize]
            .instrs
            .is_empty()
            || matches!(
                self.builder.function.blocks[before as usize].end,
                Terminator::Jump(_)
            )
        {
            let target = self.constant_target(before);
            if target == Some(yes) || target == Some(no) {
                self.builder.current = before;
                let bit = self.program.constant(u128::from(target == Some(yes)), 1);
                return Ok(self.int_of_bit(bit));
            }
        }
        let one = self.program.constant(1, 32);
        self.set(reg, one);
        self.jump(join, no);
        let zero = self.program.constant(0, 32);
        self.set(reg, zero);
        self.jump(join, join);
        Ok(Value {
            expr: self.read(reg),
            ty: Type::INT,
        })
    }

    /// The target of a block with constant control flow, through blocks without instructions.
    fn constant_target(&self, from: BlockId) -> Option<BlockId> {
        let blocks = &self.builder.function.blocks;
        let mut at = from;
        for _ in 0..blocks.len() {
            let block = &blocks[at as usize];
            match block.end {
                Terminator::Jump(next) if at == from || block.instrs.is_empty() => at = next,
                _ => return (at != from).then_some(at),
            }
        }
        None
    }

    /// Branches to `then` or `otherwise` by the value of the expression; code continues in `next`.
    pub(super) fn condition(
        &mut self,
        expression: &'a Node<Expression>,
        then: BlockId,
        otherwise: BlockId,
        next: BlockId,
    ) -> Result<()> {
        if let Expression::BinaryOperator(operation) = &expression.node {
            let (left, right) = (&operation.node.lhs, &operation.node.rhs);
            match operation.node.operator.node {
                BinaryOperator::LogicalAnd => {
                    let middle = self.builder.block();
                    self.condition(left, middle, otherwise, middle)?;
                    return self.condition(right, then, otherwise, next);
                }
                BinaryOperator::LogicalOr => {
                    let middle = self.builder.block();
                    self.condition(left, then, middle, middle)?;
                    return self.condition(right, then, otherwise, next);
                }
                BinaryOperator::Implies => {
                    let middle = self.builder.block();
                    self.condition(left, middle, then, middle)?;
                    return self.condition(right, then, otherwise, next);
                }
                _ => {}
            }
        }
        if let Expression::UnaryOperator(operation) = &expression.node
            && operation.node.operator.node == UnaryOperator::Negate
        {
            return self.condition(&operation.node.operand, otherwise, then, next);
        }
        let outer = self.at;
        self.locate(expression.span.start);
        let at = self.at;
        self.at = outer;
        let value = self.rvalue_for(expression, Part::Truth)?;
        let truth = self.truth(&value)?;
        let outer = std::mem::replace(&mut self.at, at);
        self.condition_goals(truth);
        self.at = outer;
        self.branch(truth, then, otherwise, next);
        Ok(())
    }

    /// The hooks of a conditional expression whose condition is true, or false.
    fn chosen_branch(&mut self, place: Option<Location>, is_true: bool) {
        if let Some(place) = place {
            self.evaluate_hooks(Moment::Choice(is_true), place, None);
        }
    }

    /// GNU's `a ?: b`: `a`, which is evaluated once, unless it is 0.
    fn value_or(&mut self, conditional: &'a ConditionalExpression) -> Result<Value> {
        let (first, otherwise) = (&*conditional.condition, &*conditional.else_expression);
        let ty = self.without_code(|lowering| {
            let a = lowering.rvalue(first)?;
            let b = lowering.rvalue(otherwise)?;
            lowering.common_type(&a, &b)
        })?;
        // A constant condition leaves one operand, as required for constant expressions.
        if let Ok(value) = self.constant(first) {
            let value = self.rvalue(if value != 0 { first } else { otherwise })?;
            return self.convert(value, &ty);
        }
        let width = self
            .scalar_width(&ty)
            .ok_or("a conditional expression that is no scalar")?;
        let value = self.rvalue(first)?;
        let truth = self.truth(&value)?;
        let value = self.convert(value, &ty)?;
        let reg = self.fresh(width);
        self.set(reg, value.expr);
        let (yes, no) = (self.builder.block(), self.builder.block());
        let join = self.builder.block();
        self.branch(truth, yes, no, yes);
        let place = self.place_of_choice(conditional);
        self.chosen_branch(place, true);
        self.jump(join, no);
        self.chosen_branch(place, false);
        let value = self.rvalue(otherwise)?;
        let value = self.convert(value, &ty)?;
        self.set(reg, value.expr);
        self.jump(join, join);
        Ok(Value {
            expr: self.read(reg),
            ty,
        })
    }

    pub(super) fn conditional(&mut self, conditional: &'a ConditionalExpression) -> Result<Value> {
        let Some(then_expression) = &conditional.then_expression else {
            return self.value_or(conditional);
        };
        // A constant condition leaves one branch, as required for constant expressions.
        if let Ok(value) = self.constant(&conditional.condition) {
            let (chosen, other) = if value != 0 {
                (then_expression, &conditional.else_expression)
            } else {
                (&conditional.else_expression, then_expression)
            };
            let other = self.without_code(|lowering| lowering.rvalue(other));
            let value = self.rvalue(chosen)?;
            return match other {
                Ok(other) => {
                    let ty = self.common_type(&value, &other)?;
                    self.convert(value, &ty)
                }
                Err(_) => Ok(value),
            };
        }
        let ty = self.without_code(|lowering| {
            let a = lowering.rvalue(then_expression)?;
            let b = lowering.rvalue(&conditional.else_expression)?;
            lowering.common_type(&a, &b)
        })?;
        let (yes, no, join) = (
            self.builder.block(),
            self.builder.block(),
            self.builder.block(),
        );
        let (at, place) = (self.at, self.place_of_choice(conditional));
        self.condition(&conditional.condition, yes, no, yes)?;
        let width = match ty {
            Type::Record(_) => Some(self.pointer_width()),
            _ => self.scalar_width(&ty),
        };
        let reg = width.map(|width| self.fresh(width));
        for (branch, next, is_then) in [
            (then_expression, no, true),
            (&conditional.else_expression, join, false),
        ] {
            let inner = std::mem::replace(&mut self.at, at);
            self.branch_goal(is_then);
            self.at = inner;
            self.chosen_branch(place, is_then);
            let value = self.rvalue(branch)?;
            let value = self.convert(value, &ty)?;
            if let Some(reg) = reg {
                self.set(reg, value.expr);
            }
            self.jump(join, next);
        }
        let expr = match reg {
            Some(reg) => self.read(reg),
            None => self.program.constant(0, 8),
        };
        Ok(Value { expr, ty })
    }
}
