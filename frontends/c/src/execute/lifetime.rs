//! Which objects are alive, and what may be done with an address.
//!
//! The life of an object is one of the state's counters: 1 while it is alive, 0 before and after. A counter
//! that is missing stands for 0, so that merged paths and cuts need no rules of their own for lives. The size
//! that was asked of an allocation is kept after the cells of its object, where it is not that of the shape.
//! So it is, with any checks, for objects without cells that are larger than what was asked for.

use std::sync::Arc;

use crate::ir::{CheckKind, Storage};
use craig_word::Term;

use super::executor::{COUNTER_BITS, Executor, Supported};
use super::memory::ObjectId;
use super::state::State;

/// The first word of the key under which the life of an object is counted; blocks have smaller ones.
const LIFE: u32 = u32::MAX - 2;

impl Executor<'_> {
    fn life(&mut self, object: ObjectId) -> u32 {
        self.number(&[LIFE, object])
    }

    /// The object is alive from now on, where the condition holds.
    pub(super) fn give_life(&mut self, state: &mut State, object: ObjectId, condition: Term) {
        self.set_life(state, object, condition, 1);
    }

    /// The lifetime of the object ends.
    pub(super) fn bury(&mut self, state: &mut State, object: ObjectId) {
        let always = self.terms.boolean(true);
        self.set_life(state, object, always, 0);
    }

    /// The lifetimes of the allocated objects of a call end with it.
    pub(super) fn bury_frame(&mut self, state: &mut State, context: u32) {
        let objects = self.of_frames.get(&context).cloned().unwrap_or_default();
        for object in objects {
            self.bury(state, object);
        }
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

    /// Notes who has to let an allocated object go.
    pub(super) fn adopt(&mut self, object: ObjectId) {
        match self.storage {
            (Storage::Heap, _) => {
                self.allocated.insert(object);
            }
            (Storage::Frame, context) => {
                self.of_frames.entry(context).or_default().insert(object);
            }
        }
    }

    /// Keeps the requested size after the cells, where the shape is larger or may be.
    pub(super) fn remember_size(
        &mut self,
        object: ObjectId,
        cells: &mut Arc<Vec<Term>>,
        size: Term,
    ) {
        let whole = u128::from(self.space.objects[object as usize].shape.size);
        let is_sized = self.program.tracks_lifetimes || self.is_blank(object);
        if is_sized && self.terms.constant_value(size) != Some(whole) {
            Arc::make_mut(cells).push(size);
        }
    }

    /// Whether the object is alive, one bit.
    fn is_alive(&mut self, state: &State, object: ObjectId) -> Term {
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

    /// The size that an object has for the program.
    pub(super) fn size_of(&mut self, state: &State, object: ObjectId) -> Term {
        let shape = self.space.objects[object as usize].shape.clone();
        match state.memory.get(object as usize) {
            Some(Some(cells)) if cells.len() > shape.cells.len() => cells[shape.cells.len()],
            _ => self
                .terms
                .constant(u128::from(shape.size), self.space.width),
        }
    }

    /// Whether an access does not fail in the way that the kind names, one bit.
    ///
    /// An access is fine if all its bytes lie in one living object. If not, it is through a null pointer
    /// where it is on the first page, which no object has; else dangling where it fits an object that is
    /// gone.
    pub(super) fn is_access_fine(
        &mut self,
        state: &State,
        address: Term,
        bytes: u32,
        what: CheckKind,
    ) -> Supported<Term> {
        let points = self.points.of(&self.terms, &self.space, address);
        if points.unknown {
            return Err("a pointer that was computed in a way that is not followed".into());
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

    /// Whether an address is null or that of an allocated object that is alive, one bit.
    pub(super) fn may_be_freed(&mut self, state: &State, address: Term) -> Supported<Term> {
        let points = self.points.of(&self.terms, &self.space, address);
        if points.unknown {
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

    fn is_at(&mut self, address: Term, object: ObjectId) -> Term {
        let base = u128::from(self.space.objects[object as usize].base);
        let base = self.terms.constant(base, self.space.width);
        self.terms.eq(address, base)
    }

    /// Ends the life of the object at an address. What is no such object stays as it is.
    pub(super) fn free(&mut self, state: &mut State, address: Term) {
        if !self.program.tracks_lifetimes {
            return;
        }
        let points = self.points.of(&self.terms, &self.space, address);
        for object in points
            .objects
            .intersection(&self.allocated.clone())
            .copied()
        {
            let here = self.is_at(address, object);
            self.set_life(state, object, here, 0);
        }
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
