//! The order of evaluation (C11 6.5p2, 6.5.2.2p10): operands that conflict, and calls that may come in
//! either order.
//!
//! Two evaluations without calls that conflict in a variable have no defined meaning; where a call is one
//! of them, both orders are possible.

use lang_c::ast::*;
use lang_c::span::Node;

use crate::ir::{BlockId, Choice, Reg};
use crate::types::Type;

use super::accesses::{Key, Keys, key};
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
        let target = key(&left.node);
        if let Key::Variable(name) = &target
            && value.pending.contains(&target)
        {
            return Err(format!("unsequenced writes to `{name}`"));
        }
        if is_read {
            place.reads.insert(target);
        }
        self.conflict_of(&place, &value)
    }

    fn conflict_of(&mut self, a: &Effects, b: &Effects) -> Result<bool> {
        for (x, y) in [(a, b), (b, a)] {
            for write in &x.writes {
                if let Key::Variable(name) = write
                    && (y.reads.contains(write) || y.writes.contains(write))
                {
                    return Err(format!("unsequenced accesses to `{name}`"));
                }
            }
        }
        for (x, y) in [(a, b), (b, a)] {
            let others = [&y.reads, &y.writes, &y.call_reads, &y.call_writes];
            for write in &x.call_writes {
                if others.iter().any(|keys| self.meets(write, keys)) {
                    return Ok(true);
                }
            }
            for write in &x.writes {
                if [&y.call_reads, &y.call_writes]
                    .iter()
                    .any(|keys| self.meets(write, keys))
                {
                    return Ok(true);
                }
            }
        }
        Ok(false)
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
            (Key::Variable(x), Key::Variable(y)) | (Key::Member(x), Key::Member(y)) => x == y,
            (Key::Variable(name), Key::Pointed | Key::Any)
            | (Key::Pointed | Key::Any, Key::Variable(name)) => match self.lookup(name) {
                Some(Symbol::Register(_, ty)) => matches!(ty, Type::Variable(..)),
                Some(Symbol::Slot(..)) => true,
                Some(Symbol::Static(_, ty)) => {
                    matches!(ty, Type::Array(..)) || self.taken.variables.contains(name)
                }
                _ => false,
            },
            (Key::Member(name), Key::Pointed) | (Key::Pointed, Key::Member(name)) => {
                self.is_member_exposed(name)
            }
            (Key::Member(_), Key::Variable(_)) | (Key::Variable(_), Key::Member(_)) => false,
            _ => true,
        }
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
