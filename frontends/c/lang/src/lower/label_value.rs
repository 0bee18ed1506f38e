//! Labels as values and computed `goto`, extensions of GNU C.
//!
//! The address of a label is that of a separate object with no other pointers to it, so that it may occur in
//! a static initialiser, be compared and be stored like any other. A computed `goto` compares its operand
//! with the labels of its function whose address is taken; the address of another function's label has no
//! target, as in GNU C.

use std::collections::BTreeSet;

use craig_word::Op;

use super::{Lowering, Result, Symbol, Value};
use crate::ir::Terminator;
use crate::syntax::ast::{Expression, Statement};
use crate::syntax::span::{Node, Span};
use crate::syntax::visit::{self, Visit};
use crate::types::{IntType, Type};

/// The labels whose address is taken.
struct Taken(BTreeSet<String>);

impl<'ast> Visit<'ast> for Taken {
    fn visit_expression(&mut self, expression: &'ast Expression, span: &'ast Span) {
        if let Expression::LabelAddress(label) = expression {
            self.0.insert(label.node.name.clone());
        }
        visit::visit_expression(self, expression, span);
    }
}

/// The labels of a function whose address is taken in it.
pub(super) fn labels_taken(statement: &Node<Statement>) -> BTreeSet<String> {
    let mut visitor = Taken(BTreeSet::new());
    visitor.visit_statement(&statement.node, &statement.span);
    visitor.0
}

impl<'a> Lowering<'a> {
    /// The address of a label of the current function: that of an object.
    pub(super) fn label_value(&mut self, label: &str) -> Result<Value> {
        // This is not an identifier of C, so no other reference to the object exists.
        let name = format!("&&{label} of {}", self.lowered_function);
        let id = match self.scopes[0].names.get(&name) {
            Some(&Symbol::Static(id, _)) => id,
            _ => {
                let id = self.static_object(&name, &Type::Int(IntType::CHAR), false)?;
                let symbol = Symbol::Static(id, Type::Void);
                self.scopes[0].names.insert(name, symbol);
                id
            }
        };
        Ok(Value {
            expr: self.static_address(id),
            ty: Type::Void.pointer_to(),
        })
    }

    /// `goto *address`.
    pub(super) fn computed_goto(&mut self, address: &'a Node<Expression>) -> Result<()> {
        let address = self.rvalue(address)?;
        let width = self.pointer_width();
        let address = self.resized(&address, width)?;
        let reg = self.fresh(width);
        self.set(reg, address);
        let labels = self.builder.labels_taken.clone();
        for label in labels {
            let target = self.way_to_label(&label);
            let own = self.label_value(&label)?.expr;
            let address = self.read(reg);
            let is_it = self.program.binary(Op::Eq, address, own);
            let next = self.builder.block();
            self.branch(is_it, target, next, next);
        }
        self.terminate(Terminator::Stuck(
            "a computed `goto` to no label of its function".into(),
        ));
        Ok(())
    }
}
