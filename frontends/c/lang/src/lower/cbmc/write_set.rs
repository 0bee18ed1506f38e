//! Write sets: what code may write, where a contract says so. The targets are kept in objects of the lowering, so that
//! functions which the code calls are confined, too; the checks are put before each write when all functions are
//! lowered.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::ir::ghost::{Confined, Ghost};
use crate::ir::{
    Block, BlockId, Callee, Expr, ExprNode, Function, FunctionId, Instr, Location, Program, Reg,
    Register, SlotId, StaticId, Terminator,
};
use crate::types::{IntType, Type};
use craig_word::Op;

use super::super::assigns::{is_internal, root};
use super::super::state::{Region, Root, WriteSet};
use super::super::{Lowering, Result};
use super::infer::Havocs;
use super::target::Target;

impl WriteSet {
    /// The set confines a function. `is_guarded`: calls of it from what it calls do not come to its body.
    pub(super) fn confine_function(&mut self, function: FunctionId, is_guarded: bool) {
        self.region = Some(Region {
            function,
            is_guarded,
            blocks: None,
            arbitrary: None,
            slots_from: 0,
        });
    }
}

impl Region {
    fn covers(&self, block: BlockId) -> bool {
        (self.blocks.as_ref())
            .is_none_or(|(own, made)| own.contains(&block) || made.contains(&block))
    }
}

/// What a write set means for a write in a function.
#[derive(Clone, Copy)]
struct Use {
    set: usize,
    /// Whether the code is confined only while the set is open: it is called from elsewhere, too.
    if_open: bool,
}

/// A write of code that may be confined.
struct Write {
    address: Expr,
    size: Expr,
    condition: Option<Expr>,
    is_free: bool,
}

impl<'a> Lowering<'a> {
    /// Opens a write set with the targets as they are now, and pointers to what may be freed.
    pub(super) fn open_write_set(&mut self, targets: &[Target], freed: &[Expr]) -> Result<usize> {
        let number = self.write_sets.len();
        let byte = Type::Int(IntType::UCHAR);
        let word = Type::Int(IntType::long(self.options.model, false));
        let open = self.static_object(&format!("write set {number} is open"), &byte, false)?;
        let mut kept = Vec::new();
        let width = self.pointer_width();
        for target in targets {
            let Target::Bytes(bytes) = target else {
                continue;
            };
            let place =
                self.static_object(&format!("a target of write set {number}"), &word, false)?;
            let size =
                self.static_object(&format!("a size in write set {number}"), &word, false)?;
            let zero = self.program.constant(0, width);
            let own = self.program.ite(bytes.included, bytes.size, zero);
            self.store_static(place, bytes.address);
            self.store_static(size, own);
            kept.push((place, size));
        }
        let mut freeable = Vec::new();
        for &pointer in freed {
            let name = format!("what write set {number} may free");
            let place = self.static_object(&name, &word, false)?;
            self.store_static(place, pointer);
            freeable.push(place);
        }
        let one = self.program.constant(1, 8);
        self.store_static(open, one);
        let set = number as u32;
        self.emit(Instr::Ghost(Ghost::OpenWriteSet { set }));
        self.write_sets.push(WriteSet {
            open,
            targets: kept,
            freed: freeable,
            own: Vec::new(),
            region: None,
        });
        Ok(number)
    }

    pub(super) fn store_static(&mut self, object: StaticId, value: Expr) {
        let address = self.static_address(object);
        let bytes = self.program.width(value) / 8;
        self.emit(Instr::Store {
            address,
            value,
            bytes,
        });
    }

    /// Closes a write set.
    pub(super) fn close_write_set(&mut self, set: usize) {
        let open = self.write_sets[set].open;
        let zero = self.program.constant(0, 8);
        self.store_static(open, zero);
    }

    /// Instructions that close a write set, for code that leaves a loop.
    pub(super) fn closing(&mut self, set: usize) -> Instr {
        let address = self.static_address(self.write_sets[set].open);
        let value = self.program.constant(0, 8);
        Instr::Store {
            address,
            value,
            bytes: 1,
        }
    }

    /// The set confines blocks of the function that is being lowered; the function is known at its end. `arbitrary`: where what
    /// they write becomes arbitrary.
    pub(super) fn confine_blocks(
        &mut self,
        set: usize,
        blocks: (Vec<BlockId>, Range<BlockId>),
        arbitrary: (BlockId, Location),
        slots_from: SlotId,
    ) {
        self.write_sets[set].region = Some(Region {
            function: FunctionId::MAX,
            is_guarded: false,
            blocks: Some(blocks),
            arbitrary: Some(arbitrary),
            slots_from,
        });
    }

    /// The number of the function that has just been lowered, for the sets that confine loops of it.
    pub(in crate::lower) fn place_write_sets(&mut self, function: FunctionId) {
        let regions = self
            .write_sets
            .iter_mut()
            .filter_map(|set| set.region.as_mut());
        for region in regions.filter(|region| region.function == FunctionId::MAX) {
            region.function = function;
        }
    }

    /// Puts checks before all writes that a set confines. Returns what makes the objects arbitrary that loops may write without
    /// naming them.
    ///
    /// # Errors
    /// If confined code calls itself: its targets are kept once.
    pub(in crate::lower) fn confine_writes(&mut self) -> Result<Vec<Havocs>> {
        let mut uses: BTreeMap<FunctionId, Vec<Use>> = BTreeMap::new();
        let mut of_loops = Vec::new();
        for (number, set) in self.write_sets.iter_mut().enumerate() {
            let Some(region) = &set.region else { continue };
            let called = called_by(&self.program, region);
            if called.contains(&region.function) {
                let name = &self.program.functions[region.function as usize].name;
                return Err(format!("a contract in `{name}`, which calls itself"));
            }
            let confined = called.iter().copied().chain([region.function]);
            set.own = own_statics(&self.program, &self.local_statics, confined);
            if let Some((block, at)) = region.arbitrary {
                let objects: BTreeSet<StaticId> = set.own.iter().map(|own| own.1).collect();
                of_loops.push((region.function, block, at, objects));
            }
            let of_region = uses.entry(region.function).or_default();
            of_region.push(Use {
                set: number,
                if_open: false,
            });
            for function in called {
                uses.entry(function).or_default().push(Use {
                    set: number,
                    if_open: true,
                });
            }
        }
        for (id, uses) in uses {
            let mut function =
                std::mem::replace(&mut self.program.functions[id as usize], Function::new(""));
            for block in 0..function.blocks.len() as BlockId {
                self.confine_block(id, &mut function, block, &uses);
            }
            self.program.functions[id as usize] = function;
        }
        let havocs = of_loops.into_iter().map(|(function, block, at, objects)| {
            let addresses = objects
                .into_iter()
                .map(|object| self.static_address(object));
            let addresses = addresses.collect();
            (function, block, self.made_arbitrary(addresses, at))
        });
        Ok(havocs.collect())
    }

    fn confine_block(
        &mut self,
        id: FunctionId,
        function: &mut Function,
        block: BlockId,
        uses: &[Use],
    ) {
        let instrs = std::mem::take(&mut function.blocks[block as usize].instrs);
        let mut confined = Vec::with_capacity(instrs.len());
        for (instr, at) in instrs {
            if let Some(write) = self.write_of(&instr) {
                let mut sets = Vec::new();
                for one in uses {
                    if self.is_exempt(id, block, &write, *one, at) {
                        continue;
                    }
                    let is_outside =
                        self.is_outside((id, function), &write, *one, at, &mut confined);
                    sets.push(Confined {
                        set: one.set as u32,
                        is_outside,
                    });
                }
                if !sets.is_empty() {
                    let check = Ghost::CheckAssigned {
                        address: write.address,
                        confined: sets,
                    };
                    confined.push((Instr::Ghost(check), at));
                }
            }
            confined.push((instr, at));
        }
        function.blocks[block as usize].instrs = confined;
    }

    fn write_of(&mut self, instr: &Instr) -> Option<Write> {
        let width = self.pointer_width();
        Some(match instr {
            Instr::Store { address, bytes, .. } => Write {
                address: *address,
                size: self.program.constant(u128::from(*bytes), width),
                condition: None,
                is_free: false,
            },
            Instr::Free { address } => Write {
                address: *address,
                size: self.program.constant(0, width),
                condition: None,
                is_free: true,
            },
            Instr::Ghost(Ghost::Havoc {
                address,
                size,
                condition,
                ..
            }) => Write {
                address: *address,
                // The whole object: more than any target has.
                size: size.unwrap_or_else(|| self.program.constant(u128::MAX >> 64, width)),
                condition: Some(*condition),
                is_free: false,
            },
            _ => return None,
        })
    }

    /// Whether a set has nothing to do with a write.
    fn is_exempt(
        &self,
        id: FunctionId,
        block: BlockId,
        write: &Write,
        one: Use,
        at: Location,
    ) -> bool {
        let Some(region) = &self.write_sets[one.set].region else {
            return true;
        };
        let is_region = region.function == id && !one.if_open;
        if is_region && !region.covers(block) {
            return true;
        }
        match root(&self.program, write.address) {
            Some(Root::Slot(slot)) => !is_region || slot >= region.slots_from,
            Some(Root::Static(object)) => {
                is_internal(&self.program, object)
                    || at.file >= self.library.1
                    || self.write_sets[one.set].own.contains(&(id, object))
            }
            _ => false,
        }
    }

    /// One bit: whether a write is confined by a set, and not to one of its targets.
    fn is_outside(
        &mut self,
        (id, function): (FunctionId, &mut Function),
        write: &Write,
        one: Use,
        at: Location,
        before: &mut Vec<(Instr, Location)>,
    ) -> Expr {
        let width = self.pointer_width();
        let mut permitted = self.program.constant(0, 1);
        if write.is_free {
            for pointer in self.write_sets[one.set].freed.clone() {
                let pointer = self.loaded(function, pointer, width, at, before);
                let own = self.program.binary(Op::Eq, pointer, write.address);
                permitted = self.or(permitted, own);
            }
        } else {
            let mut places = Vec::new();
            for (place, size) in self.write_sets[one.set].targets.clone() {
                let place = self.loaded(function, place, width, at, before);
                let size = self.loaded(function, size, width, at, before);
                places.push((place, size));
            }
            let own = self.write_sets[one.set].own.clone();
            for (_, object) in own.into_iter().filter(|(of, _)| *of == id) {
                let size = self.program.statics[object as usize].shape.size;
                let size = self.program.constant(u128::from(size), width);
                places.push((self.static_address(object), size));
            }
            for (place, size) in places {
                let distance = self.program.binary(Op::Sub, write.address, place);
                let too_large = self.program.binary(Op::Ult, size, write.size);
                let last = self.program.binary(Op::Sub, size, write.size);
                let beyond = self.program.binary(Op::Ult, last, distance);
                let misfit = self.or(too_large, beyond);
                let fits = self.program.not(misfit);
                permitted = self.or(permitted, fits);
            }
        }
        let mut outside = self.program.not(permitted);
        if one.if_open {
            let open = self.write_sets[one.set].open;
            let open = self.loaded(function, open, 8, at, before);
            let open = self.program.truth(open);
            outside = self.program.binary(Op::And, outside, open);
        }
        if let Some(condition) = write.condition {
            outside = self.program.binary(Op::And, outside, condition);
        }
        outside
    }

    /// The contents of an object of the lowering.
    fn loaded(
        &mut self,
        function: &mut Function,
        object: StaticId,
        width: u32,
        at: Location,
        before: &mut Vec<(Instr, Location)>,
    ) -> Expr {
        let reg = function.regs.len() as Reg;
        function.regs.push(Register {
            width,
            name: None,
            ty: None,
        });
        let address = self.static_address(object);
        let bytes = width / 8;
        before.push((
            Instr::Load {
                reg,
                address,
                bytes,
            },
            at,
        ));
        self.program.make(ExprNode::Reg(reg), width)
    }
}

/// The functions that code calls, directly or not.
fn called_by(program: &Program, region: &Region) -> BTreeSet<FunctionId> {
    let mut found = BTreeSet::new();
    let own = &program.functions[region.function as usize];
    let blocks = own.blocks.iter().enumerate();
    let blocks = blocks.filter(|(number, _)| region.covers(*number as BlockId));
    let mut work: Vec<FunctionId> = blocks
        .flat_map(|(_, block)| calls(program, block))
        .collect();
    while let Some(id) = work.pop() {
        if region.is_guarded && id == region.function {
            continue;
        }
        if found.insert(id) {
            let function = &program.functions[id as usize];
            work.extend(
                function
                    .blocks
                    .iter()
                    .flat_map(|block| calls(program, block)),
            );
        }
    }
    found
}

/// The `static` objects of blocks that the code of each function may write: its own, and those of functions that call it, which may
/// have passed their addresses.
fn own_statics(
    program: &Program,
    locals: &[(StaticId, String)],
    confined: impl Iterator<Item = FunctionId>,
) -> Vec<(FunctionId, StaticId)> {
    let mut own = Vec::new();
    for id in confined {
        let name = &program.functions[id as usize].name;
        let is_open = |object: StaticId| !program.statics[object as usize].is_constant;
        let objects = locals.iter().filter(|(_, of)| of == name);
        let objects = objects.map(|(object, _)| *object);
        let objects: Vec<StaticId> = objects.filter(|&object| is_open(object)).collect();
        if objects.is_empty() {
            continue;
        }
        let region = Region {
            function: id,
            is_guarded: true,
            blocks: None,
            arbitrary: None,
            slots_from: 0,
        };
        for writer in called_by(program, &region).into_iter().chain([id]) {
            own.extend(objects.iter().map(|object| (writer, *object)));
        }
    }
    own
}

/// The functions that a block may call.
fn calls(program: &Program, block: &Block) -> Vec<FunctionId> {
    match &block.end {
        Terminator::Call {
            callee: Callee::Direct(id),
            ..
        } => vec![*id],
        Terminator::Call { .. } => (program.exprs.iter())
            .filter_map(|(node, _)| match node {
                ExprNode::Function(id) => Some(*id),
                _ => None,
            })
            .collect(),
        _ => Vec::new(),
    }
}
