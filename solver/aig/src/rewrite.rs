//! Smaller and shallower graphs by looking at conjunctions of many operands at once.
//!
//! A graph is cut into trees at the nodes with several users. In a tree, nested ANDs form one conjunction of
//! many operands, and a negated conjunction among the operands is simplified under the assumption that its
//! siblings are true: in `a and not (a and b and not (c and not a))`, the inner operands `a` are true.
//! Interpolants contain many such redundancies, since a long resolution proof resolves on the same literal
//! repeatedly on its paths to the root. This extends the local transformations of J. Darringer et al., "Logic
//! synthesis through local transformations" (1981), from two levels to whole trees. Conjunctions are rebuilt
//! as balanced trees, lowest operands first.
//!
//! An operand is assumed only in its final form, so that no two operands are removed because of each other.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::edge::{Edge, Node, NodeId};
use super::graph::Aig;
use crate::Poll;

/// The number of levels of positive ANDs below a true operand whose operands are assumed, too.
const KNOWN_DEPTH: u32 = 3;

/// The formulas `roots` of `aig` in a graph of their own with the same inputs: never with more ANDs,
/// often with fewer, and balanced. One pass; a second one may find more.
///
/// # Panics
/// If a root is no edge of `aig`.
#[must_use]
pub fn rewrite(aig: &Aig, roots: &[Edge]) -> (Aig, Vec<Edge>) {
    rewrite_until(aig, roots, &mut Poll::never()).expect("nothing stops it")
}

/// As [`rewrite`]; `None` if `poll` ends it.
///
/// # Panics
/// If a root is no edge of `aig`.
#[must_use]
pub fn rewrite_until(aig: &Aig, roots: &[Edge], poll: &mut Poll<'_>) -> Option<(Aig, Vec<Edge>)> {
    let mut out = Aig::new();
    for _ in 0..aig.n_inputs() {
        out.add_input();
    }
    let cone = aig.cone(roots);
    out.reserve(cone.len());
    let is_shared = shared_nodes(aig, roots, &cone);
    let n_nodes = is_shared.len();
    let mut rewriter = Rewriter {
        source: aig,
        is_shared,
        images: vec![Edge::FALSE; n_nodes],
        known: Vec::new(),
        trail: Vec::new(),
        levels: Vec::new(),
        kept: Vec::new(),
        children: Vec::new(),
        frames: Vec::new(),
        out,
    };
    for node in cone {
        poll.step()?;
        match aig.node(node) {
            Node::Constant => {}
            Node::Input(position) => {
                let input = rewriter.out.inputs()[position as usize];
                rewriter.images[node as usize] = Edge::new(input, false);
            }
            Node::And(..) if rewriter.is_shared[node as usize] => {
                rewriter.images[node as usize] = rewriter.tree(node, poll)?;
            }
            Node::And(..) => {}
        }
    }
    let images = roots.iter().map(|&root| rewriter.image(root)).collect();
    Some((rewriter.out, images))
}

/// Which nodes have several users in the cone, or are roots: those at which trees begin.
fn shared_nodes(aig: &Aig, roots: &[Edge], cone: &[NodeId]) -> Vec<bool> {
    let n_nodes = roots.iter().map(|root| root.node() as usize + 1).max();
    let mut used = vec![false; n_nodes.unwrap_or(0)];
    let mut shared = used.clone();
    for &node in cone {
        if let Node::And(left, right) = aig.node(node) {
            for operand in [left, right] {
                let operand = operand.node() as usize;
                shared[operand] |= used[operand];
                used[operand] = true;
            }
        }
    }
    for root in roots {
        shared[root.node() as usize] = true;
    }
    shared
}

/// A conjunction of many operands that is being rewritten.
struct Frame {
    /// Where its entries begin in `trail`, `kept` and `children`.
    trail: usize,
    kept: usize,
    children: usize,
    /// Whether an operand is false.
    is_false: bool,
}

struct Rewriter<'a> {
    source: &'a Aig,
    is_shared: Vec<bool>,
    /// By source node, for inputs and shared nodes.
    images: Vec<Edge>,
    /// By node of `out`: the edge to it that the enclosing conjunctions imply, if any.
    known: Vec<Option<Edge>>,
    /// The nodes with an entry in `known`, in the order in which the entries were made.
    trail: Vec<NodeId>,
    /// By node of `out`.
    levels: Vec<u32>,
    /// Operands in their final form, of all frames.
    kept: Vec<Edge>,
    /// Conjunctions whose negation is an operand yet to be rewritten, of all frames.
    children: Vec<NodeId>,
    frames: Vec<Frame>,
    out: Aig,
}

impl Rewriter<'_> {
    fn image(&self, edge: Edge) -> Edge {
        self.images[edge.node() as usize].negate_if(edge.is_negated())
    }

    /// Rewrites the tree below `root` without assumptions. `None` if `poll` ends it.
    fn tree(&mut self, root: NodeId, poll: &mut Poll<'_>) -> Option<Edge> {
        debug_assert!(self.frames.is_empty() && self.trail.is_empty());
        self.enter(root);
        loop {
            poll.step()?;
            let frame = self
                .frames
                .last_mut()
                .expect("a frame until the root's returns");
            if !frame.is_false
                && self.children.len() > frame.children
                && let Some(child) = self.children.pop()
            {
                self.enter(child);
                continue;
            }
            let result = self.leave();
            match self.frames.last() {
                None => return Some(result),
                Some(_) => self.assume(!result),
            }
        }
    }

    /// Opens a frame for the conjunction at `node` and adds its operands.
    fn enter(&mut self, node: NodeId) {
        self.frames.push(Frame {
            trail: self.trail.len(),
            kept: self.kept.len(),
            children: self.children.len(),
            is_false: false,
        });
        let Node::And(left, right) = self.source.node(node) else {
            unreachable!("only ANDs are entered");
        };
        let mut pending = vec![right, left];
        while let Some(edge) = pending.pop() {
            match self.source.node(edge.node()) {
                Node::And(left, right) if !self.is_shared[edge.node() as usize] => {
                    if edge.is_negated() {
                        self.children.push(edge.node());
                    } else {
                        pending.extend([right, left]);
                    }
                }
                _ => self.assume(self.image(edge)),
            }
        }
    }

    /// Adds an operand in its final form to the innermost conjunction.
    fn assume(&mut self, edge: Edge) {
        let frame = self.frames.last_mut().expect("an open conjunction");
        if edge == Edge::FALSE {
            frame.is_false = true;
        } else if edge != Edge::TRUE {
            self.known.resize(self.out.n_nodes(), None);
            match self.known[edge.node() as usize] {
                Some(known) if known == edge => {}
                Some(_) => frame.is_false = true,
                None => {
                    self.kept.push(edge);
                    self.learn(edge, KNOWN_DEPTH);
                }
            }
        }
    }

    /// Records that `edge` is true, and the operands that this makes true.
    fn learn(&mut self, edge: Edge, depth: u32) {
        match self.known[edge.node() as usize] {
            Some(known) if known == edge => return,
            Some(_) => {
                self.frames
                    .last_mut()
                    .expect("an open conjunction")
                    .is_false = true;
                return;
            }
            None => {}
        }
        self.known[edge.node() as usize] = Some(edge);
        self.trail.push(edge.node());
        if depth > 0
            && !edge.is_negated()
            && let Node::And(left, right) = self.out.node(edge.node())
        {
            self.learn(left, depth - 1);
            self.learn(right, depth - 1);
        }
    }

    /// Closes the innermost frame, removes its assumptions, and builds its conjunction.
    fn leave(&mut self) -> Edge {
        let frame = self.frames.pop().expect("an open conjunction");
        for node in self.trail.drain(frame.trail..) {
            self.known[node as usize] = None;
        }
        self.children.truncate(frame.children);
        if frame.is_false {
            self.kept.truncate(frame.kept);
            return Edge::FALSE;
        }
        let mut queue: BinaryHeap<Reverse<(u32, Edge)>> = BinaryHeap::new();
        for index in frame.kept..self.kept.len() {
            let edge = self.kept[index];
            queue.push(Reverse((self.level(edge), edge)));
        }
        self.kept.truncate(frame.kept);
        while let Some(Reverse((_, left))) = queue.pop() {
            let Some(Reverse((_, right))) = queue.pop() else {
                return left;
            };
            let both = self.out.and(left, right);
            let level = self.level(both);
            queue.push(Reverse((level, both)));
        }
        Edge::TRUE
    }

    /// The level of an edge of `out`, whose nodes' levels are brought up to date.
    fn level(&mut self, edge: Edge) -> u32 {
        self.out.extend_levels(&mut self.levels);
        self.levels[edge.node() as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{random_aig, truth_table};
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn rewriting_keeps_the_functions_and_never_adds_gates(
            (aig, roots) in random_aig(5, 40, 3),
        ) {
            let (out, images) = rewrite(&aig, &roots);
            prop_assert_eq!(out.n_inputs(), aig.n_inputs());
            prop_assert!(out.n_ands_in_cone(&images) <= aig.n_ands_in_cone(&roots));
            for (&root, &image) in roots.iter().zip(&images) {
                prop_assert_eq!(truth_table(&aig, root), truth_table(&out, image));
            }
        }
    }

    #[test]
    fn siblings_simplify_one_another_at_any_distance() {
        let mut aig = Aig::new();
        let [a, b, c, d] = [(); 4].map(|()| aig.add_input());
        // a and not (b and not (c and not (d and a))): the inner a is true.
        let mut edge = aig.and(d, a);
        edge = aig.and(c, !edge);
        edge = aig.and(b, !edge);
        edge = aig.and(a, !edge);
        let (out, images) = rewrite(&aig, &[edge]);
        assert_eq!(aig.n_ands_in_cone(&[edge]), 4);
        assert_eq!(out.n_ands_in_cone(&images), 3);
        assert_eq!(truth_table(&aig, edge), truth_table(&out, images[0]));
    }

    #[test]
    fn a_chain_becomes_a_tree() {
        let mut aig = Aig::new();
        let inputs: Vec<Edge> = (0..1024).map(|_| aig.add_input()).collect();
        let chain = inputs.iter().fold(Edge::TRUE, |all, &x| aig.and(all, x));
        let (out, images) = rewrite(&aig, &[!chain]);
        assert_eq!(aig.depth(&[chain]), 1023);
        assert_eq!(out.depth(&images), 10);
    }

    #[test]
    fn deep_trees_need_no_stack() {
        let mut aig = Aig::new();
        let mut edge = aig.add_input();
        for _ in 0..200_000 {
            let input = aig.add_input();
            edge = !aig.and(edge, input);
        }
        let (out, images) = rewrite(&aig, &[edge]);
        assert_eq!(out.n_ands_in_cone(&images), 200_000);
    }
}
