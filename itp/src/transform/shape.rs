//! Whether an interpolant is in conjunctive normal form.

use craig_solver::Label;
use craig_solver::proof::{Origin, ProofDag};

use crate::partition::{Class, Partition};

/// The form in which McMillan's system builds an interpolant, after constants are propagated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Shape {
    /// True.
    True,
    /// False.
    False,
    /// A disjunction of literals.
    Clause,
    /// A conjunction of clauses.
    Cnf,
    /// A disjunction with a conjunction among its operands.
    Nested,
}

impl Shape {
    fn or(self, other: Self) -> Self {
        match (self, other) {
            (Self::True, _) | (_, Self::True) => Self::True,
            (Self::False, shape) | (shape, Self::False) => shape,
            (Self::Clause, Self::Clause) => Self::Clause,
            _ => Self::Nested,
        }
    }

    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::False, _) | (_, Self::False) => Self::False,
            (Self::True, shape) | (shape, Self::True) => shape,
            (Self::Nested, _) | (_, Self::Nested) => Self::Nested,
            _ => Self::Cnf,
        }
    }

    /// Whether it is a conjunction of any number of clauses.
    #[must_use]
    pub fn is_cnf(self) -> bool {
        self != Self::Nested
    }
}

/// The shape of McMillan's interpolant of a refutation: it is in CNF unless a resolution on a variable local
/// to A depends on one on another variable (R. Jhala and K. L. McMillan, "Interpolant-based transition
/// relation approximation", LMCS 2007, section 7).
///
/// # Panics
/// If the proof has no root.
#[must_use]
pub fn shape(dag: &ProofDag, in_a: &dyn Fn(Label) -> bool) -> Shape {
    let partition = Partition::new(dag, in_a);
    let mut shapes: Vec<Shape> = Vec::with_capacity(dag.n_vertices());
    for vertex in dag.vertices() {
        let shape = match dag.origin(vertex) {
            Origin::Leaf { label } if in_a(label) => {
                let mut lits = dag.clause(vertex).iter();
                if lits.any(|lit| partition.class(lit.var()) == Class::Shared) {
                    Shape::Clause
                } else {
                    Shape::False
                }
            }
            Origin::Leaf { .. } => Shape::True,
            Origin::Chain { first, steps } => {
                steps.iter().fold(shapes[first as usize], |shape, step| {
                    let other = shapes[step.antecedent as usize];
                    match partition.class(step.pivot.var()) {
                        Class::ALocal => shape.or(other),
                        _ => shape.and(other),
                    }
                })
            }
        };
        shapes.push(shape);
    }
    shapes[dag.root().expect("a proof with a root") as usize]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::fixtures::{clauses_table, formulas, graph, refute, table, variable_table};
    use crate::labelled_interpolant;
    use crate::stop::Stop;
    use crate::system::{Labelling, System};
    use craig_solver::Var;

    /// The conjunction of all clauses, over any literals, that a truth table implies.
    fn is_one_clause(table: u64) -> bool {
        let literals = (0..6).flat_map(|index| {
            let positive = variable_table(Var::new(index));
            [positive, !positive]
        });
        // A clause is the disjunction of the literals that imply it.
        literals
            .filter(|literal| literal & !table == 0)
            .fold(0, |all, it| all | it)
            == table
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]

        /// A shape says what McMillan's interpolant is; each of them is reached.
        #[test]
        fn shapes_are_those_of_the_interpolant(cnf in formulas(), cut in 0..5 as Label) {
            let Some(dag) = refute(&cnf, &[2, 0, 5, 1, 3, 4]) else {
                return Ok(());
            };
            let in_a = |label: Label| label <= cut;
            let (mut aig, inputs) = graph();
            let leaf = &mut |var: Var| inputs[var.index()];
            let labelling = Labelling::Uniform(System::McMillan);
            let edge = labelled_interpolant(&dag, &in_a, &labelling, &mut aig, leaf, &Stop::never())?;
            let (table, shape) = (table(&aig, edge), shape(&dag, &in_a));
            prop_assert_eq!(clauses_table(&cnf, in_a) & !table, 0);
            match shape {
                Shape::True => prop_assert_eq!(table, u64::MAX),
                Shape::False => prop_assert_eq!(table, 0),
                Shape::Clause => prop_assert!(is_one_clause(table)),
                Shape::Cnf | Shape::Nested => {}
            }
            prop_assert_eq!(shape.is_cnf(), shape <= Shape::Cnf);
        }
    }

    #[test]
    fn shapes_are_combined_as_formulas_are() {
        use Shape::{Clause, Cnf, False, Nested, True};
        let all = [True, False, Clause, Cnf, Nested];
        for shape in all {
            assert_eq!([shape.or(True), True.or(shape)], [True; 2]);
            assert_eq!([shape.or(False), False.or(shape)], [shape; 2]);
            assert_eq!([shape.and(True), True.and(shape)], [shape; 2]);
            assert_eq!([shape.and(False), False.and(shape)], [False; 2]);
            let of_many = [Clause, Cnf, Nested].contains(&shape);
            if of_many {
                assert_eq!(shape.and(Nested), Nested);
                assert_eq!(shape.or(Cnf), Nested);
            }
        }
        assert_eq!((Clause.or(Clause), Clause.and(Clause)), (Clause, Cnf));
        assert_eq!((Clause.and(Cnf), Cnf.and(Cnf)), (Cnf, Cnf));
    }
}
