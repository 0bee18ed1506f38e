//! Decision diagrams with a bound on their nodes.

use std::collections::HashMap;

use craig_aig::{Aig, Edge, Node, NodeId};
use oxidd::bcdd::{BCDDFunction, BCDDManagerRef};
use oxidd::util::{AllocResult, OptBool, OutOfMemory};
use oxidd::{BooleanFunction, Manager, ManagerRef, VarNo};

use super::end::Stop;

/// A manager of diagrams. Its computations end when the engine is to stop.
pub struct Diagrams<'a> {
    stop: &'a craig_model::Stop,
    manager: BCDDManagerRef,
}

impl<'a> Diagrams<'a> {
    /// No diagrams, of `n_variables` variables, with room for `nodes` nodes.
    pub fn new(n_variables: VarNo, nodes: usize, stop: &'a craig_model::Stop) -> Self {
        let manager = oxidd::bcdd::new_manager(nodes, nodes / 4 + 1, 1);
        let mut diagrams = Self { stop, manager };
        diagrams.add_variables(n_variables);
        diagrams
    }

    /// Adds variables behind those that there are.
    pub fn add_variables(&mut self, n: VarNo) {
        self.manager.with_manager_exclusive(|manager| {
            manager.add_vars(n);
        });
    }

    /// The diagrams of formulas whose inputs stand for variables.
    pub fn functions(
        &self,
        aig: &Aig,
        roots: &[Edge],
        variable: &dyn Fn(NodeId) -> VarNo,
    ) -> AllocResult<Vec<BCDDFunction>> {
        let mut functions: HashMap<NodeId, BCDDFunction> = HashMap::new();
        functions.insert(Edge::FALSE.node(), self.constant(false));
        for node in aig.cone(roots) {
            self.poll()?;
            let function = match aig.node(node) {
                Node::Constant => continue,
                Node::Input(_) => self.variable(variable(node))?,
                Node::And(left, right) => {
                    value(&functions, left)?.and(&value(&functions, right)?)?
                }
            };
            functions.insert(node, function);
        }
        roots.iter().map(|&root| value(&functions, root)).collect()
    }

    /// Computes something; if the nodes do not suffice, once more after a garbage collection.
    pub fn compute<T>(&self, what: impl Fn() -> AllocResult<T>) -> Result<T, Stop> {
        let why = || self.stop.reason().map(Stop::Told);
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

    /// Fails if the engine is to stop: called between the operations of a long computation.
    pub fn poll(&self) -> AllocResult<()> {
        poll(self.stop)
    }

    /// The diagram of a truth value.
    pub fn constant(&self, value: bool) -> BCDDFunction {
        self.manager.with_manager_shared(|manager| {
            if value {
                BCDDFunction::t(manager)
            } else {
                BCDDFunction::f(manager)
            }
        })
    }

    /// The diagram of a variable.
    pub fn variable(&self, variable: VarNo) -> AllocResult<BCDDFunction> {
        self.manager
            .with_manager_shared(|manager| BCDDFunction::var(manager, variable))
    }

    /// A set of variables, as quantification takes it.
    pub fn set(&self, variables: &[VarNo]) -> AllocResult<BCDDFunction> {
        self.cube(variables.iter().map(|&variable| (variable, true)).collect())
    }

    /// The conjunction of variables with values.
    pub fn cube(&self, mut values: Vec<(VarNo, bool)>) -> AllocResult<BCDDFunction> {
        // From the last variable upwards each conjunction takes one node.
        values.sort_unstable_by(|left, right| right.cmp(left));
        let mut cube = self.constant(true);
        for (variable, value) in values {
            self.poll()?;
            let variable = self.variable(variable)?;
            let literal = match value {
                true => variable,
                false => variable.not()?,
            };
            cube = literal.and(&cube)?;
        }
        Ok(cube)
    }

    /// `function`, where `condition` has the given value.
    pub fn and_value(
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
    pub fn pick(&self, function: &BCDDFunction) -> Option<Vec<bool>> {
        let cube = function.pick_cube(|_, _, _| false)?;
        Some(
            cube.into_iter()
                .map(|value| value == OptBool::True)
                .collect(),
        )
    }
}

/// Says "no memory" if it is to stop, since that is the one failure that the library's computations
/// pass on.
fn poll(stop: &craig_model::Stop) -> AllocResult<()> {
    match stop.reason() {
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
