//! Arrays of which the elements at the last indices are kept, as a cache has them: a program that accesses few elements
//! costs by its accesses, whatever the size of the array.
//!
//! Behind the word with its size, such an array has a bit and `n` *entries*: an index, and the cells of the element there.
//! The indices of the entries differ from each other. The bit is 0 as long as all elements without an entry are 0.
//!
//! * A store within element `i` makes `i` the first entry: the one that has `i`, or else the last one, which is forgotten.
//!   If what is forgotten is not 0, the bit becomes 1. After a store that may reach into two elements, or whose element is not
//!   known, the entries have any values, and the bit is 1.
//! * A read within element `i` yields the cells of the entry that has `i`. Without one, and with bit 0, it yields 0. With
//!   bit 1 it yields any value, which becomes the first entry, so that it is read again.
//!
//! **Simulation.** A run of the program has a run with the same values in all other words of the state in which each entry
//! has the bytes of its element: where a value may be any, choose what the program's array has there. A first entry of an
//! array with fewer than `n` elements may have no element; no access within the array is to it. So errors count always, a
//! proof is one of the program, and a path to an error says something if it replays. Nothing is lost on runs that access at
//! most `n` elements of each array.

use std::sync::Arc;

use craig_c_lang::address_space::ObjectId;
use craig_c_lang::ir::Shape;
use craig_word::{Op, Term};

use super::place::Place;
use crate::symbolic::access::Target;
use crate::symbolic::arrays::INDEX_BITS;
use crate::symbolic::executor::Executor;
use crate::symbolic::memory;
use crate::symbolic::state::State;

/// What is kept of an array.
#[derive(Clone)]
struct Kept {
    /// Elements without an entry may be other than 0, one bit.
    is_open: Term,
    entries: Vec<Entry>,
}

#[derive(Clone)]
struct Entry {
    index: Term,
    cells: Vec<Term>,
}

impl Kept {
    /// Reads the cells behind the word with the size.
    fn of_cells(cells: &[Term], n_cells: usize) -> Self {
        let entries = cells[1..].chunks(1 + n_cells).map(|entry| Entry {
            index: entry[0],
            cells: entry[1..].to_vec(),
        });
        Self {
            is_open: cells[0],
            entries: entries.collect(),
        }
    }

    fn to_cells(&self) -> Vec<Term> {
        let entries = self.entries.iter();
        let words = entries.flat_map(|entry| std::iter::once(&entry.index).chain(&entry.cells));
        std::iter::once(self.is_open)
            .chain(words.copied())
            .collect()
    }

    fn indices(&self) -> Vec<Term> {
        self.entries.iter().map(|entry| entry.index).collect()
    }
}

impl Executor<'_> {
    /// The number of entries of each array, if these are what is kept.
    pub(super) fn n_recent(&self) -> Option<usize> {
        self.elements.as_ref()?.choice.n_recent()
    }

    /// The words of a new array behind that with its size: entries for the first elements.
    pub(super) fn new_entries(&mut self, shape: &Shape, n: usize, zeroed: bool) -> Vec<Term> {
        let entries = (0..n).map(|index| Entry {
            index: self.terms.constant(index as u128, INDEX_BITS),
            cells: (shape.cells.iter())
                .map(|&(_, bytes)| match zeroed {
                    true => self.terms.constant(0, bytes * 8),
                    false => self.variable(bytes * 8),
                })
                .collect(),
        });
        let entries = entries.collect();
        let is_open = self.terms.boolean(!zeroed);
        Kept { is_open, entries }.to_cells()
    }

    fn kept(&self, state: &State, object: ObjectId, shape: &Shape) -> Kept {
        Kept::of_cells(&state.pieces(object)[1..], shape.cells.len())
    }

    fn keep(state: &mut State, object: ObjectId, kept: &Kept) {
        if let Some(Some(cells)) = state.memory.get_mut(object as usize) {
            let cells = Arc::make_mut(cells);
            cells.truncate(1);
            cells.extend(kept.to_cells());
        }
    }

    /// The value of a read; `any` is the input for what is not known.
    pub(super) fn read_recent(
        &mut self,
        state: &mut State,
        target: &Target,
        shape: &Shape,
        (any, bytes): (Term, u32),
    ) -> Term {
        let mut kept = self.kept(state, target.object, shape);
        let place = self.place(shape, target.offset, bytes, &kept.indices());
        let Some(mut place) = place else {
            return any;
        };
        let terms = &mut self.terms;
        let missed = missed(terms, &place);
        let may_be_any = terms.and(missed, kept.is_open);
        let is_here = terms.and(target.condition, target.is_sure);
        let is_new = terms.and(may_be_any, is_here);
        if !terms.is_zero(is_new) {
            let fresh = self.unknown_cells(target.object, shape, place.index, None);
            self.make_first(&mut kept, (&place, is_new), &[], fresh);
            Self::keep(state, target.object, &kept);
            place.is_tracked[0] = self.terms.or(place.is_tracked[0], is_new);
        }
        let terms = &mut self.terms;
        let zero = terms.constant(0, bytes * 8);
        let is_closed = terms.not(kept.is_open);
        let is_blank = terms.and(place.is_known, is_closed);
        let mut value = terms.ite(is_blank, zero, any);
        for (entry, &is_its) in kept.entries.iter().zip(&place.is_tracked).rev() {
            for &(here, at) in &place.positions {
                let own = memory::read_at(terms, shape, &entry.cells, at, bytes);
                let hit = terms.and(is_its, here);
                value = terms.ite(hit, own, value);
            }
        }
        terms.ite(target.is_sure, value, any)
    }

    /// A store; it takes place under the condition.
    pub(super) fn store_recent(
        &mut self,
        state: &mut State,
        target: &Target,
        shape: &Shape,
        (value, bytes, condition): (Term, u32, Term),
    ) {
        let kept = self.kept(state, target.object, shape);
        let place = self.place(shape, target.offset, bytes, &kept.indices());
        let Some(place) = place else {
            self.lose_recent(state, target.object, shape, condition);
            return;
        };
        let is_lost = self.terms.and(condition, place.is_elsewhere);
        self.lose_recent(state, target.object, shape, is_lost);
        let mut kept = self.kept(state, target.object, shape);
        let is_known = self.terms.and(condition, place.is_known);
        let is_whole = u64::from(bytes) == shape.size && shape.cells.len() == 1;
        let old = match is_whole {
            true => vec![value],
            false => self.unknown_cells(target.object, shape, place.index, Some(kept.is_open)),
        };
        let hits = place.is_tracked.clone();
        self.make_first(&mut kept, (&place, is_known), &hits, old);
        let first = &mut kept.entries[0].cells;
        for &(here, at) in &place.positions {
            let hit = self.terms.and(is_known, here);
            memory::write_at(&mut self.terms, shape, first, at, bytes, value, hit);
        }
        Self::keep(state, target.object, &kept);
    }

    /// Gives the entries any values, and all other elements, if the condition holds.
    pub(super) fn lose_recent(
        &mut self,
        state: &mut State,
        object: ObjectId,
        shape: &Shape,
        condition: Term,
    ) {
        if self.terms.is_zero(condition) {
            return;
        }
        let mut kept = self.kept(state, object, shape);
        kept.is_open = self.terms.or(kept.is_open, condition);
        for entry in &mut kept.entries {
            let fresh = self.unknown_cells(object, shape, entry.index, None);
            for (cell, any) in entry.cells.iter_mut().zip(fresh) {
                *cell = self.terms.ite(condition, any, *cell);
            }
        }
        Self::keep(state, object, &kept);
    }

    /// The cells of an element without an entry: any values, or 0 where the array is not open.
    fn unknown_cells(
        &mut self,
        object: ObjectId,
        shape: &Shape,
        index: Term,
        is_open: Option<Term>,
    ) -> Vec<Term> {
        let width = self.space.width;
        let number = self.resized(index, width);
        let stride = self.terms.constant(u128::from(shape.size), width);
        let start = self.terms.binary(Op::Mul, number, stride);
        let mut cells = Vec::new();
        for &(at, bytes) in &shape.cells {
            let at = self.terms.constant(u128::from(at), width);
            let offset = self.terms.add(start, at);
            let any = self.read_havocked(object, offset, bytes);
            let zero = self.terms.constant(0, bytes * 8);
            cells.push(match is_open {
                Some(is_open) => self.terms.ite(is_open, any, zero),
                None => any,
            });
        }
        cells
    }

    /// A number in a word of another width; it fits, or the result is not used.
    fn resized(&mut self, number: Term, width: u32) -> Term {
        match self.terms.width(number) > width {
            true => self.terms.extract(number, 0, width),
            false => self.terms.zext(number, width),
        }
    }

    /// Makes the element of a place the first entry, if the condition holds: the entry that is hit, or else the last one
    /// with the cells `old`. Without `hits`, there is no hit where the condition holds.
    fn make_first(
        &mut self,
        kept: &mut Kept,
        (place, condition): (&Place, Term),
        hits: &[Term],
        old: Vec<Term>,
    ) {
        let index = self.resized(place.index, INDEX_BITS);
        let terms = &mut self.terms;
        let mut first = Entry { index, cells: old };
        for (entry, &hit) in kept.entries.iter().zip(hits) {
            for (cell, &own) in first.cells.iter_mut().zip(&entry.cells) {
                *cell = terms.ite(hit, own, *cell);
            }
        }
        // What is behind the hit stays where it is.
        let mut moves = condition;
        let mut before = first;
        for (number, entry) in kept.entries.iter_mut().enumerate() {
            let old = entry.clone();
            entry.index = terms.ite(moves, before.index, entry.index);
            for (cell, &own) in entry.cells.iter_mut().zip(&before.cells) {
                *cell = terms.ite(moves, own, *cell);
            }
            before = old;
            if let Some(&hit) = hits.get(number) {
                let misses = terms.not(hit);
                moves = terms.and(moves, misses);
            }
        }
        // It is behind the last entry: `before` is forgotten.
        for cell in before.cells {
            let zero = terms.constant(0, terms.width(cell));
            let is_zero = terms.eq(cell, zero);
            let is_other = terms.not(is_zero);
            let is_lost = terms.and(moves, is_other);
            kept.is_open = terms.or(kept.is_open, is_lost);
        }
    }
}

/// An access is within a known element that no entry has, one bit.
fn missed(terms: &mut craig_word::Terms, place: &Place) -> Term {
    (place.is_tracked.iter()).fold(place.is_known, |all, &hit| {
        let other = terms.not(hit);
        terms.and(all, other)
    })
}
