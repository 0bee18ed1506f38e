//! The start function: static objects are set up in it, and then it calls the entry function.

use crate::ir::{Callee, Choice, Instr, Location, Terminator};
use crate::types::Type;
use craig_word::Op;

use super::{BlockId, Lowering, Result};

/// So many arguments of the program have an object; the memory after them has any value.
const ARGUMENTS: u64 = 16;

impl Lowering<'_> {
    /// Calls the entry function from block 1 of the start function; block 0 stays open.
    pub(super) fn call_entry(&mut self, entry: &str) -> Result<()> {
        let call = self.builder.block();
        let halt = self.builder.block();
        debug_assert_eq!(call, 1);
        let mut done = halt;
        if self.calls_atexit {
            done = self.builder.block();
            let handlers = self.call_handlers(done);
            self.builder.function.blocks[halt as usize].end = handlers;
        }
        self.builder.function.blocks[done as usize].end = Terminator::Halt;
        // Where control came from a constant with branches, the set-up continues in the current block.
        let open = std::mem::replace(&mut self.builder.current, call);
        let id = self.want(entry);
        let (definition, source, files_from) = self.definitions[entry];
        let locate = |offset: usize| {
            let at = source.location(offset);
            Location {
                file: at.file + files_from,
                ..at
            }
        };
        self.at = locate(definition.span.start);
        // What is left over when the program ends is left over at the entry function's end.
        let end = locate(definition.span.end.saturating_sub(1));
        let (_, ty, _) = self.definition_head(definition)?;
        let mut args = Vec::new();
        // The arguments are kept in an object of their own, so far as it goes.
        let strings = match ty.params.as_slice() {
            [Type::Int(_), Type::Pointer(strings), ..] if matches!(**strings, Type::Pointer(_)) => {
                let array = Type::Array(strings.clone(), Some(ARGUMENTS));
                Some(self.static_object("arguments of the program", &array, true)?)
            }
            _ => None,
        };
        for (index, param) in ty.params.iter().enumerate() {
            if let Some(object) = strings.filter(|_| index == 1) {
                let address = self.static_address(object);
                args.push(address);
                continue;
            }
            let width = self
                .scalar_width(param)
                .ok_or("the entry function has a parameter that is no scalar")?;
            let reg = self.fresh(width);
            let kind = Choice::Input(format!("argument of {entry}"));
            self.emit(Instr::Choose { reg, kind });
            args.push(self.read(reg));
        }
        if strings.is_some() {
            let width = self.pointer_width();
            let first = self.fresh(width);
            self.emit(Instr::Load {
                reg: first,
                address: args[1],
                bytes: width / 8,
            });
            // C11 5.1.2.2.1: the first one is null exactly if there is none.
            let (first, null) = (self.read(first), self.program.constant(0, width));
            let none = self.program.constant(0, self.program.width(args[0]));
            let is_null = self.program.binary(Op::Eq, first, null);
            let is_none = self.program.binary(Op::Eq, args[0], none);
            let condition = self.program.binary(Op::Eq, is_null, is_none);
            self.emit(Instr::Assume { condition });
        }
        if let Some(&argc) = args.first()
            && matches!(ty.params[0], Type::Int(_))
        {
            // C11 5.1.2.2.1: argc is not negative.
            let zero = self.program.constant(0, self.program.width(argc));
            let negative = self.program.binary(Op::Slt, argc, zero);
            let condition = self.program.not(negative);
            self.emit(Instr::Assume { condition });
        }
        let result = self.scalar_width(&ty.result).map(|width| self.fresh(width));
        self.terminate(Terminator::Call {
            callee: Callee::Direct(id),
            args,
            result,
            next: halt,
        });
        if self.options.checks.leak {
            self.builder.function.blocks[done as usize]
                .instrs
                .push((Instr::CheckLeaks, end));
        }
        self.builder.current = open;
        Ok(())
    }

    /// The call of the library's function that calls what was handed to `atexit`.
    pub(super) fn call_handlers(&mut self, next: BlockId) -> Terminator {
        let id = self.want("__craig_handlers");
        let null = self.program.constant(0, self.program.pointer_width);
        Terminator::Call {
            callee: Callee::Direct(id),
            args: vec![null],
            result: None,
            next,
        }
    }
}
