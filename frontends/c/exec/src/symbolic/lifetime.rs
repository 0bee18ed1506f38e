//! Lifetimes of objects, and the validity of addresses.
//!
//! The lifetime of an object is one of the state's counters: 1 while it is alive, 0 before and after. A
//! missing counter is 0, so that merged paths and cuts need no special rules for lifetimes. The requested
//! size of an allocation is stored after the cells of its object if it differs from the size of the shape.
//! With any checks, this includes objects without cells that are larger than requested.

use craig_c_lang::address_space::ObjectId;
use std::sync::Arc;

use craig_c_lang::ir::{CheckKind, Storage};
use craig_word::Term;

use super::access::NOT_FOLLOWED;
use super::executor::{COUNTER_BITS, Executor, Supported};
use super::points::Points;
use super::state::{Mark, Position, State};

/// The first word of the key of an object's lifetime counter; blocks have smaller ones.
const LIFE: u32 = u32::MAX - 2;
/// The first word of the key of whether an object of a frame was made before, in a program with cuts.
const MADE: u32 = u32::MAX - 4;

impl Executor<'_> {
    fn life(&mut self, object: ObjectId) -> u32 {
        self.number(&[LIFE, object])
    }

    /// Starts the lifetime of the object, if the condition holds.
    pub(super) fn give_life(&mut self, state: &mut State, object: ObjectId, condition: Term) {
        self.note_birth(object);
        self.set_life(state, object, condition, 1);
    }

    /// Ends the lifetime of the object.
    pub(super) fn bury(&mut self, state: &mut State, object: ObjectId) {
        self.note_end(object);
        let always = self.terms.boolean(true);
        self.set_life(state, object, always, 0);
    }

    /// Ends the lifetimes of the allocated objects of a call.
    pub(super) fn bury_frame(&mut self, state: &mut State, context: u32) {
        let objects = self.of_frames.get(&context).cloned().unwrap_or_default();
        for object in objects {
            state.forget(object);
            self.bury(state, object);
        }
    }

    /// Ends the lifetime of the object, if the condition holds.
    pub(super) fn end_life(&mut self, state: &mut State, object: ObjectId, condition: Term) {
        self.note_end(object);
        self.set_life(state, object, condition, 0);
    }

    /// Ends the paths with a remaining pointer to an object whose number is reused.
    pub(super) fn check_stale(
        &mut self,
        object: ObjectId,
        position: &Position,
        state: &mut State,
    ) -> Supported<()> {
        let zero = self.terms.constant(0, COUNTER_BITS);
        let one = self.terms.constant(1, COUNTER_BITS);
        let counter = self.number(&[MADE, object]);
        let made = state.counters.insert(counter, one).unwrap_or(zero);
        if made == zero {
            return Ok(());
        }
        let was_made = self.terms.eq(made, one);
        let mut words = Vec::new();
        let mut call = Some(&position.call);
        while let Some(active) = call {
            words.extend(state.registers[active.depth].iter().flatten().copied());
            call = active.caller.as_ref();
        }
        for (other, cells) in state.memory.iter().enumerate() {
            let uniform = self.space.objects[other].shape.uniform;
            if other != object as usize && uniform.is_none_or(|bytes| bytes * 8 >= self.space.width)
            {
                words.extend(cells.iter().flat_map(|cells| cells.iter().copied()));
            }
        }
        let size = u128::from(self.space.objects[object as usize].shape.size);
        let width = self.space.width;
        let base = u128::from(self.space.objects[object as usize].base);
        let (base, end) = (
            self.terms.constant(base, width),
            self.terms.constant(size + 1, width),
        );
        for word in words {
            if self.terms.width(word) != width {
                continue;
            }
            let points = self.points.of(&self.terms, &self.space, word);
            if !points.objects.contains(&object) {
                continue;
            }
            let offset = self.terms.sub(word, base);
            let is_inside = self.terms.ult(offset, end);
            let is_stale = self.terms.and(was_made, is_inside);
            self.give_up(
                state,
                is_stale,
                "a pointer to an object of an earlier round or call, kept until the next one",
            )?;
        }
        Ok(())
    }

    /// Ends the paths on which the condition holds as unsupported. An error if none remains.
    pub(super) fn give_up(
        &mut self,
        state: &mut State,
        condition: Term,
        text: &str,
    ) -> Supported<()> {
        let Some(guard) = self.guards.extend(&mut self.terms, state.guard, condition) else {
            return Ok(());
        };
        let otherwise = self.terms.not(condition);
        let Some(rest) = self.guards.extend(&mut self.terms, state.guard, otherwise) else {
            return Err(text.into());
        };
        let guard = self.guards.term(guard);
        let at = self.at;
        let text = text.into();
        self.log.stuck.push(Mark { guard, at, text });
        state.guard = rest;
        Ok(())
    }

    fn set_life(&mut self, state: &mut State, object: ObjectId, condition: Term, value: u128) {
        if !self.program.tracks_lifetimes {
            return;
        }
        let life = self.life(object);
        let zero = self.terms.constant(0, COUNTER_BITS);
        let old = state.counters.get(&life).copied().unwrap_or(zero);
        let new = self.terms.constant(value, COUNTER_BITS);
        let new = self.terms.ite(condition, new, old);
        state.counters.insert(life, new);
    }

    /// Records which call ends the lifetime of an allocated object.
    pub(super) fn adopt(&mut self, object: ObjectId) {
        match self.storage {
            (Storage::Heap, _) => {
                self.allocated.insert(object);
            }
            (Storage::Frame, context) => {
                self.frame_objects.insert(object, None);
                self.of_frames.entry(context).or_default().insert(object);
            }
        }
    }

    /// Stores the requested size after the cells, if the shape is or may be larger. An object without cells has it
    /// always: at a cut, memory is what is in the cells.
    pub(super) fn remember_size(
        &mut self,
        object: ObjectId,
        cells: &mut Arc<Vec<Term>>,
        size: Term,
    ) {
        let shape = &self.space.objects[object as usize].shape;
        let whole = u128::from(shape.size);
        let differs = self.terms.constant_value(size) != Some(whole);
        if shape.is_opaque() || self.program.tracks_lifetimes && differs {
            Arc::make_mut(cells).push(size);
        }
    }

    /// Whether the object is alive, one bit.
    pub(super) fn is_alive(&mut self, state: &State, object: ObjectId) -> Term {
        if (object as usize) < self.program.statics.len() {
            return self.terms.boolean(true);
        }
        let life = self.life(object);
        match state.counters.get(&life) {
            Some(&life) => {
                let zero = self.terms.constant(0, COUNTER_BITS);
                let gone = self.terms.eq(life, zero);
                self.terms.not(gone)
            }
            None => self.terms.boolean(false),
        }
    }

    /// The size of an object in the program.
    pub(super) fn size_of(&mut self, state: &State, object: ObjectId) -> Term {
        let shape = self.space.objects[object as usize].shape.clone();
        match state.memory.get(object as usize) {
            Some(Some(cells)) if cells.len() > shape.cells.len() => {
                let word = cells[shape.cells.len()];
                match self.stride_of_length(object) {
                    Some(stride) => {
                        let stride = self.terms.constant(u128::from(stride), self.space.width);
                        self.terms.mul(word, stride)
                    }
                    None => word,
                }
            }
            _ => self
                .terms
                .constant(u128::from(shape.size), self.space.width),
        }
    }

    /// Whether an access does not fail with this kind of error, one bit.
    ///
    /// An access is valid if all its bytes lie in one living object. Otherwise, it is through a null pointer
    /// if it is on the first page, which has no object; else dangling if it lies within an object whose
    /// lifetime has ended.
    pub(super) fn is_access_fine(
        &mut self,
        state: &State,
        address: Term,
        bytes: u32,
        what: CheckKind,
    ) -> Supported<Term> {
        let points = self.points.of(&self.terms, &self.space, address);
        if bytes == 0 {
            return Ok(self.is_callee_fine(&points, address));
        }
        if points.is_lost() {
            return Err(NOT_FOLLOWED.into());
        }
        if what == CheckKind::Constant {
            return Ok(self.is_in_no_constant(&points, address));
        }
        let at_constant = |executor: &mut Self, at| executor.is_access_fine(state, at, bytes, what);
        if let Some(fine) = self.along_constants(address, at_constant)? {
            return Ok(fine);
        }
        let width = self.space.width;
        let (mut alive, mut gone) = (self.terms.boolean(false), self.terms.boolean(false));
        for &object in &points.objects {
            if self.space.objects[object as usize].function.is_some() {
                continue;
            }
            let base = u128::from(self.space.objects[object as usize].base);
            let base = self.terms.constant(base, width);
            let offset = self.terms.sub(address, base);
            let size = self.size_of(state, object);
            let fits = self.fits(offset, bytes, size);
            let lives = self.is_alive(state, object);
            let dead = self.terms.not(lives);
            let (fits_alive, fits_gone) = (self.terms.and(fits, lives), self.terms.and(fits, dead));
            alive = self.terms.or(alive, fits_alive);
            gone = self.terms.or(gone, fits_gone);
        }
        let page = self
            .terms
            .constant(u128::from(self.space.page_size()), width);
        let on_first_page = self.terms.ult(address, page);
        let elsewhere = self.terms.not(on_first_page);
        let kind = match what {
            CheckKind::Null => on_first_page,
            CheckKind::Dangling => self.terms.and(elsewhere, gone),
            _ => {
                let never = self.terms.not(gone);
                self.terms.and(elsewhere, never)
            }
        };
        let other = self.terms.not(kind);
        Ok(self.terms.or(alive, other))
    }

    /// Whether a function that is called is not null, one bit. A pointer that is left open leads to some function.
    fn is_callee_fine(&mut self, points: &Points, address: Term) -> Term {
        if points.is_lost() || points.input || self.is_free(address) {
            return self.terms.boolean(true);
        }
        let first = self
            .terms
            .constant(u128::from(self.space.page_size()), self.space.width);
        let on_first_page = self.terms.ult(address, first);
        self.terms.not(on_first_page)
    }

    /// Whether an address is in none of the static objects that never change, one bit.
    fn is_in_no_constant(&mut self, points: &Points, address: Term) -> Term {
        let width = self.space.width;
        let mut fine = self.terms.boolean(true);
        for &object in &points.objects {
            if !self.is_constant(object) {
                continue;
            }
            let page = self
                .terms
                .constant(u128::from(self.space.page_size()), width);
            let base = self.base(object);
            let offset = self.terms.sub(address, base);
            let inside = self.terms.ult(offset, page);
            let outside = self.terms.not(inside);
            fine = self.terms.and(fine, outside);
        }
        fine
    }

    /// Whether an address is null or that of an allocated object that is alive, one bit.
    pub(super) fn may_be_freed(&mut self, state: &State, address: Term) -> Supported<Term> {
        let points = self.points.of(&self.terms, &self.space, address);
        if points.is_lost() {
            return Err("a pointer that was computed in a way that is not followed".into());
        }
        let width = self.space.width;
        let null = self.terms.constant(0, width);
        let mut fine = self.terms.eq(address, null);
        for object in points
            .objects
            .intersection(&self.allocated.clone())
            .copied()
        {
            let here = self.is_at(address, object);
            let lives = self.is_alive(state, object);
            let both = self.terms.and(here, lives);
            fine = self.terms.or(fine, both);
        }
        Ok(fine)
    }

    pub(super) fn is_at(&mut self, address: Term, object: ObjectId) -> Term {
        let base = self.base(object);
        self.terms.eq(address, base)
    }

    /// Ends the lifetime of the object at an address. No effect if there is no such object.
    pub(super) fn free(&mut self, state: &mut State, address: Term) {
        let points = self.points.of(&self.terms, &self.space, address);
        for object in points
            .objects
            .intersection(&self.allocated.clone())
            .copied()
        {
            let here = self.is_at(address, object);
            self.end_life(state, object, here);
        }
    }

    pub(super) fn note_birth(&mut self, object: ObjectId) {
        self.clock += 1;
        self.made_at.insert(object, self.clock);
    }

    /// Forgets when objects were made and when they ended, and what ghost code has noted, before another execution from the start: one that ended in
    /// an execution of fewer iterations has not ended before those that only the next one makes.
    pub fn forget_times(&mut self) {
        self.made_at.clear();
        self.gone_at.clear();
        self.applications.clear();
        self.before_sets.clear();
    }

    fn note_end(&mut self, object: ObjectId) {
        self.clock += 1;
        self.gone_at.entry(object).or_insert(self.clock);
    }

    /// Checks a comparison of two words. An error if one may be the address of an object whose lifetime has
    /// ended, and the other that of one created later: both may have the same address (C11 6.2.4p2, 7.22.3).
    ///
    /// Instances are executed in an order in which predecessors on a path come first. In a program with cuts,
    /// any two may come in either order. There is no remaining pointer to an earlier object of a frame with
    /// the number of a living one.
    pub(super) fn check_reuse(&self, state: &State, a: &Points, b: &Points) -> Supported<()> {
        let is_alive = |object: &ObjectId| {
            self.frame_objects.contains_key(object)
                && matches!(state.memory.get(*object as usize), Some(Some(_)))
        };
        for (x, y) in [(a, b), (b, a)] {
            for gone in x.objects.iter().filter(|&object| !is_alive(object)) {
                let Some(&end) = self.gone_at.get(gone) else {
                    continue;
                };
                let is_later = |object: &ObjectId| {
                    object != gone
                        && (self.made_at.get(object)).is_some_and(|&at| at > end || self.counting)
                };
                if y.objects.iter().any(is_later) {
                    return Err(
                        "a comparison with the address of an object that is gone, which may have been given \
                         out again"
                            .into(),
                    );
                }
            }
        }
        Ok(())
    }

    /// Whether no allocated object is alive, one bit.
    pub(super) fn is_all_freed(&mut self, state: &State) -> Term {
        let mut all = self.terms.boolean(true);
        for object in self.allocated.clone() {
            let lives = self.is_alive(state, object);
            let gone = self.terms.not(lives);
            all = self.terms.and(all, gone);
        }
        all
    }
}
