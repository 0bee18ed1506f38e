//! Interpolants, by one pass over a proof from the leaves to the root.
//!
//! Every vertex of the proof gets a partial interpolant. A chain is processed step by step, as the binary
//! resolutions that it abbreviates. The intermediate resolvents are not stored: the pass takes time linear in
//! the steps and one edge of memory per vertex. Labels per occurrence need time and memory linear in the
//! literals of the proof.

use craig_aig::{Aig, Edge};
use craig_solver::proof::{Origin, ProofDag, Step, VertexId};
use craig_solver::{Label, Lit, Var};

use crate::partition::{Class, Partition};
use crate::stop::{Poll, Stop, Stopped};
use crate::system::{Labelling, Side};

/// The interpolant of a refutation for one cut, in any labelled system. See [`interpolant`](crate::interpolant).
///
/// # Errors
/// If `stop` requests the end.
///
/// # Panics
/// If `dag` is no refutation.
pub fn labelled_interpolant(
    dag: &ProofDag,
    in_a: &dyn Fn(Label) -> bool,
    labelling: &Labelling<'_>,
    aig: &mut Aig,
    leaf: &mut dyn FnMut(Var) -> Edge,
    stop: &Stop,
) -> Result<Edge, Stopped> {
    let mut poll = Poll::new(stop)?;
    let partition = Partition::polled(dag, in_a, &mut poll)?;
    construct(dag, in_a, &partition, labelling, aig, leaf, &mut poll)
}

/// Turns a proof whose root consists of negated assumptions into a refutation: adds each failed assumption as
/// a leaf with the label that `label` gives it, and resolves with all of them.
///
/// An assumption that belongs to A gets a label of A. The interpolant is then one of A together with its
/// assumptions. Nothing is added if the proof is a refutation already.
///
/// # Panics
/// If the proof has no root.
pub fn close(dag: &mut ProofDag, label: &dyn Fn(Lit) -> Label) {
    let root = dag.root().expect("a proof with a root");
    let clause = dag.clause(root).to_vec();
    if clause.is_empty() {
        return;
    }
    let mut steps = Vec::with_capacity(clause.len());
    for pivot in clause {
        let antecedent = dag.add_leaf(&[!pivot], label(!pivot));
        steps.push(Step { pivot, antecedent });
    }
    dag.add_chain(root, &steps)
        .expect("units against the literals of a clause");
}

/// The pass over the proof, for given classes of the variables.
pub(crate) fn construct(
    dag: &ProofDag,
    in_a: &dyn Fn(Label) -> bool,
    partition: &Partition,
    labelling: &Labelling<'_>,
    aig: &mut Aig,
    leaf: &mut dyn FnMut(Var) -> Edge,
    poll: &mut Poll<'_>,
) -> Result<Edge, Stopped> {
    assert!(
        dag.is_refutation(),
        "an interpolant needs a refutation: close a proof under assumptions first"
    );
    let mut construction = Construction {
        dag,
        in_a,
        aig,
        leaf,
        edges: vec![None; dag.n_vars()],
        partial: Vec::with_capacity(dag.n_vertices()),
    };
    match labelling {
        Labelling::Occurrences(side) => construction.by_occurrences(partition, side, poll)?,
        _ => {
            let sides = partition.sides(labelling).expect("one label per variable");
            construction.by_variables(&sides, poll)?;
        }
    }
    let root = dag.root().expect("a refutation has a root");
    Ok(construction.partial[root as usize])
}

struct Construction<'a> {
    dag: &'a ProofDag,
    in_a: &'a dyn Fn(Label) -> bool,
    aig: &'a mut Aig,
    leaf: &'a mut dyn FnMut(Var) -> Edge,
    /// By variable: the edge that `leaf` has returned, if it was called.
    edges: Vec<Option<Edge>>,
    /// By vertex: the partial interpolant. Its length is the number of vertices that the pass has visited.
    partial: Vec<Edge>,
}

impl Construction<'_> {
    fn edge(&mut self, lit: Lit) -> Edge {
        let var = lit.var();
        let edge = match self.edges[var.index()] {
            Some(edge) => edge,
            None => {
                let edge = (self.leaf)(var);
                self.edges[var.index()] = Some(edge);
                edge
            }
        };
        edge.negate_if(lit.is_negated())
    }

    /// The partial interpolant of a leaf: the disjunction of the b-literals of an A clause, the conjunction
    /// of the negated a-literals of a B clause.
    fn original(
        &mut self,
        vertex: VertexId,
        label: Label,
        mut side: impl FnMut(usize, Lit) -> Side,
    ) -> Edge {
        let dag = self.dag;
        let clause = dag.clause(vertex);
        let (wanted, in_a) = if (self.in_a)(label) {
            (Side::B, true)
        } else {
            (Side::A, false)
        };
        let mut result = Edge::TRUE;
        for (position, &lit) in clause.iter().enumerate() {
            if side(position, lit) == wanted {
                let edge = self.edge(lit);
                result = self.aig.and(result, !edge);
            }
        }
        // The disjunction is built as the negated conjunction of the negated literals.
        result.negate_if(in_a)
    }

    /// The partial interpolant of a resolvent. The clause of `left` contains `pivot`, that of `right` its
    /// negation.
    fn resolvent(&mut self, side: Side, pivot: Lit, left: Edge, right: Edge) -> Edge {
        match side {
            Side::A => self.aig.or(left, right),
            Side::B => self.aig.and(left, right),
            Side::Both if left == right => left,
            Side::Both => {
                let pivot = self.edge(pivot);
                let first = self.aig.or(pivot, left);
                let second = self.aig.or(!pivot, right);
                self.aig.and(first, second)
            }
        }
    }

    /// One label for all occurrences of a variable. A join never changes a label then, so the pivot's
    /// variable alone determines how two partial interpolants are combined.
    fn by_variables(&mut self, sides: &[Side], poll: &mut Poll<'_>) -> Result<(), Stopped> {
        let dag = self.dag;
        for vertex in dag.vertices() {
            let edge = match dag.origin(vertex) {
                Origin::Leaf { label } => {
                    poll.spend(1 + dag.clause(vertex).len())?;
                    self.original(vertex, label, |_, lit| sides[lit.var().index()])
                }
                Origin::Chain { first, steps } => {
                    poll.spend(1)?;
                    let mut edge = self.partial[first as usize];
                    for step in steps {
                        poll.spend(1)?;
                        let side = sides[step.pivot.var().index()];
                        let other = self.partial[step.antecedent as usize];
                        edge = self.resolvent(side, step.pivot, edge, other);
                    }
                    edge
                }
            };
            self.partial.push(edge);
        }
        Ok(())
    }

    /// A label for each occurrence of a literal in a leaf; the label of a literal of a resolvent is the join
    /// of those in the antecedents.
    fn by_occurrences(
        &mut self,
        partition: &Partition,
        side: &dyn Fn(VertexId, Lit) -> Side,
        poll: &mut Poll<'_>,
    ) -> Result<(), Stopped> {
        let dag = self.dag;
        // The label of each literal of each vertex, in the order of `ProofDag::clause`.
        let mut labels: Vec<Side> = Vec::new();
        let mut starts: Vec<usize> = Vec::with_capacity(dag.n_vertices());
        // By literal: its label in the current resolvent; `None` if the resolvent does not contain it.
        let mut current: Vec<Option<Side>> = vec![None; 2 * dag.n_vars()];
        for vertex in dag.vertices() {
            poll.spend(1 + dag.clause(vertex).len())?;
            let start = labels.len();
            starts.push(start);
            let edge = match dag.origin(vertex) {
                Origin::Leaf { label } => {
                    labels.extend(dag.clause(vertex).iter().map(|&lit| {
                        match partition.class(lit.var()) {
                            Class::Shared => side(vertex, lit),
                            Class::ALocal => Side::A,
                            Class::BLocal | Class::Absent => Side::B,
                        }
                    }));
                    self.original(vertex, label, |position, _| labels[start + position])
                }
                Origin::Chain { first, steps } => {
                    let clause = dag.clause(first).iter();
                    for (&lit, &side) in clause.zip(&labels[starts[first as usize]..]) {
                        current[lit.index()] = Some(side);
                    }
                    let mut edge = self.partial[first as usize];
                    for &Step { pivot, antecedent } in steps {
                        poll.spend(1 + dag.clause(antecedent).len())?;
                        let mut pivot_side = current[pivot.index()].take().expect("a valid step");
                        let clause = dag.clause(antecedent).iter();
                        let start = starts[antecedent as usize];
                        for (&lit, &side) in clause.zip(&labels[start..]) {
                            if lit == !pivot {
                                pivot_side = pivot_side.join(side);
                            } else {
                                let label = &mut current[lit.index()];
                                *label = Some(label.map_or(side, |label| label.join(side)));
                            }
                        }
                        let other = self.partial[antecedent as usize];
                        edge = self.resolvent(pivot_side, pivot, edge, other);
                    }
                    // The literals of the last resolvent are those of the vertex; taking them empties
                    // `current`.
                    labels.extend(dag.clause(vertex).iter().map(|lit| {
                        current[lit.index()]
                            .take()
                            .expect("a chain's clause is its resolvent")
                    }));
                    edge
                }
            };
            self.partial.push(edge);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{
        MAX_VARS, clauses_table, deep_proof, formulas, graph, lits, merge_chains, occurs, refute,
        table,
    };
    use crate::interpolant;
    use crate::labelling::{random_occurrence_side, random_variable_side};
    use crate::system::System;
    use craig_solver::Cnf;
    use proptest::prelude::*;

    /// The truth table of an interpolant, after all three conditions have been checked on truth tables.
    fn checked(cnf: &Cnf, dag: &ProofDag, cut: Label, labelling: &Labelling<'_>) -> u64 {
        let (mut aig, inputs) = graph();
        let edge = labelled_interpolant(
            dag,
            &|label| label <= cut,
            labelling,
            &mut aig,
            &mut |var| {
                assert!(occurs(cnf, var, |label| label <= cut));
                assert!(occurs(cnf, var, |label| label > cut));
                inputs[var.index()]
            },
            &Stop::never(),
        )
        .unwrap();
        let table = table(&aig, edge);
        assert_eq!(clauses_table(cnf, |label| label <= cut) & !table, 0);
        assert_eq!(clauses_table(cnf, |label| label > cut) & table, 0);
        table
    }

    /// A: p, p -> x, p -> y. B: !x or !y or z, !z or !x.
    fn example() -> (Cnf, ProofDag) {
        let mut cnf = Cnf::new();
        for (clause, label) in [
            (&[1][..], 0),
            (&[-1, 2], 0),
            (&[-1, 3], 0),
            (&[-2, -3, 4], 1),
            (&[-4, -2], 1),
        ] {
            cnf.add_labelled_clause(&lits(clause), label);
        }
        let dag = refute(&cnf, &[0, 1, 2, 3]).unwrap();
        (cnf, merge_chains(&dag))
    }

    #[test]
    fn a_small_example_has_the_interpolant_x_and_y_in_every_system() {
        let (cnf, dag) = example();
        for system in System::ALL {
            let table = checked(&cnf, &dag, 0, &system.into());
            let [x, y] = [1, 2].map(|v| crate::fixtures::variable_table(Var::new(v)));
            assert_eq!(table, x & y);
        }
    }

    #[test]
    fn one_sided_refutations_give_constants() {
        let mut dag = ProofDag::new();
        let positive = dag.add_leaf(&lits(&[1]), 0);
        let antecedent = dag.add_leaf(&lits(&[-1]), 0);
        let pivot = Var::new(0).positive();
        dag.add_chain(positive, &[Step { pivot, antecedent }])
            .unwrap();
        for system in System::ALL {
            let mut aig = Aig::new();
            let mut of = |in_a| {
                let leaf = &mut |_| unreachable!("no variable is shared");
                interpolant(&dag, &|_| in_a, system, &mut aig, leaf, &Stop::never())
            };
            assert_eq!(of(true), Ok(Edge::FALSE));
            assert_eq!(of(false), Ok(Edge::TRUE));
        }
    }

    #[test]
    fn a_proof_under_assumptions_can_be_closed() {
        let mut dag = ProofDag::new();
        dag.add_leaf(&lits(&[-1, -2]), 0);
        close(&mut dag, &|lit| lit.var().index() as Label);
        assert!(dag.is_refutation());
        let mut aig = Aig::new();
        let x = aig.add_input();
        let edge = interpolant(
            &dag,
            &|label| label == 0,
            System::McMillan,
            &mut aig,
            &mut |var| {
                assert_eq!(var.index(), 1);
                x
            },
            &Stop::never(),
        );
        assert_eq!(edge, Ok(!x));
        let vertices = dag.n_vertices();
        close(&mut dag, &|_| 0);
        assert_eq!(dag.n_vertices(), vertices);
    }

    #[test]
    #[should_panic(expected = "needs a refutation")]
    fn a_proof_of_something_else_is_refused() {
        let mut dag = ProofDag::new();
        dag.add_leaf(&lits(&[1]), 0);
        let (mut aig, never) = (Aig::new(), Stop::never());
        let leaf = &mut |_| Edge::TRUE;
        let _ = interpolant(&dag, &|_| true, System::McMillan, &mut aig, leaf, &never);
    }

    /// Stops the construction at each poll, from the first to the last.
    #[test]
    fn construction_can_be_stopped_at_every_poll() {
        use std::sync::Arc;
        use std::sync::atomic::{AtomicUsize, Ordering};
        let dag = deep_proof(5_000);
        let occurrences = |_, _| Side::Both;
        for labelling in [
            Labelling::Uniform(System::Symmetric),
            Labelling::Occurrences(&occurrences),
        ] {
            let run = |n_polls: usize| {
                let n_asked = Arc::new(AtomicUsize::new(0));
                let count = Arc::clone(&n_asked);
                let stop = Stop::when(move || count.fetch_add(1, Ordering::Relaxed) == n_polls);
                let mut aig = Aig::new();
                let inputs: Vec<Edge> = (0..dag.n_vars()).map(|_| aig.add_input()).collect();
                let leaf = &mut |var: Var| inputs[var.index()];
                let in_a = |label| label == 0;
                let result = labelled_interpolant(&dag, &in_a, &labelling, &mut aig, leaf, &stop);
                (result, n_asked.load(Ordering::Relaxed))
            };
            let (result, n_polls) = run(usize::MAX);
            assert!(result.is_ok());
            // Some 40,000 literals and steps, counted twice: by the partition and by the pass.
            assert!((4..30).contains(&n_polls), "{n_polls}");
            for at in 0..n_polls {
                assert_eq!(run(at), (Err(Stopped), at + 1));
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

        #[test]
        fn every_system_and_cut_gives_interpolants_in_order_of_strength(
            cnf in formulas(),
            order in Just((0..MAX_VARS).collect::<Vec<_>>()).prop_shuffle(),
            seed in any::<u64>(),
        ) {
            let dag = refute(&cnf, &order);
            prop_assume!(dag.is_some());
            let split = dag.unwrap();
            let merged = merge_chains(&split);
            for dag in [&split, &merged] {
                for cut in 0..5 {
                    let of = |labelling: &Labelling<'_>| checked(&cnf, dag, cut, labelling);
                    let [strong, middle, weak] = System::ALL.map(|system| of(&system.into()));
                    prop_assert_eq!(strong & !middle, 0);
                    prop_assert_eq!(middle & !weak, 0);
                    // Labels per occurrence give the same result as labels per variable.
                    for (system, fast) in System::ALL.into_iter().zip([strong, middle, weak]) {
                        let slow = of(&Labelling::Occurrences(&|_, _| system.side()));
                        prop_assert_eq!(slow, fast);
                    }
                    // Any labelling lies between the extremes, and stronger labels give stronger formulas.
                    let by_variable = |var: Var| random_variable_side(seed, var);
                    let by_occurrence = |vertex, lit| random_occurrence_side(seed, vertex, lit);
                    let variables = of(&Labelling::Variables(&by_variable));
                    let occurrences = of(&Labelling::Occurrences(&by_occurrence));
                    for between in [variables, occurrences] {
                        prop_assert_eq!(strong & !between, 0);
                        prop_assert_eq!(between & !weak, 0);
                    }
                    let strengthened = of(&Labelling::Occurrences(&|vertex, lit| {
                        match by_occurrence(vertex, lit) {
                            Side::A => Side::Both,
                            other => other,
                        }
                    }));
                    prop_assert_eq!(strengthened & !occurrences, 0);
                }
            }
        }

        #[test]
        fn deriving_backward_is_deriving_forward_in_the_dual(
            cnf in formulas(),
            cut in 0..5 as Label,
        ) {
            let dag = refute(&cnf, &[0, 1, 2, 3, 4, 5]);
            prop_assume!(dag.is_some());
            let dag = dag.unwrap();
            for system in System::ALL {
                let (mut aig, inputs) = graph();
                let leaf = &mut |var: Var| inputs[var.index()];
                let never = Stop::never();
                let (in_a, in_b) = (|label| label <= cut, |label| label > cut);
                let forward = interpolant(&dag, &in_a, system, &mut aig, leaf, &never)?;
                let backward = interpolant(&dag, &in_b, system.dual(), &mut aig, leaf, &never)?;
                prop_assert_eq!(table(&aig, forward), !table(&aig, backward));
            }
        }
    }
}
