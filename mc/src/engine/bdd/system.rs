//! One step of a model as decision diagrams.

use craig_model::Model;
use oxidd::BooleanFunction;
use oxidd::bcdd::BCDDFunction;
use oxidd::util::AllocResult;

use super::diagrams::Diagrams;
use super::end::Stop;
use super::order::Order;
use crate::circuit::unroll::Unrolling;

pub(super) struct System<'a> {
    pub(super) diagrams: Diagrams<'a>,
    pub(super) order: Order,
    /// The states that agree with all resets.
    pub(super) initial: BCDDFunction,
    /// The next-state function of each latch, over the variables before the step.
    pub(super) next: Vec<BCDDFunction>,
    /// The conjunction of all constraints.
    pub(super) constraint: BCDDFunction,
    /// The bad and all constraints.
    pub(super) bad: BCDDFunction,
}

impl<'a> System<'a> {
    pub(super) fn new(
        model: &Model,
        any: &Unrolling<'_>,
        order: Order,
        nodes: usize,
        stop: &'a craig_model::Stop,
    ) -> Result<Self, Stop> {
        let diagrams = Diagrams::new(order.n_variables(), nodes, stop);
        let built = Self::build(model, any, diagrams, order);
        built.map_err(|_| stop.reason().map_or(Stop::Nodes, Stop::Told))
    }

    fn build(
        model: &Model,
        any: &Unrolling<'_>,
        diagrams: Diagrams<'a>,
        order: Order,
    ) -> AllocResult<Self> {
        let frame = &any.frames()[0];
        let n_latches = any.state().len();
        let mut roots = any.state().to_vec();
        roots.extend(&frame.constraints);
        roots.push(frame.bad);
        let mut next = diagrams.functions(any.aig(), &roots, &|node| order.of_node(node))?;
        let bad = next.pop().expect("the bad is a root");
        let mut constraint = diagrams.constant(true);
        for function in next.drain(n_latches..) {
            diagrams.poll()?;
            constraint = constraint.and(&function)?;
        }
        let latches = any.cone().latches.iter().zip(order.latches());
        let resets = latches.filter_map(|(&latch, &state)| {
            let value = model.latches[latch].reset.value()?;
            Some((state, value))
        });
        let initial = diagrams.cube(resets.collect())?;
        Ok(Self {
            initial,
            next,
            bad: bad.and(&constraint)?,
            constraint,
            diagrams,
            order,
        })
    }

    /// The values of the latches after a step with these values of the variables.
    pub(super) fn successor(&self, any: &Unrolling<'_>, step: &[bool]) -> Vec<bool> {
        let aig = any.aig();
        let inputs: Vec<bool> = (aig.inputs().iter())
            .map(|&node| step[self.order.of_node(node) as usize])
            .collect();
        aig.evaluate(&inputs, any.state())
    }

    /// The set that has only this state.
    pub(super) fn state(&self, values: &[bool]) -> AllocResult<BCDDFunction> {
        let values = self
            .order
            .latches()
            .iter()
            .copied()
            .zip(values.iter().copied());
        self.diagrams.cube(values.collect())
    }
}
