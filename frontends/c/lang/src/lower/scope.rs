//! Scopes: their objects, and the lifetimes that a jump into one starts (C11 6.2.4p6).

use crate::ir::{BlockId, Choice, Instr, Reg, SlotId, Terminator};
use crate::types::Type;

use super::builder::Jump;
use super::symbol::{Declared, Scope};
use super::{Lowering, Result};

/// Objects with more cells than this are not given arbitrary contents again.
const MAX_REDECLARED: usize = 1 << 10;

impl Lowering<'_> {
    pub(super) fn open_scope(&mut self) {
        self.n_scopes += 1;
        let block = self.builder.current;
        let n_instrs = self.builder.function.blocks[block as usize].instrs.len();
        self.scopes.push(Scope {
            number: self.n_scopes,
            entry: (block, n_instrs),
            ..Scope::default()
        });
    }

    /// A jump from here to a label. The lifetimes that it starts are known when the label is, at the end of
    /// the function.
    pub(super) fn way_to_label(&mut self, name: &str) -> BlockId {
        let target = self.label(name);
        let way = self.builder.block();
        self.builder.function.blocks[way as usize].end_at = self.at;
        let around = self.scopes.iter().map(|scope| scope.number).collect();
        let pending = self.pending_cleanups(0);
        self.builder.jumps.push(Jump {
            way,
            target,
            around,
            pending,
        });
        way
    }

    /// Executes an instruction where control enters the innermost scope, and not again when a jump goes back to
    /// a label within it (C11 6.2.4p6).
    fn at_entry(&mut self, instr: Instr) {
        let Some(scope) = self.scopes.last_mut() else {
            return;
        };
        let (block, index) = scope.entry;
        scope.entry.1 += 1;
        let own = self.scopes.len() - 1;
        for (other, scope) in self.scopes.iter_mut().enumerate() {
            if other != own && scope.entry.0 == block && scope.entry.1 > index {
                scope.entry.1 += 1;
            }
        }
        let at = self.at;
        let block = &mut self.builder.function.blocks[block as usize];
        block.instrs.insert(index, (instr, at));
    }

    /// The start of the lifetime of an object of the innermost scope, at its declaration.
    pub(super) fn declare_slot(
        &mut self,
        slot: SlotId,
        ty: &Type,
        is_initialised: bool,
    ) -> Result<()> {
        let Some(&Scope {
            number, has_label, ..
        }) = self.scopes.last()
        else {
            return Ok(());
        };
        if !has_label {
            self.emit(Instr::Declare { slot });
            return Ok(());
        }
        // A jump back within the block does not end it: there is one object for all executions.
        self.at_entry(Instr::Declare { slot });
        for (&label, scopes) in &mut self.builder.declared {
            if let Some(scope) = scopes.iter_mut().find(|scope| scope.0 == number) {
                scope.1.push(Declared::Object(slot));
                let here = self.builder.in_scope.iter_mut();
                for (_, alive) in here.filter(|(block, _)| *block == label) {
                    alive.push(slot);
                }
            }
        }
        if is_initialised {
            return Ok(());
        }
        // Its contents are arbitrary again.
        let cells = (self.types.cells(ty, MAX_REDECLARED))
            .ok_or("a large object whose declaration may be executed again after a jump back")?;
        let base = self.slot_address(slot);
        for (offset, bytes) in cells {
            let reg = self.fresh(bytes * 8);
            self.emit(Instr::Choose {
                reg,
                kind: Choice::Uninitialised,
            });
            let (address, value) = (self.offset(base, offset), self.read(reg));
            self.emit(Instr::Store {
                address,
                value,
                bytes,
            });
        }
        Ok(())
    }

    /// A jump back to before the declaration of an array of variable length ends it (C11 6.2.4p7): when the
    /// declaration is executed again, the array before is gone.
    pub(super) fn end_earlier_array(&mut self, array: Reg) {
        if !self.scopes.last().is_some_and(|scope| scope.has_label) {
            return;
        }
        let value = self.program.constant(0, self.program.pointer_width);
        self.at_entry(Instr::Set { reg: array, value });
        let address = self.read(array);
        self.emit(Instr::EndAllocated { address });
    }

    /// Records the declarations in scope at a label.
    pub(super) fn declared_at(&mut self, label: BlockId) {
        for scope in &mut self.scopes {
            scope.has_label = true;
        }
        let declared = self
            .scopes
            .iter()
            .map(|scope| (scope.number, scope.declared()));
        let declared = declared.collect();
        self.builder.declared.insert(label, declared);
        let cleaned = self.scopes.iter().flat_map(Scope::cleanup_numbers);
        let cleaned = cleaned.collect();
        self.builder.cleaned_at.insert(label, cleaned);
    }

    /// The block through which a `switch` with `depth` enclosing scopes reaches a block of its body: the
    /// lifetimes of the objects of the scopes between them start there.
    pub(super) fn way_into_switch(&mut self, target: BlockId, depth: usize) -> BlockId {
        let declared: Vec<Declared> = (self.scopes[depth..].iter())
            .flat_map(Scope::declared)
            .collect();
        if declared.is_empty() {
            return target;
        }
        let way = self.builder.block();
        let at = self.at;
        let block = &mut self.builder.function.blocks[way as usize];
        block.instrs = declared.into_iter().map(|it| (it.birth(), at)).collect();
        (block.end, block.end_at) = (Terminator::Jump(target), at);
        way
    }

    /// Starts the lifetimes of objects in scope at the label and not at the jump, for all jumps to labels.
    pub(super) fn finish_jumps(&mut self) {
        for jump in std::mem::take(&mut self.builder.jumps) {
            self.builder.current = jump.way;
            self.at = self.builder.function.blocks[jump.way as usize].end_at;
            self.clean_up_in_jump(&jump);
            let declared = self.builder.declared.get(&jump.target);
            let entered = declared
                .into_iter()
                .flatten()
                .filter(|scope| !jump.around.contains(&scope.0));
            let births: Vec<Instr> = entered
                .flat_map(|scope| scope.1.iter().map(|it| it.birth()))
                .collect();
            for birth in births {
                self.emit(birth);
            }
            let end = self.builder.current;
            self.terminate_into(Terminator::Jump(jump.target), end);
        }
    }
}
