//! Objects of allocations.
//!
//! In a program with cuts, an allocation in a loop has a few objects with contents. The objects of further
//! allocations, and those that are too large, have none (see `havocked`): they share one region, and the address
//! of each is an input that is in it. Distinct objects may thus have the same address, as nothing depends on
//! their contents; a run in which they are distinct has a path.

use craig_c_lang::address_space::ObjectId;
use std::sync::Arc;

use craig_c_lang::ir::{Shape, Storage};
use craig_word::{Node, Term};

use super::executor::{COUNTER_BITS, Executor, POOL, Supported};
use super::state::{Happening, Mark, State};

/// The numbers of bits of the addresses in a shared region: their distance, and how many there are. These are more
/// than the words of a state, so that all objects that a state refers to can have different addresses.
const STEP_BITS: u32 = 4;
const PLACE_BITS: u32 = 16;

/// How an allocation is represented.
struct Room {
    /// The number of bytes of its object.
    capacity: u64,
    /// The condition that the object has no contents, and the number of bytes that it may have.
    havocked: Option<(Term, u64)>,
    /// The number of allocations at the site so far.
    count: Term,
}

impl Executor<'_> {
    /// The shape of an allocated object of `capacity` bytes; one without cells if it is large.
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

    /// How to represent an allocation. Ends the paths on which the representation does not suffice; `None` if no
    /// path remains.
    ///
    /// Small objects have cells. If paths may need more, and there are no cuts, the object has a large size and no
    /// cells. With cuts, another object without contents serves these paths.
    fn room(
        &mut self,
        state: &mut State,
        size: Term,
        element: Option<&Arc<Shape>>,
        count: Term,
    ) -> Option<Room> {
        let width = self.space.width;
        let is_numbered = self.terms.constant_value(count).is_some();
        // One object cannot keep the lifetimes of many; those of a frame end with it.
        let may_havoc = self.counting
            && self.havocs
            && self.storage.0 == Storage::Heap
            && (is_numbered || !self.program.tracks_lifetimes);
        let places = if is_numbered {
            0
        } else {
            1 << (STEP_BITS + PLACE_BITS)
        };
        let many = self.space.capacity().saturating_sub(places);
        let whole = self.largest(size);
        let few = match whole {
            Some(bytes) => bytes,
            None => self.unknown_elements * element.map_or(8, |shape| shape.size.max(1)),
        };
        let mut room = Room {
            capacity: few,
            havocked: None,
            count,
        };
        // Larger sizes are not represented.
        let mut most = Some(few);
        if whole.is_none() {
            let limit = self.terms.constant(u128::from(few), width);
            let needs_more = self.terms.ult(limit, size);
            let is_open = (self.guards.extend(&mut self.terms, state.guard, needs_more)).is_some();
            if is_open && many > few && many > self.blank_above {
                if !self.counting {
                    most = Some(many);
                    room.capacity = many;
                } else if may_havoc {
                    // A numbered object may be larger than its region (see `distinguish`).
                    most = (!is_numbered).then_some(many);
                    room.havocked = Some((needs_more, many));
                }
            }
        }
        if let (None, Some(most)) = (whole, most) {
            let limit = self.terms.constant(u128::from(most), width);
            let too_large = self.terms.ult(limit, size);
            let text = format!("an allocation of more than {most} bytes of unknown number");
            self.end_where(state, too_large, text)?;
        }
        if is_numbered {
            return Some(room);
        }
        let limit = self.terms.constant(POOL as u128, COUNTER_BITS);
        let fits = self.terms.ult(count, limit);
        let is_full = self.terms.not(fits);
        if may_havoc && many >= few {
            let havocked = match room.havocked {
                Some((needs_more, _)) => self.terms.or(needs_more, is_full),
                None => is_full,
            };
            room.havocked = Some((havocked, many));
        } else {
            let text = format!("more than {POOL} objects from one allocation in a loop");
            self.end_where(state, is_full, text)?;
        }
        Some(room)
    }

    /// Ends the paths on which the condition holds as unsupported; `None` if none remains.
    fn end_where(&mut self, state: &mut State, condition: Term, text: String) -> Option<()> {
        if let Some(guard) = self.guards.extend(&mut self.terms, state.guard, condition) {
            let guard = self.guards.term(guard);
            let at = self.at;
            self.log.stuck.push(Mark { guard, at, text });
        }
        let otherwise = self.terms.not(condition);
        state.guard = (self.guards).extend(&mut self.terms, state.guard, otherwise)?;
        Some(())
    }

    /// The largest of a few constants that a size chooses from. On the heap, no path is here with one of those for
    /// which the program has null instead ([`craig_c_lang::ir::Program::largest_allocation`]).
    fn largest(&self, term: Term) -> Option<u64> {
        let limit = match self.storage.0 {
            Storage::Heap => self.program.largest_allocation(),
            Storage::Frame => u128::MAX,
        };
        let mut largest = 0;
        let mut stack = vec![term];
        let mut budget = 64;
        while let Some(term) = stack.pop() {
            budget -= 1;
            if budget == 0 {
                return None;
            }
            match self.terms.node(term) {
                Node::Const(value) if value > limit => {}
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
        let site = (self.instance, self.step);
        let zero = self.terms.constant(0, COUNTER_BITS);
        let number = self.number(&[u32::MAX - 1, site.0, site.1]);
        let count = match self.counting {
            true => state.counters.get(&number).copied().unwrap_or(zero),
            false => zero,
        };
        if self.counting {
            match self.has_summary(count, size) {
                None => return Ok(None),
                Some(true) => {
                    let capacity = self.largest(size).unwrap_or_default();
                    let shape = self.allocated_shape(capacity, element);
                    let address = self.allocate_one_of(state, &shape, number, zeroed)?;
                    return Ok(Some(address));
                }
                Some(false) => {}
            }
        }
        if self.counting
            && self.can_track(element)
            && self.terms.constant_value(size).is_none()
            && let Some(index) = self.terms.constant_value(count)
        {
            let one = self.terms.constant(1, COUNTER_BITS);
            let next = self.terms.add(count, one);
            let base = self.allocate_tracked(state, index, size, element, zeroed)?;
            state.counters.insert(number, next);
            return Ok(Some(base));
        }
        let Some(room) = self.room(state, size, element, count) else {
            return Ok(None);
        };
        let wanted = match self.terms.constant_value(count) {
            Some(number) => number as usize + 1,
            None => POOL,
        };
        let pool = self.pool(site, wanted, room.capacity, element)?;
        let address = match self.terms.constant_value(count) {
            Some(number) => {
                let object = pool[number as usize];
                self.allocate_numbered(state, object, &room, size, zeroed)?
            }
            None => self.allocate_from(state, &pool, &room, size, zeroed)?,
        };
        if self.counting {
            let one = self.terms.constant(1, COUNTER_BITS);
            let mut next = self.terms.add(count, one);
            if let (Some((havocked, _)), None) = (room.havocked, self.terms.constant_value(count)) {
                next = self.terms.ite(havocked, count, next);
            }
            state.counters.insert(number, next);
        }
        Ok(Some(address))
    }

    /// The address of an array of unknown size of which an element is tracked, for the allocation with this number
    /// at its site.
    fn allocate_tracked(
        &mut self,
        state: &mut State,
        number: u128,
        size: Term,
        element: Option<&Arc<Shape>>,
        zeroed: bool,
    ) -> Supported<Term> {
        // The array may be larger than its region (see `distinguish`).
        let bytes = self.space.capacity();
        let object = self.havocked_object(state, Some(number), bytes, size, (element, zeroed))?;
        let always = self.terms.boolean(true);
        self.give_life(state, object, always);
        let base = self.base(object);
        let cells = vec![(object, Arc::default())];
        let address = base;
        self.event(state, Happening::CreateOne { address, cells });
        Ok(base)
    }

    /// The objects of a site, at least `wanted`, of at least `capacity` bytes.
    fn pool(
        &mut self,
        site: (u32, u32),
        wanted: usize,
        capacity: u64,
        element: Option<&Arc<Shape>>,
    ) -> Supported<Vec<ObjectId>> {
        while self.heap.get(&site).map_or(0, Vec::len) < wanted {
            let shape = self.allocated_shape(capacity, element);
            let object = self.space.add(shape, self.align)?;
            self.note_elements(object, element);
            self.heap.entry(site).or_default().push(object);
        }
        // A site may be executed again with another size.
        for index in 0..wanted {
            let object = self.heap[&site][index];
            if self.space.objects[object as usize].shape.size < capacity {
                let shape = self.allocated_shape(capacity, element);
                let object = self.space.add(shape, self.align)?;
                self.note_elements(object, element);
                if let Some(pool) = self.heap.get_mut(&site) {
                    pool[index] = object;
                }
            }
        }
        Ok(self.heap[&site][..wanted].to_vec())
    }

    /// The address of an object whose number is known at its site.
    fn allocate_numbered(
        &mut self,
        state: &mut State,
        object: ObjectId,
        room: &Room,
        size: Term,
        zeroed: bool,
    ) -> Supported<Term> {
        let mut cells = self.fresh_cells(object, zeroed);
        self.remember_size(object, &mut cells, size);
        self.add_element(object, &mut cells, zeroed);
        let owner = self.create(state, object, cells.clone(), zeroed);
        let base = self.base(object);
        let Some((havocked, bytes)) = room.havocked else {
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
            return Ok(base);
        };
        let kept = self.terms.not(havocked);
        self.give_life(state, object, kept);
        self.adopt(object);
        let number = self.terms.constant_value(room.count);
        let other = self.havocked_object(state, number, bytes, size, (None, zeroed))?;
        self.give_life(state, other, havocked);
        let other_base = self.base(other);
        let address = self.terms.ite(havocked, other_base, base);
        let cells = vec![(object, cells), (other, Arc::default())];
        self.event(state, Happening::CreateOne { address, cells });
        Ok(address)
    }

    /// The address of one of these objects, by the number of allocations so far, or of one without contents.
    fn allocate_from(
        &mut self,
        state: &mut State,
        pool: &[ObjectId],
        room: &Room,
        size: Term,
        zeroed: bool,
    ) -> Supported<Term> {
        let mut address = self.terms.constant(0, self.space.width);
        let mut created = Vec::new();
        for (index, &object) in pool.iter().enumerate() {
            let number = self.terms.constant(index as u128, COUNTER_BITS);
            let here = self.terms.eq(room.count, number);
            let mut fresh = self.fresh_cells(object, zeroed);
            self.remember_size(object, &mut fresh, size);
            self.add_element(object, &mut fresh, zeroed);
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
            let base = self.base(object);
            address = self.terms.ite(here, base, address);
        }
        if let Some((havocked, bytes)) = room.havocked {
            let places = 1u64 << (STEP_BITS + PLACE_BITS);
            let whole = u128::from(bytes + places);
            let whole = self.terms.constant(whole, self.space.width);
            let object =
                self.havocked_object(state, None, bytes + places, whole, (None, zeroed))?;
            let base = self.base(object);
            let place = self.variable(PLACE_BITS);
            let zeros = self.terms.constant(0, STEP_BITS);
            let offset = self.terms.concat(place, zeros);
            let offset = self.terms.zext(offset, self.space.width);
            let place = self.terms.add(base, offset);
            address = self.terms.ite(havocked, place, address);
        }
        self.event(
            state,
            Happening::CreateOne {
                address,
                cells: created,
            },
        );
        Ok(address)
    }

    /// The address of an object.
    pub(super) fn base(&mut self, object: ObjectId) -> Term {
        let base = u128::from(self.space.objects[object as usize].base);
        self.terms.constant(base, self.space.width)
    }

    /// An object without contents for the allocation with this number at the site, or for all others there. Of its
    /// memory, only the requested size is part of the state.
    fn havocked_object(
        &mut self,
        state: &mut State,
        number: Option<u128>,
        capacity: u64,
        size: Term,
        (element, zeroed): (Option<&Arc<Shape>>, bool),
    ) -> Supported<ObjectId> {
        let key = (self.instance, self.step, number);
        let object = match self.large.get(&key) {
            Some(&object) => object,
            None => {
                let object = self.space.add(Shape::opaque(capacity), self.align)?;
                self.large.insert(key, object);
                object
            }
        };
        let mut cells = Arc::new(vec![self.size_word(object, size, element)]);
        self.note_elements(object, element);
        self.add_element(object, &mut cells, zeroed);
        self.create(state, object, cells, false);
        self.adopt(object);
        self.has_havocked = true;
        Ok(object)
    }
}
