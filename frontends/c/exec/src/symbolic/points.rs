//! The objects that a word may point to, as far as its term determines them.

use craig_c_lang::address_space::{AddressSpace, ObjectId};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use craig_word::{Node, Op, Term, Terms};

use super::choices::leaves;

/// The possible targets of a word, as far as its term determines them.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Points {
    /// The objects.
    pub objects: BTreeSet<ObjectId>,
    /// Bits of constants, of comparisons or of addresses are in it, wherever they are.
    pub(crate) bits: bool,
    /// Such bits may be where those of an address are that say which object it is of: put together, they may
    /// be one.
    pub(crate) pieces: bool,
    /// It is what addresses are apart, by subtraction or bit by bit: one when it is put to an address.
    pub(crate) difference: bool,
    /// A constant that would keep a part of a page number, if it were a mask, may be the word.
    pub(crate) mixed: bool,
    /// It was computed from addresses in a way that is not followed.
    pub unknown: bool,
    /// An input of the program is in it.
    pub(crate) input: bool,
}

impl Points {
    /// Of words of which each may be taken.
    pub fn join(&mut self, other: &Self) {
        let is_one_put_together =
            self.objects.is_empty() && self.pieces && !other.objects.is_empty()
                || other.objects.is_empty() && other.pieces && !self.objects.is_empty();
        self.unknown |= is_one_put_together;
        self.combine(other);
    }

    /// Of words that something is computed from. An address and another word are one with an index.
    fn combine(&mut self, other: &Self) {
        self.objects.extend(&other.objects);
        self.bits |= other.bits;
        self.difference |= other.difference;
        self.pieces |= other.pieces;
        self.mixed |= other.mixed;
        self.unknown |= other.unknown;
        self.input |= other.input;
    }

    /// Says how the two operands go together whose points have been combined.
    fn put(&mut self, op: Op, a: &Self, b: &Self) {
        let (first, second) = (!a.objects.is_empty(), !b.objects.is_empty());
        match op {
            // The bits of one page are those of the other, or there is only one.
            Op::And => {
                self.unknown |= first && second && (a.objects != b.objects || a.objects.len() > 1);
                // A page number of which bits are cleared, or set if both words are complements, is another.
                let may_be_page =
                    |points: &Self, has_object| has_object || points.mixed || points.pieces;
                self.unknown |=
                    a.mixed && may_be_page(b, second) || b.mixed && may_be_page(a, first);
            }
            Op::Sub if second && !b.difference => self.difference = true,
            Op::Add if first && second && !a.difference && !b.difference => self.unknown = true,
            Op::Xor if first && second && !a.difference && !b.difference => self.difference = true,
            _ if first && second => self.difference = a.difference && b.difference,
            _ => {}
        }
    }

    /// Whether it is not known where an access through the word goes.
    pub(crate) fn is_lost(&self) -> bool {
        self.unknown || self.difference || self.objects.is_empty() && self.pieces
    }

    /// Whether the word is no address, as far as is known: it can only be a distance in pointer arithmetic.
    fn is_distance(&self) -> bool {
        self.objects.is_empty() && !self.unknown && !self.difference
    }

    /// Whether an address may be among what the word was computed from.
    fn has_bits(&self) -> bool {
        self.bits || self.unknown || !self.objects.is_empty()
    }
}

/// A term as the upper bits of a word, with the number of bits below it. A sum with known lower bits is
/// simplified to its upper bits; the targets of the word are then determined by the upper bits alone.
type Placed = (Term, u32);

/// Sums whose targets depend on those of more terms keep the targets that their form shows.
const MAX_DEPENDENCIES: usize = 4096;

/// Computes the targets of terms.
#[derive(Default)]
pub struct PointsTo {
    /// The targets of variables of the state.
    pub variables: HashMap<Term, Points>,
    /// Sums by pointer arithmetic, with the operand that is the pointer. It has no targets, and what is added may
    /// look like a part of an address, but the object is that of the pointer.
    moved: HashMap<Term, Term>,
    /// Other sums by pointer arithmetic, with the pointer, whose targets they have, whatever was added
    /// (C11 6.5.6p8). No chain of these leads back to its start.
    within: HashMap<Term, Term>,
    /// Sums by arithmetic on integers.
    added: HashSet<Term>,
    /// What an address became by a sum or a difference, and the constant in it, with the objects of the address. The
    /// constant of `s + n - 1` is an address in front of the object, where another one may be, or none.
    kept: HashMap<Placed, BTreeSet<ObjectId>>,
    /// Words narrower than an address that a specification makes arbitrary: several may be any address.
    arbitrary: HashSet<Term>,
    found: HashMap<Placed, Arc<Points>>,
}

impl PointsTo {
    pub fn forget(&mut self) {
        self.found.clear();
    }

    /// Adds targets to the free words of a term. Returns whether that changes anything.
    pub(crate) fn may_point(
        &mut self,
        terms: &Terms,
        space: &AddressSpace,
        term: Term,
        points: &Points,
    ) -> bool {
        let mut changed = false;
        for part in terms.cone(&[term], |_| false) {
            if matches!(terms.node(part), Node::Var(_)) && terms.width(part) >= space.width {
                let known = self.variables.entry(part).or_default();
                let before = known.clone();
                known.join(points);
                changed |= *known != before;
            }
        }
        if changed {
            self.forget();
        }
        changed
    }

    /// Notes that a free word narrower than an address is arbitrary.
    pub(crate) fn is_arbitrary(&mut self, word: Term) {
        self.arbitrary.insert(word);
    }

    /// Whether what is kept in memory as a term may be a piece of any address: arbitrary words, chosen and put together.
    pub(crate) fn holds_arbitrary(&self, terms: &Terms, term: Term) -> bool {
        if self.arbitrary.is_empty() {
            return false;
        }
        let (mut stack, mut seen) = (vec![term], HashSet::new());
        while let Some(at) = stack.pop() {
            if !seen.insert(at) {
                continue;
            }
            match terms.node(at) {
                Node::Var(_) if self.arbitrary.contains(&at) => return true,
                Node::Ite(_, a, b) | Node::Concat(a, b) => stack.extend([a, b]),
                Node::Extract(a, _) => stack.push(a),
                _ => {}
            }
        }
        false
    }

    /// Notes that a free word is an input. No term with it has been asked about since targets were removed.
    pub(crate) fn is_input(&mut self, word: Term) {
        self.variables.entry(word).or_default().input = true;
    }

    /// Notes that pointer arithmetic has computed a sum. Only pointers that have no targets need this: others keep
    /// them. Such a pointer has none after it either (C11 6.5.6p8).
    pub(crate) fn is_moved(
        &mut self,
        terms: &Terms,
        space: &AddressSpace,
        pointer: Term,
        sum: Term,
    ) {
        if self.keeps_targets(terms, space, pointer, sum) {
            return;
        }
        let (pointer, sum) = (
            without_constant(terms, pointer),
            without_constant(terms, sum),
        );
        let Node::Binary(Op::Add, a, b) = terms.node(sum) else {
            return;
        };
        let distance = match pointer {
            _ if pointer == a => b,
            _ if pointer == b => a,
            _ => return,
        };
        let of_sum = self.of(terms, space, sum);
        let is_known = self.moved.contains_key(&sum) || self.added.contains(&sum);
        if is_known || !of_sum.is_lost() || !of_sum.objects.is_empty() {
            return;
        }
        let of_pointer = self.of(terms, space, pointer);
        let nothing = Points {
            input: of_pointer.input,
            bits: of_pointer.bits,
            ..Points::default()
        };
        let is_free = *of_pointer == nothing && leaves(terms, pointer).is_none();
        let of_distance = self.of(terms, space, distance);
        if is_free && of_distance.is_distance() {
            self.moved.insert(sum, pointer);
            self.forget();
        }
    }

    /// Notes a sum that has the targets of a pointer, if its form does not show them. Returns whether that is so.
    fn keeps_targets(
        &mut self,
        terms: &Terms,
        space: &AddressSpace,
        pointer: Term,
        sum: Term,
    ) -> bool {
        if self.within.contains_key(&sum) {
            return true;
        }
        let has_targets = |points: &Points| !points.is_lost() && !points.objects.is_empty();
        if !self.of(terms, space, sum).is_lost()
            || self.added.contains(&sum)
            || !has_targets(&self.of(terms, space, pointer))
            || self.depends_on(terms, pointer, sum)
        {
            return false;
        }
        self.within.insert(sum, pointer);
        self.forget();
        true
    }

    /// Whether the targets of a term are computed from those of another one, or that may be.
    fn depends_on(&self, terms: &Terms, term: Term, other: Term) -> bool {
        let mut seen = HashSet::new();
        let mut stack = vec![(term, 0)];
        while let Some(placed) = stack.pop() {
            if placed.0 == other || seen.len() > MAX_DEPENDENCIES {
                return true;
            }
            if seen.insert(placed) {
                stack.extend(self.sources(terms, placed).into_iter().flatten());
            }
        }
        false
    }

    /// The terms, with their places, that determine what a term points to.
    fn sources(&self, terms: &Terms, placed: Placed) -> [Option<Placed>; 2] {
        match self.within.get(&placed.0) {
            Some(&pointer) if placed.1 == 0 => [Some((pointer, 0)), None],
            _ => parts(terms, placed),
        }
    }

    /// Notes that a constant was added to a word.
    pub(crate) fn is_shifted(&mut self, terms: &Terms, word: Term, sum: Term) {
        if sum != word
            && !self.within.contains_key(&sum)
            && let Some(&pointer) = self.within.get(&word)
            && !self.depends_on(terms, pointer, sum)
        {
            self.within.insert(sum, pointer);
            self.forget();
        }
    }

    /// Notes that a sum or a difference was computed of words that may be addresses: it may be an address of the same
    /// objects. Constants in it have been added up, so that its form may not show that.
    pub(crate) fn is_near(
        &mut self,
        terms: &Terms,
        space: &AddressSpace,
        addresses: &[Term],
        result: Term,
    ) {
        let inner = constant_parts(terms, result);
        let is_choice = |term: Term| matches!(terms.node(term), Node::Ite(..));
        let shows_all = inner.len() == 1
            && terms.constant_value(result).is_none()
            && !is_choice(result)
            && !addresses.iter().any(|&address| is_choice(address));
        if shows_all {
            return;
        }
        let mut objects = BTreeSet::new();
        for &address in addresses {
            let points = self.of(terms, space, address);
            if !points.is_lost() {
                objects.extend(&points.objects);
            }
        }
        let known = self.of(terms, space, result);
        if known.is_lost() || objects.is_subset(&known.objects) {
            return;
        }
        for placed in inner {
            self.kept.entry(placed).or_default().extend(&objects);
        }
        self.forget();
    }

    /// Notes that arithmetic on integers has computed a sum. Returns whether pointer arithmetic has as well, so
    /// that either operand may be an address.
    pub(crate) fn is_added(&mut self, terms: &Terms, sum: Term) -> bool {
        let whole = sum;
        self.added.insert(whole);
        let sum = without_constant(terms, sum);
        if matches!(terms.node(sum), Node::Binary(Op::Add, ..)) {
            self.added.insert(sum);
        }
        self.moved.contains_key(&sum) || self.within.contains_key(&whole)
    }

    pub fn of(&mut self, terms: &Terms, space: &AddressSpace, term: Term) -> Arc<Points> {
        let root = (term, 0);
        let mut stack = vec![root];
        while let Some(&placed) = stack.last() {
            if self.found.contains_key(&placed) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            let parts = self.sources(terms, placed);
            stack.extend(
                parts
                    .into_iter()
                    .flatten()
                    .filter(|part| !self.found.contains_key(part)),
            );
            if stack.len() == before {
                let points = self.step(terms, space, placed);
                self.found.insert(placed, Arc::new(points));
                stack.pop();
            }
        }
        self.found[&root].clone()
    }

    fn step(&self, terms: &Terms, space: &AddressSpace, placed: Placed) -> Points {
        let (term, below) = placed;
        let full = terms.width(term) + below >= space.width;
        if let Some(&pointer) = self.within.get(&term)
            && below == 0
        {
            let mut points = (*self.found[&(pointer, 0)]).clone();
            points.bits = true;
            return points;
        }
        let mut points = Points::default();
        if let Some(&pointer) = self.moved.get(&term)
            && below == 0
            && let Node::Binary(Op::Add, a, b) = terms.node(term)
        {
            let distance = &self.found[&(if a == pointer { b } else { a }, 0)];
            if distance.is_distance() {
                let mut points = (*self.found[&(pointer, 0)]).clone();
                points.bits = true;
                points.input |= distance.input;
                return points;
            }
        }
        let is_choice = matches!(terms.node(term), Node::Ite(..));
        for (index, part) in parts(terms, placed).into_iter().flatten().enumerate() {
            if is_choice && index > 0 {
                points.join(&self.found[&part]);
            } else {
                points.combine(&self.found[&part]);
            }
        }
        match terms.node(term) {
            Node::Const(value) => {
                let address = if below < u64::BITS {
                    (value as u64) << below
                } else {
                    0
                };
                points.bits = value != 0;
                if !full {
                    points.pieces = value != 0 && address >> space.offset_bits != 0;
                } else if let Some(object) = space.object_at(address) {
                    points.objects.insert(object);
                } else {
                    points.mixed = space.splits_pages(address);
                }
            }
            Node::Binary(Op::Eq | Op::Ult | Op::Slt, ..) => {
                points.bits = true;
                points.pieces = true;
            }
            Node::Var(_) => {
                if let Some(known) = self.variables.get(&term) {
                    points.combine(known);
                    points.unknown |= below > 0 && !known.objects.is_empty();
                    points.pieces |= below > 0 && known.has_bits();
                }
            }
            Node::Concat(a, b) => {
                self.concatenate(&mut points, terms, space, (a, b), (below, full));
            }
            Node::Extract(_, low) => {
                // Upper bits at their original position still determine the object.
                let in_place = full && low == below && low <= space.offset_bits;
                points.unknown |= !in_place && (low > 0 || !full) && !points.objects.is_empty();
                points.pieces |= low != below && points.has_bits();
            }
            Node::Binary(op @ (Op::Add | Op::Sub | Op::And | Op::Xor), a, b) => {
                let (a, b) = (&self.found[&(a, below)], &self.found[&(b, below)]);
                points.put(op, a, b);
            }
            Node::Ite(..) | Node::Not(_) | Node::ZExt(_) | Node::SExt(_) => {}
            Node::Binary(..) => {
                points.unknown |= !points.objects.is_empty();
                points.pieces |= points.has_bits();
            }
            // C's words are narrower, and its memory is no array here.
            Node::Wide(_) | Node::Select(..) | Node::Store(..) | Node::ConstArray(_) => {
                points.unknown = true;
            }
        }
        if is_offset(terms, space, placed) {
            points.pieces = false;
            if full {
                // An index, whatever it was computed from.
                points = Points {
                    bits: points.has_bits(),
                    ..Points::default()
                };
            }
        }
        if let Some(objects) = self.kept.get(&placed) {
            points.objects.extend(objects);
        }
        points
    }

    /// Refines the targets that the parts of a concatenation have together.
    fn concatenate(
        &self,
        points: &mut Points,
        terms: &Terms,
        space: &AddressSpace,
        (a, b): (Term, Term),
        (below, full): (u32, bool),
    ) {
        let low = below + terms.width(b);
        let lower = &self.found[&(b, below)];
        if full && low <= space.offset_bits {
            // The upper part is the page of the object, the lower one the offset.
            let upper = &self.found[&(a, low)];
            points.unknown = upper.unknown || lower.unknown || !lower.objects.is_empty();
            points.pieces = upper.pieces;
        } else {
            // Parts of addresses, put together again or not. Indices are shifted by constants; other
            // shifts may be of bytes of an address.
            let shifted = matches!(terms.node(b), Node::Const(_));
            points.unknown |= !points.objects.is_empty();
            // Uninitialised memory has no bits of an address.
            points.pieces |= full && !shifted && (points.has_bits() || points.input);
        }
    }
}

/// Whether a term's form keeps it below the size of a page, whatever it is computed from: it is narrow,
/// masked, or extended with zeros.
fn is_offset(terms: &Terms, space: &AddressSpace, (term, below): Placed) -> bool {
    let bits = match terms.node(term) {
        Node::Binary(Op::And, a, b) => {
            let masks = [a, b].map(|side| terms.constant_value(side));
            let bits = (masks.into_iter().flatten()).map(|mask| u128::BITS - mask.leading_zeros());
            bits.min()
        }
        Node::ZExt(a) => Some(terms.width(a)),
        Node::Concat(a, b) if terms.constant_value(a) == Some(0) => Some(terms.width(b)),
        _ => None,
    };
    let bits = bits.unwrap_or_else(|| terms.width(term));
    bits + below <= space.offset_bits
}

/// The terms, with their places, that determine what a term points to.
fn parts(terms: &Terms, (term, below): Placed) -> [Option<Placed>; 2] {
    match terms.node(term) {
        Node::Const(_) | Node::Var(_) | Node::Binary(Op::Eq | Op::Ult | Op::Slt, ..) => {
            [None, None]
        }
        Node::Ite(_, a, b) | Node::Binary(Op::Add | Op::Sub | Op::And | Op::Xor, a, b) => {
            [Some((a, below)), Some((b, below))]
        }
        Node::Not(a) | Node::ZExt(a) | Node::SExt(a) => [Some((a, below)), None],
        Node::Concat(a, b) => [Some((a, below + terms.width(b))), Some((b, below))],
        Node::Extract(a, _) => [Some((a, 0)), None],
        Node::Binary(_, a, b) => [Some((a, 0)), Some((b, 0))],
        Node::Wide(_) | Node::Select(..) | Node::Store(..) | Node::ConstArray(_) => [None, None],
    }
}

/// A word, its upper part if its last bits are known, and the constant that is added to that.
fn constant_parts(terms: &Terms, term: Term) -> Vec<Placed> {
    let mut placed = (term, 0);
    let mut found = vec![placed];
    loop {
        let (term, below) = placed;
        placed = match terms.node(term) {
            Node::Concat(a, b) if terms.constant_value(b).is_some() => (a, below + terms.width(b)),
            Node::Binary(Op::Add, _, b) if terms.constant_value(b).is_some() => (b, below),
            _ => return found,
        };
        found.push(placed);
    }
}

/// A word without a constant that is added to it.
fn without_constant(terms: &Terms, term: Term) -> Term {
    match terms.node(term) {
        Node::Binary(Op::Add, a, b) if terms.constant_value(b).is_some() => a,
        _ => term,
    }
}
