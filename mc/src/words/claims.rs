//! Candidates that come with the system: annotations of a program.

use std::collections::HashMap;

use craig_word::Term;

use super::search::{Sample, Search, evaluator};

impl Search<'_> {
    /// The claims that hold in all samples, each as a condition on the place, too.
    pub(super) fn claims(&mut self, samples: &[Sample]) -> Vec<Term> {
        let formulas = &self.vocabulary.formulas;
        let own = self.words.iter().copied();
        let mut images: HashMap<Term, Term> = formulas.words.iter().copied().zip(own).collect();
        let mut found = Vec::new();
        for &(place, condition) in &formulas.claims {
            let elsewhere = self.elsewhere(place);
            let body = self.terms.copy(&formulas.terms, condition, &mut images);
            let term = self.terms.or(elsewhere, body);
            if !self.terms.is_true(term) && !found.contains(&term) {
                found.push(term);
            }
        }
        for sample in samples {
            let mut evaluator = evaluator(&self.terms, self.counter, &self.words, sample);
            found.retain(|&term| evaluator.value(term) == 1);
        }
        found
    }
}
