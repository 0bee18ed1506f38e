//! A program as a control-flow automaton.
//!
//! Symbolic execution cuts the program, at the heads of loops or at every block, and determines the varying
//! cells at each cut (`fixpoint`). The cuts become the locations of a [`Cfa`], the varying cells its words,
//! and the execution between two cuts an edge. Paths and invariants of the automaton are translated back to
//! the source here as well (`report`).

mod backward_candidates;
mod build;
mod cell;
mod derived_index;
mod design;
mod domain;
mod element_candidates;
mod extent;
mod first_change;
mod fixpoint;
mod for_all;
mod other_reads;
mod pair_candidates;
mod report;
mod solved_index;
mod tracked;

use std::collections::{BTreeMap, HashMap, HashSet};

use craig_c_exec::concrete::replay::Fact;
use craig_c_exec::symbolic::free_values::{FreeValues, evaluator};
use craig_c_exec::symbolic::{Cut, Elements, IndexChoice, Log, Mark, Summaries};
use craig_c_lang::address_space::AddressSpace;
use craig_c_lang::ir::{FunctionId, Program};
use craig_c_lang::property::Property;
use craig_model::{Stop, UnknownReason};
use craig_program::{Blocks, Cfa, EdgeId, LocationId, Visit};
use craig_word::Term;

use self::build::automaton;
use self::cell::{AtCut, Cell};
pub(crate) use self::derived_index::Derived;
pub(crate) use self::design::DEPENDS_ON_HAVOCKED;
pub(crate) use self::extent::Extent;
use self::fixpoint::{Analysis, OverApproximation};
use self::tracked::TrackedArrays;
use crate::path_facts::facts;

/// A program as a control-flow automaton, with the data to translate its paths.
pub(crate) struct Automaton<'p> {
    pub(crate) cfa: Cfa,
    program: &'p Program,
    pub(crate) extent: Extent,
    over: OverApproximation,
    space: AddressSpace,
    /// The inner locations are the cuts, in this order.
    cuts: Vec<(Cut, AtCut)>,
    /// The logs of the edges from the start, and from each cut.
    logs: Vec<Log>,
    variables: BTreeMap<Cell, Term>,
    /// The functions with a single calling context.
    called_once: HashSet<FunctionId>,
    /// The goal of each edge to the error, if runs of the program go on behind goals.
    pub(crate) goals: Vec<(EdgeId, Property)>,
    /// Whether its runs are those of the program; else they are more.
    pub(crate) is_exact: bool,
    /// The number of arrays of which an element is tracked.
    pub(crate) n_elements: usize,
    /// These arrays, and what the prophecy indices are chosen by, if there are any.
    arrays: Option<TrackedArrays>,
    /// Whether some error depends on two elements.
    pub(crate) reads_two: bool,
    /// Whether some error depends on what a loop computes from elements.
    pub(crate) has_changes: bool,
}

impl<'p> Automaton<'p> {
    pub(crate) fn new(
        program: &'p Program,
        extent: Extent,
        stop: &Stop,
    ) -> Result<Self, UnknownReason> {
        let over = OverApproximation::None;
        Self::of(Analysis::new(program, extent, over, stop)?)
    }

    /// As `new`, but objects that are large, or many, may have no contents: an over-approximation, unless
    /// [`Self::is_exact`].
    pub(crate) fn havocking(
        program: &'p Program,
        extent: Extent,
        stop: &Stop,
    ) -> Result<Self, UnknownReason> {
        let over = OverApproximation::Havocking;
        Self::of(Analysis::new(program, extent, over, stop)?)
    }

    /// This program, or over-approximation, cut into other blocks. `None` where what is tracked of objects goes with
    /// the steps between loop heads.
    pub(crate) fn cut_again(
        &self,
        blocks: Blocks,
        stop: &Stop,
    ) -> Result<Option<Self>, UnknownReason> {
        match self.over {
            OverApproximation::None | OverApproximation::Havocking => {
                let extent = Extent {
                    blocks,
                    ..self.extent
                };
                let analysis = Analysis::new(self.program, extent, self.over, stop)?;
                Self::of(analysis).map(Some)
            }
            OverApproximation::Summaries | OverApproximation::Elements { .. } => Ok(None),
        }
    }

    /// An over-approximation with summaries of the objects that allocations in loops make. Only a proof of it
    /// says something about the program. `None` if no loop allocates objects.
    pub(crate) fn with_summaries(
        program: &'p Program,
        extent: Extent,
        stop: &Stop,
    ) -> Result<Option<Self>, UnknownReason> {
        let over = OverApproximation::Summaries;
        let analysis = Analysis::new(program, extent, over, stop)?;
        let summaries = analysis.executor.summaries.as_ref();
        match summaries.is_some_and(Summaries::is_used) {
            true => Self::of(analysis).map(Some),
            false => Ok(None),
        }
    }

    /// An over-approximation in which one element is tracked of arrays that are large or of unknown size, and
    /// of those with more than `most` elements that are accessed at unknown indices. Only a proof of it says
    /// something about the program. `None` if there is no such array.
    pub(crate) fn with_elements(
        program: &'p Program,
        extent: Extent,
        (most, choice): (u64, IndexChoice),
        stop: &Stop,
    ) -> Result<Option<Self>, UnknownReason> {
        let over = OverApproximation::Elements { most, choice };
        let analysis = Analysis::new(program, extent, over, stop)?;
        let elements = analysis.executor.elements.as_ref();
        match elements.is_some_and(|elements| !elements.tracked.is_empty()) {
            true => Self::of(analysis).map(Some),
            false => Ok(None),
        }
    }

    /// As `with_elements`, with a second index that is this function of the first one.
    pub(crate) fn with_derived_index(
        program: &'p Program,
        extent: Extent,
        (most, derived): (u64, Derived),
        stop: &Stop,
    ) -> Result<Option<Self>, UnknownReason> {
        let choice = IndexChoice::Derived;
        let over = OverApproximation::Elements { most, choice };
        let analysis = Analysis::new(program, extent, over, stop)?;
        let elements = analysis.executor.elements.as_ref();
        match elements.is_some_and(|elements| !elements.tracked.is_empty()) {
            true => Self::of_derived(analysis, Some(derived)).map(Some),
            false => Ok(None),
        }
    }

    fn of(analysis: Analysis<'p>) -> Result<Self, UnknownReason> {
        Self::of_derived(analysis, None)
    }

    fn of_derived(
        mut analysis: Analysis<'p>,
        derived: Option<Derived>,
    ) -> Result<Self, UnknownReason> {
        let program = analysis.executor.program;
        let (cfa, findings) = automaton(&mut analysis, derived);
        let Analysis {
            extent,
            over,
            executor,
            cuts,
            mut logs,
            variables,
            ..
        } = analysis;
        for log in &mut logs {
            log.exits = Vec::new();
        }
        let has_indices = |elements: &&Elements| elements.choice.n_indices() > 0;
        let with_indices = (executor.elements.as_ref()).filter(has_indices);
        let arrays = with_indices.map(|elements| TrackedArrays {
            index: elements.index,
            tracked: elements.tracked.clone(),
            choice: elements.choice,
            relation: findings.relation,
            slots: executor.local_objects().collect(),
        });
        let n_elements = (executor.elements.as_ref()).map_or(0, |elements| elements.tracked.len());
        let is_exact = executor.summaries.is_none() && !executor.has_havocked;
        let functions = 0..program.functions.len() as FunctionId;
        let called_once = functions
            .filter(|&function| executor.n_contexts(function) == 1)
            .collect();
        Ok(Self {
            cfa,
            program,
            extent,
            over,
            space: executor.space,
            cuts,
            logs,
            variables,
            called_once,
            goals: findings.goals,
            is_exact,
            n_elements,
            arrays,
            reads_two: !findings.related.is_empty(),
            has_changes: findings.has_changes,
        })
    }

    /// The first unsupported construct, as a fallback for messages.
    pub(crate) fn first_stuck(&self) -> Option<&Mark> {
        self.logs.iter().flat_map(|log| &log.stuck).next()
    }

    /// What happened on a path, from the values before each of its edges.
    pub(crate) fn facts_of(&self, visits: Vec<Visit>) -> Vec<Fact> {
        let mut found = Vec::new();
        // The logs are in the order of the locations with outgoing edges.
        let logs: HashMap<LocationId, &Log> = self.cfa.sources().zip(&self.logs).collect();
        for visit in visits {
            let Some(log) = visit.location.and_then(|location| logs.get(&location)) else {
                continue;
            };
            let model = FreeValues {
                values: visit.values,
                blanks: HashMap::new(),
            };
            let terms = &self.cfa.terms;
            let mut evaluator = evaluator(terms, &model.values);
            found.extend(facts(
                terms,
                &self.space,
                &log.events,
                &model,
                &mut evaluator,
            ));
        }
        found
    }
}

#[cfg(test)]
mod tests;
