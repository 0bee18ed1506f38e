//! Objects with temporary lifetime: an array in a record that is a value, not an object, lives until the end of the
//! full expression (C11 6.2.4p8).

use crate::ir::{Expr, Instr, SlotId};
use crate::syntax::ast::*;
use crate::syntax::span::Node;
use crate::types::Type;

use super::{Lowering, Result};

impl Lowering<'_> {
    /// A copy of a record that ends with the full expression.
    pub(super) fn temporary(&mut self, record: Expr, ty: &Type) -> Result<Expr> {
        let slot = self.scoped_slot("temporary object", ty)?;
        self.emit(Instr::Declare { slot });
        let address = self.slot_address(slot);
        self.copy(address, record, ty)?;
        self.builder.temporaries.push(slot);
        Ok(address)
    }

    /// The end of a full expression.
    pub(super) fn end_temporaries(&mut self) {
        let ended = self.take_temporaries();
        self.end_each(&ended);
    }

    /// The temporary objects of a condition, which end where control goes on.
    pub(super) fn take_temporaries(&mut self) -> Vec<SlotId> {
        std::mem::take(&mut self.builder.temporaries)
    }

    pub(super) fn end_each(&mut self, slots: &[SlotId]) {
        for &slot in slots {
            self.emit(Instr::End { slot });
        }
    }
}

/// Whether an expression with the type of a record is no lvalue.
pub(super) fn is_value(expression: &Node<Expression>) -> bool {
    match &expression.node {
        Expression::Call(_)
        | Expression::Conditional(_)
        | Expression::Comma(_)
        | Expression::Statement(_)
        | Expression::VaArg(_)
        | Expression::Cast(_) => true,
        Expression::BinaryOperator(operation) => {
            operation.node.operator.node != BinaryOperator::Index
        }
        Expression::Member(member) => {
            member.node.operator.node == MemberOperator::Direct && is_value(&member.node.expression)
        }
        _ => false,
    }
}
