//! The grid of a strength study: proofs times transforms times labellings, for one problem.

use std::time::Duration;

use craig_aig::{Aig, Edge, NodeId};
use craig_solver::proof::ProofDag;
use craig_solver::{Cnf, Label, Limits, Var};
use craig_solver::{compact::compact, sweep::Budget};

use super::density::{DensityBudget, density};
use super::findings::{Entry, Finding, ProofRecord, Source, Study, StudyError};
use super::order::order;
use crate::choice::{Choice, Cut};
use crate::partition::shared_variables;
use crate::prove::{NoRefutation, prove};
use crate::simplify::{Effort, Simplifier};
use crate::size::size;
use crate::stop::{Stop, Stopped};
use crate::transform::ProofStatistics;
use crate::verify::{CheckedSearch, Verifier, Violation};

/// A function from proof to proof. Its second argument tells which labels belong to A.
pub type ProofFunction<'a> =
    dyn Fn(&ProofDag, &dyn Fn(Label) -> bool, &Stop) -> Result<ProofDag, Stopped> + 'a;

/// A named function from proof to proof.
#[derive(Clone, Copy)]
pub struct Transform<'a> {
    /// The name in tables.
    pub name: &'a str,
    /// The function itself.
    pub apply: &'a ProofFunction<'a>,
}

/// What a study varies and measures.
#[derive(Clone)]
pub struct Grid<'a> {
    /// Refutations supplied by the caller, with their names.
    pub proofs: Vec<(String, ProofDag)>,
    /// Seeds of searches, each of which yields a proof.
    pub seeds: Vec<u64>,
    /// The transforms, each of which is applied to each proof.
    pub transforms: Vec<Transform<'a>>,
    /// The labellings, with each of which each transformed proof is interpolated.
    pub labellings: Vec<Choice>,
    /// Budget of each search.
    pub limits: Limits,
    /// Budget of each density.
    pub density: DensityBudget,
    /// The most conflicts in one comparison of two formulas.
    pub comparison_conflicts: Option<u64>,
    /// Whether to check Craig's conditions by SAT.
    pub verify: bool,
    /// The budget of compaction, whose result is measured; `None` to omit it.
    pub compaction: Option<Budget>,
    /// The budget of simplification, whose result is measured; `None` to omit it.
    pub simplification: Option<Effort>,
    /// Ends the study early, with the results so far.
    pub stop: Stop,
    /// The clock: the time since an arbitrary moment.
    pub clock: &'a dyn Fn() -> Duration,
    /// Called with each result as soon as there is one.
    pub listener: &'a dyn Fn(Finding<'_>),
}

/// Runs the grid on one problem: the clauses with labels up to and including `cut` against the others.
/// [`Study::missing`] names the searches that reached their limits, and the parts omitted because of
/// `grid.stop`.
/// asked for the end.
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

/// A study under construction.
struct Work<'a> {
    cnf: &'a Cnf,
    cut: Label,
    grid: &'a Grid<'a>,
    /// By variable: its edge, if it is shared.
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

    /// Runs all transforms and labellings on one proof, until stopped.
    fn add_proof(&mut self, source: &Source, original: &ProofDag) {
        let cut = self.cut;
        for transform in &self.grid.transforms {
            let start = (self.grid.clock)();
            let stop = &self.grid.stop;
            let dag = match stop.is_asked() {
                true => Err(Stopped),
                false => (transform.apply)(original, &|label| label <= cut, stop),
            };
            let Ok(dag) = dag else {
                return self.report_stopped(&format!("{source}, {}", transform.name));
            };
            let record = ProofRecord {
                source: source.clone(),
                transform: transform.name.into(),
                time: self.since(start),
                statistics: ProofStatistics::of(&dag),
            };
            (self.grid.listener)(Finding::Proof(&record));
            self.study.proofs.push(record);
            for labelling in &self.grid.labellings {
                let Ok(entry) = self.entry(&dag, labelling) else {
                    let name = labelling.name();
                    return self.report_stopped(&format!("{source}, {}, {name}", transform.name));
                };
                (self.grid.listener)(Finding::Entry(&entry));
                self.study.entries.push(entry);
            }
        }
    }

    /// Records that the study was stopped before `next` was complete.
    fn report_stopped(&mut self, next: &str) {
        let missing = format!("{next} and what follows it: stopped");
        self.study.missing.push(missing);
    }

    /// Interpolates the proof that was added last, and measures the result.
    ///
    /// Fails only before there is an interpolant. A stop during the measurements leaves them incomplete.
    fn entry(&mut self, dag: &ProofDag, labelling: &Choice) -> Result<Entry, Stopped> {
        let cut = self.cut;
        let in_a = |label: Label| label <= cut;
        let start = (self.grid.clock)();
        let inputs = &self.inputs;
        let aig = &mut self.study.aig;
        let at = Cut {
            cnf: self.cnf,
            dag,
            in_a: &in_a,
            number: cut as usize,
            stop: &self.grid.stop,
        };
        let leaf =
            &mut |var: Var| inputs[var.index()].expect("the formula shares what its proof shares");
        let edge = labelling.interpolant(&at, aig, leaf)?;
        let time = self.since(start);
        let aig = &self.study.aig;
        let mut verdict = self.verify(aig, edge);
        let compacted = self.grid.compaction.map(|budget| {
            let (small, roots) = compact(aig, &[edge], budget);
            small.n_ands_in_cone(&roots)
        });
        let simplified = self.grid.simplification.map(|effort| {
            let (small, edge) = self.simplified(effort, edge);
            // The result of the simplification is checked, too.
            if let (Some(Ok(())), Some(Err(violation))) = (verdict, self.verify(&small, edge)) {
                verdict = Some(Err(violation));
            }
            small.n_ands_in_cone(&[edge])
        });
        Ok(Entry {
            proof: self.study.proofs.len() - 1,
            labelling: labelling.name(),
            edge,
            verdict,
            size: size(aig, edge),
            density: density(aig, edge, &self.grid.density),
            compacted,
            simplified,
            time,
        })
    }

    fn since(&self, start: Duration) -> Duration {
        (self.grid.clock)().saturating_sub(start)
    }

    /// Craig's conditions for a formula over the inputs of the study; `None` if the grid does not request the
    /// check or it is undecided.
    fn verify(&self, aig: &Aig, edge: Edge) -> Option<Result<(), Violation>> {
        let cut = self.cut;
        let verifier = Verifier {
            cnf: self.cnf,
            aig,
            variable: &|_, node| self.variable(node),
            judge: &CheckedSearch,
            stop: &self.grid.stop,
        };
        let verdict = self
            .grid
            .verify
            .then(|| verifier.interpolant(&|label| label <= cut, edge));
        verdict.filter(|verdict| *verdict != Err(Violation::Undecided))
    }

    /// The variable of an input node, in a graph with the inputs of the study.
    fn variable(&self, node: NodeId) -> Option<Var> {
        // The inputs are the first nodes after the constant.
        self.study
            .variables
            .get((node as usize).checked_sub(1)?)
            .copied()
    }

    /// The interpolant compacted, simplified and compacted again, in a graph with the same inputs.
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
        let mut edge = roots[0];
        // A stop leaves an interpolant that is simplified as far as the work went.
        let _ = simplifier.interpolant(&mut small, &|label| label <= cut, &mut edge);
        let (small, roots) = compact(&small, &[edge], budget);
        (small, roots[0])
    }

    /// Compares the interpolants with each other.
    fn finish(mut self) -> Study {
        let edges: Vec<Edge> = self.study.entries.iter().map(|entry| entry.edge).collect();
        let conflicts = self.grid.comparison_conflicts;
        self.study.order = order(&self.study.aig, &edges, conflicts, &self.grid.stop);
        self.study
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::formulas;
    use crate::proof_sensitive::ProofSensitive;
    use crate::rule::Rule;
    use crate::system::System;
    use std::cell::Cell;

    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

        #[test]
        fn all_entries_are_interpolants_in_the_known_order(cnf in formulas(), cut in 0..4 as Label) {
            let unchanged = Transform { name: "none", apply: &|dag, _, _| Ok(dag.clone()) };
            let labellings: Vec<Choice> = System::ALL
                .map(Choice::from)
                .into_iter()
                .chain([Choice::Rule(Rule::RandomVariables(3)), Choice::RandomOccurrences(3)])
                .chain(ProofSensitive::ALL.map(Choice::from))
                .chain([Choice::Clausewise])
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
                let sensitive = [(0, 5), (5, 6), (6, 7), (7, 2), (5, 1), (1, 7)];
                for (strong, weak) in [(0, 1), (1, 2), (0, 3), (3, 2), (0, 4), (4, 2)].into_iter().chain(sensitive) {
                    let implied = study.order.implies[first + strong][first + weak];
                    prop_assert_eq!(implied, Some(true));
                }
            }
        }
    }
}
