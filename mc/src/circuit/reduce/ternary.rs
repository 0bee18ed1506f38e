//! Latches that are constant, by ternary simulation.
//!
//! Starting from the resets, with inputs and uninitialised latches unknown, the simulated set of states only
//! grows: a latch that takes different values becomes unknown. Latches that are constant at the fixpoint are
//! an inductive invariant of the model, whatever the constraints.

use craig_aig::{Edge, Node, NodeId, Poll};
use craig_model::Model;

use super::pass::{Pass, Task};
use super::rebuild::Substitution;
use super::reduced::Reduced;
use super::users::{User, Users};

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
        let Some(constants) = stuck_latches(&reduced.model, &mut task.control.stop.poll()) else {
            return false;
        };
        let is_smaller =
            !constants.is_identity() && reduced.apply(&constants, task.scope, task.control.stop);
        task.note_size("stuck latches", reduced);
        is_smaller
    }
}

/// Replaces the latches that keep their reset value. `None` if `poll` ends it.
fn stuck_latches(model: &Model, poll: &mut Poll<'_>) -> Option<Substitution> {
    let mut substitution = Substitution::identity(model);
    let mut values = resets(model);
    propagate(model, &mut values, poll)?;
    widen(model, &mut values, poll)?;
    for latch in &model.latches {
        let node = latch.state.node();
        match values[node as usize] {
            Ternary::FALSE => substitution.replace(node, Edge::FALSE),
            Ternary::TRUE => substitution.replace(node, Edge::TRUE),
            _ => {}
        }
    }
    Some(substitution)
}

/// Joins the values of each latch with those of its next state until nothing changes. The values of all gates are
/// those of their operands, before and after. A node changes at most once more after its first value, to unknown,
/// and then its users are visited: the time is linear in the size of the model. `None` if `poll` ends it.
fn widen(model: &Model, values: &mut [Ternary], poll: &mut Poll<'_>) -> Option<()> {
    let users = Users::new(model, poll)?;
    let mut open: Vec<NodeId> = Vec::new();
    for latch in &model.latches {
        let node = latch.state.node();
        let next = at(values, latch.next);
        if update(values, node, next) {
            open.push(node);
        }
        poll.step()?;
        while let Some(changed) = open.pop() {
            poll.steps(1 + users.of(changed).len())?;
            for &user in users.of(changed) {
                let value = match users.kind(user) {
                    User::Gate(node) => match model.aig.node(node) {
                        Node::And(left, right) => (node, at(values, left).and(at(values, right))),
                        _ => continue,
                    },
                    User::Latch(latch) => {
                        let latch = &model.latches[latch];
                        (latch.state.node(), at(values, latch.next))
                    }
                };
                if update(values, value.0, value.1) {
                    open.push(value.0);
                }
            }
        }
    }
    Some(())
}

/// Joins the value of a node with another one; whether it has changed.
fn update(values: &mut [Ternary], node: NodeId, value: Ternary) -> bool {
    let before = values[node as usize];
    values[node as usize] = before.join(value);
    values[node as usize] != before
}

/// The values of the nodes that ternary simulation shows to be constant over all reset states and inputs. `None` if
/// `poll` ends it.
pub(crate) fn reset_values(model: &Model, poll: &mut Poll<'_>) -> Option<Vec<Option<bool>>> {
    let mut values = resets(model);
    propagate(model, &mut values, poll)?;
    let values = values.into_iter().map(|value| match value {
        Ternary::FALSE => Some(false),
        Ternary::TRUE => Some(true),
        _ => None,
    });
    Some(values.collect())
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

/// The values of all gates, given those of the latches. Inputs are unknown. `None` if `poll` ends it.
fn propagate(model: &Model, values: &mut [Ternary], poll: &mut Poll<'_>) -> Option<()> {
    for node in 0..values.len() {
        poll.step()?;
        match model.aig.node(node as u32) {
            Node::Constant => values[node] = Ternary::FALSE,
            Node::Input(_) => {}
            Node::And(left, right) => {
                values[node] = at(values, left).and(at(values, right));
            }
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use craig_aig::Random;
    use craig_model::{Latch, Reset};

    /// Against sweeps over all nodes until nothing changes, on random models.
    #[test]
    fn one_pass_over_changes_reaches_the_fixpoint_of_all_sweeps() {
        let mut random = Random::new(9);
        let mut n_stuck = 0;
        for _ in 0..300 {
            let mut model = Model::default();
            let mut edges = vec![Edge::FALSE];
            for _ in 0..2 {
                let input = model.aig.add_input();
                model.inputs.push(input);
                edges.push(input);
            }
            let states: Vec<Edge> = (0..8).map(|_| model.aig.add_input()).collect();
            edges.extend(&states);
            let pick = |random: &mut Random, edges: &[Edge]| {
                edges[random.below(edges.len())].negate_if(random.flip())
            };
            for _ in 0..20 {
                let [left, right] = [0; 2].map(|_| pick(&mut random, &edges));
                edges.push(model.aig.and(left, right));
            }
            for &state in &states {
                let reset = [Reset::Zero, Reset::Zero, Reset::One, Reset::Uninitialised];
                model.latches.push(Latch {
                    state,
                    next: pick(&mut random, &edges),
                    reset: reset[random.below(4)],
                });
            }
            let mut expected = resets(&model);
            for _ in 0..model.latches.len() + 1 {
                propagate(&model, &mut expected, &mut Poll::never()).unwrap();
                for latch in &model.latches {
                    let next = at(&expected, latch.next);
                    update(&mut expected, latch.state.node(), next);
                }
            }
            let found = stuck_latches(&model, &mut Poll::never()).unwrap();
            for latch in &model.latches {
                let node = latch.state.node();
                let is_stuck = expected[node as usize] != Ternary::UNKNOWN;
                let replaced = found.replaced().any(|(other, _)| other == node);
                assert_eq!(replaced, is_stuck);
                n_stuck += usize::from(is_stuck);
            }
        }
        assert!(n_stuck > 100, "{n_stuck}");
    }

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
