//! What the entry function is given in CBMC's dialect: each pointer is null, or leads to an object of its own, with what its
//! pointers lead to, up to a depth.

use std::sync::Arc;

use crate::ir::{Choice, Expr, Instr, Storage};
use crate::types::{IntType, Type};

use super::super::{Lowering, Result};

/// Up to this number of pointers in one object is given objects.
const MOST_POINTERS: u64 = 64;

impl Lowering<'_> {
    /// An argument of a type for the entry function.
    ///
    /// # Errors
    /// If the type is none of an argument, or an object has too many pointers.
    pub(in crate::lower) fn argument_tree(&mut self, entry: &str, ty: &Type) -> Result<Expr> {
        match ty {
            Type::Pointer(to) => {
                let depth = self.options.cbmc.tree_depth();
                self.note(format!(
                    "pointers that `{entry}` is given are null or lead to objects of their own, to a depth of {depth}"
                ));
                self.pointer_tree(entry, to, 1)
            }
            Type::Record(_) => {
                let value = self.any_value(&format!("argument of {entry}"), ty)?;
                self.fill_tree(entry, value.expr, ty, 1)?;
                Ok(value.expr)
            }
            _ => self.scalar_argument(entry, ty),
        }
    }

    /// A pointer at a level, from 1 on.
    fn pointer_tree(&mut self, entry: &str, to: &Type, level: u32) -> Result<Expr> {
        let width = self.pointer_width();
        let result = self.fresh(width);
        let byte = Type::Int(IntType::CHAR);
        let to = if to.is_void() { &byte } else { to };
        // A function has a size for GNU C.
        let shape = self.shape(to).ok();
        let Some(element) = shape.filter(|_| !matches!(to, Type::Function(_))) else {
            // Nobody can say what a pointer to a function, or to what is not declared, leads to.
            let kind = Choice::Input(format!("a pointer that {entry} is given"));
            self.emit(Instr::Choose { reg: result, kind });
            return Ok(self.read(result));
        };
        let null = self.program.constant(0, width);
        self.set(result, null);
        if level > self.options.cbmc.tree_depth() {
            return Ok(self.read(result));
        }
        let may_be_null = level > self.options.cbmc.min_null_tree_depth;
        let is_there = match may_be_null {
            true => {
                let reg = self.fresh(1);
                let kind = Choice::Input(format!("whether {entry} is given an object"));
                self.emit(Instr::Choose { reg, kind });
                self.read(reg)
            }
            false => self.program.constant(1, 1),
        };
        let (some, next) = (self.builder.block(), self.builder.block());
        self.branch(is_there, some, next, some);
        let size = self.program.constant(u128::from(element.size), width);
        let align = self.types.address_align(to);
        self.emit(Instr::Allocate {
            reg: result,
            size,
            element: (element.size > 0).then(|| Arc::clone(&element)),
            zeroed: false,
            storage: Storage::Frame,
            align,
        });
        let address = self.read(result);
        self.fill_tree(entry, address, to, level + 1)?;
        self.jump(next, next);
        Ok(self.read(result))
    }

    /// Gives the pointers in an object what they lead to. What else it holds is any value already.
    fn fill_tree(&mut self, entry: &str, address: Expr, ty: &Type, level: u32) -> Result<()> {
        match ty {
            Type::Pointer(to) => {
                let value = self.pointer_tree(entry, to, level)?;
                self.store(super::super::Place::Memory(address), ty, value)?;
                Ok(())
            }
            Type::Array(element, Some(length)) if self.has_pointers(element) => {
                if *length > MOST_POINTERS {
                    return Err(format!(
                        "an array of {length} parts with pointers that the entry function is given"
                    ));
                }
                let size = self
                    .types
                    .size(element)
                    .ok_or("an array of an incomplete type")?;
                for index in 0..*length {
                    let part = self.offset(address, index * size);
                    self.fill_tree(entry, part, element, level)?;
                }
                Ok(())
            }
            Type::Record(id) if !self.types.records[*id].is_union => {
                let fields = self.types.records[*id].fields.clone();
                for field in fields.iter().filter(|field| field.bits.is_none()) {
                    let part = self.offset(address, field.offset);
                    self.fill_tree(entry, part, &field.ty, level)?;
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Whether values of a type have pointers outside of unions.
    fn has_pointers(&self, ty: &Type) -> bool {
        match ty {
            Type::Pointer(_) => true,
            Type::Array(element, _) => self.has_pointers(element),
            Type::Record(id) => {
                let record = &self.types.records[*id];
                !record.is_union
                    && record
                        .fields
                        .iter()
                        .any(|field| self.has_pointers(&field.ty))
            }
            _ => false,
        }
    }
}
