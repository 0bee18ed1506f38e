//! The derivation of an interpolant that a user chooses: a labelling, or clause by clause.

use std::collections::HashMap;

use craig_aig::{Aig, Edge};
use craig_solver::proof::{Origin, ProofDag};
use craig_solver::{Cnf, Label, Lit, Var};

use crate::clausewise::{clausewise, clausewise_sequence, conjunction};
use crate::construct::labelled_interpolant;
use crate::labelling::{VariableLabels, random_occurrence_side};
use crate::proof_sensitive::{Occurrences, ProofSensitive};
use crate::rule::Rule;
use crate::sequence::{labelled_sequence, sequence_by_cut};
use crate::stop::{Stop, Stopped};
use crate::system::{Labelling, Side, System};

/// A labelling that owns its data, or another derivation: chosen by a user, or one of several in a study.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// A labelling of any proof.
    Rule(Rule),
    /// No labelling: a conjunction of clauses ([`clausewise`](fn@clausewise)).
    Clausewise,
    /// A random label for every occurrence of a literal in a leaf, from a seed.
    RandomOccurrences(u64),
    /// Labels from a file, with its name.
    Labels(String, VariableLabels),
}

/// A refutation of a formula, and one cut of it.
#[derive(Clone, Copy)]
pub struct Cut<'a> {
    /// The formula.
    pub cnf: &'a Cnf,
    /// Its refutation.
    pub dag: &'a ProofDag,
    /// Which labels belong to A.
    pub in_a: &'a dyn Fn(Label) -> bool,
    /// The number of the cut or partition, for labels of single ones.
    pub number: usize,
    /// Ends a computation early.
    pub stop: &'a Stop,
}

impl From<Rule> for Choice {
    fn from(rule: Rule) -> Self {
        Self::Rule(rule)
    }
}

impl From<System> for Choice {
    fn from(system: System) -> Self {
        Self::Rule(system.into())
    }
}

impl From<ProofSensitive> for Choice {
    fn from(kind: ProofSensitive) -> Self {
        Self::Rule(Rule::ProofSensitive(kind))
    }
}

impl Choice {
    /// The interpolant at a cut. `leaf` maps a shared variable to its edge in `aig`.
    ///
    /// # Errors
    /// If `at.stop` requests the end.
    ///
    /// # Panics
    /// If `at.dag` is no refutation.
    pub fn interpolant(
        &self,
        at: &Cut<'_>,
        aig: &mut Aig,
        leaf: &mut dyn FnMut(Var) -> Edge,
    ) -> Result<Edge, Stopped> {
        if *self == Self::Clausewise {
            let clauses = clausewise(at.cnf, at.dag, at.in_a, at.stop)?;
            return Ok(conjunction(&clauses, aig, leaf));
        }
        self.with(at, |labelling| {
            labelled_interpolant(at.dag, at.in_a, labelling, aig, leaf, at.stop)
        })
    }

    /// Interpolants for several cuts, each of which follows from the one before it and the clauses between: with
    /// labels from a file only if these do not get stronger from one cut to the next, and not with random labels of
    /// occurrences. `leaf(i, var)` maps a variable that is shared at cut `i` to its edge in `aig`.
    ///
    /// # Errors
    /// If `stop` requests the end.
    ///
    /// # Panics
    /// If `dag` is no refutation.
    pub fn sequence(
        &self,
        (cnf, dag): (&Cnf, &ProofDag),
        cuts: &[Label],
        aig: &mut Aig,
        leaf: &mut dyn FnMut(usize, Var) -> Edge,
        stop: &Stop,
    ) -> Result<Vec<Edge>, Stopped> {
        match self {
            Self::Clausewise => {
                let all = clausewise_sequence(cnf, dag, cuts, stop)?;
                let edge =
                    |(index, clauses)| conjunction(clauses, aig, &mut |var| leaf(index, var));
                Ok(all.iter().enumerate().map(edge).collect())
            }
            Self::Rule(rule) => rule.sequence(dag, cuts, aig, leaf, stop),
            Self::Labels(_, labels) if labels.differs_between_cuts() => {
                let side = |index: usize, var| labels.side(cuts[index] as usize, var);
                sequence_by_cut(dag, cuts, &side, aig, leaf, stop)
            }
            _ => {
                let in_a = &|_| true;
                let at = Cut {
                    cnf,
                    dag,
                    in_a,
                    number: 0,
                    stop,
                };
                self.with(&at, |labelling| {
                    labelled_sequence(dag, cuts, labelling, aig, leaf, stop)
                })
            }
        }
    }

    /// The label of a shared variable at cut (or partition) `number`; none if the choice has no labels of
    /// variables. `counts` are the occurrences in the proof.
    #[must_use]
    pub fn side(
        &self,
        counts: &Occurrences,
        in_a: &dyn Fn(Label) -> bool,
        number: usize,
        var: Var,
    ) -> Option<Side> {
        match self {
            Self::Rule(rule) => Some(rule.side(counts, in_a, var)),
            Self::Labels(_, labels) if !labels.has_occurrences() => Some(labels.side(number, var)),
            Self::Clausewise | Self::RandomOccurrences(_) | Self::Labels(..) => None,
        }
    }

    /// Calls `use_it` with the labelling at a cut; with McMillan's for [`Choice::Clausewise`].
    ///
    /// # Errors
    /// Those of `use_it`, or if `at.stop` requests the end.
    pub fn with<R, E: From<Stopped>>(
        &self,
        at: &Cut<'_>,
        use_it: impl FnOnce(&Labelling<'_>) -> Result<R, E>,
    ) -> Result<R, E> {
        match self {
            Self::Rule(rule) => rule.with(at.dag, at.in_a, at.stop, use_it),
            Self::Clausewise => use_it(&Labelling::Uniform(System::McMillan)),
            Self::RandomOccurrences(seed) => use_it(&Labelling::Occurrences(&|vertex, lit| {
                random_occurrence_side(*seed, vertex, lit)
            })),
            Self::Labels(_, labels) if labels.has_occurrences() => {
                let clauses = clauses_of_leaves(at.cnf, at.dag);
                use_it(&Labelling::Occurrences(&|vertex, lit| {
                    labels.occurrence_side(at.number, clauses[vertex as usize], lit)
                }))
            }
            Self::Labels(_, labels) => {
                use_it(&Labelling::Variables(&|var| labels.side(at.number, var)))
            }
        }
    }

    /// A name for tables and files.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::Rule(Rule::RandomVariables(seed)) => format!("random-{seed}"),
            Self::Rule(Rule::RandomStrong(seed)) => format!("random-strong-{seed}"),
            Self::Rule(rule) => rule.name().into(),
            Self::Clausewise => "clausewise".into(),
            Self::RandomOccurrences(seed) => format!("occurrences-{seed}"),
            Self::Labels(name, _) => name.clone(),
        }
    }
}

/// By vertex of a proof: for a leaf the first clause of the formula with these literals and this label.
fn clauses_of_leaves(cnf: &Cnf, dag: &ProofDag) -> Vec<Option<usize>> {
    let as_set = |clause: &[Lit]| {
        let mut lits = clause.to_vec();
        lits.sort_unstable();
        lits.dedup();
        lits
    };
    let mut first: HashMap<(Vec<Lit>, Label), usize> = HashMap::new();
    for (index, (clause, label)) in cnf.iter().enumerate() {
        first.entry((as_set(clause), label)).or_insert(index);
    }
    let clause_of = |vertex| match dag.origin(vertex) {
        Origin::Leaf { label } => first.get(&(as_set(dag.clause(vertex)), label)).copied(),
        Origin::Chain { .. } => None,
    };
    dag.vertices().map(clause_of).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::fixtures::{clauses_table, formulas, graph, refute, table};

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        /// Labels from a file, of literals and occurrences: interpolants between the strongest and the weakest.
        #[test]
        fn labels_of_occurrences_give_interpolants(
            cnf in formulas(),
            cut in 0..4 as Label,
            sides in prop::collection::vec(0..3_usize, 24),
        ) {
            if let Some(dag) = refute(&cnf, &[3, 1, 4, 0, 5, 2]) {
                let name = |index: usize| ["a", "b", "ab"][sides[index]];
                let mut text = String::new();
                for var in 1..=6 {
                    text += &format!("lit {var} {}\nlit -{var} {}\n", name(var), name(var + 6));
                    text += &format!("clause {} -{var} {}\n", 2 * var, name(var + 12));
                }
                let labels = VariableLabels::parse(&text).unwrap();
                let choices = [
                    Choice::from(System::McMillan),
                    Choice::Labels("file".into(), labels),
                    Choice::from(System::InverseMcMillan),
                ];
                let in_a = |label: Label| label <= cut;
                let at = Cut { cnf: &cnf, dag: &dag, in_a: &in_a, number: 0, stop: &Stop::never() };
                let tables = choices.map(|choice| {
                    let (mut aig, inputs) = graph();
                    let leaf = &mut |var: Var| inputs[var.index()];
                    let edge = choice.interpolant(&at, &mut aig, leaf).unwrap();
                    table(&aig, edge)
                });
                prop_assert_eq!(clauses_table(&cnf, in_a) & !tables[0], 0);
                prop_assert_eq!(tables[0] & !tables[1], 0);
                prop_assert_eq!(tables[1] & !tables[2], 0);
                prop_assert_eq!(clauses_table(&cnf, |label| !in_a(label)) & tables[2], 0);
            }
        }
    }
}
