//! Exchanging gates of one formula for simpler ones, under two conditions.

use craig_aig::{Aig, Edge, Node, NodeId};
use craig_solver::encode::Encoder;
use craig_solver::{Answer, Limits, Lit, Solver};

use super::patterns::{N_WORDS, Patterns, Values};
use crate::stop::{Stop, Stopped};

/// The limits of the simplification of one formula. All of them are deterministic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// SAT calls.
    pub queries: u64,
    /// Conflicts in one SAT call.
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

/// A condition in a solver: the clauses and formulas of one side of the cut.
pub(super) struct Side {
    pub(super) solver: Solver,
    /// The encoder of the graph whose gates are exchanged.
    pub(super) encoder: Encoder,
    /// The literals of the inputs of that graph.
    pub(super) inputs: Vec<Lit>,
}

/// How many levels below a gate its candidates include literals.
const LITERAL_DEPTH: u32 = 3;
/// The most passes over all gates.
const MAX_PASSES: usize = 3;

/// The work on one formula.
pub(super) struct Work<'a> {
    /// Nodes are only added.
    pub(super) graph: Aig,
    /// The formula.
    pub(super) root: Edge,
    /// The formula has to follow from the first side and to contradict the second.
    sides: [Side; 2],
    patterns: Patterns,
    /// By node: whether it has been tried in this pass.
    tried: Vec<bool>,
    effort: Effort,
    stop: &'a Stop,
}

impl<'a> Work<'a> {
    pub(super) fn new(
        graph: Aig,
        root: Edge,
        sides: [Side; 2],
        effort: Effort,
        stop: &'a Stop,
    ) -> Self {
        Self {
            root,
            sides,
            patterns: Patterns::new(graph.n_inputs()),
            tried: Vec::new(),
            effort,
            stop,
            graph,
        }
    }

    /// Exchanges gates until nothing changes or the effort is spent. `root` satisfies both conditions at any
    /// time, also after a stop.
    pub(super) fn run(&mut self) -> Result<(), Stopped> {
        for _ in 0..MAX_PASSES {
            self.tried.clear();
            if !self.pass()? {
                break;
            }
        }
        Ok(())
    }

    /// Whether the effort is spent; fails once a stop is requested.
    fn is_exhausted(&self) -> Result<bool, Stopped> {
        if self.stop.is_asked() {
            return Err(Stopped);
        }
        Ok(self.effort.queries == 0 || self.effort.ticks == 0)
    }

    /// Tries all gates, from the root down; whether anything was exchanged.
    fn pass(&mut self) -> Result<bool, Stopped> {
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
                if self.is_exhausted()? {
                    return Ok(is_changed);
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
                    let n_patterns = self.patterns.n_added();
                    let root = self.exchanged(&cone, node, candidate);
                    if self.is_allowed(root) {
                        self.root = root;
                        is_changed = true;
                        continue 'changed;
                    }
                    if self.is_exhausted()? {
                        return Ok(is_changed);
                    }
                    if self.patterns.n_added() != n_patterns {
                        values = Values::new(&self.graph, &cone, &self.patterns);
                        matters = values.observability(&self.graph, &cone, at, self.root);
                        self.spend(2 * cone.len());
                    }
                }
            }
            return Ok(is_changed);
        }
    }

    fn spend(&mut self, ticks: usize) {
        self.effort.ticks = self.effort.ticks.saturating_sub(ticks as u64);
    }

    /// The formulas that may replace a gate, simplest first.
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
        // Keeps the first of equal candidates, and so the order.
        let mut distinct = Vec::with_capacity(found.len());
        for edge in found {
            if !distinct.contains(&edge) {
                distinct.push(edge);
            }
        }
        distinct
    }

    /// The branches of `left and right`, if that is an if-then-else in the form that `Aig::ite` builds, or
    /// its negation.
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
                // The candidate lies below the gate, where all nodes keep their images.
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

    /// Whether the formula `root` was shown to satisfy both conditions within the limits of its SAT calls. A
    /// counterexample becomes a pattern.
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
