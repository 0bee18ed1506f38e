//! Candidates that come with the system: annotations of a program.

use std::collections::{HashMap, HashSet};

use craig_word::Term;

use super::search::{Sample, Search, evaluator};

impl Search<'_> {
    /// The given candidates that hold in all samples, each as a condition on the place, too: the likelier ones, and the others.
    pub(super) fn given(&mut self, samples: &[Sample]) -> (Vec<Term>, Vec<Term>) {
        let formulas = &self.vocabulary.formulas;
        let own = self.words.iter().copied();
        let mut images: HashMap<Term, Term> = formulas.words.iter().copied().zip(own).collect();
        let mut found = Vec::new();
        let mut known = HashSet::new();
        let mut n_likely = 0;
        for (number, &(place, condition)) in formulas.candidates.iter().enumerate() {
            let elsewhere = self.elsewhere(place);
            let body = self.terms.copy(&formulas.terms, condition, &mut images);
            let term = self.terms.or(elsewhere, body);
            if !self.terms.is_true(term) && known.insert(term) {
                found.push(term);
            }
            if number < formulas.n_likely {
                n_likely = found.len();
            }
        }
        let mut others = found.split_off(n_likely);
        for sample in samples {
            let mut evaluator = evaluator(&self.terms, self.counter, &self.words, sample);
            found.retain(|&term| evaluator.value(term) == 1);
            others.retain(|&term| evaluator.value(term) == 1);
        }
        (found, others)
    }
}
