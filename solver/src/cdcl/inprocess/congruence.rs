//! Congruence closure: variables that the same function defines of the same inputs are equal.
//!
//! Gates are found among the clauses, and two gates of the same function and inputs give an equivalence of
//! their outputs. One output is substituted by the other in all clauses, which makes more gates alike (Biere,
//! Fazekas, Fleury, Froleyks, "Clausal congruence closure", SAT 2024). Thus miters of circuits that are built
//! of the same gates need no search.
//!
//! Substitution changes the clauses at once, so that the clauses of a gate always mention its current inputs,
//! and each equivalence follows from few clauses by resolution. Gates that degenerate need no rules of their
//! own: subsumption and unit propagation shorten their clauses, and the gates of the variables of shortened
//! clauses are looked for again. Variables are substituted by those with more clauses, so that a clause
//! changes at most logarithmically often per literal.

use std::collections::VecDeque;

use super::definitions::{Definition, Definitions};
use super::gate_chains::Known;
use super::occurrences::Occurrences;
use super::substitute::{Equivalence, Substitution};
use crate::cdcl::solver::Solver;
use crate::lit::{Lit, Var};
use crate::proof::{ClauseId, ProofSink};

/// Gates of variables with more clauses are not looked for again.
const MAX_OCCURRENCES: usize = 1000;

/// The state of a closure.
struct Closure {
    definitions: Definitions,
    /// Literals that two clauses say to be equal.
    equal: VecDeque<[Lit; 2]>,
    /// Variables whose gates are to be looked for again, and by variable whether it is among them.
    changed: Vec<Var>,
    is_changed: Vec<bool>,
    substitution: Substitution,
}

impl Closure {
    fn new(n_vars: usize) -> Self {
        Self {
            definitions: Definitions::new(n_vars),
            equal: VecDeque::new(),
            changed: Vec::new(),
            is_changed: vec![false; n_vars],
            substitution: Substitution::new(n_vars),
        }
    }

    fn note(&mut self, var: Var) {
        if !std::mem::replace(&mut self.is_changed[var.index()], true) {
            self.changed.push(var);
        }
    }
}

impl<P: ProofSink> Occurrences<'_, P> {
    /// Merges equal variables until there are none, or the allowed effort is spent; `false` if the formula
    /// turns out to be unsatisfiable.
    pub(super) fn merge_congruent(&mut self) -> bool {
        let waiting = self.pause_subsumption();
        let n_vars = self.solver.n_vars();
        let mut closure = Closure::new(n_vars);
        self.merge_cycles(&mut closure.substitution);
        if !self.propagate() || !self.subsume() {
            return false;
        }
        for index in 0..n_vars {
            if self.is_spent() {
                break;
            }
            self.define(Var::new(index), &mut closure);
        }
        self.solver.statistics.gates += closure.definitions.len() as u64;
        if self.solver.is_factoring() {
            self.note_circuit(closure.definitions.n_gates());
        }
        while !self.is_spent() && self.merge_next(&mut closure) {
            if !self.propagate() || !self.subsume() {
                return false;
            }
            for entry in std::mem::take(&mut self.shortened) {
                for lit in (self.solver.arena).lits(self.entries[entry as usize].clause) {
                    closure.note(lit.var());
                }
            }
        }
        self.changed.clear();
        self.resume_subsumption(waiting);
        self.substitute_in_learned(&closure.substitution);
        self.propagate()
    }

    /// Records whether gates define at least half of the variables.
    fn note_circuit(&mut self, n_gates: usize) {
        let vars = (0..self.solver.n_vars()).map(Var::new);
        let lists = &self.lists;
        let is_used = |&var: &Var| lists.len(var.positive()) + lists.len(var.negative()) > 0;
        let n_used = vars.filter(is_used).count();
        self.solver.inprocessing.is_circuit |= n_used > 0 && 2 * n_gates >= n_used;
    }

    /// Takes one step; `false` if there is none left.
    fn merge_next(&mut self, closure: &mut Closure) -> bool {
        if let Some(lits) = closure.equal.pop_front() {
            self.merge_equal(lits, closure);
        } else if let Some(pair) = closure.definitions.next_pair() {
            self.merge_outputs(pair, closure);
        } else if let Some(var) = closure.changed.pop() {
            closure.is_changed[var.index()] = false;
            let n_clauses = self.lists.len(var.positive()) + self.lists.len(var.negative());
            if n_clauses <= MAX_OCCURRENCES {
                self.define(var, closure);
            }
        } else {
            return false;
        }
        true
    }

    /// Adds the definitions of a variable.
    fn define(&mut self, var: Var, closure: &mut Closure) {
        self.steps += 1;
        if !self.is_open(var) {
            return;
        }
        for gate in self.gates_of(var) {
            let definition = Definition {
                function: gate.function,
                output: gate.output,
                inputs: gate.inputs,
            };
            match definition.inputs[..] {
                [input] => closure.equal.push_back([definition.output, input]),
                _ => {
                    if let Some(definition) = definition.normalized() {
                        closure.definitions.add(&definition);
                    }
                }
            }
        }
    }

    /// Merges two literals that two clauses say to be equal, if both clauses are still there.
    fn merge_equal(&mut self, lits: [Lit; 2], closure: &mut Closure) {
        let [first, second] = lits.map(|lit| closure.substitution.find(lit));
        if first.var() == second.var() || !self.is_open(first.var()) || !self.is_open(second.var())
        {
            return;
        }
        let forward = self.find_clause(&[!first, second]);
        let backward = self.find_clause(&[first, !second]);
        let (Some(forward), Some(backward)) = (forward, backward) else {
            return;
        };
        let Some(drops_first) = self.prefers_first(first.var(), second.var()) else {
            return;
        };
        let clauses = [forward, backward].map(|entry| self.entries[entry as usize].clause);
        let ids = clauses.map(|clause| self.solver.arena.id(clause));
        for entry in [forward, backward] {
            self.set_aside(entry);
        }
        self.merge([first, second], ids, drops_first, closure);
    }

    /// Merges the outputs of two definitions of the same function and inputs, if their clauses are still
    /// there.
    fn merge_outputs(&mut self, indices: [u32; 2], closure: &mut Closure) {
        let pair = indices.map(|index| closure.definitions.get(index));
        let [first, second] = [pair[0].output, pair[1].output];
        if !self.is_open(first.var()) || !self.is_open(second.var()) {
            return;
        }
        let found = [&pair[0], &pair[1]].map(|definition| self.find_definition(definition));
        let [Some(left), Some(right)] = found else {
            // Without its clauses the first definition must not be found again.
            if found[0].is_none() {
                closure.definitions.forget(indices[0]);
            }
            closure.note(first.var());
            closure.note(second.var());
            return;
        };
        let Some(drops_first) = self.prefers_first(first.var(), second.var()) else {
            return;
        };
        self.solver.statistics.congruent_gates += 1;
        let sides = [
            self.derive_implication((&pair[0], &left), &right),
            self.derive_implication((&pair[1], &right), &left),
        ];
        if sides.iter().any(|side| side.lits.len() < 2) {
            return self.assign_short(&sides);
        }
        for entry in sides.iter().filter_map(|side| side.entry) {
            self.set_aside(entry);
        }
        // The clauses of the dropped output become those of the other one.
        let dropped = usize::from(!drops_first);
        for (known, size) in [left, right][dropped]
            .iter()
            .zip(pair[dropped].clause_sizes())
        {
            let entry = known.entry.filter(|&entry| self.is_live(entry));
            if let Some(entry) = entry.filter(|_| known.lits.len() == size) {
                self.remove(entry);
            }
        }
        self.merge(
            [first, second],
            sides.map(|side| side.id),
            drops_first,
            closure,
        );
    }

    /// Assigns the literals of unit clauses, and what follows from those and the other clauses.
    fn assign_short(&mut self, clauses: &[Known]) {
        for known in clauses {
            match known.lits[..] {
                [] => self.solver.become_inconsistent(known.id),
                [lit] => self.assign(lit, known.id),
                _ => {}
            }
        }
        for known in clauses.iter().filter(|known| known.lits.len() == 2) {
            for (lit, other) in [
                (known.lits[0], known.lits[1]),
                (known.lits[1], known.lits[0]),
            ] {
                let [value, other_value] = [lit, other].map(|lit| self.solver.trail.value(lit));
                if value == 0 && other_value < 0 && !self.solver.outcome.inconsistent {
                    if Solver::<P>::CHAINS {
                        self.solver.chain.ids.push(known.id);
                        self.solver.chain.add_unit(other.var());
                    }
                    let id = self.solver.derive(&[lit]);
                    self.assign(lit, id);
                }
            }
            self.forget(known);
        }
    }

    /// Substitutes one of two equal literals, given the numbers of the clauses by which the first implies the
    /// second and the second the first.
    fn merge(
        &mut self,
        [first, second]: [Lit; 2],
        [forward, backward]: [ClauseId; 2],
        drops_first: bool,
        closure: &mut Closure,
    ) {
        let (from, to, [implies, implied]) = match drops_first {
            true => (first, second, [forward, backward]),
            false => (second, first, [backward, forward]),
        };
        let step = Equivalence::new(from, to, [implies, implied]);
        self.steps += 2 * closure.definitions.n_uses(step.from);
        self.substitute(step, &mut closure.substitution);
        for output in closure.definitions.rename(step.from, step.to) {
            closure.note(output);
        }
    }
}
