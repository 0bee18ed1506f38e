//! `__CPROVER_is_freeable(p)` and `__CPROVER_was_freed(p)` in contracts (CBMC's manual, `contracts-frees.md`).

use crate::ir::CheckKind;
use crate::ir::ghost::PointerFact;
use crate::syntax::ast::*;
use crate::syntax::span::{Node, Span};
use crate::syntax::visit::{self, Visit};
use crate::types::Type;
use craig_word::Op;

use super::super::builtin::argument;
use super::super::function_model::NamedCall;
use super::super::state::Mode;
use super::super::{Lowering, Result, Value};

/// The name of the predicate about an earlier moment.
const WAS_FREED: &str = "__CPROVER_was_freed";

/// The operands of the predicate.
struct Freed<'ast>(Vec<&'ast Node<Expression>>);

impl<'ast> Visit<'ast> for Freed<'ast> {
    fn visit_call_expression(&mut self, call: &'ast CallExpression, span: &'ast Span) {
        if matches!(&call.callee.node, Expression::Identifier(name) if name.node.name == WAS_FREED)
        {
            self.0.extend(call.arguments.first());
        }
        visit::visit_call_expression(self, call, span);
    }
}

impl<'a> Lowering<'a> {
    /// Keeps which objects are alive at this moment, of those that an expression says were freed.
    pub(super) fn keep_alive(&mut self, expression: &'a Node<Expression>) -> Result<()> {
        let mut freed = Freed(Vec::new());
        freed.visit_expression(&expression.node, &expression.span);
        for operand in freed.0 {
            let pointer = self.pointer_of(operand, WAS_FREED)?;
            let alive = self.inspected(pointer.expr, PointerFact::IsAlive);
            let reg = self.fresh(1);
            self.set(reg, alive);
            let value = self.read(reg);
            let value = self.bool_of(value);
            self.kept.insert((self.unit, operand.span.start), value);
        }
        Ok(())
    }

    fn pointer_of(&mut self, operand: &'a Node<Expression>, name: &str) -> Result<Value> {
        let value = self.rvalue(operand)?;
        match value.ty {
            Type::Pointer(_) => Ok(value),
            _ => Err(format!("`{name}` of something that is no pointer")),
        }
    }

    /// `__CPROVER_is_freeable(p)`: `p` is null, or what an allocation returned and nobody has freed.
    pub(in crate::lower) fn is_freeable(
        &mut self,
        call: &NamedCall<'a, '_>,
    ) -> Result<Option<Value>> {
        let pointer = self
            .pointer_of(argument(call.arguments, 0)?, call.name)?
            .expr;
        let some = self.program.truth(pointer);
        let offset = self.inspected(pointer, PointerFact::Offset);
        let is_inside = self.program.truth(offset);
        let mut holds = self.program.not(is_inside);
        for fact in [PointerFact::IsAlive, PointerFact::IsDynamic] {
            let own = self.inspected(pointer, fact);
            holds = self.program.binary(Op::And, holds, own);
        }
        let none = self.program.not(some);
        let holds = self.or(none, holds);
        Ok(Some(self.bool_of(holds)))
    }

    /// `__CPROVER_was_freed(p)` in what a function ensures: the object was alive when it was called, and is gone. Where that is
    /// assumed, the contract has to say that it may be freed.
    pub(in crate::lower) fn was_freed(
        &mut self,
        call: &NamedCall<'a, '_>,
    ) -> Result<Option<Value>> {
        let operand = argument(call.arguments, 0)?;
        let wrong = || format!("`{}` where no earlier moment is known", call.name);
        let before =
            (self.kept.get(&(self.unit, operand.span.start)).cloned()).ok_or_else(wrong)?;
        let pointer = self.pointer_of(operand, call.name)?.expr;
        if self.specification.mode == Some(Mode::Assume) {
            let mut may_be = self.program.constant(0, 1);
            for target in self.specification.freeable.clone() {
                let same = self.program.binary(Op::Eq, target, pointer);
                may_be = self.or(may_be, same);
            }
            self.check(may_be, CheckKind::Precondition);
        }
        let alive = self.inspected(pointer, PointerFact::IsAlive);
        let gone = self.program.not(alive);
        let before = self.truth(&before)?;
        let holds = self.program.binary(Op::And, before, gone);
        Ok(Some(self.bool_of(holds)))
    }
}
