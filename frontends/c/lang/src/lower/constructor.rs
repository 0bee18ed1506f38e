//! Functions that run before the entry function and after it: those with GNU's attributes `constructor` and `destructor`, and the
//! handlers that `atexit` registers.
//!
//! The linker sorts the arrays of both kinds by priority; those of destructors are called from their end (the System V ABI's
//! `DT_FINI_ARRAY`), after all handlers.

use crate::ir::{BlockId, Callee, Terminator};
use crate::syntax::ast::Attribute;

use super::state::Constructor;
use super::{Lowering, Result};

impl<'a> Lowering<'a> {
    /// Records a function with GNU's attribute `constructor` or `destructor`, with its priority.
    pub(super) fn note_constructor(&mut self, name: &str, attribute: &'a Attribute, is_last: bool) {
        let priority = attribute.arguments.first();
        let priority = priority.map_or(Ok(i128::from(u16::MAX)), |number| self.constant(number));
        let link = self.link_name(name).into_owned();
        let known = match is_last {
            true => &mut self.destructors,
            false => &mut self.constructors,
        };
        let mut own = known.iter().filter(|known| !known.is_pointer);
        if own.all(|known| known.link != link) {
            known.push(Constructor {
                order: priority.unwrap_or_default(),
                link,
                is_pointer: false,
            });
        }
    }

    /// The calls of the functions that run before the entry, by their priorities and then by their order.
    pub(super) fn call_constructors(&mut self) -> Result<()> {
        let mut constructors = self.constructors.clone();
        constructors.sort_by_key(|constructor| constructor.order);
        let is_open = |pair: &[Constructor]| {
            pair[0].order == pair[1].order && pair[0].is_pointer != pair[1].is_pointer
        };
        if constructors.windows(2).any(is_open) {
            return Err(
                "a constructor beside a pointer in the section `.init_array`, whose order is open"
                    .into(),
            );
        }
        for constructor in &constructors {
            self.call_noted(constructor)?;
        }
        Ok(())
    }

    /// The calls at a normal end of the program: of the registered handlers, and of the functions that run last.
    pub(super) fn call_at_end(&mut self) -> Result<()> {
        if self.calls_atexit {
            let next = self.builder.block();
            let handlers = self.call_handlers(next);
            self.terminate_into(handlers, next);
        }
        let mut destructors = self.destructors.clone();
        if destructors.is_empty() {
            return Ok(());
        }
        self.library_call("__craig_ends_once", Vec::new())?;
        destructors.sort_by_key(|destructor| destructor.order);
        for destructor in destructors.iter().rev() {
            self.call_noted(destructor)?;
        }
        Ok(())
    }

    /// A call of the function, unless it is declared alone.
    fn call_noted(&mut self, constructor: &Constructor) -> Result<()> {
        let Some(definition) = self.definitions.get(&constructor.link) else {
            if constructor.is_pointer {
                return Err("a function without a body in the section `.init_array`".into());
            }
            return Ok(());
        };
        let (_, ty, _) = self.definition_head(definition.function)?;
        if !ty.params.is_empty() {
            return Err(
                "a function with parameters that runs before `main` or after the end".into(),
            );
        }
        let Some(&id) = self.function_ids.get(&constructor.link) else {
            return Ok(());
        };
        self.wanted.push(constructor.link.clone());
        let result = self.scalar_width(&ty.result).map(|width| self.fresh(width));
        let next = self.builder.block();
        let call = Terminator::Call {
            callee: Callee::Direct(id),
            args: Vec::new(),
            result,
            next,
        };
        self.terminate_into(call, next);
        Ok(())
    }

    /// The call of the library's function that runs the `atexit` handlers.
    fn call_handlers(&mut self, next: BlockId) -> Terminator {
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
