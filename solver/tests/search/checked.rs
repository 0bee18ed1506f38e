//! A solver all of whose answers are checked: models by evaluation, refutations by resolving the chains when
//! they are reported, failed assumptions by another solver.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

pub(crate) use craig_aig::Random;
use craig_solver::proof::{ClauseId, ProofDag, ProofSink, Step, Traced, VertexId};
use craig_solver::{Answer, Cnf, Label, Lit, Options, Solver, Var};
use varisat::ExtendFormula;

/// Resolves every chain when it is reported.
#[derive(Default)]
pub(crate) struct Resolving {
    dag: ProofDag,
    vertices: HashMap<ClauseId, VertexId>,
    /// The literals of each clause as they were reported, in order.
    reported: HashMap<ClauseId, Vec<Lit>>,
    last_id: ClauseId,
}

/// The literals in order, with repetitions.
fn in_order(lits: &[Lit]) -> Vec<Lit> {
    let mut lits = lits.to_vec();
    lits.sort_unstable();
    lits
}

fn sorted(lits: &[Lit]) -> Vec<Lit> {
    let mut lits = lits.to_vec();
    lits.sort_unstable();
    lits.dedup();
    lits
}

impl ProofSink for Resolving {
    const ENABLED: bool = true;
    const ANTECEDENTS: bool = true;

    fn original(&mut self, id: ClauseId, lits: &[Lit], label: Label) {
        assert_eq!(id, self.last_id + 1, "numbers increase by one");
        self.last_id = id;
        let vertex = self.dag.add_leaf(lits, label);
        self.vertices.insert(id, vertex);
        self.reported.insert(id, in_order(lits));
    }

    fn derived(&mut self, id: ClauseId, lits: &[Lit], antecedents: &[ClauseId]) {
        assert_eq!(id, self.last_id + 1, "numbers increase by one");
        self.last_id = id;
        let chain: Vec<VertexId> = antecedents.iter().map(|id| self.vertices[id]).collect();
        let mut resolvent = sorted(self.dag.clause(chain[0]));
        let mut steps = Vec::new();
        let mut pivots = Vec::new();
        for &antecedent in &chain[1..] {
            let clause = self.dag.clause(antecedent);
            let clashes: Vec<Lit> = clause
                .iter()
                .map(|&lit| !lit)
                .filter(|lit| resolvent.contains(lit))
                .collect();
            assert_eq!(clashes.len(), 1, "each step clashes in one variable");
            assert!(!pivots.contains(&clashes[0].var()), "the chain is regular");
            pivots.push(clashes[0].var());
            steps.push(Step {
                pivot: clashes[0],
                antecedent,
            });
            resolvent.retain(|&lit| lit != clashes[0]);
            resolvent.extend(clause.iter().filter(|&&lit| lit != !clashes[0]));
            resolvent = sorted(&resolvent);
        }
        let vertex = self.dag.add_chain(chain[0], &steps).unwrap();
        assert_eq!(sorted(lits), sorted(self.dag.clause(vertex)));
        assert_eq!(
            sorted(lits).len(),
            lits.len(),
            "derived clauses don't repeat literals"
        );
        self.vertices.insert(id, vertex);
        self.reported.insert(id, in_order(lits));
    }

    fn deleted(&mut self, id: ClauseId, lits: &[Lit]) {
        self.vertices
            .remove(&id)
            .expect("only known clauses are deleted, and once");
        let reported = self.reported.remove(&id);
        assert_eq!(
            reported,
            Some(in_order(lits)),
            "a clause is deleted as it was added"
        );
    }
}

/// Passes reports on to a sink that others read.
struct Shared(Rc<RefCell<Resolving>>);

impl ProofSink for Shared {
    const ENABLED: bool = true;
    const ANTECEDENTS: bool = true;

    fn original(&mut self, id: ClauseId, lits: &[Lit], label: Label) {
        self.0.borrow_mut().original(id, lits, label);
    }

    fn derived(&mut self, id: ClauseId, lits: &[Lit], antecedents: &[ClauseId]) {
        self.0.borrow_mut().derived(id, lits, antecedents);
    }

    fn deleted(&mut self, id: ClauseId, lits: &[Lit]) {
        self.0.borrow_mut().deleted(id, lits);
    }
}

/// A solver with its checks.
pub(crate) struct Checked {
    pub(crate) solver: Solver<Traced<'static>>,
    resolving: Rc<RefCell<Resolving>>,
}

impl Checked {
    pub(crate) fn new() -> Self {
        Self::with_options(Options::default())
    }

    pub(crate) fn with_options(options: Options) -> Self {
        let resolving = Rc::<RefCell<Resolving>>::default();
        let sink = Traced::new(Shared(Rc::clone(&resolving)));
        Self {
            solver: Solver::with_proof(options, sink),
            resolving,
        }
    }

    pub(crate) fn reserve_vars(&mut self, n_vars: usize) {
        self.solver.reserve_vars(n_vars);
    }

    pub(crate) fn add_clause(&mut self, lits: &[Lit]) {
        self.solver.add_clause(lits);
    }

    pub(crate) fn add_labelled_clause(&mut self, lits: &[Lit], label: Label) {
        self.solver.add_labelled_clause(lits, label);
    }

    pub(crate) fn add_cnf(&mut self, cnf: &Cnf) {
        self.solver.add_cnf(cnf);
    }

    /// Solves and checks the answer; `cnf` contains the clauses added so far.
    pub(crate) fn solve_checked(&mut self, cnf: &Cnf, assumptions: &[Lit]) -> Answer {
        let answer = self.solver.solve(assumptions);
        match answer {
            Answer::Satisfiable => {
                let model: Vec<bool> = (0..cnf.n_vars())
                    .map(|var| self.solver.value(Var::new(var).positive()).unwrap())
                    .collect();
                assert!(cnf.is_satisfied_by(&model));
                for &lit in assumptions {
                    assert_eq!(self.solver.value(lit), Some(true));
                }
            }
            Answer::Unsatisfiable => self.check_unsatisfiable(cnf, assumptions),
            Answer::Unknown => {}
        }
        answer
    }

    fn check_unsatisfiable(&self, cnf: &Cnf, assumptions: &[Lit]) {
        let failed = self.solver.failed_assumptions();
        assert!(failed.iter().all(|lit| assumptions.contains(lit)));
        assert_eq!(sorted(failed).len(), failed.len());
        assert!(!varisat(cnf, failed), "the failed assumptions suffice");
        let clashing = failed.len() == 2 && failed[0] == !failed[1];
        match self.solver.refutation() {
            None => assert!(clashing),
            Some(id) => {
                let sink = self.resolving.borrow();
                let clause = sorted(sink.dag.clause(sink.vertices[&id]));
                let negated: Vec<Lit> = failed.iter().map(|&lit| !lit).collect();
                assert_eq!(clause, sorted(&negated));
                if self.solver.is_inconsistent() {
                    assert!(clause.is_empty());
                }
            }
        }
    }
}

/// Clauses of 0 to 4 literals, the short ones rare, which may repeat or clash.
pub(crate) fn random_cnf(rng: &mut Random, n_vars: usize, n_clauses: usize) -> Cnf {
    let mut cnf = Cnf::new();
    for _ in 0..n_clauses {
        let size = match rng.below(64) {
            0 if rng.below(8) == 0 => 0,
            0..5 => 1,
            5..25 => 2,
            25..50 => 3,
            _ => 4,
        };
        let clause: Vec<Lit> = (0..size)
            .map(|_| Var::new(rng.below(n_vars)).lit(rng.flip()))
            .collect();
        cnf.add_labelled_clause(&clause, rng.below(3) as Label);
    }
    cnf
}

/// Clauses of three literals over different variables.
pub(crate) fn uniform_clauses(rng: &mut Random, n_vars: usize, n_clauses: usize) -> Vec<Vec<Lit>> {
    let mut clauses = Vec::new();
    for _ in 0..n_clauses {
        let mut clause: Vec<Lit> = Vec::new();
        while clause.len() < 3 {
            let lit = Var::new(rng.below(n_vars)).lit(rng.flip());
            if clause.iter().all(|other| other.var() != lit.var()) {
                clause.push(lit);
            }
        }
        clauses.push(clause);
    }
    clauses
}

/// Whether some assignment satisfies the formula and the assumptions.
pub(crate) fn brute_force(cnf: &Cnf, assumptions: &[Lit]) -> bool {
    let n_vars = cnf.n_vars();
    (0..1u32 << n_vars).any(|bits| {
        let model: Vec<bool> = (0..n_vars).map(|var| bits >> var & 1 == 1).collect();
        cnf.is_satisfied_by(&model)
            && assumptions
                .iter()
                .all(|lit| model[lit.var().index()] != lit.is_negated())
    })
}

/// The answer of varisat.
pub(crate) fn varisat(cnf: &Cnf, assumptions: &[Lit]) -> bool {
    let convert = |lit: &Lit| varisat::Lit::from_dimacs(lit.to_dimacs() as isize);
    let mut formula = varisat::CnfFormula::new();
    formula.set_var_count(cnf.n_vars());
    for (clause, _) in cnf.iter() {
        formula.add_clause(&clause.iter().map(convert).collect::<Vec<_>>());
    }
    for lit in assumptions {
        formula.add_clause(&[convert(lit)]);
    }
    let mut solver = varisat::Solver::new();
    solver.add_formula(&formula);
    solver.solve().unwrap()
}

/// The literals with these DIMACS numbers.
pub(crate) fn lits(numbers: &[i64]) -> Vec<Lit> {
    numbers
        .iter()
        .map(|&number| Lit::from_dimacs(number).unwrap())
        .collect()
}
