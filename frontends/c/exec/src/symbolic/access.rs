//! Loads and stores: the objects that an address may point into, and the effect on them.

use craig_c_lang::address_space::ObjectId;
use craig_c_lang::ir::Shape;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use craig_word::{Node, Op, Term, Terms};

use super::choices::under;
use super::executor::{Executor, Supported};
use super::memory;
use super::overlap::{Starts, split};
use super::overlay::ChainId;
use super::state::{Event, Happening, State};

/// Addresses with more alternatives than this are not split.
const MAX_ALTERNATIVES: usize = 48;
/// Nor are those with more choices and alternatives: each gets a condition.
const MAX_CHOICES: usize = 1024;

/// The reason for a pointer whose target is not tracked.
pub(super) const NOT_FOLLOWED: &str = "a pointer that was computed in a way that is not followed, or that a \
                                       function without body may have changed";

/// An object that an access may affect.
pub(super) struct Target {
    pub(super) object: ObjectId,
    pub(super) offset: Term,
    /// The address is within this object.
    pub(super) condition: Term,
    /// Whether it is the object of the address, and not one of several there (see `distinguish`).
    pub(super) is_sure: Term,
}

/// The cells of an object that an access reaches.
enum ReachedCells {
    /// No cell can be reached by such an access.
    Nothing,
    /// The object's cells, at a known offset.
    Known(u64),
    /// The object's cells, at one of several offsets.
    Among(memory::Candidates),
    /// An overlay.
    Chain(ChainId),
    /// An object without contents: what is stored is lost, and a read yields any value.
    Havocked,
}

impl Executor<'_> {
    /// The objects that an access of `bytes` bytes may affect.
    pub(super) fn targets(
        &mut self,
        state: &State,
        address: Term,
        bytes: u32,
    ) -> Supported<Vec<Target>> {
        let mut targets = Vec::new();
        for (case, address) in self.cases(address) {
            // Paths with an unknown target of the pointer have ended.
            let known = (self.guards.extend(&mut self.terms, state.guard, case)).is_some();
            if !known && self.points.of(&self.terms, &self.space, address).is_lost() {
                continue;
            }
            self.targets_in(case, state, address, bytes, &mut targets)?;
        }
        if targets.len() > 512 {
            return Err("a pointer to too many objects".into());
        }
        if self.has_havocked {
            self.distinguish(state, bytes, &mut targets);
        }
        Ok(targets)
    }

    /// An object without contents may be larger than its region, where other objects have their addresses: an
    /// access that may be to one of them there is to it or not.
    fn distinguish(&mut self, state: &State, bytes: u32, targets: &mut [Target]) {
        let mut is_far = self.terms.boolean(false);
        for target in &*targets {
            let region = &self.space.objects[target.object as usize].shape;
            if region.is_opaque() && self.counting {
                let region = self
                    .terms
                    .constant(u128::from(region.size), self.space.width);
                let size = self.size_of(state, target.object);
                let in_region = self.fits(target.offset, bytes, region);
                let in_object = self.fits(target.offset, bytes, size);
                let outside = self.terms.not(in_region);
                let own = self.terms.and(in_object, outside);
                is_far = self.terms.or(is_far, own);
            }
        }
        if self.terms.is_zero(is_far) {
            return;
        }
        let chosen = self.variable(1);
        let is_near = self.terms.not(is_far);
        let is_taken = self.terms.or(is_near, chosen);
        let is_shared = targets.len() > 1;
        for target in targets {
            // The element of one of several objects without contents may be meant, or not.
            if is_shared && self.space.objects[target.object as usize].shape.is_opaque() {
                let own = self.variable(1);
                target.is_sure = self.terms.or(is_near, own);
            }
            if !self.space.objects[target.object as usize].shape.is_opaque() {
                target.condition = self.terms.and(target.condition, is_taken);
            }
        }
    }

    /// The alternatives of an address, with their exclusive conditions. Alternatives that are all constants
    /// are kept together: they simplify well.
    ///
    /// Considered separately, a known address determines the exact offset in its object, whatever the other
    /// alternatives are.
    fn cases(&mut self, address: Term) -> Vec<(Term, Term)> {
        let whole = |terms: &mut Terms| vec![(terms.boolean(true), address)];
        let (root, shift) = match self.terms.node(address) {
            Node::Binary(Op::Add, a, b) if self.terms.constant_value(b).is_some() => (a, Some(b)),
            Node::Binary(Op::Add, a, b) if self.terms.constant_value(a).is_some() => (b, Some(a)),
            _ => (address, None),
        };
        let Some(order) = self.choices(root) else {
            return whole(&mut self.terms);
        };
        let terms = &mut self.terms;
        let is_leaf = |terms: &Terms, term: Term| !matches!(terms.node(term), Node::Ite(..));
        let is_plain = |&term: &Term| !is_leaf(terms, term) || terms.constant_value(term).is_some();
        if order.len() == 1 || order.iter().all(is_plain) {
            return whole(terms);
        }
        (self.leaf_conditions(root, order).into_iter())
            .map(|(condition, leaf)| {
                let own = shift.map_or(leaf, |shift| self.terms.add(leaf, shift));
                (self.points).is_near(&self.terms, &self.space, &[leaf], own);
                (condition, own)
            })
            .collect()
    }

    /// What a term chooses from, with the exclusive conditions; `order` is [`Self::choices`] of it.
    pub(super) fn leaf_conditions(&mut self, root: Term, order: Vec<Term>) -> Vec<(Term, Term)> {
        let terms = &mut self.terms;
        let mut conditions: HashMap<Term, Term> = HashMap::from([(root, terms.boolean(true))]);
        let mut leaves = Vec::new();
        for term in order {
            let condition = conditions[&term];
            match terms.node(term) {
                Node::Ite(choice, a, b) => {
                    let negated = terms.not(choice);
                    for (literal, to) in [(choice, a), (negated, b)] {
                        let own = terms.and(condition, literal);
                        let known = conditions.get(&to).copied();
                        let all = known.map_or(own, |known| terms.or(known, own));
                        conditions.insert(to, all);
                    }
                }
                _ => leaves.push((condition, term)),
            }
        }
        leaves
    }

    /// The nested choices of a term, each after all that contain it. `None` if there are too many.
    pub(super) fn choices(&self, root: Term) -> Option<Vec<Term>> {
        let mut order = Vec::new();
        let mut seen = HashSet::new();
        let mut n_leaves = 0;
        let mut stack = vec![(root, false)];
        while let Some((term, is_done)) = stack.pop() {
            if is_done {
                order.push(term);
                continue;
            }
            if !seen.insert(term) {
                continue;
            }
            stack.push((term, true));
            if let Node::Ite(_, a, b) = self.terms.node(term) {
                stack.extend([(a, false), (b, false)]);
            } else {
                n_leaves += 1;
            }
            if n_leaves > MAX_ALTERNATIVES || seen.len() > MAX_CHOICES {
                return None;
            }
        }
        order.reverse();
        Some(order)
    }

    /// The objects that an access may affect in one case.
    fn targets_in(
        &mut self,
        case: Term,
        state: &State,
        address: Term,
        bytes: u32,
        targets: &mut Vec<Target>,
    ) -> Supported<()> {
        let points = self.points.of(&self.terms, &self.space, address);
        if points.is_lost() {
            return Err(NOT_FOLLOWED.into());
        }
        let width = self.space.width;
        let constants = self.constant_choice(address);
        for &object in &points.objects {
            if !matches!(state.memory.get(object as usize), Some(Some(_))) {
                continue;
            }
            let info = &self.space.objects[object as usize];
            let (size, base) = (info.shape.size, info.base);
            if size < u64::from(bytes) {
                continue;
            }
            let is_opaque = info.shape.is_opaque();
            // With cuts, an object without contents may be larger than its region.
            let few = match constants {
                Some(choice) if !is_opaque || !self.counting => {
                    self.within(choice, base, size - u64::from(bytes) + 1)
                }
                _ => None,
            };
            let base = self.terms.constant(u128::from(base), width);
            let offset = match few {
                Some((_, Some(offset))) => offset,
                _ => self.terms.sub(address, base),
            };
            let in_region = match few {
                Some((inside, _)) => inside,
                // With cuts, an object without contents may be larger than its region.
                None if is_opaque && self.counting => self.terms.boolean(true),
                None => {
                    let last = u128::from(size - u64::from(bytes));
                    let limit = self.terms.constant(last + 1, width);
                    self.terms.ult(offset, limit)
                }
            };
            // On a path that does not make the object, its size is any number.
            let inside = match is_opaque {
                true => {
                    let fits = self.fits_opaque(state, object, (offset, bytes));
                    self.terms.and(in_region, fits)
                }
                false => in_region,
            };
            let condition = self.terms.and(case, inside);
            if !self.terms.is_zero(condition) {
                let is_sure = self.terms.boolean(true);
                targets.push(Target {
                    object,
                    offset,
                    condition,
                    is_sure,
                });
            }
        }
        Ok(())
    }

    /// Whether `bytes` bytes at an offset end within a size, one bit.
    pub(super) fn fits(&mut self, offset: Term, bytes: u32, size: Term) -> Term {
        let length = (self.terms).constant(u128::from(bytes), self.space.width);
        let too_small = self.terms.ult(size, length);
        let last = self.terms.sub(size, length);
        let beyond = self.terms.ult(last, offset);
        let misfit = self.terms.or(too_small, beyond);
        self.terms.not(misfit)
    }

    /// The value read from an overlay.
    pub(crate) fn read_chain(&mut self, chain: ChainId, offset: Term, bytes: u32) -> Term {
        let (terms, points) = (&mut self.terms, &mut self.points);
        (self.overlays).read(terms, points, &self.space, chain, (offset, bytes))
    }

    /// The cells that an access of `bytes` bytes reaches at a target.
    ///
    /// An object with too many elements to choose from gets an overlay at the first access with an unknown
    /// offset, and keeps it.
    fn contents(
        &mut self,
        state: &mut State,
        target: &Target,
        bytes: u32,
    ) -> Supported<ReachedCells> {
        let shape = self.space.objects[target.object as usize].shape.clone();
        if shape.is_opaque() && self.counting {
            if !self.havocs {
                return Err(format!("an access to an object of {} bytes", shape.size));
            }
            self.has_havocked = true;
            return Ok(ReachedCells::Havocked);
        }
        if let Some(&chain) = state.overlays.get(&target.object) {
            return Ok(ReachedCells::Chain(chain));
        }
        if shape.is_opaque() {
            return Ok(ReachedCells::Nothing);
        }
        let Some(Some(cells)) = state.memory.get(target.object as usize) else {
            return Ok(ReachedCells::Nothing);
        };
        if let Some(offset) = self.terms.constant_value(target.offset) {
            return Ok(ReachedCells::Known(offset as u64));
        }
        let Some(found) = memory::candidates(&mut self.terms, &shape, target.offset, bytes) else {
            return Ok(ReachedCells::Nothing);
        };
        if self.counting && found.count > 1 && self.wants_element(target.object) {
            return Err("an array whose cells are left out".into());
        }
        let is_known = found.count <= memory::MAX_CANDIDATES
            && self.is_table_of_addresses((&shape, cells), found.offsets(), bytes);
        if !self.counting && found.count > self.lazy_above && !is_known {
            let chain = self.overlays.base(&shape, cells);
            state.overlays.insert(target.object, chain);
            return Ok(ReachedCells::Chain(chain));
        }
        if found.count > memory::MAX_CANDIDATES {
            return Err(format!(
                "an access at an unknown index to an object of {} bytes",
                shape.size
            ));
        }
        Ok(ReachedCells::Among(found))
    }

    /// Ends the paths on which the target of a pointer is unknown, if only some of its alternatives are
    /// unknown.
    pub(super) fn follow(&mut self, state: &mut State, address: Term) -> Supported<()> {
        let points = self.points.of(&self.terms, &self.space, address);
        if !points.is_lost() {
            return Ok(());
        }
        for (case, address) in self.cases(address) {
            if self.points.of(&self.terms, &self.space, address).is_lost() {
                self.give_up(state, case, NOT_FOLLOWED)?;
            }
        }
        Ok(())
    }

    /// Ends the paths on which an access is to an object of a frame that has ended.
    fn avoid_the_dead(&mut self, state: &mut State, address: Term, bytes: u32) -> Supported<()> {
        let points = self.points.of(&self.terms, &self.space, address);
        for &object in &points.objects {
            let is_alive = matches!(state.memory.get(object as usize), Some(Some(_)));
            if is_alive || !self.frame_objects.contains_key(&object) {
                continue;
            }
            let info = &self.space.objects[object as usize];
            let (size, base) = (info.shape.size, u128::from(info.base));
            let (size, base) = (
                self.terms.constant(u128::from(size), self.space.width),
                self.terms.constant(base, self.space.width),
            );
            let offset = self.terms.sub(address, base);
            let inside = self.fits(offset, bytes, size);
            self.give_up(
                state,
                inside,
                "an access to an object whose lifetime has ended",
            )?;
        }
        Ok(())
    }

    /// What is read at one of the candidates, to be copied.
    fn copied_among(
        &mut self,
        object: ObjectId,
        (shape, cells): (&Shape, &[Term]),
        found: &memory::Candidates,
        bytes: u32,
    ) -> Term {
        let mut values = Vec::new();
        for offset in found.offsets() {
            values.push(self.part_or_whole(object, (shape, cells), (offset, bytes)));
        }
        memory::choose(&mut self.terms, &values, found.index)
    }

    /// What is read where no object is: any value. `None` if no path reads there.
    fn read_outside(&mut self, state: &State, outside: Term, bytes: u32) -> Option<Term> {
        let guard = self.guards.extend(&mut self.terms, state.guard, outside)?;
        let value = self.variable(bytes * 8);
        let guard = self.guards.term(guard);
        self.log.events.push(Event {
            guard,
            at: self.at,
            what: Happening::Outside { value },
        });
        self.log.invalid.get_or_insert(self.at);
        Some(value)
    }

    pub(super) fn load(&mut self, state: &mut State, address: Term, bytes: u32) -> Supported<Term> {
        self.follow(state, address)?;
        self.avoid_the_dead(state, address, bytes)?;
        if let Some(read) = self.read_at_constants(state, address, bytes) {
            return Ok(match self.read_outside(state, read.outside, bytes) {
                Some(any) => self.terms.ite(read.outside, any, read.value),
                None => read.value,
            });
        }
        let targets = self.targets(state, address, bytes)?;
        let mut outside = self.terms.boolean(true);
        for target in &targets {
            let not_here = self.terms.not(target.condition);
            outside = self.terms.and(outside, not_here);
        }
        let mut value = None;
        let has_summaries = self.end_outside(state, outside)?;
        if !has_summaries {
            value = self.read_outside(state, outside, bytes);
        }
        for target in targets {
            let shape = self.space.objects[target.object as usize].shape.clone();
            if self.is_of_others(target.object) {
                if let Some(own) = self.read_other(state, address, &target, bytes)? {
                    value = Some(match value {
                        Some(other) => self.terms.ite(target.condition, own, other),
                        None => own,
                    });
                }
                continue;
            }
            let own = match self.contents(state, &target, bytes)? {
                ReachedCells::Nothing => continue,
                ReachedCells::Chain(chain) => self.load_from_chain(chain, &target, bytes),
                ReachedCells::Havocked => match self.read_element(state, &target, bytes) {
                    Some(value) => value,
                    None => self.read_havocked(target.object, target.offset, bytes),
                },
                ReachedCells::Known(offset) => {
                    let of = (target.object, target.condition);
                    let cells = self.cells_by_parts(state, of, [offset].into_iter(), bytes)?;
                    self.part_or_whole(target.object, (&shape, &cells), (offset, bytes))
                }
                ReachedCells::Among(found) => {
                    let of = (target.object, target.condition);
                    let cells = self.cells_by_parts(state, of, found.offsets(), bytes)?;
                    match self.is_copied {
                        true => self.copied_among(target.object, (&shape, &cells), &found, bytes),
                        false => memory::read_among(&mut self.terms, &shape, &cells, &found, bytes),
                    }
                }
            };
            let own = match has_summaries {
                true => under(&self.terms, own, target.condition),
                false => own,
            };
            let own = self.check_tracked(state, &target, bytes, own)?;
            value = Some(match value {
                Some(other) => self.terms.ite(target.condition, own, other),
                None => own,
            });
        }
        Ok(value.unwrap_or_else(|| self.terms.constant(0, bytes * 8)))
    }

    /// Where an access at an offset may start, as far as the path states bounds on it.
    fn starts(&self, state: &State, offset: Term) -> Option<Starts> {
        let (word, constant) = split(&self.terms, offset);
        let word = word.filter(|&word| self.terms.width(word) <= 64)?;
        let bounds = self.guards.unsigned_bounds(&self.terms, state.guard, word);
        Starts::of_sum(bounds, constant, self.terms.width(offset))
    }

    pub(super) fn store(
        &mut self,
        state: &mut State,
        address: Term,
        value: Term,
        bytes: u32,
    ) -> Supported<()> {
        if let Some(summaries) = &mut self.summaries {
            summaries.forget_reads();
        }
        self.note_written(address)?;
        self.follow(state, address)?;
        self.avoid_the_dead(state, address, bytes)?;
        let targets = self.targets(state, address, bytes)?;
        let mut outside = self.terms.boolean(true);
        for target in targets {
            let not_here = self.terms.not(target.condition);
            outside = self.terms.and(outside, not_here);
            if self.store_in_summary(state, &target, bytes, value) {
                continue;
            }
            self.note_address_in(&target, value);
            let shape = self.space.objects[target.object as usize].shape.clone();
            let contents = self.contents(state, &target, bytes)?;
            if let ReachedCells::Chain(chain) = contents {
                let (offset, condition) = (target.offset, target.condition);
                let place = (offset, self.starts(state, offset));
                let chain = (self.overlays).write(&self.terms, chain, place, value, condition);
                state.overlays.insert(target.object, chain);
                continue;
            }
            if let ReachedCells::Havocked = contents {
                if !self.store_element(state, &target, value, bytes) {
                    self.store_havocked(target.object, target.offset, value, bytes);
                }
                continue;
            }
            let is_spread = match &contents {
                ReachedCells::Known(offset) => memory::is_spread(&shape, *offset, bytes),
                ReachedCells::Among(found) => found
                    .offsets()
                    .any(|offset| memory::is_spread(&shape, offset, bytes)),
                _ => false,
            };
            let n_places = match &contents {
                ReachedCells::Among(found) => found.count,
                _ => 1,
            };
            let over_cells = match is_spread && self.counting {
                true => self.any_over_cells(state, target.condition, value, n_places)?,
                false => value,
            };
            let Some(Some(cells)) = state.memory.get_mut(target.object as usize) else {
                continue;
            };
            let cells = Arc::make_mut(cells);
            let found = match contents {
                ReachedCells::Among(found) => found,
                ReachedCells::Known(offset) => {
                    let place = (offset, bytes);
                    self.store_in_cells((&shape, cells), place, over_cells, target.condition);
                    continue;
                }
                ReachedCells::Nothing | ReachedCells::Chain(_) | ReachedCells::Havocked => {
                    continue;
                }
            };
            let width = self.terms.width(found.index);
            for index in 0..found.count {
                let number = self.terms.constant(u128::from(index), width);
                let here = self.terms.eq(found.index, number);
                let condition = self.terms.and(here, target.condition);
                let offset = found.first + index * found.step;
                let stored = match memory::is_spread(&shape, offset, bytes) {
                    true => over_cells,
                    false => value,
                };
                self.store_in_cells((&shape, cells), (offset, bytes), stored, condition);
            }
        }
        if self
            .guards
            .extend(&mut self.terms, state.guard, outside)
            .is_some()
        {
            self.log.invalid.get_or_insert(self.at);
        }
        Ok(())
    }

    /// Stores at a place of an object, where the condition holds.
    fn store_in_cells(
        &mut self,
        (shape, cells): (&Shape, &mut [Term]),
        (offset, bytes): (u64, u32),
        value: Term,
        condition: Term,
    ) {
        let value = self.spread(shape, (offset, bytes), value);
        self.divide_cell(shape, cells, (offset, bytes));
        memory::write_at(
            &mut self.terms,
            shape,
            cells,
            offset,
            bytes,
            value,
            condition,
        );
        self.join_cell(shape, cells, (offset, bytes));
    }
}
