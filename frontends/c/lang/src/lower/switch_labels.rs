//! The labels of a `switch`.

use super::builder::Case;
use crate::syntax::ast::*;
use crate::syntax::span::{Node, Span};
use crate::syntax::visit::{self, Visit};

/// The ranges of labels, those that follow each other joined.
pub(super) fn joined(cases: &[Case]) -> Vec<(i128, i128)> {
    let mut ranges: Vec<(i128, i128)> = Vec::new();
    for case in cases {
        match ranges.last_mut() {
            Some((low, high))
                if *low <= *high
                    && case.low <= case.high
                    && high.checked_add(1) == Some(case.low) =>
            {
                *high = case.high;
            }
            _ => ranges.push((case.low, case.high)),
        }
    }
    ranges
}

/// The number of labels of a `switch` in its body.
pub(super) fn n_labels(body: &Node<Statement>) -> usize {
    struct Labels(usize);
    impl<'ast> Visit<'ast> for Labels {
        fn visit_statement(&mut self, statement: &'ast Statement, span: &'ast Span) {
            match statement {
                Statement::Switch(_) => {}
                Statement::Labeled(inner) => {
                    let is_of_program = matches!(inner.node.label.node, Label::Identifier(_));
                    self.0 += usize::from(!is_of_program);
                    visit::visit_statement(self, statement, span);
                }
                _ => visit::visit_statement(self, statement, span),
            }
        }

        fn visit_expression(&mut self, _: &'ast Expression, _: &'ast Span) {}

        fn visit_declaration(&mut self, _: &'ast Declaration, _: &'ast Span) {}
    }
    let mut labels = Labels(0);
    labels.visit_statement(&body.node, &body.span);
    labels.0
}
