//! Objects, their addresses, and reads and writes over terms.
//!
//! An address is a word: the upper bits are a page number, each object has pages of its own, and the lower
//! bits are the offset. Pointers can thus be compared, cast and split like any other word.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use crate::ir::{FunctionId, Program, Shape};
use craig_word::{Node, Op, Term, Terms};

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
    offset_bits: u32,
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
    fn splits_pages(&self, bits: u64) -> bool {
        let in_use = u64::MAX >> self.next_page.leading_zeros();
        let page = (bits >> self.offset_bits) & in_use;
        page != 0 && page != in_use
    }

    /// The object whose pages an address lies in.
    pub(crate) fn object_at(&self, address: u64) -> Option<ObjectId> {
        self.pages.get(&(address >> self.offset_bits)).copied()
    }
}

/// The possible targets of a word, as far as its term determines them.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(crate) struct Points {
    pub(crate) objects: BTreeSet<ObjectId>,
    /// Bits of constants, of comparisons or of addresses are in it, wherever they are.
    pub(crate) bits: bool,
    /// Such bits may be where those of an address are that say which object it is of: put together, they may
    /// be one.
    pub(crate) pieces: bool,
    /// It is what addresses are apart, by subtraction or bit by bit: one when it is put to an address.
    pub(crate) difference: bool,
    /// A constant that would keep a part of a page number, if it were a mask, may be the word.
    pub(crate) mixed: bool,
    /// It was computed from addresses in a way that is not followed.
    pub(crate) unknown: bool,
    /// An input of the program is in it.
    pub(crate) input: bool,
}

impl Points {
    /// Of words of which each may be taken.
    pub(crate) fn join(&mut self, other: &Self) {
        let is_one_put_together =
            self.objects.is_empty() && self.pieces && !other.objects.is_empty()
                || other.objects.is_empty() && other.pieces && !self.objects.is_empty();
        self.unknown |= is_one_put_together;
        self.combine(other);
    }

    /// Of words that something is computed from. An address and another word are one with an index.
    fn combine(&mut self, other: &Self) {
        self.objects.extend(&other.objects);
        self.bits |= other.bits;
        self.difference |= other.difference;
        self.pieces |= other.pieces;
        self.mixed |= other.mixed;
        self.unknown |= other.unknown;
        self.input |= other.input;
    }

    /// Says how the two operands go together whose points have been combined.
    fn put(&mut self, op: Op, a: &Self, b: &Self) {
        let (first, second) = (!a.objects.is_empty(), !b.objects.is_empty());
        match op {
            // The bits of one page are those of the other, or there is only one.
            Op::And => {
                self.unknown |= first && second && (a.objects != b.objects || a.objects.len() > 1);
                // A page number of which bits are cleared, or set if both words are complements, is another.
                let may_be_page =
                    |points: &Self, has_object| has_object || points.mixed || points.pieces;
                self.unknown |=
                    a.mixed && may_be_page(b, second) || b.mixed && may_be_page(a, first);
            }
            Op::Sub if second && !b.difference => self.difference = true,
            Op::Add if first && second && !a.difference && !b.difference => self.unknown = true,
            Op::Xor if first && second && !a.difference && !b.difference => self.difference = true,
            _ if first && second => self.difference = a.difference && b.difference,
            _ => {}
        }
    }

    /// Whether it is not known where an access through the word goes.
    pub(crate) fn is_lost(&self) -> bool {
        self.unknown || self.difference || self.objects.is_empty() && self.pieces
    }

    /// Whether an address may be among what the word was computed from.
    fn has_bits(&self) -> bool {
        self.bits || self.unknown || !self.objects.is_empty()
    }
}

/// A term as the upper bits of a word, with the number of bits below it. A sum with known lower bits is
/// simplified to its upper bits; the targets of the word are then determined by the upper bits alone.
type Placed = (Term, u32);

/// Computes the targets of terms.
#[derive(Default)]
pub(crate) struct PointsTo {
    /// The targets of variables of the state.
    pub(crate) variables: HashMap<Term, Points>,
    found: HashMap<Placed, Arc<Points>>,
}

impl PointsTo {
    pub(crate) fn forget(&mut self) {
        self.found.clear();
    }

    /// Adds targets to the free words of a term. Returns whether that changes anything.
    pub(crate) fn may_point(
        &mut self,
        terms: &Terms,
        space: &AddressSpace,
        term: Term,
        points: &Points,
    ) -> bool {
        let mut changed = false;
        for part in terms.cone(&[term], |_| false) {
            if matches!(terms.node(part), Node::Var(_)) && terms.width(part) >= space.width {
                let known = self.variables.entry(part).or_default();
                let before = known.clone();
                known.join(points);
                changed |= *known != before;
            }
        }
        if changed {
            self.forget();
        }
        changed
    }

    /// Notes that a free word is an input. No term with it has been asked about since targets were forgotten.
    pub(crate) fn is_input(&mut self, word: Term) {
        self.variables.entry(word).or_default().input = true;
    }

    pub(crate) fn of(&mut self, terms: &Terms, space: &AddressSpace, term: Term) -> Arc<Points> {
        let root = (term, 0);
        let mut stack = vec![root];
        while let Some(&placed) = stack.last() {
            if self.found.contains_key(&placed) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            let parts = parts(terms, placed);
            stack.extend(
                parts
                    .into_iter()
                    .flatten()
                    .filter(|part| !self.found.contains_key(part)),
            );
            if stack.len() == before {
                let points = self.step(terms, space, placed);
                self.found.insert(placed, Arc::new(points));
                stack.pop();
            }
        }
        self.found[&root].clone()
    }

    fn step(&self, terms: &Terms, space: &AddressSpace, placed: Placed) -> Points {
        let (term, below) = placed;
        let full = terms.width(term) + below >= space.width;
        let mut points = Points::default();
        let is_choice = matches!(terms.node(term), Node::Ite(..));
        for (index, part) in parts(terms, placed).into_iter().flatten().enumerate() {
            if is_choice && index > 0 {
                points.join(&self.found[&part]);
            } else {
                points.combine(&self.found[&part]);
            }
        }
        match terms.node(term) {
            Node::Const(value) => {
                let address = if below < u64::BITS {
                    (value as u64) << below
                } else {
                    0
                };
                points.bits = value != 0;
                if !full {
                    points.pieces = value != 0 && address >> space.offset_bits != 0;
                } else if let Some(object) = space.object_at(address) {
                    points.objects.insert(object);
                } else {
                    points.mixed = space.splits_pages(address);
                }
            }
            Node::Binary(Op::Eq | Op::Ult | Op::Slt, ..) => {
                points.bits = true;
                points.pieces = true;
            }
            Node::Var(_) => {
                if let Some(known) = self.variables.get(&term) {
                    points.combine(known);
                    points.unknown |= below > 0 && !known.objects.is_empty();
                    points.pieces |= below > 0 && known.has_bits();
                }
            }
            Node::Concat(a, b) => {
                let low = below + terms.width(b);
                let lower = &self.found[&(b, below)];
                if full && low <= space.offset_bits {
                    // The upper part is the page of the object, the lower one the offset.
                    let upper = &self.found[&(a, low)];
                    points.unknown = upper.unknown || lower.unknown || !lower.objects.is_empty();
                    points.pieces = upper.pieces;
                } else {
                    // Parts of addresses, put together again or not. Indices are shifted by constants; other
                    // shifts may be of bytes of an address.
                    let shifted = matches!(terms.node(b), Node::Const(_));
                    points.unknown |= !points.objects.is_empty();
                    // Uninitialised memory has no bits of an address.
                    points.pieces |= full && !shifted && (points.has_bits() || points.input);
                }
            }
            Node::Extract(_, low) => {
                // Upper bits at their original position still determine the object.
                let in_place = full && low == below && low <= space.offset_bits;
                points.unknown |= !in_place && (low > 0 || !full) && !points.objects.is_empty();
                points.pieces |= low != below && points.has_bits();
            }
            Node::Binary(op @ (Op::Add | Op::Sub | Op::And | Op::Xor), a, b) => {
                let (a, b) = (&self.found[&(a, below)], &self.found[&(b, below)]);
                points.put(op, a, b);
            }
            Node::Ite(..) | Node::Not(_) | Node::ZExt(_) | Node::SExt(_) => {}
            Node::Binary(..) => {
                points.unknown |= !points.objects.is_empty();
                points.pieces |= points.has_bits();
            }
            // C's words are narrower, and its memory is no array here.
            Node::Wide(_) | Node::Select(..) | Node::Store(..) | Node::ConstArray(_) => {
                points.unknown = true;
            }
        }
        if is_offset(terms, space, placed) {
            points.pieces = false;
            if full {
                // An index, whatever it was computed from.
                points = Points {
                    bits: points.has_bits(),
                    ..Points::default()
                };
            }
        }
        points
    }
}

/// Whether a term's form keeps it below the size of a page, whatever it is computed from: it is narrow,
/// masked, or extended with zeros.
fn is_offset(terms: &Terms, space: &AddressSpace, (term, below): Placed) -> bool {
    let bits = match terms.node(term) {
        Node::Binary(Op::And, a, b) => {
            let masks = [a, b].map(|side| terms.constant_value(side));
            let bits = (masks.into_iter().flatten()).map(|mask| u128::BITS - mask.leading_zeros());
            bits.min()
        }
        Node::ZExt(a) => Some(terms.width(a)),
        Node::Concat(a, b) if terms.constant_value(a) == Some(0) => Some(terms.width(b)),
        _ => None,
    };
    let bits = bits.unwrap_or_else(|| terms.width(term));
    bits + below <= space.offset_bits
}

/// The terms, with their places, that determine what a term points to.
fn parts(terms: &Terms, (term, below): Placed) -> [Option<Placed>; 2] {
    match terms.node(term) {
        Node::Const(_) | Node::Var(_) | Node::Binary(Op::Eq | Op::Ult | Op::Slt, ..) => {
            [None, None]
        }
        Node::Ite(_, a, b) | Node::Binary(Op::Add | Op::Sub | Op::And | Op::Xor, a, b) => {
            [Some((a, below)), Some((b, below))]
        }
        Node::Not(a) | Node::ZExt(a) | Node::SExt(a) => [Some((a, below)), None],
        Node::Concat(a, b) => [Some((a, below + terms.width(b))), Some((b, below))],
        Node::Extract(a, _) => [Some((a, 0)), None],
        Node::Binary(_, a, b) => [Some((a, 0)), Some((b, 0))],
        Node::Wide(_) | Node::Select(..) | Node::Store(..) | Node::ConstArray(_) => [None, None],
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
