//! The effects of the evaluation of an expression, calls included: the union of the accesses in the bodies of
//! all functions that may be called.

use std::collections::HashMap;
use std::rc::Rc;

use super::accesses::{Accesses, Acts, Body, Key, Keys, is_assignment, key, steps};
use super::bodiless::{is_harmless, only_reads, takes_numbers_undeclared};
use super::format::may_store_lengths;
use super::function_table::row_of;
use super::returning::has_circle;
use super::state::{Outcome, Sum};
use super::unit::{LIBRARY_UNIT, source_name};
use super::{Lowering, Symbol, UnknownCalls};
use crate::syntax::ast::*;
use crate::syntax::span::Node;
use crate::syntax::visit::Visit;
use crate::types::Type;

/// The effects of an evaluation.
#[derive(Clone, Default)]
pub(super) struct Effects {
    pub(super) reads: Keys,
    pub(super) writes: Keys,
    /// The writes that may be unfinished when the value is available.
    pub(super) pending: Keys,
    pub(super) call_reads: Keys,
    pub(super) call_writes: Keys,
    /// The effects of each call itself.
    pub(super) calls: Vec<Rc<Sum>>,
}

impl Effects {
    pub(super) fn add(&mut self, other: &Self) {
        self.reads.extend(other.reads.iter().cloned());
        self.writes.extend(other.writes.iter().cloned());
        self.pending.extend(other.pending.iter().cloned());
        self.call_reads.extend(other.call_reads.iter().cloned());
        self.call_writes.extend(other.call_writes.iter().cloned());
        self.calls.extend(other.calls.iter().cloned());
    }

    fn call(&mut self, sum: Rc<Sum>) {
        self.call_reads.extend(sum.reads.iter().cloned());
        self.call_writes.extend(sum.writes.iter().cloned());
        self.calls.push(sum);
    }

    /// Whether a call may not return, on a path without an error.
    pub(super) fn may_end(&self) -> bool {
        self.calls.iter().any(|call| call.outcome.ends)
    }

    /// Whether a call may reach an error.
    pub(super) fn may_mark(&self) -> bool {
        self.calls.iter().any(|call| call.outcome.marks)
    }
}

/// The name for the target of a function pointer.
const ANY_FUNCTION: &str = "*";

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

    /// The effects of the evaluation of an lvalue, without the access to the designated object.
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
                effects.reads.extend(self.keys(expression));
            }
            Expression::Cast(cast) => {
                effects = self.effects(&cast.node.expression);
                // The sizes of a type with variable length are evaluated.
                let mut accesses = Accesses::new();
                let name = &cast.node.type_name;
                accesses.visit_type_name(&name.node, &name.span);
                let body = accesses.body;
                if !body.calls.is_empty() || body.calls_pointers || !body.writes.is_empty() {
                    let sum = self.sum_from(body);
                    effects.call(sum);
                }
            }
            Expression::UnaryOperator(operation) => {
                effects = self.unary_effects(expression, &operation.node);
            }
            Expression::BinaryOperator(operation) => {
                effects = self.binary_effects(expression, &operation.node);
            }
            Expression::Conditional(conditional) => {
                effects = self.effects(&conditional.node.condition);
                effects.pending.clear();
                let branches = conditional.node.then_expression.iter();
                for branch in branches.chain([&conditional.node.else_expression]) {
                    let own = self.effects(branch);
                    effects.add(&own);
                }
            }
            Expression::Comma(parts) => {
                for part in parts {
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
                self.add_callee(&mut effects, &call.node);
            }
            Expression::VaArg(argument) => {
                let list = &argument.node.va_list;
                effects = self.place_effects(list);
                let keys: Keys = self.keys(list).into_iter().collect();
                effects.call(Rc::new(Sum {
                    reads: keys.clone(),
                    writes: keys,
                    ..Sum::default()
                }));
            }
            // Sizes and offsets are evaluated unless they are constant.
            Expression::Statement(_)
            | Expression::CompoundLiteral(_)
            | Expression::GenericSelection(_)
            | Expression::SizeOfTy(_)
            | Expression::SizeOfVal(_)
            | Expression::OffsetOf(_) => self.add_body(&mut effects, expression),
            _ => {}
        }
        effects
    }

    fn unary_effects(
        &mut self,
        expression: &'a Node<Expression>,
        operation: &'a UnaryOperatorExpression,
    ) -> Effects {
        let operand = &operation.operand;
        match &operation.operator.node {
            UnaryOperator::Address => self.place_effects(operand),
            UnaryOperator::Indirection => {
                let mut effects = self.effects(operand);
                effects.reads.extend(self.keys(expression));
                effects
            }
            operator if steps(operator) => {
                let mut effects = self.place_effects(operand);
                let target = self.keys(operand);
                effects.reads.extend(target.iter().cloned());
                effects.pending.extend(target.iter().cloned());
                effects.writes.extend(target);
                effects
            }
            _ => self.effects(operand),
        }
    }

    fn binary_effects(
        &mut self,
        expression: &'a Node<Expression>,
        operation: &'a BinaryOperatorExpression,
    ) -> Effects {
        let (left, right) = (&operation.lhs, &operation.rhs);
        match &operation.operator.node {
            BinaryOperator::Index => {
                let mut effects = self.place_effects(expression);
                effects.reads.extend(self.keys(expression));
                effects
            }
            operator if is_assignment(operator) => {
                let mut effects = self.place_effects(left);
                let value = self.effects(right);
                effects.add(&value);
                let target = self.keys(left);
                if *operator != BinaryOperator::Assign {
                    effects.reads.extend(target.iter().cloned());
                }
                effects.pending.extend(target.iter().cloned());
                effects.writes.extend(target);
                effects
            }
            operator => {
                let mut effects = self.effects(left);
                if matches!(
                    operator,
                    BinaryOperator::LogicalAnd
                        | BinaryOperator::LogicalOr
                        | BinaryOperator::Implies
                ) {
                    effects.pending.clear();
                }
                let second = self.effects(right);
                effects.add(&second);
                effects
            }
        }
    }

    /// Adds the effects of all that is accessed in an expression, as those of a call.
    fn add_body(&mut self, effects: &mut Effects, expression: &'a Node<Expression>) {
        let mut accesses = Accesses::new();
        accesses.visit_expression(&expression.node, &expression.span);
        let mut body = accesses.body;
        // A name may be that of a pointer among the variables of the enclosing function.
        body.calls_pointers |= body
            .calls
            .iter()
            .any(|name| !matches!(self.lookup(name), Some(Symbol::Function(..)) | None));
        let sum = self.sum_from(body);
        effects.call(sum);
    }

    /// Adds the effects of the called function, and of the evaluation of the pointer to it.
    fn add_callee(&mut self, effects: &mut Effects, call: &'a CallExpression) {
        let Expression::Identifier(name) = &call.callee.node else {
            let own = self.effects(&call.callee);
            effects.add(&own);
            return self.add_call(effects, None, false);
        };
        let name = &*name.node.name;
        if !matches!(self.lookup(name), Some(Symbol::Function(..)) | None) {
            effects.reads.insert(Key::Variable(name.to_string()));
            return self.add_call(effects, None, false);
        }
        let stores_lengths = may_store_lengths(name, &call.arguments);
        self.add_call(effects, Some(name), stores_lengths);
    }

    /// The writes of the called function.
    pub(super) fn writes_of_call(&mut self, call: &'a CallExpression) -> Keys {
        let mut effects = Effects::default();
        self.add_callee(&mut effects, call);
        effects.call_writes
    }

    /// Whether a function of this name, or one that it calls, writes what is not its own.
    pub(super) fn changes_something(&mut self, name: &str) -> bool {
        let mut effects = Effects::default();
        self.add_call(&mut effects, Some(name), false);
        !effects.call_writes.is_empty()
    }

    /// The targets of an access to an lvalue; a part of an object also by its spelling.
    pub(super) fn keys(&self, lvalue: &Node<Expression>) -> Vec<Key> {
        let key = key(&lvalue.node);
        if matches!(key, Key::Variable(_)) {
            return vec![key];
        }
        let text = (self.source.text).get(lvalue.span.start..lvalue.span.end);
        let text = text.unwrap_or_default().split_whitespace().collect();
        vec![key, Key::Exact(text)]
    }

    /// Adds the effects of a call, which may also store lengths anywhere; of one through a pointer, those of
    /// any function of the program.
    fn add_call(&mut self, effects: &mut Effects, name: Option<&str>, stores_lengths: bool) {
        let mut body = Body::default();
        match name {
            Some(name) => drop(body.calls.insert(name.to_string())),
            None => body.calls_pointers = true,
        }
        if stores_lengths {
            body.writes.insert(Key::Any);
        }
        let sum = match name {
            Some(name) if !stores_lengths => self.sum_of(&self.link_name(name), body),
            _ => self.sum_from(body),
        };
        let is_idle = sum.reads.is_empty() && sum.writes.is_empty();
        if !is_idle || sum.outcome != Outcome::default() {
            effects.call(sum);
        }
    }

    /// The reads and writes of the function with a link name, and of all functions that it may call; `call`
    /// calls it from the current unit.
    fn sum_of(&mut self, link: &str, call: Body) -> Rc<Sum> {
        if let Some(known) = self.orders.sums.get(link) {
            return known.clone();
        }
        let sum = self.sum_from(call);
        self.orders.sums.insert(link.to_string(), sum.clone());
        sum
    }

    /// The reads and writes of code of the current unit, and of all functions that it may call.
    fn sum_from(&mut self, body: Body) -> Rc<Sum> {
        let mut sum = Sum::default();
        // Link names, each with those that it may call.
        let mut called: HashMap<String, Vec<String>> = HashMap::new();
        let mut queue: Vec<String> = Vec::new();
        let mut next = Some((self.unit, String::new(), Rc::new(body)));
        while let Some((unit, caller, body)) = next {
            sum.reads.extend(body.reads.iter().cloned());
            sum.writes.extend(body.writes.iter().cloned());
            sum.outcome
                .add(self.outcome_of_body(&body, unit != LIBRARY_UNIT));
            let mut links = Vec::new();
            let mut calls_pointers = body.calls_pointers;
            for name in &body.calls {
                if self.is_variable(unit, name) {
                    calls_pointers = true;
                    continue;
                }
                // The end of a run calls the registered handlers, and the functions that run last.
                calls_pointers |= self.calls_atexit && matches!(&**name, "exit" | "quick_exit");
                if &**name == "exit" {
                    links.extend(self.destructors.iter().map(|last| last.link.clone()));
                }
                links.push(self.link_name_in(unit, name).into_owned());
            }
            if calls_pointers {
                links.push(ANY_FUNCTION.into());
            }
            let new = links.iter().filter(|link| !called.contains_key(*link));
            queue.extend(new.cloned());
            called.insert(caller, links);
            next = None;
            while let Some(link) = queue.pop() {
                if called.contains_key(&link) {
                    continue;
                }
                if link == ANY_FUNCTION {
                    let own = self.definitions.iter().filter(|of| of.1.is_own());
                    let mut links: Vec<String> = own.map(|of| of.0.clone()).collect();
                    links.extend(self.others_that_pointers_lead_to());
                    queue.extend(links.iter().cloned());
                    called.insert(link, links);
                    continue;
                }
                let known = self.outcome_of_name(source_name(&link));
                if let Some(known) = known {
                    sum.outcome.add(known);
                }
                // An assertion has no other effect than the error.
                let is_mark = known.is_some_and(|known| known.marks);
                let body = self.body_of(&link).filter(|_| !is_mark);
                if let Some((unit, body)) = body {
                    next = Some((unit, link, body));
                    break;
                }
                called.insert(link.clone(), Vec::new());
                let name = source_name(&link);
                if is_mark || !self.takes_memory(name) {
                    continue;
                }
                sum.reads.insert(Key::Any);
                if !only_reads(name) {
                    sum.writes.insert(Key::Any);
                }
            }
        }
        sum.outcome.ends |= has_circle(&called);
        Rc::new(sum)
    }

    /// The link names of functions whose address the program may take, and which need not be defined in it.
    fn others_that_pointers_lead_to(&self) -> Vec<String> {
        let is_function = |symbol: &Symbol| matches!(symbol, Symbol::Function(..));
        let functions = self.taken.named.iter();
        let functions = functions.filter(|name| {
            self.taken.inner_functions.contains(*name)
                || self.meanings_at_files(name).any(is_function)
        });
        functions.cloned().collect()
    }

    /// Whether a name is that of an object at file scope of a unit.
    fn is_variable(&self, unit: usize, name: &str) -> bool {
        let symbol = self.file_scope(unit).names.get(name);
        !matches!(symbol, Some(Symbol::Function(..)) | None)
    }

    /// Whether a function without body may be passed an address.
    fn takes_memory(&self, name: &str) -> bool {
        let gives_values = name.contains("nondet_");
        if is_harmless(name) && !gives_values
            || self.options.unknown_calls == UnknownCalls::Pure && row_of(name).is_none()
        {
            return false;
        }
        let takes_numbers = |symbol: &Symbol| match symbol {
            Symbol::Function(_, ty) => {
                let is_number = |ty: &Type| matches!(ty, Type::Int(_) | Type::Float(_));
                ty.prototype && !ty.variadic && ty.params.iter().all(is_number)
            }
            _ => false,
        };
        // All units that declare it count.
        let mut declared = self.meanings_at_files(name).peekable();
        match declared.peek() {
            None => !takes_numbers_undeclared(name) && !gives_values,
            Some(_) => !declared.all(takes_numbers),
        }
    }

    /// The unit and the body of the function of a link name.
    fn body_of(&mut self, link: &str) -> Option<(usize, Rc<Body>)> {
        let definition = *self.definitions.get(link)?;
        if let Some(known) = self.orders.bodies.get(link) {
            return Some((definition.unit, known.clone()));
        }
        let function = definition.function;
        let mut accesses = Accesses::new();
        accesses.visit_function_definition(&function.node, &function.span);
        let body = Rc::new(accesses.body);
        self.orders.bodies.insert(link.to_string(), body.clone());
        Some((definition.unit, body))
    }
}
