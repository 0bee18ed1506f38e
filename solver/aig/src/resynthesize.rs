//! Cut-based rewriting: small parts of a graph are replaced by smaller ones.
//!
//! For each node and each of its cuts, the gates used only by this node are compared with a circuit
//! synthesised for the function of the cut; gates of that circuit that the graph already has cost nothing (A.
//! Mishchenko, S. Chatterjee and R. Brayton, "DAG-aware AIG rewriting: a fresh look at combinational logic
//! synthesis", 2006). The best replacement is made if it saves a gate. Replacements are chosen on the
//! unchanged graph such that none removes a gate that another one reuses, and are then made in one pass.

use super::cone::extract;
use super::cuts::{Cut, Cuts};
use super::edge::{Edge, Node, NodeId};
use super::graph::Aig;
use super::synthesis::{FIRST_GATE, Program, Synthesis};
use crate::Poll;

/// The steps of a [`Poll`] for which the cuts of a node and their circuits count.
const STEPS_PER_NODE: usize = 32;

/// The formulas `roots` of `aig` in a graph of their own with the same inputs: never with more ANDs. One
/// pass; a second one may find more.
///
/// # Panics
/// If a root is no edge of `aig`.
#[must_use]
pub fn resynthesize(aig: &Aig, roots: &[Edge]) -> (Aig, Vec<Edge>) {
    resynthesize_until(aig, roots, &mut Poll::never()).expect("nothing stops it")
}

/// As [`resynthesize`]; `None` if `poll` ends it.
///
/// # Panics
/// If a root is no edge of `aig`.
#[must_use]
pub fn resynthesize_until(
    aig: &Aig,
    roots: &[Edge],
    poll: &mut Poll<'_>,
) -> Option<(Aig, Vec<Edge>)> {
    let cone = aig.cone(roots);
    let mut exchange = Exchange::new(aig, roots, &cone, poll)?;
    exchange.choose(&cone, poll)?;
    let (out, images) = exchange.carry_out(&cone, roots, poll)?;
    let (out, images) = extract(&out, &images, poll)?;
    // The two-level rules may apply in the old structure and not in the new one.
    if out.n_ands_in_cone(&images) < aig.n_ands_in_cone(roots) {
        Some((out, images))
    } else {
        extract(aig, roots, poll)
    }
}

/// A circuit that replaces a node.
struct Replacement {
    leaves: Vec<NodeId>,
    program: Program,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Unchanged.
    Kept,
    /// Replaced by the circuit with this index among the replacements.
    Replaced(u32),
    /// No longer used.
    Removed,
}

/// The cost of a circuit.
struct Trial {
    n_new: usize,
    /// Gates of the graph that it reuses.
    reused: Vec<NodeId>,
}

struct Exchange<'a> {
    aig: &'a Aig,
    cuts: Cuts,
    /// By node of the cone: the number of gates, roots and circuits that use it.
    n_uses: Vec<u32>,
    states: Vec<State>,
    replacements: Vec<Replacement>,
    synthesis: Synthesis,
}

impl<'a> Exchange<'a> {
    fn new(aig: &'a Aig, roots: &[Edge], cone: &[NodeId], poll: &mut Poll<'_>) -> Option<Self> {
        let n_nodes = cone.last().map_or(1, |&node| node as usize + 1);
        let mut n_uses = vec![0; n_nodes];
        for &node in cone {
            if let Node::And(left, right) = aig.node(node) {
                n_uses[left.node() as usize] += 1;
                n_uses[right.node() as usize] += 1;
            }
        }
        for root in roots {
            n_uses[root.node() as usize] += 1;
        }
        Some(Self {
            aig,
            cuts: Cuts::of(aig, cone, poll)?,
            n_uses,
            states: vec![State::Kept; n_nodes],
            replacements: Vec::new(),
            synthesis: Synthesis::default(),
        })
    }

    /// Chooses the replacements. `None` if `poll` ends it.
    fn choose(&mut self, cone: &[NodeId], poll: &mut Poll<'_>) -> Option<()> {
        for &node in cone {
            poll.steps(STEPS_PER_NODE)?;
            if self.states[node as usize] != State::Kept {
                continue;
            }
            let mut best: Option<(usize, Cut, Program)> = None;
            for index in 0..self.cuts.of_node(node).len() {
                let cut = self.cuts.of_node(node)[index];
                let Some(private) = self.detach(node, &cut) else {
                    continue;
                };
                // The new circuit has at least one gate, unless the function is a leaf or a constant.
                if private.len() > best.as_ref().map_or(0, |best| best.0) {
                    let program = self.synthesis.program(cut.table);
                    let n_new = self.trial(node, &cut, &program).n_new;
                    let gain = private.len().saturating_sub(n_new);
                    if gain > best.as_ref().map_or(0, |best| best.0) {
                        best = Some((gain, cut, program));
                    }
                }
                self.attach(&private);
            }
            if let Some((_, cut, program)) = best {
                self.replace(node, &cut, program);
            }
        }
        Some(())
    }

    /// Removes the uses of the gates that only `node` needs, down to the leaves of the cut; returns those
    /// gates, `node` first. `None`, with all uses restored, if the cut can no longer be used.
    fn detach(&mut self, node: NodeId, cut: &Cut) -> Option<Vec<NodeId>> {
        let is_gone = |leaf: &NodeId| self.states[*leaf as usize] == State::Removed;
        if cut.leaves().iter().any(is_gone) {
            return None;
        }
        let mut private = vec![node];
        let mut at = 0;
        let mut is_usable = true;
        while let Some(&gate) = private.get(at) {
            at += 1;
            // An input above the leaves has no operands whose uses could be removed.
            let Node::And(left, right) = self.aig.node(gate) else {
                unreachable!("every path from the inputs meets a leaf");
            };
            for operand in [left.node(), right.node()] {
                let n_uses = &mut self.n_uses[operand as usize];
                *n_uses -= 1;
                if *n_uses == 0 && !cut.leaves().contains(&operand) {
                    // A replaced node no longer uses its operands in the graph.
                    if self.states[operand as usize] == State::Kept {
                        private.push(operand);
                    } else {
                        is_usable = false;
                    }
                }
            }
        }
        if is_usable {
            Some(private)
        } else {
            self.attach(&private);
            None
        }
    }

    /// Restores the uses that [`Self::detach`] removed.
    fn attach(&mut self, private: &[NodeId]) {
        for &gate in private {
            if let Node::And(left, right) = self.aig.node(gate) {
                self.n_uses[left.node() as usize] += 1;
                self.n_uses[right.node() as usize] += 1;
            }
        }
    }

    /// The cost of a circuit for `node` while the gates that it replaces are detached.
    fn trial(&self, node: NodeId, cut: &Cut, program: &Program) -> Trial {
        let mut trial = Trial {
            n_new: 0,
            reused: Vec::new(),
        };
        // By code: the edge of the graph with that function, if there is one.
        let mut images: Vec<Option<Edge>> = vec![Some(Edge::FALSE)];
        images.extend(
            cut.leaves()
                .iter()
                .map(|&leaf| Some(Edge::new(leaf, false))),
        );
        images.resize(usize::from(FIRST_GATE / 2), None);
        for operands in &program.gates {
            let [left, right] = operands.map(|code| {
                images[usize::from(code / 2)].map(|edge| edge.negate_if(code & 1 == 1))
            });
            let both = left
                .zip(right)
                .and_then(|(left, right)| self.aig.find_and(left, right));
            let usable = both.filter(|edge| edge.node() != node && self.is_there(edge.node()));
            match usable {
                Some(edge) => trial.reused.push(edge.node()),
                None => trial.n_new += 1,
            }
            images.push(usable);
        }
        trial
    }

    /// Whether the graph keeps a node even if the detached gates are removed.
    fn is_there(&self, node: NodeId) -> bool {
        // A replaced node stays in the graph, but perhaps not as the AND that was found.
        node == 0
            || self
                .n_uses
                .get(node as usize)
                .is_some_and(|&n_uses| n_uses > 0)
                && self.states[node as usize] == State::Kept
    }

    fn replace(&mut self, node: NodeId, cut: &Cut, program: Program) {
        let private = self.detach(node, cut).expect("it was detached before");
        let reused = self.trial(node, cut, &program).reused;
        for &gate in &private[1..] {
            self.states[gate as usize] = State::Removed;
        }
        // Marks the nodes that the circuit uses; these uses are never removed.
        for &used in cut.leaves().iter().chain(&reused) {
            self.n_uses[used as usize] += 1;
        }
        self.states[node as usize] = State::Replaced(self.replacements.len() as u32);
        self.replacements.push(Replacement {
            leaves: cut.leaves().to_vec(),
            program,
        });
    }

    /// The graph with all replacements made. It is correct even if a use count is wrong, since a node that is
    /// still used is copied whatever its state. `None` if `poll` ends it.
    fn carry_out(
        &self,
        cone: &[NodeId],
        roots: &[Edge],
        poll: &mut Poll<'_>,
    ) -> Option<(Aig, Vec<Edge>)> {
        let mut out = Aig::new();
        let inputs: Vec<Edge> = (0..self.aig.n_inputs()).map(|_| out.add_input()).collect();
        let mut images = vec![Edge::FALSE; self.states.len()];
        for &node in cone {
            poll.step()?;
            images[node as usize] = match (self.aig.node(node), self.states[node as usize]) {
                (Node::Constant, _) => Edge::FALSE,
                (Node::Input(position), _) => inputs[position as usize],
                (Node::And(..), State::Replaced(index)) => {
                    let Replacement { leaves, program } = &self.replacements[index as usize];
                    let mut codes: Vec<Edge> = vec![Edge::FALSE];
                    codes.extend(leaves.iter().map(|&leaf| images[leaf as usize]));
                    codes.resize(usize::from(FIRST_GATE / 2), Edge::FALSE);
                    let edge = |codes: &[Edge], code: u8| {
                        codes[usize::from(code / 2)].negate_if(code & 1 == 1)
                    };
                    for &[left, right] in &program.gates {
                        let both = out.and(edge(&codes, left), edge(&codes, right));
                        codes.push(both);
                    }
                    edge(&codes, program.root)
                }
                (Node::And(left, right), _) => out.and(left.image(&images), right.image(&images)),
            };
        }
        let images = roots.iter().map(|&root| root.image(&images)).collect();
        Some((out, images))
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
        fn resynthesis_keeps_the_functions_and_never_adds_gates(
            (aig, roots) in random_aig(5, 60, 3),
        ) {
            let (out, images) = resynthesize(&aig, &roots);
            prop_assert_eq!(out.n_inputs(), aig.n_inputs());
            prop_assert!(out.n_ands_in_cone(&images) <= aig.n_ands_in_cone(&roots));
            for (&root, &image) in roots.iter().zip(&images) {
                prop_assert_eq!(truth_table(&aig, root), truth_table(&out, image));
            }
        }
    }

    #[test]
    fn what_only_a_cut_shows_is_found() {
        let mut aig = Aig::new();
        let [a, b, c] = [(); 3].map(|()| aig.add_input());
        // (a and b) or (a and c): distributivity saves a gate.
        let ab = aig.and(a, b);
        let ac = aig.and(a, c);
        let either = aig.or(ab, ac);
        assert_eq!(aig.n_ands_in_cone(&[either]), 3);
        let (out, images) = resynthesize(&aig, &[either]);
        assert_eq!(out.n_ands_in_cone(&images), 2);
        // No gain if the gates are needed elsewhere.
        let roots = [either, ab, ac];
        let (out, images) = resynthesize(&aig, &roots);
        assert_eq!(out.n_ands_in_cone(&images), 3);
    }

    #[test]
    fn gates_that_are_there_cost_nothing() {
        let mut aig = Aig::new();
        let [a, b, c] = [(); 3].map(|()| aig.add_input());
        let or = aig.or(b, c);
        let good = aig.and(a, or);
        let ab = aig.and(a, b);
        let ac = aig.and(a, c);
        let bad = aig.or(ab, ac);
        let (out, images) = resynthesize(&aig, &[good, !bad]);
        assert_eq!(images[0], !images[1]);
        assert_eq!(out.n_ands_in_cone(&images), 2);
    }
}
