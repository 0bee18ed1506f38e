//! Objects of blocks and of allocations: creation and end.

use std::sync::Arc;

use crate::ir::*;
use craig_word::{Node, Term};

use super::executor::{COUNTER_BITS, Executor, POOL, Supported};
use super::memory::ObjectId;
use super::state::{Call, Happening, Mark, Position, State};

impl Executor<'_> {
    pub(super) fn slot_object(&mut self, slot: SlotId, position: &Position) -> Supported<ObjectId> {
        let key = (position.call.context, slot);
        if let Some(&object) = self.slots.get(&key) {
            return Ok(object);
        }
        let function = &self.program.functions[position.call.function as usize];
        let slot = &function.slots[slot as usize];
        let object = self.space.add(slot.shape.clone())?;
        self.slots.insert(key, object);
        self.frame_objects.insert(object, slot.ty.clone());
        Ok(object)
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
                let object = self.space.add(of.shape.clone())?;
                self.entered.insert(key, object);
                self.frame_objects.insert(object, of.ty.clone());
                object
            }
        };
        let call = self.call_number(&position.call);
        self.of_calls.entry(call).or_default().insert(object);
        let base = u128::from(self.space.objects[object as usize].base);
        let base = self.terms.constant(base, self.space.width);
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
        let cells = self.fresh_cells(object, false);
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

    /// Creates an object with its contents. If it has no cells, they are zeros, or identified by the result.
    pub(super) fn create(
        &mut self,
        state: &mut State,
        object: ObjectId,
        cells: Arc<Vec<Term>>,
        zeroed: bool,
    ) -> Option<Term> {
        if state.memory.len() <= object as usize {
            state.memory.resize(object as usize + 1, None);
        }
        state.memory[object as usize] = Some(cells);
        state.overlays.remove(&object);
        if !self.is_blank(object) {
            return None;
        }
        let owner = (!zeroed).then(|| self.variable(8));
        let size = self.space.objects[object as usize].shape.size;
        let chain = self.overlays.blank(size, owner);
        state.overlays.insert(object, chain);
        owner
    }

    /// The shape of an allocated object of so many bytes; `None` if it is large.
    pub(super) fn allocated_shape(
        &self,
        capacity: u64,
        element: Option<&Arc<Shape>>,
    ) -> Arc<Shape> {
        match element {
            _ if capacity > self.blank_above => Shape::opaque(capacity),
            Some(element) => element.repeated(capacity),
            None => Shape::bytes(capacity),
        }
    }

    /// The number of bytes of the object for an allocation of unknown size, and the condition that they do
    /// not suffice. Small objects have cells; if paths may need more, and there are no cuts, it has no cells,
    /// and a large size.
    pub(super) fn room(
        &mut self,
        state: &State,
        size: Term,
        element: Option<&Arc<Shape>>,
    ) -> (u64, Term) {
        let few = self.unknown_elements * element.map_or(8, |shape| shape.size.max(1));
        let limit = self.terms.constant(u128::from(few), self.space.width);
        let too_large = self.terms.ult(limit, size);
        let is_open = (self.guards.extend(&mut self.terms, state.guard, too_large)).is_some();
        let many = self.space.capacity();
        if self.counting || !is_open || many <= few || many <= self.blank_above {
            return (few, too_large);
        }
        let limit = self.terms.constant(u128::from(many), self.space.width);
        (many, self.terms.ult(limit, size))
    }

    /// The largest of a few constants that a term chooses from.
    pub(super) fn largest(&self, term: Term) -> Option<u64> {
        let mut largest = 0;
        let mut stack = vec![term];
        let mut budget = 64;
        while let Some(term) = stack.pop() {
            budget -= 1;
            if budget == 0 {
                return None;
            }
            match self.terms.node(term) {
                Node::Const(value) => largest = largest.max(value as u64),
                Node::Ite(_, a, b) => stack.extend([a, b]),
                _ => return None,
            }
        }
        Some(largest)
    }

    /// The address of a new object; `None` if no path remains.
    pub(super) fn allocate(
        &mut self,
        state: &mut State,
        size: Term,
        element: Option<&Arc<Shape>>,
        zeroed: bool,
    ) -> Supported<Option<Term>> {
        let capacity = match self.largest(size) {
            Some(largest) => largest,
            None => {
                let (capacity, too_large) = self.room(state, size, element);
                if let Some(guard) = self.guards.extend(&mut self.terms, state.guard, too_large) {
                    let guard = self.guards.term(guard);
                    let text =
                        format!("an allocation of more than {capacity} bytes of unknown number");
                    self.log.stuck.push(Mark {
                        guard,
                        at: self.at,
                        text,
                    });
                }
                let fits = self.terms.not(too_large);
                match self.guards.extend(&mut self.terms, state.guard, fits) {
                    Some(guard) => state.guard = guard,
                    None => return Ok(None),
                }
                capacity
            }
        };
        let site = (self.instance, self.step);
        let width = self.space.width;
        let zero = self.terms.constant(0, COUNTER_BITS);
        let site_number = self.number(&[u32::MAX - 1, site.0, site.1]);
        let count = if self.counting {
            state.counters.get(&site_number).copied().unwrap_or(zero)
        } else {
            zero
        };
        let wanted = match self.terms.constant_value(count) {
            Some(number) => number as usize + 1,
            None => POOL,
        };
        if self.counting {
            match self.has_summary(count, size) {
                None => return Ok(None),
                Some(true) => {
                    let shape = self.allocated_shape(capacity, element);
                    let address = self.allocate_one_of(state, &shape, site_number, zeroed)?;
                    return Ok(Some(address));
                }
                Some(false) => {}
            }
        }
        while self.heap.get(&site).map_or(0, Vec::len) < wanted {
            let shape = self.allocated_shape(capacity, element);
            let object = self.space.add(shape)?;
            self.heap.entry(site).or_default().push(object);
        }
        // A site may be executed again with another size.
        for index in 0..wanted {
            let object = self.heap[&site][index];
            if self.space.objects[object as usize].shape.size < capacity {
                let shape = self.allocated_shape(capacity, element);
                let object = self.space.add(shape)?;
                if let Some(pool) = self.heap.get_mut(&site) {
                    pool[index] = object;
                }
            }
        }
        let pool: Vec<ObjectId> = self.heap[&site][..wanted].to_vec();
        if let Some(number) = self.terms.constant_value(count) {
            let object = pool[number as usize];
            let mut cells = self.fresh_cells(object, zeroed);
            self.remember_size(object, &mut cells, size);
            let owner = self.create(state, object, cells.clone(), zeroed);
            let always = self.terms.boolean(true);
            self.give_life(state, object, always);
            self.adopt(object);
            self.event(
                state,
                Happening::Create {
                    object,
                    cells,
                    owner,
                },
            );
            if self.counting {
                let next = self.terms.constant(number + 1, COUNTER_BITS);
                state.counters.insert(site_number, next);
            }
            let base = self.space.objects[object as usize].base;
            return Ok(Some(self.terms.constant(u128::from(base), width)));
        }
        let limit = self.terms.constant(POOL as u128, COUNTER_BITS);
        let fits = self.terms.ult(count, limit);
        let full = self.terms.not(fits);
        if let Some(guard) = self.guards.extend(&mut self.terms, state.guard, full) {
            let guard = self.guards.term(guard);
            let text = format!("more than {POOL} objects from one allocation in a loop");
            self.log.stuck.push(Mark {
                guard,
                at: self.at,
                text,
            });
        }
        match self.guards.extend(&mut self.terms, state.guard, fits) {
            Some(guard) => state.guard = guard,
            None => return Ok(None),
        }
        let mut address = self.terms.constant(0, width);
        let mut created = Vec::new();
        for (index, &object) in pool.iter().enumerate() {
            let number = self.terms.constant(index as u128, COUNTER_BITS);
            let here = self.terms.eq(count, number);
            let mut fresh = self.fresh_cells(object, zeroed);
            self.remember_size(object, &mut fresh, size);
            self.give_life(state, object, here);
            self.adopt(object);
            created.push((object, fresh.clone()));
            let cells = match state.memory.get(object as usize).cloned().flatten() {
                Some(old) => Arc::new(
                    old.iter()
                        .zip(fresh.iter())
                        .map(|(&old, &new)| self.terms.ite(here, new, old))
                        .collect(),
                ),
                None => fresh,
            };
            self.create(state, object, cells, zeroed);
            let base = self.space.objects[object as usize].base;
            let base = self.terms.constant(u128::from(base), width);
            address = self.terms.ite(here, base, address);
        }
        self.event(
            state,
            Happening::CreateOne {
                address,
                cells: created,
            },
        );
        let one = self.terms.constant(1, COUNTER_BITS);
        let next = self.terms.add(count, one);
        state.counters.insert(site_number, next);
        Ok(Some(address))
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
