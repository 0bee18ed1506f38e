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
