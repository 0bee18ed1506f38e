//! Verification of interpolants by SAT, without the proof that they come from.
//!
//! Each condition is one satisfiability question. The verifier translates it to clauses itself and passes
//! them to a [`Judge`], so it relies neither on the rewriting and the encoder of the graph package nor on an
//! unchecked search: [`CheckedSearch`] checks the model or the refutation of each answer.

mod judge;
mod question;

use craig_aig::{Aig, Edge, Node, NodeId};
use craig_solver::{Cnf, Label, Var};

pub use judge::{CheckedSearch, Judge, NoAnswer};
use question::{Question, below};

use crate::stop::Stop;
use crate::tree::Tree;

/// A condition that does not hold, or was not decided. Formulas are numbered from 0 in the given order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Violation {
    /// A formula depends on an input that is no variable shared by the two sides.
    #[error("interpolant {formula} depends on graph node {input}, which is no shared variable")]
    NotShared {
        /// The formula.
        formula: usize,
        /// The input node.
        input: NodeId,
    },
    /// A formula does not follow from its clauses and, in a sequence or a tree, the formulas before it.
    #[error("interpolant {formula} is not implied")]
    NotImplied {
        /// The formula.
        formula: usize,
    },
    /// The formulas are consistent with the clauses that they have to contradict.
    #[error("the interpolants do not contradict the rest")]
    Consistent,
    /// No condition was found to be violated, but the check was stopped before all were decided.
    #[error("the check was stopped before it was decided")]
    Undecided,
    /// The judge's model or refutation is wrong: an error of the judge, not of the interpolants.
    #[error("the judge gave an answer that did not pass its check")]
    Judge,
}

impl From<NoAnswer> for Violation {
    fn from(reason: NoAnswer) -> Self {
        match reason {
            NoAnswer::Undecided => Self::Undecided,
            NoAnswer::Wrong => Self::Judge,
        }
    }
}

/// Checks formulas against the clauses whose interpolants they are meant to be.
#[derive(Clone, Copy)]
pub struct Verifier<'a> {
    /// The clauses of all partitions.
    pub cnf: &'a Cnf,
    /// The graph that holds the formulas.
    pub aig: &'a Aig,
    /// The variable of an input node in formula number `i`, if it has one.
    pub variable: &'a dyn Fn(usize, NodeId) -> Option<Var>,
    /// Decides the conditions.
    pub judge: &'a dyn Judge,
    /// Ends the check early.
    pub stop: &'a Stop,
}

impl Verifier<'_> {
    /// Craig's three conditions for one formula, number 0: the clauses of A imply it, it contradicts the
    /// others, and it contains shared variables only.
    ///
    /// # Errors
    /// The first condition that does not hold.
    pub fn interpolant(&self, in_a: &dyn Fn(Label) -> bool, edge: Edge) -> Result<(), Violation> {
        self.check_support(0, edge, in_a)?;
        self.check_implied(in_a, &[], 0, edge)?;
        self.check_inconsistent(&|label| !in_a(label), &[(0, edge)])
    }

    /// The path property of a sequence for increasing cuts: each formula follows from the one before it, if
    /// there is one, and the clauses between the two cuts; the last one contradicts the clauses after its
    /// cut. With the condition on variables, each is then an interpolant of its cut.
    ///
    /// # Errors
    /// The first condition that does not hold.
    ///
    /// # Panics
    /// If there are not as many cuts as formulas.
    pub fn sequence(&self, cuts: &[Label], edges: &[Edge]) -> Result<(), Violation> {
        assert_eq!(cuts.len(), edges.len());
        let mut before: Option<(usize, Edge, Label)> = None;
        let follows = |before: Option<(usize, Edge, Label)>, label: Label| {
            before.is_none_or(|(_, _, cut)| label > cut)
        };
        let premise = |before: Option<(usize, Edge, Label)>| {
            before
                .map(|(formula, edge, _)| (formula, edge))
                .into_iter()
                .collect::<Vec<_>>()
        };
        for (formula, (&cut, &edge)) in cuts.iter().zip(edges).enumerate() {
            self.check_support(formula, edge, &|label| label <= cut)?;
            let segment = |label| follows(before, label) && label <= cut;
            self.check_implied(&segment, &premise(before), formula, edge)?;
            before = Some((formula, edge, cut));
        }
        self.check_inconsistent(&|label| follows(before, label), &premise(before))
    }

    /// Symmetric interpolants: each formula follows from the clauses of its part; all of them, together with
    /// the clauses that belong to no part, are inconsistent.
    ///
    /// # Errors
    /// The first condition that does not hold.
    ///
    /// # Panics
    /// If there are not as many parts as formulas.
    pub fn symmetric(&self, parts: &[Label], edges: &[Edge]) -> Result<(), Violation> {
        assert_eq!(parts.len(), edges.len());
        for (formula, (&part, &edge)) in parts.iter().zip(edges).enumerate() {
            let mine = |label| label == part;
            self.check_support(formula, edge, &mine)?;
            self.check_implied(&mine, &[], formula, edge)?;
        }
        let all: Vec<_> = edges.iter().copied().enumerate().collect();
        self.check_inconsistent(&|label| !parts.contains(&label), &all)
    }

    /// Tree interpolants: the formula of a node follows from those of its children and its own clauses; that
    /// of the root contradicts the clauses that belong to no node.
    ///
    /// # Errors
    /// The first condition that does not hold.
    ///
    /// # Panics
    /// If there are not as many nodes as formulas.
    pub fn tree(&self, tree: &Tree, edges: &[Edge]) -> Result<(), Violation> {
        assert_eq!(tree.n_nodes(), edges.len());
        let mut children: Vec<Vec<(usize, Edge)>> = vec![Vec::new(); tree.n_nodes()];
        let mut root = 0;
        for (node, &edge) in edges.iter().enumerate() {
            match tree.parent(node) {
                Some(parent) => children[parent].push((node, edge)),
                None => root = node,
            }
        }
        for (node, &edge) in edges.iter().enumerate() {
            self.check_support(node, edge, &|label| tree.subtree_contains(node, label))?;
            let own = |label| label as usize == node;
            self.check_implied(&own, &children[node], node, edge)?;
        }
        let outside = |label| !tree.subtree_contains(root, label);
        self.check_inconsistent(&outside, &[(root, edges[root])])
    }

    fn check_support(
        &self,
        formula: usize,
        edge: Edge,
        in_a: &dyn Fn(Label) -> bool,
    ) -> Result<(), Violation> {
        let mut support = below(self.aig, edge);
        support.retain(|&node| matches!(self.aig.node(node), Node::Input(_)));
        support.sort_unstable();
        if support.is_empty() {
            return Ok(());
        }
        let mut sides = vec![[false; 2]; self.cnf.n_vars()];
        for (clause, label) in self.cnf.iter() {
            let side = usize::from(in_a(label));
            for lit in clause {
                sides[lit.var().index()][side] = true;
            }
        }
        let is_shared = |input: NodeId| {
            (self.variable)(formula, input)
                .and_then(|var| sides.get(var.index()))
                .is_some_and(|sides| *sides == [true; 2])
        };
        match support.into_iter().find(|&input| !is_shared(input)) {
            Some(input) => Err(Violation::NotShared { formula, input }),
            None => Ok(()),
        }
    }

    fn check_implied(
        &self,
        clauses: &dyn Fn(Label) -> bool,
        premises: &[(usize, Edge)],
        formula: usize,
        edge: Edge,
    ) -> Result<(), Violation> {
        let mut all = premises.to_vec();
        all.push((formula, !edge));
        match self.is_consistent(clauses, &all)? {
            true => Err(Violation::NotImplied { formula }),
            false => Ok(()),
        }
    }

    fn check_inconsistent(
        &self,
        clauses: &dyn Fn(Label) -> bool,
        formulas: &[(usize, Edge)],
    ) -> Result<(), Violation> {
        match self.is_consistent(clauses, formulas)? {
            true => Err(Violation::Consistent),
            false => Ok(()),
        }
    }

    /// Whether some assignment satisfies the clauses with the wanted labels and the formulas, each of which
    /// is given with its number.
    fn is_consistent(
        &self,
        wanted: &dyn Fn(Label) -> bool,
        formulas: &[(usize, Edge)],
    ) -> Result<bool, Violation> {
        let mut question = Question::new(self.cnf, wanted);
        for &(formula, edge) in formulas {
            question.require(self.aig, edge, &|input| (self.variable)(formula, input));
        }
        Ok(self.judge.is_satisfiable(question.cnf(), self.stop)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{clauses_table, formulas, graph, occurs, refute, table};
    use crate::{System, sequence, symmetric, tree};
    use proptest::prelude::*;

    /// A formula over the six inputs whose truth table is arbitrary.
    fn formula(aig: &mut Aig, inputs: &[Edge], bits: u64) -> Edge {
        let mut level: Vec<Edge> = (0..64)
            .map(|row| Edge::from(bits >> row & 1 == 1))
            .collect();
        for &input in inputs {
            level = level
                .chunks(2)
                .map(|pair| aig.ite(input, pair[1], pair[0]))
                .collect();
        }
        level[0]
    }

    fn variable(_: usize, input: NodeId) -> Option<Var> {
        // The inputs of a fixture graph are its nodes 1 to 6.
        Some(Var::new(input as usize - 1))
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

        #[test]
        fn what_is_derived_from_one_proof_is_accepted(cnf in formulas()) {
            let dag = refute(&cnf, &[1, 0, 3, 2, 5, 4]);
            prop_assume!(dag.is_some());
            let dag = dag.unwrap();
            let (mut aig, inputs) = graph();
            let mut leaf = |_: usize, var: Var| inputs[var.index()];
            let stop = Stop::never();
            let cuts = [0, 1, 2, 3];
            let parts = [0, 2, 4];
            let shape = Tree::new(vec![Some(2), Some(2), Some(4), Some(4), None]).unwrap();
            for system in System::ALL {
                let path = sequence(&dag, &cuts, system, &mut aig, &mut leaf, &stop)?;
                let star = symmetric(&dag, &parts, system, &mut aig, &mut leaf, &stop);
                let nodes = tree(&dag, &shape, system, &mut aig, &mut leaf, &stop);
                let verifier = Verifier {
                    cnf: &cnf, aig: &aig, variable: &variable, judge: &CheckedSearch, stop: &Stop::never(),
                };
                prop_assert_eq!(verifier.sequence(&cuts, &path), Ok(()));
                for (&cut, &edge) in cuts.iter().zip(&path) {
                    prop_assert_eq!(verifier.interpolant(&|label| label <= cut, edge), Ok(()));
                }
                if system != System::InverseMcMillan {
                    prop_assert_eq!(verifier.symmetric(&parts, &star.unwrap()), Ok(()));
                    prop_assert_eq!(verifier.tree(&shape, &nodes.unwrap()), Ok(()));
                }
            }
        }

        #[test]
        fn verdicts_agree_with_truth_tables(
            cnf in formulas(),
            bits in prop::collection::vec(any::<u64>(), 3),
            perturb in any::<bool>(),
        ) {
            let (mut aig, inputs) = graph();
            let part = |label| clauses_table(&cnf, |other| other == label);
            // Random formulas are almost never implied, so half of the cases start from implied ones.
            let edges: Vec<Edge> = (0..3)
                .map(|label| {
                    let bits = bits[label as usize];
                    let mixed = if perturb { bits } else { part(label) | bits & bits >> 1 };
                    formula(&mut aig, &inputs, mixed)
                })
                .collect();
            let tables: Vec<u64> = edges.iter().map(|&edge| table(&aig, edge)).collect();
            let all_shared = |formula: usize, in_a: &dyn Fn(Label) -> bool| {
                aig.support(&[edges[formula]]).iter().all(|&input| {
                    let var = variable(0, input).unwrap();
                    occurs(&cnf, var, in_a) && occurs(&cnf, var, |label| !in_a(label))
                })
            };
            let verifier = Verifier {
                cnf: &cnf, aig: &aig, variable: &variable, judge: &CheckedSearch, stop: &Stop::never(),
            };

            let one = part(0) & !tables[0] == 0
                && clauses_table(&cnf, |label| label > 0) & tables[0] == 0
                && all_shared(0, &|label| label == 0);
            prop_assert_eq!(verifier.interpolant(&|label| label == 0, edges[0]).is_ok(), one);

            let path = (0..3).all(|step| {
                let before = if step == 0 { u64::MAX } else { tables[step - 1] };
                before & part(step as Label) & !tables[step] == 0
                    && all_shared(step, &|label| label as usize <= step)
            }) && tables[2] & clauses_table(&cnf, |label| label > 2) == 0;
            prop_assert_eq!(verifier.sequence(&[0, 1, 2], &edges).is_ok(), path);

            let joint = tables.iter().fold(u64::MAX, |all, table| all & table);
            let star = (0..3).all(|step| {
                part(step as Label) & !tables[step] == 0
                    && all_shared(step, &|label| label as usize == step)
            }) && joint & clauses_table(&cnf, |label| label > 2) == 0;
            prop_assert_eq!(verifier.symmetric(&[0, 1, 2], &edges).is_ok(), star);

            let shape = Tree::new(vec![Some(2), Some(2), None]).unwrap();
            let nodes = part(0) & !tables[0] == 0
                && part(1) & !tables[1] == 0
                && tables[0] & tables[1] & part(2) & !tables[2] == 0
                && tables[2] & clauses_table(&cnf, |label| label > 2) == 0
                && (0..3).all(|node| all_shared(node, &|label| shape.subtree_contains(node, label)));
            prop_assert_eq!(verifier.tree(&shape, &edges).is_ok(), nodes);
        }
    }

    #[test]
    fn each_broken_condition_is_named() {
        let [x, y] = [0, 1].map(|index| Var::new(index).positive());
        let mut cnf = Cnf::new();
        cnf.add_labelled_clause(&[x], 0);
        cnf.add_labelled_clause(&[y], 0);
        cnf.add_labelled_clause(&[!x], 1);
        let (aig, inputs) = graph();
        let verifier = Verifier {
            cnf: &cnf,
            aig: &aig,
            variable: &variable,
            judge: &CheckedSearch,
            stop: &Stop::never(),
        };
        let of = |edge| verifier.interpolant(&|label| label == 0, edge);
        assert_eq!(of(inputs[0]), Ok(()));
        assert_eq!(of(!inputs[0]), Err(Violation::NotImplied { formula: 0 }));
        assert_eq!(of(Edge::TRUE), Err(Violation::Consistent));
        let foreign = Violation::NotShared {
            formula: 0,
            input: 2,
        };
        assert_eq!(of(inputs[1]), Err(foreign));
        let nameless = Verifier {
            variable: &|_, _| None,
            ..verifier
        };
        assert!(nameless.sequence(&[0], &[inputs[0]]).is_err());
    }

    /// Varisat as a judge: a solver that shares no code with this workspace.
    struct Varisat;

    impl Judge for Varisat {
        fn is_satisfiable(&self, cnf: &Cnf, _: &Stop) -> Result<bool, NoAnswer> {
            use varisat::ExtendFormula;
            let mut solver = varisat::Solver::new();
            for (clause, _) in cnf.iter() {
                let lit =
                    |lit: &craig_solver::Lit| varisat::Lit::from_dimacs(lit.to_dimacs() as isize);
                let clause: Vec<varisat::Lit> = clause.iter().map(lit).collect();
                solver.add_clause(&clause);
            }
            solver.solve().map_err(|_| NoAnswer::Undecided)
        }
    }

    /// Copies a formula with a wrong rewriting rule: `x and (a and b)` becomes `b`, and `x and not (a and b)`
    /// becomes `not b`. Also returns how often the rule was applied.
    fn with_wrong_rule(aig: &Aig, edge: Edge) -> (Aig, Edge, usize) {
        let (mut copy, inputs) = graph();
        let mut images = vec![Edge::FALSE; edge.node() as usize + 1];
        let mut n_applied = 0;
        for node in below(aig, edge) {
            images[node as usize] = match aig.node(node) {
                Node::Constant => Edge::FALSE,
                Node::Input(position) => inputs[position as usize],
                Node::And(left, right) => {
                    let image =
                        |edge: Edge| images[edge.node() as usize].negate_if(edge.is_negated());
                    let (left, right) = (image(left), image(right));
                    let wrong =
                        [left, right]
                            .into_iter()
                            .find_map(|gate| match copy.node(gate.node()) {
                                Node::And(_, second) if gate.is_negated() => Some(!second),
                                _ => None,
                            });
                    n_applied += usize::from(wrong.is_some());
                    wrong.unwrap_or_else(|| copy.and(left, right))
                }
            };
        }
        let root = images[edge.node() as usize].negate_if(edge.is_negated());
        (copy, root, n_applied)
    }

    /// Interpolants built with a wrong rewriting rule are rejected, by either judge, exactly if the truth
    /// tables show that they are wrong.
    #[test]
    fn a_wrong_rewriting_rule_is_caught() {
        use proptest::strategy::ValueTree;
        use proptest::test_runner::TestRunner;
        let mut runner = TestRunner::deterministic();
        let (mut n_applied, mut n_wrong) = (0, 0);
        for _ in 0..300 {
            let cnf = formulas().new_tree(&mut runner).unwrap().current();
            let Some(dag) = refute(&cnf, &[0, 1, 2, 3, 4, 5]) else {
                continue;
            };
            for (system, cut) in System::ALL
                .into_iter()
                .flat_map(|s| (0..4).map(move |cut| (s, cut)))
            {
                let (mut aig, inputs) = graph();
                let in_a = |label| label <= cut;
                let leaf = &mut |var: Var| inputs[var.index()];
                let never = Stop::never();
                let right = crate::interpolant(&dag, &in_a, system, &mut aig, leaf, &never);
                let (aig, edge, n_here) = with_wrong_rule(&aig, right.unwrap());
                let table = table(&aig, edge);
                let is_right = clauses_table(&cnf, in_a) & !table == 0
                    && clauses_table(&cnf, |label| !in_a(label)) & table == 0;
                n_applied += usize::from(n_here > 0);
                n_wrong += usize::from(!is_right);
                for judge in [&CheckedSearch as &dyn Judge, &Varisat] {
                    let verifier = Verifier {
                        cnf: &cnf,
                        aig: &aig,
                        variable: &variable,
                        judge,
                        stop: &never,
                    };
                    assert_eq!(verifier.interpolant(&in_a, edge).is_ok(), is_right);
                }
            }
        }
        assert!(n_applied >= 20, "the rule applied to {n_applied} formulas");
        assert!(n_wrong >= 10, "the rule broke {n_wrong} formulas");
    }

    /// An answer that fails its check is reported as an error of the judge.
    #[test]
    fn a_wrong_answer_of_the_judge_is_no_verdict() {
        struct Broken;
        impl Judge for Broken {
            fn is_satisfiable(&self, _: &Cnf, _: &Stop) -> Result<bool, NoAnswer> {
                Err(NoAnswer::Wrong)
            }
        }
        let x = Var::new(0).positive();
        let mut cnf = Cnf::new();
        cnf.add_labelled_clause(&[x], 0);
        cnf.add_labelled_clause(&[!x], 1);
        let (aig, inputs) = graph();
        let of = |judge: &dyn Judge| {
            let stop = Stop::never();
            let verifier = Verifier {
                cnf: &cnf,
                aig: &aig,
                variable: &variable,
                judge,
                stop: &stop,
            };
            verifier.interpolant(&|label| label == 0, inputs[0])
        };
        assert_eq!(of(&CheckedSearch), Ok(()));
        assert_eq!(of(&Varisat), Ok(()));
        assert_eq!(of(&Broken), Err(Violation::Judge));
    }
}
