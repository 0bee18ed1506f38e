//! Expressions of witnesses, which must not do anything: neither change the program's state nor end its run.

use super::annotation::divides_by_what_may_be_zero;
use crate::syntax::ast::*;
use crate::syntax::span::Span;
use crate::syntax::visit::{self, Visit};

/// Whether a unit contains calls, writes, objects of its own, or a division by what may be 0.
#[must_use]
pub fn has_effects(unit: &TranslationUnit) -> bool {
    let mut effects = Effects(false);
    effects.visit_translation_unit(unit);
    effects.0
}

/// Finds what an expression of a witness must not contain.
struct Effects(bool);

impl<'ast> Visit<'ast> for Effects {
    fn visit_binary_operator(&mut self, operator: &'ast BinaryOperator, _: &'ast Span) {
        use BinaryOperator as Op;
        self.0 |= match operator {
            Op::Assign
            | Op::AssignMultiply
            | Op::AssignDivide
            | Op::AssignModulo
            | Op::AssignPlus
            | Op::AssignMinus
            | Op::AssignShiftLeft
            | Op::AssignShiftRight
            | Op::AssignBitwiseAnd
            | Op::AssignBitwiseXor
            | Op::AssignBitwiseOr => true,
            Op::Index
            | Op::Multiply
            | Op::Divide
            | Op::Modulo
            | Op::Plus
            | Op::Minus
            | Op::ShiftLeft
            | Op::ShiftRight
            | Op::Less
            | Op::Greater
            | Op::LessOrEqual
            | Op::GreaterOrEqual
            | Op::Equals
            | Op::NotEquals
            | Op::BitwiseAnd
            | Op::BitwiseXor
            | Op::BitwiseOr
            | Op::LogicalAnd
            | Op::LogicalOr
            | Op::Implies
            | Op::Equivalent => false,
        };
    }

    fn visit_binary_operator_expression(
        &mut self,
        operation: &'ast BinaryOperatorExpression,
        span: &'ast Span,
    ) {
        // The run would end there, and with it the path on which the invariant does not hold.
        self.0 |= divides_by_what_may_be_zero(operation);
        visit::visit_binary_operator_expression(self, operation, span);
    }

    fn visit_unary_operator(&mut self, operator: &'ast UnaryOperator, _: &'ast Span) {
        self.0 |= matches!(
            operator,
            UnaryOperator::PostIncrement
                | UnaryOperator::PostDecrement
                | UnaryOperator::PreIncrement
                | UnaryOperator::PreDecrement
        );
    }

    fn visit_call_expression(&mut self, _: &'ast CallExpression, _: &'ast Span) {
        self.0 = true;
    }

    fn visit_compound_literal(&mut self, _: &'ast CompoundLiteral, _: &'ast Span) {
        self.0 = true;
    }

    fn visit_string_literal(&mut self, _: &'ast StringLiteral, _: &'ast Span) {
        self.0 = true;
    }

    fn visit_va_arg_expression(&mut self, _: &'ast VaArgExpression, _: &'ast Span) {
        self.0 = true;
    }
}
