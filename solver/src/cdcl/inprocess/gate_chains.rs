//! The clauses of gates, and equivalences of outputs derived from them.
//!
//! A clause of a gate may have been shortened since the gate was found. The shorter clause serves as well: what
//! is derived is then shorter too.

use super::definitions::Definition;
use super::gates::Function;
use super::occurrences::Occurrences;
use crate::cdcl::solver::Solver;
use crate::lit::Lit;
use crate::proof::{ClauseId, ProofSink};

/// A clause, with its entry unless it was derived for the purpose.
#[derive(Clone, Debug)]
pub(super) struct Known {
    pub(super) lits: Vec<Lit>,
    pub(super) id: ClauseId,
    pub(super) entry: Option<u32>,
}

impl<P: ProofSink> Occurrences<'_, P> {
    /// The entry of a clause of these literals or some of them.
    pub(super) fn find_clause(&mut self, lits: &[Lit]) -> Option<u32> {
        let mut keys = lits.to_vec();
        keys.sort_by_key(|&lit| self.lists.len(lit));
        for lit in lits {
            self.marks[lit.index()] = true;
        }
        let mut found = None;
        for key in keys {
            let list = self.lists.of(key);
            self.steps += 1 + list.len() as u64 / 4;
            let arena = &self.solver.arena;
            found = list.iter().copied().find(|&entry| {
                let clause = self.entries[entry as usize].clause;
                arena.size(clause) <= lits.len()
                    && !arena.is_garbage(clause)
                    && arena.lits(clause).all(|lit| self.marks[lit.index()])
            });
            if found.is_some() {
                break;
            }
        }
        for lit in lits {
            self.marks[lit.index()] = false;
        }
        found
    }

    /// The clauses of a definition: for a conjunction the one with all inputs, then one for each input;
    /// otherwise in the order of [`Definition::clauses`].
    pub(super) fn find_definition(&mut self, definition: &Definition) -> Option<Vec<Known>> {
        let entries = match definition.function {
            Function::And => self.find_conjunction(definition.output, &definition.inputs)?,
            _ => (definition.clauses().iter())
                .map(|lits| self.find_clause(lits))
                .collect::<Option<Vec<u32>>>()?,
        };
        let known = |entry: u32| {
            let clause = self.entries[entry as usize].clause;
            Known {
                lits: self.solver.arena.lits(clause).collect(),
                id: self.solver.arena.id(clause),
                entry: Some(entry),
            }
        };
        Some(entries.into_iter().map(known).collect())
    }

    fn find_conjunction(&mut self, output: Lit, inputs: &[Lit]) -> Option<Vec<u32>> {
        let mut base = vec![output];
        base.extend(inputs.iter().map(|&input| !input));
        let mut entries = vec![self.find_clause(&base)?];
        let list = self.lists.of(!output);
        if list.len() > 4 * inputs.len() {
            for &input in inputs {
                entries.push(self.find_clause(&[!output, input])?);
            }
            return Some(entries);
        }
        self.steps += list.len() as u64;
        let arena = &self.solver.arena;
        let mut sides = vec![None; inputs.len()];
        for &entry in list {
            let clause = self.entries[entry as usize].clause;
            if arena.size(clause) == 2 && !arena.is_garbage(clause) {
                let other = arena.lits(clause).find(|&lit| lit != !output)?;
                if let Ok(place) = inputs.binary_search(&other) {
                    sides[place] = Some(entry);
                }
            }
        }
        for side in sides {
            entries.push(side?);
        }
        Some(entries)
    }

    /// Derives that the output of one definition implies that of another of the same function and inputs, or
    /// a part of this clause.
    pub(super) fn derive_implication(
        &mut self,
        (definition, from): (&Definition, &[Known]),
        to: &[Known],
    ) -> Known {
        let inputs = &definition.inputs[..];
        match definition.function {
            Function::And => self.derive_conjunction(definition, &from[1..], &to[0]),
            Function::Choice => {
                let then = self.resolve(&from[1], &to[0], inputs[1]);
                let otherwise = self.resolve(&from[3], &to[2], inputs[2]);
                let whole = self.resolve(&otherwise, &then, inputs[0]);
                self.forget_but(&[then, otherwise], &whole);
                whole
            }
            Function::Parity => self.derive_parity(inputs, from, to, &mut Vec::new()),
        }
    }

    /// Resolves the clause with all inputs with the clauses by which the other output implies each input.
    fn derive_conjunction(
        &mut self,
        definition: &Definition,
        sides: &[Known],
        base: &Known,
    ) -> Known {
        let (mut lits, mut chain) = (base.lits.clone(), vec![base.id]);
        for (input, side) in definition.inputs.iter().zip(sides) {
            if let Some(place) = lits.iter().position(|lit| *lit == !*input) {
                lits.swap_remove(place);
                chain.push(side.id);
            }
        }
        if chain.len() == 1 {
            return base.clone();
        }
        if !lits.contains(&!definition.output) {
            lits.push(!definition.output);
        }
        Known {
            id: self.solver.derive_by(&lits, &chain),
            lits,
            entry: None,
        }
    }

    /// Derives the implication and some literals of the first inputs: by cases of the next input. The cases
    /// of all inputs are the clauses of the gates.
    fn derive_parity(
        &mut self,
        inputs: &[Lit],
        from: &[Known],
        to: &[Known],
        signed: &mut Vec<Lit>,
    ) -> Known {
        let Some(&next) = inputs.get(signed.len()) else {
            let bits = signed.iter().rev().map(|lit| usize::from(lit.is_negated()));
            let negated = bits.fold(0_usize, |mask, bit| mask << 1 | bit);
            let is_even = negated.count_ones().is_multiple_of(2);
            return if is_even { from } else { to }[negated].clone();
        };
        let cases = [next, !next].map(|lit| {
            signed.push(lit);
            let case = self.derive_parity(inputs, from, to, signed);
            signed.pop();
            case
        });
        let both = self.resolve(&cases[0], &cases[1], next);
        self.forget_but(&cases, &both);
        both
    }

    /// The resolvent of two clauses, or the one of them that does not have the pivot.
    fn resolve(&mut self, with: &Known, without: &Known, pivot: Lit) -> Known {
        if !with.lits.contains(&pivot) {
            return with.clone();
        }
        if !without.lits.contains(&!pivot) {
            return without.clone();
        }
        let others = without.lits.iter().filter(|&&lit| lit != !pivot);
        let mut lits: Vec<Lit> = with
            .lits
            .iter()
            .copied()
            .filter(|&lit| lit != pivot)
            .collect();
        for &lit in others {
            if !lits.contains(&lit) {
                lits.push(lit);
            }
        }
        Known {
            id: self.solver.derive_by(&lits, &[with.id, without.id]),
            lits,
            entry: None,
        }
    }

    /// Reports the derived ones of some clauses as deleted, but for one.
    fn forget_but(&mut self, known: &[Known], kept: &Known) {
        for known in known.iter().filter(|known| known.id != kept.id) {
            self.forget(known);
        }
    }

    /// Reports a clause as deleted if it was derived.
    pub(super) fn forget(&mut self, known: &Known) {
        if P::ENABLED && known.entry.is_none() {
            let solver = &mut *self.solver;
            (solver.chain).delete(&mut solver.proof, known.id, &known.lits);
        }
    }
}

impl<P: ProofSink> Solver<P> {
    /// Derives a clause from a chain.
    pub(super) fn derive_by(&mut self, lits: &[Lit], chain: &[ClauseId]) -> ClauseId {
        if Self::CHAINS {
            self.chain.ids.extend(chain);
        }
        self.derive(lits)
    }
}
