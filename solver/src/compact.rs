//! Compaction of formulas, such as interpolants, before they are encoded into clauses many times.

use craig_aig::{Aig, Edge, Poll, resynthesize_until, rewrite_until};

use crate::sweep::{Budget, sweep};

/// Rounds of rewriting and sweeping, at most.
const MAX_ROUNDS: usize = 3;
/// The cost of rewriting by cuts for a gate, in the unit of [`Budget::ticks`].
const TICKS_PER_GATE: u64 = 50;
/// The cost for a gate of sweeping that finds nothing: it is simulated, copied and compared.
const TICKS_TO_SWEEP: u64 = 6;

/// The formulas `roots` of `aig` in a new graph with the same inputs in the same positions and, as a rule,
/// fewer nodes: constant and two-level rules, rewriting under siblings, and within `budget` SAT sweeping and
/// rewriting by cuts, repeated while the graph shrinks. The functions stay the same.
///
/// # Panics
/// If a root is no edge of `aig`.
#[must_use]
pub fn compact(aig: &Aig, roots: &[Edge], budget: Budget) -> (Aig, Vec<Edge>) {
    compact_until(aig, roots, budget, &mut || false)
}

/// As [`compact`], with the formulas reached when `stop` returns true: a copy of the graph at the worst. It is evaluated every
/// few milliseconds.
///
/// # Panics
/// If a root is no edge of `aig`.
#[must_use]
pub fn compact_until(
    aig: &Aig,
    roots: &[Edge],
    mut budget: Budget,
    stop: &mut dyn FnMut() -> bool,
) -> (Aig, Vec<Edge>) {
    let mut poll = Poll::new(stop);
    let Some((mut graph, mut edges)) = rewrite_until(aig, roots, &mut poll) else {
        return (aig.clone(), roots.to_vec());
    };
    let mut n_ands = graph.n_ands_in_cone(&edges);
    for _ in 0..MAX_ROUNDS {
        let is_affordable = budget.ticks / TICKS_TO_SWEEP >= n_ands as u64;
        if n_ands == 0 || !is_affordable || poll.ask() {
            break;
        }
        let Some((smaller, roots)) = round(&graph, &edges, &mut budget, &mut poll) else {
            break;
        };
        (graph, edges) = (smaller, roots);
        let n_before = std::mem::replace(&mut n_ands, graph.n_ands_in_cone(&edges));
        // A round that removes at most 2% of the gates is the last.
        if n_ands + n_before / 50 >= n_before {
            break;
        }
    }
    (graph, edges)
}

/// Sweeping and, within the budget, rewriting by cuts. `None` if `poll` ends it.
fn round(
    aig: &Aig,
    roots: &[Edge],
    budget: &mut Budget,
    poll: &mut Poll<'_>,
) -> Option<(Aig, Vec<Edge>)> {
    let (swept, roots) = sweep(aig, roots, budget, poll)?;
    let (graph, edges) = rewrite_until(&swept, &roots, poll)?;
    let cost = TICKS_PER_GATE * graph.n_nodes() as u64;
    if budget.ticks <= cost || poll.ask() {
        return Some((graph, edges));
    }
    budget.spend_ticks(cost);
    let (smaller, roots) = resynthesize_until(&graph, &edges, poll)?;
    rewrite_until(&smaller, &roots, poll)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random_graphs::{random_aig, truth_table};
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]
        #[test]
        fn compaction_keeps_the_functions((aig, roots) in random_aig(6, 60, 3)) {
            let n_ands = aig.n_ands_in_cone(&roots);
            for budget in [Budget::default(), Budget::NOTHING] {
                let (out, images) = compact(&aig, &roots, budget);
                prop_assert_eq!(out.n_inputs(), aig.n_inputs());
                prop_assert!(out.n_ands_in_cone(&images) <= n_ands);
                for (&root, &image) in roots.iter().zip(&images) {
                    prop_assert_eq!(truth_table(&aig, root), truth_table(&out, image));
                    let is_constant = matches!(truth_table(&aig, root), 0 | u64::MAX);
                    if budget != Budget::NOTHING {
                        prop_assert_eq!(image.is_constant(), is_constant);
                    }
                }
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]
        #[test]
        fn compaction_may_be_stopped_anywhere((aig, roots) in random_aig(6, 60, 3), polls in 0..40) {
            let mut left = polls;
            let (out, images) = compact_until(&aig, &roots, Budget::default(), &mut || {
                left -= 1;
                left < 0
            });
            for (&root, &image) in roots.iter().zip(&images) {
                prop_assert_eq!(truth_table(&aig, root), truth_table(&out, image));
            }
        }
    }

    /// A sum of two numbers, computed twice in different ways.
    #[test]
    fn equal_functions_meet() {
        let mut aig = Aig::new();
        let left: Vec<Edge> = (0..24).map(|_| aig.add_input()).collect();
        let right: Vec<Edge> = (0..24).map(|_| aig.add_input()).collect();
        let (mut ripple, mut other) = (Edge::FALSE, Edge::FALSE);
        for (&a, &b) in left.iter().zip(&right) {
            let both = aig.and(a, b);
            let either = aig.or(a, b);
            let passed = aig.and(either, ripple);
            ripple = aig.or(both, passed);
            let xor = aig.xor(a, b);
            other = aig.ite(xor, other, a);
        }
        let miter = aig.xor(ripple, other);
        assert!(!miter.is_constant());
        let (out, images) = compact(&aig, &[miter, ripple, !other], Budget::default());
        assert_eq!(images[0], Edge::FALSE);
        assert_eq!(images[1], !images[2]);
        assert!(out.n_ands_in_cone(&images) <= 4 * 24);
        let (again, same) = compact(&aig, &[miter, ripple, !other], Budget::default());
        assert_eq!(same, images, "compaction is deterministic");
        assert_eq!(again.n_nodes(), out.n_nodes());
    }

    #[test]
    fn graphs_without_inputs_or_roots_are_fine() {
        let aig = Aig::new();
        let (out, images) = compact(&aig, &[Edge::TRUE], Budget::default());
        assert_eq!((out.n_inputs(), &images[..]), (0, &[Edge::TRUE][..]));
        assert!(compact(&aig, &[], Budget::default()).1.is_empty());
    }
}
