//! Operations that are atomic (gcc's `__atomic_*` and `__sync_*`, which `<stdatomic.h>` is made of). There is one
//! thread, so that they are what they do.

use lang_c::ast::*;
use lang_c::span::Node;

use crate::types::{IntType, Type};

use super::builtin::argument;
use super::{Lowering, Place, Result, Value};

/// What an operation makes of the old value and its operand.
enum Change {
    By(BinaryOperator),
    /// The complement of the conjunction.
    Nand,
}

/// The change that a name such as `fetch_add` or `sub_and_fetch` means, and whether the old value is the result.
fn change(name: &str) -> Option<(Change, bool)> {
    let (word, is_old) = match name.strip_prefix("fetch_") {
        Some(word) => (word.strip_prefix("and_").unwrap_or(word), true),
        None => {
            let word = name.strip_suffix("_fetch")?;
            (word.strip_suffix("_and").unwrap_or(word), false)
        }
    };
    // `fetch_and` itself is a conjunction.
    let change = match word {
        "add" => Change::By(BinaryOperator::Plus),
        "sub" => Change::By(BinaryOperator::Minus),
        "and" => Change::By(BinaryOperator::BitwiseAnd),
        "or" => Change::By(BinaryOperator::BitwiseOr),
        "xor" => Change::By(BinaryOperator::BitwiseXor),
        "nand" => Change::Nand,
        _ => return None,
    };
    Some((change, is_old))
}

impl<'a> Lowering<'a> {
    /// A call of an atomic operation; `None` for all others.
    pub(super) fn atomic(
        &mut self,
        name: &str,
        arguments: &'a [Node<Expression>],
    ) -> Result<Option<Value>> {
        let Some(plain) = name
            .strip_prefix("__atomic_")
            .or_else(|| name.strip_prefix("__sync_"))
        else {
            return Ok(None);
        };
        if plain == "always_lock_free" || plain == "is_lock_free" {
            return Ok(Some(self.int(1)));
        }
        let is_known = change(plain).is_some()
            || matches!(
                plain,
                "load"
                    | "load_n"
                    | "store"
                    | "store_n"
                    | "exchange"
                    | "exchange_n"
                    | "lock_test_and_set"
                    | "lock_release"
                    | "test_and_set"
                    | "clear"
                    | "compare_exchange"
                    | "compare_exchange_n"
                    | "bool_compare_and_swap"
                    | "val_compare_and_swap"
            );
        if !is_known {
            return Ok(None);
        }
        argument(arguments, 0)?;
        let values = self.evaluate_all(arguments)?;
        let ty = pointed_to(&values, 0)?;
        let place = Place::Memory(values[0].expr);
        let flag = Type::Int(IntType::UCHAR);
        match plain {
            "load_n" => return self.load(place, &ty).map(Some),
            "load" => {
                let old = self.load(place, &ty)?;
                self.put(&values, 1, old)?;
            }
            "store_n" => self.put(&values, 0, operand(&values, 1)?)?,
            "store" => {
                let new = self.get(&values, 1)?;
                self.put(&values, 0, new)?;
            }
            "exchange_n" | "lock_test_and_set" => {
                let old = self.load(place, &ty)?;
                self.put(&values, 0, operand(&values, 1)?)?;
                return Ok(Some(old));
            }
            "exchange" => {
                let new = self.get(&values, 1)?;
                let old = self.load(place, &ty)?;
                self.put(&values, 0, new)?;
                self.put(&values, 2, old)?;
            }
            "lock_release" => {
                let zero = self.int(0);
                self.put(&values, 0, zero)?;
            }
            // A flag is a byte, whatever the pointer says.
            "test_and_set" => {
                let old = self.load(place, &flag)?;
                let one = self.program.constant(1, 8);
                self.store(place, &flag, one)?;
                let was_set = self.truth(&old)?;
                let expr = self.program.resize(was_set, 8, false);
                let ty = Type::Int(IntType::BOOL);
                return Ok(Some(Value { expr, ty }));
            }
            "clear" => {
                let zero = self.program.constant(0, 8);
                self.store(place, &flag, zero)?;
            }
            "compare_exchange" | "compare_exchange_n" => {
                let wanted = self.get(&values, 1)?;
                let new = if plain == "compare_exchange" {
                    self.get(&values, 2)?
                } else {
                    operand(&values, 2)?
                };
                let (old, is_same) = self.compare_and_swap(&values, wanted, new)?;
                // What was found instead goes to where the expected value was.
                let expected = self.get(&values, 1)?;
                let kept = self.program.ite(is_same, expected.expr, old.expr);
                self.put(&values, 1, Value { expr: kept, ty })?;
                let expr = self.program.resize(is_same, 8, false);
                let ty = Type::Int(IntType::BOOL);
                return Ok(Some(Value { expr, ty }));
            }
            "bool_compare_and_swap" | "val_compare_and_swap" => {
                let (wanted, new) = (operand(&values, 1)?, operand(&values, 2)?);
                let (old, is_same) = self.compare_and_swap(&values, wanted, new)?;
                if plain == "val_compare_and_swap" {
                    return Ok(Some(old));
                }
                let expr = self.program.resize(is_same, 8, false);
                let ty = Type::Int(IntType::BOOL);
                return Ok(Some(Value { expr, ty }));
            }
            _ => {
                let Some((change, is_old)) = change(plain) else {
                    return Ok(None);
                };
                if !matches!(ty, Type::Int(_)) {
                    return Err("an atomic operation on something that is no integer".into());
                }
                let old = self.load(place, &ty)?;
                let by = operand(&values, 1)?;
                let op = match change {
                    Change::By(ref op) => op,
                    Change::Nand => &BinaryOperator::BitwiseAnd,
                };
                let (a, b, _) = self.balance(old.clone(), by)?;
                let mut new = self.arithmetic(op, &a, &b)?;
                if matches!(change, Change::Nand) {
                    new.expr = self.program.not(new.expr);
                }
                let new = self.cast(new, &ty)?;
                self.store(place, &ty, new.expr)?;
                return Ok(Some(if is_old { old } else { new }));
            }
        }
        Ok(Some(self.void()))
    }

    /// What the pointer among the arguments points to.
    fn get(&mut self, values: &[Value], index: usize) -> Result<Value> {
        let ty = pointed_to(values, index)?;
        self.load(Place::Memory(values[index].expr), &ty)
    }

    /// Sets what the pointer among the arguments points to.
    fn put(&mut self, values: &[Value], index: usize, new: Value) -> Result<()> {
        let ty = pointed_to(values, index)?;
        let new = self.cast(new, &ty)?;
        self.store(Place::Memory(values[index].expr), &ty, new.expr)?;
        Ok(())
    }

    /// Puts the new value where the first argument points, if the wanted one is there. The old value, and whether
    /// it was the wanted one.
    fn compare_and_swap(
        &mut self,
        values: &[Value],
        wanted: Value,
        new: Value,
    ) -> Result<(Value, crate::ir::Expr)> {
        let ty = pointed_to(values, 0)?;
        let place = Place::Memory(values[0].expr);
        let old = self.load(place, &ty)?;
        let (wanted, new) = (self.cast(wanted, &ty)?, self.cast(new, &ty)?);
        // Bits are compared, of floats, too.
        let is_same = self
            .program
            .binary(craig_word::Op::Eq, old.expr, wanted.expr);
        let kept = self.program.ite(is_same, new.expr, old.expr);
        self.store(place, &ty, kept)?;
        Ok((old, is_same))
    }
}

fn operand(values: &[Value], index: usize) -> Result<Value> {
    let missing = || format!("an atomic operation without its argument {}", index + 1);
    values.get(index).cloned().ok_or_else(missing)
}

/// The scalar type that a pointer among the arguments points to.
fn pointed_to(values: &[Value], index: usize) -> Result<Type> {
    match operand(values, index)?.ty {
        Type::Pointer(to) if to.is_scalar() || to.is_void() => Ok((*to).clone()),
        _ => Err("an atomic operation on something that is no scalar".into()),
    }
}
