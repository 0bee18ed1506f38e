//! The grid of a strength study: proofs times transforms times labellings, for one problem.

use std::time::{Duration, Instant};

use craig_solver::aig::{Aig, Edge, NodeId};
use craig_solver::proof::{Origin, ProofDag};
use craig_solver::{Cnf, Label, Limits, Var};

use super::density::{Density, DensityBudget, density};
use super::order::{Order, order};
use super::size::{Size, size};
use crate::construct::labelled_interpolant;
use crate::labelling::Choice;
use crate::prove::{NoRefutation, prove};
use crate::verify::{Verifier, Violation};

/// A function from proof to proof; its second argument says which labels belong to A.
pub type ProofFunction<'a> = dyn Fn(&ProofDag, &dyn Fn(Label) -> bool) -> ProofDag + 'a;

/// A named function from proof to proof.
#[derive(Clone, Copy)]
pub struct Transform<'a> {
    /// For tables.
    pub name: &'a str,
    /// The function itself.
    pub apply: &'a ProofFunction<'a>,
}

/// What is varied, and what is measured.
#[derive(Clone)]
pub struct Grid<'a> {
    /// Seeds of searches; each gives a proof.
    pub seeds: Vec<u64>,
    /// What is done to each proof.
    pub transforms: Vec<Transform<'a>>,
    /// What each proof is interpolated with.
    pub labellings: Vec<Choice>,
    /// Budget of each search.
    pub limits: Limits,
    /// Budget of each density.
    pub density: DensityBudget,
    /// Conflicts that one comparison of two formulas may take.
    pub comparison_conflicts: Option<u64>,
    /// Whether to check Craig's conditions by SAT.
    pub verify: bool,
}

/// One proof of a study.
#[derive(Clone, Debug)]
pub struct ProofRecord {
    /// The seed of its search.
    pub seed: u64,
    /// The transform that was applied.
    pub transform: String,
    /// Original clauses.
    pub core: usize,
    /// Vertices, the original clauses included.
    pub vertices: usize,
    /// Binary resolutions.
    pub resolutions: usize,
    /// Literals of all vertices.
    pub literals: usize,
    /// Resolutions on the longest path to the root.
    pub depth: usize,
    /// How long the transform took.
    pub time: Duration,
}

/// One interpolant of a study.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The proof that it was drawn from, by position in [`Study::proofs`].
    pub proof: usize,
    /// The labelling, by its name.
    pub labelling: String,
    /// The formula.
    pub edge: Edge,
    /// Whether Craig's conditions hold; `None` if that was not checked.
    pub verdict: Option<Result<(), Violation>>,
    /// Its size, as constructed.
    pub size: Size,
    /// The fraction of the assignments to the shared variables that satisfy it.
    pub density: Density,
    /// How long the construction took.
    pub time: Duration,
}

/// What a study found.
#[derive(Clone, Debug)]
pub struct Study {
    /// The proofs, by seed and transform.
    pub proofs: Vec<ProofRecord>,
    /// The interpolants.
    pub entries: Vec<Entry>,
    /// Which of the interpolants implies which.
    pub order: Order,
    /// How many variables the two sides share.
    pub n_shared: usize,
    /// The graph that holds the interpolants.
    pub aig: Aig,
    /// The variable that each input of the graph stands for.
    pub variables: Vec<Var>,
    /// How long each search took, by seed.
    pub search_times: Vec<Duration>,
}

/// Why a problem could not be studied.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("seed {seed}: {reason}")]
pub struct StudyError {
    /// The search that failed.
    pub seed: u64,
    /// What it ended with.
    pub reason: NoRefutation,
}

/// Runs the grid on one problem: the clauses with labels up to and including `cut` against the others.
///
/// # Errors
/// If a search yields no refutation.
pub fn study(cnf: &Cnf, cut: Label, grid: &Grid<'_>) -> Result<Study, StudyError> {
    let in_a = |label: Label| label <= cut;
    let mut aig = Aig::new();
    let variables = shared_variables(cnf, &in_a);
    let mut inputs = vec![None; cnf.n_vars()];
    for var in &variables {
        inputs[var.index()] = Some(aig.add_input());
    }
    let variable_of = |_: usize, node: NodeId| variables.get(node as usize - 1).copied();
    let mut result = Study {
        proofs: Vec::new(),
        entries: Vec::new(),
        order: Order {
            implies: Vec::new(),
            classes: Vec::new(),
            covers: Vec::new(),
        },
        n_shared: variables.len(),
        aig: Aig::new(),
        variables: Vec::new(),
        search_times: Vec::new(),
    };
    for &seed in &grid.seeds {
        let start = Instant::now();
        let original =
            prove(cnf, seed, grid.limits).map_err(|reason| StudyError { seed, reason })?;
        result.search_times.push(start.elapsed());
        for transform in &grid.transforms {
            let start = Instant::now();
            let dag = (transform.apply)(&original, &in_a);
            let time = start.elapsed();
            let proof = result.proofs.len();
            result
                .proofs
                .push(ProofRecord::new(&dag, seed, transform.name, time));
            for labelling in &grid.labellings {
                let start = Instant::now();
                let edge = labelling.with(0, |labelling| {
                    labelled_interpolant(&dag, &in_a, labelling, &mut aig, &mut |var| {
                        inputs[var.index()].expect("what a proof shares, the formula shares")
                    })
                });
                let time = start.elapsed();
                let verifier = Verifier {
                    cnf,
                    aig: &aig,
                    variable: &variable_of,
                };
                result.entries.push(Entry {
                    proof,
                    labelling: labelling.name(),
                    edge,
                    verdict: grid.verify.then(|| verifier.interpolant(&in_a, edge)),
                    size: size(&aig, edge),
                    density: density(&aig, edge, &grid.density),
                    time,
                });
            }
        }
    }
    let edges: Vec<Edge> = result.entries.iter().map(|entry| entry.edge).collect();
    result.order = order(&aig, &edges, grid.comparison_conflicts);
    result.aig = aig;
    result.variables = variables;
    Ok(result)
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

impl ProofRecord {
    fn new(dag: &ProofDag, seed: u64, transform: &str, time: Duration) -> Self {
        let mut record = Self {
            seed,
            transform: transform.into(),
            core: 0,
            vertices: dag.n_vertices(),
            resolutions: dag.n_steps(),
            literals: 0,
            depth: 0,
            time,
        };
        let mut depths: Vec<usize> = Vec::with_capacity(dag.n_vertices());
        for vertex in dag.vertices() {
            record.literals += dag.clause(vertex).len();
            let depth = match dag.origin(vertex) {
                Origin::Leaf { .. } => {
                    record.core += 1;
                    0
                }
                Origin::Chain { first, steps } => {
                    steps.iter().fold(depths[first as usize], |depth, step| {
                        depth.max(depths[step.antecedent as usize]) + 1
                    })
                }
            };
            depths.push(depth);
        }
        record.depth = dag.root().map_or(0, |root| depths[root as usize]);
        record
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::formulas;
    use crate::system::System;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

        #[test]
        fn all_entries_are_interpolants_in_the_known_order(cnf in formulas(), cut in 0..4 as Label) {
            let unchanged = Transform { name: "none", apply: &|dag, _| dag.clone() };
            let labellings: Vec<Choice> = System::ALL
                .map(Choice::Classic)
                .into_iter()
                .chain([Choice::RandomVariables(3), Choice::RandomOccurrences(3)])
                .collect();
            let n_labellings = labellings.len();
            let grid = Grid {
                seeds: vec![0, 1, 2],
                transforms: vec![unchanged],
                labellings,
                limits: Limits::default(),
                density: DensityBudget::default(),
                comparison_conflicts: None,
                verify: true,
            };
            let study = study(&cnf, cut, &grid);
            prop_assume!(study.is_ok());
            let study = study.unwrap();
            prop_assert_eq!(study.entries.len(), 3 * n_labellings);
            for entry in &study.entries {
                prop_assert_eq!(entry.verdict, Some(Ok(())));
                prop_assert!(entry.size.support <= study.n_shared);
            }
            for first in (0..study.entries.len()).step_by(n_labellings) {
                let density = |at: usize| study.entries[first + at].density.value;
                prop_assert!(density(0) <= density(1) && density(1) <= density(2));
                for (strong, weak) in [(0, 1), (1, 2), (0, 3), (3, 2), (0, 4), (4, 2)] {
                    let implied = study.order.implies[first + strong][first + weak];
                    prop_assert_eq!(implied, Some(true));
                }
            }
        }
    }
}
