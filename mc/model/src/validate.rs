//! What a model that was built by hand may have wrong.

use craig_aig::{Edge, Node, NodeId};

use crate::{Model, Reset};

/// Why a model is none. The parts of a model are named as its fields are, with their positions there.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// An edge that the graph does not have: it may be of another graph.
    #[error("{part} is no edge of the model's graph")]
    ForeignEdge {
        /// The part.
        part: String,
    },
    /// An input, or the state of a latch, that is negated or is a gate.
    #[error("{part} is not the positive edge of an input node")]
    NoVariable {
        /// The part.
        part: String,
    },
    /// An input node that is declared twice, as input or latch.
    #[error("{part} is declared before as input or latch")]
    DeclaredTwice {
        /// The part.
        part: String,
    },
    /// A formula reads an input node that is neither an input nor a latch.
    #[error("{part} reads node {node}, which is neither an input nor a latch")]
    Undeclared {
        /// The part.
        part: String,
        /// The node.
        node: NodeId,
    },
    /// A latch that depends on itself through reset functions.
    #[error("the reset functions of latches form a cycle")]
    ResetCycle,
    /// A list of names that is neither empty nor as long as the list of what it names.
    #[error("{list} has {found} names for {expected} parts")]
    Names {
        /// The list.
        list: &'static str,
        /// Its length.
        found: usize,
        /// The number of parts.
        expected: usize,
    },
    /// A property that the model does not have.
    #[error("there is no property {property}: the model has {n_properties}")]
    NoProperty {
        /// The property that was asked for.
        property: usize,
        /// The number of properties of its kind.
        n_properties: usize,
    },
}

impl Model {
    /// Whether the model is one: what readers guarantee, and engines and passes rely on. The time is linear in the graph.
    ///
    /// # Errors
    /// The first part that is wrong.
    pub fn validate(&self) -> Result<(), ModelError> {
        self.validate_circuit()?;
        self.check_names()
    }

    /// Whether the model is one but for its names, of which a witness circuit has no need.
    ///
    /// # Errors
    /// The first part that is wrong.
    pub fn validate_circuit(&self) -> Result<(), ModelError> {
        let mut is_declared = vec![false; self.aig.n_nodes()];
        let inputs = self.inputs.iter().enumerate();
        for (number, &input) in inputs {
            self.declare(&mut is_declared, input, || format!("inputs[{number}]"))?;
        }
        for (number, latch) in self.latches.iter().enumerate() {
            let part = || format!("latches[{number}].state");
            self.declare(&mut is_declared, latch.state, part)?;
        }
        self.check_edges()?;
        self.check_reads(&is_declared)?;
        match self.reset_order() {
            None => Err(ModelError::ResetCycle),
            Some(_) => Ok(()),
        }
    }

    /// Whether the model has bad number `property`.
    ///
    /// # Errors
    /// If it does not.
    pub fn validate_bad(&self, property: usize) -> Result<(), ModelError> {
        let n_properties = self.bads.len();
        match property < n_properties {
            true => Ok(()),
            false => Err(ModelError::NoProperty {
                property,
                n_properties,
            }),
        }
    }

    fn declare(
        &self,
        is_declared: &mut [bool],
        edge: Edge,
        part: impl Fn() -> String,
    ) -> Result<(), ModelError> {
        let Some(is_known) = is_declared.get_mut(edge.node() as usize) else {
            return Err(ModelError::ForeignEdge { part: part() });
        };
        if edge.is_negated() || !matches!(self.aig.node(edge.node()), Node::Input(_)) {
            return Err(ModelError::NoVariable { part: part() });
        }
        match std::mem::replace(is_known, true) {
            true => Err(ModelError::DeclaredTwice { part: part() }),
            false => Ok(()),
        }
    }

    /// The formulas of the model, each with the name of its part.
    fn formulas(&self) -> impl Iterator<Item = (Edge, Part)> + '_ {
        let latches = self.latches.iter().enumerate();
        let latches = latches.flat_map(|(number, latch)| {
            let reset = match latch.reset {
                Reset::Function(edge) => Some((edge, Part::Reset(number))),
                _ => None,
            };
            [(latch.next, Part::Next(number))].into_iter().chain(reset)
        });
        let list = |edges: &'_ [Edge], part: fn(usize) -> Part| -> Vec<(Edge, Part)> {
            let edges = edges.iter().enumerate();
            edges.map(|(number, &edge)| (edge, part(number))).collect()
        };
        let lists = [
            list(&self.constraints, Part::Constraint),
            list(&self.bads, Part::Bad),
            list(&self.fairness, Part::Fairness),
        ];
        let justice = self.justice.iter().enumerate();
        let justice = justice.flat_map(|(number, edges)| {
            edges.iter().map(move |&edge| (edge, Part::Justice(number)))
        });
        latches.chain(lists.into_iter().flatten()).chain(justice)
    }

    fn check_edges(&self) -> Result<(), ModelError> {
        let n_nodes = self.aig.n_nodes();
        let mut formulas = self.formulas();
        match formulas.find(|(edge, _)| edge.node() as usize >= n_nodes) {
            Some((_, part)) => Err(ModelError::ForeignEdge {
                part: part.to_string(),
            }),
            None => Ok(()),
        }
    }

    /// Whether all input nodes below the formulas are declared.
    fn check_reads(&self, is_declared: &[bool]) -> Result<(), ModelError> {
        let mut is_visited = vec![false; is_declared.len()];
        let mut open = Vec::new();
        for (edge, part) in self.formulas() {
            open.push(edge.node());
            while let Some(node) = open.pop() {
                if std::mem::replace(&mut is_visited[node as usize], true) {
                    continue;
                }
                match self.aig.node(node) {
                    Node::And(left, right) => open.extend([left.node(), right.node()]),
                    Node::Input(_) if !is_declared[node as usize] => {
                        let part = part.to_string();
                        return Err(ModelError::Undeclared { part, node });
                    }
                    Node::Input(_) | Node::Constant => {}
                }
            }
        }
        Ok(())
    }

    fn check_names(&self) -> Result<(), ModelError> {
        let names = &self.names;
        let lists = [
            ("names.inputs", names.inputs.len(), self.inputs.len()),
            ("names.latches", names.latches.len(), self.latches.len()),
            ("names.bads", names.bads.len(), self.bads.len()),
            (
                "names.constraints",
                names.constraints.len(),
                self.constraints.len(),
            ),
            ("names.justice", names.justice.len(), self.justice.len()),
            ("names.fairness", names.fairness.len(), self.fairness.len()),
        ];
        for (list, found, expected) in lists {
            if found != 0 && found != expected {
                return Err(ModelError::Names {
                    list,
                    found,
                    expected,
                });
            }
        }
        Ok(())
    }
}

/// A formula of a model.
enum Part {
    Next(usize),
    Reset(usize),
    Constraint(usize),
    Bad(usize),
    Fairness(usize),
    Justice(usize),
}

impl std::fmt::Display for Part {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Next(number) => write!(f, "latches[{number}].next"),
            Self::Reset(number) => write!(f, "latches[{number}].reset"),
            Self::Constraint(number) => write!(f, "constraints[{number}]"),
            Self::Bad(number) => write!(f, "bads[{number}]"),
            Self::Fairness(number) => write!(f, "fairness[{number}]"),
            Self::Justice(number) => write!(f, "justice[{number}]"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Latch;

    /// An input, and a latch that takes its value; the bad is that both hold.
    fn model() -> Model {
        let mut model = Model::default();
        let [input, state] = [(); 2].map(|()| model.aig.add_input());
        model.inputs.push(input);
        model.latches.push(Latch {
            state,
            next: input,
            reset: Reset::Zero,
        });
        let both = model.aig.and(input, state);
        model.bads.push(both);
        model
    }

    /// The error of the model after a change.
    fn error(change: impl FnOnce(&mut Model)) -> String {
        let mut model = model();
        change(&mut model);
        model.validate().expect_err("it is none").to_string()
    }

    #[test]
    fn a_model_is_one() {
        assert_eq!(model().validate(), Ok(()));
        assert_eq!(model().validate_bad(0), Ok(()));
        assert_eq!(Model::default().validate(), Ok(()));
    }

    #[test]
    fn each_wrong_part_is_named() {
        let foreign = Edge::new(1000, false);
        assert_eq!(
            error(|model| model.bads.push(foreign)),
            "bads[1] is no edge of the model's graph"
        );
        assert_eq!(
            error(|model| model.inputs.push(foreign)),
            "inputs[1] is no edge of the model's graph"
        );
        assert_eq!(
            error(|model| model.latches[0].state = !model.latches[0].state),
            "latches[0].state is not the positive edge of an input node"
        );
        assert_eq!(
            error(|model| model.inputs[0] = model.bads[0]),
            "inputs[0] is not the positive edge of an input node"
        );
        assert_eq!(
            error(|model| model.inputs.push(model.latches[0].state)),
            "latches[0].state is declared before as input or latch"
        );
        assert_eq!(
            error(|model| {
                model.inputs.clear();
            }),
            "latches[0].next reads node 1, which is neither an input nor a latch"
        );
        assert_eq!(
            error(|model| model.latches[0].reset = Reset::Function(model.latches[0].state)),
            "the reset functions of latches form a cycle"
        );
        assert_eq!(
            error(|model| model.names.bads = vec![String::new(); 2]),
            "names.bads has 2 names for 1 parts"
        );
        let missing = model().validate_bad(1).expect_err("there is none");
        assert_eq!(
            missing.to_string(),
            "there is no property 1: the model has 1"
        );
    }
}
