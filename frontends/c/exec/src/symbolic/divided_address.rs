//! Addresses that are copied in pieces: what stands for a piece, and pieces that have come together again.

use std::collections::HashMap;

use craig_c_lang::address_space::{ObjectId, USER_BITS};
use craig_c_lang::ir::{Shape, UNKNOWN_BITS};
use craig_word::{Node, Term};

use super::access::Target;
use super::executor::{Executor, Supported};
use super::memory::{self, constant_low_bits, is_spread};
use super::overlap::{Relation, overlap, relation};
use super::overlay::ChainId;
use super::pieces;
use super::points::Points;
use super::state::State;

/// Choices within each other that are taken apart to put an address together.
const MOST_CHOICES: u32 = 6;

/// The places among which an address may be stored over several cells, where programs are cut at loops.
const MOST_OPEN_PLACES: u64 = 64;

/// More places of an object that hold addresses are not told apart.
const MOST_PLACES: usize = 24;

impl Executor<'_> {
    /// The word with the size of an address whose part some bytes are.
    pub(super) fn divided_word(
        &self,
        shape: &Shape,
        cells: &[Term],
        (offset, bytes): (u64, u32),
    ) -> Option<Term> {
        let index = shape.cell_at(offset);
        let &(start, size) = shape.cells.get(index)?;
        let is_part = size * 8 == self.space.width && (start, size) != (offset, bytes);
        is_part.then(|| cells[index])
    }

    /// The words of which a read of an object takes a part, each with where it starts: those whose cells are as large as addresses,
    /// and addresses that were stored elsewhere.
    pub(super) fn divided_words(
        &mut self,
        object: ObjectId,
        (shape, cells): (&Shape, &[Term]),
        (offset, bytes): (u64, u32),
    ) -> Vec<(u64, Term)> {
        let whole = self.space.width / 8;
        let mut words = Vec::new();
        let mut index = shape.cell_at(offset);
        while let Some(&(start, size)) = shape.cells.get(index)
            && start < offset + u64::from(bytes)
        {
            let is_part = size == whole && (start, size) != (offset, bytes);
            if is_part && !self.is_divided(cells[index]) {
                words.push((start, cells[index]));
            }
            index += 1;
        }
        let stored = self.with_addresses.get(&object);
        let starts = stored.map(|stored| stored.around(&self.terms, (offset, bytes), whole));
        for start in starts.unwrap_or_default() {
            let is_other = (start, whole) != (offset, bytes);
            let is_known = words.iter().any(|&(other, _)| other == start);
            if !is_other || is_known || start + u64::from(whole) > shape.size {
                continue;
            }
            let word = memory::read_at(&mut self.terms, shape, cells, start, whole);
            let points = self.points.of(&self.terms, &self.space, word);
            if !points.is_lost() && !points.objects.is_empty() {
                words.push((start, word));
            }
        }
        words
    }

    /// The value that is read from cells. Any, where it is a part of an address that is copied; the address, if all of its parts
    /// have come together again.
    pub(super) fn part_or_whole(
        &mut self,
        object: ObjectId,
        (shape, cells): (&Shape, &[Term]),
        (offset, bytes): (u64, u32),
    ) -> Term {
        let mut value = memory::read_at(&mut self.terms, shape, cells, offset, bytes);
        if bytes * 8 == self.space.width
            && let Some(whole) = self.reassembled(value)
        {
            return whole;
        }
        if !self.is_copied {
            return value;
        }
        let whole = u64::from(self.space.width / 8);
        for (start, word) in self.divided_words(object, (shape, cells), (offset, bytes)) {
            if self.is_part_of_address(word).is_some() {
                let from = start.max(offset);
                let end = (start + whole).min(offset + u64::from(bytes));
                let part = self.part_variable(word, (from - start) as u32, (end - from) as u32);
                value = self.with_part(value, (from - offset) as u32, part);
            }
        }
        value
    }

    /// A value with other bytes from one on.
    fn with_part(&mut self, value: Term, from: u32, part: Term) -> Term {
        let (low, end) = (8 * from, 8 * from + self.terms.width(part));
        let mut result = part;
        if low > 0 {
            let rest = self.terms.extract(value, 0, low);
            result = self.terms.concat(result, rest);
        }
        let width = self.terms.width(value);
        if end < width {
            let rest = self.terms.extract(value, end, width - end);
            result = self.terms.concat(rest, result);
        }
        result
    }

    /// What stands for bytes of an address from bit `8 * low` on: any value, but for the bits that are promised.
    fn part_variable(&mut self, word: Term, low: u32, bytes: u32) -> Term {
        if let Some(&part) = self.parts_of_addresses.get(&(word, low, bytes)) {
            return part;
        }
        let (from, width) = (8 * low, 8 * bytes);
        if from >= self.promised_from(word) {
            return self.terms.extract(word, from, width);
        }
        let promised = self.promised_bits(word).saturating_sub(from).min(width);
        let known = (promised > 0).then(|| self.terms.extract(word, from, promised));
        let open = (promised < width).then(|| {
            let open = self.terms.variable(width - promised);
            let points = Points {
                bits: true,
                pieces: true,
                ..Points::default()
            };
            self.points.variables.insert(open, points);
            self.divided.insert(open, (word, from + promised));
            open
        });
        let part = match (open, known) {
            (Some(open), Some(known)) => self.terms.concat(open, known),
            (Some(part), None) | (None, Some(part)) => part,
            (None, None) => self.terms.constant(0, width),
        };
        self.parts_of_addresses.insert((word, low, bytes), part);
        part
    }

    /// How many of the lowest bits of an address do not depend on where its object is.
    fn promised_bits(&mut self, word: Term) -> u32 {
        let points = self.points.of(&self.terms, &self.space, word);
        if points.is_lost() {
            return 0;
        }
        let objects = points.objects.iter().map(|&object| {
            let object = &self.space.objects[object as usize];
            match object.function {
                Some(_) => 0,
                None => object.align.max(1).trailing_zeros(),
            }
        });
        objects.min().unwrap_or(0)
    }

    /// From which bit on those of an address do not depend on where its object is: a process has addresses of 47 bits.
    fn promised_from(&mut self, word: Term) -> u32 {
        let points = self.points.of(&self.terms, &self.space, word);
        let is_object = |&object: &ObjectId| self.space.objects[object as usize].function.is_none();
        match points.is_lost() || !points.objects.iter().all(is_object) {
            true => self.space.width,
            false => USER_BITS.min(self.space.width),
        }
    }

    /// Puts the single bytes of an address into its cell, before some of them are overwritten.
    pub(super) fn divide_cell(
        &mut self,
        shape: &Shape,
        cells: &mut [Term],
        (offset, bytes): (u64, u32),
    ) {
        if let Some(word) = self.divided_word(shape, cells, (offset, bytes)) {
            cells[shape.cell_at(offset)] = self.in_bytes(word, MOST_CHOICES);
        }
    }

    /// A value to be stored: an address that gets no cell of its own is stored as what stands for its bytes.
    pub(super) fn spread(
        &mut self,
        shape: &Shape,
        (offset, bytes): (u64, u32),
        value: Term,
    ) -> Term {
        match is_spread(shape, offset, bytes) && 8 * bytes == self.space.width && !self.counting {
            true => self.in_bytes(value, MOST_CHOICES),
            false => value,
        }
    }

    /// A value to be stored over several cells where programs are cut at loops: nothing would say later that these hold bytes of
    /// an address, so that they get any value in its place. Where there are many places for it, what follows is long
    /// to search and seldom a proof: the path ends.
    pub(super) fn any_over_cells(
        &mut self,
        state: &mut State,
        condition: Term,
        value: Term,
        n_places: u64,
    ) -> Supported<Term> {
        let is_word = self.terms.width(value) == self.space.width;
        let Some(here) = is_word.then(|| self.is_part_of_address(value)).flatten() else {
            return Ok(value);
        };
        if n_places > MOST_OPEN_PLACES {
            let fails = self.terms.and(here, condition);
            self.give_up(state, fails, UNKNOWN_BITS)?;
            return Ok(value);
        }
        Ok(self.any_in_place_of(value, here))
    }

    /// A word with what stands for the single bytes of an address in the place of the address.
    fn in_bytes(&mut self, word: Term, depth: u32) -> Term {
        if self.is_part_of_address(word).is_none() || self.is_divided(word) {
            return word;
        }
        if let Node::Ite(condition, a, b) = self.terms.node(word)
            && depth > 0
            && [a, b].iter().any(|&side| !self.is_undivided_address(side))
        {
            let [a, b] = [a, b].map(|side| self.in_bytes(side, depth - 1));
            return self.terms.ite(condition, a, b);
        }
        self.space.open();
        let mut divided = self.part_variable(word, 0, 1);
        for byte in 1..self.space.width / 8 {
            let part = self.part_variable(word, byte, 1);
            divided = self.terms.concat(part, divided);
        }
        self.note_upper_parts(word);
        divided
    }

    /// Notes the bytes of an address that do not depend on its place, and stand for themselves. Where all others have been
    /// overwritten, they alone are left of the address.
    fn note_upper_parts(&mut self, word: Term) {
        let (from, width) = (self.promised_from(word), self.space.width);
        for low in (from.next_multiple_of(8)..width).step_by(8) {
            for high in (low + 8..=width).step_by(8) {
                let part = self.terms.extract(word, low, high - low);
                if self.terms.constant_value(part).is_none() {
                    self.upper_parts.insert(part);
                }
            }
        }
    }

    fn is_undivided_address(&mut self, word: Term) -> bool {
        self.is_part_of_address(word).is_some() && !self.is_divided(word)
    }

    /// Whether a word is put together from what stands for bytes of an address: some of its bytes may be others by now. The
    /// sides of a choice are asked about by themselves.
    fn is_divided(&mut self, word: Term) -> bool {
        if self.divided.is_empty() || matches!(self.terms.node(word), Node::Ite(..)) {
            return false;
        }
        let divided = &self.divided;
        if pieces::contains(&self.terms, word, |part| divided.contains_key(&part)) {
            return true;
        }
        let (upper, others): (Vec<Term>, Vec<Term>) = (pieces::of(&mut self.terms, word)
            .into_iter())
        .partition(|piece| self.upper_parts.contains(piece));
        !upper.is_empty()
            && !others.into_iter().any(|piece| {
                let points = self.points.of(&self.terms, &self.space, piece);
                !points.objects.is_empty()
            })
    }

    /// Puts an address into the cell around an offset whose last piece was stored there.
    pub(super) fn join_cell(
        &mut self,
        shape: &Shape,
        cells: &mut [Term],
        (offset, bytes): (u64, u32),
    ) {
        if let Some(word) = self.divided_word(shape, cells, (offset, bytes))
            && let Some(whole) = self.reassembled(word)
        {
            cells[shape.cell_at(offset)] = whole;
        }
    }

    /// The value that is read from a chain: of an address, as from cells.
    pub(super) fn load_from_chain(&mut self, chain: ChainId, target: &Target, bytes: u32) -> Term {
        let value = self.read_chain(chain, target.offset, bytes);
        let whole = self.space.width / 8;
        let value = match bytes == whole {
            true => self.reassembled(value).unwrap_or(value),
            false => value,
        };
        let is_asked = self.is_value_used || self.is_copied;
        if !is_asked || !self.with_addresses.contains_key(&target.object) {
            return value;
        }
        let place = (target.offset, bytes);
        let start = match bytes == whole {
            true => Some((target.offset, 0)),
            false => self.start_of_address(target.object, place),
        };
        let is_apart = self.is_misplaced(target.object, place, start.map(|(start, _)| start));
        let part = match start {
            _ if bytes == whole => value,
            Some(start) if bytes < whole => {
                self.part_in_chain(chain, target, (start, bytes), value)
            }
            _ => value,
        };
        if self.terms.is_zero(is_apart) {
            return part;
        }
        self.space.open();
        let any = self.terms.variable(8 * bytes);
        if bytes >= whole {
            // Bytes of several addresses are in it.
            let points = Points {
                unknown: true,
                ..Points::default()
            };
            (self.points).may_point(&self.terms, &self.space, any, &points);
        }
        self.terms.ite(is_apart, any, part)
    }

    /// What is read of the address that starts somewhere in a chain, from a byte of it on.
    fn part_in_chain(
        &mut self,
        chain: ChainId,
        target: &Target,
        ((start, low), bytes): ((Term, u32), u32),
        value: Term,
    ) -> Term {
        let is_open = self.shares_address(target, bytes);
        if self.terms.is_zero(is_open) {
            return value;
        }
        self.space.open();
        let word = self.read_chain(chain, start, self.space.width / 8);
        if self.is_part_of_address(word).is_none() {
            return value;
        }
        if self.is_copied {
            return self.part_variable(word, low, bytes);
        }
        if matches!(self.terms.node(word), Node::Var(_)) {
            let any = self.terms.variable(8 * bytes);
            return self.terms.ite(is_open, any, value);
        }
        let open = self.with_open_place(word);
        self.terms.extract(open, 8 * low, 8 * bytes)
    }

    /// Where the address starts that a read takes bytes of, if it takes any, and from which byte of it on; `None` if that may
    /// differ.
    fn start_of_address(
        &mut self,
        object: ObjectId,
        (offset, bytes): (Term, u32),
    ) -> Option<(Term, u32)> {
        let whole = self.space.width / 8;
        let stored = self.with_addresses.get(&object)?;
        for &(place, size) in stored.places.iter().flatten() {
            if size == whole
                && let Relation::Within(low) = relation(&self.terms, (offset, bytes), (place, size))
            {
                return Some((place, low));
            }
        }
        let log = whole.trailing_zeros();
        let (known, low) = constant_low_bits(&mut self.terms, offset, log);
        let low = low as u32 % whole;
        if known < log || low + bytes > whole {
            return None;
        }
        let low_term = self.terms.constant(u128::from(low), self.space.width);
        Some((self.terms.sub(offset, low_term), low))
    }

    /// Whether a read takes bytes of an address that starts somewhere else, one bit.
    fn is_misplaced(
        &mut self,
        object: ObjectId,
        (offset, bytes): (Term, u32),
        start: Option<Term>,
    ) -> Term {
        let Some(stored) = self.with_addresses.get(&object).cloned() else {
            return self.terms.boolean(false);
        };
        let log = (self.space.width / 8).trailing_zeros();
        let is_aligned =
            start.is_some_and(|start| constant_low_bits(&mut self.terms, start, log) == (log, 0));
        if stored.is_aligned && is_aligned {
            return self.terms.boolean(false);
        }
        let mut is_misplaced = self.terms.boolean(stored.places.is_none());
        for (place, size) in stored.places.unwrap_or_default() {
            let mut own = overlap(&mut self.terms, (offset, bytes), (place, size));
            if let Some(start) = start
                && 8 * size == self.space.width
            {
                let is_there = self.terms.eq(place, start);
                let is_elsewhere = self.terms.not(is_there);
                own = self.terms.and(own, is_elsewhere);
            }
            is_misplaced = self.terms.or(is_misplaced, own);
        }
        is_misplaced
    }

    /// Whether a read shares bytes with an address that was stored, one bit.
    fn shares_address(&mut self, target: &Target, bytes: u32) -> Term {
        let stored = self.with_addresses.get(&target.object);
        let places = stored.and_then(|stored| stored.places.clone());
        let mut shares = self.terms.boolean(places.is_none());
        for place in places.unwrap_or_default() {
            let own = overlap(&mut self.terms, (target.offset, bytes), place);
            shares = self.terms.or(shares, own);
        }
        shares
    }

    /// Notes that an object holds an address, or a piece of one.
    pub(super) fn note_address_in(&mut self, target: &Target, value: Term) {
        let may_be = self.terms.width(value) >= self.space.width || !self.divided.is_empty();
        if !may_be {
            return;
        }
        let points = self.points.of(&self.terms, &self.space, value);
        if points.objects.is_empty() && !points.pieces {
            return;
        }
        let size = self.terms.width(value) / 8;
        let log = (self.space.width / 8).trailing_zeros();
        let is_whole = 8 * size == self.space.width;
        let is_aligned =
            !is_whole || constant_low_bits(&mut self.terms, target.offset, log) == (log, 0);
        let place = (target.offset, size);
        let known = (self.with_addresses.entry(target.object)).or_default();
        known.is_aligned &= is_aligned;
        if let Some(places) = &mut known.places
            && !places.contains(&place)
        {
            places.push(place);
            if places.len() > MOST_PLACES {
                known.places = None;
            }
        }
    }

    /// Notes that an object holds what another one holds, at other places.
    pub(super) fn note_addresses_of(
        &mut self,
        (object, offset): (ObjectId, Term),
        (source, start): (ObjectId, Term),
    ) {
        let Some(stored) = self.with_addresses.get(&source) else {
            return;
        };
        let mut is_aligned = stored.is_aligned;
        let log = (self.space.width / 8).trailing_zeros();
        for place in [offset, start] {
            is_aligned &= constant_low_bits(&mut self.terms, place, log) == (log, 0);
        }
        let known = self.with_addresses.entry(object).or_default();
        known.is_aligned &= is_aligned;
        known.places = None;
    }

    /// The address whose parts a word consists of, or a choice among such words and others.
    pub(super) fn reassembled(&mut self, value: Term) -> Option<Term> {
        if self.divided.is_empty() {
            return None;
        }
        let leaves = pieces::of(&mut self.terms, value);
        self.assembled_choice(&leaves, MOST_CHOICES)
    }

    /// The address whose parts some terms are, the lowest first; where they are choices by one condition, for either side.
    fn assembled_choice(&mut self, leaves: &[Term], depth: u32) -> Option<Term> {
        if let Some(whole) = self.assembled(leaves) {
            return Some(whole);
        }
        let condition = leaves
            .iter()
            .find_map(|&leaf| match self.terms.node(leaf) {
                Node::Ite(condition, ..) => Some(condition),
                _ => None,
            })?;
        if depth == 0 {
            return None;
        }
        let mut sides = [Vec::new(), Vec::new()];
        for &leaf in leaves {
            let parts = match self.terms.node(leaf) {
                Node::Ite(own, a, b) if own == condition => [a, b],
                _ => [leaf, leaf],
            };
            for (side, part) in sides.iter_mut().zip(parts) {
                side.extend(pieces::of(&mut self.terms, part));
            }
        }
        let [a, b] = sides
            .each_ref()
            .map(|side| self.assembled_choice(side, depth - 1));
        if a.is_none() && b.is_none() {
            return None;
        }
        let [a, b] = [(a, &sides[0]), (b, &sides[1])]
            .map(|(whole, side)| whole.unwrap_or_else(|| pieces::joined(&mut self.terms, side)));
        Some(self.terms.ite(condition, a, b))
    }

    /// The address whose parts some terms are, the lowest first.
    fn assembled(&mut self, leaves: &[Term]) -> Option<Term> {
        let (mut at, mut whole) = (0, None);
        let mut known: HashMap<u32, Term> = HashMap::new();
        for &leaf in leaves {
            match self.divided.get(&leaf) {
                Some(&(word, low)) => {
                    if low != at || whole.is_some_and(|whole| whole != word) {
                        return None;
                    }
                    whole = Some(word);
                }
                None => drop(known.insert(at, leaf)),
            }
            at += self.terms.width(leaf);
        }
        let word = whole.filter(|_| at == self.space.width)?;
        let (promised, from) = (self.promised_bits(word), self.promised_from(word));
        for (low, leaf) in known {
            let width = self.terms.width(leaf);
            let is_open = low + width > promised && low < from;
            if is_open || self.terms.extract(word, low, width) != leaf {
                return None;
            }
        }
        Some(word)
    }
}
