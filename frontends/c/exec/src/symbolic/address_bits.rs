//! Bits of addresses: an operation whose result depends on bits of which C promises nothing is not supported.
//!
//! The program is executed with one layout of memory. Words that are the address of an object are known by their targets,
//! however they came here: through memory, calls or sums.

use craig_c_lang::address_space::ObjectId;
use craig_c_lang::ir::{Shape, UNKNOWN_BITS, UsedBits};
use craig_c_lang::library::LIBRARY;
use craig_word::{Node, Term};

use super::executor::{Executor, Supported};
use super::points::Points;
use super::state::{Position, State};

/// The number of bytes behind an object that are taken for addresses of it.
const BEHIND: u128 = 4096;

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
        if points.objects.is_empty() || points.is_lost() {
            return Ok(());
        }
        let other = match bits.operand() {
            Some(other) => self.eval(other, position, state)?,
            None => self.terms.constant(u128::from(u64::MAX), self.space.width),
        };
        if let UsedBits::Combined(_) = bits {
            let of_other = self.points.of(&self.terms, &self.space, other);
            if !of_other.objects.is_empty() || of_other.is_lost() {
                return Ok(());
            }
        }
        if let UsedBits::Distance(_) = bits {
            return self.uses_distance((word, &points), other, state);
        }
        for &object in &points.objects {
            let here = self.is_near(word, object);
            let open = u128::from(self.space.open_bits(object, promised));
            let open = self.terms.constant(open, self.space.width);
            let used = self.terms.and(open, other);
            let nothing = self.terms.constant(0, self.space.width);
            let is_unused = self.terms.eq(used, nothing);
            let is_kept = match bits {
                UsedBits::Masked(_) => self.terms.eq(used, open),
                _ => self.terms.boolean(false),
            };
            let is_fine = self.terms.or(is_unused, is_kept);
            let depends = self.terms.not(is_fine);
            let fails = self.terms.and(here, depends);
            self.give_up(state, fails, UNKNOWN_BITS)?;
        }
        Ok(())
    }

    /// Ends the paths on which two words are addresses in different objects: how far they are apart is open. `points` are
    /// those of the first word.
    fn uses_distance(
        &mut self,
        (word, points): (Term, &Points),
        other: Term,
        state: &mut State,
    ) -> Supported<()> {
        let of_other = self.points.of(&self.terms, &self.space, other);
        if of_other.is_lost() {
            return Ok(());
        }
        for &object in &points.objects {
            for &another in of_other.objects.iter().filter(|&&it| it != object) {
                let here = self.is_near(word, object);
                let there = self.is_near(other, another);
                let fails = self.terms.and(here, there);
                self.give_up(state, fails, UNKNOWN_BITS)?;
            }
        }
        Ok(())
    }

    /// Whether a word is an address in an object or shortly behind it, one bit. Other numbers in the pages of an
    /// object, which are large, are numbers that programs compute without addresses, such as hashes; so are those of
    /// functions, which have the sign bit.
    fn is_near(&mut self, word: Term, object: ObjectId) -> Term {
        let addressed = &self.space.objects[object as usize];
        if addressed.function.is_some() {
            return self.terms.boolean(false);
        }
        let end = u128::from(addressed.shape.size) + BEHIND;
        let end = self.terms.constant(end, self.space.width);
        let base = self.base(object);
        let offset = self.terms.sub(word, base);
        self.terms.ult(offset, end)
    }

    /// Ends the paths on which the value of a part of a word in memory counts, and the word is an address.
    pub(super) fn uses_part(
        &mut self,
        state: &mut State,
        (object, condition): (ObjectId, Term),
        (offset, bytes): (u64, u32),
    ) -> Supported<()> {
        if !self.is_value_used {
            return Ok(());
        }
        let shape = self.space.objects[object as usize].shape.clone();
        let index = shape.cell_at(offset);
        let Some(&(start, size)) = shape.cells.get(index) else {
            return Ok(());
        };
        let is_part = size * 8 == self.space.width && (start, size) != (offset, bytes);
        if !is_part {
            return match self.is_assembled(&shape, state.pieces(object), offset) {
                true => self.give_up(state, condition, UNKNOWN_BITS),
                false => Ok(()),
            };
        }
        let word = state.pieces(object)[index];
        // Contents that were left out, or are open, are any.
        if matches!(self.terms.node(word), Node::Var(_)) {
            return Ok(());
        }
        let points = self.points.of(&self.terms, &self.space, word);
        for &target in &points.objects {
            let here = self.is_near(word, target);
            let fails = self.terms.and(here, condition);
            self.give_up(state, fails, UNKNOWN_BITS)?;
        }
        Ok(())
    }

    /// Whether the cells around an offset hold the bytes of an address, as they are behind a copy of it.
    fn is_assembled(&self, shape: &Shape, cells: &[Term], offset: u64) -> bool {
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
        self.space.is_address(word)
    }

    /// Whether a load of some bytes is in the program's own text and its value counts there, and is not only stored
    /// somewhere else.
    pub(super) fn is_value_used(&self, bytes: u32, reg: u32, position: &Position) -> bool {
        if bytes * 8 >= self.space.width {
            return false;
        }
        let file = self.program.files.get(self.at.file as usize);
        let function = &self.program.functions[position.call.function as usize];
        file.is_none_or(|file| file != LIBRARY) && !function.copied.contains(&reg)
    }
}
