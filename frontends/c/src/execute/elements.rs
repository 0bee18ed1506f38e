//! Arrays of which one element is tracked: facts about all elements, for any number of them.
//!
//! In a program with cuts, an array that is large, of unknown size, or accessed at an unknown index can lose
//! its cells (see `forgotten`). One *frozen index* `k` of the program is an input at the start that never
//! changes, a prophecy constant: Mann, Irfan, Griggio, Padon, Barrett, *Counterexample-guided prophecy for
//! model checking modulo the theory of arrays* (2021). Each such array keeps the cells of its element `k`,
//! which are words of the state like any other. With elements of `s` bytes these are the bytes from `k * s`
//! up to `k * s + s`, without wrap-around.
//!
//! * A store within element `i` changes these cells if `i == k`. Of a store that may reach into two elements,
//!   or whose element is not known, they get any values.
//! * A read within element `i` yields their value if `i == k`, else any value: an input. A read that may
//!   reach into two elements, or whose element is not known, yields any value.
//!
//! **Simulation.** Take a run of the program and any number for `k`. The executor has a run with the same
//! values in all other words of the state whose tracked cells, where the array has an element `k`, are the
//! bytes of that element: for each input that stands for what is read, choose the value that the run reads;
//! it is taken only where `i != k`. So all terms have the same values whatever `k` is, except the tracked
//! cells and what compares with `k`.
//!
//! **The gate.** An error counts only if the read that it is *assigned* to is of element `k`: the last
//! executed one, of those of the last step whose inputs occur in the error's condition
//! ([`super::summary::gate`]). Which read that is, and its index, depend on values of the run and not on `k`,
//! by the simulation. If its element is not known or is no number of `k`'s width, or if there is no such
//! read, the error counts always. Take a run of the program with an error. If it is assigned to a read of
//! element `i`, choose `k = i` at the start; then the executor has a run in which the error counts. Paths
//! that end as unsupported count always.
//!
//! If that leads to no proof, the index is chosen by a store instead ([`IndexChoice::Store`]): the first one
//! in the execution from the start. A run executes it at most once, so that its index depends on the run and
//! not on `k`. In the runs of the executor with another `k`, the path ends there; errors count always. Take a
//! run of the program with an error, and choose the index of that store, if it is executed and known, else
//! any.
//!
//! So a proof is one of the program: its invariant holds for each `k`. An error path says nothing, as values
//! that were read of other elements may be wrong.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use craig_word::{Node, Op, Term, Terms};

use super::access::Target;
use super::choices::leaves;
use super::executor::{Executor, Supported};
use super::memory::{self, ObjectId, constant_low_bits};
use super::state::State;
use super::summary::OtherRead;
use crate::ir::Shape;
use crate::types::Type;

/// The width of the frozen index.
pub(crate) const INDEX_BITS: u32 = 32;
/// Larger elements are not tracked.
const MAX_STRIDE: u64 = 128;
/// Elements of more cells are not tracked.
const MAX_ELEMENT_CELLS: usize = 16;
/// Arrays of more cells have none from the start.
const MAX_CELLS: usize = 256;
/// Offsets that choose from more pointers are taken as they are, and so are addends of longer sums.
const MAX_POINTERS: usize = 4;
const MAX_ADDENDS: usize = 8;
/// An access with more possible positions within its element is one whose element is not known.
const MAX_POSITIONS: u64 = 16;

/// What the frozen index of a run with an error is chosen by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum IndexChoice {
    /// The read that the error is assigned to.
    Read,
    /// The first store to a tracked array before all cuts. Errors are not gated then.
    Store,
}

/// The arrays of which an element is tracked.
pub(crate) struct Elements {
    /// The object without bytes whose only word is the frozen index.
    pub(crate) index: ObjectId,
    /// The arrays, each with the shape of an element. Their tracked cells come after the word with their
    /// size.
    pub(crate) tracked: BTreeMap<ObjectId, Arc<Shape>>,
    /// Arrays with cells that are accessed at an unknown index: the analysis starts again without their
    /// cells.
    wanted: BTreeSet<ObjectId>,
    /// Arrays with more elements lose their cells at an unknown index.
    most: u64,
    /// The shapes of elements of allocated arrays.
    allocated: HashMap<ObjectId, Arc<Shape>>,
    /// Allocated arrays whose first word is the number of their elements, with the size of an element. That of others
    /// is their size in bytes.
    pub(crate) lengths: BTreeMap<ObjectId, u64>,
    /// Allocated arrays that had a size which is no multiple of that of an element by its form.
    in_bytes: BTreeSet<ObjectId>,
    /// What the frozen index is chosen by.
    pub(crate) choice: IndexChoice,
    /// Whether the next store chooses the frozen index: it is the first one of an execution from the start of the
    /// program.
    chooses: bool,
    /// The inputs for what was read since the last store, by array, offset and number of bytes.
    latest: HashMap<(ObjectId, Term, u32), Term>,
}

/// Where in an array an access is.
struct Place {
    /// It is element `k`, one bit.
    is_tracked: Term,
    /// The access lies within one element, whose number is one of `k`'s width: one bit.
    is_known: Term,
    /// It may reach into other elements: one bit.
    is_elsewhere: Term,
    /// The exclusive conditions of the offsets within the element.
    positions: Vec<(Term, u64)>,
}

impl Elements {
    /// No array is tracked yet; those of more elements than `most` may be.
    pub(crate) fn new(index: ObjectId, most: u64, choice: IndexChoice) -> Self {
        Self {
            index,
            choice,
            chooses: false,
            tracked: BTreeMap::new(),
            wanted: BTreeSet::new(),
            most,
            allocated: HashMap::new(),
            lengths: BTreeMap::new(),
            in_bytes: BTreeSet::new(),
            latest: HashMap::new(),
        }
    }

    /// Whether the analysis has to start again.
    pub(crate) fn wants_more(&self) -> bool {
        !self.wanted.is_empty()
    }
}

impl Executor<'_> {
    /// Tracks elements of arrays with more than `most` elements from now on.
    ///
    /// # Errors
    ///
    /// If the address space is used up.
    pub(crate) fn track_elements(&mut self, most: u64, choice: IndexChoice) -> Supported<()> {
        let index = self.space.add(Shape::new(0, Vec::new()))?;
        self.forgets = true;
        self.elements = Some(Elements::new(index, most, choice));
        Ok(())
    }

    /// Puts the frozen index into the first state.
    pub(super) fn start_elements(&mut self, memory: &mut Vec<Option<Arc<Vec<Term>>>>) {
        let Some(index) = self.elements.as_ref().map(|elements| elements.index) else {
            return;
        };
        self.step = index;
        self.made = 0;
        let word = self.variable(INDEX_BITS);
        memory.resize(index as usize + 1, None);
        memory[index as usize] = Some(Arc::new(vec![word]));
    }

    /// Begins an execution: from the start of the program, or from a cut.
    pub(crate) fn begin_with_elements(&mut self, at_start: bool) {
        if let Some(elements) = &mut self.elements {
            elements.latest.clear();
            elements.chooses = at_start && elements.choice == IndexChoice::Store;
        }
    }

    /// Whether the store that is executed is the one that the frozen index is chosen by. No run executes that
    /// twice: paths pass the start once, and an instance there is of one iteration of all loops. Of several
    /// targets of a store, the first one chooses.
    fn is_choosing(&mut self) -> bool {
        let elements = self.elements.as_mut();
        elements.is_some_and(|elements| std::mem::take(&mut elements.chooses))
    }

    /// Takes the cells of arrays that are accessed at an unknown index. Returns these arrays: the analysis
    /// has to start again.
    pub(crate) fn take_wanted(&mut self) -> BTreeSet<ObjectId> {
        let Some(elements) = &mut self.elements else {
            return BTreeSet::new();
        };
        let wanted = std::mem::take(&mut elements.wanted);
        for &object in &wanted {
            let shape = &mut self.space.objects[object as usize].shape;
            *shape = Shape::opaque(shape.size);
        }
        wanted
    }

    pub(super) fn note_elements(&mut self, object: ObjectId, element: Option<&Arc<Shape>>) {
        if let (Some(elements), Some(element)) = (&mut self.elements, element) {
            elements.allocated.insert(object, element.clone());
        }
    }

    /// Forgets what was read: something may have changed.
    pub(crate) fn forget_element_reads(&mut self) {
        if let Some(elements) = &mut self.elements {
            elements.latest.clear();
        }
    }

    /// Whether an allocation with such elements can be tracked.
    pub(super) fn can_track(&self, element: Option<&Arc<Shape>>) -> bool {
        self.elements.is_some() && element.is_some_and(|shape| is_element(shape))
    }

    /// The word that represents the size of an allocated object: the number of its elements, if the size is a multiple of
    /// theirs by its form, else the number of bytes. Products with powers of two are easy for all engines, so that
    /// arrays of such elements keep their bytes.
    ///
    /// If an object has had lengths before this size, the analysis starts again with its bytes.
    pub(super) fn size_word(
        &mut self,
        object: ObjectId,
        size: Term,
        element: Option<&Arc<Shape>>,
    ) -> Term {
        let Some(elements) = &mut self.elements else {
            return size;
        };
        let stride = element.filter(|element| is_element(element));
        let stride = stride.map_or(1, |element| element.size);
        let known = elements.lengths.get(&object);
        if !stride.is_power_of_two()
            && !elements.in_bytes.contains(&object)
            && known.is_none_or(|&known| known == stride)
            && let Some((0, length)) = divided(&mut self.terms, size, stride)
        {
            elements.lengths.insert(object, stride);
            return length;
        }
        elements.in_bytes.insert(object);
        if elements.lengths.remove(&object).is_some() {
            elements.wanted.insert(object);
        }
        size
    }

    /// The size of an element of an array whose first word is its length.
    pub(super) fn stride_of_length(&self, object: ObjectId) -> Option<u64> {
        let elements = self.elements.as_ref()?;
        elements.lengths.get(&object).copied()
    }

    /// Whether so many bytes at an offset end within an object without cells, one bit.
    pub(super) fn fits_opaque(
        &mut self,
        state: &State,
        object: ObjectId,
        (offset, bytes): (Term, u32),
    ) -> Term {
        let cases = match self.tracked(object) {
            Some(_) => self.offset_cases(offset),
            None => vec![(self.terms.boolean(true), offset)],
        };
        let mut fits = self.terms.boolean(false);
        for (case, offset) in cases {
            let inside = match self.fits_elements(state, object, (offset, bytes)) {
                Some(inside) => inside,
                None => {
                    let size = self.size_of(state, object);
                    self.fits(offset, bytes, size)
                }
            };
            let inside = self.terms.and(case, inside);
            fits = self.terms.or(fits, inside);
        }
        fits
    }

    /// The same without products: by the number of the element and the length, if the first word of an array is its
    /// length and the access is within one element.
    ///
    /// With elements of `s` bytes and words of `w` bits, let `m` be `2^w / s`, rounded down. If the number `i` is less
    /// than `m` and the length `n` at most `m`, neither `i * s + rest` nor `n * s` wraps around, and the access fits if
    /// and only if `i < n`. Else it may fit or not, by an input: a run of the program has a run in which that is as it
    /// is there.
    fn fits_elements(
        &mut self,
        state: &State,
        object: ObjectId,
        (offset, bytes): (Term, u32),
    ) -> Option<Term> {
        let stride = self.stride_of_length(object)?;
        let (rest, index) = divided(&mut self.terms, offset, stride)?;
        if rest + u64::from(bytes) > stride {
            return None;
        }
        let length = *state.memory.get(object as usize)?.as_ref()?.first()?;
        let any = self.variable(1);
        let terms = &mut self.terms;
        let width = terms.width(offset);
        let most = terms.constant((1u128 << width) / u128::from(stride), width);
        let (own, all) = (terms.ult(index, most), terms.ule(length, most));
        let is_exact = terms.and(own, all);
        let fits = terms.ult(index, length);
        Some(terms.ite(is_exact, fits, any))
    }

    /// The shape of the elements of an array, if they can be tracked.
    fn element_of(&self, object: ObjectId) -> Option<Arc<Shape>> {
        let elements = self.elements.as_ref()?;
        if let Some(shape) = elements.allocated.get(&object) {
            return is_element(shape).then(|| shape.clone());
        }
        let Some(Type::Array(element, _)) = self.type_of(object) else {
            return None;
        };
        let mut element = element;
        while let Type::Array(inner, _) = &**element {
            element = inner;
        }
        let types = self.program.types.as_ref()?;
        let size = types.size(element).filter(|&size| size <= MAX_STRIDE)?;
        let shape = Shape::new(size, types.cells(element, MAX_ELEMENT_CELLS)?);
        is_element(&shape).then_some(shape)
    }

    /// Leaves out the cells of a new array if they are many: a state would have all of them before an access
    /// is met.
    pub(super) fn leave_out_cells(&mut self, object: ObjectId) {
        let shape = &self.space.objects[object as usize].shape;
        let size = shape.size;
        if shape.cells.len() > MAX_CELLS && self.element_of(object).is_some() {
            self.space.objects[object as usize].shape = Shape::opaque(size);
        }
    }

    /// Adds the tracked cells of a new array without cells to the word with its size.
    pub(super) fn add_element(
        &mut self,
        object: ObjectId,
        cells: &mut Arc<Vec<Term>>,
        zeroed: bool,
    ) {
        if !self.space.objects[object as usize].shape.is_opaque() {
            return;
        }
        let Some(shape) = self.element_of(object) else {
            return;
        };
        for &(_, bytes) in &shape.cells {
            let value = match zeroed {
                true => self.terms.constant(0, bytes * 8),
                false => self.variable(bytes * 8),
            };
            Arc::make_mut(cells).push(value);
        }
        self.has_forgotten = true;
        if let Some(elements) = &mut self.elements {
            elements.tracked.insert(object, shape);
        }
    }

    /// Whether an access at an unknown index makes an array with cells one without, of which an element is
    /// tracked.
    pub(super) fn wants_element(&mut self, object: ObjectId) -> bool {
        let Some(shape) = self.element_of(object) else {
            return false;
        };
        let size = self.space.objects[object as usize].shape.size;
        let Some(elements) = &mut self.elements else {
            return false;
        };
        let is_wanted = size / shape.size > elements.most;
        if is_wanted {
            elements.wanted.insert(object);
        }
        is_wanted
    }

    /// The shape of the element of an array of which one is tracked.
    fn tracked(&self, object: ObjectId) -> Option<Arc<Shape>> {
        self.elements.as_ref()?.tracked.get(&object).cloned()
    }

    fn frozen_index(&self, state: &State) -> Option<Term> {
        let index = self.elements.as_ref()?.index as usize;
        state.memory.get(index)?.as_ref()?.first().copied()
    }

    /// An offset by the alternatives of the pointer that it comes from, with their exclusive conditions: one addend may
    /// be a choice from few constants, as of an allocation that may fail.
    fn offset_cases(&mut self, offset: Term) -> Vec<(Term, Term)> {
        let (mut addends, mut stack) = (Vec::new(), vec![offset]);
        while let Some(term) = stack.pop() {
            match self.terms.node(term) {
                Node::Binary(Op::Add, a, b) if addends.len() < MAX_ADDENDS => stack.extend([b, a]),
                _ => addends.push(term),
            }
        }
        let is_choice = |&term: &Term| {
            let few = |leaves: BTreeSet<u128>| leaves.len() <= MAX_POINTERS;
            matches!(self.terms.node(term), Node::Ite(..))
                && leaves(&self.terms, term).is_some_and(few)
        };
        let choice = addends.iter().position(is_choice);
        let order = choice.and_then(|at| Some((at, self.choices(addends[at])?)));
        let Some((at, order)) = order else {
            return vec![(self.terms.boolean(true), offset)];
        };
        let choice = addends.remove(at);
        let zero = self.terms.constant(0, self.terms.width(offset));
        let rest = (addends.into_iter()).fold(zero, |sum, addend| self.terms.add(sum, addend));
        (self.leaf_conditions(choice, order).into_iter())
            .map(|(condition, leaf)| (condition, self.terms.add(rest, leaf)))
            .collect()
    }

    /// Where an access is; `None` if its element is not known in any case.
    fn place(&mut self, shape: &Shape, offset: Term, bytes: u32, frozen: Term) -> Option<Place> {
        let never = self.terms.boolean(false);
        let mut all = Place {
            is_tracked: never,
            is_known: never,
            is_elsewhere: never,
            positions: Vec::new(),
        };
        let cases = self.offset_cases(offset);
        if let [(_, offset)] = cases[..] {
            return self.place_in_case(shape, offset, bytes, frozen);
        }
        for (case, offset) in cases {
            let Some(place) = self.place_in_case(shape, offset, bytes, frozen) else {
                all.is_elsewhere = self.terms.or(all.is_elsewhere, case);
                continue;
            };
            let terms = &mut self.terms;
            let mut add = |to: &mut Term, own: Term| {
                let own = terms.and(case, own);
                *to = terms.or(*to, own);
            };
            add(&mut all.is_tracked, place.is_tracked);
            add(&mut all.is_known, place.is_known);
            add(&mut all.is_elsewhere, place.is_elsewhere);
            for (here, at) in place.positions {
                let here = self.terms.and(case, here);
                all.positions.push((here, at));
            }
        }
        (!all.positions.is_empty()).then_some(all)
    }

    /// The same for one alternative of the offset.
    fn place_in_case(
        &mut self,
        shape: &Shape,
        offset: Term,
        bytes: u32,
        frozen: Term,
    ) -> Option<Place> {
        let stride = shape.size;
        if u64::from(bytes) > stride {
            return None;
        }
        let terms = &mut self.terms;
        let width = terms.width(offset);
        let (index, candidates, is_exact) = if stride.is_power_of_two() {
            let shift = stride.trailing_zeros();
            let index = terms.extract(offset, shift, width - shift);
            let low = terms.extract(offset, 0, shift.max(1));
            let low = (shift > 0).then_some(low);
            let always = terms.boolean(true);
            (index, positions_of(terms, low)?, always)
        } else {
            let (rest, index) = divided(terms, offset, stride)?;
            let always = terms.boolean(true);
            // Smaller numbers have distinct offsets.
            let limit = (1u128 << width) / u128::from(stride);
            let limit = terms.constant(limit.min(1 << INDEX_BITS), width);
            (index, vec![(always, rest)], terms.ult(index, limit))
        };
        let (positions, straddling): (Vec<_>, Vec<_>) =
            (candidates.into_iter()).partition(|&(_, at)| at + u64::from(bytes) <= stride);
        let never = terms.boolean(false);
        let fits = (positions.iter()).fold(never, |all, &(own, _)| terms.or(all, own));
        let crosses = (straddling.iter()).fold(never, |all, &(own, _)| terms.or(all, own));
        let width = terms.width(index);
        let (same, is_number) = if width > INDEX_BITS {
            let wide = terms.zext(frozen, width);
            let upper = terms.extract(index, INDEX_BITS, width - INDEX_BITS);
            let zero = terms.constant(0, width - INDEX_BITS);
            (terms.eq(index, wide), terms.eq(upper, zero))
        } else {
            let own = terms.zext(index, INDEX_BITS);
            (terms.eq(own, frozen), terms.boolean(true))
        };
        let is_tracked = terms.and(same, is_exact);
        let is_known = terms.and(is_number, is_exact);
        let is_known = terms.and(is_known, fits);
        let is_inexact = terms.not(is_exact);
        let is_elsewhere = terms.or(is_inexact, crosses);
        Some(Place {
            is_tracked,
            is_known,
            is_elsewhere,
            positions,
        })
    }

    /// The value of a read of an array of which an element is tracked; `None` if it is no such array.
    pub(super) fn read_element(
        &mut self,
        state: &State,
        target: &Target,
        bytes: u32,
    ) -> Option<Term> {
        let shape = self.tracked(target.object)?;
        let frozen = self.frozen_index(state)?;
        let key = (target.object, target.offset, bytes);
        let known = self.elements.as_ref()?.latest.get(&key).copied();
        // Two reads at one offset without a store between them have one value.
        let any = match known {
            Some(any) => any,
            None => self.read_forgotten(target.object, target.offset, bytes),
        };
        if let Some(elements) = &mut self.elements {
            elements.latest.insert(key, any);
        }
        let Some(place) = self.place(&shape, target.offset, bytes, frozen) else {
            return Some(any);
        };
        let cells = state.pieces(target.object)[1..].to_vec();
        debug_assert_eq!(cells.len(), shape.cells.len());
        let terms = &mut self.terms;
        let mut value = any;
        for &(here, at) in &place.positions {
            let own = memory::read_at(terms, &shape, &cells, at, bytes);
            let hit = terms.and(place.is_tracked, here);
            let hit = terms.and(hit, target.is_sure);
            value = terms.ite(hit, own, value);
        }
        let other = terms.not(place.is_tracked);
        let is_other = terms.and(place.is_known, other);
        let executed = self.guards.term(state.guard);
        let executed = self.terms.and(executed, target.condition);
        self.log.reads.push(OtherRead {
            site: 0,
            inputs: vec![any],
            executed,
            is_other,
        });
        Some(value)
    }

    /// A store to an array. Returns whether an element of it is tracked.
    pub(super) fn store_element(
        &mut self,
        state: &mut State,
        target: &Target,
        value: Term,
        bytes: u32,
    ) -> bool {
        let (Some(shape), Some(frozen)) = (self.tracked(target.object), self.frozen_index(state))
        else {
            return false;
        };
        self.store_forgotten(target.object, target.offset, value, bytes);
        let condition = self.terms.and(target.condition, target.is_sure);
        let Some(place) = self.place(&shape, target.offset, bytes, frozen) else {
            self.lose_element(state, target.object, condition);
            return true;
        };
        if self.is_choosing() {
            // In the runs with another index nothing is looked for.
            let other = self.terms.not(place.is_tracked);
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
        for &(here, at) in &place.positions {
            let hit = self.terms.and(place.is_tracked, here);
            let hit = self.terms.and(hit, condition);
            memory::write_at(&mut self.terms, &shape, cells, at, bytes, value, hit);
        }
        true
    }

    /// Gives the tracked cells of an array any values that it may hold, if the condition holds.
    pub(super) fn lose_element(&mut self, state: &mut State, object: ObjectId, condition: Term) {
        let (Some(shape), Some(frozen)) = (self.tracked(object), self.frozen_index(state)) else {
            return;
        };
        if self.terms.is_zero(condition) {
            return;
        }
        let width = self.space.width;
        let stride = self.terms.constant(u128::from(shape.size), width);
        let number = match width > INDEX_BITS {
            true => self.terms.zext(frozen, width),
            false => self.terms.extract(frozen, 0, width),
        };
        let start = self.terms.binary(Op::Mul, number, stride);
        let mut any = Vec::new();
        for &(at, bytes) in &shape.cells {
            let at = self.terms.constant(u128::from(at), width);
            let offset = self.terms.add(start, at);
            any.push(self.read_forgotten(object, offset, bytes));
        }
        let Some(Some(cells)) = state.memory.get_mut(object as usize) else {
            return;
        };
        for (cell, any) in Arc::make_mut(cells)[1..].iter_mut().zip(any) {
            *cell = self.terms.ite(condition, any, *cell);
        }
    }
}

/// Whether an element of this shape can be tracked.
fn is_element(shape: &Shape) -> bool {
    (1..=MAX_STRIDE).contains(&shape.size) && (1..=MAX_ELEMENT_CELLS).contains(&shape.cells.len())
}

/// The exclusive conditions of the values of the last bits of an offset; of none, the only one is 0. `None`
/// if there are too many.
fn positions_of(terms: &mut Terms, low: Option<Term>) -> Option<Vec<(Term, u64)>> {
    let always = terms.boolean(true);
    let Some(low) = low else {
        return Some(vec![(always, 0)]);
    };
    let width = terms.width(low);
    let (known, first) = constant_low_bits(terms, low, width);
    if known == width {
        return Some(vec![(always, first)]);
    }
    let count = 1u64 << (width - known);
    if count > MAX_POSITIONS {
        return None;
    }
    let upper = terms.extract(low, known, width - known);
    let mut positions = Vec::new();
    for number in 0..count {
        let own = terms.constant(u128::from(number), width - known);
        positions.push((terms.eq(upper, own), first + (number << known)));
    }
    Some(positions)
}

/// A word as `rest + stride * index` modulo a power of two, by its form, with `rest < stride`.
fn divided(terms: &mut Terms, word: Term, stride: u64) -> Option<(u64, Term)> {
    let width = terms.width(word);
    match terms.node(word) {
        Node::Const(value) => {
            // A negative constant is one below zero.
            let value = craig_word::to_signed(value, width);
            let stride = i128::from(stride);
            let (index, rest) = (value.div_euclid(stride), value.rem_euclid(stride));
            let index = craig_word::from_signed(index, width);
            Some((rest as u64, terms.constant(index, width)))
        }
        Node::Binary(Op::Mul, a, b) => {
            let factor = terms.constant_value(b)? as u64;
            if !factor.is_multiple_of(stride) {
                return None;
            }
            let factor = terms.constant(u128::from(factor / stride), width);
            Some((0, terms.mul(a, factor)))
        }
        Node::Binary(Op::Add, a, b) => {
            let (first, a) = divided(terms, a, stride)?;
            let (second, b) = divided(terms, b, stride)?;
            let (rest, carry) = match first + second {
                sum if sum >= stride => (sum - stride, 1),
                sum => (sum, 0),
            };
            let carry = terms.constant(carry, width);
            let index = terms.add(a, b);
            Some((rest, terms.add(index, carry)))
        }
        _ => None,
    }
}
