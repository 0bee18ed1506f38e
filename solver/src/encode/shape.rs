//! The shape of a gate, seen through operands that nothing else uses.

use craig_aig::{Aig, Edge, Node, NodeId};

use super::{BOTH, ClauseSink, Encoder, IMPLIED, IMPLIES, NO_LIT};
use crate::lit::Lit;

/// The function of a gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// The conjunction of the operands.
    Conjunction,
    /// The second operand where the first one holds, the third one elsewhere.
    Choice,
}

impl Shape {
    /// The directions in which the operand at a place has to be defined, if its gate is defined in the directions `wanted`.
    pub(super) fn wanted_of(self, place: usize, operand: Edge, wanted: u8) -> u8 {
        match self {
            Self::Choice if place == 0 => BOTH,
            _ if operand.is_negated() => (wanted & IMPLIES) << 1 | (wanted & IMPLIED) >> 1,
            _ => wanted,
        }
    }
}

impl Encoder {
    /// Finds the shape of the conjunction of two edges, and puts its operands into `self.operands`. The result is the same
    /// before and after these are encoded: nothing else uses the nodes inside of the shape, so that they get no literal meanwhile.
    pub(super) fn find_shape(&mut self, aig: &Aig, edges: [Edge; 2]) -> Shape {
        let mut operands = std::mem::take(&mut self.operands);
        operands.clear();
        let shape = if let Some(choice) = self.choice(aig, edges) {
            operands.extend(choice);
            Shape::Choice
        } else {
            operands.extend(edges);
            self.flatten(aig, &mut operands);
            Shape::Conjunction
        };
        self.operands = operands;
        shape
    }

    /// Condition and alternatives if the conjunction of two edges chooses between two formulas: `!(s & a) & !(!s & b)` is `!a`
    /// where `s` holds, and `!b` elsewhere.
    fn choice(&self, aig: &Aig, [left, right]: [Edge; 2]) -> Option<[Edge; 3]> {
        let is_inside = |edge: Edge| edge.is_negated() && self.is_private(aig, edge.node());
        if !is_inside(left) || !is_inside(right) {
            return None;
        }
        let (Node::And(a, b), Node::And(c, d)) = (aig.node(left.node()), aig.node(right.node()))
        else {
            return None;
        };
        let ways = [(a, b, c, d), (a, b, d, c), (b, a, c, d), (b, a, d, c)];
        let way = ways.into_iter().find(|&(s, _, not_s, _)| s == !not_s);
        way.map(|(condition, then, _, otherwise)| [condition, !then, !otherwise])
    }

    /// Replaces conjunctions that nothing else uses by their operands.
    fn flatten(&self, aig: &Aig, operands: &mut Vec<Edge>) {
        let mut place = 0;
        while let Some(&edge) = operands.get(place) {
            match aig.node(edge.node()) {
                Node::And(left, right)
                    if !edge.is_negated() && self.is_private(aig, edge.node()) =>
                {
                    operands[place] = left;
                    operands.push(right);
                }
                _ => place += 1,
            }
        }
        operands.sort_unstable();
        operands.dedup();
    }

    /// Whether a node may be a part of the one gate that uses it. A node with a literal keeps it: the caller may have cut the
    /// formula there ([`Encoder::set`]).
    fn is_private(&self, aig: &Aig, node: NodeId) -> bool {
        !self.is_by_node && !aig.is_shared(node) && self.entry(node).lit == NO_LIT
    }

    /// Defines a node in the directions `wanted` by `self.operands`, which are encoded.
    pub(super) fn add_gate<S: ClauseSink + ?Sized>(
        &mut self,
        node: NodeId,
        shape: Shape,
        wanted: u8,
        sink: &mut S,
    ) {
        let entry = self.entry_mut(node);
        if entry.lit == NO_LIT {
            entry.lit = sink.new_var().positive().code();
        }
        entry.defined |= wanted;
        let lit = Lit::from_code(entry.lit);
        match shape {
            Shape::Conjunction => self.add_conjunction(lit, wanted, sink),
            Shape::Choice => self.add_choice(lit, wanted, sink),
        }
    }

    fn add_conjunction<S: ClauseSink + ?Sized>(&mut self, lit: Lit, wanted: u8, sink: &mut S) {
        let mut clause = std::mem::take(&mut self.clause);
        clause.clear();
        clause.push(lit);
        clause.extend(self.operands.iter().map(|&operand| !self.known(operand)));
        if wanted & IMPLIES != 0 {
            for &negated in &clause[1..] {
                sink.add_clause(&[!lit, !negated]);
            }
        }
        if wanted & IMPLIED != 0 {
            sink.add_clause(&clause);
        }
        self.clause = clause;
    }

    fn add_choice<S: ClauseSink + ?Sized>(&self, lit: Lit, wanted: u8, sink: &mut S) {
        let [condition, then, otherwise] = [0, 1, 2].map(|place| self.known(self.operands[place]));
        if wanted & IMPLIES != 0 {
            sink.add_clause(&[!lit, !condition, then]);
            sink.add_clause(&[!lit, condition, otherwise]);
        }
        if wanted & IMPLIED != 0 {
            sink.add_clause(&[lit, !condition, !then]);
            sink.add_clause(&[lit, condition, !otherwise]);
        }
    }
}
