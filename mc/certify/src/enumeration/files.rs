//! Models against the circuits of their files, signal by signal.

use std::collections::BTreeMap;

use craig_aig::{Edge, Random};
use craig_model::{Latch, Model, Reset};

use super::{any_edge, evaluated, holds};
use crate::{Literal, Source, SourceGate, SourceLatch, certify_source};

/// A model and its file.
struct Read {
    model: Model,
    source: Source,
}

impl crate::Circuit for Read {
    fn model(&self) -> &Model {
        &self.model
    }

    fn source(&self) -> Option<&Source> {
        Some(&self.source)
    }
}

/// A random file, read without a mistake.
fn any_file(random: &mut Random) -> Read {
    let mut read = Read {
        model: Model::default(),
        source: Source {
            images: vec![Edge::FALSE],
            ..Source::default()
        },
    };
    let Read { model, source } = &mut read;
    let [n_inputs, n_latches] = [1 + random.below(3), 1 + random.below(2)];
    for _ in 0..n_inputs {
        let input = model.aig.add_input();
        model.inputs.push(input);
        source.inputs.push(source.images.len() as u32);
        source.images.push(input);
    }
    let first_latch = source.images.len() as u32;
    let states: Vec<Edge> = (0..n_latches).map(|_| model.aig.add_input()).collect();
    source.images.extend(&states);
    for _ in 0..random.below(8) {
        let operands = [0; 2].map(|_| any_literal(source, random));
        let [left, right] = operands.map(|literal| image(source, literal));
        let output = source.images.len() as u32;
        source.images.push(model.aig.and(left, right));
        source.gates.push(SourceGate { output, operands });
    }
    for (state, edge) in (first_latch..).zip(states) {
        let next = any_literal(source, random);
        let (reset, built) = match random.below(4) {
            0 => (1, Reset::One),
            1 => (2 * state, Reset::Uninitialised),
            2 => {
                // A function of the inputs has no cycle.
                let input = 2 + random.below(2 * n_inputs) as Literal;
                (input, Reset::Function(image(source, input)))
            }
            _ => (0, Reset::Zero),
        };
        source.latches.push(SourceLatch { state, next, reset });
        let next = image(source, next);
        model.latches.push(Latch {
            state: edge,
            next,
            reset: built,
        });
    }
    let mut literals = |source: &Source| -> Vec<Literal> {
        (0..1 + random.below(2))
            .map(|_| any_literal(source, random))
            .collect()
    };
    source.constraints = literals(source);
    source.bads = literals(source);
    source.fairness = literals(source);
    source.justice = vec![literals(source), literals(source)];
    let images = |literals: &[Literal]| {
        literals
            .iter()
            .map(|&literal| image(source, literal))
            .collect::<Vec<Edge>>()
    };
    model.constraints = images(&source.constraints);
    model.bads = images(&source.bads);
    model.fairness = images(&source.fairness);
    model.justice = source
        .justice
        .iter()
        .map(|literals| images(literals))
        .collect();
    read
}

fn any_literal(source: &Source, random: &mut Random) -> Literal {
    random.below(2 * source.images.len()) as Literal
}

fn image(source: &Source, literal: Literal) -> Edge {
    source.images[(literal >> 1) as usize].negate_if(literal & 1 == 1)
}

/// Changes something in the file or in the model. Returns what.
fn change(read: &mut Read, random: &mut Random) -> &'static str {
    let Read { model, source } = read;
    let edge = any_edge(model, random);
    let literal = any_literal(source, random);
    let signal = random.below(source.images.len());
    let gate = random.below(source.gates.len().max(1));
    let latch = random.below(source.latches.len());
    match random.below(16) {
        0 => {
            source.images[signal] = edge;
            "image"
        }
        1 if gate < source.gates.len() => {
            source.gates[gate].operands[random.below(2)] = literal;
            "operand"
        }
        2 if gate < source.gates.len() => {
            source.gates[gate].output = signal as u32;
            "output"
        }
        3 => {
            source.latches[latch].next = literal;
            "next"
        }
        4 => {
            source.latches[latch].reset = literal;
            "reset"
        }
        5 => {
            model.latches[latch].reset =
                [Reset::Zero, Reset::One, Reset::Uninitialised][random.below(3)];
            "built reset"
        }
        6 => {
            source.constraints[0] = literal;
            "constraint"
        }
        7 => {
            source.bads[0] = literal;
            "bad"
        }
        8 => {
            source.fairness[0] = literal;
            "fairness"
        }
        9 => {
            source.justice[random.below(2)][0] = literal;
            "justice"
        }
        10 => {
            source.inputs[0] = signal as u32;
            "input"
        }
        11 => {
            source.latches[latch].state = signal as u32;
            "state"
        }
        12 => {
            model.constraints.push(Edge::TRUE);
            "one more constraint"
        }
        13 => {
            model.justice.pop();
            "one property less"
        }
        14 => {
            model.bads.pop();
            "one bad less"
        }
        _ => "nothing",
    }
}

/// Whether the model is the circuit of the file.
fn is_read_right(read: &Read) -> bool {
    let Read { model, source } = read;
    let n_variables = source.inputs.len() + source.latches.len();
    let states = source.latches.iter().map(|latch| latch.state);
    let variables: Vec<u32> = source.inputs.iter().copied().chain(states).collect();
    // Each signal is defined once, and before it is used.
    let mut defined = vec![0];
    for &variable in &variables {
        if defined.contains(&variable) {
            return false;
        }
        defined.push(variable);
    }
    for gate in &source.gates {
        if defined.contains(&gate.output)
            || !gate
                .operands
                .iter()
                .all(|operand| defined.contains(&(operand >> 1)))
        {
            return false;
        }
        defined.push(gate.output);
    }
    let reads = source
        .latches
        .iter()
        .flat_map(|latch| [latch.next, latch.reset]);
    let mut reads = reads
        .chain(source.constraints.iter().chain(&source.bads).copied())
        .chain(
            source
                .justice
                .iter()
                .flatten()
                .chain(&source.fairness)
                .copied(),
        );
    if !reads.all(|literal| defined.contains(&(literal >> 1))) {
        return false;
    }
    let built = model.latches.iter().map(|latch| latch.state);
    let built: Vec<Edge> = model.inputs.iter().copied().chain(built).collect();
    let images: Vec<Edge> = variables
        .iter()
        .map(|&signal| source.images[signal as usize])
        .collect();
    if images != built
        || source.images[0] != Edge::FALSE
        || model.inputs.len() != source.inputs.len()
    {
        return false;
    }
    let gates_hold = (0..1_usize << n_variables).all(|number| {
        let values = evaluated(
            model,
            (0..n_variables).map(|place| number >> place & 1 == 1),
        );
        let value = |literal: Literal| holds(&values, image(source, literal));
        source.gates.iter().all(|gate| {
            value(2 * gate.output) == gate.operands.iter().all(|&operand| value(operand))
        })
    });
    let resets_hold = source
        .latches
        .iter()
        .zip(&model.latches)
        .all(|(own, built)| match built.reset {
            Reset::Zero => own.reset == 0,
            Reset::One => own.reset == 1,
            Reset::Uninitialised => own.reset == 2 * own.state,
            Reset::Function(edge) => {
                own.reset > 1 && own.reset != 2 * own.state && image(source, own.reset) == edge
            }
        });
    let same = |own: &[Literal], built: &[Edge]| {
        own.iter()
            .map(|&literal| image(source, literal))
            .eq(built.iter().copied())
    };
    let nexts: Vec<Literal> = source.latches.iter().map(|latch| latch.next).collect();
    let built: Vec<Edge> = model.latches.iter().map(|latch| latch.next).collect();
    gates_hold
        && resets_hold
        && same(&nexts, &built)
        && same(&source.constraints, &model.constraints)
        && same(&source.bads, &model.bads)
        && same(&source.fairness, &model.fairness)
        && source.justice.len() == model.justice.len()
        && source
            .justice
            .iter()
            .zip(&model.justice)
            .all(|(own, built)| same(own, built))
}

#[test]
fn models_are_told_from_those_of_other_files() {
    let mut random = Random::new(55);
    let mut counts: BTreeMap<(&str, bool), usize> = BTreeMap::new();
    for _ in 0..6000 {
        let mut read = any_file(&mut random);
        let what = change(&mut read, &mut random);
        let is_right = is_read_right(&read);
        assert_eq!(
            certify_source(&read).is_ok(),
            is_right,
            "{what} {:?} {:?}",
            read.model,
            read.source
        );
        *counts.entry((what, is_right)).or_default() += 1;
    }
    let n_wrong = counts.keys().filter(|(_, is_right)| !is_right).count();
    assert!(
        n_wrong == 15 && counts[&("nothing", true)] > 100,
        "{counts:?}"
    );
}
