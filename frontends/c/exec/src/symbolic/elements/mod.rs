//! Arrays of which one element is tracked, or two: facts about all elements, for any number of them.
//!
//! In a program with cuts, an array that is large, of unknown size, or accessed at an unknown index can lose
//! its cells (see `havocked`). One *prophecy index* `k` of the program is an input at the start that never
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
//! ([`super::other_read::gate`]). Which read that is, and its index, depend on values of the run and not on `k`,
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
//! **A change.** An error may depend on what a loop computed from elements in steps before. Then the index is that of the
//! first read that changes a word on which the error depends ([`IndexChoice::Change`]); the automaton has a bit for
//! that, and the argument is there (`automaton/first_change.rs`).
//!
//! **Two indices.** Where the condition of an error depends on two elements, as that of an array that is not sorted,
//! each array keeps the cells of two elements, `k` and `l` ([`IndexChoice::Pair`]). A store changes the cells of
//! either; a read of element `i` yields those of `k` if `i == k`, else those of `l` if `i == l`, else any value. The
//! simulation is the same, for any two numbers. Of the reads on which an error depends, the last executed one chooses
//! `k`, and the last executed one of the others chooses `l`; an error counts if each of the two that exists is of its
//! index, or of no known element ([`super::other_read::gate`]). Reads of the same bytes without a store between them are
//! one read here, which takes place where the last of them does.
//!
//! The second index may be a function of the first one instead, if a loop stores to an element what it has read of
//! another one ([`IndexChoice::Derived`], `automaton/derived_index.rs`).
//!
//! Without a prophecy index, the elements at the last few indices are tracked ([`IndexChoice::Recent`], `recent.rs`).
//!
//! So a proof is one of the program: its invariant holds for each `k`, and each `l`. An error path says nothing, as values
//! that were read of other elements may be wrong.

mod access;
mod place;
mod recent;
mod size;

use craig_c_lang::address_space::ObjectId;
use std::collections::BTreeSet;
use std::sync::Arc;

use craig_word::Term;

use super::arrays::{Elements, INDEX_BITS, IndexChoice};
use super::contents::Contents;
use super::executor::{Executor, Supported};
use super::state::State;
use craig_c_lang::ir::Shape;
use craig_c_lang::types::Type;

/// Larger elements are not tracked.
const MAX_STRIDE: u64 = 128;
/// Elements of more cells are not tracked.
const MAX_ELEMENT_CELLS: usize = 16;
/// Arrays of more cells have none from the start.
const MAX_CELLS: usize = 256;

impl Executor<'_> {
    /// Tracks elements of arrays with more than `most` elements from now on.
    ///
    /// # Errors
    ///
    /// If the address space is used up.
    pub fn track_elements(&mut self, most: u64, choice: IndexChoice) -> Supported<()> {
        let index = self.space.add(Shape::new(0, Vec::new()), 1)?;
        self.havocs = true;
        self.elements = Some(Elements::new(index, most, choice));
        Ok(())
    }

    /// Puts the prophecy indices into the first state.
    pub(super) fn start_elements(&mut self, memory: &mut Contents) {
        let Some(elements) = &self.elements else {
            return;
        };
        let (index, n_indices) = (elements.index, elements.choice.n_indices());
        self.step = index;
        self.made = 0;
        let words = (0..n_indices).map(|_| self.variable(INDEX_BITS)).collect();
        memory.extend_to(index as usize + 1);
        memory[index as usize] = Some(Arc::new(words));
    }

    /// Begins an execution: from the start of the program, or from a cut.
    pub fn begin_with_elements(&mut self, at_start: bool) {
        if let Some(elements) = &mut self.elements {
            elements.latest.clear();
            elements.chooses = at_start && elements.choice == IndexChoice::Store;
        }
    }

    /// Whether the store that is executed is the one that the prophecy index is chosen by. No run executes that
    /// twice: paths pass the start once, and an instance there is of one iteration of all loops. Of several
    /// targets of a store, the first one chooses.
    fn is_choosing(&mut self) -> bool {
        let elements = self.elements.as_mut();
        elements.is_some_and(|elements| std::mem::take(&mut elements.chooses))
    }

    /// Takes the cells of arrays that are accessed at an unknown index. Returns these arrays: the analysis
    /// has to start again.
    pub fn take_wanted(&mut self) -> BTreeSet<ObjectId> {
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

    /// As `forget_element_reads` for one array: a store to it changes no other.
    fn forget_element_reads_of(&mut self, object: ObjectId) {
        if let Some(elements) = &mut self.elements {
            elements.latest.retain(|&(other, ..), _| other != object);
        }
    }

    /// Whether an allocation with such elements can be tracked.
    pub(super) fn can_track(&self, element: Option<&Arc<Shape>>) -> bool {
        self.elements.is_some() && element.is_some_and(|shape| is_element(shape))
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
        if let Some(n) = self.n_recent() {
            let entries = self.new_entries(&shape, n, zeroed);
            Arc::make_mut(cells).extend(entries);
        }
        let n_indices = (self.elements.as_ref()).map_or(0, |elements| elements.choice.n_indices());
        for &(_, bytes) in (0..n_indices).flat_map(|_| &shape.cells) {
            let value = match zeroed {
                true => self.terms.constant(0, bytes * 8),
                false => self.variable(bytes * 8),
            };
            Arc::make_mut(cells).push(value);
        }
        self.has_havocked = true;
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

    fn prophecy_indices(&self, state: &State) -> Option<Arc<Vec<Term>>> {
        let index = self.elements.as_ref()?.index as usize;
        state.memory.get(index)?.clone()
    }
}

/// Whether an element of this shape can be tracked.
fn is_element(shape: &Shape) -> bool {
    (1..=MAX_STRIDE).contains(&shape.size) && (1..=MAX_ELEMENT_CELLS).contains(&shape.cells.len())
}
