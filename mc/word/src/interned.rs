//! The table of an arena: the term with a head and a sort.

use hashbrown::HashTable;

use super::term::{Node, Term};

/// Finds terms by their heads, which stay in the arena: an entry has four bytes.
#[derive(Clone, Default)]
pub(super) struct Interned {
    terms: HashTable<Term>,
}

impl Interned {
    /// The term that has this head and this code of a sort in the arena of these heads and codes.
    #[inline]
    pub(super) fn find(&self, nodes: &[Node], sorts: &[u32], key: (Node, u32)) -> Option<Term> {
        let is_equal = |term: &Term| (nodes[term.index()], sorts[term.index()]) == key;
        self.terms.find(hash(key), is_equal).copied()
    }

    /// Adds a term, whose head is in the arena already. No other term has its head and sort.
    pub(super) fn insert(&mut self, nodes: &[Node], sorts: &[u32], term: Term) {
        let of = |term: &Term| hash((nodes[term.index()], sorts[term.index()]));
        self.terms.insert_unique(of(&term), term, of);
    }
}

/// Mixes a number into a hash: multiplication by an odd constant is a bijection, and the rotation brings its high bits down.
#[inline]
fn mix(hash: u64, number: u64) -> u64 {
    (hash.rotate_left(26) ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// The hash of a head and a sort. Both halves of it depend on all operands: the table takes buckets from the low bits, and
/// compares the high ones.
#[inline]
fn hash((node, code): (Node, u32)) -> u64 {
    let pair = |high: Term, low: Term| (high.index() as u64) << 32 | low.index() as u64;
    let one = |term: Term| term.index() as u64;
    let (kind, first, second) = match node {
        Node::Const(value) => (0, value as u64, (value >> 64) as u64),
        Node::Wide(id) => (1, u64::from(id.number()), 0),
        Node::Var(number) => (2, u64::from(number), 0),
        Node::Not(a) => (3, one(a), 0),
        Node::Binary(op, a, b) => (4 | (op as u64) << 8, pair(a, b), 0),
        Node::Ite(condition, a, b) => (5, pair(a, b), one(condition)),
        Node::Concat(high, low) => (6, pair(high, low), 0),
        Node::Extract(a, low) => (7, one(a), u64::from(low)),
        Node::ZExt(a) => (8, one(a), 0),
        Node::SExt(a) => (9, one(a), 0),
        Node::Select(array, index) => (10, pair(array, index), 0),
        Node::Store(array, index, element) => (11, pair(array, index), one(element)),
        Node::ConstArray(element) => (12, one(element), 0),
    };
    let hash = mix(mix(mix(u64::from(code), kind), first), second);
    hash ^ hash >> 32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Op, Terms};
    use std::collections::HashSet;

    /// Every head is one term, in a clone as well, and no term is another's.
    #[test]
    fn equal_heads_are_one_term() {
        let mut terms = Terms::new();
        let made = |terms: &mut Terms| -> Vec<Term> {
            let mut all: Vec<Term> = (0..300).map(|value| terms.constant(value, 16)).collect();
            let variables: Vec<Term> = all.clone();
            for (index, &a) in variables.iter().enumerate() {
                let wide = terms.zext(a, 200);
                all.extend([wide, terms.extract(a, index as u32 % 9, 7)]);
            }
            all
        };
        let first = made(&mut terms);
        let n_terms = terms.n_terms();
        let mut copy = terms.clone();
        assert_eq!(made(&mut terms), first);
        assert_eq!(made(&mut copy), first);
        assert_eq!((terms.n_terms(), copy.n_terms()), (n_terms, n_terms));
    }

    /// Heads as an arena has them spread over the buckets: few share the low bits, or the seven high ones, of their hashes.
    #[test]
    fn hashes_of_neighbours_are_apart() {
        let mut hashes = Vec::new();
        for a in 0..64 {
            for b in 0..64 {
                let (a, b) = (Term(a), Term(b));
                hashes.push(hash((Node::Binary(Op::Add, a, b), 32)));
                hashes.push(hash((Node::Ite(Term(7), a, b), 32)));
                hashes.push(hash((Node::Extract(a, b.0), 8)));
                hashes.push(hash((Node::Const(u128::from(a.0 << 6 | b.0)), 32)));
            }
        }
        let n = hashes.len();
        let low: HashSet<u64> = hashes.iter().map(|hash| hash & 0xffff).collect();
        // Of 2^14 random values of 16 bits, 14,500 differ on average.
        assert!(low.len() > n * 4 / 5, "{} of {n}", low.len());
        let high: HashSet<u64> = hashes.iter().map(|hash| hash >> 57).collect();
        assert_eq!(high.len(), 128);
    }
}
