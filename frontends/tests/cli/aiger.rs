//! The AIGER reader against an independent reader, the `aiger` crate, which reads ASCII files of version 1.0
//! only.

use aiger::{Aiger, Literal, Reader};
use craig_aig::Edge;
use craig_hardware::aiger::{AigerModel, read, write_ascii, write_binary};
use craig_model::{Latch, Model, Reset};
use proptest::prelude::*;

/// A random circuit without resets but 0, with bads that are written as outputs.
fn circuits() -> impl Strategy<Value = AigerModel> {
    let gates = prop::collection::vec((any::<u32>(), any::<u32>()), 0..40);
    let roots = prop::collection::vec(any::<u32>(), 6);
    (0..4_usize, 0..4_usize, gates, roots).prop_map(|(n_inputs, n_latches, gates, roots)| {
        let mut model = Model::default();
        model.inputs = (0..n_inputs).map(|_| model.aig.add_input()).collect();
        let states: Vec<Edge> = (0..n_latches).map(|_| model.aig.add_input()).collect();
        let mut edges = vec![Edge::TRUE];
        edges.extend(model.inputs.iter().chain(&states));
        let pick = |edges: &[Edge], choice: u32| {
            edges[(choice / 2) as usize % edges.len()].negate_if(choice % 2 == 1)
        };
        for (left, right) in gates {
            let (left, right) = (pick(&edges, left), pick(&edges, right));
            edges.push(model.aig.and(left, right));
        }
        model.latches = states
            .iter()
            .zip(&roots)
            .map(|(&state, &root)| Latch {
                state,
                next: pick(&edges, root),
                reset: Reset::Zero,
            })
            .collect();
        model.bads = roots[3..].iter().map(|&root| pick(&edges, root)).collect();
        model.names.inputs = (0..n_inputs).map(|index| format!("in {index}")).collect();
        AigerModel {
            bads_are_outputs: true,
            ..AigerModel::from_model(model)
        }
    })
}

/// The value of every literal, by the second reader's account of the gates.
fn evaluate(text: &[u8], leaves: &[bool]) -> (Vec<bool>, Vec<bool>) {
    let reader = Reader::from_reader(text).unwrap();
    let mut values = vec![false; 2 * (reader.header().m + 1)];
    values[1] = true;
    let set = |values: &mut Vec<bool>, literal: Literal, value: bool| {
        values[literal.0] = value;
        values[literal.0 ^ 1] = !value;
    };
    let (mut next, mut outputs, mut leaf) = (Vec::new(), Vec::new(), 0);
    for record in reader.records() {
        match record.unwrap() {
            Aiger::Input(literal) => {
                set(&mut values, literal, leaves[leaf]);
                leaf += 1;
            }
            Aiger::Latch { output, input } => {
                set(&mut values, output, leaves[leaf]);
                leaf += 1;
                next.push(input);
            }
            Aiger::Output(literal) => outputs.push(literal),
            Aiger::AndGate { output, inputs } => {
                let value = inputs.iter().all(|input| values[input.0]);
                set(&mut values, output, value);
            }
            Aiger::Symbol { .. } => {}
        }
    }
    let value = |literals: Vec<Literal>| literals.iter().map(|literal| values[literal.0]).collect();
    (value(next), value(outputs))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn both_readers_understand_the_same(circuit in circuits(), bits: u8) {
        let mut text = Vec::new();
        write_ascii(&circuit, &mut text).unwrap();
        let mut binary = Vec::new();
        write_binary(&circuit, &mut binary).unwrap();
        let leaves: Vec<bool> = (0..8).map(|bit| bits >> bit & 1 == 1).collect();
        let (next, outputs) = evaluate(&text, &leaves);
        for bytes in [&text, &binary] {
            let circuit = read(bytes, "file").unwrap();
            let model = &circuit.model;
            let n_leaves = model.inputs.len() + model.latches.len();
            let next_states = model.latches.iter().map(|latch| latch.next);
            let roots: Vec<Edge> = next_states.chain(model.bads.iter().copied()).collect();
            let values = model.aig.evaluate(&leaves[..n_leaves], &roots);
            prop_assert_eq!(&values[..next.len()], &next[..]);
            prop_assert_eq!(&values[next.len()..], &outputs[..]);
            prop_assert!(circuit.bads_are_outputs || model.bads.is_empty());
        }
    }
}
