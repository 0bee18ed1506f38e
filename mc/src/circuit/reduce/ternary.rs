//! Latches that are constant, by ternary simulation.
//!
//! Starting from the resets, with inputs and uninitialised latches unknown, the simulated set of states only
//! grows: a latch that takes different values becomes unknown. Latches that are constant at the fixpoint are
//! an inductive invariant of the model, whatever the constraints.

use craig_solver::aig::{Edge, Node};

use super::pass::{Pass, Task};
use super::rebuild::Substitution;
use super::reduced::Reduced;
use crate::circuit::model::Model;

/// Node visits after which the search is abandoned.
const MAX_VISITS: usize = 300_000_000;

/// The set of values of a signal: bit 0 for false, bit 1 for true.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Ternary(u8);

impl Ternary {
    const FALSE: Self = Self(1);
    const TRUE: Self = Self(2);
    const UNKNOWN: Self = Self(3);

    fn negate_if(self, negate: bool) -> Self {
        if negate {
            Self((self.0 >> 1 | self.0 << 1) & 3)
        } else {
            self
        }
    }

    fn and(self, other: Self) -> Self {
        Self((self.0 | other.0) & 1 | self.0 & other.0 & 2)
    }

    fn join(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// The pass.
pub(super) struct StuckLatches;

impl Pass for StuckLatches {
    fn name(&self) -> &'static str {
        "constants"
    }

    fn text(&self) -> &'static str {
        "Latches stuck at a constant"
    }

    fn forward(&self, reduced: &mut Reduced, task: &Task<'_>) -> bool {
        let constants = stuck_latches(&reduced.model);
        reduced.apply(&constants, task.scope);
        task.note_size("stuck latches", reduced);
        !constants.is_identity()
    }
}

/// Replaces the latches that keep their reset value.
fn stuck_latches(model: &Model) -> Substitution {
    let mut substitution = Substitution::identity(model);
    let mut values = resets(model);
    // Every round but the last makes a latch unknown.
    for _ in 0..=MAX_VISITS / model.aig.n_nodes() {
        propagate(model, &mut values);
        let mut is_stable = true;
        for latch in &model.latches {
            let before = values[latch.state.node() as usize];
            let after = before.join(at(&values, latch.next));
            if after != before {
                values[latch.state.node() as usize] = after;
                is_stable = false;
            }
        }
        if is_stable {
            for latch in &model.latches {
                let node = latch.state.node();
                match values[node as usize] {
                    Ternary::FALSE => substitution.replace(node, Edge::FALSE),
                    Ternary::TRUE => substitution.replace(node, Edge::TRUE),
                    _ => {}
                }
            }
            break;
        }
    }
    substitution
}

/// The values of the nodes that ternary simulation shows to be constant over all reset states and inputs.
pub(super) fn reset_values(model: &Model) -> Vec<Option<bool>> {
    let mut values = resets(model);
    propagate(model, &mut values);
    let values = values.into_iter();
    values
        .map(|value| match value {
            Ternary::FALSE => Some(false),
            Ternary::TRUE => Some(true),
            _ => None,
        })
        .collect()
}

/// The latches' values in the reset states; all other values are unknown.
fn resets(model: &Model) -> Vec<Ternary> {
    let mut values = vec![Ternary::UNKNOWN; model.aig.n_nodes()];
    for latch in &model.latches {
        values[latch.state.node() as usize] = match latch.reset.value() {
            Some(value) => Ternary::FALSE.negate_if(value),
            None => Ternary::UNKNOWN,
        };
    }
    values
}

fn at(values: &[Ternary], edge: Edge) -> Ternary {
    values[edge.node() as usize].negate_if(edge.is_negated())
}

/// The values of all gates, given those of the latches. Inputs are unknown.
fn propagate(model: &Model, values: &mut [Ternary]) {
    for node in 0..values.len() {
        match model.aig.node(node as u32) {
            Node::Constant => values[node] = Ternary::FALSE,
            Node::Input(_) => {}
            Node::And(left, right) => {
                values[node] = at(values, left).and(at(values, right));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ternary_values_follow_the_tables() {
        let [f, t, u] = [Ternary::FALSE, Ternary::TRUE, Ternary::UNKNOWN];
        for (left, right, and) in [
            (f, f, f),
            (f, t, f),
            (f, u, f),
            (t, t, t),
            (t, u, u),
            (u, u, u),
        ] {
            assert!(left.and(right) == and && right.and(left) == and);
        }
        assert!(f.negate_if(true) == t && t.negate_if(true) == f && u.negate_if(true) == u);
        assert!(f.join(t) == u && t.join(t) == t);
    }
}
