//! What `__CPROVER_assigns` names: variables in registers, and ranges of bytes.

use crate::ir::ghost::{Ghost, PointerFact};
use crate::ir::{CheckKind, Expr, Instr, Reg};
use crate::syntax::ast::*;
use crate::syntax::span::Node;
use crate::types::Type;
use craig_word::Op;

use super::super::builtin::argument;
use super::super::{Lowering, Place, Result};

/// A target, as it is where its clause stands.
#[derive(Clone, Copy, Debug)]
pub(in crate::lower) enum Target {
    /// A variable of the function.
    Register(Reg),
    /// Bytes of an object, which are included if a condition holds.
    Bytes(Bytes),
}

#[derive(Clone, Copy, Debug)]
pub(in crate::lower) struct Bytes {
    pub(super) address: Expr,
    pub(super) size: Expr,
    pub(super) included: Expr,
    has_numbers: bool,
}

/// Address, size and whether there are no pointers; or an lvalue.
type CalledTarget<'a> = std::result::Result<(Expr, Expr, bool), &'a Node<Expression>>;

/// Whether a target is an object, or what follows an address in it.
fn names_whole_object(target: &Node<Expression>) -> bool {
    let Expression::Call(call) = &target.node else {
        return false;
    };
    matches!(
        &call.node.callee.node,
        Expression::Identifier(name)
            if ["__CPROVER_object_whole", "__CPROVER_object_from"].contains(&&*name.node.name)
    )
}

impl<'a> Lowering<'a> {
    /// The targets of a clause.
    pub(super) fn targets(&mut self, groups: &'a [TargetGroup]) -> Result<Vec<Target>> {
        let mut targets = Vec::new();
        for group in groups {
            let condition = self.group_condition(group)?;
            for target in &group.targets {
                targets.push(self.target(target, condition)?);
            }
        }
        Ok(targets)
    }

    /// Whether the targets of a group count, one bit.
    pub(super) fn group_condition(&mut self, group: &'a TargetGroup) -> Result<Expr> {
        let Some(condition) = &group.condition else {
            return Ok(self.program.constant(1, 1));
        };
        let value = self.rvalue(condition)?;
        let truth = self.truth(&value)?;
        let reg = self.fresh(1);
        self.set(reg, truth);
        Ok(self.read(reg))
    }

    fn target(&mut self, target: &'a Node<Expression>, condition: Expr) -> Result<Target> {
        let (address, size, has_numbers) = match &target.node {
            Expression::Call(call) => {
                let Expression::Identifier(name) = &call.node.callee.node else {
                    return Err("a target that is a call through a pointer".into());
                };
                match self.called_target(&name.node.name, &call.node.arguments)? {
                    Ok(bytes) => bytes,
                    Err(lvalue) => return self.target(lvalue, condition),
                }
            }
            _ => {
                let (place, ty) = self.place(target)?;
                match place {
                    Place::Register(reg) => return Ok(Target::Register(reg)),
                    Place::Memory(address) => {
                        let size = self.size_of_value(&ty)?;
                        (address, size, self.has_no_pointers(&ty))
                    }
                    Place::Bits { .. } => {
                        return Err(
                            "`__CPROVER_assigns` of a bit-field, whose bytes others share".into(),
                        );
                    }
                }
            }
        };
        let kept = |lowering: &mut Self, value: Expr| {
            let reg = lowering.fresh(lowering.program.width(value));
            lowering.set(reg, value);
            lowering.read(reg)
        };
        let address = kept(self, address);
        let size = kept(self, size);
        let there = self.accessible(address, size);
        self.check_target(address, (condition, there), names_whole_object(target));
        let included = self.program.binary(Op::And, condition, there);
        let included = kept(self, included);
        Ok(Target::Bytes(Bytes {
            address,
            size,
            included,
            has_numbers,
        }))
    }

    /// As CBMC: what may be assigned has to be within a living object. Nothing is at a null pointer, but that has no object.
    fn check_target(&mut self, address: Expr, (condition, there): (Expr, Expr), is_object: bool) {
        let mut holds = self.program.not(condition);
        holds = self.or(holds, there);
        let has_place = self.program.truth(address);
        let fits = match is_object {
            true => {
                let left_out = self.program.not(condition);
                let left_out = self.or(left_out, has_place);
                self.program.binary(Op::And, holds, left_out)
            }
            false => {
                let is_null = self.program.not(has_place);
                self.or(holds, is_null)
            }
        };
        if self.program.constant_value(fits) != Some(1) {
            self.check(fits, CheckKind::Outside);
        }
    }

    /// Address, size and whether there are no pointers, for a target by one of the dialect's functions; or the lvalue
    /// that it names.
    fn called_target(
        &mut self,
        name: &str,
        arguments: &'a [Node<Expression>],
    ) -> Result<CalledTarget<'a>> {
        let first = argument(arguments, 0)?;
        if name == "__CPROVER_typed_target" {
            return Ok(Err(first));
        }
        let pointer = self.rvalue(first)?;
        let Type::Pointer(to) = &pointer.ty else {
            return Err(format!("`{name}` of something that is no pointer"));
        };
        let has_numbers = !matches!(**to, Type::Void) && self.has_no_pointers(to);
        let has_numbers = has_numbers && !matches!(**to, Type::Int(int) if int.size == 1);
        let address = pointer.expr;
        let (address, size) = match name {
            "__CPROVER_object_upto" => {
                let size = self.rvalue(argument(arguments, 1)?)?;
                (address, self.resized(&size, self.pointer_width())?)
            }
            "__CPROVER_object_whole" => {
                let offset = self.inspected(address, PointerFact::Offset);
                let zero = self.program.constant(0, self.pointer_width());
                let back = self.program.binary(Op::Sub, zero, offset);
                let start = self.program.moved(address, back);
                (start, self.inspected(address, PointerFact::Size))
            }
            "__CPROVER_object_from" => {
                let offset = self.inspected(address, PointerFact::Offset);
                let size = self.inspected(address, PointerFact::Size);
                (address, self.program.binary(Op::Sub, size, offset))
            }
            _ => return Err(format!("`{name}` as a target")),
        };
        Ok(Ok((address, size, has_numbers)))
    }

    /// Whether objects of a type hold no pointers, by their type.
    fn has_no_pointers(&self, ty: &Type) -> bool {
        match ty {
            Type::Int(_) | Type::Float(_) => true,
            Type::Array(element, _) | Type::Variable(element, _) => self.has_no_pointers(element),
            Type::Record(id) => {
                let record = &self.types.records[*id];
                record.complete
                    && record
                        .fields
                        .iter()
                        .all(|field| self.has_no_pointers(&field.ty))
            }
            _ => false,
        }
    }

    /// Makes a target in memory arbitrary.
    pub(super) fn havoc_target(&mut self, target: &Target) {
        if let Target::Bytes(bytes) = target {
            self.emit(Instr::Ghost(Ghost::Havoc {
                address: bytes.address,
                size: Some(bytes.size),
                condition: bytes.included,
                has_numbers: bytes.has_numbers,
            }));
        }
    }
}
