//! The arena of terms.

use std::collections::HashMap;

use hashbrown::HashTable;

use super::bit_vector::{BitVector, NARROW};
use super::machine::mask;
use super::op::Op;

/// The maximal width of a term.
pub const MAX_WIDTH: u32 = (1 << 31) - 1;

/// A term: an index into [`Terms`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(transparent)]
pub struct Term(pub(super) u32);

impl Term {
    /// The term's number, to index tables by.
    #[inline]
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The set of values of a term.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sort {
    /// Bit-vectors of a width.
    BitVector(u32),
    /// Functions from bit-vectors to bit-vectors.
    Array {
        /// The width of indices.
        index: u32,
        /// The width of elements.
        element: u32,
    },
}

/// A constant of more than 128 bits: a position in a table of [`Terms`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct WideId(u32);

/// A term's head and operands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// A constant of at most 128 bits; the value has no bits beyond the width.
    Const(u128),
    /// A constant of more than 128 bits; [`Terms::constant_bits`] has the value.
    Wide(WideId),
    /// A free variable, with its number.
    Var(u32),
    /// Bitwise negation.
    Not(Term),
    /// A binary operator.
    Binary(Op, Term, Term),
    /// The second operand where the first (of width 1) is true, else the third.
    Ite(Term, Term, Term),
    /// High part, low part.
    Concat(Term, Term),
    /// The bits from the given position upwards, as many as the term's width.
    Extract(Term, u32),
    /// Zero extension.
    ZExt(Term),
    /// Sign extension.
    SExt(Term),
    /// The element of an array at an index.
    Select(Term, Term),
    /// An array, an index, and the element stored there.
    Store(Term, Term, Term),
    /// The array that has this element at every index.
    ConstArray(Term),
}

/// The least and the greatest number of a word without sign.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Bounds {
    pub(super) low: u64,
    pub(super) high: u64,
}

/// A term, the lowest bit, and the number of bits.
pub(super) type Slice = (Term, u32, u32);

/// A hash-consed arena of terms.
#[derive(Clone, Default)]
pub struct Terms {
    nodes: Vec<Node>,
    /// The width of each term; of an array, [`ARRAY`] and the position of its sort in `array_sorts`.
    sorts: Vec<u32>,
    /// The bounds of each term; of an array, and of a word of more than 64 bits, no meaning.
    pub(super) bounds: Vec<Bounds>,
    array_sorts: Vec<(u32, u32)>,
    /// Finds a term by its head and the code of its sort, which stay in `nodes` and `sorts`: an entry has four bytes.
    table: HashTable<Term>,
    wide: Vec<BitVector>,
    wide_table: HashMap<BitVector, WideId>,
    n_vars: u32,
    /// What some bits of operations are made of.
    pub(super) slices: HashMap<Slice, Term>,
}

/// Marks the sort of an array.
const ARRAY: u32 = 1 << 31;

impl Terms {
    /// The empty arena.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// How many terms there are.
    #[must_use]
    pub fn n_terms(&self) -> usize {
        self.nodes.len()
    }

    /// All terms; operands come before the terms that use them.
    pub fn all(&self) -> impl Iterator<Item = Term> + use<> {
        (0..self.nodes.len() as u32).map(Term)
    }

    /// How many variables there are.
    #[must_use]
    pub fn n_vars(&self) -> usize {
        self.n_vars as usize
    }

    /// The head of a term.
    #[inline]
    #[must_use]
    pub fn node(&self, term: Term) -> Node {
        self.nodes[term.index()]
    }

    /// The width of a term, in bits.
    ///
    /// # Panics
    /// If the term is an array.
    #[inline]
    #[must_use]
    pub fn width(&self, term: Term) -> u32 {
        let sort = self.sorts[term.index()];
        assert!(sort & ARRAY == 0, "an array has no width");
        sort
    }

    /// The sort of a term.
    #[must_use]
    pub fn sort(&self, term: Term) -> Sort {
        let sort = self.sorts[term.index()];
        if sort & ARRAY == 0 {
            return Sort::BitVector(sort);
        }
        let (index, element) = self.array_sorts[(sort & !ARRAY) as usize];
        Sort::Array { index, element }
    }

    /// Whether a term is an array.
    #[inline]
    #[must_use]
    pub fn is_array(&self, term: Term) -> bool {
        self.sorts[term.index()] & ARRAY != 0
    }

    /// The value of a constant of at most 128 bits.
    #[inline]
    #[must_use]
    pub fn constant_value(&self, term: Term) -> Option<u128> {
        match self.node(term) {
            Node::Const(value) => Some(value),
            _ => None,
        }
    }

    /// The value of a constant of any width.
    #[must_use]
    pub fn constant_bits(&self, term: Term) -> Option<BitVector> {
        match self.node(term) {
            Node::Const(value) => Some(BitVector::new(value, self.width(term))),
            Node::Wide(id) => Some(self.wide[id.0 as usize].clone()),
            _ => None,
        }
    }

    /// Whether the term is a constant bit-vector.
    #[inline]
    #[must_use]
    pub fn is_constant(&self, term: Term) -> bool {
        matches!(self.node(term), Node::Const(_) | Node::Wide(_))
    }

    /// A constant; bits beyond the width are dropped.
    pub fn constant(&mut self, value: u128, width: u32) -> Term {
        if width > NARROW {
            return self.bit_vector(&BitVector::new(value, width));
        }
        self.intern(Node::Const(value & mask(width)), width)
    }

    /// A constant of any width.
    pub fn bit_vector(&mut self, value: &BitVector) -> Term {
        let width = value.width();
        if width <= NARROW {
            return self.constant(value.to_u128().unwrap_or_default(), width);
        }
        let id = match self.wide_table.get(value) {
            Some(&id) => id,
            None => {
                let id = WideId(self.wide.len() as u32);
                self.wide.push(value.clone());
                self.wide_table.insert(value.clone(), id);
                id
            }
        };
        self.intern(Node::Wide(id), width)
    }

    /// A truth value.
    pub fn boolean(&mut self, value: bool) -> Term {
        self.constant(u128::from(value), 1)
    }

    /// A fresh variable.
    pub fn variable(&mut self, width: u32) -> Term {
        let number = self.n_vars;
        self.n_vars += 1;
        self.intern(Node::Var(number), width)
    }

    /// A fresh variable of any sort.
    pub fn variable_of(&mut self, sort: Sort) -> Term {
        let code = self.code(sort);
        let number = self.n_vars;
        self.n_vars += 1;
        self.intern_code(Node::Var(number), code)
    }

    /// Whether the term is the constant true.
    #[must_use]
    pub fn is_true(&self, term: Term) -> bool {
        self.node(term) == Node::Const(1) && self.width(term) == 1
    }

    /// Whether the term is the constant 0.
    #[must_use]
    pub fn is_zero(&self, term: Term) -> bool {
        match self.node(term) {
            Node::Const(value) => value == 0,
            Node::Wide(id) => self.wide[id.0 as usize].is_zero(),
            _ => false,
        }
    }

    /// The number of a sort.
    fn code(&mut self, sort: Sort) -> u32 {
        let check = |width: u32| {
            assert!(
                (1..=MAX_WIDTH).contains(&width),
                "a term has 1 to {MAX_WIDTH} bits, not {width}"
            );
            width
        };
        match sort {
            Sort::BitVector(width) => check(width),
            Sort::Array { index, element } => {
                let sort = (check(index), check(element));
                let position = self.array_sorts.iter().position(|&own| own == sort);
                let position = position.unwrap_or_else(|| {
                    self.array_sorts.push(sort);
                    self.array_sorts.len() - 1
                });
                ARRAY | position as u32
            }
        }
    }

    /// The term with a head and a width. If it or an operand is wide and all operands are constants, it is
    /// folded to a constant; narrow terms are folded in their constructors.
    pub(super) fn intern(&mut self, node: Node, width: u32) -> Term {
        let code = self.code(Sort::BitVector(width));
        if let Some(term) = self.find((node, code)) {
            return term;
        }
        match self.fold_wide(node, width) {
            Some(value) => self.bit_vector(&value),
            None => self.push(node, code),
        }
    }

    /// The array with a head.
    pub(super) fn intern_array(&mut self, node: Node, sort: Sort) -> Term {
        let code = self.code(sort);
        self.intern_code(node, code)
    }

    fn intern_code(&mut self, node: Node, code: u32) -> Term {
        match self.find((node, code)) {
            Some(term) => term,
            None => self.push(node, code),
        }
    }

    /// The term with this head and this code of a sort.
    #[inline]
    fn find(&self, key: (Node, u32)) -> Option<Term> {
        let is_equal = |term: &Term| (self.nodes[term.index()], self.sorts[term.index()]) == key;
        self.table.find(hash(key), is_equal).copied()
    }

    /// Adds a term; no other one has its head and sort.
    fn push(&mut self, node: Node, code: u32) -> Term {
        let term = Term(u32::try_from(self.nodes.len()).expect("at most 2^32 terms"));
        let width = if code & ARRAY == 0 { code } else { u32::MAX };
        let bounds = self.bounds_of(node, width);
        self.nodes.push(node);
        self.sorts.push(code);
        self.bounds.push(bounds);
        let (nodes, sorts) = (&self.nodes, &self.sorts);
        let of = |term: &Term| hash((nodes[term.index()], sorts[term.index()]));
        self.table.insert_unique(of(&term), term, of);
        term
    }

    /// The value of a head whose operands are constants, if it or one of them is wide.
    fn fold_wide(&self, node: Node, width: u32) -> Option<BitVector> {
        let is_wide = |term: Term| !self.is_array(term) && self.width(term) > NARROW;
        let of = |term: Term| self.constant_bits(term);
        match node {
            Node::Binary(op, a, b) if is_wide(a) => Some(BitVector::binary(op, &of(a)?, &of(b)?)),
            Node::Extract(a, low) if is_wide(a) => Some(of(a)?.extract(low, width)),
            Node::Not(a) if width > NARROW => Some(of(a)?.not()),
            Node::Concat(high, low) if width > NARROW => Some(of(high)?.concat(&of(low)?)),
            Node::ZExt(a) if width > NARROW => Some(of(a)?.zext(width)),
            Node::SExt(a) if width > NARROW => Some(of(a)?.sext(width)),
            _ => None,
        }
    }

    /// Calls `visit` for every operand of a term.
    pub fn operands(&self, term: Term, mut visit: impl FnMut(Term)) {
        match self.node(term) {
            Node::Const(_) | Node::Wide(_) | Node::Var(_) => {}
            Node::Not(a)
            | Node::Extract(a, _)
            | Node::ZExt(a)
            | Node::SExt(a)
            | Node::ConstArray(a) => visit(a),
            Node::Binary(_, a, b) | Node::Concat(a, b) | Node::Select(a, b) => {
                visit(a);
                visit(b);
            }
            Node::Ite(a, b, c) | Node::Store(a, b, c) => {
                visit(a);
                visit(b);
                visit(c);
            }
        }
    }

    /// The subterms of the roots, operands first, the roots included. Terms for which `known` holds are
    /// omitted, and so are those that only they use.
    #[must_use]
    pub fn cone(&self, roots: &[Term], mut known: impl FnMut(Term) -> bool) -> Vec<Term> {
        let mut seen = std::collections::HashSet::new();
        let mut stack = roots.to_vec();
        let mut cone = Vec::new();
        while let Some(term) = stack.pop() {
            if known(term) || !seen.insert(term) {
                continue;
            }
            cone.push(term);
            self.operands(term, |operand| stack.push(operand));
        }
        cone.sort_unstable();
        cone
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
        Node::Wide(id) => (1, u64::from(id.0), 0),
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
