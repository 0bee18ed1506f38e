//! The clauses of contracts, at the start of a function or at the head of a loop.

use crate::syntax::ast::*;
use crate::syntax::span::{Node, Span};
use crate::syntax::visit::{self, Visit};

use super::annotation::is_old;
use super::{Lowering, Result};

/// The expressions under CBMC's operator for values at the start.
struct Old<'ast>(Vec<&'ast Node<Expression>>);

impl<'ast> Visit<'ast> for Old<'ast> {
    fn visit_call_expression(&mut self, call: &'ast CallExpression, span: &'ast Span) {
        if is_old(call) {
            self.0.extend(&call.arguments);
        } else {
            visit::visit_call_expression(self, call, span);
        }
    }
}

impl<'a> Lowering<'a> {
    /// The clauses of a function. What is not supported ends the path.
    pub(super) fn function_contract(&mut self, clauses: &'a [Node<Clause>]) {
        for clause in clauses {
            self.locate(clause.span.start);
            self.attempt(|lowering| lowering.clause(&clause.node, false));
        }
    }

    /// The clauses of a loop.
    pub(super) fn loop_contract(&mut self, clauses: &'a [Node<Clause>]) -> Result<()> {
        let at = self.at;
        for clause in clauses {
            self.locate(clause.span.start);
            self.clause(&clause.node, true)?;
        }
        self.at = at;
        Ok(())
    }

    fn clause(&mut self, clause: &'a Clause, is_of_loop: bool) -> Result<()> {
        if let Clause::LoopInvariant(condition) = clause {
            return self.loop_invariant(condition);
        }
        if !self.counts_annotations() {
            return Ok(());
        }
        match clause {
            Clause::Requires(condition) => self.precondition(condition),
            Clause::Ensures(condition) => {
                let mut old = Old(Vec::new());
                old.visit_expression(&condition.node, &condition.span);
                self.postcondition(condition, &old.0)
            }
            Clause::LoopInvariant(condition) => self.loop_invariant(condition),
            Clause::Decreases(measures) if is_of_loop => self.measure(measures),
            Clause::Decreases(_) => Err("`__CPROVER_decreases` of a function".into()),
            Clause::Frees(_) => Err("`__CPROVER_frees`".into()),
            Clause::Assigns(groups) => {
                if groups.iter().any(|group| group.condition.is_some()) {
                    return Err("`__CPROVER_assigns` with targets under a condition".into());
                }
                self.assigns(groups.iter().flat_map(|group| &group.targets))
            }
        }
    }
}
