//! One step of a model as decision diagrams.

use std::collections::HashMap;

use craig_solver::aig::{Edge, Node, NodeId};
use oxidd::bcdd::{BCDDFunction, BCDDManagerRef};
use oxidd::util::{AllocResult, OptBool, OutOfMemory};
use oxidd::{BooleanFunction, Manager, ManagerRef, VarNo};

use super::end::Stop;
use super::order::Order;
use crate::circuit::model::Model;
use crate::circuit::unroll::Unrolling;
use crate::control::Control;

pub(super) struct System<'a> {
    control: &'a Control,
    manager: BCDDManagerRef,
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
        control: &'a Control,
    ) -> Result<Self, Stop> {
        let manager = oxidd::bcdd::new_manager(nodes, nodes / 4 + 1, 1);
        manager.with_manager_exclusive(|manager| {
            manager.add_vars(order.n_variables());
        });
        let built = Self::build(model, any, manager, order, control);
        built.map_err(|_| control.stop_reason().map_or(Stop::Nodes, Stop::Told))
    }

    fn build(
        model: &Model,
        any: &Unrolling<'_>,
        manager: BCDDManagerRef,
        order: Order,
        control: &'a Control,
    ) -> AllocResult<Self> {
        let (constant, variable) = (
            |value: bool| {
                manager.with_manager_shared(|manager| {
                    if value {
                        BCDDFunction::t(manager)
                    } else {
                        BCDDFunction::f(manager)
                    }
                })
            },
            |variable: VarNo| {
                manager.with_manager_shared(|manager| BCDDFunction::var(manager, variable))
            },
        );
        let frame = &any.frames()[0];
        let mut roots = any.state().to_vec();
        roots.extend(&frame.constraints);
        roots.push(frame.bad);
        let mut functions: HashMap<NodeId, BCDDFunction> = HashMap::new();
        functions.insert(Edge::FALSE.node(), constant(false));
        for node in any.aig().cone(&roots) {
            poll(control)?;
            let function = match any.aig().node(node) {
                Node::Constant => continue,
                Node::Input(_) => variable(order.of_node(node))?,
                Node::And(left, right) => {
                    value(&functions, left)?.and(&value(&functions, right)?)?
                }
            };
            functions.insert(node, function);
        }
        let mut constraint = constant(true);
        for &edge in &frame.constraints {
            constraint = constraint.and(&value(&functions, edge)?)?;
        }
        let mut initial = constant(true);
        for (&latch, &state) in any.cone().latches.iter().zip(order.latches()) {
            let state = variable(state)?;
            if let Some(value) = model.latches[latch].reset.value() {
                initial = initial.and(&if value { state } else { state.not()? })?;
            }
        }
        let next: AllocResult<Vec<BCDDFunction>> = any
            .state()
            .iter()
            .map(|&edge| value(&functions, edge))
            .collect();
        Ok(Self {
            control,
            initial,
            next: next?,
            bad: value(&functions, frame.bad)?.and(&constraint)?,
            constraint,
            manager,
            order,
        })
    }

    /// Computes a diagram; if the nodes do not suffice, once more after a garbage collection.
    pub(super) fn compute<T>(&self, what: impl Fn() -> AllocResult<T>) -> Result<T, Stop> {
        let why = || self.control.stop_reason().map(Stop::Told);
        if let Some(stop) = why() {
            return Err(stop);
        }
        what().or_else(|_| {
            if let Some(stop) = why() {
                return Err(stop);
            }
            self.manager.with_manager_shared(|manager| manager.gc());
            what().map_err(|_| why().unwrap_or(Stop::Nodes))
        })
    }

    /// Fails if the engine has to stop: called between the operations of a long computation.
    pub(super) fn poll(&self) -> AllocResult<()> {
        poll(self.control)
    }

    pub(super) fn constant(&self, value: bool) -> BCDDFunction {
        self.manager.with_manager_shared(|manager| {
            if value {
                BCDDFunction::t(manager)
            } else {
                BCDDFunction::f(manager)
            }
        })
    }

    pub(super) fn variable(&self, variable: VarNo) -> AllocResult<BCDDFunction> {
        self.manager
            .with_manager_shared(|manager| BCDDFunction::var(manager, variable))
    }

    /// A set of variables, as the library's quantification expects it.
    pub(super) fn set(&self, variables: &[VarNo]) -> AllocResult<BCDDFunction> {
        let mut sorted = variables.to_vec();
        // From the last variable upwards, so that each conjunction adds one node.
        sorted.sort_unstable_by(|left, right| right.cmp(left));
        let mut set = self.constant(true);
        for variable in sorted {
            set = self.variable(variable)?.and(&set)?;
        }
        Ok(set)
    }

    /// `function` restricted to states in which `condition` has the given value.
    pub(super) fn and_value(
        &self,
        function: &BCDDFunction,
        condition: &BCDDFunction,
        value: bool,
    ) -> AllocResult<BCDDFunction> {
        if value {
            function.and(condition)
        } else {
            function.and(&condition.not()?)
        }
    }

    /// Some assignment of all variables that satisfies a function, if there is one.
    pub(super) fn pick(&self, function: &BCDDFunction) -> Option<Vec<bool>> {
        let cube = function.pick_cube(|_, _, _| false)?;
        Some(
            cube.into_iter()
                .map(|value| value == OptBool::True)
                .collect(),
        )
    }
}

/// Returns an out-of-memory error if `control` requests the end, since that is the only error that the
/// library's operations pass on.
fn poll(control: &Control) -> AllocResult<()> {
    match control.stop_reason() {
        None => Ok(()),
        Some(_) => Err(OutOfMemory),
    }
}

fn value(functions: &HashMap<NodeId, BCDDFunction>, edge: Edge) -> AllocResult<BCDDFunction> {
    let function = &functions[&edge.node()];
    if edge.is_negated() {
        function.not()
    } else {
        Ok(function.clone())
    }
}
