//! Values of arrays.

use std::collections::{BTreeMap, BTreeSet};

use super::bit_vector::BitVector;

/// A function from bit-vectors of one width to bit-vectors of one width that is constant except for finitely
/// many stored indices.
#[derive(Clone, Debug)]
pub struct ArrayValue {
    index: u32,
    default: BitVector,
    /// The elements that differ from the default.
    entries: BTreeMap<BitVector, BitVector>,
}

impl ArrayValue {
    /// The array that has one element at every index of the given width.
    #[must_use]
    pub fn new(index: u32, default: BitVector) -> Self {
        Self {
            index,
            default,
            entries: BTreeMap::new(),
        }
    }

    /// The width of indices.
    #[must_use]
    pub fn index_width(&self) -> u32 {
        self.index
    }

    /// The element at indices without a stored one.
    #[must_use]
    pub fn default_element(&self) -> &BitVector {
        &self.default
    }

    /// The elements that differ from the default, by index.
    #[must_use]
    pub fn entries(&self) -> &BTreeMap<BitVector, BitVector> {
        &self.entries
    }

    /// The element at an index.
    #[must_use]
    pub fn select(&self, index: &BitVector) -> &BitVector {
        debug_assert_eq!(index.width(), self.index);
        self.entries.get(index).unwrap_or(&self.default)
    }

    /// Stores an element at an index.
    pub fn store(&mut self, index: BitVector, value: BitVector) {
        debug_assert_eq!(index.width(), self.index);
        debug_assert_eq!(value.width(), self.default.width());
        if value == self.default {
            self.entries.remove(&index);
        } else {
            self.entries.insert(index, value);
        }
    }
}

/// Equality of the functions, whatever their representation.
impl PartialEq for ArrayValue {
    fn eq(&self, other: &Self) -> bool {
        if self.index != other.index {
            return false;
        }
        let indices: BTreeSet<&BitVector> =
            self.entries.keys().chain(other.entries.keys()).collect();
        let are_all = self.index < usize::BITS && indices.len() == 1 << self.index;
        (are_all || self.default == other.default)
            && indices
                .iter()
                .all(|index| self.select(index) == other.select(index))
    }
}

impl Eq for ArrayValue {}
