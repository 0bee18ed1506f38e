//! Primitives about pointers and whole objects.

use crate::address_space::HEAP_ALIGN;
use crate::ir::ghost::{Ghost, PointerFact};
use crate::ir::{CheckKind, Expr, Instr, Storage};
use crate::syntax::ast::{BinaryOperator, Expression};
use crate::syntax::span::Node;
use crate::types::{IntType, Type};
use craig_word::Op;

use super::super::builtin::argument;
use super::super::function_model::NamedCall;
use super::super::{Lowering, Result, Value};
use super::fresh::without_casts;

/// The type that a pointer points to.
fn pointee(value: &Value, name: &str) -> Result<Type> {
    match &value.ty {
        Type::Pointer(to) => Ok((**to).clone()),
        _ => Err(format!("`{name}` of something that is no pointer")),
    }
}

impl<'a> Lowering<'a> {
    fn size_type(&self) -> Type {
        let model = self.options.model;
        Type::Int(match model {
            crate::types::DataModel::Lp64 => IntType::long(model, false),
            crate::types::DataModel::Ilp32 => IntType::UINT,
        })
    }

    /// A fact about the object that an address is in; see [`PointerFact`].
    pub(in crate::lower) fn inspected(&mut self, address: Expr, what: PointerFact) -> Expr {
        let width = what.width(self.pointer_width());
        let reg = self.fresh(width);
        self.emit(Instr::Ghost(Ghost::Inspect { reg, address, what }));
        self.read(reg)
    }

    /// One bit: whether `size` bytes at the address are in a living object.
    pub(in crate::lower) fn accessible(&mut self, address: Expr, size: Expr) -> Expr {
        let reg = self.fresh(1);
        self.emit(Instr::Ghost(Ghost::IsAccessible { reg, address, size }));
        self.read(reg)
    }

    pub(super) fn bool_of(&mut self, bit: Expr) -> Value {
        Value {
            expr: self.program.resize(bit, 8, false),
            ty: Type::Int(IntType::BOOL),
        }
    }

    pub(in crate::lower) fn pointer_fact(
        &mut self,
        call: &NamedCall<'a, '_>,
        what: PointerFact,
    ) -> Result<Option<Value>> {
        let value = self.rvalue(argument(call.arguments, 0)?)?;
        pointee(&value, call.name)?;
        let expr = self.inspected(value.expr, what);
        Ok(Some(match what {
            PointerFact::IsDynamic | PointerFact::IsAlive | PointerFact::HasOpenSize => {
                self.bool_of(expr)
            }
            _ => Value {
                expr,
                ty: self.size_type(),
            },
        }))
    }

    /// `__CPROVER_r_ok` and its relatives; without a size, that of the type that the pointer points to.
    pub(in crate::lower) fn is_accessible(
        &mut self,
        call: &NamedCall<'a, '_>,
    ) -> Result<Option<Value>> {
        let values = self.evaluate_all(call.arguments)?;
        let first = (values.first()).ok_or_else(|| format!("`{}` without a pointer", call.name))?;
        let to = pointee(first, call.name)?;
        let size = match values.get(1) {
            Some(size) => self.resized(size, self.pointer_width())?,
            None => self.size_of_value(&to)?,
        };
        let accessible = self.accessible(first.expr, size);
        Ok(Some(self.bool_of(accessible)))
    }

    pub(in crate::lower) fn are_of_one_object(
        &mut self,
        call: &NamedCall<'a, '_>,
    ) -> Result<Option<Value>> {
        let values = self.evaluate_all(call.arguments)?;
        let [p, q] = values.as_slice() else {
            return Err(format!("`{}` of other than two pointers", call.name));
        };
        pointee(p, call.name)?;
        pointee(q, call.name)?;
        let a = self.inspected(p.expr, PointerFact::Object);
        let b = self.inspected(q.expr, PointerFact::Object);
        let same = self.program.binary(Op::Eq, a, b);
        Ok(Some(self.bool_of(same)))
    }

    /// `__CPROVER_allocate(size, zero)`: an object of the heap, of zeros if the second argument says so; never null.
    pub(in crate::lower) fn allocate_bytes(
        &mut self,
        call: &NamedCall<'a, '_>,
    ) -> Result<Option<Value>> {
        let values = self.evaluate_all(call.arguments)?;
        let [size, zero] = values.as_slice() else {
            return Err(format!("`{}` of other than two numbers", call.name));
        };
        let zero = self.truth(zero)?;
        let Some(zeroed) = self.program.constant_value(zero) else {
            return Err(format!(
                "`{}` with a second argument that is no constant",
                call.name
            ));
        };
        let size = self.resized(size, self.pointer_width())?;
        let most = match self.program.constant_value(size) {
            Some(_) => self.program.largest_allocation(),
            None => self.largest_object(),
        };
        let limit = self.program.constant(most, self.pointer_width());
        let is_too_large = self.program.binary(Op::Ult, limit, size);
        match self.program.constant_value(is_too_large) {
            Some(0) => {}
            Some(_) => return Err(format!("`{}` of more than {most} bytes", call.name)),
            None => {
                let condition = self.program.not(is_too_large);
                self.emit(Instr::Assume { condition });
                self.note(format!(
                    "`{}` of more than {most} bytes is assumed not to happen",
                    call.name
                ));
            }
        }
        let element = (call.element)
            .and_then(|ty| self.shape(ty).ok())
            .filter(|shape| shape.size > 0 && !shape.is_opaque());
        let reg = self.fresh(self.pointer_width());
        self.emit(Instr::Allocate {
            reg,
            size,
            element,
            zeroed: zeroed == 1,
            storage: Storage::Heap,
            align: HEAP_ALIGN,
        });
        Ok(Some(Value {
            expr: self.read(reg),
            ty: Type::Void.pointer_to(),
        }))
    }

    pub(in crate::lower) fn havoc_object(
        &mut self,
        call: &NamedCall<'a, '_>,
    ) -> Result<Option<Value>> {
        let pointer = self.rvalue(argument(call.arguments, 0)?)?;
        let to = pointee(&pointer, call.name)?;
        let condition = self.program.constant(1, 1);
        self.emit(Instr::Ghost(Ghost::Havoc {
            address: pointer.expr,
            size: None,
            condition,
            has_numbers: self.has_numbers(&to),
        }));
        Ok(Some(self.void()))
    }

    pub(in crate::lower) fn havoc_slice(
        &mut self,
        call: &NamedCall<'a, '_>,
    ) -> Result<Option<Value>> {
        let values = self.evaluate_all(call.arguments)?;
        let [pointer, size] = values.as_slice() else {
            return Err(format!(
                "`{}` of other than a pointer and a size",
                call.name
            ));
        };
        let to = pointee(pointer, call.name)?;
        let size = self.resized(size, self.pointer_width())?;
        let there = self.accessible(pointer.expr, size);
        self.check(there, CheckKind::Outside);
        let condition = self.program.constant(1, 1);
        self.emit(Instr::Ghost(Ghost::Havoc {
            address: pointer.expr,
            size: Some(size),
            condition,
            has_numbers: self.has_numbers(&to),
        }));
        Ok(Some(self.void()))
    }

    /// `__CPROVER_array_set(a, v)`: all elements of the object get the value, converted to the type of the elements.
    pub(in crate::lower) fn array_set(
        &mut self,
        call: &NamedCall<'a, '_>,
    ) -> Result<Option<Value>> {
        let values = self.evaluate_all(call.arguments)?;
        let [pointer, value] = values.as_slice() else {
            return Err(format!(
                "`{}` of other than a pointer and a value",
                call.name
            ));
        };
        let to = pointee(pointer, call.name)?;
        let Type::Int(element) = to else {
            return Err(format!("`{}` of elements that are no integers", call.name));
        };
        let is_array = self.leads_into_array(argument(call.arguments, 0)?, &to)?;
        let value = self.convert(value.clone(), &to)?;
        let set = match element.size {
            1 => "__craig_array_set_1",
            2 => "__craig_array_set_2",
            4 => "__craig_array_set_4",
            8 => "__craig_array_set_8",
            _ => return Err(format!("`{}` of elements of this size", call.name)),
        };
        let is_array = self.program.constant(u128::from(is_array), 8);
        self.library_call(set, vec![pointer.expr, value.expr, is_array])?;
        Ok(Some(self.void()))
    }

    /// Whether a pointer leads into a variable that is an array of such elements, by its expression: of any other object, CBMC makes
    /// the elements arbitrary.
    fn leads_into_array(&mut self, pointer: &'a Node<Expression>, element: &Type) -> Result<bool> {
        let mut inner = without_casts(pointer);
        while let Expression::BinaryOperator(of) = &inner.node
            && matches!(
                of.node.operator.node,
                BinaryOperator::Plus | BinaryOperator::Index
            )
        {
            inner = without_casts(&of.node.lhs);
        }
        if !matches!(inner.node, Expression::Identifier(_)) {
            return Ok(false);
        }
        let mut ty = self.type_of(inner)?;
        let is_array = matches!(ty, Type::Array(..));
        while let Type::Array(of, _) = &ty {
            ty = (**of).clone();
        }
        let are_alike = self.types.size(&ty) == self.types.size(element);
        Ok(is_array && are_alike && matches!(ty, Type::Int(_)))
    }

    /// Primitives that work on the objects of two pointers, defined in the library's text.
    pub(in crate::lower) fn of_whole_objects(
        &mut self,
        call: &NamedCall<'a, '_>,
    ) -> Result<Option<Value>> {
        let values = self.evaluate_all(call.arguments)?;
        let [first, second] = values.as_slice() else {
            return Err(format!("`{}` of other than two pointers", call.name));
        };
        pointee(first, call.name)?;
        pointee(second, call.name)?;
        let function = call.name.replace("__CPROVER_", "__craig_");
        self.library_call(&function, vec![first.expr, second.expr])
            .map(Some)
    }
}
