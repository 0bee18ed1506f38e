//! Transition systems over and-inverter graphs.

use craig_aig::{Aig, Edge, Node, NodeId};

/// The value of a latch before the first step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reset {
    /// Starts at 0.
    Zero,
    /// Starts at 1.
    One,
    /// Starts at either value.
    Uninitialised,
    /// Starts at the value of this formula over the inputs and latches of the first step. Passes and engines
    /// work on models without it: the pass `resets` replaces it.
    Function(Edge),
}

impl Reset {
    /// The value, if it is a constant.
    #[inline]
    #[must_use]
    pub fn value(self) -> Option<bool> {
        match self {
            Self::Zero => Some(false),
            Self::One => Some(true),
            Self::Uninitialised | Self::Function(_) => None,
        }
    }
}

/// A state variable.
#[derive(Clone, Copy, Debug)]
pub struct Latch {
    /// The variable itself: the positive edge of an input node of [`Model::aig`].
    pub state: Edge,
    /// Its value one step later, over states and inputs.
    pub next: Edge,
    /// Its value before the first step.
    pub reset: Reset,
}

/// Names for the parts of a model, from its file; empty strings for parts without a name. Each list is either
/// empty or as long as the list that it names.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// Of [`Model::inputs`].
    pub inputs: Vec<String>,
    /// Of [`Model::latches`].
    pub latches: Vec<String>,
    /// Of [`Model::bads`].
    pub bads: Vec<String>,
    /// Of [`Model::constraints`].
    pub constraints: Vec<String>,
    /// Of [`Model::justice`].
    pub justice: Vec<String>,
    /// Of [`Model::fairness`].
    pub fairness: Vec<String>,
}

/// A finite transition system: the meaning of an AIGER 1.9 file.
///
/// Invariants: the inputs of `aig` are exactly the union of `inputs` and the latches' `state` edges, each
/// once and positive. No latch depends on itself through reset functions ([`Model::reset_order`]).
///
/// Semantics, as in HWMCC: an initial state agrees with every latch's reset; in each step all latches take
/// the values of their `next` edges simultaneously. A bad counts in step k if all `constraints` hold in steps
/// 0 to k, k included. Constraints on later steps are irrelevant.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// The graph that holds every formula of the model.
    pub aig: Aig,
    /// The free variables of a step: positive edges of input nodes.
    pub inputs: Vec<Edge>,
    /// The state variables.
    pub latches: Vec<Latch>,
    /// Formulas over states and inputs that restrict the steps: the invariant constraints.
    pub constraints: Vec<Edge>,
    /// Safety properties, one formula over states and inputs each: the bad states.
    pub bads: Vec<Edge>,
    /// Liveness properties: each a set of formulas that must not all hold infinitely often.
    pub justice: Vec<Vec<Edge>>,
    /// Formulas that hold infinitely often on the paths of justice properties.
    pub fairness: Vec<Edge>,
    /// The names of these parts in the file.
    pub names: Names,
}

impl Model {
    /// The latches that start at the value of a formula: their numbers, and the formulas.
    pub fn reset_functions(&self) -> impl Iterator<Item = (usize, Edge)> + '_ {
        let latches = self.latches.iter().enumerate();
        latches.filter_map(|(number, latch)| match latch.reset {
            Reset::Function(edge) => Some((number, edge)),
            _ => None,
        })
    }

    /// Whether a latch starts at the value of a formula.
    #[must_use]
    pub fn has_reset_functions(&self) -> bool {
        self.reset_functions().next().is_some()
    }

    /// The gates of all reset functions and the latches that have one, each after everything that its value
    /// in the first step depends on. `None` if there is no such order: a latch would depend on itself.
    #[must_use]
    pub fn reset_order(&self) -> Option<Vec<NodeId>> {
        let mut function_of = vec![None; self.aig.n_nodes()];
        for (number, edge) in self.reset_functions() {
            function_of[self.latches[number].state.node() as usize] = Some(edge);
        }
        let operands = |node: NodeId| match self.aig.node(node) {
            Node::And(left, right) => [Some(left), Some(right)],
            _ => [function_of[node as usize], None],
        };
        // Whether a node's operands have been pushed, and whether it is in the order.
        let mut is_open = vec![false; function_of.len()];
        let mut is_done = is_open.clone();
        let mut order = Vec::new();
        let mut stack: Vec<NodeId> = (self.reset_functions())
            .map(|(number, _)| self.latches[number].state.node())
            .collect();
        while let Some(&node) = stack.last() {
            let mut open = (operands(node).into_iter().flatten())
                .filter(|operand| {
                    let is_leaf = operands(operand.node()) == [None, None];
                    !is_leaf && !is_done[operand.node() as usize]
                })
                .peekable();
            if is_done[node as usize] {
                stack.pop();
            } else if open.peek().is_none() {
                is_done[node as usize] = true;
                order.push(node);
                stack.pop();
            } else if std::mem::replace(&mut is_open[node as usize], true) {
                // Its operands were pushed before, and one of them waits for this node.
                return None;
            } else {
                stack.extend(open.map(|operand| operand.node()));
            }
        }
        Some(order)
    }

    /// The model with a single bad, number `property` of this one.
    ///
    /// # Panics
    /// If there is no such bad.
    #[must_use]
    pub fn with_single_bad(&self, property: usize) -> Self {
        let mut model = self.clone();
        model.bads = vec![self.bads[property]];
        model.names.bads = self.names.bads.get(property).cloned().into_iter().collect();
        model
    }

    /// The model with a single justice property, number `property` of this one, and no bads.
    ///
    /// # Panics
    /// If there is no such property.
    #[must_use]
    pub fn with_single_justice(&self, property: usize) -> Self {
        let mut model = self.clone();
        model.bads.clear();
        model.names.bads.clear();
        model.justice = vec![self.justice[property].clone()];
        model.names.justice = (self.names.justice.get(property).cloned().into_iter()).collect();
        model
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Latches that start at the value of the previous one's negation, the last at that of `last`.
    fn chain(n_latches: usize, last: impl Fn(&mut Model) -> Edge) -> Model {
        let mut model = Model::default();
        let states: Vec<Edge> = (0..n_latches).map(|_| model.aig.add_input()).collect();
        for (number, &state) in states.iter().enumerate() {
            let reset = match states.get(number + 1) {
                Some(&other) => Reset::Function(!other),
                None => Reset::Zero,
            };
            let next = state;
            model.latches.push(Latch { state, next, reset });
        }
        let last = last(&mut model);
        model.latches[n_latches - 1].reset = Reset::Function(last);
        model
    }

    #[test]
    fn reset_functions_have_an_order_unless_they_form_a_cycle() {
        let model = chain(100_000, |_| Edge::TRUE);
        let order = model.reset_order().unwrap();
        let expected = model.latches.iter().rev().map(|latch| latch.state.node());
        assert_eq!(order, expected.collect::<Vec<_>>());
        let cycle = chain(3, |model| {
            let (first, input) = (model.latches[0].state, model.aig.add_input());
            model.inputs.push(input);
            model.aig.and(first, input)
        });
        assert_eq!(cycle.reset_order(), None);
        assert_eq!(chain(1, |model| model.latches[0].state).reset_order(), None);
        let shared = chain(2, |model| {
            let [left, right] = [0; 2].map(|_| model.aig.add_input());
            model.inputs.extend([left, right]);
            let both = model.aig.and(left, right);
            model.aig.and(both, !left)
        });
        assert!(shared.reset_order().is_some());
    }
}
