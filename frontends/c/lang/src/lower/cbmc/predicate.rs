//! Functions that contracts call to say something about pointers (`__CPROVER_is_fresh` in their bodies). They are
//! evaluated in place, with the arguments for the parameters: what they make of a parameter is made of the argument.

use std::collections::HashSet;

use crate::syntax::ast::*;
use crate::syntax::span::{Node, Span};
use crate::syntax::visit::{self, Visit};
use crate::types::Type;

use super::super::{Lowering, Result, Symbol, Value};
use super::fresh::without_casts;
use super::obeys::OBEYS;

/// The predicates that change what they are about where they are assumed.
const ABOUT_POINTERS: [&str; 4] = [
    "__CPROVER_is_fresh",
    "__CPROVER_pointer_in_range_dfcc",
    "__CPROVER_pointer_equals",
    OBEYS,
];

/// The names of called functions.
#[derive(Default)]
struct Called(Vec<String>);

impl<'ast> Visit<'ast> for Called {
    fn visit_call_expression(&mut self, call: &'ast CallExpression, span: &'ast Span) {
        if let Expression::Identifier(name) = &call.callee.node {
            self.0.push(name.node.name.clone());
        }
        visit::visit_call_expression(self, call, span);
    }
}

impl<'a> Lowering<'a> {
    /// Whether a function says something about pointers, by itself or by what it calls.
    fn is_predicate(&self, name: &str, seen: &mut HashSet<String>) -> bool {
        if ABOUT_POINTERS.contains(&name) {
            return true;
        }
        let Some(definition) = self.definition_of(name) else {
            return false;
        };
        if !definition.is_own() || !seen.insert(name.to_owned()) {
            return false;
        }
        let body = &definition.function.node.statement;
        let mut called = Called::default();
        called.visit_statement(&body.node, &body.span);
        called.0.iter().any(|name| self.is_predicate(name, seen))
    }

    /// A call of such a function, within a contract.
    pub(in crate::lower) fn predicate_call(
        &mut self,
        name: &str,
        arguments: &'a [Node<Expression>],
    ) -> Result<Option<Value>> {
        if self.specification.mode.is_none()
            || ABOUT_POINTERS.contains(&name)
            || !self.is_predicate(name, &mut HashSet::new())
        {
            return Ok(None);
        }
        let Some(definition) = self.definition_of(name) else {
            return Ok(None);
        };
        if self.predicates.iter().any(|open| open == name) {
            return Err(format!("the recursive predicate `{name}` of a contract"));
        }
        let at = self.at;
        let mut bindings = Vec::new();
        let (_, _, params) =
            self.in_unit_of(definition.unit, |l| l.definition_head(definition.function))?;
        if params.len() != arguments.len() {
            return Err(format!("`{name}` with another number of arguments"));
        }
        for (param, argument) in params.iter().zip(arguments) {
            let (Some(param), ty) = param.name_and_type() else {
                continue;
            };
            bindings.push((param.to_owned(), self.bound_to(argument, ty)?));
        }
        self.predicates.push(name.to_owned());
        let value = self.in_unit_of(definition.unit, |lowering| {
            lowering.open_scope();
            for (name, symbol) in bindings {
                lowering.bind(&name, symbol);
            }
            lowering.value_of_body(&definition.function.node.statement)
        });
        self.predicates.pop();
        self.at = at;
        value.map(Some)
    }

    /// What a parameter stands for: the variable that is the argument, or else its value.
    fn bound_to(&mut self, argument: &'a Node<Expression>, ty: &Type) -> Result<Symbol> {
        if let Expression::Identifier(name) = &without_casts(argument).node
            && matches!(ty, Type::Pointer(_))
        {
            match self.lookup(&name.node.name) {
                Some(Symbol::Register(reg, Type::Pointer(_))) => {
                    return Ok(Symbol::Register(reg, ty.clone()));
                }
                Some(Symbol::Slot(slot, Type::Pointer(_))) => {
                    return Ok(Symbol::Slot(slot, ty.clone()));
                }
                Some(Symbol::Static(id, Type::Pointer(_))) => {
                    return Ok(Symbol::Static(id, ty.clone()));
                }
                _ => {}
            }
        }
        let value = self.rvalue(argument)?;
        let value = self.convert(value, ty)?;
        if !value.ty.is_scalar() {
            return Err("a predicate of a contract about a record".into());
        }
        let reg = self.named(self.program.width(value.expr), None, Some(ty.clone()));
        self.set(reg, value.expr);
        Ok(Symbol::Register(reg, ty.clone()))
    }

    /// Runs something at the file scope of a unit, and returns to where the lowering was.
    fn in_unit_of<T>(
        &mut self,
        unit: usize,
        run: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        let inner = self.scopes.split_off(1);
        let outer = self.unit;
        self.enter_unit(unit);
        let result = run(self);
        self.scopes.truncate(1);
        self.enter_unit(outer);
        self.scopes.extend(inner);
        result
    }

    /// The value that a body returns, in its last statement only.
    fn value_of_body(&mut self, body: &'a Node<Statement>) -> Result<Value> {
        let wrong = "a predicate of a contract that does more than return a value at its end";
        let Statement::Compound(items) = &body.node else {
            return Err(wrong.into());
        };
        let Some((last, before)) = items.split_last() else {
            return Err(wrong.into());
        };
        for item in before {
            match &item.node {
                BlockItem::Declaration(declaration) => self.declaration(declaration, false)?,
                BlockItem::Statement(statement) if !returns(statement) => {
                    self.statement(statement)?;
                }
                _ => return Err(wrong.into()),
            }
        }
        match &last.node {
            BlockItem::Statement(statement) => match &statement.node {
                Statement::Return(Some(value)) => self.rvalue(value),
                _ => Err(wrong.into()),
            },
            _ => Err(wrong.into()),
        }
    }
}

/// Whether a statement may return, or leave by a jump.
fn returns(statement: &Node<Statement>) -> bool {
    struct Leaves(bool);
    impl<'ast> Visit<'ast> for Leaves {
        fn visit_statement(&mut self, statement: &'ast Statement, span: &'ast Span) {
            self.0 |= matches!(statement, Statement::Return(_) | Statement::Goto(_));
            visit::visit_statement(self, statement, span);
        }
    }
    let mut finder = Leaves(false);
    finder.visit_statement(&statement.node, &statement.span);
    finder.0
}
