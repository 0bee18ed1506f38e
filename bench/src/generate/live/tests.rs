//! The answers of small circuits, by a search through all states.

use std::collections::HashMap;

use clap::ValueEnum;
use craig_aig::Edge;
use craig_model::cone::SequentialCone;

use super::*;

/// The steps of the reachable states: for each the next state and the literals that it meets.
fn steps(model: &Model, property: usize) -> Vec<Vec<(usize, u32)>> {
    let literals = model.justice_literals(property);
    let cone = SequentialCone::new(model, literals.iter().copied());
    let (n_inputs, n_latches) = (cone.inputs.len(), cone.latches.len());
    assert!(n_inputs < 12 && n_latches < 64);
    let mut roots: Vec<Edge> = Vec::new();
    roots.extend(cone.latches.iter().map(|&latch| model.latches[latch].next));
    roots.extend(&literals);
    // For each node of the graph's inputs, its place among the values.
    let places: HashMap<u32, usize> = (model.aig.inputs().iter().enumerate())
        .map(|(place, &node)| (node, place))
        .collect();
    let place = |edge: Edge| places[&edge.node()];
    let mut numbers: HashMap<u64, usize> = HashMap::new();
    let initial = cone.latches.iter().enumerate();
    let initial = initial.fold(0, |sum, (bit, &latch)| {
        sum | u64::from(model.latches[latch].reset.value() == Some(true)) << bit
    });
    let mut states = vec![initial];
    numbers.insert(initial, 0);
    let mut steps = Vec::new();
    while steps.len() < states.len() {
        let state = states[steps.len()];
        let mut words = vec![0; model.aig.n_inputs()];
        for (bit, &latch) in cone.latches.iter().enumerate() {
            words[place(model.latches[latch].state)] = 0_u64.wrapping_sub(state >> bit & 1);
        }
        let mut found = Vec::new();
        for group in 0..(1_usize << n_inputs).div_ceil(64) {
            for (bit, &input) in cone.inputs.iter().enumerate() {
                words[place(model.inputs[input])] = (0..64).fold(0, |word, lane| {
                    let is_set = (group * 64 + lane) >> bit & 1 == 1;
                    word | (u64::from(is_set) << lane)
                });
            }
            let values = model.aig.simulate(&words);
            for lane in 0..64.min(1 << n_inputs) {
                let bits = |edges: &[Edge]| {
                    let bits = edges.iter().map(|edge| edge.word(&values) >> lane & 1);
                    bits.enumerate()
                        .fold(0, |sum, (bit, value)| sum | value << bit)
                };
                let (next, met) = roots.split_at(n_latches);
                found.push((bits(next), bits(met) as u32));
            }
        }
        found.sort_unstable();
        found.dedup();
        let found = found.into_iter().map(|(next, met)| {
            let number = *numbers.entry(next).or_insert_with(|| {
                states.push(next);
                states.len() - 1
            });
            (number, met)
        });
        steps.push(found.collect());
    }
    steps
}

/// For each state, the number of its strongly connected component (R. Tarjan, "Depth-first search and linear graph algorithms",
/// 1972; by a stack of its own).
fn components(steps: &[Vec<(usize, u32)>]) -> Vec<usize> {
    let none = usize::MAX;
    let (mut index, mut low) = (vec![none; steps.len()], vec![none; steps.len()]);
    let mut component = vec![none; steps.len()];
    let (mut open, mut path, mut n_seen) = (Vec::new(), vec![(0, 0)], 0);
    while let Some((state, edge)) = path.pop() {
        if edge == 0 {
            (index[state], low[state]) = (n_seen, n_seen);
            n_seen += 1;
            open.push(state);
        } else {
            let (next, _) = steps[state][edge - 1];
            if component[next] == none {
                low[state] = low[state].min(low[next]);
            }
        }
        match steps[state].get(edge) {
            Some(&(next, _)) => {
                path.push((state, edge + 1));
                if index[next] == none {
                    path.push((next, 0));
                }
            }
            None if low[state] == index[state] => loop {
                let member = open.pop().expect("the root is on the stack");
                component[member] = state;
                if member == state {
                    break;
                }
            },
            None => {}
        }
    }
    component
}

/// Whether a component meets all literals on its inner steps.
fn fails(model: &Model, property: usize) -> bool {
    let steps = steps(model, property);
    let component = components(&steps);
    let mut met = vec![0; steps.len()];
    for (state, steps) in steps.iter().enumerate() {
        for &(next, literals) in steps {
            if component[next] == component[state] {
                met[component[state]] |= literals;
            }
        }
    }
    let all = (1 << model.justice_literals(property).len()) - 1;
    met.contains(&all)
}

#[test]
fn answers_of_small_circuits_are_right() {
    for &family in Family::value_variants() {
        for size in [2, 3] {
            for variant in [false, true] {
                let known = generate(family, size, variant);
                let found: Vec<bool> = (0..known.fails.len())
                    .map(|property| fails(&known.model, property))
                    .collect();
                assert_eq!(found, known.fails, "{family:?} {size} {variant}");
                assert_eq!(found.contains(&true), variant, "{family:?} {size}");
            }
        }
    }
}
