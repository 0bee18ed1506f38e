//! The certifier's own formulas, and their translation to clauses for varisat.
//!
//! No code is shared with the engines' encoders, so that an error in those can't hide one in a certificate.

use std::collections::HashMap;

use varisat::{CnfFormula, ExtendFormula};

use super::cuts::{Conjunction, Cuts};
use super::gate::{self, Gate};

/// And-inverter formulas with constant folding and sharing.
pub struct Gates {
    /// The operands of each node; `None` for free variables (and for the constant, node 0).
    nodes: Vec<Option<(Gate, Gate)>>,
    table: HashMap<(Gate, Gate), Gate>,
    /// To find gates of different form that are equal, if that is wanted.
    cuts: Option<Cuts>,
}

impl Default for Gates {
    fn default() -> Self {
        Self::new()
    }
}

/// The number of alternatives in one query; the next one knows that those are impossible. A witness circuit with many
/// constraints may state lemmas of which each follows from the ones before.
const MOST_TOGETHER: usize = 64;

impl Gates {
    /// The constant false.
    pub const FALSE: Gate = gate::FALSE;
    /// The constant true.
    pub const TRUE: Gate = gate::TRUE;

    /// No formulas.
    #[must_use]
    pub fn new() -> Self {
        Self {
            nodes: vec![None],
            table: HashMap::new(),
            cuts: None,
        }
    }

    /// No formulas, of which those with the same function of few others will be shared as well.
    #[must_use]
    pub fn with_cuts() -> Self {
        let mut cuts = Cuts::default();
        cuts.add_variable(0);
        Self {
            cuts: Some(cuts),
            ..Self::new()
        }
    }

    pub(super) fn n_nodes(&self) -> usize {
        self.nodes.len()
    }

    /// The operands of a node; `None` for free variables and the constant.
    pub(super) fn operands(&self, node: u32) -> Option<(Gate, Gate)> {
        self.nodes[node as usize]
    }

    /// A free variable.
    pub fn fresh(&mut self) -> Gate {
        let gate = self.push(None);
        if let Some(cuts) = &mut self.cuts {
            cuts.add_variable(gate >> 1);
        }
        gate
    }

    fn push(&mut self, node: Option<(Gate, Gate)>) -> Gate {
        let number = u32::try_from(self.nodes.len()).expect("fewer than 2^31 gates");
        // The largest literal is left free: valuations store literals plus one.
        assert!(number < (1 << 31) - 1, "fewer than 2^31 gates");
        self.nodes.push(node);
        2 * number
    }

    /// The conjunction.
    pub fn and(&mut self, left: Gate, right: Gate) -> Gate {
        let (left, right) = (left.min(right), left.max(right));
        if left == Self::FALSE || left == right ^ 1 {
            return Self::FALSE;
        }
        if left == Self::TRUE || left == right {
            return right;
        }
        if let Some(&gate) = self.table.get(&(left, right)) {
            return gate;
        }
        let known = self.cuts.as_ref().map(|cuts| cuts.conjunction(left, right));
        let gate = match &known {
            Some(Conjunction::Known(gate)) => *gate,
            Some(Conjunction::New(_)) | None => self.push(Some((left, right))),
        };
        if let (Some(cuts), Some(Conjunction::New(functions))) = (&mut self.cuts, &known) {
            cuts.add(gate >> 1, functions);
        }
        self.table.insert((left, right), gate);
        gate
    }

    /// The disjunction.
    pub fn or(&mut self, left: Gate, right: Gate) -> Gate {
        self.and(left ^ 1, right ^ 1) ^ 1
    }

    /// The equivalence of two literals. Signs are moved outwards, so that equal equivalences become equal
    /// gates.
    pub fn iff(&mut self, left: Gate, right: Gate) -> Gate {
        let (low, high) = (left.min(right), left.max(right));
        if low <= Self::TRUE {
            return high ^ 1 ^ low;
        }
        let differ = (low ^ high) & 1;
        let (low, high) = (low & !1, high & !1);
        let only_low = self.and(low, high ^ 1);
        let only_high = self.and(low ^ 1, high);
        self.and(only_low ^ 1, only_high ^ 1) ^ differ
    }

    /// Whether all of `all` and at least one of `any` can hold together; `false` if `any` is empty.
    ///
    /// # Errors
    /// If the solver fails.
    pub fn satisfiable(&self, all: &[Gate], any: &[Gate]) -> Result<bool, String> {
        if any.contains(&Self::TRUE) {
            return self.solve(all, None);
        }
        let any: Vec<Gate> = any
            .iter()
            .copied()
            .filter(|&gate| gate != Self::FALSE)
            .collect();
        if any.is_empty() || all.contains(&Self::FALSE) {
            return Ok(false);
        }
        match self.refuted_locally(all, &any)? {
            None => self.solve(all, Some(&any)),
            Some(tried) if tried.left.is_empty() => Ok(false),
            Some(tried) => {
                // What is refuted is known to the other queries.
                let refuted = tried.refuted.iter().map(|gate| gate ^ 1);
                let all: Vec<Gate> = all.iter().copied().chain(refuted).collect();
                self.solve(&all, Some(&tried.left))
            }
        }
    }

    fn solve(&self, all: &[Gate], any: Option<&[Gate]>) -> Result<bool, String> {
        if all.contains(&Self::FALSE) {
            return Ok(false);
        }
        let all: Vec<Gate> = all
            .iter()
            .copied()
            .filter(|&gate| gate != Self::TRUE)
            .collect();
        // The SAT solver's variable of each node of the cones, from 1; 0 for nodes not visited.
        let mut number = vec![0_i32; self.nodes.len()];
        let mut n_vars = 0_i32;
        let mut open: Vec<Gate> = all.clone();
        open.extend(any.unwrap_or(&[]));
        let mut visited = Vec::new();
        while let Some(gate) = open.pop() {
            let node = (gate >> 1) as usize;
            if number[node] == 0 {
                n_vars += 1;
                number[node] = n_vars;
                visited.push(node);
                if let Some((left, right)) = self.nodes[node] {
                    open.extend([left, right]);
                }
            }
        }
        let literal = |gate: Gate| {
            let var = number[(gate >> 1) as usize];
            varisat::Lit::from_dimacs(if gate & 1 == 1 { -var } else { var } as isize)
        };
        let mut formula = CnfFormula::new();
        for node in visited {
            if let Some(operands) = self.nodes[node] {
                definition(&mut formula, node as u32, operands, literal);
            }
        }
        for &gate in &all {
            formula.add_clause(&[literal(gate)]);
        }
        let mut solver = varisat::Solver::new();
        solver.add_formula(&formula);
        let Some(any) = any else {
            return solver.solve().map_err(|error| error.to_string());
        };
        for group in any.chunks(MOST_TOGETHER) {
            let group: Vec<varisat::Lit> = group.iter().map(|&gate| literal(gate)).collect();
            n_vars += 1;
            let is_asked = varisat::Lit::from_dimacs(n_vars as isize);
            let clause: Vec<varisat::Lit> = group.iter().copied().chain([!is_asked]).collect();
            solver.add_clause(&clause);
            solver.assume(&[is_asked]);
            if solver.solve().map_err(|error| error.to_string())? {
                return Ok(true);
            }
            for literal in group {
                solver.add_clause(&[!literal]);
            }
        }
        Ok(false)
    }
}

/// Adds the clauses that define a node by its operands.
pub(super) fn definition(
    formula: &mut CnfFormula,
    node: u32,
    (left, right): (Gate, Gate),
    literal: impl Fn(Gate) -> varisat::Lit,
) {
    let (out, left, right) = (literal(2 * node), literal(left), literal(right));
    formula.add_clause(&[!out, left]);
    formula.add_clause(&[!out, right]);
    formula.add_clause(&[out, !left, !right]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use craig_aig::Random;

    /// By node, its value in each assignment of the first six variables.
    fn tables(gates: &Gates) -> Vec<u64> {
        let mut tables = vec![0_u64];
        for node in 1..gates.n_nodes() {
            let of = |gate: Gate| table(&tables, gate);
            tables.push(match gates.operands(node as u32) {
                Some((left, right)) => of(left) & of(right),
                None => (0..64).fold(0, |table, row| table | (row >> (node - 1) & 1) << row),
            });
        }
        tables
    }

    fn table(tables: &[u64], gate: Gate) -> u64 {
        tables[(gate >> 1) as usize] ^ 0_u64.wrapping_sub(u64::from(gate & 1))
    }

    /// Operators and questions about random formulas over six variables, as truth tables have it.
    #[test]
    fn formulas_and_questions_agree_with_truth_tables() {
        let mut random = Random::new(8);
        let mut counts = [0; 2];
        for round in 0..400 {
            let mut gates = match round % 2 {
                0 => Gates::default(),
                _ => Gates::with_cuts(),
            };
            let mut all: Vec<Gate> = vec![Gates::FALSE, Gates::TRUE];
            all.extend((0..6).map(|_| gates.fresh()));
            for _ in 0..random.below(30) {
                let [one, other] = [0; 2].map(|_| {
                    let sign = u32::from(random.flip());
                    all[random.below(all.len())] ^ sign
                });
                let kind = random.below(3);
                let gate = match kind {
                    0 => gates.and(one, other),
                    1 => gates.or(one, other),
                    _ => gates.iff(one, other),
                };
                let tables = tables(&gates);
                let [one, other] = [one, other].map(|gate| table(&tables, gate));
                let expected = [one & other, one | other, !(one ^ other)][kind];
                assert_eq!(table(&tables, gate), expected);
                all.push(gate);
            }
            let tables = tables(&gates);
            let mut some = |most: usize| -> Vec<Gate> {
                let n = random.below(most + 1);
                let late = all.len() - 1;
                let pick = |_| all[late - random.below(late + 1)] ^ u32::from(random.flip());
                (0..n).map(pick).collect()
            };
            let (given, any) = (some(4), some(4));
            let both = given
                .iter()
                .fold(!0, |rows, &gate| rows & table(&tables, gate));
            let one_of = any
                .iter()
                .fold(0, |rows, &gate| rows | table(&tables, gate));
            let expected = both & one_of != 0;
            assert_eq!(
                gates.satisfiable(&given, &any),
                Ok(expected),
                "{given:?} {any:?}"
            );
            assert_eq!(gates.satisfiable(&given, &[Gates::TRUE]), Ok(both != 0));
            counts[usize::from(expected)] += 1;
        }
        assert!(counts.iter().all(|&count| count > 50), "{counts:?}");
    }

    /// Equal formulas are one gate: what the judges compare is mostly equal.
    #[test]
    fn equal_formulas_are_one_gate() {
        let mut gates = Gates::new();
        let [a, b, c] = [0; 3].map(|_| gates.fresh());
        assert_eq!(gates.and(a, b), gates.and(b, a));
        assert_eq!(gates.and(a, a), a);
        assert_eq!(gates.and(a, a ^ 1), Gates::FALSE);
        assert_eq!(gates.and(a, Gates::TRUE), a);
        assert_eq!(gates.and(a, Gates::FALSE), Gates::FALSE);
        let same = gates.iff(a, b);
        for (one, other, differ) in [(b, a, 0), (a ^ 1, b, 1), (a, b ^ 1, 1), (a ^ 1, b ^ 1, 0)] {
            assert_eq!(gates.iff(one, other), same ^ differ);
        }
        assert_eq!(gates.iff(Gates::TRUE, c), c);
        assert_eq!(gates.iff(c, Gates::FALSE), c ^ 1);
        // The constant, the variables, a conjunction, and three for the equivalence.
        assert_eq!(gates.n_nodes(), 1 + 3 + 1 + 3);
    }

    #[test]
    fn the_constant_rules_and_the_solver_agree_with_truth_tables() {
        let mut gates = Gates::new();
        let (a, b) = (gates.fresh(), gates.fresh());
        let same = gates.iff(a, b ^ 1);
        assert_eq!(same, gates.iff(b ^ 1, a));
        assert_eq!(gates.iff(a, a), Gates::TRUE);
        assert_eq!(gates.iff(Gates::FALSE, a), a ^ 1);
        assert_eq!(
            gates.satisfiable(&[same, a, b ^ 1], &[Gates::TRUE]),
            Ok(true)
        );
        assert_eq!(gates.satisfiable(&[same, a], &[b]), Ok(false));
        assert_eq!(gates.satisfiable(&[same], &[]), Ok(false));
        assert_eq!(gates.satisfiable(&[], &[a, b]), Ok(true));
        // Several queries.
        let mut many = vec![b; MOST_TOGETHER];
        assert_eq!(gates.satisfiable(&[b ^ 1], &many), Ok(false));
        many.push(b);
        assert_eq!(gates.satisfiable(&[b ^ 1], &many), Ok(false));
        many.push(a);
        assert_eq!(gates.satisfiable(&[b ^ 1], &many), Ok(true));
        assert_eq!(gates.satisfiable(&[b ^ 1, a ^ 1], &many), Ok(false));
        let either = gates.or(a, b);
        assert_eq!(
            gates.satisfiable(&[either, a ^ 1, b ^ 1], &[Gates::TRUE]),
            Ok(false)
        );
    }
}
