//! Assignments.

use crate::ir::ExprNode;
use crate::syntax::ast::*;
use crate::syntax::span::Node;
use crate::types::Type;

use super::order::Order;
use super::{Lowering, Place, Result, Value};

impl<'a> Lowering<'a> {
    /// `left = right`.
    pub(super) fn assign_plainly(
        &mut self,
        left: &'a Node<Expression>,
        right: &'a Node<Expression>,
    ) -> Result<Value> {
        let (place, ty) = self.place(left)?;
        let value = self.assigned_value(&ty, right)?;
        let value = self.convert(value, &ty)?;
        self.assigned(place, &ty, value.expr)
    }

    /// The right side of an assignment to something of a type.
    pub(super) fn assigned_value(
        &mut self,
        ty: &Type,
        right: &'a Node<Expression>,
    ) -> Result<Value> {
        match (ty, &right.node) {
            (Type::Pointer(element), Expression::Call(call)) => {
                self.call_expecting(&call.node, Some(element))
            }
            _ => {
                let value = self.rvalue(right)?;
                self.note_copy(right, &value, ty);
                Ok(value)
            }
        }
    }

    /// Notes that a value that was read from memory goes to something of its own size: bytes of a pointer may be
    /// copied one by one, while computing with them depends on where the object is.
    pub(super) fn note_copy(&mut self, read: &Node<Expression>, value: &Value, to: &Type) {
        let is_read = match &read.node {
            Expression::Member(_) => true,
            Expression::UnaryOperator(operation) => {
                operation.node.operator.node == UnaryOperator::Indirection
            }
            Expression::BinaryOperator(operation) => {
                operation.node.operator.node == BinaryOperator::Index
            }
            _ => false,
        };
        if is_read
            && self.types.size(&value.ty) == self.types.size(to)
            && let ExprNode::Reg(reg) = self.program.node(value.expr)
        {
            self.builder.function.copied.insert(reg);
        }
    }

    /// `left op= right`.
    pub(super) fn assign(
        &mut self,
        operator: &BinaryOperator,
        left: &'a Node<Expression>,
        right: &'a Node<Expression>,
    ) -> Result<Value> {
        let is_sum = matches!(operator, BinaryOperator::Plus | BinaryOperator::Minus);
        let wraps = is_sum && self.is_atomic(left);
        match self.conflict_in_assignment(left, right, true)? {
            Order::Fixed => {}
            Order::FirstIsRead => {
                let run = |lowering: &mut Self, _: &Type| lowering.rvalue(right);
                let writes = self.effects(right).writes;
                let (kept, b) = self.with_open_place(left, true, &writes, run)?;
                let a = kept.old.ok_or("an assignment that does not read")?;
                return self.assign_result((operator, wraps), (kept.place, kept.ty), a, b);
            }
            Order::SecondIsRead => {
                let run = |lowering: &mut Self| {
                    let (place, ty) = lowering.place(left)?;
                    let a = lowering.load(place, &ty)?;
                    Ok((place, ty, lowering.read_of(left, a)?))
                };
                let writes = self.place_effects(left).writes;
                let (b, (place, ty, a)) = self.with_open_read(right, &writes, run)?;
                return self.assign_result((operator, wraps), (place, ty), a, b);
            }
            Order::Either => {
                return self.in_either_order(
                    |lowering| {
                        let (place, ty) = lowering.place(left)?;
                        let a = lowering.load(place, &ty)?;
                        let b = lowering.rvalue(right)?;
                        lowering.assign_result((operator, wraps), (place, ty), a, b)
                    },
                    |lowering| {
                        let b = lowering.rvalue(right)?;
                        let (place, ty) = lowering.place(left)?;
                        let a = lowering.load(place, &ty)?;
                        lowering.assign_result((operator, wraps), (place, ty), a, b)
                    },
                );
            }
        }
        let (place, ty) = self.place(left)?;
        let b = self.rvalue(right)?;
        let a = self.load(place, &ty)?;
        let a = self.read_of(left, a)?;
        self.assign_result((operator, wraps), (place, ty), a, b)
    }

    pub(super) fn assign_result(
        &mut self,
        (operator, wraps): (&BinaryOperator, bool),
        (place, ty): (Place, Type),
        a: Value,
        b: Value,
    ) -> Result<Value> {
        let value = self.wrapping(wraps, |lowering| lowering.operate(operator, a, b))?;
        let value = self.convert(value, &ty)?;
        self.assigned(place, &ty, value.expr)
    }
}
