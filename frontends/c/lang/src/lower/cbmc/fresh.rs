//! Predicates of contracts about pointers: assumed, they make the pointer what they say; asserted, they say whether it
//! is.

use std::sync::Arc;

use crate::address_space::HEAP_ALIGN;
use crate::ir::ghost::PointerFact;
use crate::ir::{Choice, Expr, Instr, Reg, Storage};
use crate::syntax::ast::Expression;
use crate::syntax::span::Node;
use crate::types::{IntType, Type};
use craig_word::Op;

use super::super::builtin::argument;
use super::super::function_model::NamedCall;
use super::super::state::Mode;
use super::super::{Lowering, Result, Value};

/// The expression without the casts around it.
pub(super) fn without_casts(mut expression: &Node<Expression>) -> &Node<Expression> {
    while let Expression::Cast(cast) = &expression.node {
        expression = &cast.node.expression;
    }
    expression
}

impl<'a> Lowering<'a> {
    fn mode_of(&self, name: &str) -> Result<Mode> {
        (self.specification.mode).ok_or_else(|| format!("`{name}` outside of a contract"))
    }

    /// A register that is 0 where it has not been set.
    pub(super) fn register_from_start(&mut self, width: u32) -> Reg {
        let reg = self.fresh(width);
        let value = self.program.constant(0, width);
        let at = self.at;
        (self.builder.function.blocks[0].instrs).insert(0, (Instr::Set { reg, value }, at));
        reg
    }

    fn truth_of_bit(&mut self, bit: Expr) -> Value {
        Value {
            expr: self.program.resize(bit, 8, false),
            ty: Type::Int(IntType::BOOL),
        }
    }

    /// `__CPROVER_is_fresh(p, n)`.
    pub(in crate::lower) fn is_fresh(&mut self, call: &NamedCall<'a, '_>) -> Result<Option<Value>> {
        let mode = self.mode_of(call.name)?;
        let pointer = argument(call.arguments, 0)?;
        let size = self.rvalue(argument(call.arguments, 1)?)?;
        let size = self.resized(&size, self.pointer_width())?;
        let bit = match mode {
            Mode::Assume => self.make_fresh(pointer, size)?,
            Mode::Assert => {
                let value = self.rvalue(pointer)?;
                let Type::Pointer(_) = value.ty else {
                    return Err(format!("`{}` of something that is no pointer", call.name));
                };
                self.is_new(value.expr, size)?
            }
        };
        Ok(Some(self.truth_of_bit(bit)))
    }

    /// Makes a pointer that of a new object.
    fn make_fresh(&mut self, pointer: &'a Node<Expression>, size: Expr) -> Result<Expr> {
        let (place, ty) = self.place(without_casts(pointer))?;
        let Type::Pointer(to) = &ty else {
            return Err("`__CPROVER_is_fresh` of something that is no pointer".into());
        };
        let width = self.pointer_width();
        let most = self.largest_object();
        if self
            .program
            .constant_value(size)
            .is_none_or(|size| size > most)
        {
            self.note(format!(
                "objects of contracts are assumed to have at most {most} bytes"
            ));
            let most = self.program.constant(most, width);
            let too_large = self.program.binary(Op::Ult, most, size);
            let condition = self.program.not(too_large);
            self.emit(Instr::Assume { condition });
        }
        let element = self.shape(to).ok().filter(|shape| shape.size > 0);
        let element = element.map(|shape| Arc::clone(&shape));
        let reg = self.register_from_start(width);
        self.emit(Instr::Allocate {
            reg,
            size,
            element,
            zeroed: false,
            storage: Storage::Heap,
            align: HEAP_ALIGN,
        });
        let address = self.read(reg);
        self.store(place, &ty, address)?;
        self.name_fresh(reg, size);
        Ok(self.program.constant(1, 1))
    }

    /// Whether the `size` bytes from an address on are in one object, and apart from those that other predicates of the contract
    /// have named.
    fn is_new(&mut self, address: Expr, size: Expr) -> Result<Expr> {
        let mut holds = self.accessible(address, size);
        for (other, other_size) in self.specification.fresh.clone() {
            let other = (self.read(other), self.read(other_size));
            let overlap = self.share_bytes((address, size), other);
            let apart = self.program.not(overlap);
            holds = self.program.binary(Op::And, holds, apart);
        }
        let kept = self.register_from_start(self.pointer_width());
        self.set(kept, address);
        self.name_fresh(kept, size);
        // The condition is that of this moment.
        let reg = self.fresh(1);
        self.set(reg, holds);
        Ok(self.read(reg))
    }

    /// Notes a range that a predicate has named.
    fn name_fresh(&mut self, address: Reg, size: Expr) {
        let kept = self.register_from_start(self.pointer_width());
        self.set(kept, size);
        self.specification.fresh.push((address, kept));
    }

    /// One bit: whether two ranges within objects have a byte in common.
    fn share_bytes(&mut self, (a, n): (Expr, Expr), (b, m): (Expr, Expr)) -> Expr {
        let [object, other] = [a, b].map(|it| self.inspected(it, PointerFact::Object));
        let [from, other_from] = [a, b].map(|it| self.inspected(it, PointerFact::Offset));
        let mut starts_within = |start: Expr, (from, size): (Expr, Expr)| {
            let distance = self.program.binary(Op::Sub, start, from);
            self.program.binary(Op::Ult, distance, size)
        };
        let ends = [
            starts_within(other_from, (from, n)),
            starts_within(from, (other_from, m)),
        ];
        let mut shared = self.or(ends[0], ends[1]);
        let same = self.program.binary(Op::Eq, object, other);
        shared = self.program.binary(Op::And, shared, same);
        for size in [n, m] {
            let has_some = self.program.truth(size);
            shared = self.program.binary(Op::And, shared, has_some);
        }
        shared
    }

    /// `__CPROVER_pointer_in_range_dfcc(low, p, high)`: `p` is in the object of both others, and between them.
    pub(in crate::lower) fn is_pointer_in_range(
        &mut self,
        call: &NamedCall<'a, '_>,
    ) -> Result<Option<Value>> {
        let mode = self.mode_of(call.name)?;
        let low = self.rvalue(argument(call.arguments, 0)?)?;
        let high = self.rvalue(argument(call.arguments, 2)?)?;
        let pointer = argument(call.arguments, 1)?;
        let of_low = self.inspected(low.expr, PointerFact::Object);
        let of_high = self.inspected(high.expr, PointerFact::Object);
        let mut holds = self.program.binary(Op::Eq, of_low, of_high);
        let from = self.inspected(low.expr, PointerFact::Offset);
        let to = self.inspected(high.expr, PointerFact::Offset);
        let width = self.pointer_width();
        match mode {
            Mode::Assume => {
                let reg = self.fresh(width);
                let kind = Choice::Open("the offset of a pointer in a range".into());
                self.emit(Instr::Choose { reg, kind });
                let distance = self.read(reg);
                let most = self.program.binary(Op::Sub, to, from);
                let beyond = self.program.binary(Op::Ult, most, distance);
                let inside = self.program.not(beyond);
                let reversed = self.program.binary(Op::Ult, to, from);
                let in_order = self.program.not(reversed);
                holds = self.program.binary(Op::And, holds, inside);
                holds = self.program.binary(Op::And, holds, in_order);
                let (place, ty) = self.place(without_casts(pointer))?;
                let moved = self.program.moved(low.expr, distance);
                self.store(place, &ty, moved)?;
            }
            Mode::Assert => {
                let value = self.rvalue(pointer)?;
                let object = self.inspected(value.expr, PointerFact::Object);
                let offset = self.inspected(value.expr, PointerFact::Offset);
                let same = self.program.binary(Op::Eq, object, of_low);
                let before = self.program.binary(Op::Ult, offset, from);
                let behind = self.program.binary(Op::Ult, to, offset);
                let outside = self.or(before, behind);
                let inside = self.program.not(outside);
                holds = self.program.binary(Op::And, holds, same);
                holds = self.program.binary(Op::And, holds, inside);
            }
        }
        Ok(Some(self.truth_of_bit(holds)))
    }

    /// `__CPROVER_pointer_equals(p, q)`, and `__CPROVER_obeys_contract(p, q)` of pointers to functions.
    pub(in crate::lower) fn pointer_equals(
        &mut self,
        call: &NamedCall<'a, '_>,
    ) -> Result<Option<Value>> {
        let mode = self.mode_of(call.name)?;
        let other = self.rvalue(argument(call.arguments, 1)?)?;
        let pointer = argument(call.arguments, 0)?;
        let holds = match mode {
            Mode::Assume => {
                let (place, ty) = self.place(without_casts(pointer))?;
                let value = self.cast(other, &ty)?;
                self.store(place, &ty, value.expr)?;
                self.program.constant(1, 1)
            }
            Mode::Assert => {
                let value = self.rvalue(pointer)?;
                self.program.binary(Op::Eq, value.expr, other.expr)
            }
        };
        Ok(Some(self.truth_of_bit(holds)))
    }
}
