//! The loop of abstraction, check and refinement.

use craig_aig::{Aig, Edge};
use craig_mc::Control;
use craig_model::UnknownReason;
use craig_solver::Lit;
use oxidd::VarNo;

use super::boolean_program::{AbstractRun, BooleanProgram};
use super::discovery::{Discovery, Tried};
use super::draw::Subject;
use super::options::{Image, NAME, Options, Refinement};
use super::predicates::{PredicateId, current, next};
use super::refine::transitions;
use crate::actions::{ActionId, Actions};
use crate::answer::ErrorPath;
use crate::cfa::Cfa;
use crate::drawing::Drawing;
use crate::word_labels::Refuter;

pub(super) struct Search<'a> {
    pub(super) actions: &'a Actions,
    options: &'a Options,
    control: Control<'a>,
    known: Discovery<'a>,
    program: BooleanProgram<'a>,
    n_runs: usize,
    /// How often relations were refined.
    n_refinements: usize,
}

impl<'a> Search<'a> {
    pub(super) fn new(actions: &'a Actions, options: &'a Options, control: Control<'a>) -> Self {
        Self {
            actions,
            options,
            control,
            known: Discovery::new(actions, &options.dial, options.labels, control),
            program: BooleanProgram::new(actions, options.image, control.stop),
            n_runs: 0,
            n_refinements: 0,
        }
    }

    /// `None` if nothing bad is reached in the Boolean program.
    pub(super) fn run(&mut self) -> Result<Option<ErrorPath>, UnknownReason> {
        if !self.options.dial.rule().is_at_least_symmetric() {
            return Err(UnknownReason::Unsupported(
                "symmetric interpolants need a system no weaker than the symmetric one".to_string(),
            ));
        }
        loop {
            let known = &mut self.known;
            self.program.reserve(&known.predicates);
            let found = self.program.run(&mut known.labels.aig, &known.predicates)?;
            self.report();
            let Some(run) = found else {
                return Ok(None);
            };
            self.n_runs += 1;
            let is_refined = match self.options.refinement {
                Refinement::Interpolants => self.refine_by_interpolants(&run)?,
                Refinement::DasDill => self.refine_by_steps(&run)?,
            };
            if is_refined {
                self.n_refinements += 1;
                if self.options.image == Image::Cartesian {
                    return Err(UnknownReason::Unsupported(
                        "the predicates exclude a path that the Cartesian image allows".to_string(),
                    ));
                }
            } else if let Some(path) = self.check(run)? {
                return Ok(Some(path));
            }
        }
    }

    fn report(&self) {
        self.control.listener.note(NAME, || {
            format!(
                "{} predicates, at most {} at a location; {} abstract runs, {} refinements of relations, {} queries{}",
                self.known.predicates.len(),
                self.known.predicates.most(),
                self.n_runs,
                self.n_refinements,
                self.program.n_queries,
                self.known.refuter.report(),
            )
        });
    }

    /// Passes the counts of the search on. Each abstract run to the error is one step of refinement: of
    /// relations, of predicates, or the last one, which is a run of the program.
    pub(super) fn count(&self) {
        self.known.count();
        let control = self.control;
        control.listener.count("refinements", self.n_runs);
        control
            .listener
            .count("refinements_of_relations", self.n_refinements);
        control.listener.count("queries", self.program.n_queries);
    }

    /// Restricts the relations of the actions on a path by its transition interpolants. Whether the
    /// predicates exclude the path.
    fn refine_by_interpolants(&mut self, run: &AbstractRun) -> Result<bool, UnknownReason> {
        let found = transitions(
            self.actions,
            &self.known.labels.aig,
            &self.known.predicates,
            &run.path,
            &self.options.dial,
            self.control,
        )?;
        let Some(found) = found else {
            return Ok(false);
        };
        for (&action, found) in run.path.iter().zip(found) {
            let (aig, variables) = (&found.aig, &found.variables);
            self.program
                .restrict(action, aig, found.formula, variables)?;
        }
        Ok(true)
    }

    /// Excludes the steps of an abstract run that are none of the program, each with as few predicates as
    /// tell so (Das and Dill). Whether there are any.
    fn refine_by_steps(&mut self, run: &AbstractRun) -> Result<bool, UnknownReason> {
        let mut is_refined = false;
        for (step, &action) in run.path.iter().enumerate() {
            let (aig, predicates) = (&self.known.labels.aig, &self.known.predicates);
            let before = self.program.literals_before(action, aig, predicates);
            let behind = self.program.literals_behind(action, aig, predicates);
            let mut lits: Vec<(Lit, VarNo, bool)> = Vec::new();
            let mut add = |literals: &[Lit], values: &[bool], which: fn(PredicateId) -> VarNo| {
                for (predicate, (&lit, &value)) in literals.iter().zip(values).enumerate() {
                    lits.push((lit.negate_if(!value), which(predicate), value));
                }
            };
            add(&before, &run.states[step], current);
            if let Some(values) = run.states.get(step + 1) {
                add(&behind, values, next);
            }
            let assumptions: Vec<Lit> = lits.iter().map(|&(lit, ..)| lit).collect();
            let Some(core) = self.program.conflict(action, &assumptions)? else {
                continue;
            };
            is_refined = true;
            let mut graph = Aig::new();
            let mut variables = Vec::new();
            let mut clause = Vec::new();
            for (_, variable, value) in lits.into_iter().filter(|(lit, ..)| core.contains(lit)) {
                clause.push(graph.add_input().negate_if(value));
                variables.push(variable);
            }
            let clause = graph.or_all(clause);
            self.program.restrict(action, &graph, clause, &variables)?;
        }
        Ok(is_refined)
    }

    /// Tries a path on the program. It is one, or its refutation makes predicates.
    fn check(&mut self, run: AbstractRun) -> Result<Option<ErrorPath>, UnknownReason> {
        match self.known.try_path(run.path)? {
            Tried::Run(path) => Ok(Some(path)),
            Tried::New(behind) => {
                for action in behind {
                    self.program.expect_smaller_images(action);
                }
                Ok(None)
            }
        }
    }

    /// The abstract reachability graph as it stands, with a run that was found.
    pub(super) fn draw(&mut self, cfa: &Cfa, path: Option<&[ActionId]>) -> Drawing {
        let subject = Subject {
            cfa,
            actions: self.actions,
            predicates: &self.known.predicates,
            program: &self.program,
            labels: &self.known.labels,
            path,
        };
        subject.draw(&mut self.known.refuter)
    }

    /// What is reached at each location, over the bits of the state.
    pub(super) fn concretise(self) -> (Aig, Vec<Edge>, Refuter) {
        let Discovery {
            labels,
            refuter,
            predicates,
            ..
        } = self.known;
        let mut aig = labels.aig;
        let reached = self.program.concrete_reached(&mut aig, &predicates);
        (aig, reached, refuter)
    }
}
