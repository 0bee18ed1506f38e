//! Lemmas about a read with a wrong value in a model: from stop to stop along the chain of writes, down to
//! the initial contents.

use craig_word::{Node, Term, Terms, mask};

use crate::symbolic::overlay::{ChainId, Link, Read};
use crate::symbolic::wrong_read::{Other, ReadStop, Route, Wrong};
use crate::symbolic::{Executor, choose, overlap, read_at};

fn implies(executor: &mut Executor<'_>, condition: Term, conclusion: Term) -> Term {
    let fails = executor.terms.not(conclusion);
    let counter = executor.terms.and(condition, fails);
    executor.terms.not(counter)
}

/// Lemmas that together exclude the wrong value.
pub(super) fn explain(executor: &mut Executor<'_>, wrong: &Wrong, lemmas: &mut Vec<Term>) {
    let end = follow(executor, &wrong.route, lemmas);
    let Some((found, base)) = end else { return };
    if let Link::Blank { .. } = executor.overlays.link(base) {
        for other in &wrong.others {
            let lemma = in_blank(executor, (found, &wrong.route), other, lemmas);
            lemmas.push(lemma);
        }
        return;
    }
    match &wrong.earlier {
        None => {
            let lemma = in_base(executor, &wrong.route, found, base);
            lemmas.push(lemma);
        }
        Some(earlier) => {
            let Some((other, other_base)) = follow(executor, earlier, lemmas) else {
                unreachable!("a free piece is in a base")
            };
            let (offset, other_offset) = (wrong.route.read.offset, earlier.read.offset);
            let mut same = executor.terms.eq(offset, other_offset);
            if base != other_base {
                // The bases share this cell, perhaps no other.
                let width = executor.terms.width(offset);
                let here = executor.terms.constant(wrong.route.offset, width);
                let is_here = executor.terms.eq(offset, here);
                same = executor.terms.and(same, is_here);
            }
            let equal = executor.terms.eq(found, other);
            let lemma = implies(executor, same, equal);
            lemmas.push(lemma);
        }
    }
}

/// Lemmas for the stops of a read, in order. The result is the read of the base in which it ends, if it does.
fn follow(
    executor: &mut Executor<'_>,
    route: &Route,
    lemmas: &mut Vec<Term>,
) -> Option<(Term, ChainId)> {
    let Read {
        mut term,
        chain,
        offset,
        bytes,
    } = route.read;
    let mut at = chain;
    for &stop in &route.stops {
        match stop {
            ReadStop::Hit(write, from) => {
                let Link::Write {
                    condition,
                    offset: other,
                    value,
                    ..
                } = *executor.overlays.link(write)
                else {
                    unreachable!("what is hit is a write")
                };
                let passes = passes(executor, at, write, &route.read);
                let terms = &mut executor.terms;
                let distance = terms.sub(offset, other);
                let expected = terms.constant(u128::from(from), terms.width(distance));
                let is_there = terms.eq(distance, expected);
                let reaches = terms.and(passes, condition);
                let hits = terms.and(reaches, is_there);
                let part = terms.extract(value, from * 8, bytes * 8);
                let equal = terms.eq(term, part);
                let lemma = implies(executor, hits, equal);
                lemmas.push(lemma);
                return None;
            }
            ReadStop::Split => {
                let mut whole: Option<Term> = None;
                for place in 0..bytes {
                    let width = executor.terms.width(offset);
                    let place = executor.terms.constant(u128::from(place), width);
                    let place = executor.terms.add(offset, place);
                    let byte = executor.read_chain(at, place, 1);
                    whole = Some(match whole {
                        None => byte,
                        Some(low) => executor.terms.concat(byte, low),
                    });
                }
                let whole = whole?;
                let lemma = executor.terms.eq(term, whole);
                lemmas.push(lemma);
                return None;
            }
            ReadStop::Join(join, is_first) => {
                term = step(executor, (at, join), term, &route.read, lemmas);
                let Link::Join {
                    choose,
                    first,
                    second,
                } = *executor.overlays.link(join)
                else {
                    unreachable!("paths meet in joins")
                };
                let a = executor.read_chain(first, offset, bytes);
                let b = executor.read_chain(second, offset, bytes);
                let either = executor.terms.ite(choose, a, b);
                let lemma = executor.terms.eq(term, either);
                lemmas.push(lemma);
                (at, term) = if is_first { (first, a) } else { (second, b) };
            }
            ReadStop::Base(base) => {
                term = step(executor, (at, base), term, &route.read, lemmas);
                return Some((term, base));
            }
        }
    }
    unreachable!("a way ends where it does not go on")
}

/// From a read of one chain to the same read of an earlier one, by a lemma.
fn step(
    executor: &mut Executor<'_>,
    (from, to): (ChainId, ChainId),
    term: Term,
    read: &Read,
    lemmas: &mut Vec<Term>,
) -> Term {
    if from == to {
        return term;
    }
    let passes = passes(executor, from, to, read);
    let earlier = executor.read_chain(to, read.offset, read.bytes);
    let equal = executor.terms.eq(term, earlier);
    let lemma = implies(executor, passes, equal);
    lemmas.push(lemma);
    earlier
}

/// The condition that no write between two links affects a read, one bit.
fn passes(executor: &mut Executor<'_>, from: ChainId, to: ChainId, read: &Read) -> Term {
    let mut all = executor.terms.boolean(true);
    let mut at = from;
    while at != to {
        let Link::Write {
            before,
            condition,
            offset,
            bytes,
            ..
        } = *executor.overlays.link(at)
        else {
            unreachable!("there are only writes between stops")
        };
        let terms = &mut executor.terms;
        let overlap = overlap::overlap(terms, (read.offset, read.bytes), (offset, bytes));
        let disturbs = terms.and(condition, overlap);
        let passes = terms.not(disturbs);
        all = terms.and(all, passes);
        at = before;
    }
    all
}

/// The lemma that two reads of an object without cells agree on their common bytes, at the distance that they
/// have in the model.
fn in_blank(
    executor: &mut Executor<'_>,
    (found, route): (Term, &Route),
    other: &Other,
    lemmas: &mut Vec<Term>,
) -> Term {
    let mut end = follow(executor, &other.route, lemmas);
    let (mut other_offset, mut other_at) = (other.route.read.offset, other.route.offset);
    let mut other_bytes = other.route.read.bytes;
    if let Some(single) = &other.byte {
        let width = executor.terms.width(other_offset);
        let place = executor.terms.constant(u128::from(single.place), width);
        other_offset = executor.terms.add(other_offset, place);
        other_at += u128::from(single.place);
        other_bytes = 1;
        let way = Route {
            read: Read {
                term: executor.read_chain(single.chain, other_offset, 1),
                chain: single.chain,
                offset: other_offset,
                bytes: 1,
            },
            offset: other_at,
            stops: single.stops.clone(),
        };
        end = follow(executor, &way, lemmas);
    }
    let Some((other_found, _)) = end else {
        unreachable!("what was not written is found where the chain starts")
    };
    let Read { offset, bytes, .. } = route.read;
    let terms = &mut executor.terms;
    let distance = terms.sub(offset, other_offset);
    let expected = (route.offset.wrapping_sub(other_at)) & mask(terms.width(distance));
    let expected = terms.constant(expected, terms.width(distance));
    let is_there = terms.eq(distance, expected);
    let from = route.offset.max(other_at);
    let to = (route.offset + u128::from(bytes)).min(other_at + u128::from(other_bytes));
    debug_assert!(from < to, "they have bytes in common");
    let common = (to - from) as u32 * 8;
    let own = terms.extract(found, (from - route.offset) as u32 * 8, common);
    let others = terms.extract(other_found, (from - other_at) as u32 * 8, common);
    let equal = terms.eq(own, others);
    implies(executor, is_there, equal)
}

/// The maximal number of adjacent elements that one lemma covers.
const BLOCK: u64 = 64;
/// A run of at least this number of equal elements has a lemma of its own.
const MIN_RUN: usize = 16;

/// The value read from a base near the offset in the model.
fn in_base(executor: &mut Executor<'_>, route: &Route, found: Term, base: ChainId) -> Term {
    let Link::Base { shape, cells } = executor.overlays.link(base).clone() else {
        unreachable!("a chain starts with a base")
    };
    let Read { offset, bytes, .. } = route.read;
    let here = route.offset as u64;
    let width = executor.terms.width(offset);
    let terms = &mut executor.terms;
    let value = read_at(terms, &shape, &cells, here, bytes);
    let index = shape.cell_at(here);
    let n_cells = shape.cells.len();
    let end_of = |index: usize| shape.cells[index].0 + u64::from(shape.cells[index].1);
    // The first and the last of the equal cells around this one.
    let run = |is_alike: &dyn Fn(Term) -> bool| {
        let last = (index..n_cells)
            .take_while(|&at| is_alike(cells[at]))
            .last();
        let first = (0..=index)
            .rev()
            .take_while(|&at| is_alike(cells[at]))
            .last();
        (first.unwrap_or(index), last.unwrap_or(index))
    };
    let is_element = shape.uniform == Some(bytes)
        && bytes.is_power_of_two()
        && here.is_multiple_of(u64::from(bytes));
    let (first_zero, last_zero) = run(&|cell| terms.is_zero(cell));
    let is_in_zeros = terms.is_zero(cells[index]) && end_of(last_zero) >= here + u64::from(bytes);
    let (first, last) = if is_element {
        run(&|cell| cell == value)
    } else {
        (index, index)
    };
    let size = u64::from(bytes);
    let block = here / size / BLOCK * BLOCK;
    let is_known = |cell: &Term| !matches!(terms.node(*cell), Node::Var(_));
    let is_block = is_element
        && block + BLOCK <= n_cells as u64
        && (cells[block as usize..(block + BLOCK) as usize].iter()).all(is_known);
    // From the first offset on, up to the last one.
    let between = |terms: &mut Terms, first: u64, last: u64| {
        let first_term = terms.constant(u128::from(first), width);
        let distance = terms.sub(offset, first_term);
        let span = terms.constant(u128::from(last - first + 1), width);
        terms.ult(distance, span)
    };
    let (condition, value) = if is_in_zeros {
        let last = end_of(last_zero) - size;
        (between(terms, shape.cells[first_zero].0, last), value)
    } else if last - first + 1 >= MIN_RUN || is_element && first == 0 && last + 1 == n_cells {
        let is_near = between(terms, shape.cells[first].0, shape.cells[last].0);
        let aligned = overlap::is_aligned(terms, offset, bytes);
        (terms.and(is_near, aligned), value)
    } else if is_block {
        let is_near = between(terms, block * size, (block + BLOCK - 1) * size);
        let aligned = overlap::is_aligned(terms, offset, bytes);
        let condition = terms.and(is_near, aligned);
        let number = terms.extract(offset, bytes.trailing_zeros(), BLOCK.trailing_zeros());
        let cells = &cells[block as usize..(block + BLOCK) as usize];
        (condition, choose(terms, cells, number))
    } else {
        let here = terms.constant(route.offset, width);
        (terms.eq(offset, here), value)
    };
    let equal = executor.terms.eq(found, value);
    implies(executor, condition, equal)
}
