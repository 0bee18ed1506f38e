//! SAT sweeping: merging nodes that are equal as functions.
//!
//! Nodes whose values agree under all patterns simulated so far form a class; in topological order, each node
//! is compared with the first of its class by SAT. A counterexample gives a pattern that splits the class, an
//! equality merges the nodes, so that later queries are about a smaller graph (A. Kuehlmann et al., "Robust
//! Boolean reasoning for equivalence checking and functional property verification", 2002; A. Mishchenko et
//! al., "FRAIGs: A unifying representation for logic synthesis and verification", 2005).
//!
//! Counterexamples are collected during a pass over the graph and simulated together between passes, with
//! neighbours at small Hamming distance: near-constant functions, which are frequent in interpolants, differ
//! from constants under few patterns, and these lie close to one another.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use craig_aig::{Aig, Edge, Node, NodeId, Poll, Random, extract};

use crate::cdcl::{Answer, Limits, Solver};
use crate::encode::Encoder;
use crate::lit::{Lit, Var};

/// How much work compaction may do. All measures are deterministic: none depends on time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Conflicts in all SAT queries together.
    pub conflicts: u64,
    /// Conflicts in one SAT query.
    pub conflicts_per_query: u64,
    /// Elementary steps: nodes visited, simulated (64 patterns at a time) or encoded, and literals
    /// propagated.
    pub ticks: u64,
}

impl Default for Budget {
    /// The budget for a formula that is used in many queries afterwards, such as an interpolant.
    fn default() -> Self {
        Self {
            conflicts: 5_000,
            conflicts_per_query: 50,
            ticks: 8_000_000,
        }
    }
}

impl Budget {
    /// The budget of zero: only rewriting in a constant number of passes remains.
    pub const NOTHING: Self = Self {
        conflicts: 0,
        conflicts_per_query: 0,
        ticks: 0,
    };

    pub(super) fn spend_ticks(&mut self, ticks: u64) {
        self.ticks = self.ticks.saturating_sub(ticks);
    }

    fn is_exhausted(&self) -> bool {
        self.ticks == 0 || self.conflicts == 0
    }
}

/// Passes over the graph, at most.
const MAX_PASSES: usize = 12;
/// Words of 64 patterns simulated first, at most.
const MAX_FIRST_WORDS: u64 = 16;
/// Words of 64 patterns made from the counterexamples of a pass, unless there are more than 64 a word.
const WORDS_PER_PASS: usize = 32;
/// Refuted candidates of one class in a pass; after these, the class is left to the next pass.
const MAX_REFUTED: u8 = 2;
/// The solver is replaced by an empty one when it has more variables than this.
const MAX_SOLVER_VARS: usize = 200_000;
/// The ticks of [`Budget::ticks`] between two polls of the stop condition: some milliseconds. The
/// steps of one query that are no conflicts may take as much.
const POLL_INTERVAL: u64 = 1 << 19;

/// The formulas `roots` of `aig` in a new graph with the same inputs, in which nodes with equal functions and
/// constant nodes are merged as far as they were found. The work done is subtracted from `budget`. `None` if `poll` ends
/// it.
///
/// # Panics
/// If a root is no edge of `aig`.
#[must_use]
pub fn sweep(
    aig: &Aig,
    roots: &[Edge],
    budget: &mut Budget,
    poll: &mut Poll<'_>,
) -> Option<(Aig, Vec<Edge>)> {
    let mut sweeper = Sweeper::new(*budget, poll);
    for _ in 0..aig.n_inputs() {
        sweeper.graph.add_input();
    }
    sweeper.graph.reserve(aig.n_nodes());
    let inputs = sweeper.graph.inputs().to_vec();
    let leaf = &mut |node| {
        let Node::Input(position) = aig.node(node) else {
            unreachable!("leaves are inputs");
        };
        Edge::new(inputs[position as usize], false)
    };
    let mut roots = (sweeper.graph).copy_cone_until(aig, roots, leaf, sweeper.poll)?;
    sweeper.first_patterns(&roots)?;
    for _ in 0..MAX_PASSES {
        if sweeper.budget.is_exhausted() {
            break;
        }
        let is_final = sweeper.pass(&mut roots)?;
        if is_final {
            break;
        }
        sweeper.simulate_counterexamples()?;
    }
    *budget = sweeper.budget;
    extract(&sweeper.graph, &roots, sweeper.poll)
}

/// The values of a node under all patterns, as a hash.
#[derive(Clone, Copy)]
struct Signature {
    /// A hash of its values under all patterns, complemented where `phase` holds.
    hash: u64,
    /// Its value under the first pattern.
    phase: bool,
}

/// The first node of a class in the current pass.
struct Class {
    first: NodeId,
    n_refuted: u8,
}

/// The classes by the hash of their signatures.
type Classes = HashMap<u64, Class, BuildHasherDefault<Itself>>;

/// The hash of a number that is a hash already.
#[derive(Clone, Copy, Default)]
struct Itself(u64);

impl Hasher for Itself {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {
        unreachable!("only numbers are hashed");
    }

    fn write_u64(&mut self, hash: u64) {
        // The table takes its tag from the high bits.
        self.0 = hash ^ hash << 32;
    }
}

struct Sweeper<'a, 'p> {
    /// Only ever grows; merging redirects the users of a node.
    graph: Aig,
    signatures: Vec<Signature>,
    /// Nodes with a query that ended without an answer.
    given_up: Vec<bool>,
    solver: Solver,
    encoder: Encoder,
    budget: Budget,
    poll: &'a mut Poll<'p>,
    /// The ticks until the next poll.
    until_poll: u64,
    random: Random,
    /// One bit per input of the graph each, in words of 64.
    counterexamples: Vec<Box<[u64]>>,
}

impl<'a, 'p> Sweeper<'a, 'p> {
    fn new(budget: Budget, poll: &'a mut Poll<'p>) -> Self {
        Self {
            graph: Aig::new(),
            signatures: Vec::new(),
            given_up: Vec::new(),
            solver: Solver::new(),
            encoder: Encoder::new(),
            budget,
            poll,
            until_poll: 0,
            random: Random::new(1),
            counterexamples: Vec::new(),
        }
    }

    /// Spends ticks, and the rest of the budget where the search is to stop.
    fn spend(&mut self, ticks: u64) {
        self.budget.spend_ticks(ticks);
        match self.until_poll.checked_sub(ticks) {
            Some(left) => self.until_poll = left,
            None => {
                self.until_poll = POLL_INTERVAL;
                if self.poll.ask() {
                    self.budget = Budget::NOTHING;
                }
            }
        }
    }

    /// Gives each node a signature, from random patterns of several densities. `None` if it is stopped.
    fn first_patterns(&mut self, roots: &[Edge]) -> Option<()> {
        let n_nodes = self.graph.n_nodes() as u64;
        let n_words = (self.budget.ticks / (8 * n_nodes)).clamp(1, MAX_FIRST_WORDS);
        for word in 0..n_words {
            let inputs: Vec<u64> = (0..self.graph.n_inputs())
                .map(|_| match word % 4 {
                    1 => self.random.word() & self.random.word() & self.random.word(),
                    3 => self.random.word() | self.random.word() | self.random.word(),
                    _ => self.random.word(),
                })
                .collect();
            self.simulate(&inputs);
            self.poll.step()?;
        }
        debug_assert!(
            roots
                .iter()
                .all(|root| (root.node() as usize) < self.signatures.len())
        );
        Some(())
    }

    /// Adds 64 patterns to the signatures.
    fn simulate(&mut self, inputs: &[u64]) {
        let words = self.graph.simulate(inputs);
        self.spend(words.len() as u64);
        if self.signatures.is_empty() {
            self.signatures = words
                .iter()
                .map(|word| Signature {
                    hash: 0,
                    phase: word & 1 == 1,
                })
                .collect();
        }
        for (signature, word) in self.signatures.iter_mut().zip(words) {
            let normal = word ^ 0_u64.wrapping_sub(u64::from(signature.phase));
            signature.hash = (signature.hash.rotate_left(23) ^ normal)
                .wrapping_mul(0x9e37_79b9_7f4a_7c15)
                ^ normal >> 31;
        }
    }

    /// Traverses the graph once and merges equal nodes; `true` if another pass could find no more.
    /// `None` if it is stopped.
    fn pass(&mut self, roots: &mut [Edge]) -> Option<bool> {
        let cone = self.graph.cone(roots);
        self.spend(4 * cone.len() as u64);
        let mut classes =
            Classes::with_capacity_and_hasher(cone.len(), BuildHasherDefault::default());
        let first_of_class = |first| Class {
            first,
            n_refuted: 0,
        };
        classes.insert(self.signatures[0].hash, first_of_class(0));
        for &input in self.graph.inputs() {
            classes
                .entry(self.signatures[input as usize].hash)
                .or_insert(first_of_class(input));
        }
        let mut images = vec![Edge::FALSE; cone.last().map_or(1, |&node| node as usize + 1)];
        // The edges into which the nodes of this pass have been merged.
        let mut merged: Vec<Option<Edge>> = vec![None; self.graph.n_nodes()];
        for node in cone {
            self.poll.step()?;
            let Node::And(left, right) = self.graph.node(node) else {
                images[node as usize] = Edge::new(node, false);
                continue;
            };
            let [left, right] = [left, right].map(|edge| edge.image(&images));
            let image = self.conjunction_for(node, left, right);
            let target = image.node();
            merged.resize(self.graph.n_nodes(), None);
            let found = merged[target as usize].unwrap_or_else(|| {
                let found = self.merge(target, &mut classes);
                merged[target as usize] = Some(found);
                found
            });
            images[node as usize] = found.negate_if(image.is_negated());
        }
        for root in roots {
            *root = images[root.node() as usize].negate_if(root.is_negated());
        }
        Some(self.counterexamples.is_empty())
    }

    /// The conjunction of two edges, whose function is that of the old node `node`; a new node gets its
    /// signature.
    fn conjunction_for(&mut self, node: NodeId, left: Edge, right: Edge) -> Edge {
        let image = self.graph.and(left, right);
        if image.node() as usize == self.signatures.len() {
            let Signature { hash, phase } = self.signatures[node as usize];
            self.signatures.push(Signature {
                hash,
                phase: phase != image.is_negated(),
            });
        }
        debug_assert_eq!(self.signatures.len(), self.graph.n_nodes());
        image
    }

    /// Compares `node` with the first of its class, and returns the edge that replaces it.
    fn merge(&mut self, node: NodeId, classes: &mut Classes) -> Edge {
        let itself = Edge::new(node, false);
        if !matches!(self.graph.node(node), Node::And(..)) {
            return itself;
        }
        let hash = self.signatures[node as usize].hash;
        let class = classes.entry(hash).or_insert(Class {
            first: node,
            n_refuted: 0,
        });
        self.given_up.resize(self.graph.n_nodes(), false);
        if class.first == node
            || class.n_refuted >= MAX_REFUTED
            || self.given_up[node as usize]
            || self.budget.is_exhausted()
        {
            return itself;
        }
        let sign =
            self.signatures[node as usize].phase != self.signatures[class.first as usize].phase;
        let target = Edge::new(class.first, sign);
        match self.are_equal(itself, target) {
            Answer::Unsatisfiable => target,
            Answer::Satisfiable => {
                class.n_refuted += 1;
                itself
            }
            Answer::Unknown => {
                self.given_up[node as usize] = true;
                itself
            }
        }
    }

    /// Whether two edges can differ: `Unsatisfiable` if they are equal. Keeps the counterexample.
    fn are_equal(&mut self, left: Edge, right: Edge) -> Answer {
        if self.solver.n_vars() > MAX_SOLVER_VARS {
            self.solver = Solver::new();
            self.encoder = Encoder::new();
        }
        let [left_edge, right_edge] = [left, right];
        let left = self.encode(left_edge);
        let right = if right_edge.is_constant() {
            None
        } else {
            Some(self.encode(right_edge))
        };
        self.restrict_decisions(&[left_edge, right_edge]);
        let Some(right) = right else {
            let left = left.negate_if(right_edge == Edge::TRUE);
            let answer = self.query(&[left]);
            if answer == Answer::Unsatisfiable {
                self.solver.add_clause(&[!left]);
            }
            return answer;
        };
        for assumptions in [[left, !right], [!left, right]] {
            let answer = self.query(&assumptions);
            if answer != Answer::Unsatisfiable {
                return answer;
            }
            self.solver.add_clause(&assumptions.map(|lit| !lit));
        }
        Answer::Unsatisfiable
    }

    fn encode(&mut self, edge: Edge) -> Lit {
        let n_vars = self.solver.n_vars();
        let lit = self.encoder.encode(&self.graph, edge, &mut self.solver);
        let n_new = self.solver.n_vars() - n_vars;
        self.spend(4 * n_new as u64);
        lit
    }

    /// Restricts the solver's decisions to the cones of `edges`. All other clauses define gates, so a model
    /// of the cones can be extended to them.
    fn restrict_decisions(&mut self, edges: &[Edge]) {
        let cone = self.graph.cone(edges);
        self.spend(cone.len() as u64);
        let literal = |node| self.encoder.literal(Edge::new(node, false));
        let vars: Vec<Var> = cone.into_iter().filter_map(literal).map(Lit::var).collect();
        self.solver.set_domain(&vars);
    }

    /// One limited query.
    fn query(&mut self, assumptions: &[Lit]) -> Answer {
        let before = *self.solver.statistics();
        self.solver.set_limits(Limits {
            conflicts: Some(self.budget.conflicts_per_query.min(self.budget.conflicts)),
            propagations: Some(self.budget.ticks.min(POLL_INTERVAL)),
        });
        let answer = self.solver.solve(assumptions);
        let after = self.solver.statistics();
        self.budget.conflicts = self
            .budget
            .conflicts
            .saturating_sub(after.conflicts - before.conflicts);
        self.spend(1 + after.propagations - before.propagations);
        if answer == Answer::Satisfiable {
            self.keep_counterexample();
        }
        answer
    }

    /// Stores the inputs of the solver's model, with random values for those that it leaves open.
    ///
    /// This counts as work: with as many counterexamples as there are inputs, it would be quadratic.
    fn keep_counterexample(&mut self) {
        let n_inputs = self.graph.n_inputs();
        let mut words = vec![0_u64; n_inputs.div_ceil(64)].into_boxed_slice();
        for (place, &input) in self.graph.inputs().iter().enumerate() {
            let value = (self.encoder)
                .literal(Edge::new(input, false))
                .and_then(|lit| self.solver.value(lit))
                .unwrap_or_else(|| self.random.word() & 1 == 1);
            words[place / 64] |= u64::from(value) << (place % 64);
        }
        self.counterexamples.push(words);
        self.spend(n_inputs as u64 / 8);
    }

    /// Adds the counterexamples of the last pass to the signatures, each with as many neighbours as the
    /// pattern words can hold. `None` if it is stopped.
    fn simulate_counterexamples(&mut self) -> Option<()> {
        let counterexamples = std::mem::take(&mut self.counterexamples);
        let n_words = counterexamples.len().min(WORDS_PER_PASS);
        let n_words = n_words.max(counterexamples.len().div_ceil(64));
        let copies = (64 * n_words / counterexamples.len().max(1)).max(1);
        let mut words = vec![0; self.graph.n_inputs()];
        let mut n_patterns = 0;
        for counterexample in &counterexamples {
            for copy in 0..copies {
                self.poll.steps(words.len() / 8)?;
                let bit = 1_u64 << n_patterns;
                for (place, word) in words.iter_mut().enumerate() {
                    if counterexample[place / 64] >> (place % 64) & 1 == 1 {
                        *word |= bit;
                    }
                }
                // Copy 0 is the counterexample itself; copy k differs from it in about log k inputs.
                for _ in 0..copy.checked_ilog2().map_or(0, |log| log + 1) {
                    let input = self.random.below(words.len());
                    words[input] ^= bit;
                }
                n_patterns += 1;
                if n_patterns == 64 {
                    self.simulate(&words);
                    words.fill(0);
                    n_patterns = 0;
                }
            }
        }
        if n_patterns > 0 {
            self.simulate(&words);
        }
        Some(())
    }
}
