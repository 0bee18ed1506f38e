//! What a loop assigns whose contract does not say so: whole objects, by the pointers in the loop's code. If a pointer
//! is not known before the loop, the contract of the loop is not used.

use std::collections::{BTreeSet, HashSet};
use std::ops::Range;

use crate::ir::ghost::Ghost;
use crate::ir::{
    BlockId, Callee, Expr, ExprNode, Function, FunctionId, Instr, Location, Program, Reg, SlotId,
    StaticId, Terminator,
};

use super::super::Lowering;
use super::super::assigns::{is_internal, root, written};
use super::super::state::{Inferred, Root};

/// A function, the block before a loop, and the instructions there that make what the loop assigns arbitrary.
pub(in crate::lower) type Havocs = (FunctionId, BlockId, Vec<(Instr, Location)>);

/// The blocks of a loop.
pub(super) fn region(blocks: &(Vec<BlockId>, Range<BlockId>)) -> impl Iterator<Item = BlockId> {
    blocks.0.clone().into_iter().chain(blocks.1.clone())
}

/// What some code may write: the objects of these addresses.
#[derive(Default)]
struct Written {
    statics: BTreeSet<StaticId>,
    slots: BTreeSet<SlotId>,
    registers: BTreeSet<Reg>,
}

/// The registers that code writes, with their values where these are known.
struct Registers<'p> {
    program: &'p Program,
    function: &'p Function,
    blocks: Vec<BlockId>,
    /// Registers from this number on belong to the code.
    own_from: Reg,
}

impl Registers<'_> {
    /// The values of a register in the code; `None` if one is not computed from others.
    fn values(&self, reg: Reg) -> Option<Vec<Expr>> {
        let mut values = Vec::new();
        for &block in &self.blocks {
            let block = &self.function.blocks[block as usize];
            for (instr, _) in &block.instrs {
                match instr {
                    Instr::Set { reg: own, value } if *own == reg => values.push(*value),
                    instr if written(instr) == Some(reg) => return None,
                    _ => {}
                }
            }
            if matches!(block.end, Terminator::Call { result: Some(own), .. } if own == reg) {
                return None;
            }
        }
        Some(values)
    }

    /// Adds the object of an address, as it is known before the code.
    fn add(&self, address: Expr, into: &mut Written, seen: &mut HashSet<Reg>) -> Option<()> {
        match root(self.program, address)? {
            Root::Static(id) => {
                into.statics.insert(id);
            }
            Root::Slot(slot) => {
                into.slots.insert(slot);
            }
            Root::Register(reg) => {
                let values = self.values(reg)?;
                if reg < self.own_from {
                    into.registers.insert(reg);
                } else if values.is_empty() {
                    return None;
                }
                if seen.insert(reg) {
                    for value in values {
                        self.add(value, into, seen)?;
                    }
                }
            }
        }
        Some(())
    }
}

/// What blocks of a function write; `None` if that is not known.
fn written_by(
    program: &Program,
    id: FunctionId,
    (blocks, own_from): (Vec<BlockId>, Reg),
    depth: u32,
) -> Option<Written> {
    let function = &program.functions[id as usize];
    let registers = Registers {
        program,
        function,
        blocks,
        own_from,
    };
    let mut all = Written::default();
    for &block in &registers.blocks {
        let block = &function.blocks[block as usize];
        for (instr, _) in &block.instrs {
            match instr {
                Instr::Store { address, .. } | Instr::Ghost(Ghost::Havoc { address, .. }) => {
                    registers.add(*address, &mut all, &mut HashSet::new())?;
                }
                Instr::Free { .. } | Instr::Havoc { .. } => return None,
                _ => {}
            }
        }
        match &block.end {
            Terminator::Call {
                callee: Callee::Direct(called),
                args,
                ..
            } => {
                let callee = &program.functions[*called as usize];
                if depth == 0 || callee.blocks.is_empty() {
                    return None;
                }
                let whole = (0..callee.blocks.len() as BlockId).collect();
                let inner =
                    written_by(program, *called, (whole, callee.n_params as Reg), depth - 1)?;
                all.statics.extend(inner.statics);
                for reg in inner.registers {
                    let argument = args.get(reg as usize)?;
                    registers.add(*argument, &mut all, &mut HashSet::new())?;
                }
            }
            Terminator::Call { .. } => return None,
            _ => {}
        }
    }
    Some(all)
}

impl Lowering<'_> {
    /// What the loops of a function that has been lowered assign, for those that do not say so.
    pub(in crate::lower) fn keep_inferred(&mut self, id: FunctionId, inferred: Vec<Inferred>) {
        self.inferred
            .extend(inferred.into_iter().map(|of_loop| (id, of_loop)));
    }

    /// Finds what loops assign that do not say so. Their contracts are noted as unusable where that is not known.
    pub(in crate::lower) fn infer_targets(&mut self) -> Vec<Havocs> {
        let mut found = Vec::new();
        for (id, of_loop) in std::mem::take(&mut self.inferred) {
            let blocks: Vec<BlockId> = region(&of_loop.blocks).collect();
            let own = (blocks, of_loop.registers_from);
            let Some(all) = written_by(&self.program, id, own, 8) else {
                self.unusable_contracts.push((of_loop.place, of_loop.at));
                continue;
            };
            let width = self.program.pointer_width;
            let mut addresses = Vec::new();
            for object in all.statics {
                if !is_internal(&self.program, object) {
                    addresses.push(self.static_address(object));
                }
            }
            for slot in all.slots {
                if slot < of_loop.slots_from {
                    addresses.push(self.slot_address(slot));
                }
            }
            for reg in all.registers {
                addresses.push(self.program.make(ExprNode::Reg(reg), width));
            }
            let havoc = self.made_arbitrary(addresses, of_loop.at);
            found.push((id, of_loop.arbitrary, havoc));
        }
        found
    }

    /// Instructions that make the objects of addresses arbitrary.
    pub(super) fn made_arbitrary(
        &mut self,
        addresses: Vec<Expr>,
        at: Location,
    ) -> Vec<(Instr, Location)> {
        let condition = self.program.constant(1, 1);
        let havoc = addresses.into_iter().map(|address| {
            let ghost = Ghost::Havoc {
                address,
                size: None,
                condition,
                has_numbers: false,
            };
            (Instr::Ghost(ghost), at)
        });
        havoc.collect()
    }

    /// Makes what loops assign arbitrary before their rounds. Pointers are read before they become arbitrary
    /// themselves.
    pub(in crate::lower) fn insert_havocs(&mut self, found: Vec<Havocs>) {
        for (id, block, instrs) in found {
            let function = &mut self.program.functions[id as usize];
            function.blocks[block as usize].instrs.splice(0..0, instrs);
        }
    }
}
