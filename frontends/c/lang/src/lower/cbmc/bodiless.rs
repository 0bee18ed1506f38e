//! Functions without a body: uninterpreted ones, and those that CBMC takes to return any value.

use std::sync::Arc;

use crate::syntax::ast::Expression;
use crate::syntax::span::Node;

use crate::ir::ghost::Ghost;
use crate::ir::{Choice, Instr, Role};
use crate::types::{FunctionType, Type};

use super::super::file_local::FILE_LOCAL;
use super::super::function_model::NamedCall;
use super::super::{Dialect, Lowering, Result, Value};
use super::RESERVED;

impl<'a> Lowering<'a> {
    /// `__CPROVER_uninterpreted_*`: any value of the declared type, but the same for the same arguments.
    pub(in crate::lower) fn uninterpreted(&mut self, call: &NamedCall<'a, '_>) -> Result<Value> {
        let name = call.name;
        let Some((_, ty)) = self.function_symbol(name) else {
            return Err(format!("`{name}`, which is not declared"));
        };
        let mut values = self.evaluate_all(call.arguments)?;
        if ty.prototype && values.len() != ty.params.len() {
            return Err(format!("`{name}` with another number of arguments"));
        }
        for (value, param) in values.iter_mut().zip(&ty.params) {
            *value = self.convert(value.clone(), param)?;
        }
        let of_scalars = values.iter().all(|value| value.ty.is_scalar());
        let Some(width) = (self.scalar_width(&ty.result)).filter(|_| of_scalars) else {
            return Err(format!("`{name}`, whose type is not one of scalars"));
        };
        let reg = self.named(width, None, Some(ty.result.clone()));
        self.emit(Instr::Ghost(Ghost::Uninterpreted {
            reg,
            function: name.into(),
            arguments: values.iter().map(|value| value.expr).collect(),
        }));
        let value = Value {
            expr: self.read(reg),
            ty: ty.result.clone(),
        };
        self.assume_truth_value(&value);
        Ok(value)
    }

    /// A call of a function without body and model, where the dialect says what it is. `None`: it does not.
    pub(in crate::lower) fn bodiless_call(
        &mut self,
        name: &str,
        ty: Option<&Arc<FunctionType>>,
        arguments: &'a [Node<Expression>],
    ) -> Result<Option<Value>> {
        if name.starts_with(FILE_LOCAL) {
            let removed = &self.options.cbmc.removed_bodies;
            if !removed.iter().any(|removed| removed == name) {
                return Err(format!("`{name}`, which no file defines"));
            }
        } else if name.starts_with(RESERVED) {
            return Err(format!("`{name}` is not supported"));
        }
        if self.options.cbmc.dialect != Dialect::Cbmc {
            return Ok(None);
        }
        let mut values = self.evaluate_all(arguments)?;
        for (value, param) in values.iter_mut().zip(ty.iter().flat_map(|ty| &ty.params)) {
            *value = self.convert(value.clone(), param)?;
        }
        self.note(format!(
            "no body for `{name}`: it is taken to return any value, and to change nothing"
        ));
        let result = ty.map_or(Type::INT, |ty| ty.result.clone());
        self.convention(name, Role::Input, &result);
        self.any_value(name, &result).map(Some)
    }

    /// Any value of a type, also that of a record.
    pub(in crate::lower) fn any_value(&mut self, name: &str, ty: &Type) -> Result<Value> {
        match ty {
            Type::Void => Ok(self.void()),
            Type::Record(_) => {
                let slot = self.slot(name, ty)?;
                self.emit(Instr::Declare { slot });
                Ok(Value {
                    expr: self.slot_address(slot),
                    ty: ty.clone(),
                })
            }
            _ => self.choose(ty, Choice::Input(name.into())),
        }
    }

    /// A `_Bool` is 0 or 1.
    fn assume_truth_value(&mut self, value: &Value) {
        if let Type::Int(int) = &value.ty
            && int.rank == 0
        {
            let two = self.program.constant(2, int.width());
            let condition = self.program.binary(craig_word::Op::Ult, value.expr, two);
            self.emit(Instr::Assume { condition });
        }
    }
}
