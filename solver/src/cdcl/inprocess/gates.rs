//! Gates among the clauses of a variable that is to be eliminated.
//!
//! If some of the clauses define a variable as a function of others, resolvents of two of these clauses are
//! tautologies, and resolvents of two other clauses follow from the remaining resolvents (Eén and Biere,
//! SatELite, SAT 2005).

use super::occurrences::Occurrences;
use crate::lit::Lit;
use crate::proof::ProofSink;

/// The size of the longest clauses of a recognised exclusive or: there are 16 of five literals.
const MAX_PARITY_SIZE: usize = 5;

impl<P: ProofSink> Occurrences<'_, P> {
    /// The clauses that define the variable of `output` as an and-gate of literals, in either sign, as an
    /// exclusive or, or as an if-then-else. `left` are the clauses with `output`, `right` those with its
    /// negation.
    pub(super) fn find_gate(
        &mut self,
        output: Lit,
        left: &[u32],
        right: &[u32],
    ) -> Option<Vec<u32>> {
        self.find_and_gate(output, left, right)
            .or_else(|| self.find_and_gate(!output, right, left))
            .or_else(|| self.find_parity(output, left, right))
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

    /// `output = c ? t : e`, the clauses
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

    /// `output` is an exclusive or of two to four literals: of the clauses over the same variables, all those
    /// that differ from one of `left` in an even number of signs.
    fn find_parity(&mut self, output: Lit, left: &[u32], right: &[u32]) -> Option<Vec<u32>> {
        left.iter()
            .find_map(|&entry| self.find_parity_with(entry, output, left, right))
    }

    /// As [`Self::find_parity`], with one clause of `left` given.
    fn find_parity_with(
        &mut self,
        first: u32,
        output: Lit,
        left: &[u32],
        right: &[u32],
    ) -> Option<Vec<u32>> {
        let first = self.entries[first as usize].clause;
        let arena = &self.solver.arena;
        let size = arena.size(first);
        if !(3..=MAX_PARITY_SIZE).contains(&size) {
            return None;
        }
        let half = 1 << (size - 2);
        if left.len() < half || right.len() < half {
            return None;
        }
        self.steps += (left.len() + right.len()) as u64;
        // Which of the literals, in the order of the first clause, a clause has negated.
        let lits: Vec<Lit> = arena.lits(first).collect();
        debug_assert!(lits.contains(&output));
        for lit in &lits {
            self.marks[lit.index()] = true;
            self.marks[(!*lit).index()] = true;
        }
        let mut found = [None; 1 << MAX_PARITY_SIZE];
        for &entry in left.iter().chain(right) {
            let clause = self.entries[entry as usize].clause;
            if arena.size(clause) != size || !arena.lits(clause).all(|lit| self.marks[lit.index()])
            {
                continue;
            }
            let negated = arena.lits(clause).fold(0_usize, |negated, lit| {
                match lits.iter().position(|&other| other == !lit) {
                    Some(position) => negated | 1 << position,
                    None => negated,
                }
            });
            found[negated] = Some(entry);
        }
        for lit in &lits {
            self.marks[lit.index()] = false;
            self.marks[(!*lit).index()] = false;
        }
        let even = |negated: &usize| negated.count_ones().is_multiple_of(2);
        (0..1 << size)
            .filter(even)
            .map(|negated| found[negated])
            .collect()
    }
}
