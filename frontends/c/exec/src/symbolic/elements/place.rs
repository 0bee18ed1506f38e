//! Where in an array an access is: the number of the element, and the position within it.

use std::collections::BTreeSet;

use craig_word::{Node, Op, Term, Terms};

use crate::symbolic::arrays::INDEX_BITS;
use crate::symbolic::choices::leaves;
use crate::symbolic::executor::Executor;
use crate::symbolic::memory::constant_low_bits;
use craig_c_lang::ir::Shape;

/// Offsets that choose from more pointers are taken as they are, and so are addends of longer sums.
const MAX_POINTERS: usize = 4;
const MAX_ADDENDS: usize = 8;
/// An access with more possible positions within its element is one whose element is not known.
const MAX_POSITIONS: u64 = 16;

/// Where in an array an access is.
pub(super) struct Place {
    /// It is the element of each prophecy index, one bit each.
    pub(super) is_tracked: Vec<Term>,
    /// The access lies within one element, whose number is one of an index's width: one bit.
    pub(super) is_known: Term,
    /// It may reach into other elements: one bit.
    pub(super) is_elsewhere: Term,
    /// The exclusive conditions of the offsets within the element.
    pub(super) positions: Vec<(Term, u64)>,
    /// The number of the element where it is known.
    pub(super) index: Term,
}

impl Executor<'_> {
    /// An offset by the alternatives of the pointer that it comes from, with their exclusive conditions: one addend may
    /// be a choice from few constants, as of an allocation that may fail.
    pub(super) fn offset_cases(&mut self, offset: Term) -> Vec<(Term, Term)> {
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
    pub(super) fn place(
        &mut self,
        shape: &Shape,
        offset: Term,
        bytes: u32,
        prophecy: &[Term],
    ) -> Option<Place> {
        let never = self.terms.boolean(false);
        let mut all = Place {
            is_tracked: vec![never; prophecy.len()],
            is_known: never,
            is_elsewhere: never,
            positions: Vec::new(),
            index: never,
        };
        let cases = self.offset_cases(offset);
        if let [(_, offset)] = cases[..] {
            return self.place_in_case(shape, offset, bytes, prophecy);
        }
        for (case, offset) in cases {
            let Some(place) = self.place_in_case(shape, offset, bytes, prophecy) else {
                all.is_elsewhere = self.terms.or(all.is_elsewhere, case);
                continue;
            };
            let terms = &mut self.terms;
            let mut add = |to: &mut Term, own: Term| {
                let own = terms.and(case, own);
                *to = terms.or(*to, own);
            };
            for (to, own) in all.is_tracked.iter_mut().zip(place.is_tracked) {
                add(to, own);
            }
            add(&mut all.is_known, place.is_known);
            add(&mut all.is_elsewhere, place.is_elsewhere);
            all.index = match all.positions.is_empty() {
                true => place.index,
                false => terms.ite(case, place.index, all.index),
            };
            for (here, at) in place.positions {
                let here = self.terms.and(case, here);
                all.positions.push((here, at));
            }
        }
        (!all.positions.is_empty()).then_some(all)
    }

    /// The place for one alternative of the offset.
    fn place_in_case(
        &mut self,
        shape: &Shape,
        offset: Term,
        bytes: u32,
        prophecy: &[Term],
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
        let (own, is_number) = if width > INDEX_BITS {
            let upper = terms.extract(index, INDEX_BITS, width - INDEX_BITS);
            let zero = terms.constant(0, width - INDEX_BITS);
            (index, terms.eq(upper, zero))
        } else {
            (terms.zext(index, INDEX_BITS), terms.boolean(true))
        };
        let is_tracked = (prophecy.iter()).map(|&prophecy| {
            let prophecy = terms.zext(prophecy, width.max(INDEX_BITS));
            let same = terms.eq(own, prophecy);
            terms.and(same, is_exact)
        });
        let is_tracked = is_tracked.collect();
        let is_known = terms.and(is_number, is_exact);
        let is_known = terms.and(is_known, fits);
        let is_inexact = terms.not(is_exact);
        let is_elsewhere = terms.or(is_inexact, crosses);
        Some(Place {
            is_tracked,
            is_known,
            is_elsewhere,
            positions,
            index,
        })
    }
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
pub(super) fn divided(terms: &mut Terms, word: Term, stride: u64) -> Option<(u64, Term)> {
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
