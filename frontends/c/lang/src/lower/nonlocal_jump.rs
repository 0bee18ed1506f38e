//! `setjmp` and `longjmp` (C11 7.13), if the function that calls `setjmp` has not returned.
//!
//! Each call of `setjmp` gets a unique number, which is stored in the buffer and in the frame of its
//! function. `longjmp` reads the number from the buffer and jumps to the function's landing block: if the
//! function has set that number itself, control continues after its `setjmp`; otherwise the function returns,
//! and its caller does the same. So each frame on the way is left as by a return. A number that no active
//! function has set is undefined behaviour in C, and not supported. Objects in memory keep their values at the call
//! of `longjmp`; a variable of the function whose address is not taken has any value, unless it is volatile or
//! what it was when `setjmp` was called (C11 7.13.2.1p3).

use craig_word::Op;

use super::builtin::argument;
use super::function_model::NamedCall;
use super::state::{NonlocalJumps, ReturnPoint};
use super::{Lowering, Place, Result, Symbol, Value};
use crate::ir::{BlockId, Choice, Instr, Reg, StaticId, Terminator};
use crate::syntax::ast::{Expression, TranslationUnit};
use crate::syntax::span::Span;
use crate::syntax::visit::{self, Visit};
use crate::types::{IntType, Type};

/// Finds expressions that name a function of `<setjmp.h>`.
struct Jumps(bool);

impl<'ast> Visit<'ast> for Jumps {
    fn visit_expression(&mut self, expression: &'ast Expression, span: &'ast Span) {
        if let Expression::Identifier(name) = expression {
            let name = &name.node.name;
            self.0 |= name.contains("setjmp") || name.contains("longjmp");
        }
        visit::visit_expression(self, expression, span);
    }
}

/// Whether a unit uses a function of `<setjmp.h>`; declarations alone do not.
pub(super) fn may_jump(unit: &TranslationUnit) -> bool {
    let mut jumps = Jumps(false);
    jumps.visit_translation_unit(unit);
    jumps.0
}

impl<'a> Lowering<'a> {
    /// Creates the objects for jumps, which are tested after calls from now on.
    pub(super) fn prepare_nonlocal_jumps(&mut self) -> Result<()> {
        let number = Type::Int(IntType::long(self.options.model, false));
        self.nonlocal_jumps = Some(NonlocalJumps {
            n_set: self.static_object("number of calls of setjmp", &number, false)?,
            wanted: self.static_object("target of longjmp", &number, false)?,
            result: self.static_object("result of longjmp", &Type::INT, false)?,
        });
        Ok(())
    }

    fn load_number(&mut self, object: StaticId) -> Result<Value> {
        let place = Place::Memory(self.static_address(object));
        self.load(place, &Type::Int(IntType::long(self.options.model, false)))
    }

    fn store_number(&mut self, object: StaticId, value: crate::ir::Expr) {
        let address = self.static_address(object);
        let bytes = self.program.width(value) / 8;
        self.emit(Instr::Store {
            address,
            value,
            bytes,
        });
    }

    pub(super) fn setjmp(&mut self, call: &NamedCall<'a, '_>) -> Result<Option<Value>> {
        argument(call.arguments, 0)?;
        let values = self.evaluate_all(call.arguments)?;
        if self.is_without_code {
            return Ok(Some(self.int(0)));
        }
        let Some(jumps) = self.nonlocal_jumps else {
            return Err(format!("a call of `{}` without `longjmp`", call.name));
        };
        let width = self.pointer_width();
        let old = self.load_number(jumps.n_set)?;
        let one = self.program.constant(1, width);
        let new = self.program.binary(Op::Add, old.expr, one);
        // 0 stands for none; it would come after 2^64 calls, which no unbounded proof could exclude.
        let is_some = self.program.truth(new);
        let new = self.program.ite(is_some, new, one);
        let number = self.fresh(width);
        self.set(number, new);
        let new = self.read(number);
        self.store_number(jumps.n_set, new);
        let address = self.resized(&values[0], width)?;
        self.check_access(address, width / 8);
        self.emit(Instr::Store {
            address,
            value: new,
            bytes: width / 8,
        });
        let result = self.fresh(32);
        let zero = self.program.constant(0, 32);
        self.set(result, zero);
        let kept = self.keep_variables();
        let block = self.builder.block();
        self.jump(block, block);
        let alive = (self.scopes.iter()).flat_map(|scope| scope.slots.iter().copied());
        let alive = alive.collect();
        self.builder.in_scope.push((block, alive));
        self.builder.return_points.push(ReturnPoint {
            block,
            number,
            result,
            kept,
        });
        let (expr, ty) = (self.read(result), Type::INT);
        Ok(Some(Value { expr, ty }))
    }

    /// Copies of the variables in scope that are in registers, and not volatile.
    fn keep_variables(&mut self) -> Vec<(Reg, Reg)> {
        let names = self.scopes.iter().flat_map(|scope| scope.names.values());
        let mut variables: Vec<Reg> = names
            .filter(|symbol| !self.volatiles.of_variable(symbol).object)
            .filter_map(|symbol| match symbol {
                Symbol::Register(reg, ty) if ty.is_scalar() => Some(*reg),
                _ => None,
            })
            .collect();
        variables.sort_unstable();
        let keep = |variable: Reg| {
            let value = self.read(variable);
            let copy = self.fresh(self.program.width(value));
            self.set(copy, value);
            (variable, copy)
        };
        variables.into_iter().map(keep).collect()
    }

    /// Values of these variables and copies for paths to the landing block that do not come by `setjmp`: parameters have one.
    fn first_values(&self, kept: &[(Reg, Reg)]) -> Vec<Instr> {
        let n_params = self.builder.function.n_params;
        let choose = |reg: Reg| Instr::Choose {
            reg,
            kind: Choice::Uninitialised,
        };
        kept.iter()
            .flat_map(|&(variable, copy)| [variable, copy])
            .filter(|&reg| reg as usize >= n_params)
            .map(choose)
            .collect()
    }

    /// Gives any value to the variables that have another one than when `setjmp` was called.
    fn forget_changed(&mut self, kept: &[(Reg, Reg)]) {
        for &(variable, copy) in kept {
            let (now, before) = (self.read(variable), self.read(copy));
            let any = self.fresh(self.program.width(now));
            let kind = Choice::Uninitialised;
            self.emit(Instr::Choose { reg: any, kind });
            let any = self.read(any);
            let is_same = self.program.binary(Op::Eq, now, before);
            let value = self.program.ite(is_same, now, any);
            self.set(variable, value);
        }
    }

    pub(super) fn longjmp(&mut self, call: &NamedCall<'a, '_>) -> Result<Option<Value>> {
        argument(call.arguments, 1)?;
        let values = self.evaluate_all(call.arguments)?;
        if self.is_without_code {
            return Ok(Some(self.void()));
        }
        let Some(jumps) = self.nonlocal_jumps else {
            return Err(format!("a call of `{}`", call.name));
        };
        let width = self.pointer_width();
        let address = self.resized(&values[0], width)?;
        self.check_access(address, width / 8);
        let number = self.fresh(width);
        self.emit(Instr::Load {
            reg: number,
            address,
            bytes: width / 8,
        });
        let number = self.read(number);
        self.store_number(jumps.wanted, number);
        // C11 7.13.2.1p4: `setjmp` does not return 0 then.
        let value = self.resized(&values[1], 32)?;
        let is_some = self.program.truth(value);
        let one = self.program.constant(1, 32);
        let value = self.program.ite(is_some, value, one);
        self.store_number(jumps.result, value);
        let (landing, nowhere) = (self.landing(), self.builder.block());
        let is_set = self.program.truth(number);
        self.branch(is_set, landing, nowhere, nowhere);
        self.stuck("`longjmp` with a buffer that no `setjmp` has set");
        Ok(Some(self.void()))
    }

    /// After a call: continues a pending jump.
    pub(super) fn go_on_jumping(&mut self) -> Result<()> {
        let Some(jumps) = self.nonlocal_jumps else {
            return Ok(());
        };
        let wanted = self.load_number(jumps.wanted)?;
        let is_jumping = self.program.truth(wanted.expr);
        let (landing, next) = (self.landing(), self.builder.block());
        self.branch(is_jumping, landing, next, next);
        Ok(())
    }

    /// The block of the function for pending jumps.
    fn landing(&mut self) -> BlockId {
        if let Some(block) = self.builder.landing {
            return block;
        }
        let block = self.builder.block();
        self.builder.landing = Some(block);
        block
    }

    /// Emits the landing block at the end of a function.
    pub(super) fn finish_landing(&mut self) -> Result<()> {
        let (Some(landing), Some(jumps)) = (self.builder.landing, self.nonlocal_jumps) else {
            return Ok(());
        };
        let width = self.pointer_width();
        self.builder.current = landing;
        let zero = self.program.constant(0, width);
        for point in std::mem::take(&mut self.builder.return_points) {
            let at = self.at;
            let mut start = vec![Instr::Set {
                reg: point.number,
                value: zero,
            }];
            start.extend(self.first_values(&point.kept));
            let first = &mut self.builder.function.blocks[0].instrs;
            first.splice(0..0, start.into_iter().map(|instr| (instr, at)));
            let wanted = self.load_number(jumps.wanted)?;
            let number = self.read(point.number);
            let is_it = self.program.binary(Op::Eq, wanted.expr, number);
            let (found, next) = (self.builder.block(), self.builder.block());
            self.branch(is_it, found, next, found);
            self.store_number(jumps.wanted, zero);
            let place = Place::Memory(self.static_address(jumps.result));
            let result = self.load(place, &Type::INT)?;
            self.forget_changed(&point.kept);
            self.set(point.result, result.expr);
            self.jump(point.block, next);
        }
        // Handlers are called when the program ends.
        let is_outermost = self.lowered_function == self.options.entry
            || self.lowered_function == "__craig_handlers";
        if is_outermost {
            self.stuck(
                "`longjmp` to a `setjmp` whose function has returned, or that was called again",
            );
            return Ok(());
        }
        let value =
            (self.builder.function.result_width).map(|width| self.program.constant(0, width));
        self.terminate(Terminator::Return(value));
        Ok(())
    }
}
