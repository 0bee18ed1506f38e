//! A propagator of a bound on counts against the clauses of that bound.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use craig_aig::Random;

use crate::cdcl::{Answer, NotConnected, Options, Propagator, Solver};
use crate::constraints::at_most;
use crate::encode::ClauseSink;
use crate::lit::{Lit, Var};
use crate::proof::check::{CheckingSink, check_dag};
use crate::proof::drat::DratWriter;
use crate::proof::{Encoding, Origin, ProofLog, ProofSink};

/// The partition of the propagator's clauses.
const LABEL: u32 = 9;

/// What the test wants to know of a propagator that is inside a solver.
#[derive(Debug, Default)]
struct Seen {
    clauses: AtomicUsize,
    checks: AtomicUsize,
    decisions: AtomicUsize,
    /// The trail, with the number of literals before each level.
    trail: Mutex<(Vec<Lit>, Vec<usize>)>,
}

/// At most `bound` of the literals are true.
struct Counter {
    lits: Vec<Lit>,
    bound: usize,
    /// Whether it waits for a full assignment.
    is_lazy: bool,
    /// The clauses that it has given since the last assignment.
    given: Vec<Vec<Lit>>,
    seen: Arc<Seen>,
}

impl Counter {
    fn is_true(&self, lit: Lit) -> bool {
        self.seen.trail.lock().unwrap().0.contains(&lit)
    }

    /// The negations of the first true literals, one fewer than a clause has.
    fn full(&self, is_true: impl Fn(Lit) -> bool) -> Option<Vec<Lit>> {
        let full = self.lits.iter().filter(|&&lit| is_true(lit));
        let full: Vec<Lit> = full.take(self.bound).map(|&lit| !lit).collect();
        (full.len() == self.bound).then_some(full)
    }
}

impl Propagator for Counter {
    fn assigned(&mut self, lits: &[Lit]) {
        let mut trail = self.seen.trail.lock().unwrap();
        for &lit in lits {
            assert!(!trail.0.contains(&lit) && !trail.0.contains(&!lit));
            trail.0.push(lit);
        }
        self.given.clear();
    }

    fn new_level(&mut self) {
        let mut trail = self.seen.trail.lock().unwrap();
        let n_lits = trail.0.len();
        trail.1.push(n_lits);
    }

    fn backtracked(&mut self, level: u32) {
        let mut trail = self.seen.trail.lock().unwrap();
        let n_lits = trail.1[level as usize];
        trail.0.truncate(n_lits);
        trail.1.truncate(level as usize);
        self.given.clear();
    }

    fn decide(&mut self) -> Option<Lit> {
        let free = (self.lits.iter()).find(|&&lit| !self.is_true(lit) && !self.is_true(!lit))?;
        self.seen.decisions.fetch_add(1, Ordering::Relaxed);
        Some(*free)
    }

    fn clause(&mut self) -> Option<Vec<Lit>> {
        if self.is_lazy {
            return None;
        }
        let full = self.full(|lit| self.is_true(lit))?;
        let others = self.lits.iter().filter(|&&lit| !full.contains(&!lit));
        let mut open = others.filter(|&&lit| !self.is_true(!lit));
        let clause = open.find_map(|&lit| {
            let clause = [&full[..], &[!lit]].concat();
            (!self.given.contains(&clause)).then_some(clause)
        })?;
        self.given.push(clause.clone());
        self.seen.clauses.fetch_add(1, Ordering::Relaxed);
        Some(clause)
    }

    fn check(&mut self, is_true: &dyn Fn(Lit) -> bool) -> Vec<Vec<Lit>> {
        self.seen.checks.fetch_add(1, Ordering::Relaxed);
        let Some(full) = self.full(is_true) else {
            return Vec::new();
        };
        let others = self.lits.iter().filter(|&&lit| !full.contains(&!lit));
        let over = others.filter(|&&lit| is_true(lit)).take(2);
        over.map(|&lit| [&full[..], &[!lit]].concat()).collect()
    }
}

fn eager() -> Options {
    Options {
        congruence: true,
        eliminate: true,
        lucky: false,
        inprocess_interval: 10,
        ..Options::default()
    }
}

/// A random formula whose solutions a bound restricts, with the counted literals.
fn problem(random: &mut Random, n_vars: usize) -> (Vec<Vec<Lit>>, Vec<Lit>) {
    let lit = |random: &mut Random| Var::new(random.below(n_vars)).lit(random.flip());
    let clauses = (0..n_vars * 7 / 2).map(|_| (0..3).map(|_| lit(random)).collect());
    let clauses = clauses.collect();
    let counted = (0..n_vars / 2).map(|var| Var::new(var).lit(random.flip()));
    (clauses, counted.collect())
}

fn connected<P: ProofSink>(
    sink: P,
    clauses: &[Vec<Lit>],
    counted: &[Lit],
    (bound, is_lazy): (usize, bool),
) -> (Solver<P>, Arc<Seen>) {
    let mut solver = Solver::with_proof(eager(), sink);
    for clause in clauses {
        solver.add_clause(clause);
    }
    let seen = Arc::new(Seen::default());
    let counter = Counter {
        lits: counted.to_vec(),
        bound,
        is_lazy,
        given: Vec::new(),
        seen: Arc::clone(&seen),
    };
    let observed: Vec<Var> = counted.iter().map(|lit| lit.var()).collect();
    let connected = solver.connect_propagator(Box::new(counter), &observed, LABEL);
    assert_eq!(connected, Ok(()));
    (solver, seen)
}

#[test]
fn a_counting_propagator_agrees_with_clauses() {
    let mut random = Random::new(7);
    let mut answers = [0, 0];
    let (mut n_clauses, mut n_checks, mut n_decisions) = (0, 0, 0);
    for round in 0..120 {
        let n_vars = 12 + round % 30;
        let (clauses, counted) = problem(&mut random, n_vars);
        let bound = random.below(n_vars / 3);
        let kind = (bound, round % 3 == 2);
        let mut encoded = Solver::new();
        encoded.reserve_vars(n_vars);
        for clause in &clauses {
            ClauseSink::add_clause(&mut encoded, clause);
        }
        at_most(&mut encoded, &counted, bound);
        let (mut solver, seen) = connected(CheckingSink::new(), &clauses, &counted, kind);
        // Without assumptions, and with some twice.
        for n_assumed in [0, 2, 3] {
            let assumptions: Vec<Lit> = (0..n_assumed)
                .map(|_| Var::new(random.below(n_vars)).lit(random.flip()))
                .collect();
            let answer = solver.solve(&assumptions);
            assert_eq!(answer, encoded.solve(&assumptions), "{round}");
            answers[usize::from(answer == Answer::Satisfiable)] += 1;
            if answer == Answer::Satisfiable {
                let is_true = |lit: &&Lit| solver.value(**lit) == Some(true);
                assert!(counted.iter().filter(is_true).count() <= bound);
                assert!(
                    clauses
                        .iter()
                        .all(|clause| clause.iter().any(|lit| is_true(&lit)))
                );
            } else if let Some(end) = solver.refutation() {
                let negated: Vec<Lit> = solver
                    .failed_assumptions()
                    .iter()
                    .map(|&lit| !lit)
                    .collect();
                assert!(solver.proof().is_clause(end, &negated));
            }
        }
        solver.proof().finish().unwrap();
        n_clauses += seen.clauses.load(Ordering::Relaxed);
        n_checks += seen.checks.load(Ordering::Relaxed);
        n_decisions += seen.decisions.load(Ordering::Relaxed);
    }
    assert!(answers.iter().all(|&count| count > 60), "{answers:?}");
    assert!(n_clauses > 500 && n_checks > 100 && n_decisions > 100);
}

#[test]
fn its_clauses_are_leaves_of_their_own_partition() {
    let mut random = Random::new(3);
    let mut n_leaves = 0;
    for round in 0..30 {
        let (clauses, counted) = problem(&mut random, 30);
        let kind = (2, round % 2 == 1);
        let (mut solver, _) = connected(ProofLog::new(), &clauses, &counted, kind);
        if solver.solve(&[]) != Answer::Unsatisfiable {
            continue;
        }
        let dag = solver.proof().trim(solver.refutation().unwrap());
        check_dag(&dag).unwrap();
        for vertex in dag.vertices() {
            if dag.origin(vertex) == (Origin::Leaf { label: LABEL }) {
                n_leaves += 1;
                let clause = dag.clause(vertex);
                assert!(clause.len() == 3 && clause.iter().all(|&lit| counted.contains(&!lit)));
            }
        }
    }
    assert!(n_leaves > 30, "{n_leaves}");
}

#[test]
fn what_has_no_place_for_it_refuses_it() {
    let seen = Arc::new(Seen::default());
    let counter = || Counter {
        lits: Vec::new(),
        bound: 0,
        is_lazy: true,
        given: Vec::new(),
        seen: Arc::clone(&seen),
    };
    let sink = DratWriter::new(Vec::new(), Encoding::Text);
    let mut solver = Solver::with_proof(Options::default(), sink);
    let refused = solver.connect_propagator(Box::new(counter()), &[], 0);
    assert_eq!(refused, Err(NotConnected::Proof));
    let mut solver = Solver::new();
    assert_eq!(
        solver.connect_propagator(Box::new(counter()), &[], 0),
        Ok(())
    );
    let refused = solver.connect_propagator(Box::new(counter()), &[], 0);
    assert_eq!(refused, Err(NotConnected::Taken));
    assert!(solver.clone().disconnect_propagator().is_none());
    assert!(solver.disconnect_propagator().is_some());
}
