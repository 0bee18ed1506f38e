//! Invariants of loops and contracts of functions, as properties of the program: what they say is checked
//! where it is to hold, and nothing is assumed. Engines prove that no error is reachable, of these and all
//! others together. An invariant is also a candidate, which the single loop uses once it is proved.

use crate::ir::{CheckKind, Expr, Instr};
use crate::syntax::ast::*;
use crate::syntax::span::{Node, Span};
use crate::syntax::visit::{self, Visit};

use super::builtin::argument;
use super::function_model::NamedCall;
use super::state::Postcondition;
use super::{Lowering, Place, Result, Symbol, Value};

/// CBMC's operator for the value of an expression at the start of a function, in postconditions.
pub(super) const OLD: &str = "__CPROVER_old";

/// Whether a call is that of CBMC's operator for values at the start.
pub(super) fn is_old(call: &CallExpression) -> bool {
    matches!(&call.callee.node, Expression::Identifier(name) if name.node.name == OLD)
}

/// The name of what a function returns, in its postconditions.
const RETURN_VALUE: &str = "__CPROVER_return_value";

/// Finds what an annotation must not do: change the program's state, or end its run.
struct Unfit(bool);

impl<'ast> Visit<'ast> for Unfit {
    fn visit_expression(&mut self, expression: &'ast Expression, span: &'ast Span) {
        use BinaryOperator as B;
        use UnaryOperator as U;
        self.0 |= match expression {
            Expression::Identifier(_)
            | Expression::Constant(_)
            | Expression::Member(_)
            | Expression::Cast(_)
            | Expression::Conditional(_)
            | Expression::SizeOfTy(_)
            | Expression::OffsetOf(_) => false,
            Expression::Call(call) => !is_old(&call.node),
            Expression::UnaryOperator(operation) => matches!(
                operation.node.operator.node,
                U::PostIncrement | U::PostDecrement | U::PreIncrement | U::PreDecrement
            ),
            Expression::BinaryOperator(operation) => match operation.node.operator.node {
                B::Divide | B::Modulo => divides_by_what_may_be_zero(&operation.node),
                B::Index
                | B::Multiply
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
                | B::LogicalAnd
                | B::LogicalOr
                | B::Implies
                | B::Equivalent => false,
                _ => true,
            },
            _ => true,
        };
        visit::visit_expression(self, expression, span);
    }
}

/// Whether an operation may end the run, as the machine's trap does: a division whose divisor may be 0.
pub(crate) fn divides_by_what_may_be_zero(operation: &BinaryOperatorExpression) -> bool {
    if !matches!(
        operation.operator.node,
        BinaryOperator::Divide | BinaryOperator::Modulo
    ) {
        return false;
    }
    let Expression::Constant(constant) = &operation.rhs.node else {
        return true;
    };
    match &constant.node {
        Constant::Integer(number) => !number.number.chars().any(|digit| digit != '0'),
        _ => true,
    }
}

/// Whether an expression consists of names, numbers and operations on their values.
struct Leaves(bool);

impl<'ast> Visit<'ast> for Leaves {
    fn visit_expression(&mut self, expression: &'ast Expression, span: &'ast Span) {
        self.0 &= match expression {
            Expression::Identifier(_) | Expression::Constant(_) | Expression::Conditional(_) => {
                true
            }
            Expression::UnaryOperator(operation) => matches!(
                operation.node.operator.node,
                UnaryOperator::Plus
                    | UnaryOperator::Minus
                    | UnaryOperator::Complement
                    | UnaryOperator::Negate
            ),
            Expression::BinaryOperator(operation) => {
                operation.node.operator.node != BinaryOperator::Index
            }
            _ => false,
        };
        visit::visit_expression(self, expression, span);
    }
}

/// The name of the value of an expression that is kept for postconditions; no identifier.
fn name_of_kept(expression: &Node<Expression>) -> String {
    format!("{OLD} {}", expression.span.start)
}

/// The names in an expression.
struct Names(Vec<String>);

impl<'ast> Visit<'ast> for Names {
    fn visit_identifier(&mut self, identifier: &'ast Identifier, _: &'ast Span) {
        self.0.push(identifier.name.clone());
    }
}

/// An error for an expression that an annotation must not contain.
pub(super) fn require_fit(expression: &Node<Expression>) -> Result<()> {
    let mut unfit = Unfit(false);
    unfit.visit_expression(&expression.node, &expression.span);
    if unfit.0 {
        return Err(
            "an annotation with side effects, calls, or a division by what may be 0".into(),
        );
    }
    Ok(())
}

impl<'a> Lowering<'a> {
    pub(super) fn counts_annotations(&self) -> bool {
        // In CBMC's dialect, contracts count where the command line says so.
        self.options.is_customary()
            && !self.options.cbmc.is_dialect()
            && self.is_own_code()
            && !self.is_without_code
    }

    /// The value of an expression of an annotation.
    pub(super) fn annotated_value(&mut self, expression: &'a Node<Expression>) -> Result<Value> {
        require_fit(expression)?;
        let checks = std::mem::take(&mut self.options.checks);
        let value = self.rvalue(expression);
        self.options.checks = checks;
        value
    }

    /// What `__CPROVER_old` stands for in a postcondition: its value has been kept.
    pub(super) fn old_value(&mut self, call: &NamedCall<'a, '_>) -> Result<Option<Value>> {
        if self.options.cbmc.is_dialect() {
            return self.earlier_value(call);
        }
        let kept = self.lookup(&name_of_kept(argument(call.arguments, 0)?));
        let Some(Symbol::Register(reg, ty)) = kept else {
            return Err(format!("`{OLD}` outside of a postcondition"));
        };
        let expr = self.read(reg);
        Ok(Some(Value { expr, ty }))
    }

    /// A precondition.
    pub(super) fn precondition(&mut self, condition: &'a Node<Expression>) -> Result<()> {
        require_fit(condition)?;
        let truth = self.holds_of(condition)?;
        self.check(truth, CheckKind::Precondition);
        Ok(())
    }

    /// The invariant of a loop. Where another mark is asked about, it is a candidate only, and none if its
    /// evaluation might not be supported: it must not change the verdict.
    pub(super) fn loop_invariant(&mut self, condition: &'a Node<Expression>) -> Result<()> {
        let is_checked = self.counts_annotations();
        if is_checked {
            require_fit(condition)?;
        }
        let is_candidate = self.is_own_code()
            && !self.is_without_code
            && require_fit(condition).is_ok()
            && self.is_of_registers(condition);
        if is_checked || is_candidate {
            let truth = self.holds_of(condition)?;
            self.emit(Instr::Candidate { condition: truth });
            if is_checked {
                self.check(truth, CheckKind::LoopInvariant);
            }
        }
        Ok(())
    }

    /// Whether an expression reads nothing but constants and variables in registers.
    fn is_of_registers(&self, expression: &Node<Expression>) -> bool {
        let mut leaves = Leaves(true);
        leaves.visit_expression(&expression.node, &expression.span);
        let mut mentioned = Names(Vec::new());
        mentioned.visit_expression(&expression.node, &expression.span);
        let is_register = |name: &String| matches!(self.lookup(name), Some(Symbol::Register(..)));
        leaves.0 && mentioned.0.iter().all(is_register)
    }

    /// One bit: whether a condition holds. What an annotation computes is not what the program does, so that
    /// nothing in it is checked.
    fn holds_of(&mut self, condition: &'a Node<Expression>) -> Result<Expr> {
        let at = self.at;
        let checks = std::mem::take(&mut self.options.checks);
        let value = self.rvalue(condition);
        let truth = value.and_then(|value| self.truth(&value));
        self.options.checks = checks;
        self.at = at;
        truth
    }

    /// Takes note of a postcondition, at the start of a function, and keeps the values that are `old` in it.
    pub(super) fn postcondition(
        &mut self,
        expression: &'a Node<Expression>,
        old: &[&'a Node<Expression>],
    ) -> Result<()> {
        require_fit(expression)?;
        let mut names = Vec::new();
        for &old in old {
            let value = self.annotated_value(old)?;
            if !value.ty.is_scalar() {
                return Err(format!("`{OLD}` of what is no scalar"));
            }
            let reg = self.named(self.program.width(value.expr), None, Some(value.ty.clone()));
            self.set(reg, value.expr);
            names.push((name_of_kept(old), Symbol::Register(reg, value.ty)));
        }
        let mut mentioned = Names(Vec::new());
        mentioned.visit_expression(&expression.node, &expression.span);
        for name in mentioned.0 {
            let parameter = (self.scopes.get(1)).and_then(|scope| scope.names.get(&name).cloned());
            let Some(symbol) = parameter else {
                continue;
            };
            let (place, ty) = match symbol {
                Symbol::Register(reg, ty) => (Place::Register(reg), ty),
                Symbol::Slot(slot, ty) => (Place::Memory(self.slot_address(slot)), ty),
                _ => continue,
            };
            if !ty.is_scalar() {
                return Err("a postcondition about a parameter that is no scalar".into());
            }
            let value = self.load(place, &ty)?;
            let reg = self.named(self.program.width(value.expr), None, Some(ty.clone()));
            self.set(reg, value.expr);
            names.push((name, Symbol::Register(reg, ty)));
        }
        self.postconditions.push(Postcondition {
            expression,
            at: self.at,
            names,
        });
        Ok(())
    }

    /// Checks the postconditions where the function returns, with what it returns.
    pub(super) fn check_postconditions(&mut self, result: Option<&Value>) -> Result<()> {
        if self.postconditions.is_empty() || self.scopes.len() < 2 {
            return Ok(());
        }
        let at = self.at;
        // Locals are not in scope there.
        let inner = self.scopes.split_off(2);
        let mut outcome = Ok(());
        for postcondition in self.postconditions.clone() {
            self.open_scope();
            self.at = postcondition.at;
            if let Some(value) = result
                && value.ty.is_scalar()
            {
                let reg = self.named(self.program.width(value.expr), None, Some(value.ty.clone()));
                self.set(reg, value.expr);
                self.bind(RETURN_VALUE, Symbol::Register(reg, value.ty.clone()));
            }
            for (name, symbol) in postcondition.names {
                self.bind(&name, symbol);
            }
            let truth = self.holds_of(postcondition.expression);
            self.scopes.truncate(2);
            outcome = outcome.and(truth.map(|truth| self.check(truth, CheckKind::Postcondition)));
        }
        self.scopes.extend(inner);
        self.at = at;
        outcome
    }
}
