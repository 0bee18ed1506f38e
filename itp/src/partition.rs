//! The sides of a cut on which the variables of a proof occur.

use craig_solver::proof::{Origin, ProofDag};
use craig_solver::{Cnf, Label, Var};

use crate::stop::{Poll, Stop, Stopped};
use crate::system::{Labelling, Side};

/// Where a variable occurs among the original clauses of a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// In no original clause of the proof.
    Absent,
    /// Only in clauses of A.
    ALocal,
    /// Only in clauses of B.
    BLocal,
    /// In clauses of both: the variables that an interpolant may contain.
    Shared,
}

/// The classes of all variables of a proof, for one choice of A.
///
/// Only the leaves of the proof count. A trimmed proof uses fewer clauses than the formula that it refutes,
/// so fewer variables are shared. An interpolant of the used clauses is one of the whole formula.
#[derive(Clone, Debug)]
pub struct Partition {
    classes: Vec<Class>,
}

impl Partition {
    /// The classes when the leaves whose label satisfies `in_a` form A, and the others B.
    #[must_use]
    pub fn new(dag: &ProofDag, in_a: &dyn Fn(Label) -> bool) -> Self {
        Poll::new(&Stop::never())
            .and_then(|mut poll| Self::polled(dag, in_a, &mut poll))
            .expect("nothing stops it")
    }

    /// [`Partition::new`], until a stop is requested.
    pub(crate) fn polled(
        dag: &ProofDag,
        in_a: &dyn Fn(Label) -> bool,
        poll: &mut Poll<'_>,
    ) -> Result<Self, Stopped> {
        let mut classes = vec![Class::Absent; dag.n_vars()];
        for vertex in dag.vertices() {
            let Origin::Leaf { label } = dag.origin(vertex) else {
                poll.spend(1)?;
                continue;
            };
            poll.spend(1 + dag.clause(vertex).len())?;
            let here = if in_a(label) {
                Class::ALocal
            } else {
                Class::BLocal
            };
            for lit in dag.clause(vertex) {
                let class = &mut classes[lit.var().index()];
                *class = match *class {
                    Class::Absent => here,
                    other if other == here => here,
                    _ => Class::Shared,
                };
            }
        }
        Ok(Self { classes })
    }

    /// The class of a variable; [`Class::Absent`] for those that the proof does not have.
    #[must_use]
    pub fn class(&self, var: Var) -> Class {
        self.classes
            .get(var.index())
            .copied()
            .unwrap_or(Class::Absent)
    }

    /// The shared variables, in increasing order.
    pub fn shared(&self) -> impl Iterator<Item = Var> + '_ {
        self.classes
            .iter()
            .enumerate()
            .filter(|&(_, &class)| class == Class::Shared)
            .map(|(index, _)| Var::new(index))
    }

    /// The label of every variable under a labelling that has one label for each. `None` for
    /// [`Labelling::Occurrences`].
    ///
    /// An absent variable is never resolved on; it gets an arbitrary label.
    pub(crate) fn sides(&self, labelling: &Labelling<'_>) -> Option<Vec<Side>> {
        let shared: &dyn Fn(Var) -> Side = match labelling {
            Labelling::Uniform(system) => {
                let side = system.side();
                &move |_| side
            }
            Labelling::Variables(side) => side,
            Labelling::Occurrences(_) => return None,
        };
        let side_of = |(index, class): (usize, &Class)| match class {
            Class::ALocal => Side::A,
            Class::Absent | Class::BLocal => Side::B,
            Class::Shared => shared(Var::new(index)),
        };
        Some(self.classes.iter().enumerate().map(side_of).collect())
    }
}

/// By variable: the smallest and the largest label of the leaves that contain it. They determine the classes
/// of every cut without another pass over the proof.
#[derive(Clone, Debug)]
pub(crate) struct Spans {
    spans: Vec<Option<(Label, Label)>>,
}

impl Spans {
    pub(crate) fn new(dag: &ProofDag, poll: &mut Poll<'_>) -> Result<Self, Stopped> {
        let mut spans = vec![None; dag.n_vars()];
        for vertex in dag.vertices() {
            let Origin::Leaf { label } = dag.origin(vertex) else {
                poll.spend(1)?;
                continue;
            };
            poll.spend(1 + dag.clause(vertex).len())?;
            for lit in dag.clause(vertex) {
                let span = &mut spans[lit.var().index()];
                *span = match *span {
                    None => Some((label, label)),
                    Some((least, greatest)) => Some((label.min(least), label.max(greatest))),
                };
            }
        }
        Ok(Self { spans })
    }

    /// The classes when the labels up to and including `cut` form A.
    pub(crate) fn partition(&self, cut: Label) -> Partition {
        let class_of = |span: &Option<(Label, Label)>| match *span {
            None => Class::Absent,
            Some((_, greatest)) if greatest <= cut => Class::ALocal,
            Some((least, _)) if least > cut => Class::BLocal,
            Some(_) => Class::Shared,
        };
        Partition {
            classes: self.spans.iter().map(class_of).collect(),
        }
    }
}

/// The variables that occur on both sides of a formula, in increasing order.
#[must_use]
pub fn shared_variables(cnf: &Cnf, in_a: &dyn Fn(Label) -> bool) -> Vec<Var> {
    let mut sides = vec![[false; 2]; cnf.n_vars()];
    for (clause, label) in cnf.iter() {
        for lit in clause {
            sides[lit.var().index()][usize::from(in_a(label))] = true;
        }
    }
    (0..cnf.n_vars())
        .filter(|&index| sides[index] == [true; 2])
        .map(Var::new)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::lits;

    #[test]
    fn a_variable_is_shared_where_both_sides_have_it() {
        let mut dag = ProofDag::new();
        dag.add_leaf(&lits(&[1, 2]), 1);
        dag.add_leaf(&lits(&[-2, 3]), 2);
        dag.add_leaf(&lits(&[-3, 5]), 3);
        let classes = |partition: &Partition| {
            let class = |index| partition.class(Var::new(index));
            (0..6).map(class).collect::<Vec<_>>()
        };
        use Class::{ALocal, Absent, BLocal, Shared};
        let first = [ALocal, Shared, BLocal, Absent, BLocal, Absent];
        let second = [ALocal, ALocal, Shared, Absent, BLocal, Absent];
        let spans = Spans::new(&dag, &mut Poll::new(&Stop::never()).unwrap()).unwrap();
        for (cut, expected) in [(1, first), (2, second)] {
            let direct = Partition::new(&dag, &|label| label <= cut);
            assert_eq!(classes(&direct), expected);
            assert_eq!(classes(&spans.partition(cut)), expected);
            assert_eq!(direct.shared().count(), 1);
        }
    }
}
