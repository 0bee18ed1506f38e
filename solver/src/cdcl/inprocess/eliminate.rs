//! Bounded variable elimination.
//!
//! All clauses with a variable are replaced by their resolvents on it, where these are not too many
//! (Davis and Putnam, 1960; Subbarayan and Pradhan, NiVER, SAT 2004; Eén and Biere, SatELite, SAT 2005). If some of the
//! clauses define the variable as a gate, only resolvents of a gate clause with another clause are
//! needed; the others follow. Each resolvent is a proof step of two antecedents. How many more clauses than before
//! are allowed grows each time nothing is left to do.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::occurrences::Occurrences;
use crate::cdcl::Solver;
use crate::lit::{Lit, Var};
use crate::proof::ProofSink;

/// Variables with more occurrences of either sign stay.
const MAX_OCCURRENCES: usize = 100;
/// Variables with a longer resolvent stay.
const MAX_RESOLVENT: usize = 100;
/// The most clauses more than before that eliminating a variable may leave. With more, pigeonhole formulas become much
/// harder (docs/performance.md).
const MAX_BOUND: usize = 2;

impl<P: ProofSink> Occurrences<'_, P> {
    /// Eliminates variables that were touched since they were last tried; `false` if the formula turns out to be
    /// unsatisfiable.
    pub(super) fn eliminate(&mut self) -> bool {
        let bound = self.solver.elimination_bound;
        let mut schedule: BinaryHeap<Reverse<(usize, u32)>> = BinaryHeap::new();
        for round in 0.. {
            for index in 0..self.solver.n_vars() {
                let var = Var::new(index);
                if self.solver.touched[index] && self.is_candidate(var) {
                    schedule.push(Reverse((self.score(var), index as u32)));
                }
            }
            if schedule.is_empty() || round == 3 {
                break;
            }
            while let Some(Reverse((score, index))) = schedule.pop() {
                if self.is_spent() {
                    return true;
                }
                let var = Var::new(index as usize);
                if !self.is_candidate(var) {
                    continue;
                }
                let now = self.score(var);
                if now > score {
                    schedule.push(Reverse((now, index)));
                    continue;
                }
                self.solver.touched[var.index()] = false;
                self.try_to_eliminate(var, bound);
                if !self.propagate() || !self.subsume() {
                    return false;
                }
            }
        }
        self.raise_bound();
        true
    }

    /// All was tried: next time, allow more clauses.
    fn raise_bound(&mut self) {
        let bound = self.solver.elimination_bound;
        if bound < MAX_BOUND {
            self.solver.elimination_bound = if bound == 0 { 1 } else { 2 * bound };
            self.solver.touched.fill(true);
        }
    }

    fn is_candidate(&self, var: Var) -> bool {
        self.is_open(var) && !self.solver.frozen[var.index()]
    }

    fn score(&self, var: Var) -> usize {
        self.lists[var.positive().index()].len() * self.lists[var.negative().index()].len()
    }

    fn try_to_eliminate(&mut self, var: Var, bound: usize) {
        let [positive, negative] = [var.positive(), var.negative()];
        self.clean(positive);
        self.clean(negative);
        let [left, right] = [positive, negative].map(|lit| self.lists[lit.index()].clone());
        if left.len().max(right.len()) > MAX_OCCURRENCES {
            return;
        }
        let gate = self.find_gate(positive, &left, &right);
        let limit = left.len() + right.len() + bound;
        let mut pairs = Vec::new();
        for &a in &left {
            for &b in &right {
                let is_needed = match &gate {
                    Some(gate) => gate.contains(&a) != gate.contains(&b),
                    None => true,
                };
                if !is_needed {
                    continue;
                }
                match self.resolvent_size(a, b, positive) {
                    None => {}
                    Some(size) if size > MAX_RESOLVENT => return,
                    Some(_) => pairs.push((a, b)),
                }
                if pairs.len() > limit {
                    return;
                }
            }
        }
        self.solver.statistics.eliminated_variables += 1;
        for (a, b) in pairs {
            self.add_resolvent(a, b, positive);
            if self.solver.inconsistent {
                return;
            }
        }
        self.solver.extension.push_var(var);
        self.solver.decisions.inactive[var.index()] = true;
        for (witness, list) in [(positive, left), (negative, right)] {
            for entry in list {
                let clause = self.entries[entry as usize].clause;
                let solver = &mut *self.solver;
                solver
                    .extension
                    .push(witness, solver.arena.lits(clause), solver.arena.id(clause));
                solver.touch(clause);
                solver.arena.mark_garbage(clause);
            }
        }
    }

    /// The size of the resolvent on `pivot` of a clause with it and a clause with its negation; `None` for a tautology.
    fn resolvent_size(&mut self, with: u32, without: u32, pivot: Lit) -> Option<usize> {
        self.steps += 1;
        let [a, b] = [with, without].map(|entry| self.entries[entry as usize].clause);
        for lit in self.solver.arena.lits(a) {
            self.marks[lit.index()] = true;
        }
        let mut size = Some(self.solver.arena.size(a) - 1);
        for lit in self.solver.arena.lits(b) {
            if lit != !pivot && self.marks[(!lit).index()] {
                size = None;
                break;
            }
            if lit != !pivot && !self.marks[lit.index()] {
                size = size.map(|size| size + 1);
            }
        }
        for lit in self.solver.arena.lits(a) {
            self.marks[lit.index()] = false;
        }
        size
    }

    fn add_resolvent(&mut self, with: u32, without: u32, pivot: Lit) {
        let [a, b] = [with, without].map(|entry| self.entries[entry as usize].clause);
        let solver = &mut *self.solver;
        let mut lits: Vec<Lit> = solver.arena.lits(a).filter(|&lit| lit != pivot).collect();
        for lit in &lits {
            self.marks[lit.index()] = true;
        }
        let own = lits.len();
        for lit in solver.arena.lits(b) {
            if lit != !pivot && !self.marks[lit.index()] {
                lits.push(lit);
            }
        }
        for lit in &lits[..own] {
            self.marks[lit.index()] = false;
        }
        if Solver::<P>::CHAINS {
            solver
                .chain
                .ids
                .extend([solver.arena.id(a), solver.arena.id(b)]);
        }
        let id = solver.derive(&lits);
        if let [lit] = *lits {
            self.assign(lit, id);
        } else {
            let clause = solver.arena.alloc(&lits, false, 0, id);
            self.add(clause);
        }
    }

    /// The clauses that define the variable of `output` as an and-gate of literals, in either sign, or as an
    /// exclusive or, or as an if-then-else.
    fn find_gate(&mut self, output: Lit, left: &[u32], right: &[u32]) -> Option<Vec<u32>> {
        self.find_and_gate(output, left, right)
            .or_else(|| self.find_and_gate(!output, right, left))
            .or_else(|| self.find_if_then_else(output, left, right))
    }

    /// `output = a1 & ... & an`: a clause `output | !a1 | ... | !an` and the clauses `!output | ai`.
    fn find_and_gate(&mut self, output: Lit, with: &[u32], without: &[u32]) -> Option<Vec<u32>> {
        let arena = &self.solver.arena;
        let binary = |&entry: &u32| {
            let clause = self.entries[entry as usize].clause;
            (arena.size(clause) == 2).then(|| {
                let lits = [arena.lit(clause, 0), arena.lit(clause, 1)];
                (if lits[0] == !output { lits[1] } else { lits[0] }, entry)
            })
        };
        let inputs: Vec<(Lit, u32)> = without.iter().filter_map(binary).collect();
        if inputs.is_empty() {
            return None;
        }
        for (input, _) in &inputs {
            self.marks[(!*input).index()] = true;
        }
        let long = with.iter().copied().find(|&entry| {
            let clause = self.entries[entry as usize].clause;
            arena
                .lits(clause)
                .all(|lit| lit == output || self.marks[lit.index()])
        });
        for (input, _) in &inputs {
            self.marks[(!*input).index()] = false;
        }
        let long = long?;
        let lits: Vec<Lit> = arena.lits(self.entries[long as usize].clause).collect();
        let mut gate = vec![long];
        for lit in lits.into_iter().filter(|&lit| lit != output) {
            let input = inputs.iter().find(|(input, _)| *input == !lit);
            gate.extend(input.map(|(_, entry)| entry));
        }
        Some(gate)
    }

    /// `output = c ? t : e`, of which an exclusive or is the case `e = !t`: the clauses
    /// `output | !c | !t`, `output | c | !e`, `!output | !c | t`, `!output | c | e`.
    fn find_if_then_else(&self, output: Lit, left: &[u32], right: &[u32]) -> Option<Vec<u32>> {
        let ternary = |list: &[u32], output: Lit| -> Vec<([Lit; 2], u32)> {
            let arena = &self.solver.arena;
            let mut found = Vec::new();
            for &entry in list {
                let clause = self.entries[entry as usize].clause;
                if arena.size(clause) == 3 {
                    let mut others = arena.lits(clause).filter(|&lit| lit != output);
                    if let (Some(a), Some(b)) = (others.next(), others.next()) {
                        found.push(([a, b], entry));
                    }
                }
            }
            found
        };
        let (with, without) = (ternary(left, output), ternary(right, !output));
        let find = |condition: Lit, branch: Lit| {
            let is_it =
                |lits: &[Lit; 2]| *lits == [condition, branch] || *lits == [branch, condition];
            without
                .iter()
                .find(|(lits, _)| is_it(lits))
                .map(|&(_, entry)| entry)
        };
        for (position, &(first, first_entry)) in with.iter().enumerate() {
            for &(second, second_entry) in &with[position + 1..] {
                for (condition, then) in [(first[0], first[1]), (first[1], first[0])] {
                    for (other, otherwise) in [(second[0], second[1]), (second[1], second[0])] {
                        if other != !condition {
                            continue;
                        }
                        if let (Some(third), Some(fourth)) =
                            (find(condition, !then), find(other, !otherwise))
                        {
                            return Some(vec![first_entry, second_entry, third, fourth]);
                        }
                    }
                }
            }
        }
        None
    }
}
