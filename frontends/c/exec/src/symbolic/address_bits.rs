//! Bits of addresses: an operation whose result depends on bits of which C promises nothing is not supported.
//!
//! The program is executed with one layout of memory. Words that are the address of an object are known by their targets,
//! however they came here: through memory, calls or sums.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use craig_c_lang::address_space::ObjectId;
use craig_c_lang::ir::{Shape, UNKNOWN_BITS, UsedBits};
use craig_c_lang::library::LIBRARY;
use craig_word::{Node, Op, Term};

use super::executor::{Executor, Supported};
use super::memory;
use super::points::Points;
use super::state::{Position, State};

/// Larger choices among words are asked as one word.
const MOST_CHOICES: usize = 1 << 10;

/// The other operand of an operation on a word that may be an address.
struct Operand {
    term: Term,
    /// The objects that it may be an address of.
    objects: Vec<ObjectId>,
    /// Whether one of the two words may be an address of one object only.
    is_alone: bool,
}

impl Executor<'_> {
    /// Ends the paths on which a word is an address and the bits of it that are used depend on the object's place.
    pub(super) fn uses_bits(
        &mut self,
        word: Term,
        promised: u32,
        bits: UsedBits,
        position: &Position,
        state: &mut State,
    ) -> Supported<()> {
        let points = self.points.of(&self.terms, &self.space, word);
        if points.objects.is_empty() {
            return Ok(());
        }
        if !matches!(
            bits,
            UsedBits::Ordered(_) | UsedBits::Subtracted(_) | UsedBits::Distance(_)
        ) {
            self.space.observe();
        }
        if points.is_lost() {
            return Ok(());
        }
        let term = match bits.operand() {
            Some(other) => self.eval(other, position, state)?,
            None => word,
        };
        let of_other = self.points.of(&self.terms, &self.space, term);
        if of_other.is_lost() && !matches!(bits, UsedBits::All | UsedBits::Masked(_)) {
            return Ok(());
        }
        let objects = match of_other.is_lost() {
            true => Vec::new(),
            false => of_other.objects.iter().copied().collect(),
        };
        let is_alone = points.objects.len() == 1 || objects.len() == 1;
        let other = Operand {
            term,
            objects,
            is_alone,
        };
        for &object in &points.objects {
            let here = self.is_address_in(word, object);
            if self.terms.is_zero(here) {
                continue;
            }
            let is_fine = self.is_independent((word, object), promised, bits, &other);
            let depends = self.terms.not(is_fine);
            let fails = self.terms.and(here, depends);
            self.give_up(state, fails, UNKNOWN_BITS)?;
        }
        Ok(())
    }

    /// Whether the result of an operation on an address in an object does not depend on the places of objects, one bit.
    fn is_independent(
        &mut self,
        (word, object): (Term, ObjectId),
        promised: u32,
        bits: UsedBits,
        other: &Operand,
    ) -> Term {
        let width = self.space.width;
        let open_bits = self.space.open_bits(object, promised);
        let nothing = self.terms.constant(0, width);
        let open = self.terms.constant(u128::from(open_bits), width);
        match bits {
            UsedBits::All => self.terms.boolean(open_bits == 0),
            UsedBits::Masked(_) | UsedBits::Combined(_) => {
                let used = self.terms.and(open, other.term);
                let mut is_fine = self.terms.eq(used, nothing);
                if let UsedBits::Masked(_) = bits {
                    let is_kept = self.terms.eq(used, open);
                    is_fine = self.terms.or(is_fine, is_kept);
                }
                let differs = self.terms.binary(Op::Xor, word, other.term);
                let differs = self.terms.and(differs, open);
                let is_alike = self.terms.eq(differs, nothing);
                for &another in &other.objects {
                    let there = self.is_near(other.term, another);
                    let is_alike = match another == object {
                        true => is_alike,
                        false => self.terms.boolean(false),
                    };
                    is_fine = self.terms.ite(there, is_alike, is_fine);
                }
                is_fine
            }
            UsedBits::Added(_) => {
                let is_address = self.is_near_one(other.term, &other.objects);
                self.terms.not(is_address)
            }
            UsedBits::Subtracted(_) => {
                if self.terms.constant_value(other.term).is_some() {
                    return self.is_near(other.term, object);
                }
                let others = without(&other.objects, object);
                let is_elsewhere = self.is_near_one(other.term, &others);
                self.terms.not(is_elsewhere)
            }
            UsedBits::Distance(_) => {
                // Where the program is cut at loops, that two words are in one of several objects is not known any more.
                let is_known = !self.counting || other.is_alone || !other.objects.contains(&object);
                let others = without(&other.objects, object);
                let is_elsewhere = self.is_near_one(other.term, &others);
                let is_elsewhere = match is_known {
                    true => is_elsewhere,
                    false => self.terms.boolean(false),
                };
                self.terms.not(is_elsewhere)
            }
            UsedBits::Ordered(_) => {
                let user = self.space.user_addresses();
                let number = self.terms.constant_value(other.term);
                let is_function = self.space.objects[object as usize].function.is_some();
                if let Some(number) = number
                    && (user.contains(&(number as u64))
                        || is_function && number >= u128::from(user.end))
                {
                    return self.is_near(other.term, object);
                }
                let mut others = other.objects.clone();
                others.retain(|&another| self.space.is_order_open(another, object));
                let is_elsewhere = self.is_near_one(other.term, &others);
                self.terms.not(is_elsewhere)
            }
        }
    }

    /// Whether a word is an address of one of some objects.
    pub(super) fn is_near_one(&mut self, word: Term, objects: &[ObjectId]) -> Term {
        let mut is_near = self.terms.boolean(false);
        for &object in objects {
            let here = self.is_near(word, object);
            is_near = self.terms.or(is_near, here);
        }
        is_near
    }

    /// Whether a word is an address within the reach of an object, one bit. Of a choice, the parts that point to nothing
    /// are none: a number that was read from memory without contents is any, but no address.
    fn is_address_in(&mut self, word: Term, object: ObjectId) -> Term {
        let mut known: HashMap<Term, Term> = HashMap::new();
        let mut rest = vec![word];
        while let Some(&term) = rest.last() {
            if known.contains_key(&term) {
                rest.pop();
                continue;
            }
            let is_small = known.len() < MOST_CHOICES;
            let result = match self.terms.node(term) {
                Node::Ite(condition, a, b) if is_small => match (known.get(&a), known.get(&b)) {
                    (Some(&a), Some(&b)) => self.terms.ite(condition, a, b),
                    (a_known, b_known) => {
                        rest.extend(a_known.is_none().then_some(a));
                        rest.extend(b_known.is_none().then_some(b));
                        continue;
                    }
                },
                _ => {
                    let points = self.points.of(&self.terms, &self.space, term);
                    match points.objects.contains(&object) || points.is_lost() {
                        true => self.is_near(term, object),
                        false => self.terms.boolean(false),
                    }
                }
            };
            known.insert(term, result);
            rest.pop();
        }
        known[&word]
    }

    /// Whether a word is a number within the reach of an object, one bit.
    pub(super) fn is_near(&mut self, word: Term, object: ObjectId) -> Term {
        let reach = u128::from(self.space.reach(object));
        let reach = self.terms.constant(reach, self.space.width);
        let base = self.base(object);
        let offset = self.terms.sub(word, base);
        self.terms.ult(offset, reach)
    }

    /// The condition under which the value of a word's part in memory depends on the place of an object; `None` if the bytes
    /// at the offset are no part of an address.
    pub(super) fn is_part_of_address(&mut self, word: Term) -> Option<Term> {
        let points = self.points.of(&self.terms, &self.space, word);
        let objects: Vec<ObjectId> = points.objects.iter().copied().collect();
        let here = self.is_near_one(word, &objects);
        (!self.terms.is_zero(here)).then_some(here)
    }

    /// The cells of an object for a load of parts of them, of which the value counts. Where a part of an address is read,
    /// the word is one that the address may be, wherever the objects are; with cuts, it is any.
    pub(super) fn cells_by_parts(
        &mut self,
        state: &mut State,
        (object, condition): (ObjectId, Term),
        offsets: impl Iterator<Item = u64>,
        bytes: u32,
    ) -> Supported<Arc<Vec<Term>>> {
        let Some(Some(cells)) = state.memory.get(object as usize) else {
            return Ok(Arc::default());
        };
        let mut cells = Arc::clone(cells);
        let shape = self.space.objects[object as usize].shape.clone();
        let whole = self.space.width / 8;
        let mut opened = BTreeSet::new();
        for offset in offsets {
            let words = self.divided_words(object, (&shape, &cells), (offset, bytes));
            self.note_parts(&words);
            if !self.is_value_used {
                continue;
            }
            if words.is_empty() && bytes < whole && self.is_assembled(&shape, &cells, offset) {
                self.give_up(state, condition, UNKNOWN_BITS)?;
            }
            for (start, word) in words {
                if !opened.insert(start) {
                    continue;
                }
                let open = self.with_open_place(word);
                if open != word {
                    let always = self.terms.boolean(true);
                    let cells = Arc::make_mut(&mut cells);
                    memory::write_at(&mut self.terms, &shape, cells, start, whole, open, always);
                }
            }
        }
        Ok(cells)
    }

    /// Notes that some bytes of words are read, of those that may be addresses. The library compares them as numbers.
    fn note_parts(&mut self, words: &[(u64, Term)]) {
        for &(_, word) in words {
            if self.is_part_of_address(word).is_some() {
                match self.is_value_used || self.is_copied {
                    true => self.space.open(),
                    false => self.space.observe(),
                }
            }
        }
    }

    /// A word with the addresses in it where they may be.
    pub(super) fn with_open_place(&mut self, word: Term) -> Term {
        if self.counting {
            let here = self.is_part_of_address(word);
            return here.map_or(word, |here| self.any_in_place_of(word, here));
        }
        // Contents that were left out, or are open, are any.
        if matches!(self.terms.node(word), Node::Var(_)) {
            return word;
        }
        let points = self.points.of(&self.terms, &self.space, word);
        let mut open = word;
        for &target in &points.objects {
            let here = self.is_near(word, target);
            if self.terms.is_zero(here) {
                continue;
            }
            let base = self.base(target);
            let offset = self.terms.sub(word, base);
            let place = self.open_place(target);
            let moved = self.terms.add(place, offset);
            open = self.terms.ite(here, moved, open);
        }
        open
    }

    /// With cuts, which step has stored a word is not known: any value in the place of the number that an address has in one
    /// layout.
    pub(super) fn any_in_place_of(&mut self, word: Term, is_address: Term) -> Term {
        let any = self.variable(self.space.width);
        let points = Points {
            bits: true,
            pieces: true,
            unknown: true,
            ..Points::default()
        };
        self.set_points(any, points);
        self.terms.ite(is_address, any, word)
    }

    /// Where an object may be: not at null, a user's address, aligned as is promised.
    fn open_place(&mut self, object: ObjectId) -> Term {
        if let Some(&place) = self.places.get(&object) {
            return place;
        }
        let width = self.space.width;
        let bits = self.space.open_bits(object, 0);
        let any = self.terms.variable(width);
        // What is put together from bytes of it is not followed.
        let points = Points {
            unknown: true,
            ..Points::default()
        };
        (self.points).may_point(&self.terms, &self.space, any, &points);
        let mask = self.terms.constant(u128::from(bits), width);
        let chosen = self.terms.and(any, mask);
        let nowhere = self.terms.constant(0, width);
        let is_null = self.terms.eq(chosen, nowhere);
        let place = self.terms.ite(is_null, mask, chosen);
        self.places.insert(object, place);
        place
    }

    /// Whether the cells around an offset hold the bytes of an address, as they are behind a copy of it.
    pub(super) fn is_assembled(&self, shape: &Shape, cells: &[Term], offset: u64) -> bool {
        let whole = u64::from(self.space.width / 8);
        let from = offset - offset % whole;
        let (mut at, mut word) = (from, 0u64);
        while at < from + whole {
            let index = shape.cell_at(at);
            let Some(&(start, size)) = shape.cells.get(index) else {
                return false;
            };
            let is_whole = start == at && at + u64::from(size) <= from + whole;
            let value = cells
                .get(index)
                .and_then(|&cell| self.terms.constant_value(cell));
            let (true, Some(value)) = (is_whole, value) else {
                return false;
            };
            word |= (value as u64) << (8 * (at - from));
            at += u64::from(size);
        }
        self.space.addressed(word).is_some()
    }

    /// Whether the instruction is in the program's own text, not in the library's.
    fn is_in_own_text(&self) -> bool {
        let file = self.program.files.get(self.at.file as usize);
        file.is_none_or(|file| file != LIBRARY)
    }

    /// Notes, for a load, whether its value counts, or is only stored somewhere else. The library's own text
    /// compares addresses byte by byte, which it may.
    pub(super) fn note_use(&mut self, reg: u32, position: &Position) {
        let is_own = self.is_in_own_text();
        let function = &self.program.functions[position.call.function as usize];
        let is_copied = function.copied.contains(&reg);
        self.is_value_used = is_own && !is_copied;
        self.is_copied = is_copied;
    }
}

fn without(objects: &[ObjectId], object: ObjectId) -> Vec<ObjectId> {
    (objects.iter().copied())
        .filter(|&other| other != object)
        .collect()
}
