//! Candidate invariants over one, two and three words at a place.

use std::collections::{BTreeSet, HashMap, HashSet};

use craig_word::{Node, Op, Term, Terms, from_signed, mask, to_signed};

use super::search::{Candidate, Sample, Search, evaluator};

/// With more words at a place than this, pairs are skipped.
const MAX_PAIRED: usize = 10;
/// With more words at a place than this, triples are skipped.
const MAX_TRIPLES: usize = 7;
const MAX_CANDIDATES: usize = 800;
const MAX_CONSTANTS: usize = 12;
/// The most constants that bound differences.
const MAX_FAR: usize = 4;
/// Bounds of a difference or a sum are candidates if its values lie within this range.
const MAX_SPREAD: i128 = 1 << 12;

/// The candidates of one round, the likelier and cheaper ones first.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Round {
    /// That places without samples are not reached.
    Reached,
    /// Those about one word, and about two that a guard compares.
    Bounds,
    /// The likelier ones of those that the program states itself.
    Likely,
    /// All of these.
    Given,
    /// Those about one or two words as well.
    Templates,
    /// Those about three.
    Triples,
    /// What holds under a condition of the steps.
    Phases,
}

impl Round {
    /// All rounds, in their order.
    pub(super) const ALL: [Self; 7] = [
        Self::Reached,
        Self::Bounds,
        Self::Likely,
        Self::Given,
        Self::Templates,
        Self::Triples,
        Self::Phases,
    ];

    /// For messages.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Reached => "places",
            Self::Bounds => "bounds",
            Self::Likely => "likely claims",
            Self::Given => "claims",
            Self::Templates => "one and two words",
            Self::Phases => "phases",
            Self::Triples => "three words",
        }
    }

    /// Whether the likelier given candidates, and the others, take part.
    pub(super) fn has_given(self) -> (bool, bool) {
        let has_likely = !matches!(self, Self::Reached | Self::Bounds);
        (has_likely, has_likely && self != Self::Likely)
    }

    /// Whether there are candidates from templates.
    pub(super) fn has_templates(self) -> bool {
        !matches!(self, Self::Likely | Self::Given)
    }
}

impl Search<'_> {
    /// The candidates that hold in all samples and are not known already. Nothing filters those at a place without
    /// samples, so that they are few.
    pub(super) fn template_candidates(
        &mut self,
        samples: &[Sample],
        mut known: HashSet<Term>,
        round: Round,
    ) -> Vec<Candidate> {
        let mut terms = Vec::new();
        let n_places = self.vocabulary.at.len();
        let mut n_here = vec![0usize; n_places + 1];
        for sample in samples {
            n_here[sample.place] += 1;
        }
        let (sampled, others): (Vec<usize>, Vec<usize>) =
            (1..=n_places).partition(|&place| n_here[place] > 0);
        for place in sampled.into_iter().chain(others) {
            let here: Vec<&Sample> = samples.iter().filter(|s| s.place == place).collect();
            let elsewhere = self.elsewhere(place);
            let mut bodies = match (round, here.is_empty()) {
                (Round::Reached, true) => vec![self.terms.boolean(false)],
                (Round::Reached, false) => continue,
                (_, true) if known.contains(&elsewhere) => continue,
                (_, false) => self.templates(place, &here, round),
                (_, true) => {
                    // With other invariants, the place may turn out not to be reached.
                    let mut bodies = vec![self.terms.boolean(false)];
                    bodies.extend(self.templates(place, &here, round));
                    bodies
                }
            };
            for sample in &here {
                let mut evaluator = evaluator(&self.terms, self.counter, &self.words, sample);
                bodies.retain(|&body| evaluator.value(body) == 1);
            }
            for body in bodies {
                let term = self.terms.or(elsewhere, body);
                if !self.terms.is_true(term) && known.insert(term) && terms.len() < MAX_CANDIDATES {
                    terms.push(term);
                }
            }
        }
        terms.into_iter().map(|term| self.candidate(term)).collect()
    }

    /// Candidates at a place: the likelier and cheaper first.
    fn templates(&mut self, place: usize, samples: &[&Sample], round: Round) -> Vec<Term> {
        let vocabulary = self.vocabulary;
        let at = &vocabulary.at[place - 1];
        let has_samples = !samples.is_empty();
        if round == Round::Triples {
            return match has_samples {
                true => self.triples(at),
                false => Vec::new(),
            };
        }
        if round == Round::Phases {
            return match has_samples && self.counts() {
                true => self.phases(at, samples),
                false => Vec::new(),
            };
        }
        let mut bodies = Vec::new();
        if round == Round::Bounds {
            bodies.extend(self.stated(at));
        }
        for &word in at {
            self.about_one(word, samples, &mut bodies);
        }
        let has_all = round != Round::Bounds && has_samples;
        if at.len() > MAX_PAIRED && has_all {
            return bodies;
        }
        let compared = match has_all {
            true => HashSet::new(),
            false => self.compared(),
        };
        let width = |word: usize| vocabulary.words[word].len();
        for &x in at {
            for &y in at {
                let is_left_out = !has_all && !compared.contains(&(x, y));
                if x != y && width(x) == width(y) && width(x) > 1 && !is_left_out {
                    self.about_two(x, y, samples, &mut bodies);
                    if x < y {
                        self.about_distance(x, y, samples, &mut bodies);
                    }
                }
            }
        }
        bodies
    }

    /// The pairs of words that guards compare.
    fn compared(&self) -> HashSet<(usize, usize)> {
        let formulas = &self.vocabulary.formulas;
        let number: HashMap<Term, usize> = (formulas.words.iter().copied()).zip(0..).collect();
        let guards: Vec<Term> = formulas.steps.iter().map(|step| step.guard).collect();
        let mut found = HashSet::new();
        for term in formulas.terms.cone(&guards, |_| false) {
            if let Node::Binary(Op::Eq | Op::Ult | Op::Slt, a, b) = formulas.terms.node(term)
                && let (Some(&a), Some(&b)) = (number.get(&a), number.get(&b))
            {
                found.extend([(a, b), (b, a)]);
            }
        }
        found
    }

    fn triples(&mut self, at: &[usize]) -> Vec<Term> {
        let vocabulary = self.vocabulary;
        let width = |word: usize| vocabulary.words[word].len();
        let mut bodies = Vec::new();
        if at.len() <= MAX_TRIPLES {
            for (position, &x) in at.iter().enumerate() {
                for &y in &at[position + 1..] {
                    for &z in at {
                        let same = width(x) == width(y) && width(y) == width(z) && width(x) > 1;
                        if z != x && z != y && same {
                            self.about_three(x, y, z, &mut bodies);
                        }
                    }
                }
            }
        }
        bodies
    }

    fn about_one(&mut self, word: usize, samples: &[&Sample], bodies: &mut Vec<Term>) {
        let x = self.words[word];
        let width = self.terms.width(x);
        let mut values = samples.iter().map(|sample| sample.words[word]);
        let first = values.next().unwrap_or(0);
        let terms = &mut self.terms;
        let own = terms.constant(first, width);
        bodies.push(terms.eq(x, own));
        if width == 1 {
            return;
        }
        for bits in 1..=2 {
            let low = terms.extract(x, 0, bits);
            let value = terms.constant(first & mask(bits), bits);
            bodies.push(terms.eq(low, value));
        }
        let constants = &self.vocabulary.constants;
        let constants = constants.range((width, 0)..=(width, mask(width)));
        let mut bounds: BTreeSet<u128> = BTreeSet::from([0, 1, first]);
        for &(_, value) in constants.take(MAX_CONSTANTS) {
            let near = [value, value.wrapping_add(1), value.wrapping_sub(1)];
            bounds.extend(near.map(|value| value & mask(width)));
        }
        // The extreme values of the samples, too.
        let seen = samples.iter().map(|sample| sample.words[word]);
        bounds.extend(seen.clone().min_by_key(|&value| to_signed(value, width)));
        bounds.extend(seen.clone().max_by_key(|&value| to_signed(value, width)));
        bounds.extend(seen.clone().max());
        // The range of a narrower type, of which a value may be converted.
        for bits in [8, 16, 32] {
            let fits = |value: u128| {
                let value = to_signed(value, width);
                -(1 << (bits - 1)) <= value && value < 1 << (bits - 1)
            };
            if bits < width && seen.clone().all(fits) {
                let largest = mask(bits - 1);
                bounds.extend([largest, !largest & mask(width)]);
                break;
            }
        }
        for value in bounds {
            let bound = terms.constant(value, width);
            bodies.extend([
                terms.sle(bound, x),
                terms.sle(x, bound),
                terms.ule(x, bound),
            ]);
        }
    }

    fn about_two(&mut self, one: usize, other: usize, samples: &[&Sample], bodies: &mut Vec<Term>) {
        let (x, y) = (self.words[one], self.words[other]);
        let width = self.terms.width(x);
        let entries = samples.iter().filter(|sample| sample.is_entry);
        let entry: BTreeSet<u128> = entries.map(|sample| sample.words[one]).collect();
        let terms = &mut self.terms;
        let constant = |terms: &mut Terms, value: u128| terms.constant(value & mask(width), width);
        let one_more = constant(terms, 1);
        let (up, down) = (terms.add(x, one_more), terms.sub(x, one_more));
        let orders = [
            terms.sle(x, y),
            terms.slt(x, y),
            terms.ule(x, y),
            terms.ult(x, y),
            terms.sle(down, y),
            terms.sle(y, up),
            terms.ule(down, y),
        ];
        bodies.extend(orders);
        // On entry, before the first iteration, the order may differ.
        if let Some(&value) = entry.first()
            && entry.len() == 1
        {
            let start = constant(terms, value);
            let at_start = terms.eq(x, start);
            let back = [terms.sle(y, x), terms.slt(y, x), terms.sle(y, up)];
            for order in orders[..5].iter().chain(&back) {
                bodies.push(terms.or(at_start, *order));
            }
        }
    }

    /// The distances of two words, or of one and the negation of the other.
    fn about_distance(
        &mut self,
        one: usize,
        other: usize,
        samples: &[&Sample],
        bodies: &mut Vec<Term>,
    ) {
        let (x, y) = (self.words[one], self.words[other]);
        let terms = &mut self.terms;
        let width = terms.width(x);
        for (term, sign) in [(terms.sub(x, y), false), (terms.add(x, y), true)] {
            let values = samples.iter().map(|sample| {
                let (x, y) = (sample.words[one], sample.words[other]);
                let y = if sign { y } else { y.wrapping_neg() };
                to_signed(x.wrapping_add(y) & mask(width), width)
            });
            let (Some(least), Some(largest)) = (values.clone().min(), values.max()) else {
                continue;
            };
            if largest - least <= MAX_SPREAD {
                let least = terms.constant(from_signed(least, width), width);
                let largest = terms.constant(from_signed(largest, width), width);
                bodies.extend([terms.sle(least, term), terms.sle(term, largest)]);
            }
        }
        // Bounds by the constants that the program compares with.
        let constants = &self.vocabulary.constants;
        let constants = constants.range((width, 2)..=(width, mask(width)));
        for &(_, value) in constants.take(MAX_FAR) {
            let bound = terms.constant(value, width);
            for difference in [terms.sub(x, y), terms.sub(y, x)] {
                bodies.extend([terms.slt(difference, bound), terms.sle(difference, bound)]);
            }
        }
    }

    fn about_three(&mut self, one: usize, two: usize, three: usize, bodies: &mut Vec<Term>) {
        let (x, y, z) = (self.words[one], self.words[two], self.words[three]);
        let terms = &mut self.terms;
        let sum = terms.add(x, y);
        bodies.extend([
            terms.sle(z, sum),
            terms.slt(z, sum),
            terms.sle(sum, z),
            terms.slt(sum, z),
        ]);
    }
}
