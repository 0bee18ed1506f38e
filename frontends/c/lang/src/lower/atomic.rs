//! Models of atomic operations (gcc's `__atomic_*` and `__sync_*`, which implement `<stdatomic.h>`). There is
//! one thread, so they are plain loads and stores.

use craig_word::Op;

use super::builtin::argument;
use super::function_model::NamedCall;
use super::{Lowering, Place, Result, Value};
use crate::ir::{Choice, Expr, Instr};
use crate::syntax::ast::*;
use crate::types::{IntType, Type};

/// The new value computed from the old value and the operand.
pub(super) enum AtomicChange {
    By(BinaryOperator),
    /// The complement of the conjunction.
    Nand,
}

/// The result of an operation.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum AtomicResult {
    Old,
    New,
    /// Whether the value was replaced.
    Swapped,
}

impl<'a> Lowering<'a> {
    /// Runs this without checks of overflow if it is about an atomic object, whose sums wrap around (C11 7.17.7.5p3).
    pub(super) fn wrapping<T>(&mut self, wraps: bool, run: impl FnOnce(&mut Self) -> T) -> T {
        let checks = self.options.checks;
        if wraps {
            self.options.checks.overflow = false;
            self.options.checks.unsigned_overflow = false;
        }
        let result = run(self);
        self.options.checks = checks;
        result
    }

    /// The arguments, and the type that the first one points to.
    fn atomic_operands(&mut self, call: &NamedCall<'a, '_>) -> Result<(Vec<Value>, Type)> {
        argument(call.arguments, 0)?;
        let values = self.evaluate_all(call.arguments)?;
        let ty = pointed_to(&values, 0)?;
        Ok((values, ty))
    }

    /// A pointer plus or minus a number of bytes: gcc does not count elements there.
    fn moved_by_bytes(
        &mut self,
        pointer: &Value,
        by: &Value,
        change: &AtomicChange,
    ) -> Result<Value> {
        use BinaryOperator as B;
        let AtomicChange::By(op @ (B::Plus | B::Minus)) = change else {
            return Err("an atomic operation on bits of a pointer".into());
        };
        let bytes = Value {
            expr: pointer.expr,
            ty: Type::Int(IntType::CHAR).pointer_to(),
        };
        self.notes_moved(&bytes.ty);
        let moved = self.move_pointer(&bytes, by, matches!(op, B::Minus))?;
        self.cast(moved, &pointer.ty)
    }

    /// As `atomic_operands`, of something that may be a record.
    fn object_operands(&mut self, call: &NamedCall<'a, '_>) -> Result<(Vec<Value>, Type)> {
        argument(call.arguments, 0)?;
        let values = self.evaluate_all(call.arguments)?;
        let ty = object_at(&values, 0)?;
        Ok((values, ty))
    }

    fn bool_of_bit(&mut self, bit: Expr) -> Value {
        let expr = self.program.resize(bit, 8, false);
        let ty = Type::Int(IntType::BOOL);
        Value { expr, ty }
    }

    pub(super) fn atomic_load_value(&mut self, call: &NamedCall<'a, '_>) -> Result<Option<Value>> {
        let (values, ty) = self.atomic_operands(call)?;
        self.load(Place::Memory(values[0].expr), &ty).map(Some)
    }

    pub(super) fn atomic_load(&mut self, call: &NamedCall<'a, '_>) -> Result<Option<Value>> {
        let (values, ty) = self.object_operands(call)?;
        let old = self.load(Place::Memory(values[0].expr), &ty)?;
        self.put(&values, 1, old)?;
        Ok(Some(self.void()))
    }

    pub(super) fn atomic_store_value(&mut self, call: &NamedCall<'a, '_>) -> Result<Option<Value>> {
        let (values, _) = self.atomic_operands(call)?;
        self.put(&values, 0, operand(&values, 1)?)?;
        Ok(Some(self.void()))
    }

    pub(super) fn atomic_store(&mut self, call: &NamedCall<'a, '_>) -> Result<Option<Value>> {
        let (values, _) = self.object_operands(call)?;
        let new = self.get(&values, 1)?;
        self.put(&values, 0, new)?;
        Ok(Some(self.void()))
    }

    pub(super) fn atomic_exchange_value(
        &mut self,
        call: &NamedCall<'a, '_>,
    ) -> Result<Option<Value>> {
        let (values, ty) = self.atomic_operands(call)?;
        let old = self.load(Place::Memory(values[0].expr), &ty)?;
        self.put(&values, 0, operand(&values, 1)?)?;
        Ok(Some(old))
    }

    pub(super) fn atomic_exchange(&mut self, call: &NamedCall<'a, '_>) -> Result<Option<Value>> {
        let (values, ty) = self.object_operands(call)?;
        let new = self.get(&values, 1)?;
        let mut old = self.load(Place::Memory(values[0].expr), &ty)?;
        if matches!(ty, Type::Record(_)) {
            old.expr = self.temporary(old.expr, &ty)?;
        }
        self.put(&values, 0, new)?;
        self.put(&values, 2, old)?;
        Ok(Some(self.void()))
    }

    pub(super) fn atomic_release(&mut self, call: &NamedCall<'a, '_>) -> Result<Option<Value>> {
        let (values, _) = self.atomic_operands(call)?;
        let zero = self.int(0);
        self.put(&values, 0, zero)?;
        Ok(Some(self.void()))
    }

    /// A flag is a byte, whatever the type of the pointer.
    pub(super) fn atomic_test_and_set(
        &mut self,
        call: &NamedCall<'a, '_>,
    ) -> Result<Option<Value>> {
        argument(call.arguments, 0)?;
        let values = self.evaluate_all(call.arguments)?;
        let (place, flag) = (Place::Memory(values[0].expr), Type::Int(IntType::UCHAR));
        let old = self.load(place, &flag)?;
        let one = self.program.constant(1, 8);
        self.store(place, &flag, one)?;
        let was_set = self.truth(&old)?;
        Ok(Some(self.bool_of_bit(was_set)))
    }

    /// A flag is a byte, whatever the type of the pointer.
    pub(super) fn atomic_clear(&mut self, call: &NamedCall<'a, '_>) -> Result<Option<Value>> {
        argument(call.arguments, 0)?;
        let values = self.evaluate_all(call.arguments)?;
        let zero = self.program.constant(0, 8);
        let flag = Type::Int(IntType::UCHAR);
        self.store(Place::Memory(values[0].expr), &flag, zero)?;
        Ok(Some(self.void()))
    }

    /// `has_value`: whether the new value is an argument itself; otherwise an argument points to it.
    pub(super) fn atomic_compare_exchange(
        &mut self,
        call: &NamedCall<'a, '_>,
        has_value: bool,
    ) -> Result<Option<Value>> {
        let (values, ty) = self.object_operands(call)?;
        if matches!(ty, Type::Record(_)) {
            return self.exchange_records(&values, &ty).map(Some);
        }
        let wanted = self.get(&values, 1)?;
        let new = if has_value {
            operand(&values, 2)?
        } else {
            self.get(&values, 2)?
        };
        let may_succeed = self.may_succeed(&values)?;
        let (old, is_same) = self.compare_and_swap(&values, wanted, new, may_succeed)?;
        // The old value is stored at the pointer to the expected one.
        let expected = self.get(&values, 1)?;
        let kept = self.program.ite(is_same, expected.expr, old.expr);
        self.put(&values, 1, Value { expr: kept, ty })?;
        Ok(Some(self.bool_of_bit(is_same)))
    }

    pub(super) fn atomic_compare_and_swap(
        &mut self,
        call: &NamedCall<'a, '_>,
        result: AtomicResult,
    ) -> Result<Option<Value>> {
        let (values, _) = self.atomic_operands(call)?;
        let (wanted, new) = (operand(&values, 1)?, operand(&values, 2)?);
        let always = self.program.constant(1, 1);
        let (old, is_same) = self.compare_and_swap(&values, wanted, new, always)?;
        Ok(Some(if result == AtomicResult::Swapped {
            self.bool_of_bit(is_same)
        } else {
            old
        }))
    }

    pub(super) fn atomic_change(
        &mut self,
        call: &NamedCall<'a, '_>,
        change: &AtomicChange,
        result: AtomicResult,
    ) -> Result<Option<Value>> {
        let (values, ty) = self.atomic_operands(call)?;
        let place = Place::Memory(values[0].expr);
        let old = self.load(place, &ty)?;
        let by = operand(&values, 1)?;
        if matches!(ty, Type::Pointer(_)) {
            let new = self.moved_by_bytes(&old, &by, change)?;
            self.store(place, &ty, new.expr)?;
            return Ok(Some(if result == AtomicResult::Old {
                old
            } else {
                new
            }));
        }
        if !matches!(ty, Type::Int(_)) {
            return Err("an atomic operation on something that is no integer".into());
        }
        let op = match change {
            AtomicChange::By(op) => op,
            AtomicChange::Nand => &BinaryOperator::BitwiseAnd,
        };
        let (a, b, _) = self.balance(old.clone(), by)?;
        let mut new = self.wrapping(true, |lowering| lowering.arithmetic(op, &a, &b))?;
        if matches!(change, AtomicChange::Nand) {
            new.expr = self.program.not(new.expr);
        }
        let new = self.cast(new, &ty)?;
        self.store(place, &ty, new.expr)?;
        Ok(Some(if result == AtomicResult::Old {
            old
        } else {
            new
        }))
    }

    /// Replaces a record by the third one if its bytes are those of the second one, and else the second one by it.
    fn exchange_records(&mut self, values: &[Value], ty: &Type) -> Result<Value> {
        for index in [1, 2] {
            if !self.types.is_same(&object_at(values, index)?, ty) {
                return Err("an atomic operation on records of different types".into());
            }
        }
        let cells = (self.types.cells(ty, 1 << 8)).ok_or("an exchange of so large a record")?;
        let mut is_same = self.may_succeed(values)?;
        let mut words = Vec::new();
        for (offset, bytes) in cells {
            let mut of = Vec::new();
            for value in &values[..3] {
                let address = self.offset(value.expr, offset);
                self.check_access(address, bytes);
                let reg = self.fresh(8 * bytes);
                self.emit(Instr::Load {
                    reg,
                    address,
                    bytes,
                });
                of.push(self.read(reg));
            }
            let equal = self.program.binary(Op::Eq, of[0], of[1]);
            is_same = self.program.binary(Op::And, is_same, equal);
            words.push((offset, bytes, of));
        }
        for (offset, bytes, of) in words {
            let kept = self.program.ite(is_same, of[2], of[0]);
            let expected = self.program.ite(is_same, of[1], of[0]);
            for (index, value) in [(0, kept), (1, expected)] {
                let address = self.offset(values[index].expr, offset);
                self.check_write(address, bytes);
                self.emit(Instr::Store {
                    address,
                    value,
                    bytes,
                });
            }
        }
        Ok(self.bool_of_bit(is_same))
    }

    /// Loads through the pointer among the arguments.
    fn get(&mut self, values: &[Value], index: usize) -> Result<Value> {
        let ty = object_at(values, index)?;
        self.load(Place::Memory(values[index].expr), &ty)
    }

    /// Stores through the pointer among the arguments.
    fn put(&mut self, values: &[Value], index: usize, new: Value) -> Result<()> {
        let ty = object_at(values, index)?;
        let new = self.cast(new, &ty)?;
        self.store(Place::Memory(values[index].expr), &ty, new.expr)?;
        Ok(())
    }

    /// Whether an exchange is made if it can be, one bit: a weak one may fail at any time (C11 7.17.7.4p3). In CBMC's dialect, none
    /// fails.
    fn may_succeed(&mut self, values: &[Value]) -> Result<Expr> {
        let weak = operand(values, 3)?;
        if self.program.constant_value(weak.expr) == Some(0) || self.options.cbmc.is_dialect() {
            return Ok(self.program.constant(1, 1));
        }
        let what = Choice::Open("a weak exchange fails".into());
        let fails = self.choose(&Type::INT, what)?;
        let (weak, fails) = (self.truth(&weak)?, self.truth(&fails)?);
        let fails = self.program.binary(Op::And, weak, fails);
        Ok(self.program.not(fails))
    }

    /// Stores the new value through the first argument, if it holds the expected one. Returns the old value,
    /// and whether it was the expected one.
    fn compare_and_swap(
        &mut self,
        values: &[Value],
        wanted: Value,
        new: Value,
        may_succeed: Expr,
    ) -> Result<(Value, Expr)> {
        let ty = pointed_to(values, 0)?;
        let place = Place::Memory(values[0].expr);
        let old = self.load(place, &ty)?;
        let (wanted, new) = (self.cast(wanted, &ty)?, self.cast(new, &ty)?);
        // The comparison is bitwise, also for floats.
        let is_same = self.program.binary(Op::Eq, old.expr, wanted.expr);
        let is_same = self.program.binary(Op::And, is_same, may_succeed);
        let kept = self.program.ite(is_same, new.expr, old.expr);
        self.store(place, &ty, kept)?;
        Ok((old, is_same))
    }
}

fn operand(values: &[Value], index: usize) -> Result<Value> {
    let missing = || format!("an atomic operation without its argument {}", index + 1);
    values.get(index).cloned().ok_or_else(missing)
}

/// The type that a pointer among the arguments points to: of a scalar or a record.
fn object_at(values: &[Value], index: usize) -> Result<Type> {
    match operand(values, index)?.ty {
        Type::Pointer(to) if matches!(*to, Type::Record(_)) => Ok((*to).clone()),
        _ => pointed_to(values, index),
    }
}

/// The scalar type that a pointer among the arguments points to.
fn pointed_to(values: &[Value], index: usize) -> Result<Type> {
    match operand(values, index)?.ty {
        Type::Pointer(to) if to.is_scalar() || to.is_void() => Ok((*to).clone()),
        _ => Err("an atomic operation on something that is no scalar".into()),
    }
}
