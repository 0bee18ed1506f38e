//! `__CPROVER_obeys_contract(f, c)` in contracts: assumed, it makes the pointer `f` lead to the function `c`; asserted, it says
//! whether it does. Calls of `c` go by its contract then, as in `goto-instrument --dfcc`.

use std::collections::HashSet;

use crate::syntax::ast::*;
use crate::syntax::span::{Node, Span};
use crate::syntax::visit::{self, Visit};

use super::super::Lowering;
use super::fresh::without_casts;

/// The name of the predicate.
pub(super) const OBEYS: &str = "__CPROVER_obeys_contract";

/// The functions whose contracts pointers obey.
#[derive(Default)]
struct Obeyed<'ast>(Vec<&'ast str>);

impl<'ast> Visit<'ast> for Obeyed<'ast> {
    fn visit_call_expression(&mut self, call: &'ast CallExpression, span: &'ast Span) {
        if let Expression::Identifier(name) = &call.callee.node
            && name.node.name == OBEYS
            && let Some(function) = call.arguments.get(1).and_then(named_function)
        {
            self.0.push(function);
        }
        visit::visit_call_expression(self, call, span);
    }
}

/// The name of the function that an expression is, or whose address it is.
pub(in crate::lower) fn named_function(expression: &Node<Expression>) -> Option<&str> {
    match &without_casts(expression).node {
        Expression::Identifier(name) => Some(&name.node.name),
        Expression::UnaryOperator(of) if of.node.operator.node == UnaryOperator::Address => {
            named_function(&of.node.operand)
        }
        _ => None,
    }
}

impl<'a> Lowering<'a> {
    /// Takes note of the functions that pointers obey by the contract of a function.
    pub(super) fn note_obeyed(&mut self, link: &str, clauses: &'a [Node<Clause>]) {
        let mut obeyed = Obeyed::default();
        for clause in clauses {
            obeyed.visit_clause(&clause.node, &clause.span);
        }
        for name in obeyed.0 {
            let entry = (self.link_name(name).into_owned(), link.to_owned());
            self.obeyed.push(entry);
        }
    }

    /// Whether a contract that is used says that a pointer obeys that of a function.
    pub(super) fn is_obeyed(&self, link: &str) -> bool {
        let (mut seen, mut work) = (HashSet::new(), vec![link]);
        while let Some(link) = work.pop() {
            for (_, by) in self.obeyed.iter().filter(|(of, _)| of == link) {
                if self.is_used_by_option(by) {
                    return true;
                }
                if seen.insert(by) {
                    work.push(by);
                }
            }
        }
        false
    }
}
