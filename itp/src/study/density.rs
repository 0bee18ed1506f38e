//! The density of a formula: the fraction of all assignments that satisfy it.

use craig_aig::{Aig, Edge, Node, Random};
use oxidd::bcdd::BCDDFunction;
use oxidd::util::num::F64;
use oxidd::util::{AllocResult, SatCountCache};
use oxidd::{BooleanFunction, Manager, ManagerRef};
use std::collections::HashMap;
use std::hash::RandomState;

use crate::extract::extract;

/// The limits of the computation of one density.
#[derive(Clone, Copy, Debug)]
pub struct DensityBudget {
    /// Nodes of all decision diagrams together, at some 16 bytes each. Beyond that, assignments are sampled.
    pub diagram_nodes: usize,
    /// How many words of 64 random assignments to sample.
    pub sample_words: usize,
    /// The seed of the random assignments.
    pub seed: u64,
}

impl Default for DensityBudget {
    fn default() -> Self {
        Self {
            diagram_nodes: 1 << 18,
            sample_words: 1 << 10,
            seed: 0,
        }
    }
}

/// The fraction of all assignments that satisfy a formula. It does not depend on which variables count, as
/// long as those of the formula do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Density {
    /// The fraction, from 0 to 1.
    pub value: f64,
    /// The standard error of a sampled value; `None` if the value is exact up to rounding.
    pub standard_error: Option<f64>,
}

/// Models are counted in floating point, whose range ends at 2^1024.
const MAX_DIAGRAM_VARS: usize = 1000;

/// The density of a formula: by a binary decision diagram if that stays within the budget, else by sampling.
#[must_use]
pub fn density(aig: &Aig, edge: Edge, budget: &DensityBudget) -> Density {
    if edge.is_constant() {
        return Density {
            value: f64::from(u8::from(edge == Edge::TRUE)),
            standard_error: None,
        };
    }
    match counted(aig, edge, budget.diagram_nodes) {
        Some(value) => Density {
            value,
            standard_error: None,
        },
        None => sampled(aig, edge, budget),
    }
}

/// The exact value; `None` if there are too many variables, or more than `capacity` nodes are needed.
fn counted(aig: &Aig, edge: Edge, capacity: usize) -> Option<f64> {
    let cone = aig.cone(&[edge]);
    let n_vars = aig.support(&[edge]).len();
    // The diagrams of all gates of the cone are held at the same time.
    if n_vars > MAX_DIAGRAM_VARS || cone.len() > capacity {
        return None;
    }
    let order = appearance(aig, edge);
    let manager = oxidd::bcdd::new_manager(capacity, capacity / 4 + 1, 1);
    manager.with_manager_exclusive(|manager| {
        manager.add_vars(n_vars as u32);
    });
    let build = || -> AllocResult<f64> {
        let mut functions: HashMap<u32, BCDDFunction> = HashMap::with_capacity(cone.len());
        let of = |functions: &HashMap<u32, BCDDFunction>, edge: Edge| {
            let function = &functions[&edge.node()];
            if edge.is_negated() {
                function.not()
            } else {
                Ok(function.clone())
            }
        };
        for &node in &cone {
            let function = match aig.node(node) {
                Node::Constant => unreachable!("a graph folds constant operands away"),
                Node::Input(_) => manager
                    .with_manager_shared(|manager| BCDDFunction::var(manager, order[&node]))?,
                Node::And(left, right) => of(&functions, left)?.and(&of(&functions, right)?)?,
            };
            functions.insert(node, function);
        }
        let mut cache = SatCountCache::<F64, RandomState>::default();
        let count = of(&functions, edge)?.sat_count(n_vars as u32, &mut cache).0;
        Ok(count / 2_f64.powi(n_vars as i32))
    };
    build().ok()
}

/// Numbers the inputs in the order of a depth-first traversal from the root, left operands first. Variables
/// that occur together get adjacent numbers, which keeps diagrams small.
fn appearance(aig: &Aig, edge: Edge) -> HashMap<u32, u32> {
    let mut order = HashMap::new();
    let mut seen = vec![false; edge.node() as usize + 1];
    let mut stack = vec![edge.node()];
    while let Some(node) = stack.pop() {
        if std::mem::replace(&mut seen[node as usize], true) {
            continue;
        }
        match aig.node(node) {
            Node::Constant => {}
            Node::Input(_) => {
                order.insert(node, order.len() as u32);
            }
            Node::And(left, right) => stack.extend([right.node(), left.node()]),
        }
    }
    order
}

fn sampled(aig: &Aig, edge: Edge, budget: &DensityBudget) -> Density {
    let (alone, roots, support) = extract(aig, &[edge]);
    let mut random = Random::new(budget.seed);
    let mut satisfied = 0_u64;
    let words = budget.sample_words.max(1);
    let mut inputs = vec![0; support.len()];
    for _ in 0..words {
        inputs.fill_with(|| random.word());
        let values = alone.simulate(&inputs);
        satisfied += u64::from(roots[0].word(&values).count_ones());
    }
    let n = 64.0 * words as f64;
    let value = satisfied as f64 / n;
    // Laplace's rule of succession: one more success and one more failure, so that the error of a rare event
    // is not 0.
    let smoothed = (satisfied as f64 + 1.0) / (n + 2.0);
    Density {
        value,
        standard_error: Some((smoothed * (1.0 - smoothed) / n).sqrt()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn majority(n: usize) -> (Aig, Edge) {
        let mut aig = Aig::new();
        // counts[k]: at least k of the inputs so far are true.
        let mut counts = vec![Edge::TRUE];
        for _ in 0..n {
            let input = aig.add_input();
            counts.push(Edge::FALSE);
            for k in (1..counts.len()).rev() {
                counts[k] = aig.ite(input, counts[k - 1], counts[k]);
            }
        }
        (aig, counts[n / 2 + 1])
    }

    #[test]
    fn diagrams_count_exactly() {
        let budget = DensityBudget::default();
        let exact = |value| Density {
            value,
            standard_error: None,
        };
        let (mut aig, half) = majority(15);
        assert_eq!(density(&aig, half, &budget), exact(0.5));
        assert_eq!(density(&aig, Edge::TRUE, &budget), exact(1.0));
        assert_eq!(density(&aig, Edge::FALSE, &budget), exact(0.0));
        let inputs: Vec<Edge> = aig
            .inputs()
            .iter()
            .map(|&node| Edge::new(node, false))
            .collect();
        let all = aig.and_all(inputs);
        assert_eq!(density(&aig, !all, &budget), exact(1.0 - 1.0 / 32768.0));
    }

    #[test]
    fn what_does_not_fit_is_sampled_with_its_error() {
        let (aig, half) = majority(15);
        let budget = DensityBudget {
            diagram_nodes: 10,
            ..DensityBudget::default()
        };
        let sampled = density(&aig, half, &budget);
        let error = sampled.standard_error.unwrap();
        assert!(error > 0.0 && (sampled.value - 0.5).abs() < 5.0 * error);
        assert_eq!(sampled, density(&aig, half, &budget));
    }

    #[test]
    fn running_out_of_nodes_midway_is_no_failure() {
        let (aig, half) = majority(25);
        let cone = aig.cone(&[half]).len();
        assert_eq!(counted(&aig, half, cone + 1), None);
        assert_eq!(counted(&aig, half, 1 << 18), Some(0.5));
    }
}
