//! Bounds on a word from comparisons with constants.

use craig_word::{Node, Op, Term, Terms, mask, to_signed};

/// A comparison of a word with a constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Fact {
    pub(super) word: Term,
    relation: Relation,
    holds: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Relation {
    Equal(u128),
    /// Less than and greater than, without and with sign.
    Below(u128),
    Above(u128),
    SignedBelow(i128),
    SignedAbove(i128),
}

impl Fact {
    /// The fact stated by a literal, if it is one.
    pub(super) fn of(terms: &Terms, literal: Term) -> Option<Self> {
        let (atom, holds) = match terms.node(literal) {
            Node::Not(inner) => (inner, false),
            _ => (literal, true),
        };
        let (word, relation) = match terms.node(atom) {
            Node::Binary(Op::Eq, a, b) => (a, Relation::Equal(terms.constant_value(b)?)),
            Node::Binary(op @ (Op::Ult | Op::Slt), a, b) => {
                let width = terms.width(a);
                match (op, terms.constant_value(a), terms.constant_value(b)) {
                    (Op::Ult, None, Some(value)) => (a, Relation::Below(value)),
                    (Op::Ult, Some(value), None) => (b, Relation::Above(value)),
                    (_, None, Some(value)) => (a, Relation::SignedBelow(to_signed(value, width))),
                    (_, Some(value), None) => (b, Relation::SignedAbove(to_signed(value, width))),
                    _ => return None,
                }
            }
            // The sign of a word.
            Node::Extract(a, low) if low + 1 == terms.width(a) => (a, Relation::SignedBelow(0)),
            _ => return None,
        };
        Some(Self {
            word,
            relation,
            holds,
        })
    }

    pub(super) fn negated(self) -> Self {
        Self {
            holds: !self.holds,
            ..self
        }
    }
}

/// Possible values of a word: those in an unsigned and a signed interval.
#[derive(Clone, Copy, Debug)]
pub(super) struct Range {
    width: u32,
    unsigned: (u128, u128),
    signed: (i128, i128),
}

impl Range {
    /// All values of `width` bits, at most 64 of them.
    pub(super) fn all(width: u32) -> Self {
        debug_assert!((1..=64).contains(&width));
        let half = 1i128 << (width - 1);
        Self {
            width,
            unsigned: (0, mask(width)),
            signed: (-half, half - 1),
        }
    }

    /// The signed interval.
    pub(super) fn signed(&self) -> (i128, i128) {
        self.signed
    }

    /// The interval without sign.
    pub(super) fn unsigned(&self) -> (u128, u128) {
        self.unsigned
    }

    /// The largest value without sign.
    pub(super) fn largest(&self) -> u128 {
        self.unsigned.1
    }

    pub(super) fn is_empty(&self) -> bool {
        self.unsigned.0 > self.unsigned.1 || self.signed.0 > self.signed.1
    }

    /// Restricts the range to values for which the fact holds (or a superset: an interval has no holes).
    pub(super) fn narrow(&mut self, fact: Fact) {
        let (unsigned, signed) = (&mut self.unsigned, &mut self.signed);
        match (fact.relation, fact.holds) {
            (Relation::Equal(value), true) => {
                let as_signed = to_signed(value, self.width);
                *unsigned = (unsigned.0.max(value), unsigned.1.min(value));
                *signed = (signed.0.max(as_signed), signed.1.min(as_signed));
            }
            (Relation::Equal(value), false) => {
                let as_signed = to_signed(value, self.width);
                // A bound of 0 cannot be decremented: the interval is empty then.
                if *unsigned == (value, value) {
                    *unsigned = (1, 0);
                }
                unsigned.0 += u128::from(unsigned.0 == value);
                unsigned.1 -= u128::from(unsigned.1 == value && value > 0);
                signed.0 += i128::from(signed.0 == as_signed);
                signed.1 -= i128::from(signed.1 == as_signed);
            }
            (Relation::Below(0), true) => *unsigned = (1, 0),
            (Relation::Below(value), true) => unsigned.1 = unsigned.1.min(value - 1),
            (Relation::Below(value), false) => unsigned.0 = unsigned.0.max(value),
            (Relation::Above(value), true) => unsigned.0 = unsigned.0.max(value + 1),
            (Relation::Above(value), false) => unsigned.1 = unsigned.1.min(value),
            (Relation::SignedBelow(value), true) => signed.1 = signed.1.min(value - 1),
            (Relation::SignedBelow(value), false) => signed.0 = signed.0.max(value),
            (Relation::SignedAbove(value), true) => signed.0 = signed.0.max(value + 1),
            (Relation::SignedAbove(value), false) => signed.1 = signed.1.min(value),
        }
        self.exchange();
    }

    /// Restricts each interval by the other.
    fn exchange(&mut self) {
        if self.is_empty() {
            return;
        }
        let half = 1u128 << (self.width - 1);
        let (low, high) = self.signed;
        if (low < 0) == (high < 0) {
            let word = |value: i128| value as u128 & mask(self.width);
            self.unsigned.0 = self.unsigned.0.max(word(low));
            self.unsigned.1 = self.unsigned.1.min(word(high));
        }
        let (low, high) = self.unsigned;
        if low <= high && (low < half) == (high < half) {
            self.signed.0 = self.signed.0.max(to_signed(low, self.width));
            self.signed.1 = self.signed.1.min(to_signed(high, self.width));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use craig_word::Evaluator;

    /// Every conjunction of three comparisons over three bits: ranges reported as empty are empty, and every
    /// value for which all three hold is in the range.
    #[test]
    fn ranges_hold_all_values_that_the_facts_allow() {
        let mut terms = Terms::new();
        let x = terms.variable(3);
        let mut literals = Vec::new();
        for value in 0..8 {
            let k = terms.constant(value, 3);
            let atoms = [
                terms.eq(x, k),
                terms.ult(x, k),
                terms.ult(k, x),
                terms.slt(x, k),
                terms.slt(k, x),
            ];
            for atom in atoms {
                literals.push(atom);
                literals.push(terms.not(atom));
            }
        }
        let mut found: Vec<(Term, Fact)> = Vec::new();
        for &literal in &literals {
            if let Some(fact) = Fact::of(&terms, literal)
                && fact.word == x
            {
                found.push((literal, fact));
            }
        }
        assert!(found.len() > 60);
        let holds =
            |literal: Term, value: u128| Evaluator::new(&terms, |_, _| value).value(literal) == 1;
        let mut n_empty = 0;
        for &(a, first) in &found {
            for &(b, second) in &found {
                for &(c, third) in found.iter().step_by(3) {
                    let mut range = Range::all(3);
                    for fact in [first, second, third] {
                        range.narrow(fact);
                    }
                    for value in 0..8 {
                        let all = [a, b, c].iter().all(|&literal| holds(literal, value));
                        let signed = to_signed(value, 3);
                        let is_in = !range.is_empty()
                            && (range.unsigned.0..=range.unsigned.1).contains(&value)
                            && (range.signed.0..=range.signed.1).contains(&signed);
                        assert!(is_in || !all, "{first:?} {second:?} {third:?} {value}");
                    }
                    n_empty += usize::from(range.is_empty());
                }
            }
        }
        assert!(n_empty > 1000);
    }
}
