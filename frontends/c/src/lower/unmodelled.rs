//! Calls of functions without body and without model.

use lang_c::ast::*;
use lang_c::span::Node;

use crate::ir::{Choice, Instr, Role};
use crate::types::{FunctionType, Type};
use craig_word::Op;

use super::format::conversions;
use super::function_model::Model;
use super::function_table::row_of;
use super::{Lowering, Place, Result, Value};

impl<'a> Lowering<'a> {
    /// A call of a function without body and without model.
    pub(super) fn unknown_call(
        &mut self,
        name: &str,
        ty: Option<std::sync::Arc<FunctionType>>,
        arguments: &'a [Node<Expression>],
    ) -> Result<Value> {
        self.function_id(name);
        if is_refused(name, arguments) {
            return Err(format!("no model for `{name}`"));
        }
        if self.may_be_missing(name) {
            return Err(format!(
                "a call of `{name}`, which is weak and may be missing"
            ));
        }
        let label = self.assembler_names.get(name);
        if label.is_some_and(|label| label != name && self.definitions.contains_key(label)) {
            return Err(format!(
                "`{name}`, which has another function's name for the assembler"
            ));
        }
        let values = self.evaluate_all(arguments)?;
        if self.noreturn.contains(name) {
            self.note(format!(
                "no model for `{name}`: it is taken to end the run, as it is said not to return"
            ));
            let never = self.program.constant(0, 1);
            self.emit(Instr::Assume { condition: never });
            return Ok(self.void());
        }
        for value in values {
            self.may_change(&value)?;
        }
        self.note(format!("no model for `{name}`: it is taken to return any value, and to change at most numbers that its arguments point to"));
        let result = ty.map_or(Type::INT, |ty| ty.result.clone());
        self.convention(name, Role::Input, &result);
        match result {
            Type::Void => Ok(self.void()),
            Type::Record(_) => {
                let slot = self.slot(name, &result)?;
                self.emit(Instr::Declare { slot });
                Ok(Value {
                    expr: self.slot_address(slot),
                    ty: result,
                })
            }
            _ => {
                let value = self.choose(&result, Choice::Unknown(name.into()))?;
                self.assume_range(name, &value)?;
                Ok(value)
            }
        }
    }

    /// Assumes the range that the standard gives for a result that is otherwise any value.
    pub(super) fn assume_range(&mut self, name: &str, value: &Value) -> Result<()> {
        let (Type::Int(int), Some((least, most))) =
            (&value.ty, row_of(name).and_then(|(row, _)| row.range))
        else {
            return Ok(());
        };
        if !int.signed || int.width() < 32 {
            return Ok(());
        }
        let constant = |lowering: &mut Self, bound: i64| {
            let mask = u128::MAX >> (u128::BITS - int.width());
            let bits = bound as i128 as u128 & mask;
            lowering.program.constant(bits, int.width())
        };
        let (least, most) = (constant(self, least), constant(self, most));
        let below = self.program.binary(Op::Slt, value.expr, least);
        let above = self.program.binary(Op::Slt, most, value.expr);
        let outside = self.or(below, above);
        let condition = self.program.not(outside);
        self.emit(Instr::Assume { condition });
        Ok(())
    }

    /// Whether a name is declared as weak, and nothing here defines it.
    pub(super) fn may_be_missing(&self, name: &str) -> bool {
        self.weak.contains(name) && !self.definitions.contains_key(name)
    }

    /// A function without model gets a pointer to a number: that may be any number afterwards.
    pub(super) fn may_change(&mut self, pointer: &Value) -> Result<()> {
        let Type::Pointer(to) = &pointer.ty else {
            return Ok(());
        };
        if !matches!(&**to, Type::Int(int) if int.size > 1) && !matches!(**to, Type::Float(_)) {
            return Ok(());
        }
        let Some(width) = self.scalar_width(to) else {
            return Ok(());
        };
        let reg = self.fresh(width);
        self.emit(Instr::Choose {
            reg,
            kind: Choice::Unknown("the function".into()),
        });
        let value = self.read(reg);
        self.store(Place::Memory(pointer.expr), to, value)?;
        Ok(())
    }
}

/// Whether nothing may be assumed of a call without model.
fn is_refused(name: &str, arguments: &[Node<Expression>]) -> bool {
    match row_of(name).map(|(row, _)| row.model) {
        Some(Model::Refused) => true,
        // "It changes at most numbers" would be wrong of conversions to characters.
        Some(Model::Scans(format)) => {
            let format = arguments.get(format);
            match format.and_then(|format| conversions(&format.node)) {
                Some(found) => found.iter().any(|conversion| {
                    matches!(conversion.letter, Some('s' | 'c' | '[' | 'S' | 'C' | 'm'))
                }),
                None => true,
            }
        }
        // A built-in function of the compiler whose model does not have these arguments.
        Some(Model::Lowered(_)) => name.starts_with("__builtin_"),
        Some(Model::DefinedInC | Model::AnyValue) | None => false,
    }
}
