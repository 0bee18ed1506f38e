//! Reads of and stores to arrays of which elements are tracked.

use craig_c_lang::address_space::ObjectId;
use std::sync::Arc;

use craig_word::{Op, Term};

use crate::symbolic::access::Target;
use crate::symbolic::arrays::{INDEX_BITS, IndexChoice};
use crate::symbolic::executor::Executor;
use crate::symbolic::memory;
use crate::symbolic::other_read::OtherRead;
use crate::symbolic::state::State;

impl Executor<'_> {
    /// The value of a read of an array of which an element is tracked; `None` if it is no such array.
    pub(in crate::symbolic) fn read_element(
        &mut self,
        state: &mut State,
        target: &Target,
        bytes: u32,
    ) -> Option<Term> {
        let shape = self.tracked(target.object)?;
        let prophecy = match self.n_recent() {
            Some(_) => Arc::default(),
            None => self.prophecy_indices(state)?,
        };
        let key = (target.object, target.offset, bytes);
        let known = self.elements.as_ref()?.latest.get(&key).copied();
        // Two reads of an array at one offset have one value, unless there is a store to that array between them: the
        // executor comes to that store after the first read and before the second, whatever branches it has been
        // through. A read on another branch may have the same input, as no run takes both.
        let any = match known {
            Some(any) => any,
            None => self.read_havocked(target.object, target.offset, bytes),
        };
        if let Some(elements) = &mut self.elements {
            elements.latest.insert(key, any);
        }
        // The number of an address is that of one layout.
        if self.may_divide_address(target.object, target.offset, bytes) {
            return Some(any);
        }
        if self.n_recent().is_some() {
            return Some(self.read_recent(state, target, &shape, (any, bytes)));
        }
        let Some(place) = self.place(&shape, target.offset, bytes, &prophecy) else {
            return Some(any);
        };
        let cells = state.pieces(target.object)[1..].to_vec();
        debug_assert_eq!(cells.len(), prophecy.len() * shape.cells.len());
        let terms = &mut self.terms;
        let mut value = any;
        // The first index has precedence, so that one element has one value where both are equal.
        let copies = cells.chunks(shape.cells.len()).zip(&place.is_tracked);
        for (cells, &is_tracked) in copies.rev() {
            for &(here, at) in &place.positions {
                let own = memory::read_at(terms, &shape, cells, at, bytes);
                let hit = terms.and(is_tracked, here);
                let hit = terms.and(hit, target.is_sure);
                value = terms.ite(hit, own, value);
            }
        }
        let is_other = (place.is_tracked.iter()).map(|&is_tracked| {
            let other = terms.not(is_tracked);
            terms.and(place.is_known, other)
        });
        let mut is_other: Vec<Term> = is_other.collect();
        // The second index does not depend on a read then.
        if (self.elements.as_ref()).is_some_and(|own| own.choice == IndexChoice::Derived) {
            is_other.truncate(1);
        }
        let executed = self.guards.term(state.guard);
        let executed = self.terms.and(executed, target.condition);
        self.log.reads.push(OtherRead {
            site: 0,
            inputs: vec![any],
            executed,
            is_other,
            index: Some(place.index),
        });
        Some(value)
    }

    /// A store to an array. Returns whether an element of it is tracked.
    pub(in crate::symbolic) fn store_element(
        &mut self,
        state: &mut State,
        target: &Target,
        value: Term,
        bytes: u32,
    ) -> bool {
        let Some(shape) = self.tracked(target.object) else {
            return false;
        };
        let has_entries = self.n_recent().is_some();
        let prophecy = match self.prophecy_indices(state) {
            Some(prophecy) => prophecy,
            None if has_entries => Arc::default(),
            None => return false,
        };
        self.forget_element_reads_of(target.object);
        self.store_havocked(target.object, target.offset, value, bytes);
        let condition = self.terms.and(target.condition, target.is_sure);
        if has_entries {
            self.store_recent(state, target, &shape, (value, bytes, condition));
            return true;
        }
        let Some(place) = self.place(&shape, target.offset, bytes, &prophecy) else {
            self.lose_element(state, target.object, condition);
            return true;
        };
        if self.is_choosing() {
            // In the runs with another index nothing is looked for.
            let other = self.terms.not(place.is_tracked[0]);
            let other = self.terms.and(place.is_known, other);
            let other = self.terms.and(condition, other);
            let chosen = self.terms.not(other);
            let Some(guard) = self.guards.extend(&mut self.terms, state.guard, chosen) else {
                return true;
            };
            state.guard = guard;
        }
        let is_lost = self.terms.and(condition, place.is_elsewhere);
        self.lose_element(state, target.object, is_lost);
        let Some(Some(cells)) = state.memory.get_mut(target.object as usize) else {
            return true;
        };
        let cells = &mut Arc::make_mut(cells)[1..];
        let copies = cells.chunks_mut(shape.cells.len()).zip(place.is_tracked);
        for (cells, is_tracked) in copies {
            for &(here, at) in &place.positions {
                let hit = self.terms.and(is_tracked, here);
                let hit = self.terms.and(hit, condition);
                memory::write_at(&mut self.terms, &shape, cells, at, bytes, value, hit);
            }
        }
        true
    }

    /// Gives the tracked cells of an array any values that it may hold, if the condition holds.
    pub(in crate::symbolic) fn lose_element(
        &mut self,
        state: &mut State,
        object: ObjectId,
        condition: Term,
    ) {
        let Some(shape) = self.tracked(object) else {
            return;
        };
        if self.n_recent().is_some() {
            self.lose_recent(state, object, &shape, condition);
            return;
        }
        let Some(prophecy) = self.prophecy_indices(state) else {
            return;
        };
        if self.terms.is_zero(condition) {
            return;
        }
        let width = self.space.width;
        let stride = self.terms.constant(u128::from(shape.size), width);
        let mut any = Vec::new();
        for &prophecy in &*prophecy {
            let number = match width > INDEX_BITS {
                true => self.terms.zext(prophecy, width),
                false => self.terms.extract(prophecy, 0, width),
            };
            let start = self.terms.binary(Op::Mul, number, stride);
            for &(at, bytes) in &shape.cells {
                let at = self.terms.constant(u128::from(at), width);
                let offset = self.terms.add(start, at);
                any.push(self.read_havocked(object, offset, bytes));
            }
        }
        let Some(Some(cells)) = state.memory.get_mut(object as usize) else {
            return;
        };
        for (cell, any) in Arc::make_mut(cells)[1..].iter_mut().zip(any) {
            *cell = self.terms.ite(condition, any, *cell);
        }
    }
}
