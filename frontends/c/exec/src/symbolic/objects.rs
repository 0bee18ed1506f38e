//! Objects of blocks, and what they share with those of allocations: creation and end.

use craig_c_lang::address_space::ObjectId;
use std::sync::Arc;

use craig_c_lang::ir::*;
use craig_word::Term;

use super::executor::{Executor, Supported};
use super::state::{Call, Happening, Position, State};

impl Executor<'_> {
    pub(super) fn slot_object(&mut self, slot: SlotId, position: &Position) -> Supported<ObjectId> {
        let key = (position.call.context, slot);
        if let Some(&object) = self.slots.get(&key) {
            return Ok(object);
        }
        let function = &self.program.functions[position.call.function as usize];
        let slot = &function.slots[slot as usize];
        let object = self.space.add_declared(slot)?;
        self.slots.insert(key, object);
        self.frame_objects.insert(object, slot.ty.clone());
        Ok(object)
    }

    /// The objects of frames that variables do not keep the address of, each with its calling context and slot.
    pub fn local_objects(&self) -> impl Iterator<Item = (ObjectId, (u32, SlotId))> {
        self.slots.iter().map(|(&key, &object)| (object, key))
    }

    /// The number of a call, the same in every execution.
    pub(super) fn call_number(&mut self, call: &Call) -> u32 {
        let key: Vec<u32> = [u32::MAX - 3]
            .iter()
            .chain(&call.caller_key)
            .copied()
            .collect();
        self.number(&key)
    }

    /// The object of a declaration. If variables may keep its address, each execution creates a new object
    /// (C11 6.2.4p6); in a program with cuts it has to be the same, and there must be no remaining pointer to
    /// the previous one.
    pub(super) fn new_object(
        &mut self,
        slot: SlotId,
        position: &Position,
        state: &mut State,
    ) -> Supported<ObjectId> {
        let function = &self.program.functions[position.call.function as usize];
        let of = &function.slots[slot as usize];
        if !of.escapes {
            return self.slot_object(slot, position);
        }
        if self.counting {
            let object = self.slot_object(slot, position)?;
            self.check_stale(object, position, state)?;
            return Ok(object);
        }
        let key = (self.instance, self.step);
        let object = match self.entered.get(&key) {
            Some(&object) => object,
            None => {
                let object = self.space.add_declared(of)?;
                self.entered.insert(key, object);
                self.frame_objects.insert(object, of.ty.clone());
                object
            }
        };
        let call = self.call_number(&position.call);
        self.of_calls.entry(call).or_default().insert(object);
        let base = self.base(object);
        let kept = function.regs.len() + slot as usize;
        Arc::make_mut(&mut state.registers[position.call.depth])[kept] = Some(base);
        Ok(object)
    }

    /// Ends the lifetime of an object of the frame.
    pub(super) fn end_slot(
        &mut self,
        slot: SlotId,
        position: &Position,
        state: &mut State,
    ) -> Supported<()> {
        let objects: Vec<ObjectId> = match kept_address(self, slot, position, state) {
            Some(address) => {
                let points = self.points.of(&self.terms, &self.space, address);
                points.objects.iter().copied().collect()
            }
            None => vec![self.slot_object(slot, position)?],
        };
        for object in objects {
            state.forget(object);
            self.bury(state, object);
        }
        Ok(())
    }

    pub(super) fn declare(
        &mut self,
        slot: SlotId,
        position: &Position,
        state: &mut State,
    ) -> Supported<()> {
        let object = self.new_object(slot, position, state)?;
        let mut cells = self.fresh_cells(object, false);
        let size = u128::from(self.space.objects[object as usize].shape.size);
        let size = self.terms.constant(size, self.space.width);
        self.remember_size(object, &mut cells, size);
        self.add_element(object, &mut cells, false);
        let owner = self.create(state, object, cells.clone(), false);
        let one = self.terms.boolean(true);
        self.give_life(state, object, one);
        self.event(
            state,
            Happening::Create {
                object,
                cells,
                owner,
            },
        );
        Ok(())
    }

    pub(super) fn fresh_cells(&mut self, object: ObjectId, zeroed: bool) -> Arc<Vec<Term>> {
        self.leave_out_cells(object);
        let shape = self.space.objects[object as usize].shape.clone();
        let cells = shape.cells.iter().map(|&(_, bytes)| {
            if zeroed {
                self.terms.constant(0, bytes * 8)
            } else {
                self.variable(bytes * 8)
            }
        });
        Arc::new(cells.collect())
    }

    /// Whether an object is represented without cells: as a chain of writes over uninitialised contents, if
    /// there are no cuts.
    fn is_blank(&self, object: ObjectId) -> bool {
        !self.counting && self.space.objects[object as usize].shape.is_opaque()
    }

    /// Creates an object with its contents. If it has no cells, they are zeros, or identified by the result.
    pub(super) fn create(
        &mut self,
        state: &mut State,
        object: ObjectId,
        cells: Arc<Vec<Term>>,
        zeroed: bool,
    ) -> Option<Term> {
        state.memory.extend_to(object as usize + 1);
        state.memory[object as usize] = Some(cells);
        state.overlays.remove(&object);
        self.forget_element_reads();
        if !self.is_blank(object) {
            return None;
        }
        let owner = (!zeroed).then(|| self.variable(8));
        let size = self.space.objects[object as usize].shape.size;
        let chain = self.overlays.blank(size, owner);
        state.overlays.insert(object, chain);
        owner
    }
}

/// The address of an object of the frame that is distinguished from those of other executions.
pub(super) fn kept_address(
    executor: &Executor<'_>,
    slot: SlotId,
    position: &Position,
    state: &State,
) -> Option<Term> {
    let function = &executor.program.functions[position.call.function as usize];
    let kept = function.regs.len() + slot as usize;
    (state.registers[position.call.depth].get(kept).copied()).flatten()
}
