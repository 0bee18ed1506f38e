//! A decision diagram as gates.

use std::collections::HashMap;

use craig_aig::{Aig, Edge};
use oxidd::bcdd::BCDDFunction;
use oxidd::{BooleanFunction, Function, Manager, VarNo};

/// The formula of a diagram: a multiplexer for each node. Variables are in the order of their numbers.
// The key's interior mutability is in its manager; it is hashed and compared by its node.
#[allow(clippy::mutable_key_type)]
pub fn circuit(function: &BCDDFunction, aig: &mut Aig, leaf: &dyn Fn(VarNo) -> Edge) -> Edge {
    let mut edges: HashMap<BCDDFunction, Edge> = HashMap::new();
    let mut stack = vec![function.clone()];
    while let Some(top) = stack.last() {
        if edges.contains_key(top) {
            stack.pop();
            continue;
        }
        let Some((then, otherwise)) = top.cofactors() else {
            let constant = if top.valid() { Edge::TRUE } else { Edge::FALSE };
            edges.insert(top.clone(), constant);
            continue;
        };
        match (edges.get(&then), edges.get(&otherwise)) {
            (Some(&then), Some(&otherwise)) => {
                let level = top.with_manager_shared(|manager, edge| manager.get_node(edge).level());
                let edge = aig.ite(leaf(level), then, otherwise);
                edges.insert(top.clone(), edge);
            }
            _ => stack.extend([then, otherwise]),
        }
    }
    edges[function]
}
