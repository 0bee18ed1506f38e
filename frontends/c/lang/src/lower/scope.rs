//! Scopes: their objects, and the lifetimes that a jump into one starts (C11 6.2.4p6).

use crate::ir::{BlockId, Instr, Terminator};

use super::Lowering;
use super::symbol::{Declared, Scope};

impl Lowering<'_> {
    pub(super) fn open_scope(&mut self) {
        self.n_scopes += 1;
        self.scopes.push(Scope {
            number: self.n_scopes,
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
        self.builder.jumps.push((way, target, around));
        way
    }

    /// Records the declarations in scope at a label.
    pub(super) fn declared_at(&mut self, label: BlockId) {
        let declared = self
            .scopes
            .iter()
            .map(|scope| (scope.number, scope.declared()));
        let declared = declared.collect();
        self.builder.declared.insert(label, declared);
    }

    /// The block through which a `switch` with so many enclosing scopes reaches a block of its body: the
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
        for (way, target, around) in std::mem::take(&mut self.builder.jumps) {
            let declared = self.builder.declared.get(&target);
            let entered = declared
                .into_iter()
                .flatten()
                .filter(|scope| !around.contains(&scope.0));
            let births: Vec<Instr> = entered
                .flat_map(|scope| scope.1.iter().map(|it| it.birth()))
                .collect();
            let block = &mut self.builder.function.blocks[way as usize];
            let at = block.end_at;
            block.instrs = births.into_iter().map(|instr| (instr, at)).collect();
            block.end = Terminator::Jump(target);
        }
    }
}
