//! Arrays as bits, word by word.
//!
//! An array is a tree of writes above the words of a *root*: a state, an input, a constant array, or an
//! array that
//! had to be built. A choice between two arrays with one root is the writes of both, under the condition and
//! its
//! negation: memories whose writes are enabled by `ite` get no multiplexers of whole memories.

use std::collections::HashMap;
use std::rc::Rc;

use craig_aig::{Aig, Edge};

/// A position in [`Arrays::nodes`].
pub(super) type ArrayId = u32;

/// Bits that are shared: an address, an element, or all words of an array.
type Bits = Rc<[Edge]>;

/// A choice with more writes than this builds both arrays.
const MOST_WRITES: usize = 32;

/// The widths of indices and elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Widths {
    pub(super) index: u32,
    pub(super) element: u32,
}

impl Widths {
    /// The number of bits of the array.
    pub(super) fn n_bits(self) -> u64 {
        match self.index {
            0..32 => u64::from(self.element) << self.index,
            _ => u64::MAX,
        }
    }
}

enum ArrayNode {
    /// All words in order, lowest bit first.
    Root(Bits),
    /// A write that takes place if the guard holds.
    Write {
        parent: ArrayId,
        /// The number of writes down to the root, this one included.
        depth: u32,
        root: ArrayId,
        guard: Edge,
        index: Bits,
        value: Bits,
    },
}

/// The arrays of a system.
#[derive(Default)]
pub(super) struct Arrays {
    nodes: Vec<ArrayNode>,
    /// The words of nodes that are no roots and had to be built.
    built: HashMap<ArrayId, Bits>,
    /// For each address, whether it is the number of each word.
    decoders: HashMap<Bits, Bits>,
    /// The elements that were read from built words.
    reads: HashMap<(ArrayId, Bits), Bits>,
}

impl Arrays {
    /// An array with these words.
    pub(super) fn root(&mut self, words: Vec<Edge>) -> ArrayId {
        self.push(ArrayNode::Root(words.into()))
    }

    fn push(&mut self, node: ArrayNode) -> ArrayId {
        self.nodes.push(node);
        (self.nodes.len() - 1) as ArrayId
    }

    fn depth(&self, array: ArrayId) -> u32 {
        match self.nodes[array as usize] {
            ArrayNode::Root(_) => 0,
            ArrayNode::Write { depth, .. } => depth,
        }
    }

    fn root_of(&self, array: ArrayId) -> ArrayId {
        match self.nodes[array as usize] {
            ArrayNode::Root(_) => array,
            ArrayNode::Write { root, .. } => root,
        }
    }

    fn parent(&self, array: ArrayId) -> ArrayId {
        match self.nodes[array as usize] {
            ArrayNode::Root(_) => array,
            ArrayNode::Write { parent, .. } => parent,
        }
    }

    /// The array with an element replaced, if the guard holds.
    pub(super) fn write(
        &mut self,
        parent: ArrayId,
        guard: Edge,
        index: Bits,
        value: Bits,
    ) -> ArrayId {
        if guard == Edge::FALSE {
            return parent;
        }
        self.push(ArrayNode::Write {
            parent,
            depth: self.depth(parent) + 1,
            root: self.root_of(parent),
            guard,
            index,
            value,
        })
    }

    /// The writes between an array and one of its ancestors, the last first.
    fn writes(&self, mut array: ArrayId, ancestor: ArrayId) -> Vec<ArrayId> {
        let mut writes = Vec::new();
        while array != ancestor {
            writes.push(array);
            array = self.parent(array);
        }
        writes
    }

    /// A choice.
    pub(super) fn ite(
        &mut self,
        aig: &mut Aig,
        condition: Edge,
        then: ArrayId,
        otherwise: ArrayId,
        widths: Widths,
    ) -> ArrayId {
        if then == otherwise || condition == Edge::TRUE {
            return then;
        }
        if condition == Edge::FALSE {
            return otherwise;
        }
        if self.root_of(then) == self.root_of(otherwise) {
            let (mut left, mut right) = (then, otherwise);
            while left != right {
                match self.depth(left) >= self.depth(right) {
                    true => left = self.parent(left),
                    false => right = self.parent(right),
                }
            }
            let parts = [(then, condition), (otherwise, !condition)];
            let parts = parts.map(|(array, when)| (self.writes(array, left), when));
            if parts.iter().map(|(writes, _)| writes.len()).sum::<usize>() <= MOST_WRITES {
                let mut array = left;
                for (writes, when) in parts {
                    for write in writes.into_iter().rev() {
                        if let ArrayNode::Write {
                            guard,
                            index,
                            value,
                            ..
                        } = &self.nodes[write as usize]
                        {
                            let guard = aig.and(*guard, when);
                            let (index, value) = (Rc::clone(index), Rc::clone(value));
                            array = self.write(array, guard, index, value);
                        }
                    }
                }
                return array;
            }
        }
        let then = self.words(aig, then, widths);
        let otherwise = self.words(aig, otherwise, widths);
        let pairs = then.iter().zip(otherwise.iter());
        let words = pairs.map(|(&then, &otherwise)| choose(aig, condition, then, otherwise));
        let words = words.collect();
        self.root(words)
    }

    /// For each word, whether it is at the address.
    fn decoder(&mut self, aig: &mut Aig, index: &Bits) -> Bits {
        if let Some(decoder) = self.decoders.get(index) {
            return Rc::clone(decoder);
        }
        let mut lines = vec![Edge::TRUE];
        for &bit in index.iter() {
            let ones: Vec<Edge> = lines.iter().map(|&line| aig.and(line, bit)).collect();
            for line in &mut lines {
                *line = aig.and(*line, !bit);
            }
            lines.extend(ones);
        }
        let lines: Bits = lines.into();
        self.decoders.insert(Rc::clone(index), Rc::clone(&lines));
        lines
    }

    /// All words of an array.
    pub(super) fn words(&mut self, aig: &mut Aig, array: ArrayId, widths: Widths) -> Bits {
        if let ArrayNode::Root(words) = &self.nodes[array as usize] {
            return Rc::clone(words);
        }
        if let Some(words) = self.built.get(&array) {
            return Rc::clone(words);
        }
        // The closest ancestor whose words are there.
        let mut from = array;
        let mut base = None;
        while base.is_none() {
            from = self.parent(from);
            base = match &self.nodes[from as usize] {
                ArrayNode::Root(words) => Some(Rc::clone(words)),
                ArrayNode::Write { .. } => self.built.get(&from).map(Rc::clone),
            };
        }
        let mut words: Vec<Edge> = base.map_or_else(Vec::new, |words| words.to_vec());
        let element = widths.element as usize;
        for write in self.writes(array, from).into_iter().rev() {
            let ArrayNode::Write {
                guard,
                index,
                value,
                ..
            } = &self.nodes[write as usize]
            else {
                continue;
            };
            let (guard, index, value) = (*guard, Rc::clone(index), Rc::clone(value));
            let decoder = self.decoder(aig, &index);
            for (word, &line) in words.chunks_exact_mut(element).zip(decoder.iter()) {
                let is_written = aig.and(guard, line);
                if is_written == Edge::FALSE {
                    continue;
                }
                for (bit, &value) in word.iter_mut().zip(value.iter()) {
                    *bit = choose(aig, is_written, value, *bit);
                }
            }
        }
        let words: Bits = words.into();
        self.built.insert(array, Rc::clone(&words));
        words
    }

    /// The element at an address.
    pub(super) fn read(
        &mut self,
        aig: &mut Aig,
        array: ArrayId,
        index: &Bits,
        widths: Widths,
    ) -> Bits {
        let writes = self.writes(array, self.root_of(array));
        let per_write = u64::from(widths.index + widths.element);
        let is_short = (writes.len() as u64).saturating_mul(per_write) <= widths.n_bits();
        if !is_short {
            return self.read_words(aig, array, index, widths);
        }
        let root = self.root_of(array);
        let mut element = self.read_words(aig, root, index, widths);
        for write in writes.into_iter().rev() {
            let ArrayNode::Write {
                guard,
                index: at,
                value,
                ..
            } = &self.nodes[write as usize]
            else {
                continue;
            };
            let same = at
                .iter()
                .zip(index.iter())
                .map(|(&left, &right)| aig.iff(left, right));
            let same: Vec<Edge> = same.collect();
            let same = aig.and_all(same);
            let hit = aig.and(*guard, same);
            let pairs = value.iter().zip(element.iter());
            element = pairs
                .map(|(&value, &old)| choose(aig, hit, value, old))
                .collect();
        }
        element
    }

    /// The element at an address, by multiplexers of all words.
    fn read_words(&mut self, aig: &mut Aig, array: ArrayId, index: &Bits, widths: Widths) -> Bits {
        let key = (array, Rc::clone(index));
        if let Some(element) = self.reads.get(&key) {
            return Rc::clone(element);
        }
        let element = widths.element as usize;
        let mut words = self.words(aig, array, widths).to_vec();
        for &bit in index.iter() {
            let pairs = words.chunks_exact(2 * element);
            let chosen = pairs.flat_map(|pair| {
                let (zero, one) = pair.split_at(element);
                let bits = zero.iter().zip(one);
                bits.map(|(&zero, &one)| choose(aig, bit, one, zero))
                    .collect::<Vec<Edge>>()
            });
            words = chosen.collect();
        }
        let element: Bits = words.into();
        self.reads.insert(key, Rc::clone(&element));
        element
    }

    /// Whether two arrays have the same words.
    pub(super) fn equal(
        &mut self,
        aig: &mut Aig,
        left: ArrayId,
        right: ArrayId,
        widths: Widths,
    ) -> Edge {
        let left = self.words(aig, left, widths);
        let right = self.words(aig, right, widths);
        let pairs = left.iter().zip(right.iter());
        let same: Vec<Edge> = pairs.map(|(&left, &right)| aig.iff(left, right)).collect();
        aig.and_all(same)
    }
}

/// A choice between two bits; no gates if they are equal.
pub(super) fn choose(aig: &mut Aig, condition: Edge, then: Edge, otherwise: Edge) -> Edge {
    match then == otherwise {
        true => then,
        false => aig.ite(condition, then, otherwise),
    }
}
