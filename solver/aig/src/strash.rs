//! The table that finds the AND of two given operands.

use super::edge::NodeId;

/// An open-addressing hash set of AND nodes, keyed by their operands, which are read from the graph. A slot
/// holds the number of a node; 0, the constant, marks an empty slot. At most half of the slots are used,
/// which bounds the expected length of a linear probe.
#[derive(Clone, Debug, Default)]
pub(super) struct Strash {
    slots: Vec<u32>,
    n_taken: usize,
}

impl Strash {
    /// The node whose operands are `key`, if there is one.
    #[inline]
    pub(super) fn find(&self, key: [u32; 2], fanins: &[[u32; 2]]) -> Option<NodeId> {
        if self.slots.is_empty() {
            return None;
        }
        let mut slot = self.first_slot(key);
        loop {
            match self.slots[slot] {
                0 => return None,
                node if fanins[node as usize] == key => return Some(node),
                _ => slot = (slot + 1) & (self.slots.len() - 1),
            }
        }
    }

    /// Adds `node`, whose operands no node of the table has.
    pub(super) fn insert(&mut self, node: NodeId, fanins: &[[u32; 2]]) {
        debug_assert!(self.find(fanins[node as usize], fanins).is_none());
        if 2 * (self.n_taken + 1) > self.slots.len() {
            self.grow((2 * self.slots.len()).max(64), fanins);
        }
        self.place(node, fanins);
        self.n_taken += 1;
    }

    /// Makes room for `more` nodes.
    pub(super) fn reserve(&mut self, more: usize, fanins: &[[u32; 2]]) {
        let n_slots = (2 * (self.n_taken + more)).next_power_of_two().max(64);
        if n_slots > self.slots.len() {
            self.grow(n_slots, fanins);
        }
    }

    fn grow(&mut self, n_slots: usize, fanins: &[[u32; 2]]) {
        let old = std::mem::replace(&mut self.slots, vec![0; n_slots]);
        for node in old.into_iter().filter(|&node| node != 0) {
            self.place(node, fanins);
        }
    }

    fn place(&mut self, node: NodeId, fanins: &[[u32; 2]]) {
        let mut slot = self.first_slot(fanins[node as usize]);
        while self.slots[slot] != 0 {
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        self.slots[slot] = node;
    }

    /// Where the search for `key` begins: the high bits of a product (Fibonacci hashing).
    #[inline]
    fn first_slot(&self, key: [u32; 2]) -> usize {
        let key = u64::from(key[0]) << 32 | u64::from(key[1]);
        let mixed = (key ^ key >> 29).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        // The table has at least 64 slots, so the shift is less than 64.
        (mixed >> (64 - self.slots.len().trailing_zeros())) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_node_is_found_again_across_growth() {
        let mut fanins = vec![[0, 0]];
        let mut strash = Strash::default();
        for left in 0..60_u32 {
            if left == 20 {
                strash.reserve(1500, &fanins);
            }
            for right in 0..60_u32 {
                let key = [left, left + 7 * right];
                assert_eq!(strash.find(key, &fanins), None);
                fanins.push(key);
                strash.insert(fanins.len() as u32 - 1, &fanins);
            }
        }
        for (node, &key) in fanins.iter().enumerate().skip(1) {
            assert_eq!(strash.find(key, &fanins), Some(node as u32));
        }
    }
}
