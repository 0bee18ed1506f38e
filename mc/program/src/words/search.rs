//! The state of a search for invariants: the step relation in a solver, and the terms over its words.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use craig_aig::{Aig, Edge};
use craig_model::{Model, Stop};
use craig_solver::encode::Encoder;
use craig_solver::{Answer, Limits, Lit, Solver};
use craig_word::{Blaster, Evaluator, Node, Op, Term, Terms};

use super::vocabulary::Vocabulary;
use super::walks::Walks;

/// Conflict limits: for a sample, for a step that violates a candidate, and for the whole search.
pub(super) const SAMPLE_CONFLICTS: u64 = 300;
pub(super) const STEP_CONFLICTS: u64 = 4000;
pub(super) const ALL_CONFLICTS: u64 = 40_000;

/// How long invariants are searched for, at most, and in which circuits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// Where all candidates come from templates.
    pub plain: Duration,
    /// Where candidates are given: these are many, and made for the properties that engines on bits seldom prove.
    pub with_candidates: Duration,
    /// The share of the time after which the relations of linear steps have to exclude the bad, in percent. There is no use
    /// for the rest of the time otherwise.
    pub linear_percent: u32,
    /// The share of the time after which all affine relations are to be found, in percent.
    pub relations_percent: u32,
    /// Circuits with more nodes are not strengthened.
    pub linear_to: usize,
    /// Circuits with more nodes have affine relations of linear steps only, which need no samples and hardly the solver.
    pub sampled_to: usize,
}

/// A step in which the values contain no choices among sums.
pub(super) struct Case {
    pub(super) condition: Term,
    pub(super) source: usize,
    pub(super) target: usize,
    /// Words and their values.
    pub(super) images: HashMap<Term, Term>,
}

/// A reachable state: its latches, the place, and the words.
pub(super) struct Sample {
    pub(super) latches: Vec<bool>,
    pub(super) place: usize,
    pub(super) words: Vec<u128>,
    /// Whether it was reached from another place.
    pub(super) is_entry: bool,
}

/// A candidate invariant.
pub(super) struct Candidate {
    pub(super) term: Term,
    pub(super) now: Edge,
    /// The literals of the candidate before and after the step.
    pub(super) now_lit: Lit,
    pub(super) then_lit: Lit,
}

pub(super) struct Search<'a> {
    pub(super) model: Model,
    pub(super) walks: Walks<'a>,
    /// Invariants already proved.
    pub(super) assumed: Vec<Lit>,
    start: Instant,
    /// The end of the search, or of a part of it, in milliseconds since the start.
    end: Arc<AtomicU64>,
    patience: Duration,
    pub(super) vocabulary: &'a Vocabulary,
    pub(super) stop: &'a Stop,
    pub(super) terms: Terms,
    pub(super) counter: Term,
    pub(super) words: Vec<Term>,
    pub(super) now: Blaster,
    pub(super) then: Blaster,
    pub(super) encoder: Encoder,
    pub(super) solver: Solver,
    pub(super) latches: Vec<Lit>,
    pub(super) nexts: Vec<Lit>,
    /// The number of the latch with the given state edge.
    pub(super) number: HashMap<Edge, usize>,
    pub(super) conflicts: u64,
    /// The variables of the inputs of the steps.
    pub(super) inputs: Vec<Term>,
    /// The steps case by case; none if they are not used.
    pub(super) cases: Vec<Case>,
    /// As `cases`, where choices may be left in the values; none if there are too many.
    pub(super) parts: Vec<Case>,
}

impl<'a> Search<'a> {
    pub(super) fn new(
        model: &'a Model,
        vocabulary: &'a Vocabulary,
        constants: &'a [u128],
        patience: Patience,
        stop: &'a Stop,
    ) -> Self {
        let mut solver = Solver::new();
        let (asked, start) = (stop.clone(), Instant::now());
        let patience = match vocabulary.formulas.candidates.is_empty() {
            true => patience.plain,
            false => patience.with_candidates,
        };
        // The shares of the phases are of the time that there is.
        let left = (stop.deadline()).map(|deadline| deadline.saturating_duration_since(start));
        let patience = left.map_or(patience, |left| left.min(patience));
        let end = Arc::new(AtomicU64::new(patience.as_millis() as u64));
        let own_end = Arc::clone(&end);
        solver.set_stop_callback(Some(Box::new(move || {
            asked.reason().is_some()
                || start.elapsed().as_millis() as u64 > own_end.load(Ordering::Relaxed)
        })));
        let mut encoder = Encoder::new();
        let mut literals = |edge: Edge| encoder.encode(&model.aig, edge, &mut solver);
        let latches = model.latches.iter().map(|latch| literals(latch.state));
        let latches: Vec<Lit> = latches.collect();
        let nexts: Vec<Lit> = model
            .latches
            .iter()
            .map(|latch| literals(latch.next))
            .collect();
        let number: HashMap<Edge, usize> = model
            .latches
            .iter()
            .enumerate()
            .map(|(number, latch)| (latch.state, number))
            .collect();
        let mut terms = Terms::new();
        let (mut now, mut then) = (Blaster::new(), Blaster::new());
        let mut word = |edges: &[Edge]| {
            let term = terms.variable(edges.len() as u32);
            now.set(term, edges);
            let next = |edge: &Edge| model.latches[number[edge]].next;
            then.set(term, &edges.iter().map(next).collect::<Vec<Edge>>());
            term
        };
        let counter = word(&vocabulary.counter);
        let words = vocabulary.words.iter().map(|edges| word(edges)).collect();
        let mut search = Self {
            model: model.clone(),
            walks: Walks::new(model, &vocabulary.inputs, constants),
            assumed: Vec::new(),
            start,
            end,
            patience,
            vocabulary,
            stop,
            terms,
            counter,
            words,
            now,
            then,
            encoder,
            solver,
            latches,
            nexts,
            number,
            conflicts: 0,
            inputs: Vec::new(),
            cases: Vec::new(),
            parts: Vec::new(),
        };
        search.cases = search.cases_of(&vocabulary.formulas);
        search.parts = search.linear_cases(&vocabulary.formulas);
        search
    }

    pub(super) fn is_over(&self) -> bool {
        self.stop.reason().is_some()
            || self.start.elapsed().as_millis() as u64 > self.end.load(Ordering::Relaxed)
    }

    /// Lets the search end after `percent` percent of its time.
    pub(super) fn end_after(&self, percent: u32) {
        let end = (self.patience * percent / 100).as_millis() as u64;
        self.end.store(end, Ordering::Relaxed);
    }

    pub(super) fn solve(&mut self, assumptions: &[Lit], conflicts: u64) -> Answer {
        self.solve_with(None, assumptions, conflicts)
    }

    /// Solves under assumptions, with an additional clause for this call only.
    pub(super) fn solve_with(
        &mut self,
        clause: Option<&[Lit]>,
        assumptions: &[Lit],
        conflicts: u64,
    ) -> Answer {
        let left = ALL_CONFLICTS.saturating_sub(self.conflicts);
        if left == 0 || self.is_over() {
            return Answer::Unknown;
        }
        if let Some(clause) = clause {
            self.solver.add_temporary_clause(clause);
        }
        let before = self.solver.statistics().conflicts;
        self.solver.set_limits(Limits {
            conflicts: Some(conflicts.min(left)),
            ..Limits::default()
        });
        let assumptions: Vec<Lit> = self.assumed.iter().chain(assumptions).copied().collect();
        let answer = self.solver.solve(&assumptions);
        self.conflicts += self.solver.statistics().conflicts - before;
        answer
    }

    /// The state after the step found by the solver.
    pub(super) fn next_state(&self, from: usize) -> Sample {
        let bit = |&lit: &Lit| self.solver.value(lit).unwrap_or(false);
        let latches: Vec<bool> = self.nexts.iter().map(bit).collect();
        self.sample_of(latches, from)
    }

    /// A state reached from a place.
    pub(super) fn sample_of(&self, latches: Vec<bool>, from: usize) -> Sample {
        let value = |edges: &[Edge]| {
            edges.iter().enumerate().fold(0, |sum, (position, edge)| {
                sum | u128::from(latches[self.number[edge]]) << position
            })
        };
        let place = value(&self.vocabulary.counter) as usize;
        let words = self.vocabulary.words.iter().map(|edges| value(edges));
        Sample {
            place,
            words: words.collect(),
            is_entry: place != from,
            latches,
        }
    }

    /// The condition that the program is not at a place.
    pub(super) fn elsewhere(&mut self, place: usize) -> Term {
        let width = self.terms.width(self.counter);
        let number = self.terms.constant(place as u128, width);
        let is_here = self.terms.eq(self.counter, number);
        self.terms.not(is_here)
    }

    /// The place at which a condition says something, if it has the form "elsewhere, or ...".
    pub(super) fn place_of(&self, condition: Term) -> Option<usize> {
        let Node::Not(inner) = self.terms.node(condition) else {
            return None;
        };
        let here = |term: Term| match self.terms.node(term) {
            Node::Binary(Op::Eq, a, b) if a == self.counter => self.terms.constant_value(b),
            Node::Binary(Op::Eq, a, b) if b == self.counter => self.terms.constant_value(a),
            _ => None,
        };
        let place = match self.terms.node(inner) {
            Node::Binary(Op::And, a, b) => here(a).or_else(|| here(b)),
            _ => here(inner),
        };
        place.and_then(|place| usize::try_from(place).ok())
    }

    pub(super) fn candidate(&mut self, term: Term) -> Candidate {
        let mut none = |_: &mut Aig, _: Term| -> Vec<Edge> { unreachable!("all words are set") };
        let by_steps = !self.cases.is_empty() && self.has_sums(term);
        let then = by_steps.then(|| self.after_steps(term));
        let term = match by_steps {
            true => self.terms.with_normal_sums(term),
            false => term,
        };
        let aig = &mut self.model.aig;
        let now = self.now.blast(&self.terms, aig, term, &mut none)[0];
        let then = then.unwrap_or_else(|| self.then.blast(&self.terms, aig, term, &mut none)[0]);
        Candidate {
            term,
            now,
            now_lit: self.encoder.encode(aig, now, &mut self.solver),
            then_lit: self.encoder.encode(aig, then, &mut self.solver),
        }
    }
}

/// Evaluates terms over the words in a state.
pub(super) fn evaluator<'t>(
    terms: &'t Terms,
    counter: Term,
    words: &[Term],
    sample: &Sample,
) -> Evaluator<'t> {
    let mut values: HashMap<Term, u128> = HashMap::from([(counter, sample.place as u128)]);
    values.extend(words.iter().copied().zip(sample.words.iter().copied()));
    Evaluator::new(terms, move |term, _| values[&term])
}
