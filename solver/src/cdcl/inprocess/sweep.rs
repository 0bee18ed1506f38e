//! SAT sweeping: units and equal literals that follow from the clauses around a variable.
//!
//! A search of its own decides the clauses that are at most a few steps away from a variable
//! ([`Environment`]). Literals with one value in all models seen so far may be constant, and literals with equal
//! values may be equal; each is asked for, and a model that says otherwise makes the candidates fewer (Fleury and
//! Biere, "Mining definitions in Kissat with Kittens", FMSD 2023; Kuehlmann et al., TCAD 2002, for circuits). Congruence
//! closure needs gates that are alike; sweeping finds equal functions of different structure.
//!
//! A fact is derived by the resolutions of the small search. Equal literals get the two binary clauses that say so, and are
//! merged by the congruence closure that follows.

use super::environment::Environment;
use super::occurrences::Occurrences;
use crate::cdcl::answer::Answer;
use crate::cdcl::solver::Solver;
use crate::lit::{Lit, Var};
use crate::proof::{ClauseId, Origin, ProofDag, ProofSink};

/// The most variables and clauses of an environment, and how far it reaches, in clauses.
const MOST_VARS: usize = 256;
const MOST_CLAUSES: usize = 1024;
const DEPTH: u32 = 3;
/// The most clauses that are visited for an environment, those that do not fit included.
const MOST_VISITED: usize = 4096;
/// Clauses with more literals are left out.
const MOST_LITS: usize = 16;
/// Variables up to this distance from the middle of an environment are no middle in the same round: what is around them
/// has been looked at.
const COVERED: u32 = 1;
/// How many models with preferred values are asked for before candidates are.
const PREFERENCES: u32 = 8;
/// How often each candidate of an environment is flipped.
const FLIPS: usize = 3;
/// The steps that a question takes beside its propagations.
const QUESTION_STEPS: u64 = 50;
/// The steps that a clause of an environment takes.
const CLAUSE_STEPS: u64 = 10;

/// No variable of an environment.
const NONE: u32 = u32::MAX;

/// The state of a round.
struct Sweep {
    /// By variable: its number in the present environment, or [`NONE`].
    numbers: Vec<u32>,
    /// The variables of the present environment.
    vars: Vec<Var>,
    /// The entries of the present environment, by label.
    labelled: Vec<u32>,
    /// By entry: whether it is among them.
    is_labelled: Vec<bool>,
    /// How many clauses were visited for the present environment.
    n_visited: usize,
    /// By variable: whether it is not to be a middle, and whether another variable equals it.
    is_covered: Vec<bool>,
    is_merged: Vec<bool>,
}

/// What an environment says of a question.
enum Reply {
    /// It has a model, which is its last one.
    Model,
    /// The derivation of a clause of negated literals of the question.
    Derivation(ProofDag),
    /// No answer, or no room for its derivation.
    Nothing,
}

/// What may hold in all models of an environment.
struct Candidates {
    /// Literals that may be true.
    constant: Vec<Lit>,
    /// Literals of each class may be equal. Classes have at least two.
    classes: Vec<Vec<Lit>>,
}

impl Candidates {
    fn is_empty(&self) -> bool {
        self.constant.is_empty() && self.classes.is_empty()
    }

    /// Has the next model prefer values that leave fewer candidates. Of two literals of a class, different values are preferred
    /// in some round below the number of bits of their places.
    fn prefer_others(&self, environment: &mut Environment, round: u32) {
        for &lit in &self.constant {
            environment.prefer(!lit);
        }
        for class in &self.classes {
            for (place, &lit) in class.iter().enumerate() {
                environment.prefer(lit.negate_if(place >> round & 1 == 0));
            }
        }
    }

    /// Drops what the last model and small changes of it contradict; with the clauses that were visited.
    fn refine(&mut self, environment: &mut Environment) -> u64 {
        self.constant.retain(|&lit| environment.is_true(lit));
        for class in std::mem::take(&mut self.classes) {
            let (one, other): (Vec<Lit>, Vec<Lit>) =
                class.into_iter().partition(|&lit| environment.is_true(lit));
            self.classes.extend([one, other]);
        }
        let mut n_visited = 0;
        // A literal whose flip leaves a model is neither constant nor equal to another one.
        let mut is_needed = |lit: Lit, environment: &mut Environment| {
            let (is_flipped, n_clauses) = environment.flip(lit);
            n_visited += n_clauses as u64;
            !is_flipped
        };
        for class in &mut self.classes {
            class.retain(|&lit| is_needed(lit, environment));
        }
        (self.constant).retain(|&lit| environment.is_true(lit) && is_needed(lit, environment));
        self.classes.retain(|class| class.len() > 1);
        n_visited
    }

    /// Drops a literal.
    fn drop_lit(&mut self, lit: Lit) {
        self.constant.retain(|&other| other != lit);
        for class in &mut self.classes {
            class.retain(|&other| other.var() != lit.var());
        }
        self.classes.retain(|class| class.len() > 1);
    }
}

impl<P: ProofSink> Occurrences<'_, P> {
    /// Sweeps, unless too many rounds have found nothing: each of these about doubles the number of rounds that are left out. Whether
    /// something was found.
    pub(super) fn sweep_in_time(&mut self) -> bool {
        let delay = &mut self.solver.inprocessing.sweep_delay;
        if delay.rounds > 0 {
            delay.rounds -= 1;
            return false;
        }
        let n_found = |solver: &Solver<P>| {
            solver.statistics.swept_equivalences + solver.statistics.swept_units
        };
        let before = n_found(self.solver);
        self.sweep();
        let is_fruitful = n_found(self.solver) > before;
        self.solver.inprocessing.sweep_delay.note(is_fruitful);
        is_fruitful
    }

    /// Looks for units and equal literals until all variables have been the middle of an environment, the allowed effort is spent, or
    /// the formula turns out to be unsatisfiable.
    fn sweep(&mut self) {
        let n_vars = self.solver.n_vars();
        let mut sweep = Sweep {
            numbers: vec![NONE; n_vars],
            vars: Vec::new(),
            labelled: Vec::new(),
            is_labelled: vec![false; self.entries.len()],
            n_visited: 0,
            is_covered: vec![false; n_vars],
            is_merged: vec![false; n_vars],
        };
        for _ in 0..n_vars {
            if self.is_spent() {
                break;
            }
            let next = &mut self.solver.inprocessing.next_swept;
            let var = Var::new(*next % n_vars);
            *next = var.index() + 1;
            if sweep.is_covered[var.index()] || !self.is_open(var) {
                continue;
            }
            if let Some(environment) = self.environment(var, &mut sweep) {
                self.solver.statistics.swept_environments += 1;
                self.sweep_environment(environment, &mut sweep);
            }
            self.leave_environment(&mut sweep);
            if !self.propagate() {
                return;
            }
        }
    }

    /// The clauses around a variable; `None` if there are none.
    fn environment(&mut self, middle: Var, sweep: &mut Sweep) -> Option<Environment> {
        sweep.is_labelled.resize(self.entries.len(), false);
        sweep.numbers[middle.index()] = 0;
        sweep.vars.push(middle);
        sweep.n_visited = 0;
        let mut start = 0;
        for distance in 0..DEPTH {
            let end = sweep.vars.len();
            for index in start..end {
                let var = sweep.vars[index];
                if distance <= COVERED {
                    sweep.is_covered[var.index()] = true;
                }
                for lit in [var.positive(), var.negative()] {
                    self.reach_clauses(lit, sweep);
                }
            }
            start = end;
        }
        if sweep.labelled.is_empty() {
            return None;
        }
        let mut environment = Environment::new(sweep.vars.len());
        for &entry in &sweep.labelled {
            let clause = self.entries[entry as usize].clause;
            environment.add((self.solver.arena.lits(clause)).map(|lit| {
                let number = sweep.numbers[lit.var().index()];
                Var::new(number as usize).lit(lit.is_negated())
            }));
        }
        self.steps += CLAUSE_STEPS * sweep.labelled.len() as u64;
        Some(environment)
    }

    /// Adds the clauses of a literal to the environment, as far as they fit.
    fn reach_clauses(&mut self, lit: Lit, sweep: &mut Sweep) {
        let arena = &self.solver.arena;
        for &entry in self.lists.of(lit) {
            if sweep.labelled.len() == MOST_CLAUSES || sweep.n_visited == MOST_VISITED {
                return;
            }
            self.steps += 1;
            sweep.n_visited += 1;
            let clause = self.entries[entry as usize].clause;
            let is_known = sweep.is_labelled[entry as usize];
            if is_known || arena.is_garbage(clause) || arena.size(clause) > MOST_LITS {
                continue;
            }
            let is_unknown = |lit: &Lit| sweep.numbers[lit.var().index()] == NONE;
            if sweep.vars.len() + arena.lits(clause).filter(is_unknown).count() > MOST_VARS {
                continue;
            }
            for lit in arena.lits(clause) {
                let number = &mut sweep.numbers[lit.var().index()];
                if *number == NONE {
                    *number = sweep.vars.len() as u32;
                    sweep.vars.push(lit.var());
                }
            }
            sweep.is_labelled[entry as usize] = true;
            sweep.labelled.push(entry);
        }
    }

    fn leave_environment(&mut self, sweep: &mut Sweep) {
        for var in sweep.vars.drain(..) {
            sweep.numbers[var.index()] = NONE;
        }
        for entry in sweep.labelled.drain(..) {
            sweep.is_labelled[entry as usize] = false;
        }
    }

    /// Asks for each candidate of an environment.
    fn sweep_environment(&mut self, mut environment: Environment, sweep: &mut Sweep) {
        match self.ask(&mut environment, &[]) {
            Reply::Model => {}
            reply => return self.learn_reply(&reply, sweep),
        }
        let mut candidates = self.candidates(&mut environment, sweep);
        for round in 0..PREFERENCES {
            if candidates.is_empty() || self.is_spent() {
                return;
            }
            candidates.prefer_others(&mut environment, round);
            if !matches!(self.ask(&mut environment, &[]), Reply::Model) {
                return;
            }
            self.steps += candidates.refine(&mut environment);
        }
        while let Some(lit) = candidates.constant.pop() {
            if self.is_spent() || self.solver.outcome.inconsistent {
                return;
            }
            match self.ask(&mut environment, &[!lit]) {
                Reply::Model => {
                    self.steps += candidates.refine(&mut environment);
                    candidates.prefer_others(&mut environment, 0);
                }
                reply => {
                    self.learn_reply(&reply, sweep);
                    candidates.drop_lit(lit);
                }
            }
        }
        while let Some(&[.., kept, lit]) = candidates.classes.last().map(Vec::as_slice) {
            if self.is_spent() || self.solver.outcome.inconsistent {
                return;
            }
            match self.ask_equal(&mut environment, [kept, lit], sweep) {
                Some(false) => self.steps += candidates.refine(&mut environment),
                is_equal => {
                    sweep.is_merged[sweep.vars[lit.var().index()].index()] |= is_equal.is_some();
                    candidates.drop_lit(lit);
                }
            }
        }
    }

    /// Whether two literals are equal, which is learned; `None` if that is not known.
    fn ask_equal(
        &mut self,
        environment: &mut Environment,
        [first, second]: [Lit; 2],
        sweep: &Sweep,
    ) -> Option<bool> {
        let mut replies = Vec::with_capacity(2);
        for [implies, implied] in [[second, first], [first, second]] {
            let reply = self.ask(environment, &[implies, !implied]);
            match reply {
                Reply::Model => return Some(false),
                Reply::Nothing => return None,
                Reply::Derivation(_) => replies.push(reply),
            }
        }
        // An implication alone would be one more clause, and no fewer variables.
        for reply in &replies {
            self.learn_reply(reply, sweep);
        }
        self.solver.statistics.swept_equivalences += 1;
        Some(true)
    }

    /// What the last model and small changes of it leave open.
    fn candidates(&mut self, environment: &mut Environment, sweep: &Sweep) -> Candidates {
        let lits = (0..environment.n_vars()).map(|var| {
            let lit = Var::new(var).positive();
            lit.negate_if(!environment.is_true(lit))
        });
        let mut constant: Vec<Lit> = lits.collect();
        for _ in 0..FLIPS {
            constant.retain(|&lit| {
                let (is_flipped, n_visited) = environment.flip(lit);
                self.steps += n_visited as u64;
                !is_flipped
            });
        }
        let is_merged = |lit: &Lit| sweep.is_merged[sweep.vars[lit.var().index()].index()];
        let class: Vec<Lit> = constant
            .iter()
            .copied()
            .filter(|lit| !is_merged(lit))
            .collect();
        let is_class = class.len() > 1;
        Candidates {
            constant,
            classes: if is_class { vec![class] } else { Vec::new() },
        }
    }

    /// Asks an environment for a model with some literals.
    fn ask(&mut self, environment: &mut Environment, lits: &[Lit]) -> Reply {
        let before = environment.effort();
        let answer = environment.decide(lits);
        self.steps += QUESTION_STEPS + environment.effort() - before;
        let derivation = match answer {
            Answer::Satisfiable => return Reply::Model,
            Answer::Unsatisfiable => environment.derivation(),
            Answer::Unknown => None,
        };
        derivation.map_or(Reply::Nothing, |dag| {
            self.steps += dag.n_vertices() as u64;
            Reply::Derivation(dag)
        })
    }

    /// Adds what was derived to the clauses.
    fn learn_reply(&mut self, reply: &Reply, sweep: &Sweep) {
        if let Reply::Derivation(dag) = reply
            && !self.solver.outcome.inconsistent
        {
            self.learn_derived(dag, sweep);
        }
    }

    /// Repeats a derivation in the proof, and adds its root to the clauses if there is room.
    fn learn_derived(&mut self, dag: &ProofDag, sweep: &Sweep) {
        let Some(root) = dag.root() else {
            return;
        };
        let is_known = matches!(dag.origin(root), Origin::Leaf { .. });
        if is_known || !self.solver.has_numbers(dag.n_vertices()) {
            return;
        }
        let formula_lits = |vertex| {
            let lits = dag.clause(vertex).iter();
            lits.map(|lit| sweep.vars[lit.var().index()].lit(lit.is_negated()))
                .collect::<Vec<Lit>>()
        };
        let mut ids: Vec<ClauseId> = Vec::with_capacity(dag.n_vertices());
        for vertex in dag.vertices() {
            ids.push(match dag.origin(vertex) {
                Origin::Leaf { label } => {
                    let entry = sweep.labelled[label as usize];
                    self.solver.arena.id(self.entries[entry as usize].clause)
                }
                Origin::Chain { first, steps } => {
                    let steps = steps.iter().map(|step| step.antecedent);
                    let chain: Vec<ClauseId> = (std::iter::once(first).chain(steps))
                        .map(|antecedent| ids[antecedent as usize])
                        .collect();
                    self.solver.derive_by(&formula_lits(vertex), &chain)
                }
            });
        }
        for vertex in dag.vertices().filter(|&vertex| vertex != root) {
            if P::ENABLED && matches!(dag.origin(vertex), Origin::Chain { .. }) {
                let solver = &mut *self.solver;
                let id = ids[vertex as usize];
                solver
                    .chain
                    .delete(&mut solver.proof, id, &formula_lits(vertex));
            }
        }
        self.add_derived(&formula_lits(root), ids[root as usize]);
    }

    /// Adds a clause that was derived from irredundant ones, if there is room.
    fn add_derived(&mut self, lits: &[Lit], id: ClauseId) {
        match *lits {
            [] => self.solver.become_inconsistent(id),
            [lit] => {
                self.solver.statistics.swept_units += 1;
                self.assign(lit, id);
            }
            _ => {
                // A unit of the same environment has not reached all clauses yet; the fact is found again after that.
                let is_assigned = lits.iter().any(|&lit| self.solver.trail.value(lit) != 0);
                let is_superfluous = is_assigned || self.find_clause(lits).is_some();
                let clause = match is_superfluous {
                    true => None,
                    false => self.solver.arena.alloc(lits, false, 0, id),
                };
                let Some(clause) = clause else {
                    let solver = &mut *self.solver;
                    return solver.chain.delete(&mut solver.proof, id, lits);
                };
                self.solver.touch(clause);
                self.add(clause);
            }
        }
    }
}
