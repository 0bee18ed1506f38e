//! Calls of functions without body and without model.

use craig_word::Op;

use super::function_model::Model;
use super::function_table::row_of;
use super::posix_functions::keeps_what_is_const;
use super::{Lowering, Result, UnknownCalls, Value};
use crate::ir::{Choice, Exposed, Instr, Role};
use crate::syntax::ast::*;
use crate::syntax::span::Node;
use crate::types::{FunctionType, Type};

impl<'a> Lowering<'a> {
    /// A call of a function without body and without model.
    pub(super) fn unknown_call(
        &mut self,
        name: &str,
        ty: Option<&std::sync::Arc<FunctionType>>,
        arguments: &'a [Node<Expression>],
    ) -> Result<Value> {
        let mode = self.options.unknown_calls;
        self.function_id(name);
        if is_refused(name) {
            return Err(format!("no model for `{name}`"));
        }
        let is_named = row_of(name).is_none_or(|(row, _)| row.names.is_empty());
        if is_named && let Some(value) = self.bodiless_call(name, ty, arguments)? {
            return Ok(value);
        }
        if mode == UnknownCalls::Refuse {
            return Err(format!(
                "a call of `{name}`, which has neither body nor model"
            ));
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
        if returns_twice(name) {
            return Err(format!(
                "a call of `{name}`, which may return more than once"
            ));
        }
        let mut values = self.evaluate_all(arguments)?;
        let at = self.at;
        for (value, param) in values.iter_mut().zip(ty.iter().flat_map(|ty| &ty.params)) {
            *value = self.convert(value.clone(), param)?;
        }
        self.at = at;
        if self.noreturn.contains(name) {
            if mode == UnknownCalls::Havoc {
                return Err(format!("a call of `{name}`, which does not return"));
            }
            self.note(format!(
                "no model for `{name}`: it is taken to end the run, as it is said not to return"
            ));
            let never = self.program.constant(0, 1);
            self.emit(Instr::Assume { condition: never });
            return Ok(self.void());
        }
        let result = ty.as_ref().map_or(Type::INT, |ty| ty.result.clone());
        self.convention(name, Role::Input, &result);
        if mode == UnknownCalls::Pure {
            let takes_pointer = |value: &Value| matches!(value.ty, Type::Pointer(_));
            if self.checks_memory() && values.iter().any(takes_pointer) {
                self.accesses_unchecked(name);
            }
            self.note(format!(
                "no model for `{name}`: it is taken to return any value, and to change nothing"
            ));
            let value = self.unknown_result(name, &result, mode)?;
            self.follow_state(name, &values, &value)?;
            return Ok(value);
        }
        self.note(format!(
            "no model for `{name}`: it is taken to return any value, and to change whatever its arguments \
             lead to, but through pointers to `const`"
        ));
        let exposed = self.exposed_by(name, ty, arguments, &values)?;
        if !exposed.is_empty() || matches!(result, Type::Pointer(_)) {
            self.emit(Instr::Havoc {
                function: name.into(),
                arguments: exposed,
            });
        }
        let value = self.unknown_result(name, &result, mode)?;
        self.follow_state(name, &values, &value)?;
        Ok(value)
    }

    /// An input function gives any values to what its arguments lead to.
    pub(super) fn expose_arguments(
        &mut self,
        name: &str,
        arguments: &'a [Node<Expression>],
    ) -> Result<()> {
        let ty = self.function_symbol(name).map(|(_, ty)| ty);
        let mut values = self.evaluate_all(arguments)?;
        for (value, param) in values.iter_mut().zip(ty.iter().flat_map(|ty| &ty.params)) {
            *value = self.convert(value.clone(), param)?;
        }
        let exposed = self.exposed_by(name, ty.as_ref(), arguments, &values)?;
        if !exposed.is_empty() {
            self.note(format!(
                "`{name}` is taken to give any values to whatever its arguments lead to"
            ));
            self.emit(Instr::Havoc {
                function: name.into(),
                arguments: exposed,
            });
        }
        Ok(())
    }

    /// The memory exposed by the arguments of a call.
    fn exposed_by(
        &mut self,
        name: &str,
        ty: Option<&std::sync::Arc<FunctionType>>,
        arguments: &[Node<Expression>],
        values: &[Value],
    ) -> Result<Vec<Exposed>> {
        let takes_pointer = |value: &Value| matches!(value.ty, Type::Pointer(_));
        if self.checks_memory() && values.iter().any(takes_pointer) {
            self.accesses_unchecked(name);
        }
        let takes_function = |value: &Value| {
            let is_function =
                matches!(&value.ty, Type::Pointer(to) if matches!(**to, Type::Function(_)));
            is_function && self.program.constant_value(value.expr).is_none()
        };
        if values.iter().any(takes_function) {
            return Err(format!(
                "a call of `{name}`, which takes a function and may call it"
            ));
        }
        let is_const =
            |index: usize| ty.is_some_and(|ty| ty.points_to_const.get(index) == Some(&true));
        let mut exposed = Vec::new();
        for (index, value) in values.iter().enumerate() {
            let is_literal = matches!(arguments[index].node, Expression::StringLiteral(_));
            if is_const(index) && keeps_what_is_const(name) {
                continue;
            }
            if let Type::Record(_) = value.ty {
                // The bytes around the record are not exposed.
                let copy = Value {
                    expr: self.argument(value)?,
                    ty: value.ty.clone(),
                };
                exposed.extend(self.exposed(&copy, true));
            } else if !is_literal {
                exposed.extend(self.exposed(value, is_const(index)));
            }
        }
        Ok(exposed)
    }

    /// The memory exposed by an argument to a function without body and model, if there is any.
    fn exposed(&self, value: &Value, is_const: bool) -> Option<Exposed> {
        // Copies of records are not changed, but the objects they point to are.
        let (is_const, has_numbers) = match &value.ty {
            Type::Pointer(to) => (is_const, self.has_numbers(to)),
            Type::Record(_) | Type::VaList => (true, false),
            _ => return None,
        };
        if self.program.constant_value(value.expr) == Some(0) || is_const && has_numbers {
            return None;
        }
        Some(Exposed {
            address: value.expr,
            is_const,
            has_numbers,
        })
    }

    /// Whether a type excludes pointers. Characters may be the bytes of any type.
    pub(super) fn has_numbers(&self, ty: &Type) -> bool {
        match ty {
            Type::Int(int) => int.size > 1,
            Type::Float(_) => true,
            Type::Array(element, _) | Type::Variable(element, _) => self.has_numbers(element),
            _ => false,
        }
    }

    /// Emits the possible changes by a function without body and model.
    pub(super) fn may_change(&mut self, function: &str, pointer: &Value) {
        if let Some(exposed) = self.exposed(pointer, false) {
            self.emit(Instr::Havoc {
                function: function.into(),
                arguments: vec![exposed],
            });
        }
    }

    fn unknown_result(&mut self, name: &str, result: &Type, mode: UnknownCalls) -> Result<Value> {
        match result {
            Type::Void => Ok(self.void()),
            Type::Record(_) => {
                let slot = self.slot(name, result)?;
                self.emit(Instr::Declare { slot });
                let address = self.slot_address(slot);
                let value = Value {
                    expr: address,
                    ty: result.clone(),
                };
                if mode == UnknownCalls::Havoc {
                    let pointer = Value {
                        expr: address,
                        ty: result.clone().pointer_to(),
                    };
                    self.may_change(name, &pointer);
                }
                Ok(value)
            }
            _ if mode == UnknownCalls::Pure => {
                let value = self.choose(result, Choice::Input(name.into()))?;
                self.assume_range(name, &value)?;
                Ok(value)
            }
            _ => {
                let value = self.choose(result, Choice::Unknown(name.into()))?;
                self.assume_range(name, &value)?;
                Ok(value)
            }
        }
    }

    /// Assumes the standard's range for a result that is otherwise arbitrary.
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
        let most = most.min(i64::MAX >> (64 - int.width().min(64)));
        let (least, most) = (constant(self, least), constant(self, most));
        let below = self.program.binary(Op::Slt, value.expr, least);
        let above = self.program.binary(Op::Slt, most, value.expr);
        let outside = self.or(below, above);
        let condition = self.program.not(outside);
        self.emit(Instr::Assume { condition });
        Ok(())
    }

    /// The verdict says that the accesses of a function are not known.
    fn accesses_unchecked(&mut self, name: &str) {
        if !self.is_without_code && !self.program.unchecked.iter().any(|known| known == name) {
            self.program.unchecked.push(name.into());
        }
    }

    /// Whether a name is declared as weak, and not defined here.
    pub(super) fn may_be_missing(&self, name: &str) -> bool {
        self.weak.contains(name) && self.definition_of(name).is_none()
    }
}

/// Whether no assumption is possible about a call without model.
fn is_refused(name: &str) -> bool {
    match row_of(name).map(|(row, _)| row.model) {
        Some(Model::Refused) => true,
        // A built-in function of the compiler whose model does not match these arguments.
        Some(Model::Lowered(_)) => name.starts_with("__builtin_"),
        Some(Model::DefinedInC | Model::AnyValue) | None => false,
    }
}

/// Functions that may return more than once for one call.
fn returns_twice(name: &str) -> bool {
    matches!(
        name.trim_start_matches('_'),
        "setjmp"
            | "sigsetjmp"
            | "vfork"
            | "getcontext"
            | "longjmp"
            | "siglongjmp"
            | "setcontext"
            | "swapcontext"
    )
}
