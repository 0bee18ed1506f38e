//! The grid of a strength study: proofs times transforms times labellings, for one problem.

use std::fmt;
use std::time::Duration;

use craig_solver::aig::{Aig, Budget, Edge, NodeId, compact};
use craig_solver::proof::ProofDag;
use craig_solver::{Cnf, Label, Limits, Var};

use super::density::{Density, DensityBudget, density};
use super::order::{Order, order};
use super::size::{Size, size};
use crate::construct::labelled_interpolant;
use crate::labelling::Choice;
use crate::prove::{NoRefutation, prove};
use crate::simplify::{Effort, Simplifier};
use crate::stop::Stop;
use crate::transform::ProofStatistics;
use crate::verify::{Verifier, Violation};

/// A function from proof to proof; its second argument says which labels belong to A, its third when to end early.
pub type ProofFunction<'a> = dyn Fn(&ProofDag, &dyn Fn(Label) -> bool, &Stop) -> ProofDag + 'a;

/// A named function from proof to proof.
#[derive(Clone, Copy)]
pub struct Transform<'a> {
    /// For tables.
    pub name: &'a str,
    /// The function itself.
    pub apply: &'a ProofFunction<'a>,
}

/// What a study has just found.
#[derive(Clone, Copy, Debug)]
pub enum Finding<'a> {
    /// How many variables the two sides share.
    Shared(usize),
    /// A proof.
    Proof(&'a ProofRecord),
    /// An interpolant of the last proof.
    Entry(&'a Entry),
}

/// What is varied, and what is measured.
#[derive(Clone)]
pub struct Grid<'a> {
    /// Refutations that are there already, with their names.
    pub proofs: Vec<(String, ProofDag)>,
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
    /// How hard to try how much smaller a formula gets; `None` for not at all.
    pub compaction: Option<Budget>,
    /// How hard to try how much smaller it gets where it is free to change; `None` for not at all.
    pub simplification: Option<Effort>,
    /// When to stop. What has been found by then is the study.
    pub stop: Stop,
    /// What times are told by: the time since some moment.
    pub clock: &'a dyn Fn() -> Duration,
    /// Told of each finding at once, for those who can't wait for the end.
    pub listener: &'a dyn Fn(Finding<'_>),
}

/// Where a proof comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A search with this seed.
    Seed(u64),
    /// From elsewhere, by its name.
    Given(String),
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Seed(seed) => write!(f, "seed {seed}"),
            Self::Given(name) => f.write_str(name),
        }
    }
}

/// One proof of a study.
#[derive(Clone, Debug)]
pub struct ProofRecord {
    /// Where it comes from.
    pub source: Source,
    /// The transform that was applied.
    pub transform: String,
    /// Its size.
    pub statistics: ProofStatistics,
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
    /// Whether Craig's conditions hold; `None` if that was not checked, or not to the end.
    pub verdict: Option<Result<(), Violation>>,
    /// Its size, as constructed.
    pub size: Size,
    /// The fraction of the assignments to the shared variables that satisfy it.
    pub density: Density,
    /// AND gates that are left after compaction, if that was asked for.
    pub compacted: Option<usize>,
    /// AND gates that are left after simplification, which may change the formula, and compaction.
    pub simplified: Option<usize>,
    /// How long the construction took.
    pub time: Duration,
}

/// What a study found.
#[derive(Clone, Debug)]
pub struct Study {
    /// The proofs, by source and transform.
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
    /// How long each search took that found a proof.
    pub search_times: Vec<Duration>,
    /// What the grid asks for and the study lacks, in words.
    pub missing: Vec<String>,
}

impl Study {
    /// A study without findings: what a listener starts with.
    #[must_use]
    pub fn begun(n_shared: usize) -> Self {
        Self {
            proofs: Vec::new(),
            entries: Vec::new(),
            order: Order::undecided(0),
            n_shared,
            aig: Aig::new(),
            variables: Vec::new(),
            search_times: Vec::new(),
            missing: Vec::new(),
        }
    }
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
/// A search that its budget ends, and what `grid.stop` ends, is told in [`Study::missing`].
///
/// # Errors
/// If there is no proof to study.
pub fn study(cnf: &Cnf, cut: Label, grid: &Grid<'_>) -> Result<Study, StudyError> {
    let mut work = Work::new(cnf, cut, grid);
    for (name, dag) in &grid.proofs {
        work.add_proof(&Source::Given(name.clone()), dag);
    }
    for &seed in &grid.seeds {
        let start = (grid.clock)();
        match prove(cnf, seed, grid.limits, &grid.stop) {
            Ok(dag) => {
                work.study.search_times.push(work.since(start));
                work.add_proof(&Source::Seed(seed), &dag);
            }
            Err(reason @ NoRefutation::Satisfiable(_)) => return Err(StudyError { seed, reason }),
            Err(reason) if work.study.proofs.is_empty() && Some(&seed) == grid.seeds.last() => {
                return Err(StudyError { seed, reason });
            }
            Err(reason) => work.study.missing.push(format!("seed {seed}: {reason}")),
        }
    }
    Ok(work.finish())
}

/// A study that is being made.
struct Work<'a> {
    cnf: &'a Cnf,
    cut: Label,
    grid: &'a Grid<'a>,
    /// The edge that stands for each shared variable.
    inputs: Vec<Option<Edge>>,
    study: Study,
}

impl<'a> Work<'a> {
    fn new(cnf: &'a Cnf, cut: Label, grid: &'a Grid<'a>) -> Self {
        let mut aig = Aig::new();
        let variables = shared_variables(cnf, &|label| label <= cut);
        let mut inputs = vec![None; cnf.n_vars()];
        for var in &variables {
            inputs[var.index()] = Some(aig.add_input());
        }
        let n_shared = variables.len();
        (grid.listener)(Finding::Shared(n_shared));
        Self {
            cnf,
            cut,
            grid,
            inputs,
            study: Study {
                aig,
                variables,
                ..Study::begun(n_shared)
            },
        }
    }

    /// Runs all transforms and labellings on one proof.
    fn add_proof(&mut self, source: &Source, original: &ProofDag) {
        let cut = self.cut;
        for transform in &self.grid.transforms {
            if self.is_stopped(&format!("{source}, {}", transform.name)) {
                return;
            }
            let start = (self.grid.clock)();
            let dag = (transform.apply)(original, &|label| label <= cut, &self.grid.stop);
            let record = ProofRecord {
                source: source.clone(),
                transform: transform.name.into(),
                time: self.since(start),
                statistics: ProofStatistics::of(&dag),
            };
            (self.grid.listener)(Finding::Proof(&record));
            self.study.proofs.push(record);
            for labelling in &self.grid.labellings {
                let name = labelling.name();
                if self.is_stopped(&format!("{source}, {}, {name}", transform.name)) {
                    return;
                }
                let entry = self.entry(&dag, labelling);
                (self.grid.listener)(Finding::Entry(&entry));
                self.study.entries.push(entry);
            }
        }
    }

    /// Whether to stop before `next`, which is noted as missing then.
    fn is_stopped(&mut self, next: &str) -> bool {
        let is_stopped = self.grid.stop.is_asked();
        if is_stopped {
            let missing = format!("{next} and what follows it: stopped");
            self.study.missing.push(missing);
        }
        is_stopped
    }

    /// Interpolates the proof that was added last.
    fn entry(&mut self, dag: &ProofDag, labelling: &Choice) -> Entry {
        let cut = self.cut;
        let in_a = |label: Label| label <= cut;
        let start = (self.grid.clock)();
        let inputs = &self.inputs;
        let aig = &mut self.study.aig;
        let edge = labelling.with(cut as usize, |labelling| {
            labelled_interpolant(dag, &in_a, labelling, aig, &mut |var| {
                inputs[var.index()].expect("what a proof shares, the formula shares")
            })
        });
        let time = self.since(start);
        let aig = &self.study.aig;
        let mut verdict = self.verify(aig, edge);
        let compacted = self.grid.compaction.map(|budget| {
            let (small, roots) = compact(aig, &[edge], budget);
            small.n_ands_in_cone(&roots)
        });
        let simplified = self.grid.simplification.map(|effort| {
            let (small, edge) = self.simplified(effort, edge);
            // What comes out is judged as well.
            if let (Some(Ok(())), Some(Err(violation))) = (verdict, self.verify(&small, edge)) {
                verdict = Some(Err(violation));
            }
            small.n_ands_in_cone(&[edge])
        });
        Entry {
            proof: self.study.proofs.len() - 1,
            labelling: labelling.name(),
            edge,
            verdict,
            size: size(aig, edge),
            density: density(aig, edge, &self.grid.density),
            compacted,
            simplified,
            time,
        }
    }

    fn since(&self, start: Duration) -> Duration {
        (self.grid.clock)().saturating_sub(start)
    }

    /// Craig's conditions for a formula over the inputs of the study; `None` if that is not asked for, or not decided.
    fn verify(&self, aig: &Aig, edge: Edge) -> Option<Result<(), Violation>> {
        let cut = self.cut;
        let verifier = Verifier {
            cnf: self.cnf,
            aig,
            variable: &|_, node| self.variable(node),
            stop: &self.grid.stop,
        };
        let verdict = self
            .grid
            .verify
            .then(|| verifier.interpolant(&|label| label <= cut, edge));
        verdict.filter(|verdict| *verdict != Err(Violation::Undecided))
    }

    /// What an input node of a graph with the inputs of the study stands for.
    fn variable(&self, node: NodeId) -> Option<Var> {
        // The inputs were added first, behind the constant.
        self.study
            .variables
            .get((node as usize).checked_sub(1)?)
            .copied()
    }

    /// Another, smaller interpolant, in a graph with the same inputs.
    fn simplified(&self, effort: Effort, edge: Edge) -> (Aig, Edge) {
        let cut = self.cut;
        let budget = self.grid.compaction.unwrap_or(Budget::NOTHING);
        let (mut small, roots) = compact(&self.study.aig, &[edge], budget);
        let simplifier = Simplifier {
            cnf: self.cnf,
            variable: &|node| self.variable(node),
            effort,
            stop: self.grid.stop.clone(),
        };
        let edge = simplifier.interpolant(&mut small, &|label| label <= cut, roots[0]);
        let (small, roots) = compact(&small, &[edge], budget);
        (small, roots[0])
    }

    /// Compares the interpolants with one another.
    fn finish(mut self) -> Study {
        let edges: Vec<Edge> = self.study.entries.iter().map(|entry| entry.edge).collect();
        let conflicts = self.grid.comparison_conflicts;
        self.study.order = order(&self.study.aig, &edges, conflicts, &self.grid.stop);
        self.study
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
    use crate::fixtures::formulas;
    use crate::system::System;
    use std::cell::Cell;

    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

        #[test]
        fn all_entries_are_interpolants_in_the_known_order(cnf in formulas(), cut in 0..4 as Label) {
            let unchanged = Transform { name: "none", apply: &|dag, _, _| dag.clone() };
            let labellings: Vec<Choice> = System::ALL
                .map(Choice::Classic)
                .into_iter()
                .chain([Choice::RandomVariables(3), Choice::RandomOccurrences(3)])
                .collect();
            let n_labellings = labellings.len();
            let n_heard = Cell::new([0; 3]);
            let count = |finding: Finding<'_>| {
                let mut counts = n_heard.get();
                counts[match finding {
                    Finding::Shared(_) => 0,
                    Finding::Proof(_) => 1,
                    Finding::Entry(_) => 2,
                }] += 1;
                n_heard.set(counts);
            };
            let grid = Grid {
                clock: &|| Duration::ZERO,
                listener: &count,
                proofs: Vec::new(),
                seeds: vec![0, 1, 2],
                transforms: vec![unchanged],
                labellings,
                limits: Limits::default(),
                density: DensityBudget::default(),
                comparison_conflicts: None,
                verify: true,
                compaction: Some(Budget::default()),
                simplification: Some(Effort::default()),
                stop: Stop::never(),
            };
            let study = study(&cnf, cut, &grid);
            prop_assume!(study.is_ok());
            let study = study.unwrap();
            prop_assert_eq!(study.entries.len(), 3 * n_labellings);
            prop_assert!(study.missing.is_empty());
            prop_assert_eq!(n_heard.get(), [1, 3, 3 * n_labellings]);
            for entry in &study.entries {
                prop_assert_eq!(entry.verdict, Some(Ok(())));
                prop_assert!(entry.size.support <= study.n_shared);
                prop_assert!(entry.simplified.is_some_and(|ands| ands <= entry.size.ands));
                prop_assert!(entry.compacted.is_some_and(|ands| ands <= entry.size.ands));
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
