//! What calls do from a few entries, by evaluation of the bodies.
//!
//! A call that is nested too deep, or takes too many steps, has no sample. Samples suggest candidates, so that it does not
//! matter which there are; a run of the root that fails is an error, which the caller of this module replays.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use craig_model::Stop;
use craig_word::{Evaluator, Node, Term, mask};

use super::annotate::{BodyRun, CallRuns};
use super::{Body, Procedures};

/// Entries of each procedure, and of the root.
const ENTRIES: usize = 160;
const ROOTS: usize = 600;
/// Calls from one entry, at most: few in the first half of the entries.
const CALLS: [usize; 2] = [500, 10_000];
/// Terms that are evaluated from all entries of one body, at most (about a microsecond each).
const WORK: usize = 300_000;
/// Depth of calls, at most.
const DEPTH: usize = 300;
/// Calls that are kept, at most.
const KEPT: usize = 40_000;

/// The words at the entry and at the exit of a call.
pub(super) type Sample = (Vec<u128>, Vec<u128>);

/// How a call ends. Runs are numbers of [`Evaluated::runs`].
#[derive(Clone)]
enum End {
    Returned(Rc<Vec<u128>>, usize),
    Failed(usize),
    /// It ends otherwise, or not within the limits.
    Open,
}

/// A call under way, or the root.
struct Frame {
    of: Option<usize>,
    entry: Vec<u128>,
    values: HashMap<Term, u128>,
    /// The next of its calls, and the runs of those before it.
    next: usize,
    calls: Vec<Option<usize>>,
}

impl Frame {
    fn new(problem: &Procedures, procedure: usize, entry: Vec<u128>) -> Self {
        let words = problem.procedures[procedure].entry.iter();
        let values = words.zip(&entry).map(|(word, &value)| (word.term, value));
        Self {
            of: Some(procedure),
            values: values.collect(),
            entry,
            next: 0,
            calls: Vec::new(),
        }
    }
}

/// What is known of calls.
#[derive(Default)]
struct Evaluated {
    known: HashMap<(usize, Vec<u128>), End>,
    runs: Vec<BodyRun>,
    /// How many terms may still be evaluated.
    work: usize,
    /// Calls from one entry, at most.
    max_calls: usize,
    /// Terms on which a guard depends, or the end of a body, by its first root.
    sizes: HashMap<Term, usize>,
}

enum Step {
    Call(usize, Vec<u128>),
    Done(End),
}

/// Samples by procedure; fewer if the control stops.
pub(super) fn samples(problem: &Procedures, stop: &Stop) -> Vec<Vec<Sample>> {
    let mut evaluated = Evaluated::default();
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let constants = constants(problem);
    let mut found = Vec::new();
    for (procedure, words) in problem.procedures.iter().enumerate() {
        let mut own: Vec<Sample> = Vec::new();
        evaluated.work = WORK;
        for number in 0..ENTRIES {
            evaluated.max_calls = CALLS[2 * number / ENTRIES];
            if stop.reason().is_some() {
                break;
            }
            let entry: Vec<u128> = (words.entry.iter())
                .map(|word| random.value(&constants) & mask(problem.terms.width(word.term)))
                .collect();
            let end = match evaluated.known.get(&(procedure, entry.clone())) {
                Some(end) => end.clone(),
                None => evaluated.run(problem, Frame::new(problem, procedure, entry.clone())),
            };
            if let End::Returned(exit, _) = end
                && !own.iter().any(|(other, _)| *other == entry)
            {
                own.push((entry, exit.to_vec()));
            }
            evaluated.forget_many();
        }
        found.push(own);
    }
    found
}

/// A run of the root that fails, if one of a few with small values does.
pub(super) fn failing_run(problem: &Procedures, stop: &Stop) -> Option<CallRuns> {
    let mut evaluated = Evaluated {
        work: 2 * WORK,
        ..Evaluated::default()
    };
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let constants = constants(problem);
    let chosen = choices(problem, &problem.root);
    for number in 0..ROOTS {
        evaluated.max_calls = CALLS[2 * number / ROOTS];
        if stop.reason().is_some() || evaluated.work == 0 {
            return None;
        }
        let values = chosen.iter().map(|&term| {
            let value = random.value(&constants) & mask(problem.terms.width(term));
            (term, value)
        });
        let root = Frame {
            of: None,
            entry: Vec::new(),
            values: values.collect(),
            next: 0,
            calls: Vec::new(),
        };
        if let End::Failed(run) = evaluated.run(problem, root) {
            evaluated.runs.truncate(run + 1);
            return Some(CallRuns {
                runs: evaluated.runs,
            });
        }
        evaluated.forget_many();
    }
    None
}

fn constants(problem: &Procedures) -> Vec<u128> {
    problem.constants.iter().map(|&(value, _)| value).collect()
}

/// The variables of a body that its calls do not set.
fn choices(problem: &Procedures, body: &Body) -> Vec<Term> {
    let mut roots = vec![body.fails];
    let mut set: BTreeSet<Term> = BTreeSet::new();
    for call in &body.calls {
        roots.push(call.guard);
        roots.extend(&call.entry);
        set.insert(call.returns);
        set.extend(&call.exit);
    }
    let terms = &problem.terms;
    let mut cone = terms.cone(&roots, |_| false);
    cone.retain(|&term| {
        let is_variable = matches!(terms.node(term), Node::Var(_));
        is_variable && !terms.is_array(term) && !set.contains(&term)
    });
    cone
}

impl Evaluated {
    /// Bounds the memory; runs that are kept refer to others.
    fn forget_many(&mut self) {
        if self.runs.len() > KEPT {
            self.runs.clear();
            self.known.clear();
        }
    }

    /// How a call ends, or the root.
    fn run(&mut self, problem: &Procedures, start: Frame) -> End {
        let mut stack = vec![start];
        let mut n_calls = 0;
        while let Some(frame) = stack.last_mut() {
            match self.step(problem, frame) {
                Step::Call(callee, entry) => {
                    n_calls += 1;
                    if n_calls > self.max_calls || stack.len() > DEPTH || self.work == 0 {
                        return End::Open;
                    }
                    stack.push(Frame::new(problem, callee, entry));
                }
                Step::Done(end) => {
                    let done = stack.pop().expect("the stack is not empty");
                    if let Some(procedure) = done.of {
                        self.known.insert((procedure, done.entry), end.clone());
                    }
                    if stack.is_empty() {
                        return end;
                    }
                }
            }
        }
        End::Open
    }

    /// Goes on with a call, up to the next one within it that is not known.
    fn step(&mut self, problem: &Procedures, frame: &mut Frame) -> Step {
        let body = problem.body(frame.of);
        while let Some(edge) = body.calls.get(frame.next) {
            self.spend(problem, &[edge.guard]);
            let entry = {
                let mut evaluator = evaluator(problem, &frame.values);
                (evaluator.value(edge.guard) == 1).then(|| {
                    let entry = edge.entry.iter();
                    let entry: Vec<u128> = entry.map(|&term| evaluator.value(term)).collect();
                    entry
                })
            };
            let exit = match entry {
                None => None,
                Some(entry) => match self.known.get(&(edge.callee, entry.clone())) {
                    None => return Step::Call(edge.callee, entry),
                    Some(End::Open) => return Step::Done(End::Open),
                    Some(&End::Failed(run)) => {
                        frame.calls.push(Some(run));
                        return Step::Done(End::Failed(self.keep(body, frame)));
                    }
                    Some(End::Returned(exit, run)) => {
                        frame.calls.push(Some(*run));
                        Some(Rc::clone(exit))
                    }
                },
            };
            if exit.is_none() {
                frame.calls.push(None);
            }
            let values = &mut frame.values;
            values.insert(edge.returns, u128::from(exit.is_some()));
            for (place, &word) in edge.exit.iter().enumerate() {
                values.insert(word, exit.as_ref().map_or(0, |exit| exit[place]));
            }
            frame.next += 1;
        }
        self.spend(problem, &body.exit);
        let mut evaluator = evaluator(problem, &frame.values);
        if evaluator.value(body.fails) == 1 {
            return Step::Done(End::Failed(self.keep(body, frame)));
        }
        if evaluator.value(body.returns) == 0 {
            return Step::Done(End::Open);
        }
        let exit: Vec<u128> = (body.exit.iter())
            .map(|&term| evaluator.value(term))
            .collect();
        Step::Done(End::Returned(Rc::new(exit), self.keep(body, frame)))
    }

    /// The number of the run of a call that ends.
    fn keep(&mut self, body: &Body, frame: &Frame) -> usize {
        let mut calls = frame.calls.clone();
        calls.resize(body.calls.len(), None);
        self.runs.push(BodyRun {
            of: frame.of,
            values: frame.values.clone(),
            calls,
        });
        self.runs.len() - 1
    }

    fn spend(&mut self, problem: &Procedures, roots: &[Term]) {
        let Some(&first) = roots.first() else {
            return;
        };
        let size = self.sizes.entry(first);
        let n_terms = size.or_insert_with(|| problem.terms.cone(roots, |_| false).len());
        self.work = self.work.saturating_sub(*n_terms + 10);
    }
}

/// Free choices are 0.
fn evaluator<'a>(problem: &'a Procedures, values: &'a HashMap<Term, u128>) -> Evaluator<'a> {
    let value = |term: Term, _: u32| values.get(&term).copied().unwrap_or(0);
    Evaluator::new(&problem.terms, value)
}

/// A generator of pseudo-random numbers (xorshift64*).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 16
    }

    /// A small number most of the time.
    fn value(&mut self, constants: &[u128]) -> u128 {
        match self.next() % 8 {
            0..5 => u128::from(self.next() % 7),
            5 => u128::from(self.next() % 40),
            6 if !constants.is_empty() => constants[self.next() as usize % constants.len()],
            _ => u128::from(self.next() % 9).wrapping_sub(4),
        }
    }
}
