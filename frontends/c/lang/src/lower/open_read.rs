//! Operands without calls and side effects next to operands with calls that write what they read: each is
//! read before the calls, after any of them, or after all, by a nondeterministic choice (C11 6.5p2,
//! 6.5.2.2p10).

use crate::ir::{Choice, Expr, Instr, Reg};
use crate::syntax::ast::*;
use crate::syntax::span::Node;
use crate::syntax::visit::Visit;
use crate::types::Type;

use super::accesses::Keys;
use super::state::{Kept, OpenRead};
use super::{Lowering, Place, Result, Value};

/// The stored address and value of an lvalue.
pub(super) struct KeptPlace {
    pub(super) place: Place,
    pub(super) ty: Type,
    /// The old value, for an assignment that reads it.
    pub(super) old: Option<Value>,
}

/// Finds divisions, which may end the run.
struct Divides(bool);

impl<'ast> Visit<'ast> for Divides {
    fn visit_binary_operator(
        &mut self,
        operator: &'ast BinaryOperator,
        _: &'ast crate::syntax::span::Span,
    ) {
        self.0 |= matches!(operator, BinaryOperator::Divide | BinaryOperator::Modulo);
    }
}

impl<'a> Lowering<'a> {
    /// The value of an operand that neither calls nor writes, and the result of the code next to it, which
    /// itself has these writes.
    pub(super) fn with_open_read<T>(
        &mut self,
        operand: &'a Node<Expression>,
        writes: &Keys,
        run: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<(Value, T)> {
        let mut results = self.with_open_reads(&[operand], writes, run)?;
        let value = results.0.pop().ok_or("an operand without a value")?;
        Ok((value, results.1))
    }

    /// As `with_open_read`, for several operands.
    pub(super) fn with_open_reads<T>(
        &mut self,
        operands: &[&'a Node<Expression>],
        writes: &Keys,
        run: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<(Vec<Value>, T)> {
        let mut open = Vec::new();
        let mut types = Vec::new();
        for &operand in operands {
            let reads = self.effects(operand).reads;
            let value = self.rvalue(operand)?;
            let kept = match &value.ty {
                Type::Record(_) => Kept::Copy(self.argument(&value)?, value.ty.clone()),
                _ => Kept::Value(self.kept(&value)),
            };
            types.push(value.ty);
            open.push(OpenRead {
                operand,
                reads,
                kept,
            });
        }
        let n_outer = self.open_reads.len();
        self.open_reads.extend(open);
        let result = run(self);
        let open = self.open_reads.split_off(n_outer);
        let result = result?;
        for read in &open {
            self.read_again(read, Some(writes))?;
        }
        let mut values = Vec::new();
        for (open, ty) in open.into_iter().zip(types) {
            let expr = match open.kept {
                Kept::Value(reg) | Kept::Place(reg, _) => self.read(reg),
                Kept::Copy(address, _) => address,
            };
            values.push(Value { expr, ty });
        }
        Ok((values, result))
    }

    /// The address of an lvalue that neither calls nor writes, and the result of the code next to it;
    /// `is_read` reads the lvalue, too.
    pub(super) fn with_open_place<T>(
        &mut self,
        lvalue: &'a Node<Expression>,
        is_read: bool,
        writes: &Keys,
        run: impl FnOnce(&mut Self, &Type) -> Result<T>,
    ) -> Result<(KeptPlace, T)> {
        let mut reads = self.place_effects(lvalue).reads;
        let (place, ty) = self.place(lvalue)?;
        let address = match place {
            Place::Register(_) => None,
            Place::Memory(address) | Place::Bits { address, .. } => Some(address),
        };
        // A register has no address; any constant is used instead.
        let address = address.unwrap_or_else(|| self.program.constant(0, 8));
        let address = self.kept_expression(address);
        let mut old = None;
        if is_read {
            reads.extend(self.keys(lvalue));
            let value = self.load(place, &ty)?;
            let value = self.read_of(lvalue, value)?;
            if matches!(value.ty, Type::Record(_)) {
                return Err("a record among operands whose order is open".into());
            }
            old = Some((self.kept(&value), value.ty));
        }
        let kept = Kept::Place(address, old.clone());
        self.open_reads.push(OpenRead {
            operand: lvalue,
            reads,
            kept,
        });
        let result = run(self, &ty);
        let open = self.open_reads.pop();
        let result = result?;
        if let Some(read) = open {
            self.read_again(&read, Some(writes))?;
        }
        let place = self.at_address(place, address);
        let old = old.map(|(reg, ty)| Value {
            expr: self.read(reg),
            ty,
        });
        Ok((KeptPlace { place, ty, old }, result))
    }

    fn at_address(&mut self, place: Place, address: Reg) -> Place {
        match place {
            Place::Register(_) => place,
            Place::Memory(_) => Place::Memory(self.read(address)),
            Place::Bits { bits, .. } => {
                let address = self.read(address);
                Place::Bits { address, bits }
            }
        }
    }

    /// A register with the value of an expression.
    pub(super) fn kept_expression(&mut self, value: Expr) -> Reg {
        let width = self.program.width(value);
        let reg = self.fresh(width);
        self.set(reg, value);
        reg
    }

    /// After a call with these writes: each open operand may be read only now. `None`: all of them.
    pub(super) fn read_again_after(&mut self, writes: Option<&Keys>) -> Result<()> {
        if self.is_without_code {
            return Ok(());
        }
        // The operands contain no calls.
        let open = std::mem::take(&mut self.open_reads);
        let mut result = Ok(());
        for read in &open {
            if result.is_ok() {
                result = self.read_again(read, writes);
            }
        }
        self.open_reads = open;
        result
    }

    /// Reads an operand now, by a nondeterministic choice, if it was written.
    fn read_again(&mut self, read: &OpenRead<'a>, writes: Option<&Keys>) -> Result<()> {
        let is_concerned = writes.is_none_or(|writes| {
            let mut keys = writes.iter();
            keys.any(|key| self.meets(key, &read.reads))
        });
        if is_concerned && !self.is_without_code {
            return self.may_read_again(read);
        }
        Ok(())
    }

    fn is_late(&mut self) -> Result<Expr> {
        let what = "an operand is read after this call";
        let open = self.choose(&Type::INT, Choice::Open(what.into()))?;
        Ok(self.program.truth(open.expr))
    }

    fn may_read_again(&mut self, read: &OpenRead<'a>) -> Result<()> {
        let at = self.at;
        let is_late = self.is_late()?;
        let mut divides = Divides(false);
        divides.visit_expression(&read.operand.node, &read.operand.span);
        let result = if divides.0 || matches!(read.kept, Kept::Copy(..)) {
            let (late, join) = (self.builder.block(), self.builder.block());
            self.branch(is_late, late, join, late);
            let always = self.program.constant(1, 1);
            let result = self.read_now(read, always);
            self.jump(join, join);
            result
        } else {
            self.read_now(read, is_late)
        };
        self.at = at;
        result
    }

    /// Replaces the value that was read, if the condition holds.
    fn read_now(&mut self, read: &OpenRead<'a>, is_late: Expr) -> Result<()> {
        match &read.kept {
            Kept::Value(reg) => {
                let now = self.rvalue(read.operand)?;
                self.replace(*reg, is_late, now.expr);
            }
            Kept::Copy(address, ty) => {
                let now = self.rvalue(read.operand)?;
                self.copy(*address, now.expr, ty)?;
            }
            Kept::Place(address, old) => {
                let (place, ty) = self.place(read.operand)?;
                if let Place::Memory(now) | Place::Bits { address: now, .. } = place {
                    self.replace(*address, is_late, now);
                }
                if let Some((reg, _)) = old {
                    let place = self.at_address(place, *address);
                    let value = self.load(place, &ty)?;
                    let value = self.read_of(read.operand, value)?;
                    // The address may be the old one, and the value the current one.
                    let is_read_late = self.is_late()?;
                    let always = self.program.constant(1, 1);
                    let is_late = self.program.ite(is_late, always, is_read_late);
                    self.replace(*reg, is_late, value.expr);
                }
            }
        }
        Ok(())
    }

    fn replace(&mut self, reg: Reg, condition: Expr, value: Expr) {
        let before = self.read(reg);
        let value = self.program.ite(condition, value, before);
        self.emit(Instr::Set { reg, value });
    }
}
