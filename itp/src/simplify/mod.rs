//! Smaller interpolants, which may be other formulas.
//!
//! An interpolant is free where A does not force it to be true and B does not force it to be false. So a gate
//! of it may be replaced by something simpler, which can change the formula, as long as the result is an
//! interpolant again. The candidates are the constants, the operands of the gate, the branches of an
//! if-then-else, and literals below the gate (G. Cabodi, C. Loiacono and D. Vendraminetto, "Optimization
//! techniques for Craig interpolant compaction in unbounded model checking", 2013). Two SAT calls, one for
//! each side, decide an exchange. Their counterexamples are kept as patterns, so that simulation refutes most
//! of the wrong exchanges.
//!
//! Gates are tried from the root down, since an exchange near the root removes most.

mod exchange;
mod patterns;

use craig_aig::{Aig, Edge, Node, NodeId};
use craig_solver::encode::Encoder;
use craig_solver::{Cnf, Label, Solver, Var};

use crate::extract::extract;
use crate::stop::{Stop, Stopped};
use crate::tree::Tree;
pub use exchange::Effort;
use exchange::{Side, Work};

/// Simplifies interpolants of a labelled formula.
///
/// If `stop` requests the end, the methods return an error and leave formulas that satisfy the same
/// conditions as those that they were given, simplified as far as the work went. The stop is evaluated before
/// each SAT call and by the solver inside it.
#[derive(Clone)]
pub struct Simplifier<'a> {
    /// The clauses of all partitions.
    pub cnf: &'a Cnf,
    /// The variable of an input node, if it has one; the same in all formulas.
    pub variable: &'a dyn Fn(NodeId) -> Option<Var>,
    /// The limits for each formula.
    pub effort: Effort,
    /// Ends the work early.
    pub stop: Stop,
}

/// The clauses and formulas that a formula has to follow from, or to contradict.
struct Condition<'a> {
    labels: &'a dyn Fn(Label) -> bool,
    formulas: Vec<Edge>,
}

impl Simplifier<'_> {
    /// Replaces `edge`, an interpolant of the clauses with the labels `in_a` against the others, by another
    /// one.
    ///
    /// # Errors
    /// If the stop requests the end.
    pub fn interpolant(
        &self,
        aig: &mut Aig,
        in_a: &dyn Fn(Label) -> bool,
        edge: &mut Edge,
    ) -> Result<(), Stopped> {
        let premise = Condition {
            labels: in_a,
            formulas: Vec::new(),
        };
        let opposite = Condition {
            labels: &|label| !in_a(label),
            formulas: Vec::new(),
        };
        self.simplify(aig, edge, &premise, &opposite)
    }

    /// Replaces a sequence for increasing cuts by another one: each formula still follows from the one before
    /// it and the clauses between them.
    ///
    /// # Errors
    /// If the stop requests the end.
    ///
    /// # Panics
    /// If there are not as many cuts as formulas.
    pub fn sequence(
        &self,
        aig: &mut Aig,
        cuts: &[Label],
        edges: &mut [Edge],
    ) -> Result<(), Stopped> {
        assert_eq!(cuts.len(), edges.len());
        for index in 0..edges.len() {
            let from = index.checked_sub(1).map(|before| cuts[before]);
            let to = cuts.get(index + 1);
            let premise = Condition {
                labels: &|label| label <= cuts[index] && from.is_none_or(|from| label > from),
                formulas: index
                    .checked_sub(1)
                    .map(|at| edges[at])
                    .into_iter()
                    .collect(),
            };
            let opposite = Condition {
                labels: &|label| label > cuts[index] && to.is_none_or(|&to| label <= to),
                formulas: edges
                    .get(index + 1)
                    .map(|&next| !next)
                    .into_iter()
                    .collect(),
            };
            self.simplify(aig, &mut edges[index], &premise, &opposite)?;
        }
        Ok(())
    }

    /// Replaces symmetric interpolants by others: all of them are still inconsistent together with the
    /// clauses that belong to no part.
    ///
    /// # Errors
    /// If the stop requests the end.
    ///
    /// # Panics
    /// If there are not as many parts as formulas.
    pub fn symmetric(
        &self,
        aig: &mut Aig,
        parts: &[Label],
        edges: &mut [Edge],
    ) -> Result<(), Stopped> {
        assert_eq!(parts.len(), edges.len());
        for index in 0..edges.len() {
            let premise = Condition {
                labels: &|label| label == parts[index],
                formulas: Vec::new(),
            };
            let others = (0..edges.len()).filter(|&other| other != index);
            let opposite = Condition {
                labels: &|label| !parts.contains(&label),
                formulas: others.map(|other| edges[other]).collect(),
            };
            self.simplify(aig, &mut edges[index], &premise, &opposite)?;
        }
        Ok(())
    }

    /// Replaces tree interpolants by others: children and own clauses still imply the formula of each node.
    ///
    /// # Errors
    /// If the stop requests the end.
    ///
    /// # Panics
    /// If there are not as many nodes as formulas.
    pub fn tree(&self, aig: &mut Aig, tree: &Tree, edges: &mut [Edge]) -> Result<(), Stopped> {
        assert_eq!(tree.n_nodes(), edges.len());
        for node in 0..edges.len() {
            let parent = tree.parent(node);
            let children = (0..edges.len()).filter(|&child| tree.parent(child) == Some(node));
            let premise = Condition {
                labels: &|label| label as usize == node,
                formulas: children.map(|child| edges[child]).collect(),
            };
            let siblings = (0..edges.len())
                .filter(|&other| other != node && parent.is_some() && tree.parent(other) == parent);
            let opposite = Condition {
                labels: &|label| match parent {
                    Some(parent) => label as usize == parent,
                    None => !tree.subtree_contains(node, label),
                },
                formulas: siblings
                    .map(|sibling| edges[sibling])
                    .chain(parent.map(|parent| !edges[parent]))
                    .collect(),
            };
            self.simplify(aig, &mut edges[node], &premise, &opposite)?;
        }
        Ok(())
    }

    /// Replaces `edge`, which follows from `premise` and contradicts `opposite`, by another such formula.
    fn simplify(
        &self,
        aig: &mut Aig,
        edge: &mut Edge,
        premise: &Condition<'_>,
        opposite: &Condition<'_>,
    ) -> Result<(), Stopped> {
        if self.stop.is_asked() {
            return Err(Stopped);
        }
        let (graph, roots, inputs) = extract(aig, &[*edge]);
        let sides = [premise, opposite].map(|condition| self.side(aig, condition, &graph, &inputs));
        let mut work = Work::new(graph, roots[0], sides, self.effort, &self.stop);
        let result = work.run();
        let Work { graph, root, .. } = work;
        let position = |node| match graph.node(node) {
            Node::Input(position) => position as usize,
            _ => unreachable!("leaves are inputs"),
        };
        let images = aig.copy_cone(&graph, &[root], &mut |node| {
            Edge::new(inputs[position(node)], false)
        });
        *edge = images[0];
        result
    }

    /// A solver with the clauses of a condition, and the literals in it of the inputs of `graph`, which are
    /// `inputs` in `aig`.
    fn side(&self, aig: &Aig, condition: &Condition<'_>, graph: &Aig, inputs: &[NodeId]) -> Side {
        let mut solver = Solver::new();
        self.stop.install(&mut solver);
        solver.reserve_vars(self.cnf.n_vars());
        for (clause, label) in self.cnf.iter() {
            if (condition.labels)(label) {
                solver.add_clause(clause);
            }
        }
        let mut given = Encoder::new();
        for &input in aig.inputs() {
            if let Some(var) = (self.variable)(input) {
                given.set(input, var.positive());
            }
        }
        for &formula in &condition.formulas {
            let lit = given.encode(aig, formula, &mut solver);
            solver.add_clause(&[lit]);
        }
        let mut encoder = Encoder::new();
        let mut lits = Vec::with_capacity(inputs.len());
        for (&own, &input) in graph.inputs().iter().zip(inputs) {
            let lit = given.encode(aig, Edge::new(input, false), &mut solver);
            encoder.set(own, lit);
            lits.push(lit);
        }
        Side {
            solver,
            encoder,
            inputs: lits,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{formulas, graph, refute};
    use crate::verify::{CheckedSearch, Verifier};
    use crate::{System, sequence, symmetric, tree};
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

        #[test]
        fn what_is_simplified_is_still_accepted_and_no_larger(cnf in formulas()) {
            let dag = refute(&cnf, &[1, 0, 3, 2, 5, 4]);
            prop_assume!(dag.is_some());
            let dag = dag.unwrap();
            let (mut aig, inputs) = graph();
            let mut leaf = |_: usize, var: Var| inputs[var.index()];
            let variable = |node: NodeId| Some(Var::new(node as usize - 1));
            let stop = Stop::never();
            let simplifier = Simplifier {
                cnf: &cnf,
                variable: &variable,
                effort: Effort::default(),
                stop: stop.clone(),
            };
            let cuts = [0, 1, 2, 3];
            let parts = [0, 2, 4];
            let shape = Tree::new(vec![Some(2), Some(2), Some(4), Some(4), None]).unwrap();
            for system in [System::McMillan, System::Symmetric] {
                let mut path = sequence(&dag, &cuts, system, &mut aig, &mut leaf, &stop)?;
                let mut star = symmetric(&dag, &parts, system, &mut aig, &mut leaf, &stop)?;
                let mut nodes = tree(&dag, &shape, system, &mut aig, &mut leaf, &stop)?;
                let sizes = |aig: &Aig, families: [&[Edge]; 3]| -> Vec<usize> {
                    let edges = families.into_iter().flatten();
                    edges.map(|&edge| aig.n_ands_in_cone(&[edge])).collect()
                };
                let before = sizes(&aig, [&path, &star, &nodes]);
                let mut simple = path[1];
                simplifier.interpolant(&mut aig, &|label| label <= 1, &mut simple)?;
                simplifier.sequence(&mut aig, &cuts, &mut path)?;
                simplifier.symmetric(&mut aig, &parts, &mut star)?;
                simplifier.tree(&mut aig, &shape, &mut nodes)?;
                let after = sizes(&aig, [&path, &star, &nodes]);
                prop_assert!(before.into_iter().zip(after).all(|(before, after)| after <= before));
                let verifier = Verifier {
                    cnf: &cnf,
                    aig: &aig,
                    variable: &|_, node| variable(node),
                    judge: &CheckedSearch,
                    stop: &stop,
                };
                prop_assert_eq!(verifier.interpolant(&|label| label <= 1, simple), Ok(()));
                prop_assert_eq!(verifier.sequence(&cuts, &path), Ok(()));
                prop_assert_eq!(verifier.symmetric(&parts, &star), Ok(()));
                prop_assert_eq!(verifier.tree(&shape, &nodes), Ok(()));
            }
        }
    }

    /// A is x and y and z, B implies not x: the literal x is an interpolant, and found from any other.
    #[test]
    fn freedom_is_used() {
        let [x, y, z] = [0, 1, 2].map(|index| Var::new(index).positive());
        let mut cnf = Cnf::new();
        for lit in [x, y, z] {
            cnf.add_labelled_clause(&[lit], 0);
        }
        cnf.add_labelled_clause(&[!x], 1);
        cnf.add_labelled_clause(&[y, z], 1);
        let (mut aig, inputs) = graph();
        let all = aig.and_all(inputs[..3].to_vec());
        let choice = aig.ite(inputs[1], all, !inputs[0]);
        let simplifier = Simplifier {
            cnf: &cnf,
            variable: &|node| Some(Var::new(node as usize - 1)),
            effort: Effort::default(),
            stop: Stop::never(),
        };
        let in_a = |label| label == 0;
        let mut simplify = |simplifier: &Simplifier<'_>, mut edge| {
            let result = simplifier.interpolant(&mut aig, &in_a, &mut edge);
            (result, edge)
        };
        assert_eq!(simplify(&simplifier, all), (Ok(()), inputs[0]));
        // Without SAT calls nothing changes.
        let idle = Simplifier {
            effort: Effort {
                queries: 0,
                ..Effort::default()
            },
            ..simplifier.clone()
        };
        assert_eq!(simplify(&idle, all), (Ok(()), all));
        let stopped = Simplifier {
            stop: Stop::when(|| true),
            ..simplifier
        };
        assert_eq!(simplify(&stopped, choice), (Err(Stopped), choice));
    }
}
