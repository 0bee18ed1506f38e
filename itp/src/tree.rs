//! Tree interpolants: one formula per subtree of a tree of partitions, from one proof.
//!
//! Node `n` of a tree represents the clauses with label `n`. The interpolant of a node is one of the clauses
//! of its subtree against the rest, such that the interpolants of its children together with its own clauses
//! imply it (K. L. McMillan and A. Rybalchenko, "Solving constrained Horn clauses using interpolation",
//! 2013). On a path this is a sequence.

use craig_aig::{Aig, Edge};
use craig_solver::proof::ProofDag;
use craig_solver::{Label, Var};

use crate::stop::Stop;
use crate::symmetric::{JointError, strong_interpolant};
use crate::system::{Side, System};

/// A rooted tree whose nodes are labels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    parents: Vec<Option<usize>>,
    /// By node: the half-open interval of preorder numbers of its subtree.
    spans: Vec<(usize, usize)>,
}

/// Why a list of parents is no tree.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TreeError {
    /// There is not exactly one node without a parent.
    #[error("a tree has one root, not {0}")]
    Roots(usize),
    /// A parent that does not exist.
    #[error("node {node} has the parent {parent}, which does not exist")]
    MissingParent {
        /// The node.
        node: usize,
        /// The parent it names.
        parent: usize,
    },
    /// A node that is its own ancestor.
    #[error("node {0} is its own ancestor, or a descendant of such a node")]
    Cycle(usize),
}

impl Tree {
    /// The tree in which node `n` has the parent `parents[n]`; exactly one, the root, has none.
    ///
    /// # Errors
    /// If that is no tree.
    pub fn new(parents: Vec<Option<usize>>) -> Result<Self, TreeError> {
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); parents.len()];
        let mut roots = Vec::new();
        for (node, parent) in parents.iter().enumerate() {
            match *parent {
                None => roots.push(node),
                Some(parent) if parent < parents.len() => children[parent].push(node),
                Some(parent) => return Err(TreeError::MissingParent { node, parent }),
            }
        }
        let [root] = roots[..] else {
            return Err(TreeError::Roots(roots.len()));
        };
        let mut spans = vec![(usize::MAX, 0); parents.len()];
        let mut entered = 0;
        let mut stack = vec![(root, false)];
        while let Some((node, leaving)) = stack.pop() {
            if leaving {
                spans[node].1 = entered;
                continue;
            }
            spans[node].0 = entered;
            entered += 1;
            stack.push((node, true));
            stack.extend(children[node].iter().map(|&child| (child, false)));
        }
        match spans.iter().position(|&(enter, _)| enter == usize::MAX) {
            Some(node) => Err(TreeError::Cycle(node)),
            None => Ok(Self { parents, spans }),
        }
    }

    /// How many nodes there are.
    #[must_use]
    pub fn n_nodes(&self) -> usize {
        self.parents.len()
    }

    /// The parent of a node; `None` for the root.
    ///
    /// # Panics
    /// If there is no such node.
    #[must_use]
    pub fn parent(&self, node: usize) -> Option<usize> {
        self.parents[node]
    }

    /// Whether the clauses with the given label belong to the subtree of `node`, which includes
    /// `node` itself. A label that is no node belongs to no subtree.
    ///
    /// # Panics
    /// If there is no such node.
    #[must_use]
    pub fn subtree_contains(&self, node: usize, label: Label) -> bool {
        let (enter, leave) = self.spans[node];
        self.spans
            .get(label as usize)
            .is_some_and(|&(at, _)| enter <= at && at < leave)
    }
}

/// For each node the interpolant of its subtree against the rest. That of the root is false if every label of
/// the proof is a node.
///
/// `leaf(n, var)` maps a variable in the interpolant of node `n` to its edge in `aig`. It is called at most
/// once each, and only for variables that the subtree shares with the rest.
///
/// # Errors
/// For [`System::InverseMcMillan`], if it would label a shared variable; or If `stop` requests the end.
///
/// # Panics
/// If `dag` is no refutation.
pub fn tree(
    dag: &ProofDag,
    tree: &Tree,
    system: System,
    aig: &mut Aig,
    leaf: &mut dyn FnMut(usize, Var) -> Edge,
    stop: &Stop,
) -> Result<Vec<Edge>, JointError> {
    labelled_tree(dag, tree, &|_| system.side(), aig, leaf, stop)
}

/// [`tree`](fn@tree) with a given label for each variable, used at all nodes.
///
/// # Errors
/// If a shared variable is labelled a, or If `stop` requests the end.
///
/// # Panics
/// If `dag` is no refutation.
pub fn labelled_tree(
    dag: &ProofDag,
    tree: &Tree,
    side: &dyn Fn(Var) -> Side,
    aig: &mut Aig,
    leaf: &mut dyn FnMut(usize, Var) -> Edge,
    stop: &Stop,
) -> Result<Vec<Edge>, JointError> {
    let mut edges = Vec::with_capacity(tree.n_nodes());
    for node in 0..tree.n_nodes() {
        edges.push(strong_interpolant(
            dag,
            &|label| tree.subtree_contains(node, label),
            side,
            aig,
            &mut |var| leaf(node, var),
            stop,
        )?);
    }
    Ok(edges)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{clauses_table, formulas, graph, occurs, refute, table};
    use proptest::prelude::*;

    #[test]
    fn only_trees_are_trees() {
        let tree = Tree::new(vec![Some(2), Some(0), None, Some(2)]).unwrap();
        assert!(tree.subtree_contains(0, 1) && tree.subtree_contains(0, 0));
        assert!(!tree.subtree_contains(0, 3) && !tree.subtree_contains(1, 0));
        assert!((0..4).all(|label| tree.subtree_contains(2, label)));
        assert!(!tree.subtree_contains(2, 4));
        assert_eq!(Tree::new(vec![]), Err(TreeError::Roots(0)));
        assert_eq!(Tree::new(vec![None, None]), Err(TreeError::Roots(2)));
        assert_eq!(
            Tree::new(vec![None, Some(7)]),
            Err(TreeError::MissingParent { node: 1, parent: 7 })
        );
        assert_eq!(
            Tree::new(vec![None, Some(2), Some(1)]),
            Err(TreeError::Cycle(1))
        );
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

        #[test]
        fn children_and_own_clauses_imply_the_interpolant(
            cnf in formulas(),
            shape in prop::collection::vec(0..4usize, 4),
            labels in prop::collection::vec(any::<bool>(), 6),
        ) {
            let dag = refute(&cnf, &[2, 5, 0, 1, 4, 3]);
            prop_assume!(dag.is_some());
            let dag = dag.unwrap();
            // The parent of node n > 0 is an arbitrary smaller node.
            let parents = std::iter::once(None)
                .chain(shape.iter().enumerate().map(|(below, &at)| Some(at.min(below))));
            let shape = Tree::new(parents.collect()).unwrap();
            let mixed = |var: Var| if labels[var.index()] { Side::B } else { Side::Both };
            for side in [&mixed as &dyn Fn(Var) -> Side, &|_| Side::B, &|_| Side::Both] {
                let (mut aig, inputs) = graph();
                let leaf = &mut |node: usize, var| {
                    assert!(occurs(&cnf, var, |label| shape.subtree_contains(node, label)));
                    assert!(occurs(&cnf, var, |label| !shape.subtree_contains(node, label)));
                    inputs[var.index()]
                };
                let edges = labelled_tree(&dag, &shape, side, &mut aig, leaf, &Stop::never())?;
                prop_assert_eq!(edges[0], Edge::FALSE);
                for node in 0..shape.n_nodes() {
                    let own = clauses_table(&cnf, |label| label as usize == node);
                    let children = (0..shape.n_nodes())
                        .filter(|&child| shape.parent(child) == Some(node))
                        .fold(own, |all, child| all & table(&aig, edges[child]));
                    prop_assert_eq!(children & !table(&aig, edges[node]), 0);
                }
            }
        }
    }
}
