//! One-hot state machines. A machine moves to its next state when a formula over inputs and the states of other
//! machines holds. The check of a machine: two of its states hold.

use craig_aig::Edge;

use super::{Builder, Size};

/// States of a machine, at most.
const MOST_STATES: usize = 8;
/// Machines to an input.
const PER_INPUT: usize = 4;

pub(super) fn build(builder: &mut Builder, size: Size) {
    let n_states = size.latches.clamp(2, MOST_STATES);
    let n_machines = (size.latches / n_states).max(1);
    let inputs = builder.new_inputs(n_machines.div_ceil(PER_INPUT));
    let mut states = Vec::new();
    for _ in 0..n_machines {
        let machine: Vec<Edge> = (0..n_states)
            .map(|state| builder.latch(state == 0))
            .collect();
        states.push(machine);
    }
    for index in 0..n_machines {
        let machine = states[index].clone();
        // What the machine waits for in each state, with its share of the gates.
        let mut next = machine.clone();
        let start = builder.n_gates();
        let share = (size.gates * (index + 1) / n_machines).saturating_sub(start);
        let moves: Vec<Edge> = (0..n_states)
            .map(|state| {
                let goes = wait(
                    builder,
                    &inputs,
                    &states,
                    start + share * (state + 1) / n_states,
                );
                builder.model.aig.and(machine[state], goes)
            })
            .collect();
        for state in 0..n_states {
            let from = moves[(state + n_states - 1) % n_states];
            let stays = builder.model.aig.and(machine[state], !moves[state]);
            next[state] = builder.model.aig.or(stays, from);
        }
        builder.set_next(index * n_states, &next);
        let mut is_two = Edge::FALSE;
        let mut is_one = Edge::FALSE;
        for &state in &machine {
            let both = builder.model.aig.and(is_one, state);
            is_two = builder.model.aig.or(is_two, both);
            is_one = builder.model.aig.or(is_one, state);
        }
        builder.checks.push(is_two);
    }
}

/// A formula over inputs and states, with gates until the builder has `n_gates`, unless too few of them differ.
fn wait(builder: &mut Builder, inputs: &[Edge], states: &[Vec<Edge>], n_gates: usize) -> Edge {
    let mut formula = builder.pick(inputs);
    for _ in 0..=n_gates.saturating_sub(builder.n_gates()) {
        let machine = builder.random.below(states.len());
        let [state, input] = [builder.pick(&states[machine]), builder.pick(inputs)];
        let input = input.negate_if(builder.random.flip());
        formula = match builder.random.below(3) {
            0 => builder.model.aig.xor(formula, state),
            _ => builder.model.aig.ite(state, input, formula),
        };
        if builder.n_gates() + 4 >= n_gates {
            break;
        }
    }
    formula
}
