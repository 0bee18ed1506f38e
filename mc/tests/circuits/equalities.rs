//! The certifier and witness circuits that state which latches are equal.

use craig_aig::{Aig, Edge, Node, Random};
use craig_certify::{CertifyError, Condition, certify_certificate};
use craig_model::{Certificate, Latch, Model, Reset};

/// A witness circuit that is the model with these constraints.
fn stating(model: &Model, constraints: &[Edge]) -> Certificate {
    let mut witness = model.clone();
    let all = witness.aig.and_all(constraints.iter().copied());
    witness.constraints = vec![all];
    Certificate {
        witness,
        shared_inputs: (0..model.inputs.len()).map(Some).collect(),
        shared_latches: (0..model.latches.len()).map(Some).collect(),
    }
}

fn latch(state: Edge, next: Edge, reset: Reset) -> Latch {
    Latch { state, next, reset }
}

/// The value of a formula in a step whose variables have the bits of `step`.
fn value(aig: &Aig, step: usize, edge: Edge) -> bool {
    let is = match aig.node(edge.node()) {
        Node::Constant => false,
        Node::Input(number) => step >> number & 1 == 1,
        Node::And(left, right) => value(aig, step, left) && value(aig, step, right),
    };
    is != edge.is_negated()
}

const N_LATCHES: usize = 4;

/// The first condition that fails, by enumeration, if model and witness have the same formulas.
fn failing(model: &Model, certificate: &Certificate) -> Option<Condition> {
    let witness = &certificate.witness;
    let holds = |step: usize| value(&witness.aig, step, witness.constraints[0]);
    let is_bad = |step: usize| value(&model.aig, step, model.bads[0]);
    let is_reset = |step: &usize| {
        let mut latches = model.latches.iter().enumerate();
        latches.all(|(number, latch)| match latch.reset {
            Reset::Zero => step >> number & 1 == 0,
            Reset::One => step >> number & 1 == 1,
            _ => true,
        })
    };
    // The latches come first, then the input.
    let all = || 0..2 << N_LATCHES;
    let follows = |from: usize, to: &usize| {
        let mut latches = model.latches.iter().enumerate();
        latches
            .all(|(number, latch)| value(&model.aig, from, latch.next) == (to >> number & 1 == 1))
    };
    let steps = || all().flat_map(|s| all().filter(move |t| follows(s, t)).map(move |t| (s, t)));
    if !all().filter(is_reset).all(holds) {
        Some(Condition::Reset)
    } else if steps().any(|(s, t)| holds(s) && !holds(t)) {
        Some(Condition::Transition)
    } else if all().filter(is_reset).any(|s| holds(s) && is_bad(s)) {
        Some(Condition::Base)
    } else if steps().any(|(s, t)| holds(s) && !is_bad(s) && holds(t) && is_bad(t)) {
        Some(Condition::Inductive)
    } else {
        None
    }
}

#[test]
fn stated_equalities_are_judged_as_enumeration_does() {
    let mut random = Random::new(11);
    let mut counts = [0; 5];
    for _ in 0..3000 {
        let mut model = Model::default();
        let states: Vec<Edge> = (0..N_LATCHES).map(|_| model.aig.add_input()).collect();
        let input = model.aig.add_input();
        model.inputs.push(input);
        let mut formulas = Vec::new();
        for _ in 0..3 {
            let mut pick = || states[random.below(N_LATCHES)].negate_if(random.flip());
            let [one, other] = [pick(), pick()];
            formulas.push(match random.below(4) {
                0 => model.aig.and(one, input),
                1 => model.aig.xor(one, other),
                2 => model.aig.and(one, other),
                _ => one,
            });
        }
        for &state in &states {
            let next = formulas[random.below(3)].negate_if(random.below(4) == 0);
            let reset = match random.below(8) {
                0 => Reset::One,
                1 => Reset::Uninitialised,
                _ => Reset::Zero,
            };
            model.latches.push(latch(state, next, reset));
        }
        let mut pick = || match random.below(8) {
            0 => input,
            1 => Edge::TRUE,
            _ => states[random.below(N_LATCHES)].negate_if(random.below(4) == 0),
        };
        let pairs: Vec<[Edge; 2]> = (0..3).map(|_| [pick(), pick()]).collect();
        let bad = model.aig.xor(pairs[2][0], pairs[2][1]);
        model.bads = vec![bad];
        let mut certificate = stating(&model, &[]);
        let aig = &mut certificate.witness.aig;
        let equal = [0, 1].map(|pair| !aig.xor(pairs[pair][0], pairs[pair][1]));
        let number = 1 + random.below(2);
        let constraint = aig.and_all(equal[..number].iter().copied());
        certificate.witness.constraints = vec![constraint];
        let expected = failing(&model, &certificate);
        let found = match certify_certificate(&model, 0, &certificate) {
            Ok(()) => None,
            Err(CertifyError::Condition(condition)) => Some(condition),
            Err(error) => panic!("{error}"),
        };
        assert_eq!(found, expected);
        counts[match found {
            None => 0,
            Some(Condition::Reset) => 1,
            Some(Condition::Transition) => 2,
            Some(Condition::Base) => 3,
            _ => 4,
        }] += 1;
    }
    assert!(counts.iter().all(|&count| count > 0), "{counts:?}");
}

/// Two words that are mixed alike with the same inputs, by formulas of different form: the conjunction of three bits is
/// built in another order.
fn mixed_twice(n_bits: usize, n_rounds: usize, is_wrong: bool) -> Model {
    let mut model = Model::default();
    let inputs: Vec<Edge> = (0..4).map(|_| model.aig.add_input()).collect();
    model.inputs.clone_from(&inputs);
    let new_states = |_| -> Vec<Edge> { (0..n_bits).map(|_| model.aig.add_input()).collect() };
    let outputs = [0, 1].map(new_states);
    for (copy, states) in outputs.iter().enumerate() {
        let mut random = Random::new(1);
        let mut word = states.clone();
        for _ in 0..n_rounds {
            let bits = (0..n_bits).map(|bit| {
                let [one, two] =
                    [0; 2].map(|_| word[random.below(n_bits)].negate_if(random.flip()));
                let input = inputs[random.below(4)];
                let aig = &mut model.aig;
                let masked = match copy {
                    0 => {
                        let both = aig.and(one, two);
                        aig.and(both, input)
                    }
                    _ => {
                        let both = aig.and(two, input);
                        aig.and(one, both)
                    }
                };
                aig.xor(masked, word[(bit + 1) % n_bits])
            });
            word = bits.collect();
        }
        if is_wrong && copy == 1 {
            let all = model.aig.and_all(word.iter().copied());
            word[0] = model.aig.and(word[0], !all);
        }
        let latches = states.iter().zip(&word);
        let latches = latches.map(|(&state, &next)| latch(state, next, Reset::Zero));
        model.latches.extend(latches);
    }
    let pairs = outputs[0].iter().zip(&outputs[1]);
    let differ: Vec<Edge> = pairs
        .map(|(&one, &other)| model.aig.xor(one, other))
        .collect();
    model.bads = vec![model.aig.or_all(differ.iter().copied())];
    model
}

/// A SAT solver does not find out in minutes that the larger ones are equal.
#[test]
fn similar_circuits_over_equal_latches_are_found_equal() {
    for is_wrong in [false, true] {
        let (n_bits, n_rounds) = if is_wrong { (6, 3) } else { (24, 24) };
        let model = mixed_twice(n_bits, n_rounds, is_wrong);
        let good = !model.bads[0];
        let certificate = stating(&model, &[good]);
        let expected = match is_wrong {
            false => Ok(()),
            true => Err(CertifyError::Condition(Condition::Transition)),
        };
        assert_eq!(certify_certificate(&model, 0, &certificate), expected);
    }
}
