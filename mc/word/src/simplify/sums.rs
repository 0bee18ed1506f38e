//! Sums in a normal form, so that equal ones are the same term: `(x + 1) + (y - 1)` is `x + y`.
//!
//! The constructors find such equalities only where operands meet. Here each sum of multiples is collected as a
//! whole. That costs more than a constructor may, so that callers ask for it.

use std::collections::{BTreeMap, HashMap};

use crate::machine::mask;
use crate::op::Op;
use crate::term::{Node, Sort, Term, Terms};

/// Sums of more words than this are left as they are.
const MOST_SUMMANDS: usize = 16;

/// `constant` plus the sum of the keys times their values, modulo 2^width. No value is 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Sum {
    multiples: BTreeMap<Term, u128>,
    constant: u128,
}

impl Sum {
    /// This plus `factor` times another one.
    fn plus(&self, other: &Self, factor: u128, width: u32) -> Self {
        let mut sum = self.clone();
        let add = |old: u128, more: u128| old.wrapping_add(more.wrapping_mul(factor)) & mask(width);
        sum.constant = add(sum.constant, other.constant);
        for (&term, &more) in &other.multiples {
            let value = add(sum.multiples.get(&term).copied().unwrap_or(0), more);
            if value == 0 {
                sum.multiples.remove(&term);
            } else {
                sum.multiples.insert(term, value);
            }
        }
        sum
    }
}

impl Terms {
    /// An equal term in which sums of multiples of words, and equalities between them, have a normal form.
    /// The sums of words of more than 128 bits stay as they are.
    pub fn with_normal_sums(&mut self, root: Term) -> Term {
        let mut images: HashMap<Term, Term> = HashMap::new();
        let mut sums: HashMap<Term, Sum> = HashMap::new();
        for term in self.cone(&[root], |_| false) {
            let (node, sort) = (self.node(term), self.sort(term));
            let image = match node {
                Node::Const(_) | Node::Wide(_) | Node::Var(_) => term,
                Node::Binary(Op::Eq, a, b) => match (sums.get(&a), sums.get(&b)) {
                    (Some(left), Some(right)) => {
                        let width = self.width(a);
                        let difference = left.plus(right, mask(width), width);
                        self.is_zero_sum(difference, width)
                    }
                    _ => self.rebuilt(node, sort, &images),
                },
                _ => match self.sum(term, &sums) {
                    Some(sum) => {
                        let image = self.of_sum(&sum, self.width(term));
                        sums.insert(term, sum);
                        image
                    }
                    None => self.rebuilt(node, sort, &images),
                },
            };
            images.insert(term, image);
            if let Sort::BitVector(2..=128) = sort {
                sums.entry(term)
                    .or_insert_with(|| match self.constant_value(image) {
                        Some(constant) => Sum {
                            constant,
                            ..Sum::default()
                        },
                        None => Sum {
                            multiples: BTreeMap::from([(image, 1)]),
                            constant: 0,
                        },
                    });
            }
        }
        images[&root]
    }

    /// A term as a sum of several summands or of a multiple, given those of its operands.
    fn sum(&self, term: Term, sums: &HashMap<Term, Sum>) -> Option<Sum> {
        let sum = match self.node(term) {
            Node::Binary(Op::Add, a, b) => sums.get(&a)?.plus(sums.get(&b)?, 1, self.width(term)),
            Node::Binary(Op::Sub, a, b) => {
                let width = self.width(term);
                sums.get(&a)?.plus(sums.get(&b)?, mask(width), width)
            }
            Node::Binary(Op::Mul, ..) | Node::Concat(..) => {
                let (word, factor) = self.as_multiple(term);
                if word == term {
                    return None;
                }
                Sum::default().plus(sums.get(&word)?, factor, self.width(term))
            }
            _ => return None,
        };
        (sum.multiples.len() <= MOST_SUMMANDS).then_some(sum)
    }

    /// The term of a sum: the words with negative factors are subtracted. A product with a large factor, as negative
    /// ones are modulo 2^width, has many rows.
    fn of_sum(&mut self, sum: &Sum, width: u32) -> Term {
        let [added, subtracted] = self.sides(sum, width);
        let difference = self.sub(added, subtracted);
        let constant = self.constant(sum.constant, width);
        self.add(difference, constant)
    }

    /// The sums of the multiples with positive factors, and of the negatives of the others; without the constant.
    fn sides(&mut self, sum: &Sum, width: u32) -> [Term; 2] {
        let mut sides = [self.constant(0, width); 2];
        for (&word, &factor) in &sum.multiples {
            let negated = factor.wrapping_neg() & mask(width);
            let side = usize::from(negated < factor);
            let factor = self.constant(factor.min(negated), width);
            let multiple = self.mul(word, factor);
            sides[side] = self.add(sides[side], multiple);
        }
        sides
    }

    /// Whether a sum is 0: of a sum and its negative, the one with the lesser first factor is taken. What it adds is
    /// compared with what it subtracts.
    fn is_zero_sum(&mut self, mut sum: Sum, width: u32) -> Term {
        if let Some(&first) = sum.multiples.values().next()
            && first > first.wrapping_neg() & mask(width)
        {
            sum = Sum::default().plus(&sum, mask(width), width);
        }
        let value = self.constant(sum.constant.wrapping_neg() & mask(width), width);
        let [added, subtracted] = self.sides(&sum, width);
        let subtracted = self.add(subtracted, value);
        self.eq(added, subtracted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::Evaluator;

    #[test]
    fn equal_sums_become_the_same_term() {
        let mut terms = Terms::new();
        let [x, y, i] = [(); 3].map(|()| terms.variable(32));
        let one = terms.constant(1, 32);
        let three = terms.constant(3, 32);
        let (up, down) = (terms.add(x, one), terms.sub(y, one));
        let (before, after) = (terms.add(x, y), terms.add(down, up));
        let before = terms.with_normal_sums(before);
        assert_eq!(before, terms.with_normal_sums(after));
        // 3 i = x + y, and the same after i + 1, x + 1 and y + 2.
        let mut relation = |i: Term, x: Term, y: Term| {
            let (triple, sum) = (terms.mul(i, three), terms.add(x, y));
            let equal = terms.eq(triple, sum);
            terms.with_normal_sums(equal)
        };
        let before = relation(i, x, y);
        let (i, x) = (terms.add(i, one), terms.add(x, one));
        let y = terms.add(y, one);
        let y = terms.add(y, one);
        let mut relation = |i: Term, x: Term, y: Term| {
            let (triple, sum) = (terms.mul(i, three), terms.add(x, y));
            let equal = terms.eq(sum, triple);
            terms.with_normal_sums(equal)
        };
        assert_eq!(before, relation(i, x, y));
    }

    #[test]
    fn negative_factors_are_subtracted() {
        let mut terms = Terms::new();
        let [x, y, i] = [(); 3].map(|()| terms.variable(32));
        // x - 2 y == 3 - 5 i, without a factor beyond 5.
        let factor = |terms: &mut Terms, word: Term, factor: u128| {
            let factor = terms.constant(factor & mask(32), 32);
            terms.mul(word, factor)
        };
        let (y, i) = (factor(&mut terms, y, 2), factor(&mut terms, i, 5));
        let three = terms.constant(3, 32);
        let (left, right) = (terms.sub(x, y), terms.sub(three, i));
        let equal = terms.eq(left, right);
        let difference = terms.sub(left, right);
        for root in [equal, difference] {
            let normal = terms.with_normal_sums(root);
            for term in terms.cone(&[normal], |_| false) {
                if let Node::Binary(Op::Mul, _, c) = terms.node(term) {
                    assert_eq!(terms.constant_value(c), Some(5));
                }
            }
        }
    }

    #[test]
    fn the_value_stays_the_same() {
        for seed in 0..500 {
            let mut random = fastrand::Rng::with_seed(seed);
            let mut terms = Terms::new();
            let width = random.u32(2..9);
            let words: Vec<Term> = (0..3).map(|_| terms.variable(width)).collect();
            let mut pool = words.clone();
            for _ in 0..10 {
                let a = pool[random.usize(..pool.len())];
                let b = pool[random.usize(..pool.len())];
                let constant = terms.constant(random.u128(..=mask(width)), width);
                let term = match random.u8(..8) {
                    0 | 1 => terms.add(a, b),
                    2 => terms.sub(a, b),
                    3 => terms.mul(a, constant),
                    4 => terms.add(a, constant),
                    5 => terms.neg(a),
                    6 => terms.shl(a, constant),
                    _ => terms.mul(a, b),
                };
                pool.push(term);
            }
            let (a, b) = (pool[random.usize(..pool.len())], pool[pool.len() - 1]);
            let roots = [b, terms.eq(a, b), terms.slt(a, b)];
            let normal = roots.map(|root| terms.with_normal_sums(root));
            for _ in 0..20 {
                let values: Vec<u128> = words.iter().map(|_| random.u128(..=mask(width))).collect();
                let mut evaluator = Evaluator::new(&terms, |term, _| {
                    let place = words.iter().position(|&word| word == term);
                    values[place.expect("there are no others")]
                });
                for (root, normal) in roots.iter().zip(&normal) {
                    let (root, normal) = (evaluator.value(*root), evaluator.value(*normal));
                    assert_eq!(root, normal, "{seed}");
                }
            }
        }
    }
}
