//! How far a state is from the bad: the least number of latches that would have to have another value for the
//! bad to hold under some inputs, counted gate by gate.
//!
//! The distance of a conjunction is the sum of those of its operands, the distance of a disjunction the least of
//! them (Tracey, Clark, Mander, McDermid, "An automated framework for structural test-data generation", ASE
//! 1998, on branches of programs). Gates that share latches make it an estimate, and inputs cost nothing.

use craig_aig::{Aig, Edge, Node};

use super::store::Bits;

/// The largest cone that is evaluated for each stored state, in gates.
const LARGEST: usize = 20_000;

/// A gate or latch in the cone of the bad.
#[derive(Clone, Copy, Debug)]
enum Part {
    /// The latch at this position.
    Latch(usize),
    Free,
    /// Of the parts at these places, negated or not.
    And((usize, bool), (usize, bool)),
}

/// The cone of the bad within one step.
pub(super) struct Distance {
    /// In topological order; empty if the cone is too large.
    parts: Vec<Part>,
    is_negated: bool,
}

impl Distance {
    /// The distance to `bad`, a formula over the latches `state` and inputs of `aig`.
    pub(super) fn new(aig: &Aig, state: &[Edge], bad: Edge) -> Self {
        let cone = aig.cone(&[bad]);
        if cone.len() > LARGEST || bad.is_constant() {
            return Self {
                parts: Vec::new(),
                is_negated: false,
            };
        }
        let mut place = std::collections::HashMap::new();
        let positions: std::collections::HashMap<_, _> = (state.iter().enumerate())
            .map(|(position, edge)| (edge.node(), position))
            .collect();
        let mut parts = Vec::with_capacity(cone.len());
        for node in cone {
            let part = match aig.node(node) {
                Node::And(left, right) => {
                    let at = |edge: Edge| (place[&edge.node()], edge.is_negated());
                    Part::And(at(left), at(right))
                }
                Node::Input(_) => match positions.get(&node) {
                    Some(&position) => Part::Latch(position),
                    None => Part::Free,
                },
                Node::Constant => Part::Free,
            };
            place.insert(node, parts.len());
            parts.push(part);
        }
        Self {
            parts,
            is_negated: bad.is_negated(),
        }
    }

    /// The distance of a state; 0 if some inputs may lead to the bad.
    pub(super) fn of(&self, latches: &Bits) -> u32 {
        // For each part: the costs of false and of true.
        let mut costs: Vec<[u32; 2]> = Vec::with_capacity(self.parts.len());
        for &part in &self.parts {
            costs.push(match part {
                Part::Latch(position) => {
                    let value = latches.get(position);
                    [u32::from(value), u32::from(!value)]
                }
                Part::Free => [0, 0],
                Part::And((left, left_negated), (right, right_negated)) => {
                    let left = |value: bool| costs[left][usize::from(value != left_negated)];
                    let right = |value: bool| costs[right][usize::from(value != right_negated)];
                    [
                        left(false).min(right(false)),
                        left(true).saturating_add(right(true)),
                    ]
                }
            });
        }
        costs
            .last()
            .map_or(0, |costs| costs[usize::from(!self.is_negated)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conjunctions_add_up_and_inputs_are_free() {
        let mut aig = Aig::new();
        let state: Vec<Edge> = (0..3).map(|_| aig.add_input()).collect();
        let input = aig.add_input();
        let both = aig.and(state[0], !state[1]);
        let either = aig.or(both, state[2]);
        let bad = aig.and(either, input);
        let distance = Distance::new(&aig, &state, bad);
        for (values, expected) in [
            ([false, true, false], 1),
            ([false, false, false], 1),
            ([false, true, true], 0),
            ([true, false, false], 0),
        ] {
            assert_eq!(distance.of(&Bits::new(values)), expected, "{values:?}");
        }
        let bad = aig.and(both, state[2]);
        let distance = Distance::new(&aig, &state, bad);
        assert_eq!(distance.of(&Bits::new([false, true, false])), 3);
        // Not bad: one latch suffices.
        let distance = Distance::new(&aig, &state, !bad);
        assert_eq!(distance.of(&Bits::new([true, false, true])), 1);
        assert_eq!(distance.of(&Bits::new([true, false, false])), 0);
    }

    /// If the distance is 0 without shared latches, there are inputs under which the bad holds; if it is not,
    /// there are none.
    #[test]
    fn a_distance_of_no_latch_is_a_state_with_the_bad() {
        let mut random = craig_aig::Random::new(7);
        for _ in 0..300 {
            let mut aig = Aig::new();
            let state: Vec<Edge> = (0..4).map(|_| aig.add_input()).collect();
            let inputs: Vec<Edge> = (0..2).map(|_| aig.add_input()).collect();
            let mut edges: Vec<Edge> = state.iter().chain(&inputs).copied().collect();
            for _ in 0..8 {
                let left = edges[random.below(edges.len())].negate_if(random.below(2) == 0);
                let right = edges[random.below(edges.len())].negate_if(random.below(2) == 0);
                edges.push(aig.and(left, right));
            }
            let bad = edges[edges.len() - 1];
            let distance = Distance::new(&aig, &state, bad);
            for values in 0..16_u32 {
                let bits: Vec<bool> = (0..4).map(|bit| values >> bit & 1 == 1).collect();
                let is_bad = (0..4_u32).any(|free| {
                    let mut all = bits.clone();
                    all.extend((0..2).map(|bit| free >> bit & 1 == 1));
                    aig.evaluate(&all, &[bad])[0]
                });
                // Costs are a lower bound: a state with the bad costs nothing.
                assert!(!is_bad || distance.of(&Bits::new(bits)) == 0);
            }
        }
    }
}
