//! Refutations of single alternatives by the few premises about the same variables.
//!
//! A certificate with thousands of lemmas makes conditions in which each lemma follows from a few others, and one query about the
//! whole circuit is hard for the solver only because it is large. A refutation by some of the premises is one by all of them, so
//! that a small query may settle an alternative, but leaves it open if it is satisfiable. Premises about variables of others are
//! added a few times.

use std::collections::{BTreeSet, HashMap, HashSet};

use varisat::{CnfFormula, ExtendFormula};

use super::gate::Gate;
use super::gates::{Gates, definition};

/// Fewer alternatives are not looked at one by one.
const FEWEST_ALTERNATIVES: usize = 64;
/// The most nodes of the alternatives of a query: the solver can't be stopped, and some formulas of a few thousand
/// are hard for it.
const MOST_NODES: usize = 600;
/// The most nodes of a query with its premises.
const MOST_NODES_WITH_PREMISES: usize = 2000;
/// If none of the first `MOST_FRUITLESS` groups has a refutation, the others are not tried.
const MOST_FRUITLESS: usize = 64;
/// The cones of a query have at most this share of all nodes: otherwise it is not much smaller than the whole.
const SHARE_OF_NODES: usize = 16;
/// Alternatives whose cones have at most `NODES_OF_GROUP` nodes together are one query, at first.
const NODES_OF_GROUP: usize = 400;
/// The number of these, at most.
const MOST_OF_GROUP: usize = 64;
/// Premises with larger cones are left out.
const MOST_NODES_OF_PREMISE: usize = 64;
/// How often premises are added that share a variable with those so far.
const MOST_EXTENSIONS: usize = 2;
/// Variables of more premises are not looked at for that.
const MOST_PREMISES_OF_VARIABLE: usize = 64;

impl Gates {
    /// The literals whose conjunction is the conjunction of these: no conjunctions themselves.
    pub(super) fn conjuncts(&self, gates: &[Gate]) -> Vec<Gate> {
        let mut open = gates.to_vec();
        let mut seen = HashSet::new();
        let mut found = Vec::new();
        while let Some(gate) = open.pop() {
            if !seen.insert(gate) {
                continue;
            }
            match self.operands(gate >> 1) {
                Some((left, right)) if gate & 1 == 0 => open.extend([left, right]),
                _ => found.push(gate),
            }
        }
        found.sort_unstable();
        found
    }

    /// The literals whose disjunction is the disjunction of these: no disjunctions themselves.
    pub(super) fn disjuncts(&self, gates: &[Gate]) -> Vec<Gate> {
        let negations: Vec<Gate> = gates.iter().map(|gate| gate ^ 1).collect();
        let mut found = self.conjuncts(&negations);
        for gate in &mut found {
            *gate ^= 1;
        }
        found
    }

    /// Tries to refute the parts of these alternatives by premises about the same variables. `None` if none is refuted so.
    ///
    /// # Errors
    /// If the solver fails.
    pub(super) fn refuted_locally(
        &self,
        premises: &[Gate],
        alternatives: &[Gate],
    ) -> Result<Option<Tried>, String> {
        let alternatives = self.disjuncts(alternatives);
        if alternatives.len() < FEWEST_ALTERNATIVES {
            return Ok(None);
        }
        let mut part = Part::new(self);
        let premises = Premises::new(&mut part, &self.conjuncts(premises));
        let mut tried = Tried::default();
        let mut n_groups = 0;
        // Neighbours were made for the same part of the circuit, so that their cones have much in common.
        let mut rest = &alternatives[..];
        while !rest.is_empty() {
            let n_group = part.longest_group(rest);
            let (group, others) = rest.split_at(n_group);
            part.refute(&premises, group, &mut tried)?;
            rest = others;
            n_groups += 1;
            if tried.refuted.is_empty() && n_groups >= MOST_FRUITLESS {
                return Ok(None);
            }
        }
        Ok((!tried.refuted.is_empty()).then_some(tried))
    }
}

/// Alternatives, in increasing order.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Tried {
    /// Those that are refuted.
    pub(super) refuted: Vec<Gate>,
    /// Those that are not.
    pub(super) left: Vec<Gate>,
}

/// A part of the formulas: the cones of some gates.
struct Part<'a> {
    gates: &'a Gates,
    most_nodes: usize,
    nodes: Vec<u32>,
    /// The variables among the nodes.
    variables: Vec<u32>,
    /// By node: its number in the query, if it belongs to this version of the part.
    numbers: Vec<(u32, i32)>,
    version: u32,
}

impl<'a> Part<'a> {
    /// An empty part.
    fn new(gates: &'a Gates) -> Self {
        Self {
            gates,
            most_nodes: gates.n_nodes() / SHARE_OF_NODES,
            nodes: Vec::new(),
            variables: Vec::new(),
            numbers: vec![(0, 0); gates.n_nodes()],
            version: 0,
        }
    }

    fn clear(&mut self) {
        self.nodes.clear();
        self.variables.clear();
        self.version += 1;
    }

    fn contains(&self, node: u32) -> bool {
        self.numbers[node as usize].0 == self.version
    }

    /// Adds a cone. Returns whether the part has no more than `most` nodes; if not, a piece of the cone is missing.
    fn add(&mut self, gate: Gate, most: usize) -> bool {
        let mut open = vec![gate >> 1];
        while let Some(node) = open.pop() {
            if self.contains(node) {
                continue;
            }
            if self.nodes.len() == most {
                return false;
            }
            self.nodes.push(node);
            self.numbers[node as usize] = (self.version, self.nodes.len() as i32);
            match self.gates.operands(node) {
                Some((left, right)) => open.extend([left >> 1, right >> 1]),
                None => self.variables.push(node),
            }
        }
        true
    }

    /// The number of the first alternatives, at least one, whose cones are few nodes together.
    fn longest_group(&mut self, alternatives: &[Gate]) -> usize {
        self.clear();
        let alternatives = alternatives.iter().take(MOST_OF_GROUP);
        let fit = alternatives.take_while(|&&gate| self.add(gate, NODES_OF_GROUP));
        fit.count().max(1)
    }

    /// Refutes alternatives by a query about all of them, or else about each half.
    fn refute(
        &mut self,
        premises: &Premises,
        alternatives: &[Gate],
        tried: &mut Tried,
    ) -> Result<(), String> {
        if self.are_refuted(premises, alternatives)? {
            tried.refuted.extend(alternatives);
            return Ok(());
        }
        if let [alternative] = alternatives {
            tried.left.push(*alternative);
            return Ok(());
        }
        let (first, second) = alternatives.split_at(alternatives.len() / 2);
        self.refute(premises, first, tried)?;
        self.refute(premises, second, tried)
    }

    fn are_refuted(&mut self, premises: &Premises, alternatives: &[Gate]) -> Result<bool, String> {
        self.clear();
        let most = self.most_nodes.min(MOST_NODES);
        if !alternatives.iter().all(|&gate| self.add(gate, most)) {
            return Ok(false);
        }
        let mut stated: BTreeSet<u32> = BTreeSet::new();
        for extension in 0..=MOST_EXTENSIONS {
            let n_stated = stated.len();
            match extension {
                0 => stated.extend(premises.about(self)),
                _ => stated.extend(premises.with_one_of(&self.variables)),
            }
            // Without a new premise the query is the same.
            if extension > 0 && stated.len() == n_stated {
                break;
            }
            let gates = stated.iter().map(|&number| premises.all[number as usize].0);
            let gates: Vec<Gate> = gates.collect();
            let most = self.most_nodes.min(MOST_NODES_WITH_PREMISES);
            if !gates.iter().all(|&gate| self.add(gate, most)) {
                break;
            }
            if self.is_contradiction(&gates, alternatives)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether all of some gates and one of others can't hold together. Their cones are the part.
    fn is_contradiction(&self, all: &[Gate], any: &[Gate]) -> Result<bool, String> {
        let literal = |gate: Gate| {
            let var = self.numbers[(gate >> 1) as usize].1;
            varisat::Lit::from_dimacs(if gate & 1 == 1 { -var } else { var } as isize)
        };
        let mut formula = CnfFormula::new();
        for &node in &self.nodes {
            if let Some(operands) = self.gates.operands(node) {
                definition(&mut formula, node, operands, literal);
            }
            if node == Gates::FALSE >> 1 {
                formula.add_clause(&[literal(Gates::TRUE)]);
            }
        }
        for &gate in all {
            formula.add_clause(&[literal(gate)]);
        }
        let any: Vec<varisat::Lit> = any.iter().map(|&gate| literal(gate)).collect();
        formula.add_clause(&any);
        let mut solver = varisat::Solver::new();
        solver.add_formula(&formula);
        let is_satisfiable = solver.solve().map_err(|error| error.to_string())?;
        Ok(!is_satisfiable)
    }
}

/// Premises by the variables that they are about.
struct Premises {
    /// Each with its variables.
    all: Vec<(Gate, Vec<u32>)>,
    /// By variable: the premises that have it as their rarest.
    by_rarest: HashMap<u32, Vec<u32>>,
    /// By variable: the premises that have it, unless these are too many.
    by_variable: HashMap<u32, Vec<u32>>,
}

impl Premises {
    fn new(part: &mut Part<'_>, premises: &[Gate]) -> Self {
        let all = premises.iter().filter_map(|&premise| {
            part.clear();
            let is_small = part.add(premise, MOST_NODES_OF_PREMISE);
            is_small.then(|| (premise, part.variables.clone()))
        });
        let all: Vec<(Gate, Vec<u32>)> = all.collect();
        let mut counts: HashMap<u32, usize> = HashMap::new();
        for &variable in all.iter().flat_map(|(_, variables)| variables) {
            *counts.entry(variable).or_default() += 1;
        }
        let mut by_rarest: HashMap<u32, Vec<u32>> = HashMap::new();
        let mut by_variable: HashMap<u32, Vec<u32>> = HashMap::new();
        for (number, (_, variables)) in (0..).zip(&all) {
            if let Some(&rarest) = variables.iter().min_by_key(|variable| counts[variable]) {
                by_rarest.entry(rarest).or_default().push(number);
            }
            for &variable in variables {
                if counts[&variable] <= MOST_PREMISES_OF_VARIABLE {
                    by_variable.entry(variable).or_default().push(number);
                }
            }
        }
        Self {
            all,
            by_rarest,
            by_variable,
        }
    }

    /// The premises about variables of a part alone.
    fn about(&self, part: &Part<'_>) -> impl Iterator<Item = u32> {
        let numbers = part.variables.iter();
        let numbers = numbers.filter_map(|variable| self.by_rarest.get(variable));
        numbers.flatten().copied().filter(|&number| {
            let (_, own) = &self.all[number as usize];
            own.iter().all(|&variable| part.contains(variable))
        })
    }

    /// The premises about one of these variables, if few are.
    fn with_one_of(&self, variables: &[u32]) -> impl Iterator<Item = u32> {
        let numbers = variables.iter();
        let numbers = numbers.filter_map(|variable| self.by_variable.get(variable));
        numbers.flatten().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A chain of steps, of which each follows from the one before: refuted one by one. One that does not follow is left.
    #[test]
    fn alternatives_are_refuted_by_premises_about_their_variables() {
        let mut gates = Gates::new();
        let n_links = 20 * MOST_NODES_OF_PREMISE;
        let variables: Vec<Gate> = (0..=n_links).map(|_| gates.fresh()).collect();
        let links = variables.windows(2);
        let links: Vec<Gate> = links.map(|pair| gates.or(pair[0] ^ 1, pair[1])).collect();
        let broken: Vec<Gate> = (variables.windows(2))
            .map(|pair| gates.and(pair[0], pair[1] ^ 1))
            .collect();
        let mut all = Gates::TRUE;
        for &link in &links {
            all = gates.and(all, link);
        }
        assert_eq!(gates.conjuncts(&[all]).len(), n_links);
        let found = gates.refuted_locally(&[all], &broken);
        let mut expected = Tried {
            refuted: gates.disjuncts(&broken),
            left: Vec::new(),
        };
        assert_eq!(found, Ok(Some(expected)));
        let found = gates.refuted_locally(&links[1..], &broken);
        expected = Tried {
            refuted: gates.disjuncts(&broken[1..]),
            left: vec![broken[0]],
        };
        assert_eq!(found, Ok(Some(expected)));
        assert_eq!(gates.satisfiable(&[all], &broken), Ok(false));
        assert_eq!(gates.satisfiable(&links[1..], &broken), Ok(true));
    }

    proptest! {
        /// What is refuted locally is refuted by truth tables.
        #[test]
        fn local_refutations_are_refutations(
            ands in prop::collection::vec((any::<u32>(), any::<u32>()), 150..250),
            premises in prop::collection::vec(any::<u32>(), 1..6),
        ) {
            let mut gates = Gates::new();
            let mut all: Vec<Gate> = (0..6).map(|_| gates.fresh()).collect();
            let pick = |all: &[Gate], number: u32| {
                all[(number >> 1) as usize % all.len()] ^ (number & 1)
            };
            for (left, right) in ands {
                let gate = gates.and(pick(&all, left), pick(&all, right));
                all.push(gate);
            }
            let premises: Vec<Gate> = premises.iter().map(|&number| pick(&all, number)).collect();
            let alternatives: Vec<Gate> = all.iter().flat_map(|&gate| [gate, gate ^ 1]).collect();
            let tried = gates.refuted_locally(&premises, &alternatives).unwrap();
            for alternative in tried.unwrap_or_default().refuted {
                let mut all = premises.clone();
                all.push(alternative);
                prop_assert!(!by_truth_table(&gates, &all));
            }
        }
    }

    /// Whether these can hold together, for gates over the first six variables.
    fn by_truth_table(gates: &Gates, all: &[Gate]) -> bool {
        (0..64_u32).any(|values| {
            let mut of_nodes = vec![false; gates.n_nodes()];
            for node in 1..gates.n_nodes() {
                let value = |gate: Gate, of_nodes: &[bool]| {
                    of_nodes[(gate >> 1) as usize] != (gate & 1 == 1)
                };
                of_nodes[node] = match gates.operands(node as u32) {
                    Some((left, right)) => value(left, &of_nodes) && value(right, &of_nodes),
                    None => values >> (node - 1) & 1 == 1,
                };
            }
            (all.iter()).all(|&gate| of_nodes[(gate >> 1) as usize] != (gate & 1 == 1))
        })
    }
}
