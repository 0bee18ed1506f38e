//! Numbers from texts of open length (C11 7.22.1): any number, which ends anywhere in the text.

use craig_c_lang::ir::{Callee, CheckKind, Expr, ExprNode, Function, Instr, Reg, Terminator};
use craig_c_lang::property::checked;
use craig_word::Op;

use super::super::{Checks, new_register, of_library};
use super::{RETURNS, Text};

/// The numbers of errors that a number from a text may set: `EINVAL`, `ERANGE`.
const ERRORS: [u128; 2] = [22, 34];

/// The checks of a function that reads a number; `None` if there are others than those of accesses. Its indices are those of tables, and
/// in their bounds.
pub(super) fn checks_of_number(function: &Function) -> Option<Checks> {
    let mut found = Checks::default();
    let instrs = function.blocks.iter().flat_map(|block| &block.instrs);
    let mut kinds = instrs.filter_map(|(instr, _)| checked(instr));
    kinds
        .all(|kind| kind == CheckKind::Index || found.note(kind))
        .then_some(found)
}

impl Text<'_> {
    /// Any number, which ends anywhere in the text; one without a character is 0. `errno` may be set.
    pub(super) fn set_number(&mut self, result: Reg, params: &[Expr], most: Expr, checks: &Checks) {
        let pointer = self.body.program.pointer_width;
        let width = self.body.regs[result as usize].width;
        let (value, length) = (self.chosen(width), self.chosen(pointer));
        let program = &mut *self.body.program;
        let is_beyond = program.binary(Op::Ult, most, length);
        let is_inside = program.not(is_beyond);
        let (is_some, is_other) = (program.truth(length), program.truth(value));
        let is_zero = program.not(is_other);
        let is_possible = program.or(is_some, is_zero);
        let end = program.moved(params[0], length);
        self.assume(is_inside);
        self.assume(is_possible);
        self.set(Some(result), value);
        self.may_set_error();
        let Some(&to) = params.get(1) else { return };
        let condition = self.body.program.truth(to);
        let then = self.body.number() + 1;
        self.body.end(Terminator::Branch {
            condition,
            then,
            otherwise: RETURNS,
        });
        let bytes = pointer / 8;
        let size = self.body.program.constant(u128::from(bytes), pointer);
        self.body.touch(to, size, checks);
        if checks.constants {
            self.body.instrs.push(Instr::CheckAccess {
                address: to,
                bytes,
                what: CheckKind::Constant,
            });
        }
        self.body.instrs.push(Instr::Store {
            address: to,
            value: end,
            bytes,
        });
    }

    /// Sets `errno` to the number of an error, or not; where there is none, nothing reads it.
    fn may_set_error(&mut self) {
        let Some(location) = of_library(self.body.program, "__errno_location") else {
            return;
        };
        let pointer = self.body.program.pointer_width;
        let reg = new_register(&mut self.body.regs, pointer);
        let next = self.body.number() + 1;
        self.body.end(Terminator::Call {
            callee: Callee::Direct(location),
            args: Vec::new(),
            result: Some(reg),
            next,
        });
        let address = self.body.program.make(ExprNode::Reg(reg), pointer);
        for number in ERRORS {
            let is_set = self.chosen(1);
            let store = Instr::Store {
                address,
                value: self.body.program.constant(number, 32),
                bytes: 4,
            };
            let after = self.body.number() + 2;
            self.body.guarded(is_set, store, after);
        }
    }
}
