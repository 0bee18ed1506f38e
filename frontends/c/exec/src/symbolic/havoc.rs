//! The effect of a function without body and model.

use craig_c_lang::address_space::ObjectId;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use craig_c_lang::ir::Exposed;
use craig_c_lang::types::Type;
use craig_word::Term;

use super::executor::{Executor, Supported};
use super::overlay::ChainId;
use super::points::Points;
use super::state::{Happening, Position, State};

/// The maximal number of scans of an object's contents for pointers.
const MAX_VISITS: u32 = 4;

/// The conditions under which an object is reachable from the arguments, and may be changed.
#[derive(Default)]
struct Reach {
    reached: BTreeMap<ObjectId, Term>,
    changed: BTreeMap<ObjectId, Term>,
}

/// What characters are in contents that are made arbitrary.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Characters {
    /// Numbers.
    Numbers,
    /// Bytes of any value (C11 6.5p6), perhaps of an address.
    Bytes,
}

impl Characters {
    /// Whether values of a type are numbers.
    fn is_number(self, ty: &Type) -> bool {
        match ty {
            Type::Int(int) => int.size > 1 || self == Self::Numbers,
            Type::Float(_) => true,
            _ => false,
        }
    }
}

impl Executor<'_> {
    /// Gives all objects reachable from the arguments arbitrary contents. Pointers in them get unknown
    /// targets.
    pub(super) fn havoc(
        &mut self,
        function: &str,
        arguments: &[Exposed],
        position: &Position,
        state: &mut State,
    ) -> Supported<()> {
        if let Some(summaries) = &mut self.summaries {
            summaries.forget_reads();
        }
        self.forget_element_reads();
        let mut reach = Reach::default();
        let mut numbers = BTreeSet::new();
        let mut queue = Vec::new();
        for argument in arguments {
            let address = self.eval(argument.address, position, state)?;
            self.note_written(address)?;
            for (object, condition) in self.led_to(state, address, function)? {
                self.join_condition(&mut reach.reached, object, condition);
                if !argument.is_const {
                    self.join_condition(&mut reach.changed, object, condition);
                }
                if argument.has_numbers {
                    numbers.insert(object);
                } else {
                    queue.push(object);
                }
            }
        }
        let mut visits: BTreeMap<ObjectId, u32> = BTreeMap::new();
        while let Some(object) = queue.pop() {
            let visit = visits.entry(object).or_default();
            *visit += 1;
            if *visit > MAX_VISITS {
                return Err(format!(
                    "the objects reachable from the arguments of `{function}`"
                ));
            }
            let condition = reach.reached[&object];
            for word in self.pointers_in(state, object, function)? {
                for (next, own) in self.led_to(state, word, function)? {
                    let own = self.terms.and(condition, own);
                    let is_new = self.join_condition(&mut reach.reached, next, own);
                    self.join_condition(&mut reach.changed, next, own);
                    if is_new {
                        queue.push(next);
                    }
                }
            }
        }
        self.unknown_points = Points {
            objects: reach.reached.keys().copied().collect(),
            bits: true,
            pieces: true,
            difference: false,
            mixed: true,
            unknown: true,
            input: false,
        };
        for (object, condition) in reach.changed {
            if !self.is_constant(object) {
                let has_numbers = numbers.contains(&object);
                let contents = (has_numbers, Characters::Numbers);
                self.change(state, object, condition, contents)?;
            }
        }
        Ok(())
    }

    /// Adds a condition as an alternative to an entry. Returns whether the entry changed.
    fn join_condition(
        &mut self,
        known: &mut BTreeMap<ObjectId, Term>,
        object: ObjectId,
        condition: Term,
    ) -> bool {
        let old = known.get(&object).copied();
        let new = old.map_or(condition, |old| self.terms.or(old, condition));
        known.insert(object, new);
        old != Some(new)
    }

    /// The living objects that an address points into, with the conditions. A function that it points to may
    /// be called.
    fn led_to(
        &mut self,
        state: &State,
        address: Term,
        function: &str,
    ) -> Supported<Vec<(ObjectId, Term)>> {
        let points = self.points.of(&self.terms, &self.space, address);
        let width = self.space.width;
        let mut found = Vec::new();
        for &object in &points.objects {
            let info = &self.space.objects[object as usize];
            let (base, size) = (u128::from(info.base), info.shape.size);
            let called = info.function;
            let base = self.terms.constant(base, width);
            let offset = self.terms.sub(address, base);
            // The address one past the end belongs to the object.
            let end = self.terms.constant(u128::from(size) + 1, width);
            let inside = self.terms.ult(offset, end);
            if (self.guards.extend(&mut self.terms, state.guard, inside)).is_none() {
                continue;
            }
            if let Some(called) = called {
                let called = &self.program.functions[called as usize].name;
                return Err(format!("a call of `{function}`, which may call `{called}`"));
            }
            if self.is_of_others(object) {
                return Err(format!("a call of `{function}` with one of many objects"));
            }
            if matches!(state.memory.get(object as usize), Some(Some(_))) {
                found.push((object, inside));
            }
        }
        Ok(found)
    }

    /// The words in an object that are pointers.
    fn pointers_in(
        &mut self,
        state: &State,
        object: ObjectId,
        function: &str,
    ) -> Supported<Vec<Term>> {
        let width = self.space.width;
        let bytes = width / 8;
        let shape = self.space.objects[object as usize].shape.clone();
        if state.overlays.contains_key(&object) || shape.is_opaque() {
            if self.is_of_numbers(object, Characters::Numbers)
                || shape.uniform.is_some_and(|size| size < bytes)
            {
                return Ok(Vec::new());
            }
            return Err(format!(
                "the objects reachable from the arguments of `{function}` in a large object"
            ));
        }
        let cells = state.pieces(object).to_vec();
        let mut found = Vec::new();
        for (&cell, &(_, size)) in cells.iter().zip(&shape.cells) {
            if self.terms.constant_value(cell) == Some(0) {
                continue;
            }
            let points = self.points.of(&self.terms, &self.space, cell);
            if points.objects.is_empty() {
                continue;
            }
            if size != bytes {
                return Err(format!(
                    "the objects reachable from the arguments of `{function}` by parts of pointers"
                ));
            }
            found.push(cell);
        }
        Ok(found)
    }

    /// Whether the type of an object excludes pointers in it.
    fn is_of_numbers(&self, object: ObjectId, characters: Characters) -> bool {
        self.type_of(object).is_some_and(|ty| {
            let mut ty = ty;
            while let Type::Array(element, _) = ty {
                ty = element;
            }
            characters.is_number(ty)
        })
    }

    /// The type of a static object or one of a frame.
    pub(super) fn type_of(&self, object: ObjectId) -> Option<&Type> {
        match self.program.statics.get(object as usize) {
            Some(of) => of.ty.as_ref(),
            None => self.frame_objects.get(&object).and_then(Option::as_ref),
        }
    }

    pub(super) fn is_constant(&self, object: ObjectId) -> bool {
        self.space.objects[object as usize].is_constant
    }

    /// A free word in memory whose contents are arbitrary. One that is no number may be what `unknown_points` says, or
    /// a piece of it.
    pub(super) fn havocked_word(&mut self, width: u32, is_number: bool) -> Term {
        let value = self.variable(width);
        if is_number {
            self.points.is_input(value);
            return value;
        }
        let points = match width >= self.space.width {
            true => self.unknown_points.clone(),
            false => Points {
                bits: true,
                pieces: true,
                ..Points::default()
            },
        };
        if width < self.space.width {
            self.points.is_arbitrary(value);
        }
        self.set_points(value, points);
        value
    }

    /// The arbitrary contents of an object without cells; those that are no numbers may be addresses.
    pub(super) fn havocked_contents(&mut self, size: u64, owner: Term, numbers: bool) -> ChainId {
        match numbers {
            true => self.overlays.blank(size, Some(owner)),
            false => self.overlays.blank_of_any(size, owner),
        }
    }

    /// Gives an object arbitrary contents, if the condition holds. Whether these are numbers is said, or follows from its type.
    pub(super) fn change(
        &mut self,
        state: &mut State,
        object: ObjectId,
        condition: Term,
        (has_numbers, characters): (bool, Characters),
    ) -> Supported<()> {
        let old_chain = state.overlays.get(&object).copied();
        let has_chain = old_chain.is_some();
        let shape = self.space.objects[object as usize].shape.clone();
        let ty = self.type_of(object).cloned();
        let types = self.program.types.clone();
        let numbers = has_numbers || self.is_of_numbers(object, characters);
        if self.counting && shape.is_opaque() {
            self.change_havocked(object, numbers);
            self.lose_element(state, object, condition);
        }
        let mut fresh = Vec::with_capacity(shape.cells.len());
        for &(offset, bytes) in &shape.cells {
            let is_pointer = || match (&ty, &types) {
                (Some(ty), Some(types)) => !(types.part(ty, offset, u64::from(bytes)))
                    .is_some_and(|(_, part)| characters.is_number(&part)),
                _ => true,
            };
            let value = self.havocked_word(bytes * 8, numbers || !is_pointer());
            fresh.push(value);
        }
        let fresh = Arc::new(fresh);
        let owner = if has_chain && shape.is_opaque() {
            Some(self.variable(8))
        } else {
            None
        };
        let is_certain = self.terms.constant_value(condition) == Some(1);
        match old_chain {
            Some(old) if owner.is_some() || !is_certain => {
                let new = match owner {
                    Some(owner) => self.havocked_contents(shape.size, owner, numbers),
                    None => self.overlays.base(&shape, &fresh),
                };
                let chain = self.overlays.join(&self.terms, condition, new, old);
                state.overlays.insert(object, chain);
            }
            _ => {
                if let Some(Some(cells)) = state.memory.get_mut(object as usize) {
                    let cells = Arc::make_mut(cells);
                    for (cell, &new) in cells.iter_mut().zip(fresh.iter()) {
                        *cell = self.terms.ite(condition, new, *cell);
                    }
                }
                state.overlays.remove(&object);
            }
        }
        self.event(
            state,
            Happening::Change {
                object,
                cells: fresh,
                owner,
                part: None,
                condition,
            },
        );
        Ok(())
    }
}
