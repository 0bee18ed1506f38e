//! Pairs of isomorphic blocks of gates in a model.
//!
//! Gates get the hash of their cone's shape, down to inputs, latches and gates that many others read (a word's
//! bits do). From two gates whose shape nobody else has, an isomorphism is extended gate by gate, to what they
//! read and to what reads them. Hashes, and the order in which equal shapes are matched, decide only how much is
//! found: [`Block::is_isomorphism`] is what counts.

use std::collections::{HashMap, HashSet, VecDeque};

use craig_aig::{Aig, Edge, Node, NodeId, Poll};
use craig_model::{Model, cone::SequentialCone};

/// Which blocks are of interest. By default, those that may be arithmetic operations.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// A gate with at least this number of readers is a bit of a word, on which blocks depend, and not an inner gate of one.
    pub readers: usize,
    /// Smaller blocks are of no interest.
    pub least_gates: usize,
    /// An arithmetic operation has many gates for each bit that goes in or out. Other logic that occurs twice is
    /// better decided by what its gates are.
    pub gates_per_bit: usize,
    /// The blocks have at least one in `least_share` of the gates of the model.
    pub least_share: usize,
    /// Outputs with fewer gates in their cones keep them, in one abstraction after the other.
    pub cheap_gates: [usize; 2],
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            readers: 10,
            least_gates: 400,
            gates_per_bit: 25,
            least_share: 8,
            cheap_gates: [24, 200],
        }
    }
}

/// Two disjoint sets of gates, with an isomorphism between them.
#[derive(Clone, Debug, Default)]
pub(super) struct Block {
    /// Each gate of the one with its counterpart in the other, in topological order.
    pub(super) gates: Vec<[NodeId; 2]>,
    /// Other nodes that these gates read: where the one reads the first, the other reads the second. Increasing.
    pub(super) leaves: Vec<[NodeId; 2]>,
    /// The gates that have readers elsewhere, a part of `gates`.
    pub(super) outputs: Vec<[NodeId; 2]>,
}

impl Block {
    /// Whether each two gates read corresponding nodes: so, if the leaves are equal, the gates are.
    pub(super) fn is_isomorphism(&self, aig: &Aig) -> bool {
        let mut known: HashSet<[NodeId; 2]> = self.leaves.iter().copied().collect();
        self.gates.iter().all(|&gates| {
            let [Node::And(a, b), Node::And(c, d)] = gates.map(|gate| aig.node(gate)) else {
                return false;
            };
            let are_equal = |one: Edge, two: Edge| {
                let nodes = [one.node(), two.node()];
                let is_known = nodes[0] == nodes[1] || known.contains(&nodes);
                is_known && one.is_negated() == two.is_negated()
            };
            let holds = are_equal(a, c) && are_equal(b, d) || are_equal(a, d) && are_equal(b, c);
            known.insert(gates);
            holds
        })
    }

    /// The block without gates that no other gate of it reads and that read something else than its gates, again
    /// and again. What an operation's result is masked with, or selected by, should keep its meaning; adders
    /// lose all their gates, and need no abstraction.
    fn without_border(mut self, aig: &Aig) -> Self {
        let operands = |gate: NodeId| match aig.node(gate) {
            Node::And(left, right) => [left.node(), right.node()],
            _ => [gate; 2],
        };
        let mut inside: HashSet<NodeId> = self.gates.iter().flatten().copied().collect();
        let mut n_readers: HashMap<NodeId, usize> = HashMap::new();
        for node in self.gates.iter().flatten().flat_map(|&gate| operands(gate)) {
            *n_readers.entry(node).or_default() += 1;
        }
        // In reverse topological order, so that the readers of a gate come first.
        for gates in self.gates.iter().rev() {
            let is_read = gates
                .iter()
                .any(|gate| n_readers.get(gate).is_some_and(|&n| n > 0));
            let reads_others = operands(gates[0]).iter().any(|node| !inside.contains(node));
            if !is_read && reads_others {
                for gate in gates {
                    inside.remove(gate);
                    for node in operands(*gate) {
                        *n_readers.entry(node).or_default() -= 1;
                    }
                }
            }
        }
        self.gates.retain(|[one, _]| inside.contains(one));
        self.leaves.retain(|[one, _]| n_readers[one] > 0);
        self
    }

    /// How many bits go into and out of each of the two.
    pub(super) fn n_bits(&self) -> usize {
        self.leaves.len() + self.outputs.len()
    }

    /// Whether there are many gates for each bit.
    fn is_dense(&self, limits: &Limits) -> bool {
        self.gates.len() >= self.n_bits() * limits.gates_per_bit
    }
}

/// The pairs of blocks in the cone of a bad that are of interest; none if they are a small part of the model. `None` if
/// `poll` ends it.
pub(super) fn blocks(
    model: &Model,
    property: usize,
    limits: &Limits,
    poll: &mut Poll<'_>,
) -> Option<Vec<Block>> {
    let cone = SequentialCone::of_property_until(model, property, poll)?;
    let mut matching = Matching::new(model, property, &cone, limits.readers, poll)?;
    let mut blocks = Vec::new();
    for seed in matching.seeds(&cone, poll)? {
        poll.step()?;
        if matching.is_free(seed) {
            let mut block = matching.extended(seed, poll)?.without_border(&model.aig);
            poll.steps(block.gates.len())?;
            if block.gates.len() >= limits.least_gates {
                matching.add_outputs(&mut block);
                if block.is_dense(limits) && block.is_isomorphism(&model.aig) {
                    blocks.push(block);
                }
            }
        }
    }
    let n_gates: usize = blocks.iter().map(|block| 2 * block.gates.len()).sum();
    if n_gates < cone.ands.len() / limits.least_share {
        blocks.clear();
    }
    Some(blocks)
}

struct Matching<'a> {
    aig: &'a Aig,
    /// By node: the hash of its shape; leaves have `LEAF`.
    shapes: Vec<u64>,
    /// By node: the gates of the cone that read it, once for each operand.
    readers: Readers,
    /// By node: whether a latch of the cone, a constraint or the bad reads it.
    is_root: Vec<bool>,
    /// By node: whether it may be a gate of a block.
    is_inner: Vec<bool>,
    /// By node: its counterpart; leaves of the first block of a pair have the first one found.
    partner: Vec<NodeId>,
    /// By node: whether it is a gate of a block.
    is_taken: Vec<bool>,
    /// By node: whether the operands of it and its counterpart are matched.
    is_expanded: Vec<bool>,
}

const LEAF: u64 = 0x9E37_79B9_7F4A_7C15;
const NONE: NodeId = NodeId::MAX;

/// The gates that read each node, in one list.
struct Readers {
    starts: Vec<u32>,
    gates: Vec<NodeId>,
}

impl Readers {
    /// `None` if `poll` ends it.
    fn new(aig: &Aig, gates: &[NodeId], poll: &mut Poll<'_>) -> Option<Self> {
        let mut starts = vec![0_u32; aig.n_nodes() + 1];
        let mut each = |visit: &mut dyn FnMut(usize, NodeId)| {
            for &gate in gates {
                poll.step()?;
                if let Node::And(left, right) = aig.node(gate) {
                    visit(left.node() as usize, gate);
                    visit(right.node() as usize, gate);
                }
            }
            Some(())
        };
        each(&mut |node, _| starts[node + 1] += 1)?;
        for node in 1..starts.len() {
            starts[node] += starts[node - 1];
        }
        let mut next = starts.clone();
        let mut readers = vec![NONE; 2 * gates.len()];
        each(&mut |node, gate| {
            readers[next[node] as usize] = gate;
            next[node] += 1;
        })?;
        Some(Self {
            starts,
            gates: readers,
        })
    }

    fn of(&self, node: NodeId) -> &[NodeId] {
        let node = node as usize;
        &self.gates[self.starts[node] as usize..self.starts[node + 1] as usize]
    }
}

/// Mixes a number into a hash (the finaliser of splitmix64).
fn mixed(hash: u64) -> u64 {
    let hash = (hash ^ (hash >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let hash = (hash ^ (hash >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    hash ^ (hash >> 31)
}

impl<'a> Matching<'a> {
    /// `None` if `poll` ends it.
    fn new(
        model: &'a Model,
        property: usize,
        cone: &SequentialCone,
        many_readers: usize,
        poll: &mut Poll<'_>,
    ) -> Option<Self> {
        let aig = &model.aig;
        let n_nodes = aig.n_nodes();
        let readers = Readers::new(aig, &cone.ands, poll)?;
        let latches = cone.latches.iter();
        let nexts = latches.map(|&number| model.latches[number].next);
        let roots = nexts.chain(model.constraints.iter().copied());
        let mut is_root = vec![false; n_nodes];
        for root in roots.chain([model.bads[property]]) {
            is_root[root.node() as usize] = true;
        }
        let mut is_inner = vec![false; n_nodes];
        for &gate in &cone.ands {
            is_inner[gate as usize] = readers.of(gate).len() < many_readers;
        }
        let mut matching = Self {
            aig,
            shapes: vec![LEAF; n_nodes],
            readers,
            is_root,
            is_inner,
            partner: vec![NONE; n_nodes],
            is_taken: vec![false; n_nodes],
            is_expanded: vec![false; n_nodes],
        };
        for &gate in &cone.ands {
            poll.step()?;
            if matching.is_inner[gate as usize] {
                let [left, right] = matching.operands(gate).map(|edge| matching.signature(edge));
                let (low, high) = (left.min(right), left.max(right));
                matching.shapes[gate as usize] = mixed(mixed(low).wrapping_add(high));
            }
        }
        Some(matching)
    }

    fn operands(&self, gate: NodeId) -> [Edge; 2] {
        match self.aig.node(gate) {
            Node::And(left, right) => [left, right],
            _ => [Edge::FALSE; 2],
        }
    }

    /// What an operand looks like.
    fn signature(&self, edge: Edge) -> u64 {
        mixed(self.shapes[edge.node() as usize] ^ u64::from(edge.is_negated()))
    }

    /// Pairs of gates whose shape no third gate has, the last ones first. `None` if `poll` ends it.
    fn seeds(&self, cone: &SequentialCone, poll: &mut Poll<'_>) -> Option<Vec<[NodeId; 2]>> {
        let mut classes: HashMap<u64, (NodeId, NodeId, usize)> = HashMap::new();
        for &gate in cone
            .ands
            .iter()
            .filter(|&&gate| self.is_inner[gate as usize])
        {
            poll.step()?;
            let class = classes.entry(self.shapes[gate as usize]);
            let class = class.or_insert((gate, gate, 0));
            class.1 = gate;
            class.2 += 1;
        }
        let pairs = classes.into_values().filter(|&(_, _, size)| size == 2);
        let mut pairs: Vec<[NodeId; 2]> = pairs.map(|(one, two, _)| [one, two]).collect();
        pairs.sort_unstable_by_key(|&[_, two]| std::cmp::Reverse(two));
        Some(pairs)
    }

    /// Whether two gates can become a pair.
    fn is_free(&self, pair: [NodeId; 2]) -> bool {
        let is_free = |node: NodeId| {
            self.is_inner[node as usize]
                && !self.is_taken[node as usize]
                && self.partner[node as usize] == NONE
        };
        pair[0] != pair[1] && pair.into_iter().all(is_free)
    }

    fn take(&mut self, [one, two]: [NodeId; 2]) {
        self.partner[one as usize] = two;
        self.partner[two as usize] = one;
        self.is_taken[one as usize] = true;
        self.is_taken[two as usize] = true;
    }

    /// The block that is found from two gates on, without its outputs. `None` if `poll` ends it.
    fn extended(&mut self, seed: [NodeId; 2], poll: &mut Poll<'_>) -> Option<Block> {
        let mut block = Block::default();
        let mut leaves: HashSet<[NodeId; 2]> = HashSet::new();
        self.take(seed);
        // Pairs whose operands are to be matched, and those whose operands look the same: by an operand whose
        // counterpart will decide it, and in order, to be decided by that if by nothing else.
        let mut open = vec![seed];
        let mut waiting: HashMap<NodeId, Vec<[NodeId; 2]>> = HashMap::new();
        let mut later: VecDeque<[NodeId; 2]> = VecDeque::new();
        loop {
            poll.step()?;
            let (pair, must) = match (open.pop(), later.pop_front()) {
                (Some(pair), None) => (pair, false),
                (Some(pair), Some(first)) => {
                    later.push_front(first);
                    (pair, false)
                }
                (None, Some(pair)) => (pair, true),
                (None, None) => break,
            };
            if self.is_expanded[pair[0] as usize] {
                continue;
            }
            let Some(operands) = self.correspondence(pair, must) else {
                for operand in self.operands(pair[0]) {
                    waiting.entry(operand.node()).or_default().push(pair);
                }
                later.push_back(pair);
                continue;
            };
            self.is_expanded[pair[0] as usize] = true;
            block.gates.push(pair);
            for [one, two] in operands {
                if one == two || self.is_taken[one as usize] && self.partner[one as usize] == two {
                    continue;
                }
                if self.is_free([one, two])
                    && self.shapes[one as usize] == self.shapes[two as usize]
                {
                    self.take([one, two]);
                    open.push([one, two]);
                } else {
                    leaves.insert([one, two]);
                    if self.is_inner[one as usize] || self.partner[one as usize] != NONE {
                        continue;
                    }
                    self.partner[one as usize] = two;
                }
                open.extend(waiting.remove(&one).into_iter().flatten());
            }
            if let Some(above) = self.readers_alike(pair) {
                self.take(above);
                open.push(above);
                open.extend(waiting.remove(&above[0]).into_iter().flatten());
            }
        }
        for &[one, _] in &leaves {
            if !self.is_taken[one as usize] {
                self.partner[one as usize] = NONE;
            }
        }
        block.gates.sort_unstable();
        block.leaves = leaves.into_iter().collect();
        block.leaves.sort_unstable();
        Some(block)
    }

    /// Which operands of two gates correspond to each other. `None` if both ways are possible and nothing is
    /// known about them, unless it `must` be one.
    fn correspondence(&self, pair: [NodeId; 2], must: bool) -> Option<[[NodeId; 2]; 2]> {
        let [[a, b], [c, d]] = pair.map(|gate| self.operands(gate));
        let straight = [[a.node(), c.node()], [b.node(), d.node()]];
        let crossed = [[a.node(), d.node()], [b.node(), c.node()]];
        let [left, right] = [a, b].map(|edge| self.signature(edge));
        let [other_left, _] = [c, d].map(|edge| self.signature(edge));
        if left != right {
            return Some(if left == other_left {
                straight
            } else {
                crossed
            });
        }
        let knows = |pairs: [[NodeId; 2]; 2]| {
            (pairs.into_iter()).any(|[one, two]| one == two || self.partner[one as usize] == two)
        };
        match (knows(straight), knows(crossed)) {
            (true, false) => Some(straight),
            (false, true) => Some(crossed),
            _ => must.then_some(straight),
        }
    }

    /// Gates that read the two of a pair, and whose looks no other reader has.
    fn readers_alike(&self, pair: [NodeId; 2]) -> Option<[NodeId; 2]> {
        let [first, second] = pair.map(|gate| self.readers.of(gate));
        let is_only = |gate: NodeId, all: &[NodeId]| {
            let shape = self.shapes[gate as usize];
            all.iter()
                .filter(|&&other| self.shapes[other as usize] == shape)
                .count()
                == 1
        };
        let mut candidates = first.iter().filter_map(|&one| {
            let shape = self.shapes[one as usize];
            let two = *second
                .iter()
                .find(|&&two| self.shapes[two as usize] == shape)?;
            let alone = is_only(one, first) && is_only(two, second);
            (alone && self.is_free([one, two]) && self.fits([one, two])).then_some([one, two])
        });
        candidates.next()
    }

    /// Whether the operands of two gates may be pairs.
    fn fits(&self, pair: [NodeId; 2]) -> bool {
        let Some(operands) = self.correspondence(pair, true) else {
            return false;
        };
        operands.into_iter().all(|[one, two]| {
            let known = self.partner[one as usize];
            one == two || known == two || known == NONE && self.partner[two as usize] == NONE
        })
    }

    /// The gates of a block that are read by others than its own, or by latches, bads and constraints.
    fn add_outputs(&self, block: &mut Block) {
        let sides: Vec<HashSet<NodeId>> = (0..2)
            .map(|side| block.gates.iter().map(|gates| gates[side]).collect())
            .collect();
        let is_output = |node: NodeId, side: usize| {
            let readers = self.readers.of(node).iter();
            self.is_root[node as usize] || { readers }.any(|reader| !sides[side].contains(reader))
        };
        let gates = block.gates.iter().copied();
        let outputs = gates.filter(|&[one, two]| is_output(one, 0) || is_output(two, 1));
        block.outputs = outputs.collect();
    }
}
