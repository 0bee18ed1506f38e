//! Affine relations between the words at each place that every step preserves.

use std::collections::BTreeSet;

use craig_solver::Answer;
use craig_word::Term;

use super::affine::Affine;
use super::search::{ALL_CONFLICTS, Candidate, Sample, Search};

/// Limits on the number of words of one width at a place, and on the number of rounds.
const MAX_RELATED: usize = 24;
const MAX_ROUNDS: usize = 200;

impl Search<'_> {
    /// The affine relations at all places that the steps preserve: starting from those of the samples,
    /// successors of states in which they hold are added until there are no new ones. `None` if that takes
    /// too long.
    ///
    /// King, Søndergaard, *Automatic abstraction for congruences* (VMCAI 2010).
    pub(super) fn relations(&mut self, samples: &[Sample]) -> Vec<Term> {
        let vocabulary = self.vocabulary;
        let mut spaces: Vec<(usize, Vec<usize>, Affine)> = Vec::new();
        for (index, at) in vocabulary.at.iter().enumerate() {
            let width = |word: usize| vocabulary.words[word].len();
            let widths: BTreeSet<usize> = at.iter().map(|&word| width(word)).collect();
            for own in widths.into_iter().filter(|&width| width > 1) {
                let words = at.iter().copied().filter(|&word| width(word) == own);
                let words: Vec<usize> = words.take(MAX_RELATED).collect();
                let affine = Affine::new(own as u32, words.len());
                spaces.push((index + 1, words, affine));
            }
        }
        let add = |spaces: &mut Vec<(usize, Vec<usize>, Affine)>, sample: &Sample| {
            let mut changed = false;
            for (place, words, affine) in spaces {
                if *place == sample.place {
                    let state: Vec<u128> = words.iter().map(|&word| sample.words[word]).collect();
                    changed |= affine.add(&state);
                }
            }
            changed
        };
        for sample in samples {
            add(&mut spaces, sample);
        }
        for _ in 0..MAX_ROUNDS {
            let mut found = Vec::new();
            for (place, words, affine) in &spaces {
                let elsewhere = self.elsewhere(*place);
                let words: Vec<Term> = words.iter().map(|&word| self.words[word]).collect();
                for body in affine.relations(&mut self.terms, &words) {
                    let term = self.terms.or(elsewhere, body);
                    if !self.terms.is_true(term) {
                        found.push(term);
                    }
                }
            }
            let candidates: Vec<Candidate> =
                found.iter().map(|&term| self.candidate(term)).collect();
            match self.find_broken(&candidates, ALL_CONFLICTS) {
                Answer::Unsatisfiable => return found,
                Answer::Satisfiable => {
                    let sample = self.next_state(0);
                    if !add(&mut spaces, &sample) {
                        debug_assert!(false, "the step breaks a relation");
                        return Vec::new();
                    }
                }
                Answer::Unknown => {
                    return Vec::new();
                }
            }
        }
        Vec::new()
    }
}
