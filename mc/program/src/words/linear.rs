//! Affine relations that the linear parts of all steps preserve, without a solver.
//!
//! Karr, *Affine relationships among variables of a program* (1976), modulo 2^w as in Müller-Olm, Seidl, *Analysis of
//! modular arithmetic* (ESOP 2005): at each place, the affine hull of the words' values is the least one that contains
//! the image of the hulls before it, where each step is an affine map. What is no linear form of words (an input, a
//! product, a choice that was not split) may have any value there, and conditions are ignored. So the hulls contain all
//! reachable states, and the relations that hold in them are an invariant.
//!
//! A hull is the set of affine combinations of the states that were added ([`Affine`]), and an affine map commutes with
//! affine combinations: the images of the added states generate the hull of the image. A value `k` that may be
//! anything, with factor `f`, adds `t * f` for any `t`: the combinations of the image with `k = 0` and with `k = 1`.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};

use craig_word::{Node, Op, Term, Terms, mask};

use super::affine::Affine;
use super::search::Search;

/// The limit on the number of words of one width at a place.
const MAX_RELATED: usize = 24;

/// The words of one width at a place, and the hull of their values.
struct Group {
    place: usize,
    width: u32,
    words: Vec<Term>,
    hull: Affine,
}

/// A sum of multiples of terms, modulo 2^width.
#[derive(Clone, Debug, Default)]
pub(super) struct Form {
    pub(super) multiples: HashMap<Term, u128>,
    pub(super) constant: u128,
}

/// A term as a sum of multiples of terms that are no sums.
pub(super) fn form(terms: &Terms, term: Term) -> Form {
    let width = terms.width(term);
    let mut form = Form::default();
    let mut work = vec![(term, 1u128)];
    while let Some((term, factor)) = work.pop() {
        let factor = factor & mask(width);
        if let Some(value) = terms.constant_value(term) {
            form.constant = form.constant.wrapping_add(value.wrapping_mul(factor)) & mask(width);
            continue;
        }
        match terms.node(term) {
            Node::Binary(Op::Add, a, b) => work.extend([(a, factor), (b, factor)]),
            Node::Binary(Op::Sub, a, b) => work.extend([(a, factor), (b, factor.wrapping_neg())]),
            Node::Binary(Op::Mul, a, b) => match (terms.constant_value(a), terms.constant_value(b))
            {
                (_, Some(value)) => work.push((a, factor.wrapping_mul(value))),
                (Some(value), _) => work.push((b, factor.wrapping_mul(value))),
                _ => add(&mut form, term, factor, width),
            },
            // A shift by a constant, to which a constant is added.
            Node::Concat(high, low) if terms.constant_value(low).is_some() => {
                match terms.node(high) {
                    Node::Extract(word, 0) if terms.width(word) == width => {
                        let value = terms.constant_value(low).unwrap_or(0);
                        let more = value.wrapping_mul(factor);
                        form.constant = form.constant.wrapping_add(more) & mask(width);
                        work.push((word, factor.wrapping_shl(terms.width(low))));
                    }
                    _ => add(&mut form, term, factor, width),
                }
            }
            _ => add(&mut form, term, factor, width),
        }
    }
    form
}

fn add(form: &mut Form, term: Term, factor: u128, width: u32) {
    let old = form.multiples.entry(term).or_insert(0);
    *old = old.wrapping_add(factor) & mask(width);
    if *old == 0 {
        form.multiples.remove(&term);
    }
}

impl Search<'_> {
    /// The affine relations at each place; none if that takes too long.
    pub(super) fn linear_relations(&mut self) -> Vec<Term> {
        let mut groups = self.groups();
        if self.parts.is_empty() || groups.is_empty() || !self.propagate(&mut groups) {
            return Vec::new();
        }
        let (mut found, mut seen) = (Vec::new(), HashSet::new());
        for group in &groups {
            let elsewhere = self.elsewhere(group.place);
            for body in group.hull.relations(&mut self.terms, &group.words) {
                let term = self.terms.or(elsewhere, body);
                if !self.terms.is_true(term) && seen.insert(term) {
                    found.push(term);
                }
            }
        }
        found
    }

    /// A group for each place and each width of a word, with no state.
    fn groups(&self) -> Vec<Group> {
        let vocabulary = self.vocabulary;
        let width = |word: usize| vocabulary.words[word].len() as u32;
        let all = vocabulary.at.iter().flatten();
        let widths: BTreeSet<u32> = all.map(|&word| width(word)).filter(|&w| w > 1).collect();
        let mut groups = Vec::new();
        for (index, at) in vocabulary.at.iter().enumerate() {
            for &own in &widths {
                let words = at.iter().filter(|&&word| width(word) == own);
                let words: Vec<Term> = words.map(|&word| self.words[word]).collect();
                let words = words[..words.len().min(MAX_RELATED)].to_vec();
                groups.push(Group {
                    place: index + 1,
                    width: own,
                    hull: Affine::new(own, words.len()),
                    words,
                });
            }
        }
        groups
    }

    /// Adds all images of states to the groups. Returns whether it came to an end.
    fn propagate(&self, groups: &mut [Group]) -> bool {
        let cases = &self.parts;
        let mut from: HashMap<usize, Vec<usize>> = HashMap::new();
        for (number, case) in cases.iter().enumerate() {
            from.entry(case.source).or_default().push(number);
        }
        let of_target: HashMap<(usize, u32), usize> = (groups.iter().enumerate())
            .map(|(number, group)| ((group.place, group.width), number))
            .collect();
        // The forms of the words of a group after a case.
        let mut forms: HashMap<(usize, usize), Vec<Form>> = HashMap::new();
        let widths: BTreeSet<u32> = groups.iter().map(|group| group.width).collect();
        // A place, and the values there of its words of one width; the start has no words.
        let mut work: VecDeque<(usize, u32, HashMap<Term, u128>)> = (widths.iter())
            .map(|&width| (0, width, HashMap::new()))
            .collect();
        while let Some((place, width, values)) = work.pop_front() {
            if self.is_over() {
                return false;
            }
            for &number in from.get(&place).into_iter().flatten() {
                let case = &cases[number];
                let Some(&target) = of_target.get(&(case.target, width)) else {
                    continue;
                };
                let group = &mut groups[target];
                let after = forms.entry((number, target)).or_insert_with(|| {
                    let words = group.words.iter();
                    let values = words.map(|word| case.images.get(word).copied().unwrap_or(*word));
                    values.map(|value| form(&self.terms, value)).collect()
                });
                for state in images(after, &values, width) {
                    if group.hull.add(&state) {
                        let values = group.words.iter().copied().zip(state);
                        work.push_back((group.place, width, values.collect()));
                    }
                }
            }
        }
        true
    }
}

/// States whose affine combinations are the images of a state. A term without a value may have any.
fn images(forms: &[Form], values: &HashMap<Term, u128>, width: u32) -> Vec<Vec<u128>> {
    let mut base = Vec::new();
    let mut free: BTreeMap<Term, Vec<u128>> = BTreeMap::new();
    for (position, form) in forms.iter().enumerate() {
        let mut value = form.constant;
        for (term, &factor) in &form.multiples {
            match values.get(term) {
                Some(known) => value = value.wrapping_add(known.wrapping_mul(factor)),
                None => {
                    let factors = free.entry(*term).or_insert_with(|| vec![0; forms.len()]);
                    factors[position] = factor;
                }
            }
        }
        base.push(value & mask(width));
    }
    let moved = free.into_values().map(|factors| {
        let both = base.iter().zip(factors);
        both.map(|(value, factor)| value.wrapping_add(factor) & mask(width))
            .collect()
    });
    let mut all: Vec<Vec<u128>> = moved.collect();
    all.push(base);
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Bad;
    use crate::tests::small;
    use crate::words::search::{Candidate, evaluator};
    use craig_mc::Alone;

    /// On random automata, the relations of linear steps hold in all states that random runs reach, and every step
    /// preserves them.
    #[test]
    fn relations_hold_in_reachable_states() {
        let mut n_relations = 0;
        for seed in 0..300 {
            let mut cfa = small(seed).cfa;
            let encoded = cfa.to_model(Bad::ErrorOrUnsupported);
            let (vocabulary, alone) = (&encoded.vocabulary, Alone::new());
            let control = alone.control();
            if vocabulary.at.is_empty() {
                continue;
            }
            let mut search = Search::new(
                &encoded.model,
                vocabulary,
                &[],
                crate::words::LONG,
                control.stop,
            );
            let relations = search.linear_relations();
            let mut candidates: Vec<Candidate> = relations
                .iter()
                .map(|&term| search.candidate(term))
                .collect();
            n_relations += candidates.len();
            let mut samples = search.sample();
            search.walk(&mut samples);
            for sample in &samples {
                let mut own = evaluator(&search.terms, search.counter, &search.words, sample);
                for candidate in &candidates {
                    assert_eq!(own.value(candidate.term), 1, "{seed} {cfa}");
                }
            }
            let n_all = candidates.len();
            assert!(search.keep_inductive(&mut candidates).is_some());
            assert_eq!(candidates.len(), n_all, "{seed} {cfa}");
        }
        assert!(n_relations > 50, "{n_relations}");
    }

    #[test]
    fn forms_are_sums_of_multiples() {
        let mut terms = Terms::new();
        let (x, y) = (terms.variable(8), terms.variable(8));
        let (three, five) = (terms.constant(3, 8), terms.constant(5, 8));
        // 5 * (x - 3 * y) + 3 + x
        let multiple = terms.mul(y, three);
        let difference = terms.sub(x, multiple);
        let all = terms.mul(difference, five);
        let all = terms.add(all, three);
        let all = terms.add(all, x);
        let form = form(&terms, all);
        assert_eq!(form.constant, 3);
        assert_eq!(form.multiples, HashMap::from([(x, 6), (y, 241)]));
    }
}
