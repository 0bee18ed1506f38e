//! Waypoints and invariants of a witness, lowered into the program of the witness.
//!
//! A static object counts the waypoints that a run has passed. The added code reads the program's objects and
//! writes none of them.

use std::collections::BTreeSet;

use craig_word::Op;

use super::state::{Hook, Moment, Purpose};
use super::{Checks, Goals, Lowering, Result, Symbol, Value};
use crate::ir::{CheckKind, Expr, Instr, Location};
use crate::source_place::RESULT;
use crate::syntax::ast::{
    BlockItem, ConditionalExpression, Expression, ExternalDeclaration, Statement, TranslationUnit,
};
use crate::syntax::span::Node;

/// The expression that a function returns.
fn returned(unit: &TranslationUnit) -> Option<&Node<Expression>> {
    let ExternalDeclaration::FunctionDefinition(definition) = &unit.items.first()?.node else {
        return None;
    };
    let Statement::Compound(items) = &definition.node.statement.node else {
        return None;
    };
    match &items.first()?.node {
        BlockItem::Statement(statement) => match &statement.node {
            Statement::Return(value) => value.as_deref(),
            _ => None,
        },
        _ => None,
    }
}

impl<'a> Lowering<'a> {
    /// The hooks of a moment at a place: those to avoid first, then the later waypoints before the earlier
    /// ones, so that a run passes one of them at a time.
    fn hooks_at(&self, moment: Moment, at: Location) -> Vec<usize> {
        if self.hooks.is_empty() || !self.is_own_code() || self.is_without_code {
            return Vec::new();
        }
        let files = &self.program.files;
        let name = files.get(at.file as usize);
        // A file may be part of several translation units.
        let is_same = |first: &Location| {
            (first.line, first.column) == (at.line, at.column)
                && files.get(first.file as usize) == name
        };
        let is_here = |&index: &usize| {
            let (hook, place) = (&self.hooks[index], &self.hooks[index].place);
            // A branch without a column is about a statement, if there is one on its line.
            let is_then = match moment {
                Moment::Choice(is_true) => {
                    hook.moment == Moment::Branch(is_true)
                        && (place.column.is_some() || hook.is_of_any_choice)
                }
                _ => hook.moment == moment,
            };
            is_then
                && place.line == at.line
                && place.column.is_none_or(|column| column == at.column)
                && name.is_some_and(|name| hook.files.contains(name))
                && (self.met.places.get(&index)).is_none_or(is_same)
        };
        let mut found: Vec<usize> = (0..self.hooks.len()).filter(is_here).collect();
        found.sort_by_key(|&index| match self.hooks[index].purpose {
            Purpose::Hold => 0,
            Purpose::Avoid(_) => 1,
            Purpose::Follow(n_passed) => i64::from(u32::MAX - n_passed) + 2,
        });
        found
    }

    /// The position of a conditional expression for its hooks: its `?`.
    pub(super) fn place_of_choice(&self, conditional: &ConditionalExpression) -> Option<Location> {
        if self.hooks.is_empty() {
            return None;
        }
        let from = conditional.condition.span.end;
        let between = from..conditional.else_expression.span.start;
        let mark = self.source.text.get(between)?.find('?')?;
        let mut mark = self.source.location(from + mark);
        mark.file += self.files_from;
        Some(mark)
    }

    /// The values that hooks of `switch` statements are about, each once.
    pub(super) fn values_of_hooks(&self) -> BTreeSet<i128> {
        let value = |hook: &Hook| match hook.moment {
            Moment::Case(value) => value,
            _ => None,
        };
        self.hooks.iter().filter_map(value).collect()
    }

    /// Whether there are hooks at a moment and position.
    pub(super) fn has_hooks(&self, moment: Moment, at: Location) -> bool {
        self.has_goals(Goals::Branches) || !self.hooks_at(moment, at).is_empty()
    }

    /// Evaluates the hooks at a moment and position; `result` is that of a call.
    pub(super) fn evaluate_hooks(&mut self, moment: Moment, at: Location, result: Option<&Value>) {
        let own = std::mem::replace(&mut self.at, at);
        if let Moment::Branch(is_true) = moment {
            self.branch_goal(is_true);
        }
        for index in self.hooks_at(moment, at) {
            self.met.places.insert(index, at);
            let hook: &'a Hook = &self.hooks[index];
            let holds = match self.hook_holds(hook, result) {
                Ok(holds) => holds,
                Err(message) => {
                    let place = self.program.place(at);
                    let fault = || format!("the expression at {place}: {message}");
                    self.met.fault.get_or_insert_with(fault);
                    continue;
                }
            };
            match hook.purpose {
                Purpose::Hold => self.check(holds, CheckKind::Invariant),
                Purpose::Avoid(n_passed) => {
                    let (_, is_here) = self.has_passed(n_passed);
                    let both = self.program.binary(Op::And, is_here, holds);
                    let condition = self.program.not(both);
                    self.emit(Instr::Assume { condition });
                }
                Purpose::Follow(n_passed) => {
                    let (address, is_here) = self.has_passed(n_passed);
                    let both = self.program.binary(Op::And, is_here, holds);
                    let current = self.fresh(32);
                    self.emit(Instr::Load {
                        reg: current,
                        address,
                        bytes: 4,
                    });
                    let current = self.read(current);
                    let next = self.program.constant(u128::from(n_passed) + 1, 32);
                    let value = self.program.ite(both, next, current);
                    self.emit(Instr::Store {
                        address,
                        value,
                        bytes: 4,
                    });
                }
            }
        }
        self.at = own;
    }

    /// The address of the waypoint counter, and whether its value is this number, one bit.
    fn has_passed(&mut self, n_passed: u32) -> (Expr, Expr) {
        let Some(object) = self.met.n_passed else {
            unreachable!("lowering makes it where there are hooks")
        };
        let address = self.static_address(object);
        let count = self.fresh(32);
        self.emit(Instr::Load {
            reg: count,
            address,
            bytes: 4,
        });
        let (count, wanted) = (
            self.read(count),
            self.program.constant(u128::from(n_passed), 32),
        );
        (address, self.program.binary(Op::Eq, count, wanted))
    }

    /// Whether the expression of a hook holds, one bit.
    fn hook_holds(&mut self, hook: &'a Hook, result: Option<&Value>) -> Result<Expr> {
        let Some(unit) = &hook.unit else {
            return Ok(self.program.constant(1, 1));
        };
        let expression = returned(unit).ok_or("it is no expression")?;
        let (at, checks) = (self.at, self.options.checks);
        // Computations of the witness are not checked: they are not part of the program.
        self.options.checks = Checks::default();
        self.open_scope();
        let holds = self.bound_truth(expression, result);
        self.scopes.pop();
        self.options.checks = checks;
        self.at = at;
        holds
    }

    fn bound_truth(
        &mut self,
        expression: &'a Node<Expression>,
        result: Option<&Value>,
    ) -> Result<Expr> {
        if let Some(value) = result
            && !value.ty.is_void()
        {
            let width = (self.scalar_width(&value.ty)).ok_or("the result is no scalar")?;
            let reg = self.named(width, None, Some(value.ty.clone()));
            self.set(reg, value.expr);
            self.bind(RESULT, Symbol::Register(reg, value.ty.clone()));
        }
        let value = self.rvalue(expression)?;
        self.truth(&value)
    }
}
