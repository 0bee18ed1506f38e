//! Classes of signals that are equal, up to a sign, in all simulated patterns.

use craig_aig::{Edge, NodeId};

/// A signal that is in no class.
const ALONE: u32 = u32::MAX;

/// A partition of some nodes of a graph. Each class is sorted; its first member is its representative.
pub(super) struct Partition {
    /// By node: the number of its class, or `ALONE`.
    class_of: Vec<u32>,
    /// Classes of at least two members; empty ones are kept, so that class numbers stay valid. A class may list nodes that
    /// were removed from it, which have another class or none in `class_of`; its first node was not.
    classes: Vec<Vec<NodeId>>,
    /// The number of members of each class.
    sizes: Vec<u32>,
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
            sizes: Vec::new(),
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
        let classes = self.classes.iter().enumerate();
        classes.flat_map(|(number, class)| self.of_class(number, class).skip(1))
    }

    /// The nodes that are in a class.
    pub(super) fn members(&self) -> impl Iterator<Item = NodeId> + '_ {
        let classes = self.classes.iter().enumerate();
        classes.flat_map(|(number, class)| self.of_class(number, class))
    }

    /// The members among the nodes that a class lists.
    fn of_class<'a>(
        &'a self,
        number: usize,
        listed: &'a [NodeId],
    ) -> impl Iterator<Item = NodeId> + 'a {
        let is_member = move |&node: &NodeId| self.class_of[node as usize] as usize == number;
        listed.iter().copied().filter(is_member)
    }

    /// Removes from the list of a class the nodes that are no members any more.
    fn tidy(&mut self, number: usize) {
        if self.classes[number].len() > self.sizes[number] as usize {
            let class_of = &self.class_of;
            self.classes[number].retain(|&node| class_of[node as usize] as usize == number);
        }
    }

    /// Separates signals whose values differ in a pattern that `mask` selects.
    pub(super) fn refine(&mut self, words: &[u64], mask: u64) {
        for number in 0..self.classes.len() {
            self.tidy(number);
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
            self.sizes[number] = 0;
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

    /// Removes a signal from its class. Takes constant time unless it is the first one.
    pub(super) fn remove(&mut self, node: NodeId) {
        let number = std::mem::replace(&mut self.class_of[node as usize], ALONE) as usize;
        if number == ALONE as usize {
            return;
        }
        self.sizes[number] -= 1;
        if self.classes[number][0] == node {
            self.tidy(number);
        }
        if self.sizes[number] == 1 {
            self.tidy(number);
            let last = self.classes[number][0];
            self.class_of[last as usize] = ALONE;
            self.classes[number].clear();
            self.sizes[number] = 0;
        }
    }

    /// Removes all other signals from their classes.
    pub(super) fn retain(&mut self, is_kept: impl Fn(NodeId) -> bool) {
        for number in 0..self.classes.len() {
            self.tidy(number);
            let mut members = std::mem::take(&mut self.classes[number]);
            members.retain(|&node| {
                let stays = is_kept(node);
                if !stays {
                    self.class_of[node as usize] = ALONE;
                }
                stays
            });
            if let [alone] = members[..] {
                self.class_of[alone as usize] = ALONE;
                members.clear();
            }
            self.sizes[number] = members.len() as u32;
            self.classes[number] = members;
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
                self.sizes.push(members.len() as u32);
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

    /// Members that were removed stay in no list that callers see, whatever happens to their class.
    #[test]
    fn removed_signals_are_in_no_class() {
        let mut partition = Partition::new((0..6).collect(), &[0; 6]);
        partition.remove(3);
        assert_eq!(partition.members().collect::<Vec<_>>(), [0, 1, 2, 4, 5]);
        partition.remove(0);
        assert_eq!(partition.represented().collect::<Vec<_>>(), [2, 4, 5]);
        assert_eq!(partition.representative(4), Some(Edge::new(1, false)));
        partition.remove(4);
        partition.refine(&[0, 0, 1, 1, 1, 1], 1);
        assert_eq!(partition.members().collect::<Vec<_>>(), [2, 5]);
        partition.remove(4);
        partition.remove(5);
        assert_eq!(partition.members().count(), 0);
        assert_eq!(partition.representative(2), None);
        let mut partition = Partition::new((0..4).collect(), &[0; 4]);
        partition.remove(2);
        partition.retain(|node| node != 1);
        assert_eq!(partition.members().collect::<Vec<_>>(), [0, 3]);
    }
}
