//! Predicates over the words of a circuit that lemmas may mention.
//!
//! PDR states its lemmas over latches, and over bits, `i <= k` for two words is no short formula. The predicates here are the
//! comparisons that the system itself makes and that are given as candidates, what these were a step earlier (as in weakest
//! preconditions), and the order of words that it compares. None of them is said to hold: they are what
//! [`check_with_signals`](craig_mc::engine::pdr::check_with_signals) may form lemmas of.

use std::collections::{BTreeSet, HashMap, HashSet};

use craig_aig::{Aig, Edge};
use craig_model::Model;
use craig_word::{Blaster, Node, Op, Term, Terms};

use super::vocabulary::Vocabulary;

/// The most predicates: each is in every cube.
const MAX_SIGNALS: usize = 48;
/// The most that were a comparison a step later.
const MAX_EARLIER: usize = 16;
/// With more steps than this, there are none of these.
const MAX_STEPS: usize = 200;
/// A predicate of more terms than this is left out.
const MAX_TERMS: usize = 24;

/// The model with the formulas of predicates over its words in its graph, the likelier to be of use first; `None` if there
/// are none.
#[must_use]
pub fn signals(model: &Model, vocabulary: &Vocabulary) -> Option<(Model, Vec<Edge>)> {
    let mut collected = Collected::new(vocabulary);
    collected.stated();
    collected.orders();
    collected.earlier();
    if collected.found.is_empty() {
        return None;
    }
    let mut model = model.clone();
    let mut blaster = Blaster::new();
    for (&word, edges) in vocabulary.formulas.words.iter().zip(&vocabulary.words) {
        blaster.set(word, edges);
    }
    let mut none = |_: &mut Aig, _: Term| -> Vec<Edge> { unreachable!("all words are set") };
    let (terms, found) = (&collected.terms, collected.found.iter());
    let edges = found.map(|&term| blaster.blast(terms, &mut model.aig, term, &mut none)[0]);
    let edges = edges.collect();
    Some((model, edges))
}

/// Predicates over the words of a system.
struct Collected<'a> {
    vocabulary: &'a Vocabulary,
    /// Those of the system's formulas and more.
    terms: Terms,
    words: HashSet<Term>,
    found: Vec<Term>,
    known: HashSet<Term>,
}

impl<'a> Collected<'a> {
    fn new(vocabulary: &'a Vocabulary) -> Self {
        let formulas = &vocabulary.formulas;
        Self {
            vocabulary,
            terms: formulas.terms.clone(),
            words: formulas.words.iter().copied().collect(),
            found: Vec::new(),
            known: HashSet::new(),
        }
    }

    /// Adds a predicate unless it or its negation is there, it reads inputs, or it is large.
    fn add(&mut self, predicate: Term) {
        let positive = match self.terms.node(predicate) {
            Node::Not(inner) => inner,
            _ => predicate,
        };
        if self.found.len() >= MAX_SIGNALS || !self.known.insert(positive) {
            return;
        }
        let cone = self.terms.cone(&[positive], |_| false);
        let is_own = |term: &Term| match self.terms.node(*term) {
            Node::Var(_) => self.words.contains(term),
            Node::Binary(Op::UDiv | Op::URem | Op::SDiv | Op::SRem, ..) => false,
            _ => true,
        };
        let reads = cone.iter().any(|term| self.words.contains(term));
        if reads && cone.len() <= MAX_TERMS && cone.iter().all(is_own) {
            self.found.push(positive);
        }
    }

    /// The comparisons of the errors, of the given candidates, and of the guards.
    fn stated(&mut self) {
        let formulas = &self.vocabulary.formulas;
        let given = formulas.candidates.iter().take(formulas.n_likely);
        let given = given.map(|&(_, condition)| condition);
        let guards = formulas.steps.iter().map(|step| step.guard);
        let roots = formulas.bads.iter().copied();
        let after = self.guards_after();
        for root in roots.chain(guards).chain(after).chain(given) {
            for atom in atoms(&self.terms, root) {
                self.add(atom);
            }
        }
    }

    /// The guards on inputs that become values of words, as conditions on these words after the step.
    fn guards_after(&mut self) -> Vec<Term> {
        let formulas = &self.vocabulary.formulas;
        let mut found = Vec::new();
        for step in &formulas.steps {
            let mut images: HashMap<Term, Term> = HashMap::new();
            for &(word, value) in &step.assignments {
                if matches!(self.terms.node(value), Node::Var(_)) && !self.words.contains(&value) {
                    images.entry(value).or_insert(formulas.words[word]);
                }
            }
            if !images.is_empty() {
                found.push(self.terms.substitute(step.guard, &mut images));
            }
        }
        found
    }

    /// The order of words that the system compares with each other, or with sums of each other, as it compares them.
    fn orders(&mut self) {
        let formulas = &self.vocabulary.formulas;
        let guards = formulas.steps.iter().map(|step| step.guard);
        let roots: Vec<Term> = (formulas.bads.iter().copied()).chain(guards).collect();
        let mut pairs: BTreeSet<(bool, Term, Term)> = BTreeSet::new();
        for term in self.terms.cone(&roots, |_| false) {
            if let Node::Binary(op @ (Op::Eq | Op::Ult | Op::Slt), a, b) = self.terms.node(term) {
                let width = self.terms.width(a);
                let read: Vec<Term> = (self.terms.cone(&[a, b], |_| false).into_iter())
                    .filter(|term| self.words.contains(term) && self.terms.width(*term) == width)
                    .collect();
                if width == 1 || read.len() > 4 {
                    continue;
                }
                for (position, &x) in read.iter().enumerate() {
                    for &y in &read[position + 1..] {
                        pairs.insert((op == Op::Ult, x.min(y), x.max(y)));
                    }
                }
            }
        }
        for (is_unsigned, x, y) in pairs {
            let equal = self.terms.eq(x, y);
            self.add(equal);
            let orders = match is_unsigned {
                true => [self.terms.ult(x, y), self.terms.ult(y, x)],
                false => [self.terms.slt(x, y), self.terms.slt(y, x)],
            };
            orders.into_iter().for_each(|order| self.add(order));
        }
    }

    /// What the predicates were before a step: the values of the step in the place of its words.
    fn earlier(&mut self) {
        let most = (self.found.len() + MAX_EARLIER).min(MAX_SIGNALS);
        let formulas = &self.vocabulary.formulas;
        if formulas.steps.len() > MAX_STEPS {
            return;
        }
        for predicate in self.found.clone() {
            if self.found.len() >= most {
                return;
            }
            for step in &formulas.steps {
                let assignments = step.assignments.iter();
                let mut images: HashMap<Term, Term> = assignments
                    .map(|&(word, value)| (formulas.words[word], value))
                    .collect();
                let before = self.terms.substitute(predicate, &mut images);
                for atom in atoms(&self.terms, before) {
                    if self.found.len() < most {
                        self.add(atom);
                    }
                }
            }
        }
    }
}

/// The parts of a condition that are no conjunctions, disjunctions or choices, without those that are variables.
fn atoms(terms: &Terms, condition: Term) -> Vec<Term> {
    let mut found = Vec::new();
    let mut seen: HashSet<Term> = HashSet::new();
    let mut work = vec![condition];
    while let Some(term) = work.pop() {
        if !seen.insert(term) {
            continue;
        }
        debug_assert_eq!(terms.width(term), 1);
        match terms.node(term) {
            Node::Not(inner) => work.push(inner),
            Node::Binary(Op::Eq | Op::Ult | Op::Slt, a, _) if terms.width(a) > 1 => {
                found.push(term);
            }
            Node::Binary(_, a, b) if terms.width(a) == 1 => work.extend([a, b]),
            Node::Ite(condition, then, otherwise) => work.extend([condition, then, otherwise]),
            _ => {}
        }
    }
    found
}
