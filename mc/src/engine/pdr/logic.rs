//! The combinational logic of a model for query solvers that load it by cone.
//!
//! The gates of a model are stored once. Each solver of a frame starts without clauses and loads the definition
//! of a gate, with its whole cone, when the gate first occurs in a query or a clause. Gates that are not loaded
//! do not matter: their definitions can be satisfied by evaluating them. So a frame takes memory and time for
//! the cones of its queries, and not for the whole circuit.

use std::sync::{Arc, Mutex};

use craig_solver::query::record::Recording;
use craig_solver::query::{QuerySolver, Statistics};
use craig_solver::{Answer, Lit, Var};

/// The definitions of variables by others.
#[derive(Debug, Default)]
pub(super) struct Gates {
    /// By variable: where its operands end. They begin where those of the variable before end.
    ends: Vec<u32>,
    operands: Vec<Lit>,
    /// By variable: whether it is a choice; the other ones with operands are conjunctions.
    is_choice: Vec<bool>,
}

impl Gates {
    /// Adds a variable without definition.
    pub(super) fn add_free(&mut self) -> Var {
        self.add_var(&[], false)
    }

    /// Adds the conjunction of literals of earlier variables, of which there is at least one.
    pub(super) fn add_and(&mut self, operands: &[Lit]) -> Var {
        debug_assert!(!operands.is_empty());
        self.add_var(operands, false)
    }

    /// Adds the choice `[condition, then, otherwise]` between literals of earlier variables.
    pub(super) fn add_choice(&mut self, operands: [Lit; 3]) -> Var {
        self.add_var(&operands, true)
    }

    fn add_var(&mut self, operands: &[Lit], is_choice: bool) -> Var {
        debug_assert!(operands.iter().all(|lit| lit.var().index() < self.n_vars()));
        let var = Var::new(self.n_vars());
        self.operands.extend_from_slice(operands);
        self.ends.push(self.operands.len() as u32);
        self.is_choice.push(is_choice);
        var
    }

    pub(super) fn n_vars(&self) -> usize {
        self.ends.len()
    }

    /// The operands of a variable; none if it has no definition.
    pub(super) fn operands(&self, var: u32) -> &[Lit] {
        let (start, end) = self.range(var);
        &self.operands[start as usize..end as usize]
    }

    /// Whether a variable is a choice between its second and third operand by the first.
    pub(super) fn is_choice(&self, var: u32) -> bool {
        self.is_choice[var as usize]
    }

    /// The range of a variable's operands; empty for variables that were added to a solver alone.
    fn range(&self, var: u32) -> (u32, u32) {
        let var = var as usize;
        match self.ends.get(var) {
            None => (0, 0),
            Some(&end) => (if var == 0 { 0 } else { self.ends[var - 1] }, end),
        }
    }
}

/// A query solver over the variables of [`Gates`] and its own additional ones.
///
/// Clones share the gates; what they have loaded is copied.
#[derive(Clone)]
pub(in crate::engine) struct ConeSolver {
    gates: Arc<Gates>,
    /// Literals, in the order of their variables, that hold wherever their variables are loaded.
    facts: Arc<Vec<Lit>>,
    solver: QuerySolver,
    /// By variable: the solver's own variable for it; 0, which the solver reserves, where it is not loaded.
    inner: Vec<u32>,
    /// By variable of the solver: the variable that it stands for.
    outer: Vec<u32>,
    stack: Vec<(u32, u32)>,
    lits: Vec<Lit>,
    /// The number of additional variables.
    n_own: usize,
    /// Whether clauses that hold initially belong to a question only if they are connected with it.
    is_local: bool,
}

impl ConeSolver {
    /// A solver that has loaded nothing. Its calls, and those of its clones, are added to the recording.
    pub(super) fn new(gates: Arc<Gates>, recording: Option<&Arc<Mutex<Recording>>>) -> Self {
        Self {
            solver: recording.map_or_else(QuerySolver::new, QuerySolver::recorded),
            inner: vec![0; gates.n_vars()],
            outer: vec![0],
            facts: Arc::default(),
            stack: Vec::new(),
            lits: Vec::new(),
            n_own: 0,
            is_local: false,
            gates,
        }
    }

    /// This logic with all cones loaded, if there are at most `most_vars` variables: then a clone costs little, and nothing is
    /// loaded again in each frame.
    pub(super) fn preloaded(mut self, most_vars: usize) -> Self {
        if self.gates.n_vars() <= most_vars {
            for var in 1..self.gates.n_vars() {
                self.load(Var::new(var));
            }
        }
        self
    }

    /// From now on, also in clones, clauses that hold initially belong to a question only if they are connected with it.
    pub(super) fn set_local(&mut self) {
        self.is_local = true;
    }

    /// This logic with literals that hold, in the order of their variables, which must not be loaded yet except
    /// where the literal was added as a clause.
    pub(super) fn with_facts(mut self, facts: Vec<Lit>) -> Self {
        debug_assert!(facts.windows(2).all(|pair| pair[0].var() < pair[1].var()));
        let loaded = facts.iter().copied();
        let loaded: Vec<Lit> = loaded.filter(|&lit| self.is_loaded(lit)).collect();
        for lit in loaded {
            self.add_clause(&[lit]);
        }
        self.facts = Arc::new(facts);
        self
    }

    /// An additional variable.
    pub(super) fn new_var(&mut self) -> Var {
        let var = Var::new(self.inner.len());
        let own = self.solver.new_var();
        self.inner.push(own.index() as u32);
        self.outer.push(var.index() as u32);
        self.n_own += 1;
        var
    }

    /// The literal of an additional variable that every question may assume.
    pub(super) fn new_guard(&mut self) -> Lit {
        let var = self.new_var();
        self.solver
            .include(Var::new(self.inner[var.index()] as usize));
        var.positive()
    }

    /// Puts the cone of a literal into the domain of every later question.
    pub(super) fn include(&mut self, lit: Lit) {
        self.load(lit.var());
        let own = self.own(lit);
        self.solver.include(own.var());
    }

    /// The gates, which all clones share.
    pub(super) fn gates(&self) -> &Arc<Gates> {
        &self.gates
    }

    /// The number of variables that it has.
    pub(super) fn n_loaded(&self) -> usize {
        self.outer.len()
    }

    fn is_loaded(&self, lit: Lit) -> bool {
        self.inner[lit.var().index()] != 0
    }

    /// The solver's literal for a loaded one.
    #[inline]
    fn own(&self, lit: Lit) -> Lit {
        debug_assert!(self.is_loaded(lit));
        Var::new(self.inner[lit.var().index()] as usize).lit(lit.is_negated())
    }

    /// Loads the cones of literals, and leaves the solver's literals for them in `lits`.
    fn load_all(&mut self, lits: &[Lit]) {
        for &lit in lits {
            self.load(lit.var());
        }
        self.lits.clear();
        for &lit in lits {
            let own = self.own(lit);
            self.lits.push(own);
        }
    }

    /// Loads the cone of a variable, operands first.
    fn load(&mut self, var: Var) {
        let root = var.index() as u32;
        if self.inner[root as usize] != 0 {
            return;
        }
        self.stack.push((root, self.gates.range(root).0));
        while let Some(&mut (var, ref mut next)) = self.stack.last_mut() {
            if *next == self.gates.range(var).1 {
                self.stack.pop();
                self.define(var);
                continue;
            }
            let operand = self.gates.operands[*next as usize].var().index() as u32;
            *next += 1;
            if self.inner[operand as usize] == 0 {
                self.stack.push((operand, self.gates.range(operand).0));
            }
        }
    }

    /// Gives a variable, whose operands are loaded, a variable of the solver with its definition.
    fn define(&mut self, var: u32) {
        let own = self.solver.new_var();
        self.inner[var as usize] = own.index() as u32;
        self.outer.push(var);
        debug_assert_eq!(self.outer.len(), self.solver.n_vars());
        let (start, end) = self.gates.range(var);
        if start < end {
            let gates = Arc::clone(&self.gates);
            let operands = &gates.operands[start as usize..end as usize];
            self.lits.clear();
            for &lit in operands {
                let lit = self.own(lit);
                self.lits.push(lit);
            }
            match (gates.is_choice[var as usize], self.lits.as_slice()) {
                (true, &[condition, then, otherwise]) => {
                    define_choice(&mut self.solver, own, [condition, then, otherwise]);
                }
                (_, operands) => define_and(&mut self.solver, own, operands),
            }
        }
        let place = self
            .facts
            .binary_search_by_key(&var, |lit| lit.var().index() as u32);
        if let Ok(place) = place {
            let fact = self.own(self.facts[place]);
            match self.is_local {
                true => self.solver.add_local_clause(None, &[fact]),
                false => self.solver.add_clause(&[fact]),
            }
        }
    }

    /// Adds a clause for good; see [`QuerySolver::add_clause`].
    pub(in crate::engine) fn add_clause(&mut self, clause: &[Lit]) {
        self.load_all(clause);
        self.solver.add_clause(&self.lits);
    }

    /// As `add_clause` for a clause, under a guard if there is one, that excludes no initial state, over variables without
    /// definition. Facts are values of initial states, too.
    pub(super) fn add_initial_clause(&mut self, guard: Option<Lit>, clause: &[Lit]) {
        self.load_all(clause);
        let guard = guard.map(|guard| self.own(guard));
        match self.is_local {
            true => self.solver.add_local_clause(guard, &self.lits),
            false => {
                self.lits.extend(guard);
                self.solver.add_clause(&self.lits);
            }
        }
    }

    /// Makes a clause hold until the next call of this method or of [`ConeSolver::clear_temporary`].
    pub(super) fn set_temporary(&mut self, clause: &[Lit]) {
        self.load_all(clause);
        self.solver.set_temporary(&[&self.lits]);
    }

    /// Removes the temporary clause.
    pub(in crate::engine) fn clear_temporary(&mut self) {
        self.solver.clear_temporary();
    }

    /// See [`QuerySolver::fix_domain`].
    pub(super) fn fix_domain(&mut self, lits: &[Lit]) {
        self.load_all(lits);
        self.solver.fix_domain(&self.lits);
    }

    /// See [`QuerySolver::release_domain`].
    pub(in crate::engine) fn release_domain(&mut self) {
        self.solver.release_domain();
    }

    /// See [`QuerySolver::solve`].
    pub(in crate::engine) fn solve(
        &mut self,
        assumptions: &[Lit],
        stop: &mut dyn FnMut() -> bool,
    ) -> Answer {
        self.load_all(assumptions);
        self.solver.solve(&self.lits, stop)
    }

    /// See [`QuerySolver::value`].
    pub(super) fn value(&self, lit: Lit) -> Option<bool> {
        match self.is_loaded(lit) {
            true => self.solver.value(self.own(lit)),
            false => None,
        }
    }

    /// The literals of the model, without those of additional variables.
    pub(super) fn model(&self) -> impl Iterator<Item = Lit> + '_ {
        let n_vars = self.gates.n_vars() as u32;
        let lits = self.solver.model().iter().map(|&lit| {
            let var = self.outer[lit.var().index()];
            (var, lit.is_negated())
        });
        // The solver's reserved variable stands for variable 0.
        lits.filter(move |&(var, _)| var != 0 && var < n_vars)
            .map(|(var, is_negated)| Var::new(var as usize).lit(is_negated))
    }

    /// See [`QuerySolver::is_in_domain`].
    pub(super) fn is_in_domain(&self, lit: Lit) -> bool {
        self.is_loaded(lit) && self.solver.is_in_domain(self.own(lit))
    }

    /// See [`QuerySolver::is_failed`].
    #[inline]
    pub(super) fn is_failed(&self, assumption: Lit) -> bool {
        self.is_loaded(assumption) && self.solver.is_failed(self.own(assumption))
    }

    /// See [`QuerySolver::statistics`].
    pub(super) fn statistics(&self) -> &Statistics {
        self.solver.statistics()
    }
}

/// Defines a variable as a conjunction.
fn define_and(solver: &mut QuerySolver, var: Var, operands: &[Lit]) {
    let gate = var.positive();
    let mut long: Vec<Lit> = vec![gate];
    long.extend(operands.iter().map(|&lit| !lit));
    let short: Vec<[Lit; 2]> = operands.iter().map(|&lit| [!gate, lit]).collect();
    let mut clauses: Vec<&[Lit]> = short.iter().map(|clause| &clause[..]).collect();
    clauses.push(&long);
    let mut vars: Vec<Var> = operands.iter().map(|lit| lit.var()).collect();
    vars.sort_unstable();
    vars.dedup();
    solver.define(var, &vars, &clauses);
}

/// Defines a variable as the choice between `then` and `otherwise` by `condition`.
fn define_choice(solver: &mut QuerySolver, var: Var, operands: [Lit; 3]) {
    let gate = var.positive();
    let [condition, then, otherwise] = operands;
    let clauses: [&[Lit]; 6] = [
        &[!condition, !then, gate],
        &[!condition, then, !gate],
        &[condition, !otherwise, gate],
        &[condition, otherwise, !gate],
        // Redundant, but not if the two are opposite.
        &[!then, !otherwise, gate],
        &[then, otherwise, !gate],
    ];
    let n_clauses = if then == !otherwise { 4 } else { 6 };
    let mut vars = operands.map(Lit::var).to_vec();
    vars.sort_unstable();
    vars.dedup();
    solver.define(var, &vars, &clauses[..n_clauses]);
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use craig_aig::Random;

    /// Random gates over the first variables, of which the first two are reserved.
    pub(in crate::engine::pdr) fn random_gates(
        random: &mut Random,
        n_free: usize,
        n_gates: usize,
    ) -> Gates {
        let mut gates = Gates::default();
        for _ in 0..n_free {
            gates.add_free();
        }
        for _ in 0..n_gates {
            let mut operand = || {
                let var = 1 + random.below(gates.n_vars() - 1);
                Var::new(var).lit(random.flip())
            };
            let operands = [operand(), operand(), operand()];
            match random.below(3) {
                0 => gates.add_choice(operands),
                n => gates.add_and(&operands[..n + 1]),
            };
        }
        gates
    }

    /// The value of each variable for values of the free ones.
    pub(in crate::engine::pdr) fn evaluate(gates: &Gates, free: &[bool]) -> Vec<bool> {
        let mut values: Vec<bool> = Vec::new();
        for (var, &is_choice) in gates.is_choice.iter().enumerate() {
            let (start, end) = gates.range(var as u32);
            let operands = gates.operands[start as usize..end as usize].iter();
            let operands: Vec<bool> = operands
                .map(|lit| values[lit.var().index()] != lit.is_negated())
                .collect();
            values.push(match operands.as_slice() {
                [] => free[var],
                &[condition, then, otherwise] if is_choice => {
                    if condition {
                        then
                    } else {
                        otherwise
                    }
                }
                all => all.iter().all(|&value| value),
            });
        }
        values
    }

    /// Answers, models and cores of random queries under random clauses, against all assignments; solvers are
    /// cloned on the way.
    #[test]
    fn loading_by_cone_keeps_all_answers() {
        let mut random = Random::new(5);
        let mut n_answers = [0; 2];
        for round in 0..400 {
            let n_free = 7;
            let gates = Arc::new(random_gates(&mut random, n_free, 25));
            let assignments: Vec<Vec<bool>> = (0..1_u32 << (n_free - 1))
                .map(|bits| {
                    let free: Vec<bool> =
                        (0..n_free).map(|var| bits << 1 >> var & 1 == 1).collect();
                    evaluate(&gates, &free)
                })
                .collect();
            let lit = |random: &mut Random| {
                Var::new(1 + random.below(gates.n_vars() - 1)).lit(random.flip())
            };
            let holds = |values: &[bool], lit: Lit| values[lit.var().index()] != lit.is_negated();
            let most_vars = if round % 4 == 0 { usize::MAX } else { 10 };
            let mut solver = ConeSolver::new(Arc::clone(&gates), None).preloaded(most_vars);
            let mut clauses: Vec<Vec<Lit>> = Vec::new();
            if round % 3 == 0 {
                let facts: Vec<Lit> = [1, 3, 4].map(|var| Var::new(var).lit(random.flip())).into();
                clauses.extend(facts.iter().map(|&fact| vec![fact]));
                solver = solver.with_facts(facts);
            }
            for _ in 0..12 {
                if random.below(3) == 0 {
                    let clause: Vec<Lit> = (0..3).map(|_| lit(&mut random)).collect();
                    solver.add_clause(&clause);
                    clauses.push(clause);
                }
                if random.below(4) == 0 {
                    solver = solver.clone();
                }
                let temporary: Option<Vec<Lit>> = random
                    .flip()
                    .then(|| (0..2).map(|_| lit(&mut random)).collect());
                let mut assumptions: Vec<Lit> = (0..3).map(|_| lit(&mut random)).collect();
                assumptions.sort_unstable();
                assumptions.dedup_by_key(|lit| lit.var());
                match &temporary {
                    Some(clause) => solver.set_temporary(clause),
                    None => solver.clear_temporary(),
                }
                let is_model = |values: &Vec<bool>, assumptions: &[Lit]| {
                    let all = clauses.iter().chain(&temporary);
                    assumptions.iter().all(|&lit| holds(values, lit))
                        && all
                            .clone()
                            .all(|clause| clause.iter().any(|&lit| holds(values, lit)))
                };
                let expected = assignments
                    .iter()
                    .any(|values| is_model(values, &assumptions));
                let answer = solver.solve(&assumptions, &mut || false);
                assert_eq!(answer == Answer::Satisfiable, expected);
                n_answers[usize::from(expected)] += 1;
                if expected {
                    let model: Vec<Lit> = solver.model().collect();
                    let agrees = |values: &Vec<bool>| model.iter().all(|&lit| holds(values, lit));
                    assert!(
                        assumptions
                            .iter()
                            .all(|&lit| solver.value(lit) == Some(true))
                    );
                    assert!(
                        assignments
                            .iter()
                            .any(|values| agrees(values) && is_model(values, &assumptions))
                    );
                } else {
                    let failed = assumptions.iter().copied();
                    let failed: Vec<Lit> = failed.filter(|&lit| solver.is_failed(lit)).collect();
                    assert!(!assignments.iter().any(|values| is_model(values, &failed)));
                }
            }
        }
        assert!(n_answers.iter().all(|&n| n > 500), "{n_answers:?}");
    }
}
