//! Smaller interpolants that may mean something else.
//!
//! Between what its premises force to be true and what the other side forces to be false, a formula is free. A gate of an
//! interpolant may therefore give way to something simpler, though the formula changes, as long as what comes out is
//! an interpolant still: a constant, one of its operands, a branch if it is a choice (ITE), or a literal from below it (G.
//! Cabodi, C. Loiacono and D. Vendraminetto, "Optimization techniques for Craig interpolant compaction in unbounded model checking", 2013).
//! Each exchange is decided by two SAT calls, one for each side. Their counterexamples are kept as patterns, under
//! which an exchange that would break a condition is mostly seen by simulation.
//!
//! Gates are tried from the root down: what is removed near the root takes most with it.

use craig_solver::aig::encode::Encoder;
use craig_solver::aig::{Aig, Edge, Node, NodeId};
use craig_solver::{Answer, Cnf, Label, Limits, Lit, Solver, Var};

use crate::stop::Stop;
use crate::strength::extract;
use crate::tree::Tree;

/// How much work simplification may do. All measures are deterministic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// SAT calls.
    pub queries: u64,
    /// Conflicts in one of them.
    pub conflicts_per_query: u64,
    /// Gates visited or encoded.
    pub ticks: u64,
}

impl Default for Effort {
    fn default() -> Self {
        Self {
            queries: 4_000,
            conflicts_per_query: 500,
            ticks: 50_000_000,
        }
    }
}

/// Interpolants of a labelled formula, and what each of them is free to become.
#[derive(Clone)]
pub struct Simplifier<'a> {
    /// The clauses of all partitions.
    pub cnf: &'a Cnf,
    /// The variable that an input node stands for, if any; the same in all formulas.
    pub variable: &'a dyn Fn(NodeId) -> Option<Var>,
    /// For each formula.
    pub effort: Effort,
    /// When to leave the rest as it is.
    pub stop: Stop,
}

/// What a formula has to follow from, or to contradict.
struct Condition<'a> {
    labels: &'a dyn Fn(Label) -> bool,
    formulas: Vec<Edge>,
}

impl Simplifier<'_> {
    /// An interpolant of the clauses with the labels `in_a` against the others, in place of `edge`, which is one.
    pub fn interpolant(&self, aig: &mut Aig, in_a: &dyn Fn(Label) -> bool, edge: Edge) -> Edge {
        let premise = Condition {
            labels: in_a,
            formulas: Vec::new(),
        };
        let opposite = Condition {
            labels: &|label| !in_a(label),
            formulas: Vec::new(),
        };
        self.simplify(aig, edge, &premise, &opposite)
    }

    /// A sequence for increasing cuts in place of one: each formula still follows from the one before it and
    /// the clauses between them.
    ///
    /// # Panics
    /// If there are not as many cuts as formulas.
    pub fn sequence(&self, aig: &mut Aig, cuts: &[Label], edges: &mut [Edge]) {
        assert_eq!(cuts.len(), edges.len());
        for index in 0..edges.len() {
            let from = index.checked_sub(1).map(|before| cuts[before]);
            let to = cuts.get(index + 1);
            let premise = Condition {
                labels: &|label| label <= cuts[index] && from.is_none_or(|from| label > from),
                formulas: index
                    .checked_sub(1)
                    .map(|at| edges[at])
                    .into_iter()
                    .collect(),
            };
            let opposite = Condition {
                labels: &|label| label > cuts[index] && to.is_none_or(|&to| label <= to),
                formulas: edges
                    .get(index + 1)
                    .map(|&next| !next)
                    .into_iter()
                    .collect(),
            };
            edges[index] = self.simplify(aig, edges[index], &premise, &opposite);
        }
    }

    /// Symmetric interpolants in place of some: all of them are still inconsistent together, with the clauses of no part.
    ///
    /// # Panics
    /// If there are not as many parts as formulas.
    pub fn symmetric(&self, aig: &mut Aig, parts: &[Label], edges: &mut [Edge]) {
        assert_eq!(parts.len(), edges.len());
        for index in 0..edges.len() {
            let premise = Condition {
                labels: &|label| label == parts[index],
                formulas: Vec::new(),
            };
            let others = (0..edges.len()).filter(|&other| other != index);
            let opposite = Condition {
                labels: &|label| !parts.contains(&label),
                formulas: others.map(|other| edges[other]).collect(),
            };
            edges[index] = self.simplify(aig, edges[index], &premise, &opposite);
        }
    }

    /// Tree interpolants in place of some: children and own clauses still imply the formula of each node.
    ///
    /// # Panics
    /// If there are not as many nodes as formulas.
    pub fn tree(&self, aig: &mut Aig, tree: &Tree, edges: &mut [Edge]) {
        assert_eq!(tree.n_nodes(), edges.len());
        for node in 0..edges.len() {
            let parent = tree.parent(node);
            let children = (0..edges.len()).filter(|&child| tree.parent(child) == Some(node));
            let premise = Condition {
                labels: &|label| label as usize == node,
                formulas: children.map(|child| edges[child]).collect(),
            };
            let siblings = (0..edges.len())
                .filter(|&other| other != node && parent.is_some() && tree.parent(other) == parent);
            let opposite = Condition {
                labels: &|label| match parent {
                    Some(parent) => label as usize == parent,
                    None => !tree.subtree_contains(node, label),
                },
                formulas: siblings
                    .map(|sibling| edges[sibling])
                    .chain(parent.map(|parent| !edges[parent]))
                    .collect(),
            };
            edges[node] = self.simplify(aig, edges[node], &premise, &opposite);
        }
    }

    /// A formula that follows from `premise` and contradicts `opposite`, as `edge` does.
    fn simplify(
        &self,
        aig: &mut Aig,
        edge: Edge,
        premise: &Condition<'_>,
        opposite: &Condition<'_>,
    ) -> Edge {
        let (graph, roots, inputs) = extract(aig, &[edge]);
        let mut work = Work {
            root: roots[0],
            sides: [premise, opposite].map(|condition| self.side(aig, condition, &graph, &inputs)),
            patterns: Patterns::new(inputs.len()),
            tried: Vec::new(),
            effort: self.effort,
            stop: &self.stop,
            graph,
        };
        work.run();
        let Work { graph, root, .. } = work;
        let position = |node| match graph.node(node) {
            Node::Input(position) => position as usize,
            _ => unreachable!("leaves are inputs"),
        };
        let images = aig.copy_cone(&graph, &[root], &mut |node| {
            Edge::new(inputs[position(node)], false)
        });
        images[0]
    }

    /// A solver that knows a condition, and how the inputs of `graph`, which are `inputs` in `aig`, appear in it.
    fn side(&self, aig: &Aig, condition: &Condition<'_>, graph: &Aig, inputs: &[NodeId]) -> Side {
        let mut solver = Solver::new();
        self.stop.reach(&mut solver);
        solver.reserve_vars(self.cnf.n_vars());
        for (clause, label) in self.cnf.iter() {
            if (condition.labels)(label) {
                solver.add_clause(clause);
            }
        }
        let mut given = Encoder::new();
        for &input in aig.inputs() {
            if let Some(var) = (self.variable)(input) {
                given.set(input, var.positive());
            }
        }
        for &formula in &condition.formulas {
            let lit = given.encode(aig, formula, &mut solver);
            solver.add_clause(&[lit]);
        }
        let mut encoder = Encoder::new();
        let mut lits = Vec::with_capacity(inputs.len());
        for (&own, &input) in graph.inputs().iter().zip(inputs) {
            let lit = given.encode(aig, Edge::new(input, false), &mut solver);
            encoder.set(own, lit);
            lits.push(lit);
        }
        Side {
            solver,
            encoder,
            inputs: lits,
        }
    }
}

/// One side of the cut.
struct Side {
    solver: Solver,
    encoder: Encoder,
    inputs: Vec<Lit>,
}

/// Words of 64 patterns.
const N_WORDS: usize = 4;
/// Values under all patterns.
type Words = [u64; N_WORDS];

/// Assignments under which the formula is bound to be true, or false.
struct Patterns {
    /// By input.
    inputs: Vec<Words>,
    /// Which of the patterns are in use.
    used: Words,
    /// Where the next one goes: the oldest ones give way.
    next: usize,
}

impl Patterns {
    fn new(n_inputs: usize) -> Self {
        Self {
            inputs: vec![[0; N_WORDS]; n_inputs],
            used: [0; N_WORDS],
            next: 0,
        }
    }

    fn add(&mut self, values: impl Iterator<Item = bool>) {
        let (word, bit) = (self.next / 64 % N_WORDS, 1_u64 << (self.next % 64));
        self.next += 1;
        self.used[word] |= bit;
        for (words, value) in self.inputs.iter_mut().zip(values) {
            words[word] = words[word] & !bit | if value { bit } else { 0 };
        }
    }
}

/// Levels below a gate in which literals are looked for.
const LITERAL_DEPTH: u32 = 3;
/// Times that all gates are tried.
const MAX_PASSES: usize = 3;

struct Work<'a> {
    /// Only ever grows.
    graph: Aig,
    root: Edge,
    /// The formula has to be true on the first side and false on the second.
    sides: [Side; 2],
    patterns: Patterns,
    /// By node: whether it has been tried in this pass.
    tried: Vec<bool>,
    effort: Effort,
    stop: &'a Stop,
}

impl Work<'_> {
    fn run(&mut self) {
        for _ in 0..MAX_PASSES {
            self.tried.clear();
            if !self.pass() {
                break;
            }
        }
    }

    fn is_exhausted(&self) -> bool {
        self.effort.queries == 0 || self.effort.ticks == 0 || self.stop.is_asked()
    }

    /// Tries all gates, from the root down; whether anything was exchanged.
    fn pass(&mut self) -> bool {
        let mut is_changed = false;
        'changed: loop {
            let cone = self.graph.cone(&[self.root]);
            let mut values = Values::new(&self.graph, &cone, &self.patterns);
            self.spend(cone.len());
            self.tried.resize(self.graph.n_nodes(), false);
            for at in (0..cone.len()).rev() {
                let node = cone[at];
                if self.tried[node as usize] || !matches!(self.graph.node(node), Node::And(..)) {
                    continue;
                }
                if self.is_exhausted() {
                    return is_changed;
                }
                self.tried[node as usize] = true;
                let mut matters = values.observability(&self.graph, &cone, at, self.root);
                self.spend(cone.len() - at);
                for candidate in self.candidates(node) {
                    let [old, new] =
                        [Edge::new(node, false), candidate].map(|edge| values.of(edge));
                    if (0..N_WORDS).any(|word| (old[word] ^ new[word]) & matters[word] != 0) {
                        continue;
                    }
                    let n_patterns = self.patterns.next;
                    let root = self.exchanged(&cone, node, candidate);
                    if self.is_allowed(root) {
                        self.root = root;
                        is_changed = true;
                        continue 'changed;
                    }
                    if self.is_exhausted() {
                        return is_changed;
                    }
                    if self.patterns.next != n_patterns {
                        values = Values::new(&self.graph, &cone, &self.patterns);
                        matters = values.observability(&self.graph, &cone, at, self.root);
                        self.spend(2 * cone.len());
                    }
                }
            }
            return is_changed;
        }
    }

    fn spend(&mut self, ticks: usize) {
        self.effort.ticks = self.effort.ticks.saturating_sub(ticks as u64);
    }

    /// What may take the place of a gate, simplest first.
    fn candidates(&self, node: NodeId) -> Vec<Edge> {
        let Node::And(left, right) = self.graph.node(node) else {
            unreachable!("only gates are tried");
        };
        let mut found = vec![Edge::FALSE, Edge::TRUE];
        let mut below = vec![(left.node(), LITERAL_DEPTH), (right.node(), LITERAL_DEPTH)];
        while let Some((node, depth)) = below.pop() {
            match self.graph.node(node) {
                Node::Constant => {}
                Node::Input(_) => found.extend([Edge::new(node, false), Edge::new(node, true)]),
                Node::And(left, right) if depth > 0 => {
                    below.extend([(left.node(), depth - 1), (right.node(), depth - 1)]);
                }
                Node::And(..) => {}
            }
        }
        found.extend([left, right]);
        found.extend(self.branches(left, right).into_iter().flatten());
        // The order counts, so that only later copies go.
        let mut distinct = Vec::with_capacity(found.len());
        for edge in found {
            if !distinct.contains(&edge) {
                distinct.push(edge);
            }
        }
        distinct
    }

    /// The branches of `left and right`, if that is a choice by a condition, as `ite` builds it, or its negation.
    fn branches(&self, left: Edge, right: Edge) -> Option<[Edge; 2]> {
        let operands = |edge: Edge| match self.graph.node(edge.node()) {
            Node::And(first, second) if edge.is_negated() => Some([first, second]),
            _ => None,
        };
        let (in_left, in_right) = (operands(left)?, operands(right)?);
        for (at_left, condition) in in_left.into_iter().enumerate() {
            for (at_right, other) in in_right.into_iter().enumerate() {
                if condition == !other {
                    return Some([!in_left[1 - at_left], !in_right[1 - at_right]]);
                }
            }
        }
        None
    }

    /// The formula with `candidate` in place of `node`.
    fn exchanged(&mut self, cone: &[NodeId], node: NodeId, candidate: Edge) -> Edge {
        let mut images: Vec<Edge> = Vec::new();
        images.resize(self.root.node() as usize + 1, Edge::FALSE);
        let image =
            |images: &[Edge], edge: Edge| images[edge.node() as usize].negate_if(edge.is_negated());
        for &other in cone {
            images[other as usize] = match self.graph.node(other) {
                Node::Constant => Edge::FALSE,
                // The candidate is below the gate, where nothing changes.
                _ if other == node => candidate,
                Node::Input(_) => Edge::new(other, false),
                Node::And(left, right) => {
                    let [new_left, new_right] = [left, right].map(|edge| image(&images, edge));
                    if [new_left, new_right] == [left, right] {
                        Edge::new(other, false)
                    } else {
                        self.graph.and(new_left, new_right)
                    }
                }
            };
        }
        self.spend(cone.len());
        image(&images, self.root)
    }

    /// Whether the formula `root` keeps both conditions, as far as its calls may tell. A counterexample becomes a pattern.
    fn is_allowed(&mut self, root: Edge) -> bool {
        for (side, violated) in self.sides.iter_mut().zip([!root, root]) {
            if self.effort.queries == 0 {
                return false;
            }
            self.effort.queries -= 1;
            let n_vars = side.solver.n_vars();
            let lit = side.encoder.encode(&self.graph, violated, &mut side.solver);
            let n_new = side.solver.n_vars() - n_vars;
            self.effort.ticks = self.effort.ticks.saturating_sub(4 * n_new as u64);
            side.solver.set_limits(Limits {
                conflicts: Some(self.effort.conflicts_per_query),
                ..Limits::default()
            });
            match side.solver.solve(&[lit]) {
                Answer::Unsatisfiable => {}
                Answer::Unknown => return false,
                Answer::Satisfiable => {
                    let solver = &side.solver;
                    let value = |&lit: &Lit| solver.value(lit) == Some(true);
                    self.patterns.add(side.inputs.iter().map(value));
                    return false;
                }
            }
        }
        true
    }
}

/// The values of the nodes of a cone under the patterns.
struct Values {
    /// By node.
    words: Vec<Words>,
    used: Words,
    /// Scratch: the values with one gate negated, and for which gate they were computed.
    flipped: Vec<Words>,
    stamps: Vec<NodeId>,
}

impl Values {
    fn new(graph: &Aig, cone: &[NodeId], patterns: &Patterns) -> Self {
        let n_nodes = cone.last().map_or(1, |&node| node as usize + 1);
        let mut values = Self {
            words: vec![[0; N_WORDS]; n_nodes],
            used: patterns.used,
            flipped: vec![[0; N_WORDS]; n_nodes],
            stamps: vec![0; n_nodes],
        };
        for &node in cone {
            values.words[node as usize] = match graph.node(node) {
                Node::Constant => [0; N_WORDS],
                Node::Input(position) => patterns.inputs[position as usize],
                Node::And(left, right) => conjunction(values.of(left), values.of(right)),
            };
        }
        values
    }

    fn of(&self, edge: Edge) -> Words {
        negate_if(self.words[edge.node() as usize], edge.is_negated())
    }

    /// The patterns under which the root changes when the gate at `cone[at]` is negated.
    fn observability(&mut self, graph: &Aig, cone: &[NodeId], at: usize, root: Edge) -> Words {
        let gate = cone[at];
        self.stamps[gate as usize] = gate;
        self.flipped[gate as usize] = negate_if(self.words[gate as usize], true);
        for &node in &cone[at + 1..] {
            let Node::And(left, right) = graph.node(node) else {
                continue;
            };
            let is_affected = |edge: Edge| self.stamps[edge.node() as usize] == gate;
            if is_affected(left) || is_affected(right) {
                let value = |edge: Edge| {
                    let words = if is_affected(edge) {
                        &self.flipped
                    } else {
                        &self.words
                    };
                    negate_if(words[edge.node() as usize], edge.is_negated())
                };
                let both = conjunction(value(left), value(right));
                if both != self.words[node as usize] {
                    self.flipped[node as usize] = both;
                    self.stamps[node as usize] = gate;
                }
            }
        }
        if self.stamps[root.node() as usize] != gate {
            return [0; N_WORDS];
        }
        let (old, new) = (
            self.words[root.node() as usize],
            self.flipped[root.node() as usize],
        );
        std::array::from_fn(|word| (old[word] ^ new[word]) & self.used[word])
    }
}

fn conjunction(left: Words, right: Words) -> Words {
    std::array::from_fn(|word| left[word] & right[word])
}

fn negate_if(words: Words, negate: bool) -> Words {
    words.map(|word| word ^ 0_u64.wrapping_sub(u64::from(negate)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{formulas, graph, refute};
    use crate::verify::Verifier;
    use crate::{System, sequence, symmetric, tree};
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

        #[test]
        fn what_is_simplified_is_still_accepted_and_no_larger(cnf in formulas()) {
            let dag = refute(&cnf, &[1, 0, 3, 2, 5, 4]);
            prop_assume!(dag.is_some());
            let dag = dag.unwrap();
            let (mut aig, inputs) = graph();
            let mut leaf = |_: usize, var: Var| inputs[var.index()];
            let variable = |node: NodeId| Some(Var::new(node as usize - 1));
            let simplifier = Simplifier {
                cnf: &cnf,
                variable: &variable,
                effort: Effort::default(),
                stop: Stop::never(),
            };
            let cuts = [0, 1, 2, 3];
            let parts = [0, 2, 4];
            let shape = Tree::new(vec![Some(2), Some(2), Some(4), Some(4), None]).unwrap();
            for system in [System::McMillan, System::Symmetric] {
                let mut path = sequence(&dag, &cuts, system, &mut aig, &mut leaf);
                let mut star = symmetric(&dag, &parts, system, &mut aig, &mut leaf).unwrap();
                let mut nodes = tree(&dag, &shape, system, &mut aig, &mut leaf).unwrap();
                let single = path[1];
                let before: Vec<usize> =
                    [&path, &star, &nodes].iter().flat_map(|edges| edges.iter()).map(|&edge| aig.n_ands_in_cone(&[edge])).collect();
                let simple = simplifier.interpolant(&mut aig, &|label| label <= 1, single);
                simplifier.sequence(&mut aig, &cuts, &mut path);
                simplifier.symmetric(&mut aig, &parts, &mut star);
                simplifier.tree(&mut aig, &shape, &mut nodes);
                let after = [&path, &star, &nodes];
                let after = after.iter().flat_map(|edges| edges.iter()).map(|&edge| aig.n_ands_in_cone(&[edge]));
                prop_assert!(before.into_iter().zip(after).all(|(before, after)| after <= before));
                let stop = Stop::never();
                let verifier = Verifier {
                    cnf: &cnf, aig: &aig, variable: &|_, node| variable(node), stop: &stop,
                };
                prop_assert_eq!(verifier.interpolant(&|label| label <= 1, simple), Ok(()));
                prop_assert_eq!(verifier.sequence(&cuts, &path), Ok(()));
                prop_assert_eq!(verifier.symmetric(&parts, &star), Ok(()));
                prop_assert_eq!(verifier.tree(&shape, &nodes), Ok(()));
            }
        }
    }

    /// A says x and y and z, B says not x: one literal is enough, whatever formula one begins with.
    #[test]
    fn freedom_is_used() {
        let [x, y, z] = [0, 1, 2].map(|index| Var::new(index).positive());
        let mut cnf = Cnf::new();
        for lit in [x, y, z] {
            cnf.add_labelled_clause(&[lit], 0);
        }
        cnf.add_labelled_clause(&[!x], 1);
        cnf.add_labelled_clause(&[y, z], 1);
        let (mut aig, inputs) = graph();
        let all = aig.and_all(inputs[..3].to_vec());
        let choice = aig.ite(inputs[1], all, !inputs[0]);
        let simplifier = Simplifier {
            cnf: &cnf,
            variable: &|node| Some(Var::new(node as usize - 1)),
            effort: Effort::default(),
            stop: Stop::never(),
        };
        let in_a = |label| label == 0;
        assert_eq!(simplifier.interpolant(&mut aig, &in_a, all), inputs[0]);
        // With nothing to spend, everything stays.
        let idle = Simplifier {
            effort: Effort {
                queries: 0,
                ..Effort::default()
            },
            ..simplifier.clone()
        };
        assert_eq!(idle.interpolant(&mut aig, &in_a, all), all);
        let stopped = Simplifier {
            stop: Stop::when(|| true),
            ..simplifier
        };
        assert_eq!(stopped.interpolant(&mut aig, &in_a, choice), choice);
    }
}
