//! CBMC's specifications: contracts of functions and loops, and quantifiers.

use super::ast::*;
use super::parser::{Parsed, Parser};
use super::span::Node;

impl Parser<'_> {
    /// The clauses that stand here, if any.
    pub(super) fn contract(&mut self) -> Parsed<Contract> {
        let mut clauses = Vec::new();
        while self.peek().text.starts_with("__CPROVER_") && self.is_at(1, "(") {
            let start = self.peek().start;
            let Some(clause) = self.clause()? else {
                break;
            };
            clauses.push(self.node(start, clause));
        }
        Ok(clauses)
    }

    fn clause(&mut self) -> Parsed<Option<Clause>> {
        let token = self.peek();
        let is_known = matches!(
            token.text,
            "__CPROVER_requires"
                | "__CPROVER_ensures"
                | "__CPROVER_assigns"
                | "__CPROVER_frees"
                | "__CPROVER_loop_invariant"
                | "__CPROVER_decreases"
        );
        if !is_known {
            if matches!(
                token.text,
                "__CPROVER_requires_contract" | "__CPROVER_ensures_contract"
            ) {
                return Err(self.refused(&format!("`{}`", token.text)));
            }
            return Ok(None);
        }
        self.next();
        self.is_new = true;
        self.expect("(")?;
        let clause = match token.text {
            "__CPROVER_requires" => Clause::Requires(Box::new(self.expression()?)),
            "__CPROVER_ensures" => Clause::Ensures(Box::new(self.expression()?)),
            "__CPROVER_loop_invariant" => Clause::LoopInvariant(Box::new(self.expression()?)),
            "__CPROVER_assigns" => Clause::Assigns(self.target_groups()?),
            "__CPROVER_frees" => Clause::Frees(self.target_groups()?),
            _ => Clause::Decreases(self.expressions_until_parenthesis()?),
        };
        self.expect(")")?;
        Ok(Some(clause))
    }

    /// Targets in groups, each with its condition if it has one.
    fn target_groups(&mut self) -> Parsed<Vec<TargetGroup>> {
        let mut groups = Vec::new();
        while !self.is(")") {
            let mut targets = vec![self.assignment_expression()?];
            let condition = if self.accept(":") {
                let condition = targets.pop().map(Box::new);
                targets.push(self.assignment_expression()?);
                condition
            } else {
                None
            };
            while self.accept(",") {
                targets.push(self.assignment_expression()?);
            }
            groups.push(TargetGroup { condition, targets });
            if !self.accept(";") {
                break;
            }
        }
        Ok(groups)
    }

    /// `__CPROVER_forall { T i; e }`.
    pub(super) fn quantified(&mut self) -> Parsed<Node<Expression>> {
        let token = self.next();
        self.is_new = true;
        let quantifier = if token.text == "__CPROVER_forall" {
            Quantifier::ForAll
        } else {
            Quantifier::Exists
        };
        self.expect("{")?;
        let depth = self.scopes.depth();
        self.scopes.open();
        let mut variables = Vec::new();
        while self.is_declaration() {
            variables.push(self.declaration()?);
        }
        if variables.is_empty() {
            return Err(self.expected("the declaration of a bound variable"));
        }
        let body = Box::new(self.expression()?);
        self.accept(";");
        self.expect("}")?;
        self.scopes.close_to(depth);
        let quantified = Quantified {
            quantifier,
            variables,
            body,
        };
        let quantified = Box::new(self.node(token.start, quantified));
        Ok(self.node(token.start, Expression::Quantified(quantified)))
    }
}
