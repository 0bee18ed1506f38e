//! From control-flow automata to circuits: the program as one loop.
//!
//! Beyer, Lee, Wendler, *Interpolation and SAT-based model checking revisited* (2022), section on large-block
//! encoding and the single-loop transformation, after Aho et al.: a program counter holds the current
//! location, and one step of the circuit takes one edge.

use std::collections::{BTreeSet, HashMap, HashSet};

use craig_aig::{Aig, Edge as AigEdge};
use craig_model::{Latch, Model, Reset, Trace};
use craig_word::{Blaster, Node, Op, Term};

use super::cfa::{Cfa, LocationId};
use crate::words::{Formulas, Step, Vocabulary};

/// The bad of the circuit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bad {
    /// An edge to the error is taken.
    Error,
    /// An edge to the error or to the unsupported location is taken. If this is unreachable, the program is
    /// safe.
    ErrorOrUnsupported,
}

/// An automaton as a circuit, with the data to decode its traces and to state invariants over it.
///
/// One step of the circuit takes one edge. All latches start at 0: the program counter at [`Cfa::START`], all
/// words at 0. If no edge to an inner location can be taken, the counter gets a value that belongs to no
/// location, and keeps it. The bad reads the state and inputs of the step that would take the edge. Only
/// words on which the bad depends become latches; there are no constraints.
pub struct CfaModel {
    /// The circuit; it has one bad.
    pub model: Model,
    /// The words of the state, for templates of invariants.
    pub vocabulary: Vocabulary,
    /// The variable and bit of each input.
    inputs: Vec<(Term, u32)>,
    /// The latches of each word and of the program counter, lowest bit first.
    latches: HashMap<Term, Vec<usize>>,
    /// The value after a step of each word that changes, and of the counter.
    next: HashMap<Term, Term>,
    counter: Term,
    n_inner: u32,
}

/// One step of a trace, in terms of the automaton.
#[derive(Clone, Debug)]
pub struct Visit {
    /// The source of the step; `None` once the run has ended.
    pub location: Option<LocationId>,
    /// The values of words and inputs before the step; missing ones are 0.
    pub values: HashMap<Term, u128>,
}

/// The value of the program counter at a location with outgoing edges.
fn code(location: LocationId) -> u128 {
    match location.index() {
        0 => 0,
        index => index as u128 - 2,
    }
}

impl Cfa {
    /// The automaton as a circuit. Adds terms to [`Cfa::terms`], the same ones at every call.
    ///
    /// The edges of each location must exclude each other: of two edges that can be taken at once, the
    /// circuit takes the later one.
    #[must_use]
    pub fn to_model(&mut self, bad: Bad) -> CfaModel {
        let halted = self.locations().len() as u128 - 2;
        if halted >> self.terms.width(self.counter) != 0 {
            self.counter = self.terms.variable(32);
        }
        let (counter, width) = (self.counter, self.terms.width(self.counter));
        let mut next: HashMap<Term, Term> = HashMap::new();
        let mut counter_next = self.terms.constant(halted, width);
        let mut is_bad = self.terms.boolean(false);
        for source in self.sources() {
            let number = self.terms.constant(code(source), width);
            let here = self.terms.eq(counter, number);
            for edge in self.outgoing(source).to_vec() {
                let edge = self.edge(edge).clone();
                let terms = &mut self.terms;
                if edge.target == Self::UNSUPPORTED && bad == Bad::Error {
                    continue;
                }
                let taken = terms.and(here, edge.guard);
                if edge.target == Self::ERROR || edge.target == Self::UNSUPPORTED {
                    is_bad = terms.or(is_bad, taken);
                    continue;
                }
                let number = terms.constant(code(edge.target), width);
                counter_next = terms.ite(taken, number, counter_next);
                for assignment in &edge.assignments {
                    // On other edges the word keeps its value, unless a later edge assigns it.
                    let old = next.get(&assignment.word).copied();
                    let old = old.unwrap_or(assignment.word);
                    let new = terms.ite(taken, assignment.value, old);
                    next.insert(assignment.word, new);
                }
            }
        }
        next.insert(counter, counter_next);
        self.blast(is_bad, next)
    }

    /// Bit-blasts the part of the system on which the bad depends.
    fn blast(&self, bad: Term, next: HashMap<Term, Term>) -> CfaModel {
        let (terms, counter) = (&self.terms, self.counter);
        let (needed, cone) = self.needed(bad, &next);
        let n_inner = self.locations().len() as u32 - 3;
        let bits_of = |term: Term| {
            if term == counter {
                (n_inner + 1).ilog2() as usize + 1
            } else {
                terms.width(term) as usize
            }
        };
        let mut model = Model::default();
        let mut blaster = Blaster::new();
        let mut vocabulary = self.vocabulary(&needed, &cone);
        let mut latches = HashMap::new();
        for &term in &needed {
            let mut edges: Vec<AigEdge> =
                (0..bits_of(term)).map(|_| model.aig.add_input()).collect();
            let first = model.latches.len();
            latches.insert(term, (first..first + edges.len()).collect());
            model.latches.extend(edges.iter().map(|&state| Latch {
                state,
                next: state,
                reset: Reset::Zero,
            }));
            if term == counter {
                vocabulary.counter.clone_from(&edges);
            } else {
                vocabulary.words.push(edges.clone());
            }
            // The upper bits of the program counter are unused.
            edges.resize(terms.width(term) as usize, AigEdge::FALSE);
            blaster.set(term, &edges);
        }
        let mut inputs: Vec<(Term, u32)> = Vec::new();
        let mut input_edges: Vec<AigEdge> = Vec::new();
        let mut variable = |aig: &mut Aig, term: Term| {
            let edges: Vec<AigEdge> = (0..terms.width(term)).map(|_| aig.add_input()).collect();
            inputs.extend((0..terms.width(term)).map(|bit| (term, bit)));
            input_edges.extend(&edges);
            edges
        };
        let mut position = 0;
        for &term in &needed {
            let root = next.get(&term).copied().unwrap_or(term);
            let edges = blaster.blast(terms, &mut model.aig, root, &mut variable);
            for &edge in &edges[..bits_of(term)] {
                model.latches[position].next = edge;
                position += 1;
            }
        }
        let bad = blaster.blast(terms, &mut model.aig, bad, &mut variable)[0];
        model.bads = vec![bad];
        let mut edges_of: HashMap<Term, Vec<AigEdge>> = HashMap::new();
        for (&(term, _), &edge) in inputs.iter().zip(&input_edges) {
            edges_of.entry(term).or_default().push(edge);
        }
        self.add_steps(&needed[1..], &edges_of, &mut vocabulary.formulas);
        for (&(_, bit), &edge) in inputs.iter().zip(&input_edges) {
            match vocabulary.inputs.last_mut() {
                Some(word) if bit > 0 => word.push(edge),
                _ => vocabulary.inputs.push(vec![edge]),
            }
        }
        model.inputs = input_edges;
        CfaModel {
            model,
            vocabulary,
            inputs,
            latches,
            next,
            counter,
            n_inner,
        }
    }

    /// The counter, then the words that the bad depends on, and the terms that these depend on.
    fn needed(&self, bad: Term, next: &HashMap<Term, Term>) -> (Vec<Term>, HashSet<Term>) {
        let mut words: Vec<Term> = Vec::new();
        let mut cone: HashSet<Term> = HashSet::new();
        let mut work = vec![bad, self.counter];
        while let Some(root) = work.pop() {
            for term in self.terms.cone(&[root], |term| cone.contains(&term)) {
                cone.insert(term);
                if term == self.counter {
                    work.extend(next.get(&term));
                } else if self.word(term).is_some() {
                    words.push(term);
                    work.extend(next.get(&term));
                }
            }
        }
        words.sort_unstable();
        words.insert(0, self.counter);
        (words, cone)
    }

    /// The number words at each location, and the constants of comparisons; latches and inputs are added
    /// later.
    fn vocabulary(&self, needed: &[Term], cone: &HashSet<Term>) -> Vocabulary {
        let number: HashMap<Term, usize> = needed[1..].iter().copied().zip(0..).collect();
        let at = self.sources().skip(1).map(|location| {
            let numbers = self.location(location).numbers.iter();
            numbers.filter_map(|word| number.get(word).copied())
        });
        let mut constants = BTreeSet::new();
        for &term in cone {
            if let Node::Binary(Op::Eq | Op::Ult | Op::Slt, a, b) = self.terms.node(term) {
                for operand in [a, b] {
                    let value = self.terms.constant_value(operand);
                    constants.extend(value.map(|value| (self.terms.width(operand), value)));
                }
            }
        }
        let mut formulas = Formulas::default();
        formulas.words = (needed[1..].iter())
            .map(|&word| formulas.terms.variable(self.terms.width(word)))
            .collect();
        let variables = needed[1..].iter().copied();
        let mut images: HashMap<Term, Term> =
            variables.zip(formulas.words.iter().copied()).collect();
        for (position, &(location, condition)) in self.candidates().iter().enumerate() {
            let (read, _) = self.reads(&[condition]);
            if read.iter().all(|word| number.contains_key(word)) {
                let copy = formulas.terms.copy(&self.terms, condition, &mut images);
                formulas.candidates.push((code(location) as usize, copy));
            }
            if position < self.n_likely() {
                formulas.n_likely = formulas.candidates.len();
            }
        }
        for &edge in self.incoming(Self::ERROR) {
            let guard = self.edge(edge).guard;
            if self
                .reads(&[guard])
                .0
                .iter()
                .all(|word| number.contains_key(word))
            {
                // Inputs become variables of their own.
                let copy = formulas.terms.copy(&self.terms, guard, &mut images);
                formulas.bads.push(copy);
            }
        }
        Vocabulary {
            formulas,
            counter: Vec::new(),
            words: Vec::new(),
            inputs: Vec::new(),
            at: at.map(Iterator::collect).collect(),
            constants,
        }
    }

    /// The edges between inner locations as steps over the words of a model, unless some of them read words or
    /// inputs that the model does not have.
    fn add_steps(
        &self,
        words: &[Term],
        inputs: &HashMap<Term, Vec<AigEdge>>,
        formulas: &mut Formulas,
    ) {
        let number: HashMap<Term, usize> = words.iter().copied().zip(0..).collect();
        let mut images: HashMap<Term, Term> = (words.iter().copied())
            .zip(formulas.words.iter().copied())
            .collect();
        let mut steps = Vec::new();
        for source in self.sources() {
            for &edge in self.outgoing(source) {
                let edge = self.edge(edge);
                if edge.target == Self::ERROR || edge.target == Self::UNSUPPORTED {
                    continue;
                }
                let assignments = edge.assignments.iter();
                let needed: Vec<(usize, Term)> = assignments
                    .filter_map(|assignment| {
                        Some((*number.get(&assignment.word)?, assignment.value))
                    })
                    .collect();
                let roots: Vec<Term> = (needed.iter().map(|&(_, value)| value))
                    .chain([edge.guard])
                    .collect();
                for &term in &self.terms.cone(&roots, |term| images.contains_key(&term)) {
                    if let Node::Var(_) = self.terms.node(term) {
                        let Some(edges) = inputs.get(&term) else {
                            return;
                        };
                        let image = formulas.terms.variable(self.terms.width(term));
                        formulas.inputs.push((image, edges.clone()));
                        images.insert(term, image);
                    }
                }
                let mut copy = |term| formulas.terms.copy(&self.terms, term, &mut images);
                steps.push(Step {
                    source: code(source) as usize,
                    target: code(edge.target) as usize,
                    guard: copy(edge.guard),
                    assignments: (needed.into_iter())
                        .map(|(word, value)| (word, copy(value)))
                        .collect(),
                });
            }
        }
        formulas.steps = steps;
    }
}

impl CfaModel {
    /// The words on which the bad depends, in the order of [`Vocabulary::words`].
    pub(super) fn words(&self) -> Vec<Term> {
        let words = self.latches.keys().copied();
        let mut words: Vec<Term> = words.filter(|&word| word != self.counter).collect();
        words.sort_unstable();
        words
    }

    /// The latches of a word, lowest bit first; `None` for a word on which the bad does not depend.
    #[must_use]
    pub fn latches(&self, word: Term) -> Option<&[usize]> {
        self.latches.get(&word).map(Vec::as_slice)
    }

    /// The variable and bit of each input.
    pub(super) fn inputs(&self) -> &[(Term, u32)] {
        &self.inputs
    }

    /// The latches of the program counter, lowest bit first.
    #[must_use]
    pub fn counter(&self) -> &[usize] {
        &self.latches[&self.counter]
    }

    /// The value of the program counter at a location; `None` for the error and the unsupported one, which
    /// the counter never holds.
    #[must_use]
    pub fn code(&self, location: LocationId) -> Option<u128> {
        let goes_on = location != Cfa::ERROR && location != Cfa::UNSUPPORTED;
        goes_on.then(|| code(location))
    }

    /// The locations and values along a trace. Inputs that the trace leaves open are 0.
    #[must_use]
    pub fn visits(&self, cfa: &Cfa, trace: &Trace) -> Vec<Visit> {
        let mut state: HashMap<Term, u128> = HashMap::new();
        let mut visits = Vec::new();
        for inputs in &trace.inputs {
            let mut values = state.clone();
            for (&(term, bit), value) in self.inputs.iter().zip(inputs) {
                *values.entry(term).or_insert(0) |= u128::from(value.unwrap_or(false)) << bit;
            }
            let mut evaluator = craig_word::Evaluator::new(&cfa.terms, |term, _| {
                values.get(&term).copied().unwrap_or(0)
            });
            let mut after: HashMap<Term, u128> = (self.next.iter())
                .map(|(&variable, &next)| (variable, evaluator.value(next)))
                .collect();
            for (&variable, &value) in &state {
                after.entry(variable).or_insert(value);
            }
            drop(evaluator);
            let counter = values.remove(&self.counter).unwrap_or(0);
            let location = cfa.sources().nth(counter as usize);
            visits.push(Visit { location, values });
            state = after;
        }
        visits
    }

    /// The value of the program counter after the end of a run.
    #[must_use]
    pub fn halted(&self) -> u128 {
        u128::from(self.n_inner) + 1
    }

    /// The state edges of a word's latches, lowest bit first; `None` for a word on which the bad does not
    /// depend.
    #[must_use]
    pub fn state(&self, word: Term) -> Option<Vec<AigEdge>> {
        let latches = self.latches.get(&word)?.iter();
        Some(
            latches
                .map(|&latch| self.model.latches[latch].state)
                .collect(),
        )
    }
}
