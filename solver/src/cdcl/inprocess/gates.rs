//! Gates among the clauses: some of them define a variable as a function of others.
//!
//! Elimination asks for a gate of a variable: resolvents of two clauses of the gate are tautologies, and
//! resolvents of two other clauses follow from the remaining resolvents (Eén and Biere, SatELite, SAT 2005).
//! Congruence closure asks for all gates.

use super::occurrences::Occurrences;
use crate::lit::{Lit, Var};
use crate::proof::ProofSink;

/// The size of the longest clauses of a recognised exclusive or: there are 16 of five literals.
const MAX_PARITY_SIZE: usize = 5;
/// In place of the variables that a shorter clause of an exclusive or lacks.
const NO_VAR: u32 = u32::MAX >> 1;
/// The gates of each function that a variable is asked for by [`Occurrences::gates_of`].
const MAX_GATES: usize = 100;

/// A function of literals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Function {
    /// The conjunction of all inputs.
    And,
    /// The exclusive or of all inputs.
    Parity,
    /// If the first input holds the second one, otherwise the third one.
    Choice,
}

/// A definition of a variable, and the entries of its clauses.
#[derive(Clone, Debug)]
pub(super) struct Gate {
    pub(super) function: Function,
    pub(super) output: Lit,
    pub(super) inputs: Vec<Lit>,
    pub(super) clauses: Vec<u32>,
}

/// A literal under which an output equals another literal, and the two clauses that say so.
type Conditional = (Lit, Lit, [u32; 2]);

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
        let mut gates = self.and_gates(output, left, right, 1);
        if gates.is_empty() {
            gates = self.and_gates(!output, right, left, 1);
        }
        if gates.is_empty() {
            gates = self.parities(output, left, right, 1);
        }
        if gates.is_empty() {
            gates = self.choices(output, left, right, 1);
        }
        gates.pop().map(|gate| gate.clauses)
    }

    /// All gates of a variable, but for those beyond [`MAX_GATES`] of a function.
    pub(super) fn gates_of(&mut self, var: Var) -> Vec<Gate> {
        let output = var.positive();
        self.clean(output);
        self.clean(!output);
        let [left, right] = [output, !output].map(|lit| self.lists.of(lit).to_vec());
        let mut gates = self.and_gates(output, &left, &right, MAX_GATES);
        gates.extend(self.and_gates(!output, &right, &left, MAX_GATES));
        gates.extend(self.parities(output, &left, &right, MAX_GATES));
        gates.extend(self.choices(output, &left, &right, MAX_GATES));
        self.steps += (left.len() + right.len()) as u64 / 2 + 4 * gates.len() as u64;
        gates
    }

    /// `output = a1 & ... & an`: a clause `output | !a1 | ... | !an` and the clauses `!output | ai`, in this
    /// order. `with` are the clauses with `output`; at most `most` gates.
    fn and_gates(&mut self, output: Lit, with: &[u32], without: &[u32], most: usize) -> Vec<Gate> {
        let arena = &self.solver.arena;
        let binary = |&entry: &u32| {
            let clause = self.entries[entry as usize].clause;
            (arena.size(clause) == 2).then(|| {
                let lits = [arena.lit(clause, 0), arena.lit(clause, 1)];
                (if lits[0] == !output { lits[1] } else { lits[0] }, entry)
            })
        };
        let mut sides: Vec<(Lit, u32)> = without.iter().filter_map(binary).collect();
        if sides.is_empty() {
            return Vec::new();
        }
        sides.sort_unstable();
        for (input, _) in &sides {
            self.marks[(!*input).index()] = true;
        }
        let mut gates = Vec::new();
        for &base in with {
            if gates.len() == most {
                break;
            }
            let mut lits = arena.lits(self.entries[base as usize].clause);
            if !lits.all(|lit| lit == output || self.marks[lit.index()]) {
                continue;
            }
            let inputs: Vec<Lit> = arena
                .lits(self.entries[base as usize].clause)
                .filter(|&lit| lit != output)
                .map(|lit| !lit)
                .collect();
            let side = |input: &Lit| {
                let place = sides.partition_point(|(other, _)| other < input);
                sides[place].1
            };
            let clauses = std::iter::once(base)
                .chain(inputs.iter().map(side))
                .collect();
            gates.push(Gate {
                function: Function::And,
                output,
                inputs,
                clauses,
            });
        }
        for (input, _) in &sides {
            self.marks[(!*input).index()] = false;
        }
        gates
    }

    /// `output = c ? t : e`, the clauses
    /// `output | !c | !t`, `!output | !c | t`, `output | c | !e`, `!output | c | e`, in this order.
    fn choices(&self, output: Lit, left: &[u32], right: &[u32], most: usize) -> Vec<Gate> {
        let conditionals = self.conditionals(output, left, right);
        let mut gates = Vec::new();
        for group in conditionals.chunk_by(|a, b| a.0.var() == b.0.var()) {
            let (then, otherwise) = group.split_at(group.partition_point(|it| !it.0.is_negated()));
            for &(condition, if_true, first) in then {
                for &(_, if_false, last) in otherwise {
                    if gates.len() == most {
                        return gates;
                    }
                    // An exclusive or, or the same branch twice.
                    if if_true.var() == if_false.var() {
                        continue;
                    }
                    gates.push(Gate {
                        function: Function::Choice,
                        output,
                        inputs: vec![condition, if_true, if_false],
                        clauses: [first, last].concat(),
                    });
                }
            }
        }
        gates
    }

    /// The literals under which `output` equals another literal by two clauses of three literals, in order.
    fn conditionals(&self, output: Lit, left: &[u32], right: &[u32]) -> Vec<Conditional> {
        let ternary = |list: &[u32], output: Lit| -> Vec<([Lit; 2], u32)> {
            let arena = &self.solver.arena;
            let mut found = Vec::new();
            for &entry in list {
                let clause = self.entries[entry as usize].clause;
                if arena.size(clause) == 3 {
                    let mut others = arena.lits(clause).filter(|&lit| lit != output);
                    if let (Some(a), Some(b)) = (others.next(), others.next()) {
                        found.extend([([a, b], entry), ([b, a], entry)]);
                    }
                }
            }
            found
        };
        let (with, mut without) = (ternary(left, output), ternary(right, !output));
        without.sort_unstable();
        let mut conditionals: Vec<Conditional> = Vec::new();
        for ([first, second], entry) in with {
            let place = without.partition_point(|(lits, _)| *lits < [first, !second]);
            if let Some(&(lits, other)) = without.get(place)
                && lits == [first, !second]
            {
                conditionals.push((!first, !second, [entry, other]));
            }
        }
        conditionals.sort_unstable();
        conditionals
    }

    /// The variable of `output` is an exclusive or of two to four literals: of the clauses over the same
    /// variables, all those with an even number of negations, or all those with an odd number. The inputs are
    /// not negated.
    fn parities(&self, output: Lit, left: &[u32], right: &[u32], most: usize) -> Vec<Gate> {
        let arena = &self.solver.arena;
        // The variables in order, which of them are negated, and the entry.
        let mut signed: Vec<([u32; MAX_PARITY_SIZE], usize, u32)> = Vec::new();
        for &entry in left.iter().chain(right) {
            let clause = self.entries[entry as usize].clause;
            let size = arena.size(clause);
            if !(3..=MAX_PARITY_SIZE).contains(&size) {
                continue;
            }
            let mut codes = [2 * NO_VAR; MAX_PARITY_SIZE];
            for (slot, lit) in codes.iter_mut().zip(arena.lits(clause)) {
                *slot = lit.code();
            }
            codes.sort_unstable();
            let signs = codes.iter().enumerate();
            let negated = signs.fold(0, |mask, (place, code)| {
                mask | (*code as usize & 1) << place
            });
            signed.push((codes.map(|code| code >> 1), negated, entry));
        }
        signed.sort_unstable();
        let mut gates = Vec::new();
        for group in signed.chunk_by(|a, b| a.0 == b.0) {
            let vars = group[0].0;
            let size = vars.iter().take_while(|&&var| var != NO_VAR).count();
            if group.len() < 1 << (size - 1) {
                continue;
            }
            let mut by_signs = [None; 1 << MAX_PARITY_SIZE];
            for &(_, negated, entry) in group {
                by_signs[negated] = Some(entry);
            }
            for odd in [false, true] {
                let has_parity = |mask: &usize| mask.count_ones() % 2 == u32::from(odd);
                let masks = (0..1_usize << size).filter(has_parity);
                let Some(clauses) = masks.map(|mask| by_signs[mask]).collect() else {
                    continue;
                };
                if gates.len() == most {
                    return gates;
                }
                let vars = vars[..size].iter().map(|&var| Var::new(var as usize));
                gates.push(Gate {
                    function: Function::Parity,
                    output: output.var().lit(!odd),
                    inputs: (vars.filter(|&var| var != output.var()))
                        .map(Var::positive)
                        .collect(),
                    clauses,
                });
            }
        }
        gates
    }
}
