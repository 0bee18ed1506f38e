//! The approximate relation and the states that are reached in it, as decision diagrams.

use craig_aig::{Aig, Edge};
use craig_mc::engine::bdd::{Diagrams, circuit};
use craig_model::{Stop, UnknownReason};
use oxidd::bcdd::BCDDFunction;
use oxidd::util::AllocResult;
use oxidd::{BooleanFunction, BooleanFunctionQuant, BooleanOperator, FunctionSubst, Subst, VarNo};

use super::super::boolean_program::{NODES, why};
use super::super::predicates::{Predicate, Predicates, current, next};
use super::super::refine::Transition;
use crate::actions::{Actions, position};
use crate::cfa::{Cfa, LocationId};

/// The program counter of an automaton: the bits of a location's number.
#[derive(Clone, Copy)]
pub(super) struct ProgramCounter {
    pub(super) n_bits: usize,
}

impl ProgramCounter {
    fn new(actions: &Actions) -> Self {
        let last = actions.n_locations().saturating_sub(1);
        Self {
            n_bits: (usize::BITS - last.leading_zeros()) as usize,
        }
    }

    /// The values of the bits at a location.
    pub(super) fn values(self, location: LocationId) -> impl Iterator<Item = bool> {
        (0..self.n_bits).map(move |bit| location.index() >> bit & 1 == 1)
    }

    /// The number of a predicate's variable among those of a state.
    pub(super) fn variable_of(self, predicate: usize) -> usize {
        self.n_bits + predicate
    }
}

pub(super) struct States<'a> {
    diagrams: Diagrams<'a>,
    pc: ProgramCounter,
    /// The variables of a state, each of which has another one for the next state.
    n_variables: usize,
    relation: BCDDFunction,
    /// What is reached, after [`States::distance_to_error`].
    reached: BCDDFunction,
}

impl<'a> States<'a> {
    pub(super) fn new(actions: &Actions, stop: &'a Stop) -> Self {
        let pc = ProgramCounter::new(actions);
        let diagrams = Diagrams::new(2 * pc.n_bits as VarNo, NODES, stop);
        Self {
            pc,
            n_variables: pc.n_bits,
            relation: diagrams.constant(true),
            reached: diagrams.constant(false),
            diagrams,
        }
    }

    pub(super) fn pc(&self) -> ProgramCounter {
        self.pc
    }

    /// Makes variables for all predicates.
    pub(super) fn reserve(&mut self, predicates: &Predicates) {
        let wanted = self.pc.variable_of(predicates.most());
        let missing = wanted.saturating_sub(self.n_variables);
        self.diagrams.add_variables(2 * missing as VarNo);
        self.n_variables += missing;
    }

    /// Allows only the steps that a formula allows, which all steps of the program satisfy.
    pub(super) fn restrict(&mut self, found: &Transition) -> Result<(), UnknownReason> {
        let (diagrams, relation) = (&self.diagrams, &self.relation);
        let variable = |node| found.variables[position(&found.aig, node) as usize];
        let stronger = diagrams.compute(|| {
            let function = diagrams.functions(&found.aig, &[found.formula], &variable)?;
            relation.and(&function[0])
        });
        self.relation = stronger.map_err(why)?;
        Ok(())
    }

    /// The number of steps after which the error is reached first; none if it is not reached.
    pub(super) fn distance_to_error(&mut self) -> Result<Option<usize>, UnknownReason> {
        let mut frontier = self.location(Cfa::START)?;
        let error = self.location(Cfa::ERROR)?;
        self.reached = frontier.clone();
        for length in 0.. {
            let diagrams = &self.diagrams;
            let met = diagrams.compute(|| frontier.and(&error)).map_err(why)?;
            if met.satisfiable() {
                return Ok(Some(length));
            }
            let image = diagrams.compute(|| self.image(&frontier)).map_err(why)?;
            let reached = &self.reached;
            let new = diagrams.compute(|| image.and(&reached.not()?));
            frontier = new.map_err(why)?;
            if !frontier.satisfiable() {
                break;
            }
            self.reached = diagrams.compute(|| reached.or(&frontier)).map_err(why)?;
        }
        Ok(None)
    }

    /// The states behind a step from some states.
    fn image(&self, states: &BCDDFunction) -> AllocResult<BCDDFunction> {
        let diagrams = &self.diagrams;
        let variables = |which: fn(usize) -> VarNo| (0..self.n_variables).map(which);
        let before: Vec<VarNo> = variables(current).collect();
        let before = diagrams.set(&before)?;
        let behind = states.apply_exists(BooleanOperator::And, &self.relation, &before)?;
        let renamed = variables(current).map(|variable| diagrams.variable(variable));
        let renamed: AllocResult<Vec<BCDDFunction>> = renamed.collect();
        behind.substitute(&Subst::new(
            variables(next).collect::<Vec<VarNo>>(),
            renamed?,
        ))
    }

    /// The states at a location.
    fn location(&self, location: LocationId) -> Result<BCDDFunction, UnknownReason> {
        let bits = (0..self.pc.n_bits).map(current);
        let bits: Vec<(VarNo, bool)> = bits.zip(self.pc.values(location)).collect();
        let diagrams = &self.diagrams;
        diagrams
            .compute(|| diagrams.cube(bits.clone()))
            .map_err(why)
    }

    /// What is reached at a location, over the words. Its predicates are these; the variables behind theirs say nothing there.
    pub(super) fn at(
        &self,
        location: LocationId,
        list: &[Predicate],
        aig: &mut Aig,
    ) -> Result<Edge, UnknownReason> {
        let own = self.pc.variable_of(list.len());
        let others: Vec<VarNo> = (0..self.pc.n_bits)
            .chain(own..self.n_variables)
            .map(current)
            .collect();
        let here = self.location(location)?;
        let diagrams = &self.diagrams;
        let states = diagrams.compute(|| {
            let others = diagrams.set(&others)?;
            (self.reached).apply_exists(BooleanOperator::And, &here, &others)
        });
        let leaf = |variable: VarNo| list[variable as usize / 2 - self.pc.n_bits].formula;
        Ok(circuit(&states.map_err(why)?, aig, &leaf))
    }
}
