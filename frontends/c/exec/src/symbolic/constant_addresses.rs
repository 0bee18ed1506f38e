//! Addresses that are one of some constants. What is read at one of many, as tables of strings have them, is the choice of what is
//! read at each: there is one step for each address, and no comparison with the bounds of each object.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use craig_c_lang::address_space::ObjectId;
use craig_c_lang::ir::Shape;
use craig_word::{Node, Term, mask};

use super::choices::{MAX_VALUES, image, leaves};
use super::executor::{Executor, Supported};
use super::state::State;

/// Choices with more terms than this are not followed.
const MAX_TERMS: usize = 1 << 15;

/// What is read, and the condition under which there is no object to read from.
pub(super) struct Read {
    pub(super) value: Term,
    pub(super) outside: Term,
}

impl Executor<'_> {
    /// What is read at an address that chooses from more constants than accesses take apart. `None` if it does not, or if one
    /// of the objects has no plain cells.
    pub(super) fn read_at_constants(
        &mut self,
        state: &State,
        address: Term,
        bytes: u32,
    ) -> Option<Read> {
        if self.summaries.is_some() || self.has_havocked || self.is_copied {
            return None;
        }
        let (root, shift) = self.shifted(address)?;
        let leaves = self.many_constants(root)?;
        let (mut values, mut is_outside) = (Vec::new(), Vec::new());
        for leaf in leaves {
            let place = self.terms.constant_value(leaf).and_then(|address| {
                let at = (address as u64).wrapping_add(shift) & mask(self.space.width) as u64;
                self.place_of(state, at, bytes)
            });
            let value = match place {
                Some((object, offset)) => self.plain_value(state, object, (offset, bytes))?,
                None => self.terms.constant(0, bytes * 8),
            };
            values.push((leaf, value));
            is_outside.push((leaf, self.terms.boolean(place.is_none())));
        }
        let value = image(&mut self.terms, root, &values, |_, _| None)?;
        let outside = image(&mut self.terms, root, &is_outside, |_, _| None)?;
        Some(Read { value, outside })
    }

    /// What an address that chooses from many constants determines, by what each of them does. `None` if it does not.
    pub(super) fn along_constants(
        &mut self,
        address: Term,
        mut of: impl FnMut(&mut Self, Term) -> Supported<Term>,
    ) -> Supported<Option<Term>> {
        let Some((root, shift)) = self.shifted(address) else {
            return Ok(None);
        };
        let Some(leaves) = self.many_constants(root) else {
            return Ok(None);
        };
        let shift = self.terms.constant(u128::from(shift), self.space.width);
        let mut values = Vec::with_capacity(leaves.len());
        for leaf in leaves {
            let at = self.terms.add(leaf, shift);
            values.push((leaf, of(self, at)?));
        }
        Ok(image(&mut self.terms, root, &values, |_, _| None))
    }

    /// The constants that a term chooses from, and words that are no address, as they are read outside of a table; `None` if
    /// there are few, or others.
    fn many_constants(&mut self, root: Term) -> Option<Vec<Term>> {
        let (mut seen, mut stack) = (HashSet::from([root]), vec![root]);
        let mut leaves = Vec::new();
        while let Some(term) = stack.pop() {
            match self.terms.node(term) {
                Node::Ite(_, a, b) => {
                    stack.extend([b, a].into_iter().filter(|&it| seen.insert(it)));
                }
                Node::Const(_) => leaves.push(term),
                Node::Var(_) => {
                    let points = self.points.of(&self.terms, &self.space, term);
                    if points.is_lost() || !points.objects.is_empty() {
                        return None;
                    }
                    leaves.push(term);
                }
                _ => return None,
            }
            if seen.len() > MAX_TERMS {
                return None;
            }
        }
        (leaves.len() > MAX_VALUES).then_some(leaves)
    }

    /// The object that exists and holds all of some bytes at an address, and their offset.
    fn place_of(&self, state: &State, at: u64, bytes: u32) -> Option<(ObjectId, u64)> {
        let object = self.space.object_at(at)?;
        state.memory.get(object as usize)?.as_ref()?;
        let info = &self.space.objects[object as usize];
        let offset = at.checked_sub(info.base)?;
        let end = offset.checked_add(u64::from(bytes))?;
        (end <= info.shape.size).then_some((object, offset))
    }

    /// What is read at a place of an object with plain cells, of which no bytes are those of an address.
    fn plain_value(
        &mut self,
        state: &State,
        object: ObjectId,
        (offset, bytes): (u64, u32),
    ) -> Option<Term> {
        let shape = self.space.objects[object as usize].shape.clone();
        if shape.is_opaque() || state.overlays.contains_key(&object) {
            return None;
        }
        let cells = Arc::clone(state.memory.get(object as usize)?.as_ref()?);
        let is_part = bytes * 8 < self.space.width && self.is_assembled(&shape, &cells, offset);
        let words = self.divided_words(object, (&shape, &cells), (offset, bytes));
        if is_part || !words.is_empty() {
            return None;
        }
        Some(self.part_or_whole(object, (&shape, &cells), (offset, bytes)))
    }

    /// Whether all that may be read at some places of an object are constants, and one of them is an address: a table whose
    /// elements have to be known, however many there are.
    pub(super) fn is_table_of_addresses(
        &self,
        (shape, cells): (&Shape, &[Term]),
        offsets: impl Iterator<Item = u64>,
        bytes: u32,
    ) -> bool {
        if bytes * 8 != self.space.width {
            return false;
        }
        let mut has_address = false;
        for offset in offsets {
            let index = shape.cell_at(offset);
            let value = (shape.cells.get(index) == Some(&(offset, bytes)))
                .then(|| self.terms.constant_value(cells[index]))
                .flatten();
            let Some(value) = value else {
                return false;
            };
            has_address |= self.space.object_at(value as u64).is_some();
        }
        has_address
    }

    /// An address that is one of some constants, as a term that chooses from them and a constant that is added.
    pub(super) fn constant_choice(&self, address: Term) -> Option<(Term, u64)> {
        let (root, shift) = self.shifted(address)?;
        (leaves(&self.terms, root)?.len() > 1).then_some((root, shift))
    }

    /// The condition that such an address is less than `end` bytes after `base`, and the offset if there is only one.
    pub(super) fn within(
        &mut self,
        (root, shift): (Term, u64),
        base: u64,
        end: u64,
    ) -> Option<(Term, Option<Term>)> {
        let width = self.space.width;
        let mut offsets = BTreeSet::new();
        let inside = image(&mut self.terms, root, &[], |terms, leaf| {
            let value = terms.constant_value(leaf)?;
            let offset = (value as u64).wrapping_add(shift).wrapping_sub(base);
            let offset = u128::from(offset) & craig_word::mask(width);
            let is_inside = offset < u128::from(end);
            if is_inside {
                offsets.insert(offset);
            }
            Some(terms.boolean(is_inside))
        })?;
        let offset = match offsets.len() {
            1 => offsets
                .first()
                .map(|&offset| self.terms.constant(offset, width)),
            _ => None,
        };
        Some((inside, offset))
    }
}
