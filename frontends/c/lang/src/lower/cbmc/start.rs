//! The start of a program as CBMC's command line wants it, and what the verdict says about that.

use std::collections::BTreeSet;

use crate::ir::{Function, Instr, StaticId};

use super::super::Lowering;
use super::super::assigns::{is_internal, root};
use super::super::state::Root;

impl Lowering<'_> {
    /// With `--nondet-static`, and where contracts are used (`goto-instrument --dfcc` does the same), static objects that are not constant have any value at the start: their
    /// initialisation, in the start function, is left out.
    pub(in crate::lower) fn forget_initial_values(&mut self, start: &mut Function) {
        let options = &self.options.cbmc;
        if !options.nondet_static && !options.contracts.are_used() {
            return;
        }
        let mut open = BTreeSet::new();
        for id in 0..self.program.statics.len() as StaticId {
            let object = &self.program.statics[id as usize];
            if !object.is_constant && !is_internal(&self.program, id) {
                open.insert(id);
                self.program.statics[id as usize].external = true;
            }
        }
        let program = &self.program;
        for block in &mut start.blocks {
            block.instrs.retain(|(instr, _)| match instr {
                Instr::Store { address, .. } => !matches!(
                    root(program, *address),
                    Some(Root::Static(id)) if open.contains(&id)
                ),
                _ => true,
            });
        }
        self.note("static objects that are not constant have any value at the start".into());
    }

    /// Says what becomes of bounds for loops.
    pub(in crate::lower) fn note_bounds(&mut self) {
        if self.options.cbmc.is_dialect() && self.options.cbmc.has_bounds {
            self.note("bounds of loops by options are hints: none is assumed".into());
        }
    }
}
