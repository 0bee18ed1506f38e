//! Whether two addresses may be equal that are in different objects (see [`craig_c_lang::ir::ghost::Ghost::MayMeet`]).

use std::collections::BTreeSet;

use craig_c_lang::address_space::{HEAP_ALIGN, ObjectId};
use craig_c_lang::ir::shared_bytes;
use craig_word::Term;

use super::executor::Executor;
use super::state::State;

/// With more pairs of literals, any two places are taken to be one: paths with such a choice do not replay.
const MAX_PAIRS: usize = 1 << 10;

impl Executor<'_> {
    /// Whether it is open if two words are equal, as addresses of different objects, one bit.
    ///
    /// Where objects of an allocation are known by what they have in common, their addresses are one, and any two of
    /// them may meet.
    pub(super) fn may_meet(&mut self, state: &State, a: Term, b: Term, ends: bool) -> Term {
        let mut open = self.terms.boolean(false);
        if a == b {
            return open;
        }
        let [of_a, of_b] = [a, b].map(|word| self.data_objects(word));
        if ends {
            open = self.are_adjacent(state, (a, &of_a), (b, &of_b));
        }
        let shared = self.may_share_bytes((a, &of_a), (b, &of_b));
        self.terms.or(open, shared)
    }

    /// Whether one of two words is one past the end of an object, and the other the start of another one, one bit.
    fn are_adjacent(
        &mut self,
        state: &State,
        (a, of_a): (Term, &BTreeSet<ObjectId>),
        (b, of_b): (Term, &BTreeSet<ObjectId>),
    ) -> Term {
        let mut open = self.terms.boolean(false);
        for (end, ends, start, starts) in [(a, of_a, b, of_b), (b, of_b, a, of_a)] {
            for &object in ends {
                let others = starts.iter().filter(|&&other| other != object);
                if others.clone().next().is_none() && self.summaries.is_none() {
                    continue;
                }
                let is_end = self.is_end(state, end, object);
                if self.terms.is_zero(is_end) {
                    continue;
                }
                for &other in starts {
                    let fits = other != object && self.may_be_adjacent(state, object, other);
                    if !fits && self.summaries.is_none() {
                        continue;
                    }
                    let base = self.base(other);
                    let is_start = self.is_address(start, base);
                    let both = self.terms.and(is_end, is_start);
                    open = self.terms.or(open, both);
                }
            }
        }
        open
    }

    /// The objects with bytes that a word may be an address of.
    fn data_objects(&mut self, word: Term) -> BTreeSet<ObjectId> {
        let points = self.points.of(&self.terms, &self.space, word);
        let is_data = |object: &&ObjectId| self.space.objects[**object as usize].function.is_none();
        points.objects.iter().filter(is_data).copied().collect()
    }

    /// Whether a word is one past the end of an object, one bit. What an allocation of no bytes gives counts as an object of
    /// some bytes (C11 7.22.3p1).
    fn is_end(&mut self, state: &State, word: Term, object: ObjectId) -> Term {
        let size = self.size_of(state, object);
        let base = self.base(object);
        let end = self.terms.add(base, size);
        let is_end = self.is_address(word, end);
        if !self.allocated.contains(&object) {
            return is_end;
        }
        let none = self.terms.constant(0, self.space.width);
        let is_empty = self.terms.eq(size, none);
        let has_some = self.terms.not(is_empty);
        self.terms.and(is_end, has_some)
    }

    /// Whether an object may start where another one ends, as far as the alignment of allocated memory says.
    fn may_be_adjacent(&mut self, state: &State, object: ObjectId, next: ObjectId) -> bool {
        let size = self.size_of(state, object);
        let are_allocated = [object, next]
            .iter()
            .all(|one| self.allocated.contains(one));
        let size = self.terms.constant_value(size);
        !are_allocated || size.is_none_or(|size| size % u128::from(HEAP_ALIGN) == 0)
    }

    /// Whether a word is an address, one bit.
    fn is_address(&mut self, word: Term, address: Term) -> Term {
        if let Some(number) = self.terms.constant_value(address)
            && let Some(choice) = self.constant_choice(word)
            && let Some((inside, _)) = self.within(choice, number as u64, 1)
        {
            return inside;
        }
        self.terms.eq(word, address)
    }

    /// Whether two words are addresses in literals that may lie such that they are one, one bit.
    fn may_share_bytes(
        &mut self,
        (a, of_a): (Term, &BTreeSet<ObjectId>),
        (b, of_b): (Term, &BTreeSet<ObjectId>),
    ) -> Term {
        let program = self.program;
        let literal = |&object: &ObjectId| {
            let declared = program.statics.get(object as usize);
            let text = declared.and_then(|object| object.literal.as_ref());
            text.map(|text| (object, text))
        };
        let [of_a, of_b] = [of_a, of_b].map(|of| of.iter().filter_map(literal).collect::<Vec<_>>());
        let is_apart = of_a.is_empty() || of_b.is_empty();
        let mut open = self.terms.boolean(false);
        if is_apart || of_a.len() * of_b.len() > MAX_PAIRS {
            return match is_apart {
                true => open,
                false => self.terms.boolean(true),
            };
        }
        for &(first, x) in &of_a {
            for &(second, y) in of_b.iter().filter(|other| other.0 != first) {
                for distance in shared_bytes::distances(x, y) {
                    let lengths = (x.len() as u64, y.len() as u64);
                    let both = self.are_one_place((a, first), (b, second), lengths, distance);
                    open = self.terms.or(open, both);
                }
            }
        }
        open
    }

    /// Whether two words are addresses in two objects, and one place if the second object starts that far behind the start of
    /// the first, one bit.
    fn are_one_place(
        &mut self,
        (a, first): (Term, ObjectId),
        (b, second): (Term, ObjectId),
        lengths: (u64, u64),
        distance: i64,
    ) -> Term {
        let width = self.space.width;
        let ends = [(a, first, lengths.0), (b, second, lengths.1)];
        let [(x, in_first), (y, in_second)] = ends.map(|(word, object, length)| {
            let base = self.base(object);
            let offset = self.terms.sub(word, base);
            let end = self.terms.constant(u128::from(length) + 1, width);
            (offset, self.terms.ult(offset, end))
        });
        let distance = distance as u64 as u128 & craig_word::mask(width);
        let distance = self.terms.constant(distance, width);
        let moved = self.terms.add(y, distance);
        let same = self.terms.eq(x, moved);
        let inside = self.terms.and(in_first, in_second);
        self.terms.and(inside, same)
    }
}
