//! Proofs for tests: a DPLL procedure that resolves when it backtracks.

use craig_aig::Random;

use super::sink::{ClauseId, ProofSink};
use crate::cnf::Cnf;
use crate::lit::{Lit, Var};

pub(super) fn lits(numbers: &[i64]) -> Vec<Lit> {
    let lit = |&number: &i64| Lit::from_dimacs(number).expect("a small number");
    numbers.iter().map(lit).collect()
}

/// Clauses of up to three literals, some with a repeated literal or a literal and its negation.
pub(super) fn random_cnf(random: &mut Random, n_vars: usize, n_clauses: usize) -> Cnf {
    let mut cnf = Cnf::new();
    cnf.reserve_vars(n_vars);
    for _ in 0..n_clauses {
        let len = if random.below(8) == 0 {
            1
        } else {
            2 + random.below(2)
        };
        let clause: Vec<_> = (0..len)
            .map(|_| Var::new(random.below(n_vars)).lit(random.below(2) == 0))
            .collect();
        cnf.add_labelled_clause(&clause, random.below(3) as u32);
    }
    cnf
}

/// Reports a refutation of `cnf` and returns its empty clause, or `None` if the formula is satisfiable.
/// Originals are numbered from 1; each one with a repeated literal is copied right after the last of them.
pub(super) fn refute<P: ProofSink>(
    cnf: &Cnf,
    random: &mut Random,
    sink: &mut P,
) -> Option<ClauseId> {
    let mut search = Search {
        known: Vec::new(),
        next: 1,
        values: vec![None; cnf.n_vars()],
        random,
        sink,
    };
    let mut copies = Vec::new();
    for (clause, label) in cnf.iter() {
        search.sink.original(search.next, clause, label);
        let mut set = clause.to_vec();
        set.sort_unstable();
        set.dedup();
        if set.iter().any(|&lit| set.contains(&!lit)) {
        } else if set.len() == clause.len() {
            search.known.push((search.next, set));
        } else {
            copies.push((search.next, set));
        }
        search.next += 1;
    }
    for (id, set) in copies {
        let copy = search.derive(set.clone(), &[id]);
        search.known.push((copy, set));
    }
    let (chain, clause) = search.run()?;
    assert!(clause.is_empty());
    Some(match chain[..] {
        [only] => only,
        _ => search.derive(clause, &chain),
    })
}

struct Search<'a, P> {
    known: Vec<(ClauseId, Vec<Lit>)>,
    next: ClauseId,
    values: Vec<Option<bool>>,
    random: &'a mut Random,
    sink: &'a mut P,
}

impl<P: ProofSink> Search<'_, P> {
    fn derive(&mut self, clause: Vec<Lit>, chain: &[ClauseId]) -> ClauseId {
        let id = self.next;
        self.next += 1;
        self.sink.derived(id, &clause, chain);
        self.known.push((id, clause));
        id
    }

    fn is_false(&self, lit: Lit) -> bool {
        self.values[lit.var().index()] == Some(lit.is_negated())
    }

    /// A chain and its clause, which is false under the current values.
    fn run(&mut self) -> Option<(Vec<ClauseId>, Vec<Lit>)> {
        let offset = self.random.below(self.known.len().max(1));
        let mut in_some_order = self.known[offset..].iter().chain(&self.known[..offset]);
        if let Some((id, clause)) =
            in_some_order.find(|(_, clause)| clause.iter().all(|&lit| self.is_false(lit)))
        {
            return Some((vec![*id], clause.clone()));
        }
        let free: Vec<_> = (0..self.values.len())
            .filter(|&v| self.values[v].is_none())
            .collect();
        if free.is_empty() {
            return None;
        }
        let var = free[self.random.below(free.len())];
        let (mut chain, mut clause) = self.branch(var, false)?;
        let pivot = Var::new(var).positive();
        if !clause.contains(&pivot) {
            return Some((chain, clause));
        }
        let (other_chain, other) = self.branch(var, true)?;
        if !other.contains(&!pivot) {
            return Some((other_chain, other));
        }
        let antecedent = match other_chain[..] {
            [only] => only,
            _ => self.derive(other.clone(), &other_chain),
        };
        chain.push(antecedent);
        clause.retain(|&lit| lit != pivot);
        for lit in other {
            if lit != !pivot && !clause.contains(&lit) {
                clause.push(lit);
            }
        }
        Some((chain, clause))
    }

    fn branch(&mut self, var: usize, value: bool) -> Option<(Vec<ClauseId>, Vec<Lit>)> {
        self.values[var] = Some(value);
        let outcome = self.run();
        self.values[var] = None;
        outcome
    }
}
