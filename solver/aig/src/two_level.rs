//! Rules that simplify a conjunction by the operands of its operands.
//!
//! R. Brummayer and A. Biere, "Local two-level and-inverter graph minimization without blowup", MEMICS 2006:
//! contradiction, subsumption, idempotence, resolution and substitution. None of the rules needs more than
//! the one node that the plain conjunction would need, and each makes the formula smaller as a tree, so
//! applying them until none matches ends.

use super::edge::Edge;

/// The result of the rules for a conjunction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Conjunction {
    /// It is this formula.
    Is(Edge),
    /// It is the conjunction of these two formulas, of which the first has the smaller code.
    Of(Edge, Edge),
}

/// The conjunction of `left` and `right`, given the operands of edges to ANDs; no rule applies to the
/// operands of [`Conjunction::Of`].
#[inline]
pub(super) fn conjunction(
    operands: impl Fn(Edge) -> Option<[Edge; 2]>,
    mut left: Edge,
    mut right: Edge,
) -> Conjunction {
    loop {
        // Ordered by code, so that the result does not depend on the order of the operands.
        if right < left {
            (left, right) = (right, left);
        }
        if left == Edge::FALSE || left == !right {
            return Conjunction::Is(Edge::FALSE);
        }
        if left == Edge::TRUE || left == right {
            return Conjunction::Is(right);
        }
        match two_level(&operands, left, right) {
            None => return Conjunction::Of(left, right),
            Some(Conjunction::Of(new_left, new_right)) => (left, right) = (new_left, new_right),
            Some(found) => return found,
        }
    }
}

/// The first two-level rule that applies, if any.
#[inline]
fn two_level(
    operands: impl Fn(Edge) -> Option<[Edge; 2]>,
    left: Edge,
    right: Edge,
) -> Option<Conjunction> {
    let (in_left, in_right) = (operands(left), operands(right));
    match (in_left, in_right) {
        (None, None) => None,
        (Some(in_left), None) => one_sided(left, in_left, right),
        (None, Some(in_right)) => one_sided(right, in_right, left),
        (Some(in_left), Some(in_right)) => one_sided(left, in_left, right)
            .or_else(|| one_sided(right, in_right, left))
            .or_else(|| two_sided(left, in_left, right, in_right)),
    }
}

/// The asymmetric rules, for `gate and other` where `gate` is an AND of `[a, b]` or its negation.
#[inline]
fn one_sided(gate: Edge, [a, b]: [Edge; 2], other: Edge) -> Option<Conjunction> {
    if gate.is_negated() {
        if a == !other || b == !other {
            return Some(Conjunction::Is(other)); // subsumption
        }
        if a == other {
            return Some(Conjunction::Of(!b, other)); // substitution
        }
        if b == other {
            return Some(Conjunction::Of(!a, other));
        }
    } else {
        if a == !other || b == !other {
            return Some(Conjunction::Is(Edge::FALSE)); // contradiction
        }
        if a == other || b == other {
            return Some(Conjunction::Is(gate)); // idempotence
        }
    }
    None
}

/// The symmetric rules, for two ANDs or their negations.
#[inline]
fn two_sided(left: Edge, [a, b]: [Edge; 2], right: Edge, [c, d]: [Edge; 2]) -> Option<Conjunction> {
    match (left.is_negated(), right.is_negated()) {
        (false, false) => {
            if a == !c || a == !d || b == !c || b == !d {
                return Some(Conjunction::Is(Edge::FALSE)); // contradiction
            }
            // Idempotence: the shared operand is needed once.
            if a == c || b == c {
                return Some(Conjunction::Of(left, d));
            }
            if a == d || b == d {
                return Some(Conjunction::Of(left, c));
            }
        }
        (true, false) => return negative_and_positive([a, b], right, [c, d]),
        (false, true) => return negative_and_positive([c, d], left, [a, b]),
        (true, true) => {
            // Resolution: two implications from opposite sides.
            if (a == c && b == !d) || (a == d && b == !c) {
                return Some(Conjunction::Is(!a));
            }
            if (b == c && a == !d) || (b == d && a == !c) {
                return Some(Conjunction::Is(!b));
            }
        }
    }
    None
}

/// `not (a and b) and positive`, where `positive` is the AND of `c` and `d`.
#[inline]
fn negative_and_positive(
    [a, b]: [Edge; 2],
    positive: Edge,
    [c, d]: [Edge; 2],
) -> Option<Conjunction> {
    if a == !c || a == !d || b == !c || b == !d {
        return Some(Conjunction::Is(positive)); // subsumption
    }
    if a == c || a == d {
        return Some(Conjunction::Of(!b, positive)); // substitution
    }
    if b == c || b == d {
        return Some(Conjunction::Of(!a, positive));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{random_aig, truth_table};
    use crate::{Aig, Node};
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]
        #[test]
        fn a_conjunction_means_what_it_says_and_adds_one_node(
            (mut aig, operands) in random_aig(4, 12, 2),
        ) {
            let n_nodes = aig.n_nodes();
            let both = aig.and(operands[0], operands[1]);
            prop_assert!(aig.n_nodes() <= n_nodes + 1);
            prop_assert_eq!(
                truth_table(&aig, both),
                truth_table(&aig, operands[0]) & truth_table(&aig, operands[1])
            );
            prop_assert_eq!(both, aig.and(operands[1], operands[0]));
        }
    }

    #[test]
    fn each_rule_applies() {
        let mut aig = Aig::new();
        let [a, b, c, d] = [(); 4].map(|()| aig.add_input());
        let ab = aig.and(a, b);
        let n_nodes = aig.n_nodes();
        let not_a_b = aig.and(!a, b);
        let a_not_b = aig.and(a, !b);
        let cd = aig.and(c, d);
        let ac = aig.and(a, c);
        let n_added = aig.n_nodes() - n_nodes;
        assert_eq!(n_added, 4);
        // Asymmetric: contradiction, idempotence, subsumption, substitution.
        assert_eq!(aig.and(ab, !a), Edge::FALSE);
        assert_eq!(aig.and(b, ab), ab);
        assert_eq!(aig.and(!ab, !b), !b);
        assert_eq!(aig.and(!ab, b), not_a_b);
        assert_eq!(aig.and(a, !ab), a_not_b);
        // Symmetric: contradiction, subsumption, resolution.
        assert_eq!(aig.and(ab, a_not_b), Edge::FALSE);
        assert_eq!(aig.and(!ab, a_not_b), a_not_b);
        assert_eq!(aig.and(!ab, !a_not_b), !a);
        assert_eq!(aig.and(!not_a_b, !ab), !b);
        assert_eq!(
            aig.n_nodes(),
            n_nodes + n_added,
            "no rule so far needs a node"
        );
        // Symmetric substitution and idempotence.
        let substituted = aig.and(!ab, ac);
        assert_eq!(aig.node(substituted.node()), Node::And(!b, ac));
        let merged = aig.and(ab, ac);
        assert_eq!(aig.node(merged.node()), Node::And(c, ab));
        let apart = aig.and(ab, cd);
        assert_eq!(aig.node(apart.node()), Node::And(ab, cd));
    }
}
