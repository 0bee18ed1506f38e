//! Classes of signals that are equal, up to a sign, in all simulated patterns.

use craig_solver::aig::{Edge, NodeId};

/// A signal that is in no class.
const ALONE: u32 = u32::MAX;

/// A partition of some nodes of a graph. Each class is sorted; its first member is its representative.
pub(super) struct Partition {
    /// By node: the number of its class, or `ALONE`.
    class_of: Vec<u32>,
    /// Classes of at least two members; empty ones are kept, so that class numbers stay valid.
    classes: Vec<Vec<NodeId>>,
    /// By node: whether the members of its class equal its negation.
    phase: Vec<bool>,
}

impl Partition {
    /// A single class of `members`, which are in increasing order. `words` holds values of all nodes under 64
    /// patterns; the first pattern determines the phases.
    pub(super) fn new(members: Vec<NodeId>, words: &[u64]) -> Self {
        debug_assert!(members.is_sorted());
        let mut partition = Self {
            class_of: vec![ALONE; words.len()],
            classes: Vec::new(),
            phase: words.iter().map(|word| word & 1 == 1).collect(),
        };
        partition.add_class(members);
        partition
    }

    /// The representative of `node`: an equal edge to the first member of its class, unless that is the node
    /// itself.
    pub(super) fn representative(&self, node: NodeId) -> Option<Edge> {
        let class = self.classes.get(self.class_of[node as usize] as usize)?;
        let first = class[0];
        let sign = self.phase[node as usize] != self.phase[first as usize];
        (first != node).then(|| Edge::new(first, sign))
    }

    /// The nodes that have a representative.
    pub(super) fn represented(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.classes
            .iter()
            .flat_map(|class| class.iter().skip(1))
            .copied()
    }

    /// The nodes that are in a class.
    pub(super) fn members(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.classes.iter().flatten().copied()
    }

    /// Separates signals whose values differ in a pattern that `mask` selects.
    pub(super) fn refine(&mut self, words: &[u64], mask: u64) {
        for number in 0..self.classes.len() {
            let phase = &self.phase;
            let key = |node: NodeId| {
                let sign = 0_u64.wrapping_sub(u64::from(phase[node as usize]));
                (words[node as usize] ^ sign) & mask
            };
            let class = &self.classes[number];
            let Some(&first) = class.first() else {
                continue;
            };
            let of_first = key(first);
            if class.iter().all(|&node| key(node) == of_first) {
                continue;
            }
            let mut members = std::mem::take(&mut self.classes[number]);
            members.sort_unstable_by_key(|&node| (key(node), node));
            let groups: Vec<Vec<NodeId>> = members
                .chunk_by(|&left, &right| key(left) == key(right))
                .map(<[NodeId]>::to_vec)
                .collect();
            for group in groups {
                self.add_class(group);
            }
        }
    }

    /// Removes a signal from its class.
    pub(super) fn remove(&mut self, node: NodeId) {
        let number = std::mem::replace(&mut self.class_of[node as usize], ALONE);
        if let Some(class) = self.classes.get_mut(number as usize) {
            class.retain(|&member| member != node);
            if let [last] = class[..] {
                class.clear();
                self.class_of[last as usize] = ALONE;
            }
        }
    }

    /// Removes all other signals from their classes.
    pub(super) fn retain(&mut self, is_kept: impl Fn(NodeId) -> bool) {
        for number in 0..self.classes.len() {
            let mut members = std::mem::take(&mut self.classes[number]);
            members.retain(|&node| {
                let stays = is_kept(node);
                if !stays {
                    self.class_of[node as usize] = ALONE;
                }
                stays
            });
            match members[..] {
                [alone] => self.class_of[alone as usize] = ALONE,
                _ => self.classes[number] = members,
            }
        }
    }

    fn add_class(&mut self, members: Vec<NodeId>) {
        if let [alone] = members[..] {
            self.class_of[alone as usize] = ALONE;
        } else {
            for &member in &members {
                self.class_of[member as usize] = self.classes.len() as u32;
            }
            if !members.is_empty() {
                self.classes.push(members);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_split_where_values_differ_and_the_mask_allows() {
        // Node 2 is the negation of node 1, node 3 differs from both in pattern 2, node 0 is constant.
        let words = [0b0000, 0b0101, 0b1010, 0b0001];
        let mut partition = Partition::new(vec![0, 1, 2, 3], &words);
        assert_eq!(partition.represented().count(), 3);
        partition.refine(&words, 0b0001);
        assert_eq!(
            partition.represented().count(),
            3,
            "the first pattern sets the phases"
        );
        partition.refine(&words, 0b0111);
        assert_eq!(partition.represented().collect::<Vec<_>>(), [2]);
        assert_eq!(partition.representative(2), Some(Edge::new(1, true)));
        assert_eq!(partition.representative(1), None);
        let mut rest = Partition::new(vec![0, 1, 2, 3], &[0; 4]);
        rest.retain(|node| node != 0);
        assert_eq!(rest.represented().collect::<Vec<_>>(), [2, 3]);
        assert_eq!(rest.representative(3), Some(Edge::new(1, false)));
        rest.retain(|node| node == 3);
        assert_eq!(rest.represented().count(), 0);
        assert_eq!(rest.representative(3), None);
        partition.remove(1);
        assert_eq!(partition.represented().count(), 0);
        assert_eq!(partition.representative(2), None);
    }
}
