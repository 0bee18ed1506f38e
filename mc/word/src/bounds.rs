//! Bounds on words: the least and the greatest number that a term may be, by the bounds of its operands.
//!
//! They are kept beside each term of the arena, so that they cost a step for each: a counter that grows in each of many
//! branches is bounded by their number, and comparisons with larger numbers are decided where they are made.

use crate::machine::mask;
use crate::op::Op;
use crate::term::{Bounds, Node, Term, Terms};

/// Terms of more bits have no bounds.
const WIDEST: u32 = 64;

impl Bounds {
    /// Of any word of at most 64 bits, and of what has no bounds.
    fn all(width: u32) -> Self {
        let high = if width <= WIDEST {
            mask(width) as u64
        } else {
            u64::MAX
        };
        Self { low: 0, high }
    }

    /// `None` if the numbers are not of a word of this width.
    fn of(low: u128, high: u128, width: u32) -> Option<Self> {
        debug_assert!(low <= high);
        (high <= mask(width)).then_some(Self {
            low: low as u64,
            high: high as u64,
        })
    }

    fn pair(self) -> (u128, u128) {
        (u128::from(self.low), u128::from(self.high))
    }

    /// The numbers with the sign that a word of this width has.
    fn signed(self, width: u32) -> (i128, i128) {
        let half = 1i128 << (width - 1);
        let (low, high) = (i128::from(self.low), i128::from(self.high));
        match () {
            () if high < half => (low, high),
            () if low >= half => (low - 2 * half, high - 2 * half),
            () => (-half, half - 1),
        }
    }
}

impl Terms {
    /// The bounds of a term of at most 64 bits.
    fn bounds(&self, term: Term) -> Option<Bounds> {
        (!self.is_array(term) && self.width(term) <= WIDEST).then(|| self.bounds[term.index()])
    }

    /// Whether `a < b` holds for all values without sign, or for none; `None` if the bounds leave that open.
    pub(super) fn is_less(&self, a: Term, b: Term) -> Option<bool> {
        let (a, b) = (self.bounds(a)?, self.bounds(b)?);
        compared((a.low, a.high), (b.low, b.high))
    }

    /// As [`Self::is_less`], for numbers with sign.
    pub(super) fn is_less_signed(&self, a: Term, b: Term) -> Option<bool> {
        let width = self.width(a);
        let (a, b) = (self.bounds(a)?, self.bounds(b)?);
        compared(a.signed(width), b.signed(width))
    }

    /// Whether two terms have no value in common.
    pub(super) fn are_apart(&self, a: Term, b: Term) -> bool {
        match (self.bounds(a), self.bounds(b)) {
            (Some(a), Some(b)) => a.high < b.low || b.high < a.low,
            _ => false,
        }
    }

    /// The bits of a term from `low` upwards, if the bounds determine them.
    pub(super) fn bounded_bits(&self, term: Term, low: u32) -> Option<u128> {
        let (least, greatest) = self.bounds(term)?.pair();
        (least >> low == greatest >> low).then_some(least >> low)
    }

    /// The bounds of a term that is made.
    pub(super) fn bounds_of(&self, node: Node, width: u32) -> Bounds {
        let known = match width <= WIDEST {
            true => self.bounds_of_word(node, width),
            false => None,
        };
        known.unwrap_or(Bounds::all(width))
    }

    fn bounds_of_word(&self, node: Node, width: u32) -> Option<Bounds> {
        let of = |term: Term| self.bounds(term).map(Bounds::pair);
        match node {
            Node::Const(value) => Bounds::of(value, value, width),
            Node::Not(a) => {
                let (low, high) = of(a)?;
                Bounds::of(mask(width) - high, mask(width) - low, width)
            }
            Node::Binary(op, a, b) => Self::bounds_of_binary(op, of(a)?, of(b)?, self.width(a)),
            Node::Ite(_, a, b) => {
                let (a, b) = (of(a)?, of(b)?);
                Bounds::of(a.0.min(b.0), a.1.max(b.1), width)
            }
            Node::Concat(high, low) => {
                let (x, y, shift) = (of(high)?, of(low)?, self.width(low));
                Bounds::of(x.0 << shift | y.0, x.1 << shift | y.1, width)
            }
            Node::Extract(a, low) => {
                let (least, greatest) = of(a)?;
                Bounds::of(least >> low, greatest >> low, width)
            }
            Node::ZExt(a) => {
                let (low, high) = of(a)?;
                Bounds::of(low, high, width)
            }
            Node::SExt(a) => {
                let (low, high) = of(a)?;
                let is_positive = high >> (self.width(a) - 1) == 0;
                is_positive.then(|| Bounds::of(low, high, width)).flatten()
            }
            _ => None,
        }
    }

    /// The bounds of an operation on words of a width, given those of the operands.
    fn bounds_of_binary(op: Op, a: (u128, u128), b: (u128, u128), width: u32) -> Option<Bounds> {
        let top = mask(width);
        let is_positive = |bounds: (u128, u128)| bounds.1 >> (width - 1) == 0;
        match op {
            Op::And => Bounds::of(0, a.1.min(b.1), width),
            Op::Xor => {
                let bits = u128::BITS - (a.1 | b.1).leading_zeros();
                Bounds::of(0, (1 << bits) - 1, width)
            }
            // Either no sum wraps around, or all do.
            Op::Add if a.0 + b.0 > top => {
                Bounds::of(a.0 + b.0 - top - 1, a.1 + b.1 - top - 1, width)
            }
            Op::Add => Bounds::of(a.0 + b.0, a.1 + b.1, width),
            Op::Sub if a.0 >= b.1 => Bounds::of(a.0 - b.1, a.1 - b.0, width),
            Op::Mul => Bounds::of(a.0 * b.0, a.1 * b.1, width),
            Op::UDiv if b.0 > 0 => Bounds::of(a.0 / b.1, a.1 / b.0, width),
            Op::SDiv if b.0 > 0 && is_positive(a) && is_positive(b) => {
                Bounds::of(a.0 / b.1, a.1 / b.0, width)
            }
            Op::URem if b.0 > 0 => Bounds::of(0, a.1.min(b.1 - 1), width),
            Op::SRem if b.0 > 0 && is_positive(a) && is_positive(b) => {
                Bounds::of(0, a.1.min(b.1 - 1), width)
            }
            Op::LShr => Bounds::of(shifted(a.0, b.1), shifted(a.1, b.0), width),
            Op::AShr if is_positive(a) => Bounds::of(shifted(a.0, b.1), shifted(a.1, b.0), width),
            Op::Shl if b.1 < u128::from(width) => Bounds::of(a.0 << b.0, a.1 << b.1, width),
            Op::Eq | Op::Ult | Op::Slt => Bounds::of(0, 1, 1),
            _ => None,
        }
    }
}

/// A number of at most 64 bits, shifted to the right.
fn shifted(number: u128, amount: u128) -> u128 {
    number >> amount.min(127)
}

/// Whether all numbers of one interval are less than all of another, or none is less than any.
fn compared<T: PartialOrd + Copy>(a: (T, T), b: (T, T)) -> Option<bool> {
    match () {
        () if a.1 < b.0 => Some(true),
        () if a.0 >= b.1 => Some(false),
        () => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::binary;
    use crate::tests::OPS;

    /// All pairs of intervals of three bits, for all operators: each result is within the bounds.
    #[test]
    fn results_are_within_their_bounds() {
        const WIDTH: u32 = 3;
        let intervals: Vec<(u128, u128)> = (0..8)
            .flat_map(|low| (low..8).map(move |high| (low, high)))
            .collect();
        let mut n_bounded = 0;
        for op in OPS {
            for &a in &intervals {
                for &b in &intervals {
                    let Some(found) = Terms::bounds_of_binary(op, a, b, WIDTH) else {
                        continue;
                    };
                    n_bounded += usize::from(found != Bounds::all(WIDTH));
                    for (x, y) in (a.0..=a.1).flat_map(|x| (b.0..=b.1).map(move |y| (x, y))) {
                        let value = binary(op, x, y, WIDTH) as u64;
                        let is_within = (found.low..=found.high).contains(&value);
                        assert!(
                            is_within,
                            "{op:?} of {x} in {a:?}, {y} in {b:?}: {value}, {found:?}"
                        );
                    }
                }
            }
        }
        assert!(n_bounded > 5_000, "{n_bounded}");
    }

    /// Each form of a term, with operands of which the bounds are known: its value is within its bounds for all values of the
    /// variable, and comparisons that are decided are right.
    #[test]
    fn terms_are_within_their_bounds() {
        use crate::evaluate::Evaluator;
        let mut terms = Terms::new();
        let x = terms.variable(4);
        let mut all = vec![x];
        for amount in 0..12u128 {
            let k = terms.constant(amount, 4);
            let last = *all.last().expect("a term");
            let low = terms.and(x, k);
            let (sum, wide) = (terms.add(low, k), terms.sext(low, 7));
            let joined = terms.concat(low, k);
            let (part, negated) = (terms.extract(joined, 2, 4), terms.not(sum));
            let narrow = terms.zext(low, 9);
            let narrow = terms.extract(narrow, 0, 4);
            let is_less = terms.ult(x, k);
            let chosen = terms.ite(is_less, sum, last);
            let wide = terms.extract(wide, 3, 4);
            all.extend([low, sum, part, negated, narrow, wide, chosen]);
        }
        let values: Vec<Vec<u128>> = (0..16)
            .map(|value| {
                let mut evaluator = Evaluator::new(&terms, |_, _| value);
                all.iter().map(|&term| evaluator.value(term)).collect()
            })
            .collect();
        for (position, &term) in all.iter().enumerate() {
            let bounds = terms.bounds(term).expect("a narrow term");
            let is_within = |found: u128| (bounds.low..=bounds.high).contains(&(found as u64));
            assert!(values.iter().all(|of| is_within(of[position])), "{term:?}");
        }
        let n_bounded = all
            .iter()
            .filter(|&&term| terms.bounds(term) != Some(Bounds::all(4)));
        assert!(n_bounded.count() > 30);
        for (i, &a) in all.iter().enumerate() {
            for (j, &b) in all.iter().enumerate() {
                let [less, signed] = [terms.is_less(a, b), terms.is_less_signed(a, b)];
                for of in &values {
                    let holds = |op| binary(op, of[i], of[j], 4) == 1;
                    assert!(less.is_none_or(|known| known == holds(Op::Ult)));
                    assert!(signed.is_none_or(|known| known == holds(Op::Slt)));
                    assert!(!(terms.are_apart(a, b) && holds(Op::Eq)));
                }
            }
        }
    }
}
