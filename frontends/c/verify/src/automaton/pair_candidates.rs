//! Candidates about the elements at two prophecy indices: how the elements that an error depends on are related, once a
//! loop has passed their indices.
//!
//! Each candidate is an implication. Its premise relates the two indices as those of the two reads are related that an
//! error depends on, `k == l + 1` for `a[i] <= a[i + 1]`, and bounds one of them, or both; its conclusion compares a
//! cell of the one element with a cell of the other. Candidates need no proof of their own.

use std::collections::{BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};

use craig_word::{Evaluator, Node, Term, Terms};

use craig_c_exec::symbolic::{INDEX_BITS, OtherRead, relevant};

/// Values of words for which two indices are compared.
const SAMPLES: u64 = 8;
/// Values are smaller, so that no sum of few wraps around.
const LARGEST: u64 = 1 << 12;
/// The most relations that are premises.
pub(super) const MAX_RELATIONS: usize = 4;

/// The numbers of the elements of two reads: the last one, and the one before.
pub(super) type IndexPair = (Term, Term);

/// How the first prophecy index, `k`, and the second, `l`, are related.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Relation {
    /// `k == l + distance`.
    Distance(i32),
    /// `k + l == word + constant`; without a word, the constant.
    Sum(Option<Term>, i32),
    /// `l == 2 * k + constant`.
    Twice(i32),
    /// `k < l`.
    Below,
    /// `l < k`.
    Above,
}

/// The indices of the last two reads on which a mark depends, if they differ by their form where words have their
/// likely values: that an allocation has failed makes no other index.
pub(super) fn index_pair(
    terms: &mut Terms,
    reads: &[OtherRead],
    guard: Term,
    likely: &HashMap<Term, Term>,
) -> Option<IndexPair> {
    let found = relevant(terms, reads, guard);
    let indices = found.iter().rev().map(|(read, _)| read.index);
    let indices: Vec<Option<Term>> = indices.collect();
    let mut images = likely.clone();
    let mut likely = |index: Term| terms.substitute(index, &mut images);
    let last = likely((*indices.first()?)?);
    let mut others = indices.into_iter().skip(1).flatten();
    let second = others.find_map(|index| Some(likely(index)).filter(|&index| index != last))?;
    Some((last, second))
}

/// The values of a term for a few values of the words; equal words have equal values in all terms.
pub(super) fn sampled(terms: &Terms, term: Term) -> Vec<u32> {
    let values = (0..SAMPLES).map(|number| {
        let value = move |variable: Term, width: u32| {
            let mut hasher = DefaultHasher::new();
            (variable, number).hash(&mut hasher);
            u128::from(hasher.finish() % LARGEST) & craig_word::mask(width)
        };
        Evaluator::new(terms, value).value(term) as u32
    });
    values.collect()
}

/// The number that all samples are, if it is small.
pub(super) fn constant(samples: &[u32]) -> Option<i32> {
    let number = *samples.first()? as i32;
    let is_small = u64::from(number.unsigned_abs()) < LARGEST;
    (is_small && samples.iter().all(|&other| other as i32 == number)).then_some(number)
}

/// The relation of such a pair as it is in the samples; none if the indices are equal there.
pub(super) fn relations(terms: &Terms, (last, second): IndexPair) -> Vec<Relation> {
    let (first, other) = (sampled(terms, last), sampled(terms, second));
    let pairs = || first.iter().zip(&other);
    let distances: Vec<u32> = pairs().map(|(k, l)| k.wrapping_sub(*l)).collect();
    match constant(&distances) {
        Some(0) => return Vec::new(),
        Some(distance) => return vec![Relation::Distance(distance)],
        None => {}
    }
    let sums: Vec<u32> = pairs().map(|(k, l)| k.wrapping_add(*l)).collect();
    if let Some(sum) = constant(&sums) {
        return vec![Relation::Sum(None, sum)];
    }
    let words = terms.cone(&[last, second], |_| false).into_iter();
    let words = words.filter(|&word| {
        matches!(terms.node(word), Node::Var(_)) && terms.width(word) >= INDEX_BITS
    });
    let by_word = words.filter_map(|word| {
        let of_word = sampled(terms, word);
        let rests = sums
            .iter()
            .zip(&of_word)
            .map(|(sum, word)| sum.wrapping_sub(*word));
        let rests: Vec<u32> = rests.collect();
        Some(Relation::Sum(Some(word), constant(&rests)?))
    });
    let by_word: Vec<Relation> = by_word.collect();
    match by_word.is_empty() {
        true => vec![Relation::Below, Relation::Above],
        false => by_word,
    }
}

impl Relation {
    /// The relation of two prophecy indices. They are numbers without sign, so that a distance needs their order.
    fn holds(self, terms: &mut Terms, (k, l): (Term, Term)) -> Term {
        match self {
            Self::Distance(distance) => {
                let same = self.equation(terms, (k, l));
                let ordered = match distance > 0 {
                    true => terms.ult(l, k),
                    false => terms.ult(k, l),
                };
                terms.and(same, ordered)
            }
            Self::Sum(..) | Self::Twice(_) => self.equation(terms, (k, l)),
            Self::Below => terms.ult(k, l),
            Self::Above => terms.ult(l, k),
        }
    }

    /// The relation modulo 2^32, which has a solution `l` for each `k`; no condition where it is an order.
    pub(super) fn equation(self, terms: &mut Terms, (k, l): (Term, Term)) -> Term {
        let constant =
            |terms: &mut Terms, value: i32| terms.constant(u128::from(value as u32), INDEX_BITS);
        match self {
            Self::Distance(distance) => {
                let distance = constant(terms, distance);
                let sum = terms.add(l, distance);
                terms.eq(k, sum)
            }
            Self::Sum(word, rest) => {
                let rest = constant(terms, rest);
                let sum = match word {
                    Some(word) => {
                        let word = terms.extract(word, 0, INDEX_BITS);
                        terms.add(word, rest)
                    }
                    None => rest,
                };
                let both = terms.add(k, l);
                terms.eq(both, sum)
            }
            Self::Twice(rest) => {
                let rest = constant(terms, rest);
                let double = terms.add(k, k);
                let sum = terms.add(double, rest);
                terms.eq(l, sum)
            }
            Self::Below | Self::Above => terms.boolean(true),
        }
    }
}

/// What the candidates at a cut are about.
pub(super) struct Subjects<'s> {
    pub(super) prophecy: (Term, Term),
    pub(super) relations: &'s [Relation],
    /// The likelier bounds of each index, and the others.
    pub(super) bounds: [&'s (Vec<Term>, Vec<Term>); 2],
    /// The cells of each element that vary, each with the values that are stored in it.
    pub(super) cells: [Vec<(Term, Vec<Term>)>; 2],
}

/// The candidates at a cut, the likelier ones first.
pub(super) fn pair_candidates(terms: &mut Terms, subjects: &Subjects<'_>) -> Vec<Term> {
    let (first, second) = compared(terms, &subjects.cells);
    let mut candidates = Vec::new();
    let [of_k, of_l] = subjects.bounds;
    for conclusions in [first, second] {
        for relation in subjects.relations {
            let related = relation.holds(terms, subjects.prophecy);
            let single = of_k.0.iter().chain(&of_l.0).copied();
            let mut bounds: Vec<Term> = single.collect();
            for &a in &of_k.0 {
                for &b in &of_l.0 {
                    bounds.push(terms.and(a, b));
                }
            }
            bounds.extend(of_k.1.iter().chain(&of_l.1));
            let mut seen = BTreeSet::new();
            bounds.retain(|&bound| seen.insert(bound));
            for bound in bounds {
                let premise = terms.and(related, bound);
                let fails = terms.not(premise);
                for &conclusion in &conclusions {
                    candidates.push(terms.or(fails, conclusion));
                }
            }
        }
    }
    candidates
}

/// Comparisons of a cell of the one element with a cell of the other, the likelier ones apart.
fn compared(terms: &mut Terms, cells: &[Vec<(Term, Vec<Term>)>; 2]) -> (Vec<Term>, Vec<Term>) {
    let [of_k, of_l] = cells;
    let (mut first, mut second) = (Vec::new(), Vec::new());
    for (own, others) in [(of_k, of_l), (of_l, of_k)] {
        for (cell, values) in own {
            for &value in values {
                let cone = terms.cone(&[value], |_| false);
                let is_of_other = others.iter().any(|(other, _)| cone.contains(other));
                if is_of_other && !others.iter().any(|&(other, _)| other == value) {
                    first.push(terms.eq(*cell, value));
                }
            }
        }
    }
    for &(a, _) in of_k {
        for &(b, _) in of_l {
            if terms.width(a) != terms.width(b) {
                continue;
            }
            first.extend([terms.sle(a, b), terms.sle(b, a), terms.eq(a, b)]);
            second.extend([
                terms.ule(a, b),
                terms.ule(b, a),
                terms.slt(a, b),
                terms.slt(b, a),
            ]);
            let same = terms.eq(a, b);
            second.push(terms.not(same));
        }
    }
    (first, second)
}
