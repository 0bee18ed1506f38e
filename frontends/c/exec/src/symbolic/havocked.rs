//! Objects without contents: of large objects, and allocations of unknown size, in a program with cuts.
//!
//! What is stored in them is lost, and a read yields any value: an over-approximation, so that a proof is one of
//! the program, and an error path has to replay. Of all that is stored in an object, its targets are kept: a word
//! that is read from it may point to any of them.

use craig_c_lang::address_space::ObjectId;
use craig_word::Term;

use super::executor::Executor;
use super::points::Points;
use super::stored::Stored;

impl Executor<'_> {
    /// The bytes that an access may reach, by the last four bits of their offset, and whether it is of one word that
    /// may be an address, at a multiple of its size.
    fn bytes_of(&mut self, offset: Term, bytes: u32) -> (u16, bool) {
        let mut known = 4;
        let first = loop {
            let low = self.terms.extract(offset, 0, known);
            match self.terms.constant_value(low) {
                Some(value) => break value as u32,
                None if known == 1 => return (u16::MAX, false),
                None => known -= 1,
            }
        };
        let starts = (0..16 >> known).map(|index| first + (index << known));
        let mask = starts
            .flat_map(|start| (0..bytes.min(16)).map(move |byte| 1u16 << ((start + byte) % 16)))
            .fold(0, |mask, byte| mask | byte);
        let is_aligned = bytes.is_power_of_two() && bytes <= 1 << known && first % bytes == 0;
        (mask, is_aligned && bytes * 8 == self.space.width)
    }

    /// A store to an object without contents.
    pub(super) fn store_havocked(
        &mut self,
        object: ObjectId,
        offset: Term,
        value: Term,
        bytes: u32,
    ) {
        let points = self.points.of(&self.terms, &self.space, value);
        let (mask, is_whole) = self.bytes_of(offset, bytes);
        let mut stored = self.havocked.get(&object).cloned().unwrap_or_default();
        // A narrow constant may be a part of an address.
        if is_number(&points) && (is_whole || !points.bits) {
            stored.points.bits |= points.bits;
        } else {
            stored.points.join(&points);
            stored.addresses |= mask;
        }
        // One of many objects: which one it is is lost.
        stored.points.unknown |= (points.objects.iter()).any(|&object| self.is_of_others(object));
        if !is_whole {
            stored.parts |= mask;
        }
        self.keep_stored(object, stored);
    }

    /// Anything that a function may know is stored in an object without contents.
    pub(super) fn change_havocked(&mut self, object: ObjectId, has_numbers: bool) {
        let mut stored = self.havocked.get(&object).cloned().unwrap_or_default();
        if !has_numbers {
            stored.points.join(&self.unknown_points);
            stored.points.unknown = true;
            stored.addresses = u16::MAX;
        }
        stored.parts = u16::MAX;
        self.keep_stored(object, stored);
    }

    fn keep_stored(&mut self, object: ObjectId, stored: Stored) {
        if self.havocked.get(&object) != Some(&stored) {
            self.havocked.insert(object, stored);
            self.havocked_changed = true;
        }
    }

    /// Whether a read may take some bytes of an address that was stored in an object without contents.
    pub(super) fn may_divide_address(
        &mut self,
        object: ObjectId,
        offset: Term,
        bytes: u32,
    ) -> bool {
        let Some(stored) = self.havocked.get(&object).cloned() else {
            return false;
        };
        let (mask, is_whole) = self.bytes_of(offset, bytes);
        let has_addresses = stored.points.is_lost() || !stored.points.objects.is_empty();
        let is_divided = stored.parts & mask != 0 || !is_whole;
        has_addresses && is_divided && stored.addresses & mask != 0
    }

    /// A value read from an object without contents.
    pub(super) fn read_havocked(&mut self, object: ObjectId, offset: Term, bytes: u32) -> Term {
        let value = self.variable(bytes * 8);
        let stored = self.havocked.get(&object).cloned().unwrap_or_default();
        let (mask, is_whole) = self.bytes_of(offset, bytes);
        let points = if stored.addresses & mask == 0 {
            Points {
                bits: stored.points.bits,
                ..Points::default()
            }
        } else if stored.parts & mask != 0 || !is_whole {
            Points {
                bits: true,
                pieces: true,
                unknown: bytes * 8 >= self.space.width,
                ..Points::default()
            }
        } else {
            stored.points
        };
        self.set_points(value, points);
        value
    }

    /// Whether executions have to be repeated: what objects without contents may hold has changed since the last
    /// call.
    pub fn has_havocked_more(&mut self) -> bool {
        std::mem::take(&mut self.havocked_changed)
    }
}

/// Whether a whole word is no address, and no part of one.
fn is_number(points: &Points) -> bool {
    let is_other = points.pieces || points.unknown || points.difference || points.mixed;
    points.objects.is_empty() && !is_other
}
