//! Objects, their addresses, and reads and writes over terms.
//!
//! An address is a word: the upper bits are a page number, each object has pages of its own, and the lower
//! bits are the offset. Pointers can thus be compared, cast and split like any other word.

use std::collections::HashMap;
use std::sync::Arc;

use craig_word::{Term, Terms};

use crate::ir::{FunctionId, Program, Shape};

pub(crate) type ObjectId = u32;

pub(crate) struct AddressedObject {
    pub(crate) shape: Arc<Shape>,
    pub(crate) base: u64,
    pub(crate) function: Option<FunctionId>,
}

/// All objects so far, with their addresses. Static objects come first, in the program's order, then
/// functions; so they have the same addresses in every run.
pub(crate) struct AddressSpace {
    pub(crate) objects: Vec<AddressedObject>,
    pages: HashMap<u64, ObjectId>,
    next_page: u64,
    /// The bits of an address that are the offset in a page.
    pub(super) offset_bits: u32,
    pub(crate) width: u32,
}

impl AddressSpace {
    pub(crate) fn new(program: &Program) -> Result<Self, String> {
        let width = program.pointer_width;
        let mut space = Self {
            objects: Vec::new(),
            pages: HashMap::new(),
            next_page: 1,
            // An index of 32 bits into elements of a common size stays within the object's pages or is
            // outside of all pages: it does not reach the next object.
            offset_bits: if width == 64 { 40 } else { 14 },
            width,
        };
        for object in &program.statics {
            space.add(object.shape.clone())?;
        }
        for id in 0..program.functions.len() {
            let object = space.add(Shape::new(0, Vec::new()))?;
            space.objects[object as usize].function = Some(id as FunctionId);
        }
        Ok(space)
    }

    pub(crate) fn add(&mut self, shape: Arc<Shape>) -> Result<ObjectId, String> {
        let id = self.objects.len() as ObjectId;
        let page = self.next_page;
        // The address one past the end belongs to the object.
        let pages = (shape.size >> self.offset_bits) + 1;
        self.next_page += pages;
        if self.next_page >= 1 << (self.width - self.offset_bits - 1) || pages > 1 << 20 {
            return Err("the address space is used up".into());
        }
        for page in page..page + pages {
            self.pages.insert(page, id);
        }
        let base = page << self.offset_bits;
        self.objects.push(AddressedObject {
            shape,
            base,
            function: None,
        });
        Ok(id)
    }

    /// The maximal number of bytes of an object of unknown size: some pages, so that there may be many such
    /// objects.
    pub(crate) fn capacity(&self) -> u64 {
        (1 << self.offset_bits.max(22)) - 1
    }

    /// The number of bytes of a page. The first page has no object: null pointers point there.
    pub(crate) fn page_size(&self) -> u64 {
        1 << self.offset_bits
    }

    pub(crate) fn static_address(&self, id: u32) -> u64 {
        self.objects[id as usize].base
    }

    pub(crate) fn function_address(&self, program: &Program, id: FunctionId) -> u64 {
        self.objects[program.statics.len() + id as usize].base
    }

    /// Whether a mask with these bits keeps some bits of the pages in use and clears others.
    pub(super) fn splits_pages(&self, bits: u64) -> bool {
        let in_use = u64::MAX >> self.next_page.leading_zeros();
        let page = (bits >> self.offset_bits) & in_use;
        page != 0 && page != in_use
    }

    /// The object whose pages an address lies in.
    pub(crate) fn object_at(&self, address: u64) -> Option<ObjectId> {
        self.pages.get(&(address >> self.offset_bits)).copied()
    }
}

/// The number of constant low bits of a word, and their value. They are extracted together: sums of choices
/// simplify from the lowest bit upwards.
pub(crate) fn constant_low_bits(terms: &mut Terms, term: Term, limit: u32) -> (u32, u64) {
    for known in (1..=limit.min(terms.width(term))).rev() {
        let low = terms.extract(term, 0, known);
        if let Some(value) = terms.constant_value(low) {
            return (known, value as u64);
        }
    }
    (0, 0)
}

/// The offsets in an object at which an access may start: the first, their distance and number, and the index
/// of the accessed one as a term.
pub(crate) struct Candidates {
    pub(crate) first: u64,
    pub(crate) step: u64,
    pub(crate) count: u64,
    pub(crate) index: Term,
}

/// More offsets than this are not enumerated.
pub(super) const MAX_CANDIDATES: u64 = 1 << 13;

pub(crate) fn candidates(
    terms: &mut Terms,
    shape: &Shape,
    offset: Term,
    bytes: u32,
) -> Option<Candidates> {
    let bytes = u64::from(bytes);
    if shape.size < bytes {
        return None;
    }
    let (known, first) = constant_low_bits(terms, offset, 20);
    let step = 1u64 << known;
    if first > shape.size - bytes {
        return None;
    }
    let count = (shape.size - bytes - first) / step + 1;
    let width = terms.width(offset);
    // A word that is entirely constant has no bits left to distinguish offsets.
    let known = known.min(width - 1);
    let index = terms.extract(offset, known, width - known);
    Some(Candidates {
        first,
        step,
        count,
        index,
    })
}

/// Reads at a known offset.
pub(crate) fn read_at(
    terms: &mut Terms,
    shape: &Shape,
    cells: &[Term],
    offset: u64,
    bytes: u32,
) -> Term {
    let mut index = shape.cell_at(offset);
    let (start, size) = shape.cells[index];
    if start == offset && size == bytes {
        return cells[index];
    }
    let end = offset + u64::from(bytes);
    let mut value: Option<Term> = None;
    let mut at = offset;
    while at < end {
        let (start, size) = shape.cells[index];
        let stop = (start + u64::from(size)).min(end);
        let part = terms.extract(
            cells[index],
            (at - start) as u32 * 8,
            (stop - at) as u32 * 8,
        );
        value = Some(match value {
            None => part,
            Some(low) => terms.concat(part, low),
        });
        at = stop;
        index += 1;
    }
    value.unwrap_or_else(|| terms.constant(0, bytes * 8))
}

/// Writes at a known offset, if the condition holds.
pub(crate) fn write_at(
    terms: &mut Terms,
    shape: &Shape,
    cells: &mut [Term],
    offset: u64,
    bytes: u32,
    value: Term,
    condition: Term,
) {
    let mut index = shape.cell_at(offset);
    let end = offset + u64::from(bytes);
    let mut at = offset;
    while at < end {
        let (start, size) = shape.cells[index];
        let stop = (start + u64::from(size)).min(end);
        let part = terms.extract(value, (at - offset) as u32 * 8, (stop - at) as u32 * 8);
        let old = cells[index];
        let (from, to) = ((at - start) as u32 * 8, (stop - start) as u32 * 8);
        let mut new = part;
        if to < size * 8 {
            let high = terms.extract(old, to, size * 8 - to);
            new = terms.concat(high, new);
        }
        if from > 0 {
            let low = terms.extract(old, 0, from);
            new = terms.concat(new, low);
        }
        cells[index] = terms.ite(condition, new, old);
        at = stop;
        index += 1;
    }
}

/// Reads at an offset that is one of the candidates.
pub(crate) fn read_among(
    terms: &mut Terms,
    shape: &Shape,
    cells: &[Term],
    candidates: &Candidates,
    bytes: u32,
) -> Term {
    let values: Vec<Term> = (0..candidates.count)
        .map(|index| {
            read_at(
                terms,
                shape,
                cells,
                candidates.first + index * candidates.step,
                bytes,
            )
        })
        .collect();
    choose(terms, &values, candidates.index)
}

/// `values[index]`, as a tree over the bits of the index; beyond the end, any of them.
pub(crate) fn choose(terms: &mut Terms, values: &[Term], index: Term) -> Term {
    let mut level = values.to_vec();
    let width = terms.width(index);
    for bit in 0..width {
        if level.len() <= 1 {
            break;
        }
        let condition = terms.extract(index, bit, 1);
        let mut next = Vec::with_capacity(level.len().div_ceil(2));
        for pair in level.chunks(2) {
            next.push(match *pair {
                [low, high] => terms.ite(condition, high, low),
                _ => pair[0],
            });
        }
        level = next;
    }
    level[0]
}
