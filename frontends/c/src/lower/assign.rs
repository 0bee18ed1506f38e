//! Assignments.

use lang_c::ast::*;
use lang_c::span::Node;

use crate::types::Type;

use super::{Lowering, Place, Result, Value};

impl<'a> Lowering<'a> {
    /// `left = right`.
    pub(super) fn assign_plainly(
        &mut self,
        left: &'a Node<Expression>,
        right: &'a Node<Expression>,
    ) -> Result<Value> {
        let (place, ty) = self.place(left)?;
        let value = match (&ty, &right.node) {
            (Type::Pointer(element), Expression::Call(call)) => {
                self.call_expecting(&call.node, Some(element))?
            }
            _ => self.rvalue(right)?,
        };
        let value = self.convert(value, &ty)?;
        self.assigned(place, &ty, value.expr)
    }

    /// `left op= right`.
    pub(super) fn assign(
        &mut self,
        operator: &BinaryOperator,
        left: &'a Node<Expression>,
        right: &'a Node<Expression>,
    ) -> Result<Value> {
        if self.conflict_in_assignment(left, right, true)? {
            return self.in_either_order(
                |lowering| {
                    let (place, ty) = lowering.place(left)?;
                    let a = lowering.load(place, &ty)?;
                    let b = lowering.rvalue(right)?;
                    lowering.assign_result(operator, (place, ty), a, b)
                },
                |lowering| {
                    let b = lowering.rvalue(right)?;
                    let (place, ty) = lowering.place(left)?;
                    let a = lowering.load(place, &ty)?;
                    lowering.assign_result(operator, (place, ty), a, b)
                },
            );
        }
        let (place, ty) = self.place(left)?;
        let b = self.rvalue(right)?;
        let a = self.load(place, &ty)?;
        let a = self.read_of(left, a)?;
        self.assign_result(operator, (place, ty), a, b)
    }

    pub(super) fn assign_result(
        &mut self,
        operator: &BinaryOperator,
        (place, ty): (Place, Type),
        a: Value,
        b: Value,
    ) -> Result<Value> {
        let value = self.operate(operator, a, b)?;
        let value = self.convert(value, &ty)?;
        self.assigned(place, &ty, value.expr)
    }
}
