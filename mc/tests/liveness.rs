//! Justice properties of random small circuits, against an explicit search for fair cycles.

use craig_aig::{Aig, Edge};
use craig_certify::{certify_lasso, certify_live};
use craig_mc::circuit::reduce::Passes;
use craig_mc::liveness::{LivenessVerdict, METHODS, Plan, decide, find};
use craig_mc::{Alone, Board};
use craig_model::{Latch, LivenessCertificate, Model, Reset};

/// A circuit with a few inputs and latches, and properties, from a seed.
fn circuit(seed: u64) -> Model {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut aig = Aig::new();
    let n_latches = random.usize(1..5);
    let n_inputs = random.usize(0..3);
    let inputs: Vec<Edge> = (0..n_inputs).map(|_| aig.add_input()).collect();
    let states: Vec<Edge> = (0..n_latches).map(|_| aig.add_input()).collect();
    let mut signals: Vec<Edge> = inputs.iter().chain(&states).copied().collect();
    for _ in 0..random.usize(2..14) {
        let mut pick = || signals[random.usize(..signals.len())].negate_if(random.bool());
        let (left, right) = (pick(), pick());
        signals.push(aig.and(left, right));
    }
    let mut pick = || signals[random.usize(..signals.len())].negate_if(random.bool());
    let nexts: Vec<Edge> = states.iter().map(|_| pick()).collect();
    let some = |most: usize, random: &mut fastrand::Rng| -> Vec<Edge> {
        let n = random.usize(0..=most);
        (0..n)
            .map(|_| signals[random.usize(..signals.len())].negate_if(random.bool()))
            .collect()
    };
    let mut shape = fastrand::Rng::with_seed(seed ^ 0x5eed);
    let constraints = match shape.usize(..3) {
        0 => some(2, &mut shape),
        _ => Vec::new(),
    };
    let fairness = some(2, &mut shape);
    let mut own = some(2, &mut shape);
    if own.is_empty() && fairness.is_empty() {
        own.push(signals[shape.usize(..signals.len())]);
    }
    // Some latches keep the value 1.
    let nexts: Vec<Edge> = (states.iter().zip(nexts))
        .map(|(&state, next)| {
            if shape.u8(..4) == 0 {
                aig.or(state, next)
            } else {
                next
            }
        })
        .collect();
    let resets = [Reset::Zero, Reset::Zero, Reset::One, Reset::Uninitialised];
    let latches = states.iter().zip(nexts).map(|(&state, next)| Latch {
        state,
        next,
        reset: resets[shape.usize(..resets.len())],
    });
    let mut model = Model {
        latches: latches.collect(),
        aig,
        inputs,
        constraints,
        fairness,
        justice: vec![own],
        ..Model::default()
    };
    // In some circuits, latches start at the value of a formula.
    if seed % 4 == 3 {
        for latch in 0..n_latches {
            let function = signals[shape.usize(..signals.len())].negate_if(shape.bool());
            let before = model.latches[latch].reset;
            model.latches[latch].reset = Reset::Function(function);
            if model.reset_order().is_none() {
                model.latches[latch].reset = before;
            }
        }
    }
    model
}

/// Whether the property fails: a reachable cycle of states meets every literal on its steps.
fn fails(model: &Model) -> bool {
    let (n_inputs, n_latches) = (model.inputs.len(), model.latches.len());
    let literals = model.justice_literals(0);
    // For each state its steps: the next state, and the literals that the step meets.
    let mut steps: Vec<Vec<(usize, u32)>> = vec![Vec::new(); 1 << n_latches];
    let mut roots: Vec<Edge> = model.latches.iter().map(|latch| latch.next).collect();
    roots.extend(&model.constraints);
    roots.extend(&literals);
    let functions: Vec<(usize, Edge)> = model.reset_functions().collect();
    roots.extend(functions.iter().map(|&(_, edge)| edge));
    // The states after a first step.
    let mut second: Vec<usize> = Vec::new();
    let bits = |values: &[bool]| {
        let values = values.iter().enumerate();
        values.fold(0, |sum, (bit, &value)| sum | usize::from(value) << bit)
    };
    let is_reset = |state: usize| {
        let latches = model.latches.iter().enumerate();
        latches
            .filter_map(|(bit, latch)| Some((bit, latch.reset.value()?)))
            .all(|(bit, value)| (state >> bit & 1 == 1) == value)
    };
    for (state, steps) in steps.iter_mut().enumerate() {
        for choice in 0..1usize << n_inputs {
            // Inputs of the graph: first the model's inputs, then its latches.
            let values = (0..n_inputs).map(|input| choice >> input & 1 == 1);
            let values = values.chain((0..n_latches).map(|latch| state >> latch & 1 == 1));
            let values = model.aig.evaluate(&values.collect::<Vec<_>>(), &roots);
            let (next, rest) = values.split_at(n_latches);
            let (constraints, rest) = rest.split_at(model.constraints.len());
            let (met, resets) = rest.split_at(literals.len());
            if constraints.iter().all(|&holds| holds) {
                steps.push((bits(next), bits(met) as u32));
                let mut functions = functions.iter().zip(resets);
                if is_reset(state)
                    && functions.all(|(&(latch, _), &value)| (state >> latch & 1 == 1) == value)
                {
                    second.push(bits(next));
                }
            }
        }
    }
    let reach = |from: Vec<usize>| {
        let mut is_reached = vec![false; steps.len()];
        let mut open = from;
        while let Some(state) = open.pop() {
            if !std::mem::replace(&mut is_reached[state], true) {
                open.extend(steps[state].iter().map(|step| step.0));
            }
        }
        is_reached
    };
    let reachable = reach(second);
    // A component is given by one of its states: the states that it reaches and that reach it.
    let from: Vec<Vec<bool>> = (0..steps.len()).map(|state| reach(vec![state])).collect();
    let all = (1u32 << literals.len()) - 1;
    (0..steps.len())
        .filter(|&state| reachable[state])
        .any(|state| {
            let is_inside = |other: usize| from[state][other] && from[other][state];
            let inner = (0..steps.len()).filter(|&other| is_inside(other));
            let inner =
                inner.flat_map(|other| steps[other].iter().filter(|step| is_inside(step.0)));
            let met: Vec<u32> = inner.map(|step| step.1).collect();
            !met.is_empty() && met.iter().fold(0, |sum, met| sum | met) == all
        })
}

#[test]
fn every_method_agrees_with_an_explicit_search() {
    let (mut n_fail, mut n_walks) = (0, 0);
    let n_circuits = 120;
    for seed in 0..n_circuits {
        let model = circuit(seed);
        let expected = fails(&model);
        n_fail += u64::from(expected);
        for method in METHODS.iter().map(Some).chain([None]) {
            // These two need not end on such circuits.
            let may_stop = method.is_some_and(|method| {
                method.name == "loops" && !expected || method.name == "k-liveness" && expected
            });
            if may_stop {
                continue;
            }
            for passes in [Passes::ALL, Passes::NONE] {
                let plan = Plan {
                    method,
                    engine: None,
                    passes,
                    threads: 1,
                    seed,
                };
                let name = method.map_or("all", |method| method.name);
                let outcome = decide(&model, 0, &plan, Alone::new().control());
                match outcome.verdict {
                    LivenessVerdict::Unsafe(lasso) => {
                        assert!(expected, "{name} of {seed}");
                        n_walks += u64::from(name == "walks");
                        certify_lasso(&model, &lasso)
                            .unwrap_or_else(|error| panic!("{name} of {seed}: {error}"));
                    }
                    LivenessVerdict::Safe(certificate) => {
                        assert!(!expected, "{name} of {seed}");
                        certify_live(&model, 0, &certificate)
                            .unwrap_or_else(|error| panic!("{name} of {seed}: {error}"));
                    }
                    // Simulation ends without an answer where it has found no loop.
                    LivenessVerdict::Unknown(_) if name == "walks" => {}
                    LivenessVerdict::Unknown(reason) => panic!("{name} of {seed}: {reason}"),
                }
            }
        }
    }
    // With and without reductions.
    assert!(n_walks > n_fail, "{n_walks} of {}", 2 * n_fail);
    assert!(
        n_fail > n_circuits / 5 && n_fail < n_circuits * 4 / 5,
        "{n_fail}"
    );
}

/// A counter of two bits that stays at 3, and an input: the property is "the input holds while the counter is
/// below 3", so that there are at most three hits; the second property can also wait for the input again.
fn at_most_three() -> Model {
    let mut aig = Aig::new();
    let input = aig.add_input();
    let (low, high) = (aig.add_input(), aig.add_input());
    let full = aig.and(low, high);
    let counts = aig.and(input, !full);
    let low_next = aig.xor(low, counts);
    let carry = aig.and(low, counts);
    let high_next = aig.xor(high, carry);
    let latch = |state, next| Latch {
        state,
        next,
        reset: Reset::Zero,
    };
    Model {
        aig,
        inputs: vec![input],
        latches: vec![latch(low, low_next), latch(high, high_next)],
        justice: vec![vec![counts, input]],
        fairness: vec![!high],
        ..Model::default()
    }
}

/// A counter that runs while its input holds, from 0 to its end and again: the property is that it is at its
/// end infinitely often. The only loop has `1 << bits` steps.
fn long_loop(bits: u32) -> Model {
    let mut aig = Aig::new();
    let input = aig.add_input();
    let states: Vec<Edge> = (0..bits).map(|_| aig.add_input()).collect();
    let mut carry = input;
    let mut latches = Vec::new();
    for &state in &states {
        latches.push(Latch {
            state,
            next: aig.xor(state, carry),
            reset: Reset::Zero,
        });
        carry = aig.and(state, carry);
    }
    let at_zero = aig.and_all(states.iter().map(|&state| !state));
    Model {
        aig,
        inputs: vec![input],
        latches,
        justice: vec![vec![carry, at_zero]],
        ..Model::default()
    }
}

#[test]
fn simulation_finds_a_long_loop() {
    let model = long_loop(14);
    let plan = Plan {
        method: find("walks"),
        engine: None,
        passes: Passes::ALL,
        threads: 1,
        seed: 0,
    };
    match decide(&model, 0, &plan, Alone::new().control()).verdict {
        LivenessVerdict::Unsafe(lasso) => {
            let length = lasso.inputs.len() - lasso.loop_start;
            assert!(
                length >= 1 << 14 && length.is_multiple_of(1 << 14),
                "{length}"
            );
            certify_lasso(&model, &lasso).unwrap();
        }
        other => panic!("no lasso: {other:?}"),
    }
}

/// A proof that is weakened in any of these ways does not count, and neither does a proof of another circuit.
#[test]
fn wrong_certificates_are_refused() {
    let model = at_most_three();
    for method in METHODS
        .iter()
        .filter(|method| !["loops", "walks"].contains(&method.name))
    {
        let plan = Plan {
            method: Some(method),
            engine: None,
            passes: Passes::NONE,
            threads: 1,
            seed: 0,
        };
        let LivenessVerdict::Safe(right) = decide(&model, 0, &plan, Alone::new().control()).verdict
        else {
            panic!("{} has no proof", method.name);
        };
        certify_live(&model, 0, &right).unwrap();
        let refused = |what: &str, change: &dyn Fn(&mut LivenessCertificate)| {
            let mut wrong = (*right).clone();
            change(&mut wrong);
            let judged = certify_live(&model, 0, &wrong);
            assert!(judged.is_err(), "{}: {what}", method.name);
        };
        // Every state is good, also those in which the counter of hits is at its end and there is another. The
        // other methods need not exclude a state here.
        if method.name == "k-liveness" {
            refused("an invariant with a hole", &|wrong| {
                wrong.certificate.witness.bads = vec![Edge::FALSE];
            });
        }
        refused("a literal left out", &|wrong| {
            wrong.certificate.witness.justice[0].pop();
        });
        refused("a literal that never may repeat", &|wrong| {
            wrong.certificate.witness.justice[0] = vec![Edge::TRUE; 2];
            wrong.certificate.witness.fairness = vec![Edge::TRUE];
        });
        refused("a literal that always may repeat", &|wrong| {
            wrong.certificate.witness.justice[0][0] = Edge::FALSE;
        });
        refused("no property", &|wrong| {
            wrong.certificate.witness.justice.clear();
        });
        refused("no second state", &|wrong| wrong.interventions.clear());
        refused("a stand-in that the model has", &|wrong| {
            let shared = &wrong.certificate.shared_inputs;
            let shared = shared
                .iter()
                .position(Option::is_some)
                .expect("the input is shared");
            wrong.interventions[0].stand_in = shared;
        });
        // The counter goes on from 3 to 0, so that there are infinitely many hits.
        let mut other = at_most_three();
        let (input, low, high) = (other.inputs[0], other.latches[0], other.latches[1]);
        other.latches[0].next = other.aig.xor(low.state, input);
        let carry = other.aig.and(low.state, input);
        other.latches[1].next = other.aig.xor(high.state, carry);
        assert!(fails(&other));
        assert!(certify_live(&other, 0, &right).is_err(), "{}", method.name);
    }
}

/// Latches outside the cone have to repeat as well: here one of period 3 beside a loop of one step.
#[test]
fn all_latches_repeat_in_a_lasso() {
    let mut aig = Aig::new();
    let states: Vec<Edge> = (0..3).map(|_| aig.add_input()).collect();
    let latches = (0..3).map(|place| Latch {
        state: states[place],
        next: states[(place + 1) % 3],
        reset: if place == 0 { Reset::One } else { Reset::Zero },
    });
    let input = aig.add_input();
    let model = Model {
        latches: latches.collect(),
        aig,
        inputs: vec![input],
        justice: vec![vec![input]],
        ..Model::default()
    };
    for passes in [Passes::ALL, Passes::NONE] {
        for method in METHODS.iter().filter(|method| method.name != "k-liveness") {
            let plan = Plan {
                method: Some(method),
                engine: None,
                passes,
                threads: 1,
                seed: 0,
            };
            let LivenessVerdict::Unsafe(lasso) =
                decide(&model, 0, &plan, Alone::new().control()).verdict
            else {
                panic!("{} has no lasso", method.name);
            };
            certify_lasso(&model, &lasso).unwrap();
            assert_eq!((lasso.inputs.len() - lasso.loop_start) % 3, 0);
        }
    }
}

/// "From some time on the counter is not full", for a counter that goes on from its end to 0 and counts infinitely often: fails after up to
/// 2^40 hits, which no chain of latches counts.
#[test]
fn long_counters_are_ranked() {
    let mut aig = Aig::new();
    let inputs: Vec<Edge> = (0..2).map(|_| aig.add_input()).collect();
    let (counts, chooses) = (inputs[0], inputs[1]);
    let bits: Vec<Edge> = (0..40).map(|_| aig.add_input()).collect();
    let [chosen, was_full] = [(); 2].map(|()| aig.add_input());
    let zero = |state, next| Latch {
        state,
        next,
        reset: Reset::Zero,
    };
    let is_full = aig.and_all(bits.iter().copied());
    let mut carry = counts;
    let mut latches = Vec::new();
    for &bit in &bits {
        latches.push(zero(bit, aig.xor(bit, carry)));
        carry = aig.and(bit, carry);
    }
    latches.push(zero(chosen, aig.or(chosen, chooses)));
    let is_full = aig.and(chosen, is_full);
    latches.push(zero(was_full, aig.or(was_full, is_full)));
    let never_full = aig.and(chosen, !was_full);
    let mut model = Model {
        latches,
        aig,
        inputs,
        justice: vec![vec![never_full]],
        fairness: vec![counts],
        ..Model::default()
    };
    let plan = Plan {
        method: find("k-liveness"),
        engine: None,
        passes: Passes::ALL,
        threads: 1,
        seed: 0,
    };
    let LivenessVerdict::Safe(certificate) =
        decide(&model, 0, &plan, Alone::new().control()).verdict
    else {
        panic!("there is a proof");
    };
    certify_live(&model, 0, &certificate).unwrap();
    // Without the fairness, the counter may stay where it is: the proof is none.
    model.fairness.clear();
    let mut without = certificate;
    without.certificate.witness.fairness.clear();
    assert!(certify_live(&model, 0, &without).is_err());
}

/// A latch that keeps the value 1 while its input holds, but never has it: the second literal. The first does not depend on it.
#[test]
fn invariants_about_other_literals_are_in_a_proof_by_walls() {
    let mut aig = Aig::new();
    let inputs: Vec<Edge> = (0..2).map(|_| aig.add_input()).collect();
    let state = aig.add_input();
    let latch = Latch {
        state,
        next: aig.and(state, inputs[0]),
        reset: Reset::Zero,
    };
    let model = Model {
        aig,
        justice: vec![vec![inputs[1], state]],
        inputs,
        latches: vec![latch],
        ..Model::default()
    };
    let plan = Plan {
        method: find("skeletons"),
        engine: None,
        passes: Passes::NONE,
        threads: 1,
        seed: 0,
    };
    let mut alone = Alone::new();
    alone.board = Board::default().with_candidates(vec![vec![(0, false)]]);
    let outcome = decide(&model, 0, &plan, alone.control());
    let LivenessVerdict::Safe(certificate) = outcome.verdict else {
        panic!("there is a proof");
    };
    certify_live(&model, 0, &certificate).unwrap();
    assert!(outcome.invariants.contains(&vec![(0, false)]));
}
