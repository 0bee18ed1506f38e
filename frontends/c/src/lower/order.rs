//! The order of evaluation (C11 6.5p2, 6.5.2.2p10): operands that conflict, and calls that may come in
//! either order.
//!
//! Two evaluations without calls that conflict in a variable have no defined meaning; where a call is one
//! of them, both orders are possible.

use lang_c::ast::*;
use lang_c::span::Node;

use crate::ir::{BlockId, Choice, Reg};
use crate::types::Type;

use super::accesses::{Key, Keys};
use super::effects::Effects;
use super::{Lowering, Result, Symbol, Value};

/// Choices between orders within each other, at most: each doubles the code.
const MAX_OPEN_ORDERS: u32 = 3;

impl<'a> Lowering<'a> {
    /// Whether two operands between which no order is set conflict by calls, so that both orders have to
    /// be looked at. An error if they conflict without calls.
    pub(super) fn conflict(
        &mut self,
        a: &'a Node<Expression>,
        b: &'a Node<Expression>,
    ) -> Result<bool> {
        if self.is_without_code || !self.acts(a) && !self.acts(b) {
            return Ok(false);
        }
        let (a, b) = (self.effects(a), self.effects(b));
        self.conflict_of(&a, &b)
    }

    /// The same of an assignment: its left side as a place, which is also read by `op=`, and its right
    /// side.
    pub(super) fn conflict_in_assignment(
        &mut self,
        left: &'a Node<Expression>,
        right: &'a Node<Expression>,
        is_read: bool,
    ) -> Result<bool> {
        if self.is_without_code || !self.acts(left) && !self.acts(right) {
            return Ok(false);
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
        self.conflict_of(&place, &value)
    }

    fn conflict_of(&self, a: &Effects, b: &Effects) -> Result<bool> {
        for (x, y) in [(a, b), (b, a)] {
            for write in &x.writes {
                if let Key::Variable(name) | Key::Exact(name) = write
                    && (y.reads.contains(write) || y.writes.contains(write))
                {
                    return Err(format!("unsequenced accesses to `{name}`"));
                }
            }
        }
        let mut is_open = false;
        for (x, y) in [(a, b), (b, a)] {
            let others = [&y.reads, &y.writes, &y.call_reads, &y.call_writes];
            let meets = |keys: &Keys, others: &[&Keys]| {
                let mut meeting = keys
                    .iter()
                    .filter(|key| others.iter().any(|keys| self.meets(key, keys)));
                meeting.next().is_some()
            };
            is_open |= meets(&x.writes, &others) || meets(&x.call_writes, &others);
            // What is done between two calls of the other operand is not looked at.
            let writes = [&y.writes, &y.call_writes];
            let n_calls = (x.calls.iter())
                .filter(|call| meets(&call.0, &writes) || meets(&call.1, &others))
                .count();
            if n_calls > 1 {
                return Err("several calls in an operand that conflict with what another does, in an order that is open".into());
            }
        }
        Ok(is_open)
    }

    /// Chooses an order freely: code goes on in the first block, that of the usual order; the others are
    /// those of the opposite order and behind both.
    fn open_order(&mut self) -> Result<(BlockId, BlockId)> {
        if self.n_open_orders >= MAX_OPEN_ORDERS {
            return Err("so many calls within each other whose order is open".into());
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
    fn kept(&mut self, value: &Value) -> Reg {
        let width = self.program.width(value.expr);
        let reg = self.fresh(width);
        self.set(reg, value.expr);
        reg
    }

    /// Runs two pieces of code, one for each order; the value of that which is run.
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

    /// The values of expressions that are evaluated from left to right or from right to left.
    pub(super) fn in_both_orders(
        &mut self,
        expressions: &[&'a Node<Expression>],
    ) -> Result<Vec<Value>> {
        let (other, join) = self.open_order()?;
        self.n_open_orders += 1;
        let values = self.in_both_orders_within(expressions, other, join);
        self.n_open_orders -= 1;
        values
    }

    fn in_both_orders_within(
        &mut self,
        expressions: &[&'a Node<Expression>],
        other: BlockId,
        join: BlockId,
    ) -> Result<Vec<Value>> {
        let mut kept = Vec::new();
        for expression in expressions {
            let value = self.rvalue(expression)?;
            if matches!(value.ty, Type::Record(_)) {
                return Err("a record among operands whose order is open".into());
            }
            kept.push((self.kept(&value), value.ty));
        }
        self.jump(join, other);
        for (expression, (reg, _)) in expressions.iter().zip(&kept).rev() {
            let value = self.rvalue(expression)?;
            self.set(*reg, value.expr);
        }
        self.jump(join, join);
        let value = |(reg, ty): (Reg, Type)| Value {
            expr: self.read(reg),
            ty,
        };
        Ok(kept.into_iter().map(value).collect())
    }

    /// Whether the arguments of a call have to be looked at in both orders. An error if two orders are
    /// not all that there are.
    pub(super) fn arguments_conflict(&mut self, arguments: &'a [Node<Expression>]) -> Result<bool> {
        if self.is_without_code || arguments.len() < 2 || !arguments.iter().any(|it| self.acts(it))
        {
            return Ok(false);
        }
        let effects: Vec<Effects> = arguments.iter().map(|it| self.effects(it)).collect();
        let mut n_conflicts = 0;
        for (index, first) in effects.iter().enumerate() {
            for second in &effects[index + 1..] {
                n_conflicts += u32::from(self.conflict_of(first, second)?);
            }
        }
        if n_conflicts > 1 {
            return Err(
                "arguments with calls that change what others look at, in an order that is open"
                    .into(),
            );
        }
        Ok(n_conflicts == 1)
    }

    fn meets(&self, key: &Key, keys: &Keys) -> bool {
        keys.iter().any(|other| self.may_be_same(key, other))
    }

    /// Whether two accesses may be to one object.
    fn may_be_same(&self, a: &Key, b: &Key) -> bool {
        match (a, b) {
            (Key::Exact(_), _) | (_, Key::Exact(_)) => false,
            (Key::Variable(x), Key::Variable(y)) => x == y,
            (Key::Member(x), Key::Member(y)) => x == y || self.overlap(x, y),
            (Key::Variable(name), Key::Pointed | Key::Any)
            | (Key::Pointed | Key::Any, Key::Variable(name)) => self.is_variable_exposed(name),
            (Key::Member(name), Key::Pointed) | (Key::Pointed, Key::Member(name)) => {
                self.is_member_exposed(name)
            }
            (Key::Member(member), Key::Variable(name))
            | (Key::Variable(name), Key::Member(member)) => self.is_member_of(member, name),
            _ => true,
        }
    }

    /// The types of the objects that a name may mean here, and in a function that is called.
    fn meanings(&self, name: &str) -> impl Iterator<Item = &Symbol> {
        let inner = (self.scopes.iter().rev()).find_map(|scope| scope.names.get(name));
        inner.into_iter().chain(self.meanings_at_files(name))
    }

    /// Whether a pointer may lead to a variable.
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

    /// Whether pointers may lead to a member by itself: it is an array, or something takes its address.
    fn is_member_exposed(&self, name: &str) -> bool {
        let is_array = || {
            let mut fields = self.types.records.iter().flat_map(|record| &record.fields);
            fields.any(|field| {
                field.name.as_deref() == Some(name) && matches!(field.ty, Type::Array(..))
            })
        };
        self.taken.members.contains(name) || is_array()
    }
}
