//! A path with its objects at other addresses.

use std::collections::BTreeMap;

use craig_c_lang::address_space::{AddressSpace, REACH_BEHIND};
use craig_c_lang::ir::{Program, Shape};

/// Where the objects of a path are in another layout.
pub(super) struct Relocation {
    /// The other layout.
    space: AddressSpace,
    /// The start of each object, with its start there and the number of its addresses.
    moved: BTreeMap<u64, (u64, u64)>,
    /// The bytes of an address.
    bytes: u64,
}

impl Relocation {
    /// From the layout of a program to that of the program with its objects elsewhere.
    ///
    /// # Errors
    /// If the static objects do not fit.
    pub(super) fn new(program: &Program, elsewhere: &Program) -> Result<Self, String> {
        let (old, space) = (AddressSpace::new(program)?, AddressSpace::new(elsewhere)?);
        let objects = old.objects.iter().zip(&space.objects).enumerate();
        let moved = objects
            .map(|(id, (from, to))| (from.base, (to.base, old.reach(id as u32))))
            .collect();
        Ok(Self {
            space,
            moved,
            bytes: u64::from(program.pointer_width / 8),
        })
    }

    /// The address there of a new object.
    pub(super) fn create(&mut self, base: u64, size: u64, align: u64) -> Result<u64, String> {
        let reach = size.saturating_add(REACH_BEHIND);
        if let Some(&(start, known)) = self.moved.get(&base)
            && reach <= known
        {
            return Ok(start);
        }
        let id = self.space.add(Shape::opaque(size), align)?;
        let start = self.space.objects[id as usize].base;
        self.moved.insert(base, (start, reach));
        Ok(start)
    }

    /// A number there: that of an address moves with its object.
    pub(super) fn number(&self, number: u64) -> u64 {
        let Some((&base, &(start, reach))) = self.moved.range(..=number).next_back() else {
            return number;
        };
        match number - base < reach {
            true => start.wrapping_add(number - base),
            false => number,
        }
    }

    /// The value of a choice with this width there.
    pub(super) fn value(&self, value: u128, width: u32) -> u128 {
        match u64::from(width) == 8 * self.bytes {
            true => u128::from(self.number(value as u64)),
            false => value,
        }
    }

    /// The bytes of an object there, by offset.
    pub(super) fn contents(&self, bytes: Vec<(u64, u8)>) -> Vec<(u64, u8)> {
        let mut words: BTreeMap<u64, u64> = BTreeMap::new();
        for (offset, byte) in bytes {
            let low = offset % self.bytes;
            *words.entry(offset - low).or_default() |= u64::from(byte) << (8 * low);
        }
        let bytes = words.into_iter().flat_map(|(offset, word)| {
            let own = self.number(word).to_le_bytes();
            (offset..).zip(own).filter(|&(_, byte)| byte != 0)
        });
        bytes.collect()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use craig_c_lang::placement::{Layout, Placement};

    #[test]
    fn addresses_move_with_their_objects() {
        let program = Program {
            pointer_width: 64,
            ..Program::default()
        };
        let elsewhere = Program {
            placement: Arc::new(Placement::new(Layout::Moved)),
            ..program.clone()
        };
        let mut relocation = Relocation::new(&program, &elsewhere).unwrap();
        let base = 0x35 << 40;
        let start = relocation.create(base, 24, 8).unwrap();
        assert_ne!(start, base);
        assert_eq!((start % 8, start % 16), (0, 8));
        assert_eq!(relocation.create(base, 24, 8), Ok(start));
        assert_eq!(relocation.number(base + 5), start + 5);
        assert_eq!(relocation.number(7), 7);
        assert_eq!(
            relocation.value(u128::from(base) + 1, 64),
            u128::from(start) + 1
        );
        assert_eq!(relocation.value(5, 8), 5);
        let bytes = (8..).zip((base + 3).to_le_bytes());
        let moved = relocation.contents(bytes.filter(|it| it.1 != 0).collect());
        let word = moved
            .iter()
            .map(|&(at, byte)| u64::from(byte) << (8 * (at - 8)));
        assert_eq!(word.sum::<u64>(), start + 3);
    }
}
