//! GNU's attribute `transparent_union`: a parameter of such a type takes an argument of the type of any member.

use crate::ir::Instr;
use crate::syntax::ast::*;
use crate::syntax::span::Node;
use crate::types::Type;

use super::{Lowering, Place, Result, Value};

impl<'a> Lowering<'a> {
    /// Takes note of the attribute at a union or at a name for it.
    pub(super) fn note_transparent(
        &mut self,
        ty: &Type,
        lists: impl Iterator<Item = &'a [Node<Extension>]>,
    ) {
        let Type::Record(id) = *ty else { return };
        let is_transparent = |extension: &Node<Extension>| match &extension.node {
            Extension::Attribute(attribute) => {
                attribute.name.node.trim_matches('_') == "transparent_union"
            }
            Extension::AsmLabel(_) => false,
        };
        if self.types.records[id].is_union && lists.flatten().any(is_transparent) {
            self.types.transparent.push(id);
        }
    }

    /// An argument converted to the type of its parameter.
    ///
    /// # Errors
    /// If no member of a transparent union has its type.
    pub(super) fn as_parameter(&mut self, value: Value, param: &Type) -> Result<Value> {
        let Type::Record(id) = *param else {
            return self.convert(value, param);
        };
        if !self.types.transparent.contains(&id)
            || matches!(value.ty, Type::Record(own) if own == id)
        {
            return self.convert(value, param);
        }
        let fields = &self.types.records[id].fields;
        let own = (fields.iter()).find(|field| self.types.is_same(&field.ty, &value.ty));
        let is_open = match &value.ty {
            Type::Pointer(to) => to.is_void(),
            Type::Int(_) => self.program.constant_value(value.expr) == Some(0),
            _ => false,
        };
        let takes = |ty: &Type| match ty {
            Type::Pointer(to) => is_open || (to.is_void() && matches!(value.ty, Type::Pointer(_))),
            _ => false,
        };
        let member = own.or_else(|| fields.iter().find(|field| takes(&field.ty)));
        let member = member.ok_or("an argument whose type no member of a transparent union has")?;
        let ty = member.ty.clone();
        let value = self.convert(value, &ty)?;
        let slot = self.slot("argument", param)?;
        self.emit(Instr::Declare { slot });
        let address = self.slot_address(slot);
        match ty {
            Type::Record(_) => self.copy(address, value.expr, &ty)?,
            _ => drop(self.store(Place::Memory(address), &ty, value.expr)?),
        }
        Ok(Value {
            expr: address,
            ty: param.clone(),
        })
    }
}
