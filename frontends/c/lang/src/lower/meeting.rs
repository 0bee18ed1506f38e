//! Addresses of different objects that may be equal: one past the end of an object and the start of another one (C11 6.5.9p6),
//! objects without bytes, and string literals, which may share bytes (6.4.5p7).
//!
//! A comparison asks [`Ghost::MayMeet`], and takes any answer where that holds. In CBMC's dialect, objects are apart.

use craig_word::Op;

use crate::ir::ghost::{Ghost, MEETING};
use crate::ir::{Choice, Expr, ExprNode, Instr, Program, Terminator};
use crate::types::Type;

use super::state::Observed;
use super::{Lowering, Result};

/// What is known of the object that an address is in.
#[derive(PartialEq, Eq)]
enum Named {
    /// The object.
    Object(ExprNode),
    /// Nothing.
    Any,
}

impl Lowering<'_> {
    /// Where an occurrence of a string literal stands; `None` if equal literals are one object.
    pub(super) fn occurrence(&self) -> Option<(u32, usize)> {
        let is_apart = self.is_own_code() && !self.options.cbmc.is_dialect();
        is_apart.then_some((self.files_from, self.at_byte))
    }

    /// Whether two addresses are equal, one bit.
    pub(super) fn are_equal(&mut self, a: Expr, b: Expr, element: Option<u64>) -> Result<Expr> {
        let equal = self.program.binary(Op::Eq, a, b);
        if !self.may_meet(a, b) || self.program.constant_value(equal) == Some(1) {
            return Ok(equal);
        }
        let (result, may_meet) = (self.fresh(1), self.fresh(1));
        self.set(result, equal);
        let addresses = [a, b];
        self.emit(Instr::Ghost(Ghost::MayMeet {
            reg: may_meet,
            addresses,
            element,
            ends: true,
        }));
        let may_meet = self.read(may_meet);
        let (open, next) = (self.builder.block(), self.builder.block());
        self.branch(may_meet, open, next, open);
        let any = self.choose(&Type::INT, Choice::Open(MEETING.into()))?;
        let any = self.program.truth(any.expr);
        self.set(result, any);
        self.jump(next, next);
        Ok(self.read(result))
    }

    /// Whether two words may be addresses in different objects, as far as their forms say.
    fn may_meet(&self, a: Expr, b: Expr) -> bool {
        self.is_own_code()
            && !self.is_without_code
            && !self.options.cbmc.is_dialect()
            && self.may_be_address(a, 0)
            && self.may_be_address(b, 0)
            && (self.named_base(a) == Named::Any || self.named_base(a) != self.named_base(b))
    }

    /// The named object that an address is in.
    fn named_base(&self, address: Expr) -> Named {
        match self.program.node(address) {
            node @ (ExprNode::Static(_) | ExprNode::Slot(_)) => Named::Object(node),
            ExprNode::Moved(pointer, _) => self.named_base(pointer),
            ExprNode::Binary(Op::Add | Op::Sub, pointer, distance)
                if self.program.constant_value(distance).is_some() =>
            {
                self.named_base(pointer)
            }
            _ => Named::Any,
        }
    }

    /// The size of what two pointers lead to, if it is one, and no character.
    pub(super) fn common_element(&self, a: &Type, b: &Type) -> Option<u64> {
        let [a, b] = [a, b].map(|ty| match ty {
            Type::Pointer(to) => self.types.size(to).filter(|&size| size > 1),
            _ => None,
        });
        a.filter(|_| a == b)
    }

    /// Notes that a pointer of a type is moved.
    pub(super) fn notes_moved(&mut self, pointer: &Type) {
        if let Type::Pointer(to) = pointer
            && self.is_own_code()
        {
            let size = self.types.size(to);
            self.observed.moved.insert(size.unwrap_or(1));
        }
    }

    /// Settles which comparisons depend on where objects are; leaves those alone that do not.
    pub(super) fn settle_meetings(program: &mut Program, observed: &Observed) {
        let has_literals = (program.statics.iter()).any(|object| object.literal.is_some());
        let none = program.constant(0, 1);
        for function in &mut program.functions {
            for block in &mut function.blocks {
                let Some((instr, _)) = block.instrs.last_mut() else {
                    continue;
                };
                let Instr::Ghost(Ghost::MayMeet {
                    reg, element, ends, ..
                }) = instr
                else {
                    continue;
                };
                *ends = observed.has_ends(*element);
                if *ends || has_literals && element.is_none() {
                    continue;
                }
                *instr = Instr::Set {
                    reg: *reg,
                    value: none,
                };
                if let Terminator::Branch { otherwise, .. } = block.end {
                    block.end = Terminator::Jump(otherwise);
                }
            }
        }
    }
}
