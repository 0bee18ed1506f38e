//! Reads and writes of the cells of objects over terms.

use craig_c_lang::ir::Shape;
use craig_word::{Term, Terms};

/// The number of constant low bits of a word, and their value. They are extracted together: sums of choices
/// simplify from the lowest bit upwards.
pub fn constant_low_bits(terms: &mut Terms, term: Term, limit: u32) -> (u32, u64) {
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

impl Candidates {
    /// The offsets.
    pub(crate) fn offsets(&self) -> impl Iterator<Item = u64> + use<> {
        let (first, step) = (self.first, self.step);
        (0..self.count).map(move |index| first + index * step)
    }
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

/// Whether an access is to something else than one cell.
pub(super) fn is_spread(shape: &Shape, offset: u64, bytes: u32) -> bool {
    shape.cells.get(shape.cell_at(offset)) != Some(&(offset, bytes))
}

/// Reads at a known offset.
pub fn read_at(terms: &mut Terms, shape: &Shape, cells: &[Term], offset: u64, bytes: u32) -> Term {
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
pub fn choose(terms: &mut Terms, values: &[Term], index: Term) -> Term {
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
