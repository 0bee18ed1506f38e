//! The bytes of an object in a run. Of a large one only the parts with nonzero bytes are stored.

use std::collections::HashMap;

/// Objects of at most this number of bytes are stored as a whole.
const WHOLE: u64 = 1 << 20;
/// The number of bytes of a part of a larger one.
const PART: u64 = 1 << 12;

/// The bytes of an object, initially zero.
#[derive(Clone, Debug)]
pub struct ObjectBytes {
    size: u64,
    whole: Vec<u8>,
    parts: HashMap<u64, Vec<u8>>,
}

impl ObjectBytes {
    pub(crate) fn zeros(size: u64) -> Self {
        let whole = if size <= WHOLE { size } else { 0 };
        Self {
            size,
            whole: vec![0; whole as usize],
            parts: HashMap::new(),
        }
    }

    pub(crate) fn size(&self) -> u64 {
        self.size
    }

    pub(crate) fn are_zero(&self) -> bool {
        let is_zero = |bytes: &Vec<u8>| bytes.iter().all(|&byte| byte == 0);
        is_zero(&self.whole) && self.parts.values().all(is_zero)
    }

    /// The bytes that are not 0, with their offsets, in ascending order.
    pub(crate) fn nonzero(&self) -> Vec<(u64, u8)> {
        let whole = (0..).zip(self.whole.iter().copied());
        let parts = self
            .parts
            .iter()
            .flat_map(|(&part, bytes)| (part * PART..).zip(bytes.iter().copied()));
        let mut found: Vec<(u64, u8)> = whole.chain(parts).filter(|&(_, byte)| byte != 0).collect();
        found.sort_unstable();
        found
    }

    fn byte(&self, offset: u64) -> u8 {
        if self.size <= WHOLE {
            return self.whole[offset as usize];
        }
        let part = self.parts.get(&(offset / PART));
        part.map_or(0, |part| part[(offset % PART) as usize])
    }

    /// Sets a byte within the object.
    pub(crate) fn set(&mut self, offset: u64, byte: u8) {
        debug_assert!(offset < self.size);
        if self.size <= WHOLE {
            self.whole[offset as usize] = byte;
        } else {
            let part = self.parts.entry(offset / PART);
            part.or_insert_with(|| vec![0; PART as usize])[(offset % PART) as usize] = byte;
        }
    }

    /// `bytes` bytes at an offset within the object, as a number; the first is the lowest.
    pub(crate) fn read(&self, offset: u64, bytes: u32) -> u128 {
        let places = (0..u64::from(bytes)).rev();
        places.fold(0, |sum, place| {
            sum << 8 | u128::from(self.byte(offset + place))
        })
    }

    pub(crate) fn write(&mut self, offset: u64, bytes: u32, value: u128) {
        for place in 0..u64::from(bytes) {
            self.set(offset + place, (value >> (8 * place)) as u8);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Small and large objects, at their ends and across parts.
    #[test]
    fn what_is_written_is_read() {
        for size in [64, WHOLE, WHOLE + 1, 1 << 40] {
            let mut contents = ObjectBytes::zeros(size);
            assert_eq!(contents.size(), size);
            assert!(contents.are_zero());
            for offset in [0, 30, size / 2 - 3, size - 8] {
                contents.write(offset, 8, 0x0102_0304_0506_0708);
                assert_eq!(contents.read(offset, 8), 0x0102_0304_0506_0708);
                assert_eq!(contents.read(offset + 2, 4), 0x0304_0506);
                contents.set(offset + 7, 0);
                assert_eq!(contents.read(offset, 8), 0x0002_0304_0506_0708);
            }
            assert_eq!(contents.read(10, 8), 0);
            assert!(contents.parts.len() <= 5);
        }
    }
}
