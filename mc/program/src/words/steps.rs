//! Formulas after a step, in terms of the words before it.
//!
//! A solver finds it hard that a sum of words stays the same in a step that changes several of them, since it
//! sees adders only. Hence a formula is taken through each step on its own: the values of the step replace the
//! words, and sums get a normal form ([`Terms::with_normal_sums`]). Often that is the formula before the step.

use std::collections::HashMap;

use craig_aig::{Aig, Edge};
use craig_solver::encode::Encoder;
use craig_solver::{Answer, Limits, Solver};
use craig_word::{Node, Op, Term, Terms};

use super::search::{Case, Search};
use super::vocabulary::Formulas;

/// A system with more cases than this is taken as a whole.
const MAX_CASES: usize = 32;
/// The most cases where only linear forms of the values matter ([`Search::linear_relations`]): of one step, and of all.
const MAX_LINEAR_CASES: usize = 64;
const MAX_ALL_LINEAR_CASES: usize = 50_000;
/// A step whose values have more terms than this is not split for linear forms.
const MAX_SPLIT_TERMS: usize = 3000;

/// The conflicts of a query whether a case is possible.
const FEW_CONFLICTS: u64 = 50;

/// A solver that is asked for cases of one step.
type Asked = (Solver, Encoder);

impl Search<'_> {
    /// The cases of the steps; none if there are too many, or the steps are not known.
    pub(super) fn cases_of(&mut self, formulas: &Formulas) -> Vec<Case> {
        let whole = self.whole_steps(formulas);
        let mut cases = Vec::new();
        for case in whole {
            let left = MAX_CASES.saturating_sub(cases.len());
            match self.split(case, left, None) {
                (parts, true) => cases.extend(parts),
                (_, false) => return Vec::new(),
            }
        }
        cases
    }

    /// As `cases_of`, for linear forms: a step with too many cases keeps choices in its values. None if the steps are too
    /// many.
    pub(super) fn linear_cases(&mut self, formulas: &Formulas) -> Vec<Case> {
        let mut cases = Vec::new();
        for case in self.whole_steps(formulas) {
            let values: Vec<Term> = case.images.values().copied().collect();
            let n_terms = self.terms.cone(&values, |_| false).len();
            let most = match n_terms > MAX_SPLIT_TERMS {
                true => 1,
                false => MAX_LINEAR_CASES,
            };
            let mut solver = (Solver::new(), Encoder::new());
            cases.extend(self.split(case, most, Some(&mut solver)).0);
            if cases.len() > MAX_ALL_LINEAR_CASES || self.is_over() {
                return Vec::new();
            }
        }
        cases
    }

    /// Each step as one case, with choices in its values.
    fn whole_steps(&mut self, formulas: &Formulas) -> Vec<Case> {
        let own = self.words.iter().copied();
        let mut images: HashMap<Term, Term> = formulas.words.iter().copied().zip(own).collect();
        for (position, (input, edges)) in formulas.inputs.iter().enumerate() {
            let variable = match self.inputs.get(position) {
                Some(&variable) => variable,
                None => {
                    let variable = self.terms.variable(formulas.terms.width(*input));
                    self.now.set(variable, edges);
                    self.inputs.push(variable);
                    variable
                }
            };
            images.insert(*input, variable);
        }
        let mut cases = Vec::new();
        for step in &formulas.steps {
            let elsewhere = self.elsewhere(step.source);
            let here = self.terms.not(elsewhere);
            let mut copy = |term| self.terms.copy(&formulas.terms, term, &mut images);
            let guard = copy(step.guard);
            let assignments = step.assignments.iter();
            let values = assignments.map(|&(word, value)| (self.words[word], copy(value)));
            let values = values.collect();
            cases.push(Case {
                condition: self.terms.and(here, guard),
                source: step.source,
                target: step.target,
                images: values,
            });
        }
        cases
    }

    /// Whether a condition holds somewhere, as far as a short search tells.
    fn is_possible(&mut self, condition: Term, (solver, encoder): &mut Asked) -> bool {
        let mut none = |_: &mut Aig, _: Term| -> Vec<Edge> { unreachable!("all words are set") };
        let aig = &mut self.model.aig;
        let edge = self.now.blast(&self.terms, aig, condition, &mut none)[0];
        let literal = encoder.encode(aig, edge, solver);
        solver.set_limits(Limits {
            conflicts: Some(FEW_CONFLICTS),
            ..Limits::default()
        });
        solver.solve(&[literal]) != Answer::Unsatisfiable
    }

    /// A case split by the choices in its values, into at most `most` cases, and whether no choice is left. With a
    /// solver, cases that are not possible are left out.
    fn split(
        &mut self,
        case: Case,
        most: usize,
        mut asked: Option<&mut Asked>,
    ) -> (Vec<Case>, bool) {
        let mut cases = Vec::new();
        let mut is_whole = true;
        let mut open = vec![case];
        while let Some(case) = open.pop() {
            let mut values: Vec<(Term, Term)> = case.images.iter().map(|(&a, &b)| (a, b)).collect();
            values.sort_unstable();
            let mut values = values.into_iter();
            let Some(choice) = values.find_map(|(_, value)| choice(&self.terms, value)) else {
                cases.push(case);
                continue;
            };
            if cases.len() + open.len() + 1 >= most {
                is_whole = false;
                cases.push(case);
                continue;
            }
            for chosen in [false, true] {
                let literal = match chosen {
                    true => choice,
                    false => self.terms.not(choice),
                };
                let condition = self.terms.and(case.condition, literal);
                let is_impossible = self.terms.constant_value(condition) == Some(0)
                    || (asked.as_deref_mut())
                        .is_some_and(|asked| !self.is_possible(condition, asked));
                if is_impossible {
                    continue;
                }
                let constant = self.terms.boolean(chosen);
                let mut images = HashMap::from([(choice, constant)]);
                let mut given = |value| self.terms.substitute(value, &mut images);
                let values = case.images.iter();
                open.push(Case {
                    condition,
                    source: case.source,
                    target: case.target,
                    images: values.map(|(&word, &value)| (word, given(value))).collect(),
                });
            }
        }
        (cases, is_whole)
    }

    /// The formula after a step: all cases of steps lead to it.
    pub(super) fn after_steps(&mut self, term: Term) -> Edge {
        let width = self.terms.width(self.counter);
        let mut parts = Vec::new();
        for case in &self.cases {
            let target = self.terms.constant(case.target as u128, width);
            let mut images = case.images.clone();
            images.insert(self.counter, target);
            let image = self.terms.substitute(term, &mut images);
            let image = self.terms.with_normal_sums(image);
            if !self.terms.is_true(image) {
                let not_taken = self.terms.not(case.condition);
                parts.push(self.terms.or(not_taken, image));
            }
        }
        let mut none = |_: &mut Aig, _: Term| -> Vec<Edge> { unreachable!("all words are set") };
        let aig = &mut self.model.aig;
        let edges: Vec<Edge> = (parts.iter())
            .map(|&part| self.now.blast(&self.terms, aig, part, &mut none)[0])
            .collect();
        aig.and_all(edges)
    }

    /// Whether a formula has sums of words.
    pub(super) fn has_sums(&self, term: Term) -> bool {
        let cone = self.terms.cone(&[term], |_| false);
        cone.into_iter().any(|term| match self.terms.node(term) {
            Node::Binary(Op::Add | Op::Sub | Op::Mul, a, b) => {
                self.terms.constant_value(a).is_none() && self.terms.constant_value(b).is_none()
            }
            _ => false,
        })
    }
}

/// The condition of a choice that is a value or a summand of it, if there is one.
fn choice(terms: &Terms, value: Term) -> Option<Term> {
    let mut open = vec![value];
    while let Some(term) = open.pop() {
        match terms.node(term) {
            Node::Ite(condition, ..) => return Some(condition),
            Node::Binary(Op::Add | Op::Sub, a, b) => open.extend([a, b]),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use craig_aig::Random;
    use craig_mc::Alone;
    use craig_solver::Answer;

    use super::*;
    use crate::Bad;
    use crate::tests::small;

    /// On random automata, formulas taken through the steps one by one are those that the model's next-state
    /// functions give.
    #[test]
    fn steps_agree_with_the_circuit() {
        let mut n_compared = 0;
        for seed in 0..200 {
            let mut cfa = small(seed).cfa;
            let encoded = cfa.to_model(Bad::ErrorOrUnsupported);
            let (vocabulary, alone) = (&encoded.vocabulary, Alone::new());
            let control = alone.control();
            let mut search = Search::new(
                &encoded.model,
                vocabulary,
                &[],
                crate::words::LONG,
                control.stop,
            );
            let words = search.words.clone();
            if search.cases.is_empty() || words.is_empty() {
                continue;
            }
            let mut random = Random::new(seed);
            for place in 1..=vocabulary.at.len() {
                let mut pick = || words[random.below(words.len())];
                let (x, y, z) = (pick(), pick(), pick());
                let terms = &mut search.terms;
                let (sum, difference) = (terms.add(x, y), terms.sub(x, z));
                let body = match place % 3 {
                    0 => terms.eq(sum, difference),
                    1 => terms.slt(sum, z),
                    _ => terms.ule(difference, y),
                };
                let elsewhere = search.elsewhere(place);
                let term = search.terms.or(elsewhere, body);
                let by_steps = search.after_steps(term);
                let mut none =
                    |_: &mut Aig, _: Term| -> Vec<Edge> { unreachable!("all words are set") };
                let aig = &mut search.model.aig;
                let then = search.then.blast(&search.terms, aig, term, &mut none)[0];
                let differs = aig.xor(by_steps, then);
                let differs = search.encoder.encode(aig, differs, &mut search.solver);
                let answer = search.solver.solve(&[differs]);
                assert_eq!(answer, Answer::Unsatisfiable, "{seed}, place {place}");
                n_compared += 1;
            }
        }
        assert!(n_compared > 100, "{n_compared}");
    }
}
