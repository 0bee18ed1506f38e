//! Addresses that are copied in pieces: what stands for a piece, and pieces that have come together again.

use std::collections::HashMap;

use craig_c_lang::address_space::{ObjectId, USER_BITS};
use craig_c_lang::ir::Shape;
use craig_word::{Node, Term};

use super::access::Target;
use super::executor::{Executor, Supported};
use super::memory::constant_low_bits;
use super::overlap::overlap;
use super::overlay::ChainId;
use super::points::Points;
use super::state::State;

/// Choices within each other that are taken apart to put an address together.
const MOST_CHOICES: u32 = 6;

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

    /// A value that was read: any, if it is a part of an address that is copied; the address, if all of its parts have come
    /// together again.
    pub(super) fn part_or_whole(
        &mut self,
        (shape, cells): (&Shape, &[Term]),
        (offset, bytes): (u64, u32),
        value: Term,
    ) -> Term {
        if bytes * 8 == self.space.width {
            return self.reassembled(value).unwrap_or(value);
        }
        let divided = self.divided_word(shape, cells, (offset, bytes));
        let (true, Some(word)) = (self.is_copied, divided) else {
            return value;
        };
        if self.is_part_of_address(word).is_none() {
            return value;
        }
        let low = (offset % u64::from(self.space.width / 8)) as u32;
        self.part_variable(word, low, bytes)
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
        let Some(word) = self.divided_word(shape, cells, (offset, bytes)) else {
            return;
        };
        if self.is_part_of_address(word).is_none() {
            return;
        }
        self.space.observe();
        let mut divided = self.part_variable(word, 0, 1);
        for byte in 1..self.space.width / 8 {
            let part = self.part_variable(word, byte, 1);
            divided = self.terms.concat(part, divided);
        }
        cells[shape.cell_at(offset)] = divided;
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
    pub(super) fn load_from_chain(
        &mut self,
        state: &mut State,
        chain: ChainId,
        target: &Target,
        bytes: u32,
    ) -> Supported<Term> {
        let value = self.read_chain(chain, target.offset, bytes);
        let whole = self.space.width / 8;
        if bytes == whole {
            return Ok(self.reassembled(value).unwrap_or(value));
        }
        let is_asked = bytes < whole && (self.is_value_used || self.is_copied);
        if !is_asked || !self.with_addresses.contains_key(&target.object) {
            return Ok(value);
        }
        let is_open = self.shares_address(target, bytes);
        if self.terms.is_zero(is_open) {
            return Ok(value);
        }
        self.space.observe();
        let log = whole.trailing_zeros();
        let (known, low) = constant_low_bits(&mut self.terms, target.offset, log);
        let low = low as u32 % whole;
        if known < log || low + bytes > whole {
            let any = self.terms.variable(8 * bytes);
            return Ok(self.terms.ite(is_open, any, value));
        }
        let low_term = self.terms.constant(u128::from(low), self.space.width);
        let start = self.terms.sub(target.offset, low_term);
        let word = self.read_chain(chain, start, whole);
        if self.is_part_of_address(word).is_none() {
            return Ok(value);
        }
        if self.is_copied {
            return Ok(self.part_variable(word, low, bytes));
        }
        if matches!(self.terms.node(word), Node::Var(_)) {
            let any = self.terms.variable(8 * bytes);
            return Ok(self.terms.ite(is_open, any, value));
        }
        let open = self.with_open_place(state, word, target.condition)?;
        Ok(self.terms.extract(open, 8 * low, 8 * bytes))
    }

    /// Whether a read shares bytes with an address that was stored, one bit.
    fn shares_address(&mut self, target: &Target, bytes: u32) -> Term {
        let places = self.with_addresses.get(&target.object).cloned().flatten();
        let mut shares = self.terms.boolean(places.is_none());
        for place in places.unwrap_or_default() {
            let own = overlap(&mut self.terms, (target.offset, bytes), place);
            shares = self.terms.or(shares, own);
        }
        shares
    }

    /// Notes that an object holds an address, or a piece of one.
    pub(super) fn note_address_in(&mut self, target: &Target, value: Term) {
        // Where programs are cut at loops, there are no chains.
        let may_be = self.terms.width(value) >= self.space.width || !self.divided.is_empty();
        if self.counting || !may_be {
            return;
        }
        let points = self.points.of(&self.terms, &self.space, value);
        if points.objects.is_empty() && !points.pieces {
            return;
        }
        let place = (target.offset, self.terms.width(value) / 8);
        let known = (self.with_addresses.entry(target.object)).or_insert_with(|| Some(Vec::new()));
        if let Some(places) = known
            && !places.contains(&place)
        {
            places.push(place);
            if places.len() > MOST_PLACES {
                *known = None;
            }
        }
    }

    /// The address whose parts a word consists of, or a choice among such words and others.
    pub(super) fn reassembled(&mut self, value: Term) -> Option<Term> {
        if self.divided.is_empty() {
            return None;
        }
        let leaves = self.pieces(value);
        self.assembled_choice(&leaves, MOST_CHOICES)
    }

    /// The terms that a term is put together from, the lowest first.
    fn pieces(&mut self, term: Term) -> Vec<Term> {
        let (mut pieces, mut rest) = (Vec::new(), vec![term]);
        while let Some(term) = rest.pop() {
            match self.terms.node(term) {
                Node::Concat(high, low) => rest.extend([high, low]),
                Node::ZExt(low) => {
                    let width = self.terms.width(term) - self.terms.width(low);
                    rest.extend([self.terms.constant(0, width), low]);
                }
                _ => pieces.push(term),
            }
        }
        pieces
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
                side.extend(self.pieces(part));
            }
        }
        let [a, b] = sides
            .each_ref()
            .map(|side| self.assembled_choice(side, depth - 1));
        if a.is_none() && b.is_none() {
            return None;
        }
        let [a, b] = [(a, &sides[0]), (b, &sides[1])]
            .map(|(whole, side)| whole.unwrap_or_else(|| self.joined(side)));
        Some(self.terms.ite(condition, a, b))
    }

    /// Terms put together, the lowest first.
    fn joined(&mut self, leaves: &[Term]) -> Term {
        let mut leaves = leaves.iter().copied();
        let lowest = leaves.next();
        let mut word = lowest.unwrap_or_else(|| self.terms.constant(0, self.space.width));
        for leaf in leaves {
            word = self.terms.concat(leaf, word);
        }
        word
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
