//! The order of evaluation (C11 6.5p2, 6.5.2.2p10): conflicting operands, and calls in unspecified order.
//!
//! Two conflicting evaluations without calls are undefined behaviour; if one of them is a call, both orders
//! are possible.

use std::collections::BTreeSet;

use crate::ir::{BlockId, Choice, Expr, Instr, Reg};
use crate::syntax::ast::*;
use crate::syntax::span::Node;
use crate::syntax::visit::Visit;
use crate::types::Type;

use super::accesses::{Key, Keys, Unique};
use super::effects::Effects;
use super::state::Sum;
use super::{Lowering, Result, Symbol, Value};

/// The maximal nesting of choices between orders: each doubles the code.
const MAX_OPEN_ORDERS: u32 = 3;

/// The maximal nesting of operands that are tried first: each doubles the code, too.
const MAX_TRIED_ORDERS: u32 = 6;

/// The evaluation of two operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Order {
    /// From left to right: the order is irrelevant.
    Fixed,
    /// One of them only reads, at any time.
    FirstIsRead,
    SecondIsRead,
    /// In both orders.
    Either,
}

impl Order {
    /// The order of two conflicting operands, each with whether it writes or calls.
    fn of(operands: [&Node<Expression>; 2], acts: [bool; 2]) -> Result<Self> {
        Ok(match acts {
            [false, _] => Self::FirstIsRead,
            [_, false] => Self::SecondIsRead,
            _ => {
                repeatable(&operands)?;
                Self::Either
            }
        })
    }
}

/// The evaluation of the arguments of a call.
#[derive(Default)]
pub(super) struct Plan {
    /// Arguments that only read what others may write.
    read: BTreeSet<usize>,
    /// Whether the others are evaluated from left to right or from right to left.
    is_either: bool,
}

/// An error if an operand contains a construct that cannot be lowered twice.
pub(super) fn repeatable(operands: &[&Node<Expression>]) -> Result<()> {
    let mut unique = Unique(false);
    for operand in operands {
        unique.visit_expression(&operand.node, &operand.span);
    }
    if unique.0 {
        return Err("a label or a static object among operands whose order is open".into());
    }
    Ok(())
}

impl<'a> Lowering<'a> {
    /// The evaluation of two unsequenced operands. An error if they conflict without calls.
    fn conflict(&mut self, a: &'a Node<Expression>, b: &'a Node<Expression>) -> Result<Order> {
        let (acts, also_acts) = (self.acts(a), self.acts(b));
        if self.is_without_code || !acts && !also_acts {
            return Ok(Order::Fixed);
        }
        let (first, second) = (self.effects(a), self.effects(b));
        if self.conflict_of((&first, acts), (&second, also_acts))? {
            return Order::of([a, b], [acts, also_acts]);
        }
        if self.may_hide(&first, &second, b) {
            self.try_first(b)?;
        }
        Ok(Order::Fixed)
    }

    /// The values of two unsequenced operands; `None` if their order is irrelevant.
    pub(super) fn in_open_order(
        &mut self,
        a: &'a Node<Expression>,
        b: &'a Node<Expression>,
    ) -> Result<Option<(Value, Value)>> {
        Ok(Some(match self.conflict(a, b)? {
            Order::Fixed => return Ok(None),
            Order::FirstIsRead => {
                let writes = self.effects(b).writes;
                self.with_open_read(a, &writes, |lowering| lowering.rvalue(b))?
            }
            Order::SecondIsRead => {
                let writes = self.effects(a).writes;
                let run = |lowering: &mut Self| lowering.rvalue(a);
                let (second, first) = self.with_open_read(b, &writes, run)?;
                (first, second)
            }
            Order::Either => {
                let values = self.in_both_orders(&[a, b])?;
                <[Value; 2]>::try_from(values)
                    .map_err(|_| "two operands")?
                    .into()
            }
        }))
    }

    /// As `conflict`, for an assignment: its left side as an lvalue, which is also read by `op=`, and its right
    /// side.
    pub(super) fn conflict_in_assignment(
        &mut self,
        left: &'a Node<Expression>,
        right: &'a Node<Expression>,
        is_read: bool,
    ) -> Result<Order> {
        let (acts, also_acts) = (self.acts(left), self.acts(right));
        if self.is_without_code || !acts && !also_acts {
            return Ok(Order::Fixed);
        }
        let mut place = self.place_effects(left);
        let value = self.effects(right);
        let target = self.keys(left);
        for key in &target {
            if let Key::Variable(name) | Key::Exact(name) = key
                && value.pending.contains(key)
            {
                return Err(format!("unsequenced writes to `{name}`"));
            }
        }
        if is_read {
            place.reads.extend(target);
        }
        if self.conflict_of((&place, acts), (&value, also_acts))? {
            if acts && also_acts {
                self.refuse_early([left, right])?;
            }
            return Order::of([left, right], [acts, also_acts]);
        }
        if self.may_hide(&place, &value, right) {
            self.try_first(right)?;
        }
        Ok(Order::Fixed)
    }

    /// An error if an argument of one operand may be read before the other one, and its call come after it.
    fn refuse_early(&mut self, operands: [&'a Node<Expression>; 2]) -> Result<()> {
        let [a, b] = operands;
        let mut early = self.early_arguments(a, &[b])?;
        early.extend(self.early_arguments(b, &[a])?);
        if early.is_empty() {
            return Ok(());
        }
        Err("an assignment whose sides read and change what calls of the other one use".into())
    }

    /// Whether an operand may not return, which would hide an error in the later one.
    pub(super) fn may_hide(
        &self,
        first: &Effects,
        second: &Effects,
        later: &Node<Expression>,
    ) -> bool {
        let is_plain = matches!(
            later.node,
            Expression::Identifier(_) | Expression::Constant(_) | Expression::StringLiteral(_)
        );
        !is_plain && first.may_end() && (second.may_mark() || self.checks_operations())
    }

    /// Evaluates an operand before those that precede it, and ends the run: these may not return, and do not
    /// change anything that it reads.
    pub(super) fn try_first(&mut self, operand: &'a Node<Expression>) -> Result<()> {
        if self.n_tried_orders >= MAX_TRIED_ORDERS {
            return Err(format!(
                "more than {MAX_TRIED_ORDERS} calls within each other that may not return"
            ));
        }
        repeatable(&[operand])?;
        let what = "what stands later is evaluated first";
        let open = self.choose(&Type::INT, Choice::Open(what.into()))?;
        let is_tried = self.program.truth(open.expr);
        let (tried, usual) = (self.builder.block(), self.builder.block());
        self.branch(is_tried, tried, usual, tried);
        self.n_tried_orders += 1;
        let value = self.rvalue(operand);
        self.n_tried_orders -= 1;
        value?;
        let condition = self.program.constant(0, 1);
        self.emit(Instr::Assume { condition });
        self.jump(usual, usual);
        Ok(())
    }

    /// Whether the order of two operands is relevant, each with whether it writes or calls.
    pub(super) fn conflict_of(&self, a: (&Effects, bool), b: (&Effects, bool)) -> Result<bool> {
        let (is_read, (a, b)) = (!a.1 || !b.1, (a.0, b.0));
        for (x, y) in [(a, b), (b, a)] {
            for write in &x.writes {
                if let Key::Variable(name) | Key::Exact(name) = write
                    && (y.reads.contains(write) || y.writes.contains(write))
                {
                    return Err(format!("unsequenced accesses to `{name}`"));
                }
            }
        }
        let (mut is_open, mut may_hide) = (false, false);
        for (x, y) in [(a, b), (b, a)] {
            let others = [&y.reads, &y.writes, &y.call_reads, &y.call_writes];
            let meets = |keys: &Keys, others: &[&Keys]| {
                let mut meeting = keys
                    .iter()
                    .filter(|key| others.iter().any(|keys| self.meets(key, keys)));
                meeting.next().is_some()
            };
            is_open |= meets(&x.writes, &others) || meets(&x.call_writes, &others);
            // An interleaving with two calls of the other operand is not checked.
            let writes = [&y.writes, &y.call_writes];
            let conflicts =
                |call: &Sum| meets(&call.reads, &writes) || meets(&call.writes, &others);
            let (open, fixed): (Vec<&Sum>, Vec<&Sum>) = x
                .calls
                .iter()
                .map(|call| &**call)
                .partition(|call| conflicts(call));
            // An operand that only reads is also read between two calls.
            if open.len() > 1 && !is_read {
                return Err("several calls in an operand that conflict with another operand, in unspecified \
                            order".into());
            }
            // Another operand may come before a call that does not return, and after a call next to it.
            may_hide |= fixed.iter().any(|call| call.outcome.ends);
        }
        let may_mark = a.may_mark() || b.may_mark() || self.checks_operations();
        if is_open && may_hide && may_mark {
            return Err("calls that may not return beside others whose order is open".into());
        }
        // Memory that is left is detected at the end of a run.
        let is_end_checked = self.options.checks.leak && (a.may_end() || b.may_end());
        Ok(is_open || is_end_checked)
    }

    /// Chooses an order nondeterministically: code continues in the first block, that of the usual order; the
    /// returned ones are that of the opposite order and the one after both.
    fn open_order(&mut self) -> Result<(BlockId, BlockId)> {
        if self.n_open_orders >= MAX_OPEN_ORDERS {
            return Err(format!(
                "more than {MAX_OPEN_ORDERS} calls within each other whose order is open"
            ));
        }
        let what = "what stands later is evaluated first";
        let open = self.choose(&Type::INT, Choice::Open(what.into()))?;
        let is_opposite = self.program.truth(open.expr);
        let usual = self.builder.block();
        let (opposite, join) = (self.builder.block(), self.builder.block());
        self.branch(is_opposite, opposite, usual, usual);
        Ok((opposite, join))
    }

    /// A register with a value.
    pub(super) fn kept(&mut self, value: &Value) -> Reg {
        self.kept_expression(value.expr)
    }

    /// Emits two pieces of code, one for each order; returns the value of the one that is executed.
    pub(super) fn in_either_order(
        &mut self,
        usual: impl FnOnce(&mut Self) -> Result<Value>,
        opposite: impl FnOnce(&mut Self) -> Result<Value>,
    ) -> Result<Value> {
        let (other, join) = self.open_order()?;
        self.n_open_orders += 1;
        let value = usual(self);
        let value = value.and_then(|value| {
            let reg = self.kept(&value);
            self.jump(join, other);
            let second = opposite(self)?;
            self.set(reg, second.expr);
            self.jump(join, join);
            Ok(Value {
                expr: self.read(reg),
                ty: value.ty,
            })
        });
        self.n_open_orders -= 1;
        value
    }

    /// The value of an expression without effects: the earlier or the current one.
    pub(super) fn read_late(
        &mut self,
        before: &Value,
        expression: &'a Node<Expression>,
    ) -> Result<Expr> {
        let reg = self.kept(before);
        let (other, join) = self.open_order()?;
        self.jump(join, other);
        let now = self.rvalue(expression)?;
        self.set(reg, now.expr);
        self.jump(join, join);
        Ok(self.read(reg))
    }

    /// The values of expressions evaluated from left to right or from right to left.
    pub(super) fn in_both_orders(
        &mut self,
        expressions: &[&'a Node<Expression>],
    ) -> Result<Vec<Value>> {
        let (mut early, mut early_opposite) = (Vec::new(), Vec::new());
        for (at, expression) in expressions.iter().enumerate() {
            let (before, behind) = (&expressions[..at], &expressions[at + 1..]);
            early.extend(self.early_arguments(expression, before)?);
            early_opposite.extend(self.early_arguments(expression, behind)?);
        }
        let (other, join) = self.open_order()?;
        self.n_open_orders += 1;
        let early = (&early[..], &early_opposite[..]);
        let values = self.in_both_orders_within(expressions, early, other, join);
        self.n_open_orders -= 1;
        values
    }

    /// `early`: the arguments in both orders that may be read before all that stands before their calls.
    fn in_both_orders_within(
        &mut self,
        expressions: &[&'a Node<Expression>],
        early: (&[&'a Node<Expression>], &[&'a Node<Expression>]),
        other: BlockId,
        join: BlockId,
    ) -> Result<Vec<Value>> {
        let kept = self.with_early_arguments(early.0, |lowering| {
            let mut kept = Vec::new();
            for expression in expressions {
                let value = lowering.rvalue(expression)?;
                if matches!(value.ty, Type::Record(_)) {
                    return Err("a record among operands whose order is open".into());
                }
                kept.push((lowering.kept(&value), value.ty));
            }
            Ok(kept)
        })?;
        self.jump(join, other);
        self.with_early_arguments(early.1, |lowering| {
            for (expression, (reg, _)) in expressions.iter().zip(&kept).rev() {
                let value = lowering.rvalue(expression)?;
                lowering.set(*reg, value.expr);
            }
            Ok(())
        })?;
        self.jump(join, join);
        let value = |(reg, ty): (Reg, Type)| Value {
            expr: self.read(reg),
            ty,
        };
        Ok(kept.into_iter().map(value).collect())
    }

    /// The evaluation of the arguments of a call; `None` if their order is irrelevant. An error if two orders
    /// do not cover all.
    pub(super) fn arguments_conflict(
        &mut self,
        arguments: &'a [Node<Expression>],
    ) -> Result<Option<Plan>> {
        let acts: Vec<bool> = arguments.iter().map(|it| self.acts(it)).collect();
        if self.is_without_code || arguments.len() < 2 || !acts.contains(&true) {
            return Ok(None);
        }
        let effects: Vec<Effects> = arguments.iter().map(|it| self.effects(it)).collect();
        let mut plan = Plan::default();
        let mut n_conflicts = 0;
        for (at, first) in effects.iter().enumerate() {
            for (other, second) in effects.iter().enumerate().skip(at + 1) {
                if !self.conflict_of((first, acts[at]), (second, acts[other]))? {
                    continue;
                }
                match (acts[at], acts[other]) {
                    (false, _) => drop(plan.read.insert(at)),
                    (_, false) => drop(plan.read.insert(other)),
                    _ => n_conflicts += 1,
                }
            }
        }
        let is_ending = |at: &usize| effects[*at].may_end();
        let ending = (0..effects.len()).find(is_ending);
        if n_conflicts > 1 {
            return Err(
                "arguments with calls that change what others read, in unspecified order".into(),
            );
        }
        if n_conflicts == 1 {
            let may_mark = effects.iter().any(Effects::may_mark) || self.checks_operations();
            let n_acting = acts.iter().filter(|&&acts| acts).count();
            if n_acting > 2 && may_mark && ending.is_some() {
                return Err("calls that may not return beside others whose order is open".into());
            }
            repeatable(&arguments.iter().collect::<Vec<_>>())?;
            plan.is_either = true;
            return Ok(Some(plan));
        }
        if let Some(ending) = ending {
            for (at, argument) in arguments.iter().enumerate().skip(ending + 1) {
                if self.may_hide(&effects[ending], &effects[at], argument) {
                    self.try_first(argument)?;
                }
            }
        }
        Ok((!plan.read.is_empty()).then_some(plan))
    }

    /// The values of arguments: those that only read stay open while the others are evaluated.
    pub(super) fn in_planned_order(
        &mut self,
        arguments: &'a [Node<Expression>],
        plan: &Plan,
    ) -> Result<Vec<Value>> {
        let all = arguments.iter().enumerate();
        let (read, run): (Vec<_>, Vec<_>) = all.partition(|(at, _)| plan.read.contains(at));
        let [read, run] =
            [read, run].map(|some| some.into_iter().map(|it| it.1).collect::<Vec<_>>());
        let mut writes = Keys::new();
        for argument in &run {
            writes.append(&mut self.effects(argument).writes);
        }
        let (read, run) = self.with_open_reads(&read, &writes, |lowering| {
            if plan.is_either {
                return lowering.in_both_orders(&run);
            }
            run.iter()
                .map(|argument| lowering.argument_value(argument))
                .collect()
        })?;
        let (mut read, mut run) = (read.into_iter(), run.into_iter());
        let mut values = Vec::new();
        for at in 0..arguments.len() {
            let from = if plan.read.contains(&at) {
                &mut read
            } else {
                &mut run
            };
            values.push(from.next().ok_or("an argument without a value")?);
        }
        Ok(values)
    }

    /// The value of an argument; a record's is a copy.
    fn argument_value(&mut self, argument: &'a Node<Expression>) -> Result<Value> {
        let value = self.rvalue(argument)?;
        let expr = self.argument(&value)?;
        Ok(Value { expr, ty: value.ty })
    }

    /// Whether the arguments of a call may change the called function, so that the pointer to it has to be
    /// read before and after them.
    pub(super) fn callee_conflicts(
        &mut self,
        callee: &'a Node<Expression>,
        arguments: &'a [Node<Expression>],
    ) -> Result<bool> {
        if self.is_without_code || !arguments.iter().any(|it| self.acts(it)) && !self.acts(callee) {
            return Ok(false);
        }
        let own = self.effects(callee);
        let mut is_open = false;
        for argument in arguments {
            let effects = self.effects(argument);
            is_open |= self.conflict_of((&own, true), (&effects, true))?;
            if self.may_hide(&own, &effects, argument) {
                self.try_first(argument)?;
            }
        }
        if is_open && self.acts(callee) {
            return Err("a call of a function returned by a call, in unspecified order".into());
        }
        Ok(is_open)
    }

    /// An error if the arguments of a call conflict.
    pub(super) fn refuse_conflict(&mut self, arguments: &'a [Node<Expression>]) -> Result<()> {
        if self.arguments_conflict(arguments)?.is_some() {
            return Err("arguments of a library function in an order that is open".into());
        }
        Ok(())
    }

    pub(super) fn meets(&self, key: &Key, keys: &Keys) -> bool {
        keys.iter().any(|other| self.may_be_same(key, other))
    }

    /// Whether two accesses may be to one object.
    fn may_be_same(&self, a: &Key, b: &Key) -> bool {
        match (a, b) {
            (Key::Exact(_), _) | (_, Key::Exact(_)) => false,
            (Key::Variable(x), Key::Variable(y)) => x == y,
            (Key::Member(x), Key::Member(y)) => {
                x == y || self.contains(x, y) || self.contains(y, x) || self.overlap(x, y)
            }
            (Key::Variable(name), Key::Pointed | Key::Any)
            | (Key::Pointed | Key::Any, Key::Variable(name)) => self.is_variable_exposed(name),
            (Key::Member(member), Key::Variable(name))
            | (Key::Variable(name), Key::Member(member)) => self.is_member_of(member, name),
            _ => true,
        }
    }

    /// The types of the objects that a name may denote here, and in a called function.
    fn meanings(&self, name: &str) -> impl Iterator<Item = &Symbol> {
        let inner = (self.scopes.iter().rev()).find_map(|scope| scope.names.get(name));
        inner.into_iter().chain(self.meanings_at_files(name))
    }

    /// Whether a pointer may point to a variable.
    fn is_variable_exposed(&self, name: &str) -> bool {
        let is_exposed = |symbol: &Symbol| match symbol {
            Symbol::Register(_, ty) => matches!(ty, Type::Variable(..)),
            Symbol::Slot(..) => true,
            Symbol::Static(_, ty) => {
                matches!(ty, Type::Array(..) | Type::Record(_))
                    || self.taken.variables.contains(name)
            }
            _ => false,
        };
        self.taken.lasting.contains(name) || self.meanings(name).any(is_exposed)
    }

    /// Whether a variable is a record, or an array of them, with such a member.
    fn is_member_of(&self, member: &str, name: &str) -> bool {
        let has_member = |symbol: &Symbol| match symbol {
            Symbol::Register(_, ty) | Symbol::Slot(_, ty) | Symbol::Static(_, ty) => {
                self.has_member(ty, member)
            }
            _ => false,
        };
        self.taken.lasting.contains(name) || self.meanings(name).any(has_member)
    }

    fn has_member(&self, ty: &Type, member: &str) -> bool {
        match ty {
            Type::Array(element, _) => self.has_member(element, member),
            Type::Record(id) => self.types.records[*id].fields.iter().any(|field| {
                field.name.as_deref() == Some(member) || self.has_member(&field.ty, member)
            }),
            _ => false,
        }
    }

    /// Whether two members may be in one union.
    fn overlap(&self, a: &str, b: &str) -> bool {
        self.types.records.iter().any(|record| {
            let has = |member: &str| {
                record.fields.iter().any(|field| {
                    field.name.as_deref() == Some(member) || self.has_member(&field.ty, member)
                })
            };
            record.is_union && has(a) && has(b)
        })
    }

    /// Whether a member may be a record with the other one in it.
    fn contains(&self, outer: &str, inner: &str) -> bool {
        let mut fields = self.types.records.iter().flat_map(|record| &record.fields);
        fields
            .any(|field| field.name.as_deref() == Some(outer) && self.has_member(&field.ty, inner))
    }
}
