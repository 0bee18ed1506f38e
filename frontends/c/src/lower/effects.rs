//! What the evaluation of an expression does, calls included: the sum of what the bodies of all functions
//! say that may be called.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use lang_c::ast::*;
use lang_c::span::Node;
use lang_c::visit::Visit;

use super::accesses::{
    Accesses, Acts, Body, Key, Keys, is_assignment, is_harmless, key, steps, without_locals,
};
use super::{Lowering, Symbol};
use crate::types::Type;

/// What an evaluation does.
#[derive(Clone, Default)]
pub(super) struct Effects {
    pub(super) reads: Keys,
    pub(super) writes: Keys,
    /// The writes that need not be done when the value is there.
    pub(super) pending: Keys,
    pub(super) call_reads: Keys,
    pub(super) call_writes: Keys,
}

impl Effects {
    fn add(&mut self, other: &Self) {
        self.reads.extend(other.reads.iter().cloned());
        self.writes.extend(other.writes.iter().cloned());
        self.pending.extend(other.pending.iter().cloned());
        self.call_reads.extend(other.call_reads.iter().cloned());
        self.call_writes.extend(other.call_writes.iter().cloned());
    }
}

/// What is known of a program for the order of evaluations.
#[derive(Default)]
pub(super) struct Orders {
    bodies: HashMap<String, Rc<Body>>,
    sums: HashMap<String, Rc<(Keys, Keys)>>,
    /// Whether an expression calls or writes anything, by its place in memory.
    acting: HashMap<usize, bool>,
}

impl<'a> Lowering<'a> {
    pub(super) fn acts(&mut self, expression: &'a Node<Expression>) -> bool {
        let place = std::ptr::from_ref(expression) as usize;
        if let Some(&known) = self.orders.acting.get(&place) {
            return known;
        }
        let mut visitor = Acts(false);
        visitor.visit_expression(&expression.node, &expression.span);
        self.orders.acting.insert(place, visitor.0);
        visitor.0
    }

    /// What the evaluation of an lvalue does, without the access to what it designates.
    pub(super) fn place_effects(&mut self, expression: &'a Node<Expression>) -> Effects {
        let mut effects = Effects::default();
        match &expression.node {
            Expression::Identifier(_) => {}
            Expression::Member(member) => {
                effects = match member.node.operator.node {
                    MemberOperator::Direct => self.place_effects(&member.node.expression),
                    MemberOperator::Indirect => self.effects(&member.node.expression),
                };
            }
            Expression::BinaryOperator(operation)
                if operation.node.operator.node == BinaryOperator::Index =>
            {
                effects = match &operation.node.lhs.node {
                    Expression::Identifier(name) if self.is_array(&name.node.name) => effects,
                    Expression::Member(_) => self.place_effects(&operation.node.lhs),
                    _ => self.effects(&operation.node.lhs),
                };
                effects.add(&self.effects(&operation.node.rhs));
            }
            Expression::UnaryOperator(operation)
                if operation.node.operator.node == UnaryOperator::Indirection =>
            {
                effects = self.effects(&operation.node.operand);
            }
            _ => effects = self.effects(expression),
        }
        effects
    }

    fn is_array(&self, name: &str) -> bool {
        matches!(
            self.lookup(name),
            Some(Symbol::Slot(_, Type::Array(..)) | Symbol::Static(_, Type::Array(..)))
        )
    }

    pub(super) fn effects(&mut self, expression: &'a Node<Expression>) -> Effects {
        let mut effects = Effects::default();
        match &expression.node {
            Expression::Identifier(name) => {
                let name = &name.node.name;
                if !self.is_array(name)
                    && !matches!(self.lookup(name), Some(Symbol::Function(..)) | None)
                {
                    effects.reads.insert(Key::Variable(name.clone()));
                }
            }
            Expression::Member(_) => {
                effects = self.place_effects(expression);
                effects.reads.insert(key(&expression.node));
            }
            Expression::Cast(cast) => effects = self.effects(&cast.node.expression),
            Expression::UnaryOperator(operation) => {
                let operand = &operation.node.operand;
                match &operation.node.operator.node {
                    UnaryOperator::Address => effects = self.place_effects(operand),
                    UnaryOperator::Indirection => {
                        effects = self.effects(operand);
                        effects.reads.insert(Key::Pointed);
                    }
                    operator if steps(operator) => {
                        effects = self.place_effects(operand);
                        let target = key(&operand.node);
                        effects.reads.insert(target.clone());
                        effects.pending.insert(target.clone());
                        effects.writes.insert(target);
                    }
                    _ => effects = self.effects(operand),
                }
            }
            Expression::BinaryOperator(operation) => {
                let (left, right) = (&operation.node.lhs, &operation.node.rhs);
                match &operation.node.operator.node {
                    BinaryOperator::Index => {
                        effects = self.place_effects(expression);
                        effects.reads.insert(key(&expression.node));
                    }
                    operator if is_assignment(operator) => {
                        effects = self.place_effects(left);
                        let value = self.effects(right);
                        effects.add(&value);
                        let target = key(&left.node);
                        if *operator != BinaryOperator::Assign {
                            effects.reads.insert(target.clone());
                        }
                        effects.pending.insert(target.clone());
                        effects.writes.insert(target);
                    }
                    operator => {
                        effects = self.effects(left);
                        if matches!(
                            operator,
                            BinaryOperator::LogicalAnd | BinaryOperator::LogicalOr
                        ) {
                            effects.pending.clear();
                        }
                        let second = self.effects(right);
                        effects.add(&second);
                    }
                }
            }
            Expression::Conditional(conditional) => {
                effects = self.effects(&conditional.node.condition);
                effects.pending.clear();
                for branch in [
                    &conditional.node.then_expression,
                    &conditional.node.else_expression,
                ] {
                    let own = self.effects(branch);
                    effects.add(&own);
                }
            }
            Expression::Comma(parts) => {
                for part in parts.iter() {
                    effects.pending.clear();
                    let own = self.effects(part);
                    effects.add(&own);
                }
            }
            Expression::Call(call) => {
                for argument in &call.node.arguments {
                    let own = self.effects(argument);
                    effects.add(&own);
                }
                effects.pending.clear();
                match &call.node.callee.node {
                    Expression::Identifier(name) => {
                        let is_pointer = !matches!(
                            self.lookup(&name.node.name),
                            Some(Symbol::Function(..)) | None
                        );
                        let n_arguments = call.node.arguments.len();
                        let called = if is_pointer {
                            None
                        } else {
                            Some(&*name.node.name)
                        };
                        self.add_call(&mut effects, called, n_arguments);
                    }
                    _ => {
                        let own = self.effects(&call.node.callee);
                        effects.add(&own);
                        self.add_call(&mut effects, None, 0);
                    }
                }
            }
            Expression::Statement(statement) => {
                let mut accesses = Accesses::default();
                accesses.visit_statement(&statement.node, &statement.span);
                let body = without_locals(accesses);
                effects.call_reads.extend(body.reads.iter().cloned());
                effects.call_writes.extend(body.writes.iter().cloned());
                for name in &body.calls {
                    self.add_call(&mut effects, Some(name), 0);
                }
                if body.calls_pointers {
                    self.add_call(&mut effects, None, 0);
                }
            }
            _ => {}
        }
        effects
    }

    /// Adds what a call does; of a pointer, what any function of the program does.
    fn add_call(&mut self, effects: &mut Effects, name: Option<&str>, n_arguments: usize) {
        let names: Vec<String> = match name {
            Some(name) if self.definition_of(name).is_some() => {
                vec![self.link_name(name).into_owned()]
            }
            Some(name) => {
                if n_arguments > 0 && !is_harmless(name) {
                    effects.call_reads.insert(Key::Any);
                    effects.call_writes.insert(Key::Any);
                }
                return;
            }
            None => {
                let own = self.definitions.iter().filter(|of| of.1.is_own());
                own.map(|of| of.0.clone()).collect()
            }
        };
        for name in names {
            let sum = self.sum_of(&name);
            effects.call_reads.extend(sum.0.iter().cloned());
            effects.call_writes.extend(sum.1.iter().cloned());
        }
    }

    /// What the function of a link name reads and writes, with all that it may call.
    fn sum_of(&mut self, name: &str) -> Rc<(Keys, Keys)> {
        if let Some(known) = self.orders.sums.get(name) {
            return known.clone();
        }
        let (mut reads, mut writes) = (Keys::new(), Keys::new());
        let mut seen: HashSet<String> = HashSet::from([name.to_string()]);
        let mut queue = vec![name.to_string()];
        while let Some(name) = queue.pop() {
            let Some(body) = self.body_of(&name) else {
                if !is_harmless(&name) {
                    reads.insert(Key::Any);
                    writes.insert(Key::Any);
                }
                continue;
            };
            reads.extend(body.reads.iter().cloned());
            writes.extend(body.writes.iter().cloned());
            let unit = self.definitions.get(&name).map_or(self.unit, |of| of.unit);
            let called = body.calls.iter();
            let mut called: Vec<String> = called
                .map(|name| self.link_name_in(unit, name).into_owned())
                .collect();
            if body.calls_pointers {
                let own = self.definitions.iter().filter(|of| of.1.is_own());
                called.extend(own.map(|of| of.0.clone()));
            }
            queue.extend(called.into_iter().filter(|name| seen.insert(name.clone())));
        }
        let sum = Rc::new((reads, writes));
        self.orders.sums.insert(name.to_string(), sum.clone());
        sum
    }

    fn body_of(&mut self, name: &str) -> Option<Rc<Body>> {
        if let Some(known) = self.orders.bodies.get(name) {
            return Some(known.clone());
        }
        let definition = self.definitions.get(name)?.function;
        let mut accesses = Accesses::default();
        accesses.visit_function_definition(&definition.node, &definition.span);
        let body = Rc::new(without_locals(accesses));
        self.orders.bodies.insert(name.to_string(), body.clone());
        Some(body)
    }
}
