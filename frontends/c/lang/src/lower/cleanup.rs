//! The attribute `cleanup(f)` of a variable: `f(&variable)` is called wherever control leaves the scope of the variable.
//!
//! As in gcc, without `-fexceptions`: at the end of its block, at `break`, `continue`, `return` and `goto`, in the reverse
//! order of the declarations; not by `exit` and `longjmp`. A result is evaluated before.

use std::sync::Arc;

use crate::ir::{Callee, Terminator};
use crate::syntax::ast::*;
use crate::syntax::span::{Node, Span};
use crate::syntax::visit::{self, Visit};
use crate::types::{FunctionType, Type};

use super::accesses::is_lasting;
use super::builder::Jump;
use super::cleaned::{cleaned_variables, cleanup_function};
use super::symbol::{Cleanup, Scope};
use super::{Lowering, Result, Symbol, Value};

/// Finds jumps to places that are computed.
struct ComputedJumps(bool);

impl<'ast> Visit<'ast> for ComputedJumps {
    fn visit_statement(&mut self, statement: &'ast Statement, span: &'ast Span) {
        self.0 |= matches!(statement, Statement::ComputedGoto(_));
        visit::visit_statement(self, statement, span);
    }
}

/// Whether a body jumps to places that are computed.
pub(super) fn has_computed_jumps(body: &Node<Statement>) -> bool {
    let mut found = ComputedJumps(false);
    found.visit_statement(&body.node, &body.span);
    found.0
}

impl<'a> Lowering<'a> {
    /// Notes the call that a variable of a block asks for.
    pub(super) fn note_cleanup(
        &mut self,
        name: &str,
        specifiers: &'a [Node<DeclarationSpecifier>],
        declarator: &'a Node<Declarator>,
    ) -> Result<()> {
        let Some(function) = cleanup_function(specifiers, declarator) else {
            return Ok(());
        };
        let Some(Symbol::Slot(slot, ty)) = self.lookup(name) else {
            // Without automatic storage, the attribute has no effect.
            return match self.lookup(name) {
                Some(Symbol::Static(..)) => Ok(()),
                _ => Err("the attribute `cleanup` of such a variable".into()),
            };
        };
        let Expression::Identifier(function) = &function.node else {
            return Err("the attribute `cleanup` without the name of a function".into());
        };
        let function = function.node.name.clone();
        let is_own = self.definition_of(&function).is_some_and(|it| it.is_own());
        let (true, Some((_, ty_of_function))) = (is_own, self.function_symbol(&function)) else {
            return Err(format!(
                "the attribute `cleanup` with `{function}`, which the program does not define"
            ));
        };
        if ty_of_function.params.len() != 1 || ty_of_function.variadic {
            return Err(format!(
                "the attribute `cleanup` with `{function}`, which has not one parameter"
            ));
        }
        if self.builder.has_computed_jumps {
            return Err("the attribute `cleanup` in a function with computed jumps".into());
        }
        self.builder.n_cleanups += 1;
        let cleanup = Cleanup {
            number: self.builder.n_cleanups,
            function,
            ty: ty_of_function,
            variable: Value {
                expr: self.slot_address(slot),
                ty: ty.pointer_to(),
            },
        };
        if let Some(scope) = self.scopes.last_mut() {
            scope.cleanups.push(cleanup);
        }
        Ok(())
    }

    /// Looks at a declaration of a block that was lowered, where `n_before` variables with the attribute came before. If
    /// it could not be lowered, the paths end where its scope is left: a jump may have come behind it.
    pub(super) fn check_cleanups(&mut self, declaration: &Declaration, n_before: u32) {
        let n_wanted = match is_lasting(declaration) {
            true => 0,
            false => cleaned_variables(declaration).len(),
        };
        if (self.builder.n_cleanups - n_before) as usize >= n_wanted {
            return;
        }
        self.builder.n_cleanups += 1;
        let cleanup = Cleanup {
            number: self.builder.n_cleanups,
            function: String::new(),
            ty: Arc::new(FunctionType {
                result: Type::Void,
                params: Vec::new(),
                variadic: false,
                prototype: true,
                points_to_const: Vec::new(),
            }),
            variable: self.void(),
        };
        if let Some(scope) = self.scopes.last_mut() {
            scope.cleanups.push(cleanup);
        }
    }

    /// The calls that control makes when it leaves the scopes that are open beyond `depth`, in their order.
    pub(super) fn pending_cleanups(&self, depth: usize) -> Vec<Cleanup> {
        let scopes = self.scopes[depth..].iter().rev();
        scopes.flat_map(Scope::pending_cleanups).collect()
    }

    /// Makes the calls of all scopes beyond `depth`.
    pub(super) fn clean_up(&mut self, depth: usize) {
        let pending = self.pending_cleanups(depth);
        self.make_cleanups(&pending);
    }

    /// Makes calls in this order; what cannot be called ends the path.
    pub(super) fn make_cleanups(&mut self, cleanups: &[Cleanup]) {
        if self.is_without_code {
            return;
        }
        let at = self.at;
        for cleanup in cleanups {
            self.attempt(|lowering| {
                let [parameter] = cleanup.ty.params.as_slice() else {
                    return Err(
                        "the attribute `cleanup` of a variable that is not supported".into(),
                    );
                };
                let variable = lowering.cast(cleanup.variable.clone(), parameter)?;
                let id = lowering.want(&cleanup.function);
                lowering.call_of(Callee::Direct(id), &cleanup.ty, vec![variable.expr])?;
                Ok(())
            });
            self.at = at;
        }
    }

    /// Makes the calls of a jump in its intermediate block: those that were pending there and are not at the label.
    pub(super) fn clean_up_in_jump(&mut self, jump: &Jump) {
        let at_label = self.builder.cleaned_at.get(&jump.target);
        let left: Vec<Cleanup> = (jump.pending.iter())
            .filter(|cleanup| at_label.is_none_or(|kept| !kept.contains(&cleanup.number)))
            .cloned()
            .collect();
        if left.is_empty() {
            return;
        }
        if !self.builder.assigns.is_empty() || !self.builder.inferred.is_empty() {
            let text = "a `goto` out of the scope of a variable with `cleanup` where contracts say what is assigned";
            self.terminate(Terminator::Stuck(text.into()));
            return;
        }
        self.make_cleanups(&left);
    }
}

impl Scope {
    /// The calls at its end, in their order.
    fn pending_cleanups(&self) -> impl Iterator<Item = Cleanup> + '_ {
        self.cleanups.iter().rev().cloned()
    }

    pub(super) fn has_cleanups(&self) -> bool {
        !self.cleanups.is_empty()
    }

    /// The numbers of the calls at its end.
    pub(super) fn cleanup_numbers(&self) -> impl Iterator<Item = u32> + '_ {
        self.cleanups.iter().map(|cleanup| cleanup.number)
    }
}
