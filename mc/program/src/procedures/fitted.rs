//! Candidates that are fitted to samples: linear equalities modulo 2^w between words at entry and exit, and powers of two.
//!
//! They relate results, and globals behind the call, with the arguments and the globals before it, under a condition on
//! the entry: `m == 2 -> result == 2 * n + 3`, `n != 0 -> counter == \old(counter) + (1 << n) - 1`.

use std::collections::HashMap;

use craig_model::Stop;
use craig_word::{Evaluator, Op, Term, mask};

use super::idle::idle_words;
use super::inductive::{Candidate, Kind};
use super::samples::{Sample, samples};
use super::templates;
use super::{Procedures, SummaryWord};
use crate::words::Affine;

/// Guards of one procedure that hold in the same samples, and all of them, at most.
const MAX_ALIKE: usize = 6;
const MAX_GUARDS: usize = 64;
/// Samples in which a guard has to hold beyond those that determine the coefficients.
const SPARE: usize = 2;
/// Words of one width, at most.
const MAX_WORDS: usize = 10;
/// Factors of powers of two.
const FACTORS: [i128; 8] = [1, 2, 3, 4, 5, 8, 16, -1];

/// Candidates for all procedures.
pub(super) fn candidates(problem: &mut Procedures, stop: &Stop) -> Vec<Candidate> {
    let samples = samples(problem, stop);
    let mut found = Vec::new();
    for (procedure, samples) in samples.iter().enumerate() {
        for (guard, chosen) in guards(problem, procedure, samples) {
            found.push(Candidate {
                procedure,
                kind: Kind::Requires,
                condition: guard,
            });
            if stop.reason().is_some() {
                return found;
            }
            let mut facts = linear(problem, procedure, &chosen);
            facts.extend(powers(problem, procedure, &chosen));
            for fact in facts {
                let not_fact = problem.terms.not(fact);
                let both = problem.terms.and(guard, not_fact);
                found.push(Candidate {
                    procedure,
                    kind: Kind::Ensures,
                    condition: problem.terms.not(both),
                });
            }
        }
    }
    found
}

/// Conditions on the entry, and the samples in which they hold; "true" comes first.
fn guards<'a>(
    problem: &mut Procedures,
    procedure: usize,
    samples: &'a [Sample],
) -> Vec<(Term, Vec<&'a Sample>)> {
    let entry: Vec<Term> = (problem.procedures[procedure].entry.iter())
        .map(|word| word.term)
        .collect();
    let mut conditions = vec![problem.terms.boolean(true)];
    conditions.extend(templates::guards(problem, procedure));
    let mut alike: HashMap<Vec<bool>, usize> = HashMap::new();
    let mut found = Vec::new();
    for condition in conditions {
        let holds: Vec<bool> = (samples.iter())
            .map(|(values, _)| {
                let of = |term: Term, _: u32| {
                    let place = entry.iter().position(|&word| word == term);
                    place.map_or(0, |place| values[place])
                };
                Evaluator::new(&problem.terms, of).value(condition) == 1
            })
            .collect();
        let count = alike.entry(holds.clone()).or_default();
        *count += 1;
        if *count > MAX_ALIKE {
            continue;
        }
        let chosen = samples.iter().zip(&holds).filter(|&(_, &holds)| holds);
        found.push((condition, chosen.map(|(sample, _)| sample).collect()));
        if found.len() >= MAX_GUARDS {
            break;
        }
    }
    found
}

/// The words of a width with their places: those at the entry, and then those at the exit.
fn words_of(problem: &Procedures, procedure: usize, width: u32) -> (Vec<usize>, Vec<usize>) {
    let own = &problem.procedures[procedure];
    let idle = idle_words(problem);
    let places = |words: &[SummaryWord]| {
        let has_width = |&place: &usize| {
            let term = words[place].term;
            problem.terms.width(term) == width && !idle.contains(&term)
        };
        let places: Vec<usize> = (0..words.len()).filter(has_width).take(MAX_WORDS).collect();
        places
    };
    (places(&own.entry), places(&own.exit))
}

fn widths(problem: &Procedures, procedure: usize) -> Vec<u32> {
    let exit = problem.procedures[procedure].exit.iter();
    let mut widths: Vec<u32> = exit.map(|word| problem.terms.width(word.term)).collect();
    widths.sort_unstable();
    widths.dedup();
    widths.retain(|&width| width > 1);
    widths
}

/// Linear equalities that hold in the samples and are about the exit.
fn linear(problem: &mut Procedures, procedure: usize, samples: &[&Sample]) -> Vec<Term> {
    let mut found = Vec::new();
    for width in widths(problem, procedure) {
        let (entry, exit) = words_of(problem, procedure, width);
        let n_words = entry.len() + exit.len();
        if samples.len() < n_words + SPARE {
            continue;
        }
        let own = &problem.procedures[procedure];
        let terms_of = |words: &[SummaryWord], places: &[usize]| -> Vec<Term> {
            places.iter().map(|&place| words[place].term).collect()
        };
        let mut words = terms_of(&own.entry, &entry);
        let at_exit = terms_of(&own.exit, &exit);
        words.extend(&at_exit);
        let mut affine = Affine::new(width, n_words);
        for (before, behind) in samples {
            let state: Vec<u128> = (entry.iter().map(|&place| before[place]))
                .chain(exit.iter().map(|&place| behind[place]))
                .collect();
            affine.add(&state);
        }
        let relations = affine.whole_relations(&mut problem.terms, &words);
        found.extend(relations.into_iter().filter(|&relation| {
            let cone = problem.terms.cone(&[relation], |_| false);
            at_exit.iter().any(|word| cone.binary_search(word).is_ok())
        }));
    }
    found
}

/// Equalities `exit == c << word + d`, and `exit == other + c << word + d`, where both words are of the entry.
fn powers(problem: &mut Procedures, procedure: usize, samples: &[&Sample]) -> Vec<Term> {
    let mut found = Vec::new();
    if samples.len() < 2 + SPARE {
        return found;
    }
    for width in widths(problem, procedure) {
        let (entry, exit) = words_of(problem, procedure, width);
        for &result in &exit {
            for &exponent in &entry {
                let others = std::iter::once(None).chain(entry.iter().map(|&place| Some(place)));
                for other in others.filter(|&other| other != Some(exponent)) {
                    let fit = (FACTORS.iter().copied())
                        .find_map(|factor| fit(samples, width, (result, exponent, other), factor));
                    let Some((factor, offset)) = fit else {
                        continue;
                    };
                    let Procedures {
                        terms, procedures, ..
                    } = &mut *problem;
                    let own = &procedures[procedure];
                    let factor = terms.constant(factor, width);
                    let shifted = terms.binary(Op::Shl, factor, own.entry[exponent].term);
                    let offset = terms.constant(offset, width);
                    let mut sum = terms.add(shifted, offset);
                    if let Some(other) = other {
                        sum = terms.add(sum, own.entry[other].term);
                    }
                    found.push(terms.eq(own.exit[result].term, sum));
                }
            }
        }
    }
    found
}

/// The factor and the offset, if all samples fit, and the exponent is not the same in all of them.
fn fit(
    samples: &[&Sample],
    width: u32,
    (result, exponent, other): (usize, usize, Option<usize>),
    factor: i128,
) -> Option<(u128, u128)> {
    let factor = factor as u128 & mask(width);
    let offset = |(before, behind): &Sample| {
        let shift = before[exponent];
        let power = match shift < u128::from(width) {
            true => factor << shift,
            false => 0,
        };
        let other = other.map_or(0, |place| before[place]);
        behind[result].wrapping_sub(power).wrapping_sub(other) & mask(width)
    };
    let first = samples.first()?;
    let value = offset(first);
    let fits = samples.iter().all(|sample| offset(sample) == value);
    // Few exponents would fit anything.
    let mut exponents: Vec<u128> = samples.iter().map(|sample| sample.0[exponent]).collect();
    exponents.sort_unstable();
    exponents.dedup();
    (fits && exponents.len() > 2).then_some((factor, value))
}
