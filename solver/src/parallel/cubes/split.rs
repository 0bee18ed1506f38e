//! The first cubes of a formula.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::atomic::{AtomicBool, Ordering};

use super::board::Waiting;
use super::lookahead::{Choice, Lookahead};
use super::tree::{NodeId, ROOT, Tree};
use crate::cnf::Cnf;
use crate::lit::Lit;
use crate::parallel::sink::SharedSink;
use crate::proof::NoProof;

/// Splits a formula under assumptions into about `n_cubes` cubes, without deciding any: each assignment that satisfies the assumptions
/// satisfies just one of the cubes. Each begins with the assumptions. There are fewer if no variable is left to split
/// on, and nothing is returned if `interrupt` is set.
#[must_use]
pub fn split(
    cnf: &Cnf,
    assumptions: &[Lit],
    n_cubes: usize,
    interrupt: &AtomicBool,
) -> Option<Vec<Vec<Lit>>> {
    let assumed = assumptions.iter().map(|lit| lit.var().index() + 1).max();
    let n_vars = cnf.n_vars().max(assumed.unwrap_or(0));
    let clauses: Vec<Vec<Lit>> = (cnf.iter())
        .filter_map(|(clause, _)| normal(clause))
        .collect();
    let mut lookahead = Lookahead::new(n_vars, clauses.iter().map(Vec::as_slice));
    let mut tree = Tree::<NoProof>::new(cnf);
    let is_asked = || interrupt.load(Ordering::Relaxed);
    let open = first_cubes(&mut tree, &mut lookahead, assumptions, n_cubes, is_asked)?;
    let cube = |waiting: &Waiting| [assumptions, &tree.cube(waiting.node)].concat();
    Some(open.iter().rev().map(cube).collect())
}

/// The clause without repeated literals; nothing if it has a literal and its negation.
fn normal(clause: &[Lit]) -> Option<Vec<Lit>> {
    let mut clause = clause.to_vec();
    clause.sort_unstable();
    clause.dedup();
    let is_tautology = clause.windows(2).any(|pair| pair[0] == !pair[1]);
    (!is_tautology).then_some(clause)
}

/// Splits the cube with the most free variables, again and again. Returns the leaves in reverse order of the walk through
/// the tree; nothing if it was stopped.
pub(super) fn first_cubes<P: SharedSink>(
    tree: &mut Tree<P>,
    lookahead: &mut Lookahead,
    prefix: &[Lit],
    n_cubes: usize,
    is_asked: impl Fn() -> bool,
) -> Option<Vec<Waiting>> {
    // By free variables; of equals, the oldest first.
    let mut candidates = BinaryHeap::from([(usize::MAX, Reverse(ROOT))]);
    let mut n_leaves = 1;
    while n_leaves < n_cubes
        && let Some((_, Reverse(node))) = candidates.pop()
    {
        let cube = [prefix, &tree.cube(node)].concat();
        match lookahead.choose(&cube, &is_asked) {
            Choice::Split { first, free } => {
                n_leaves += 1;
                let children = tree.split(node, first);
                candidates.extend(free.into_iter().zip(children.map(Reverse)));
            }
            Choice::Stopped => return None,
            // A search will refute it, or find its model.
            Choice::Refuted | Choice::Open => {}
        }
    }
    Some(leaves(tree))
}

/// The leaves in reverse order of a walk.
fn leaves<P: SharedSink>(tree: &Tree<P>) -> Vec<Waiting> {
    let mut leaves = Vec::new();
    let mut open: Vec<NodeId> = vec![ROOT];
    while let Some(node) = open.pop() {
        match tree.children(node) {
            Some(children) => open.extend(children),
            None => leaves.push(Waiting {
                node,
                is_final: false,
            }),
        }
    }
    leaves
}
