//! Circuits on which other implementations were wrong, for every engine, on the circuit itself and on the
//! reduced one.

use craig_aig::Edge;
use craig_certify::{certify_certificate, certify_trace};
use craig_mc::Alone;
use craig_mc::circuit::reduce::{self, Passes};
use craig_mc::engine::{bmc, imc, isb, kind, pdr, tra};
use craig_mc::portfolio::{self, Entry};
use craig_model::{Model, Outcome, Reset, UnknownReason, Verdict};

use crate::support::{all_engines, counter, input, judge, latch};

/// All engines. One that only refutes gets a bound, and may reach it.
fn engines() -> Vec<Entry> {
    vec![
        Entry::new(bmc::NAME, |model, property, control| {
            let options = bmc::Options {
                max_depth: Some(9),
                ..bmc::Options::default()
            };
            bmc::check(model, property, &options, control)
        }),
        Entry::new(imc::NAME, |model, property, control| {
            imc::check(model, property, &imc::Options::default(), control)
        }),
        Entry::new(isb::NAME, |model, property, control| {
            isb::check(model, property, &isb::Options::default(), control)
        }),
        Entry::new(tra::NAME, |model, property, control| {
            tra::check(model, property, &tra::Options::default(), control)
        }),
        Entry::new(kind::NAME, |model, property, control| {
            kind::check(model, property, &kind::Options::default(), control)
        }),
        Entry::new(pdr::NAME, |model, property, control| {
            pdr::check(model, property, &pdr::Options::default(), control)
        }),
        Entry::new(portfolio::NAME, |model, property, control| {
            portfolio::check(model, property, &all_engines(), control)
                .expect("the model is one")
                .outcome
        }),
    ]
}

/// Runs every engine on every bad, on the circuit as it is and reduced. `depths` are the steps in which the
/// bads hold first, `None` for safe. `judge` gets the circuit, the bad and the outcome.
fn all_engines_decide(
    model: &Model,
    depths: &[Option<usize>],
    judge: impl Fn(&Model, usize, &Outcome) -> Result<(), String>,
) {
    assert_eq!(model.bads.len(), depths.len());
    for engine in engines() {
        for (property, depth) in depths.iter().enumerate() {
            for is_reduced in [false, true] {
                let alone = Alone::new();
                let control = alone.control();
                let outcome = if is_reduced {
                    let reduced = reduce::run(model, property, &Passes::ALL, control);
                    reduced.lift_outcome((engine.run)(&reduced.model, 0, control))
                } else {
                    (engine.run)(model, property, control)
                };
                let what = format!("{} (reduced: {is_reduced}), bad {property}", engine.name);
                match (&outcome.verdict, depth) {
                    (Verdict::Unknown(UnknownReason::Bound(_)), None)
                        if engine.name == bmc::NAME =>
                    {
                        continue;
                    }
                    (Verdict::Safe(_), None) => {}
                    (Verdict::Unsafe(trace), Some(depth)) => {
                        assert!(trace.depth() >= *depth, "{what}: too short a run");
                    }
                    (verdict, _) => panic!("{what}: {verdict:?}"),
                }
                judge(model, property, &outcome).unwrap_or_else(|error| panic!("{what}: {error}"));
            }
        }
    }
}

/// For circuits small enough to enumerate.
fn decided(model: &Model, depths: &[Option<usize>]) {
    all_engines_decide(model, depths, |model, property, outcome| {
        judge(model, property, outcome, false)
    });
}

/// For circuits with too many inputs to enumerate.
fn certified(model: &Model, depths: &[Option<usize>]) {
    all_engines_decide(model, depths, |model, property, outcome| {
        match &outcome.verdict {
            Verdict::Safe(certificate) => certify_certificate(model, property, certificate),
            Verdict::Unsafe(trace) => certify_trace(model, property, trace).map(|_| ()),
            Verdict::Unknown(_) => Ok(()),
        }
        .map_err(|error| error.to_string())
    });
}

#[test]
fn constraints_are_not_ignored() {
    let mut model = Model::default();
    let enable = input(&mut model);
    let states = counter(&mut model, 3, enable);
    let full = model.aig.and_all(states);
    model.bads.push(full);
    decided(&model, &[Some(7)]);
    model.constraints.push(!enable);
    decided(&model, &[None]);
}

/// Only states in which some input satisfies the constraint have successors; a lifted cube that ignores the
/// constraint contains others.
#[test]
fn lifting_keeps_to_the_constraints() {
    let mut model = Model::default();
    let go = input(&mut model);
    let key = latch(&mut model, Reset::Zero);
    let reached = latch(&mut model, Reset::Zero);
    model.latches[1].next = go;
    // A step requires the key, which is never set.
    let allowed = model.aig.implies(go, key);
    model.constraints.push(allowed);
    model.bads.push(reached);
    decided(&model, &[None]);
}

#[test]
fn constraints_bind_up_to_the_bad_step_and_not_beyond() {
    let mut model = Model::default();
    let first = latch(&mut model, Reset::One);
    let second = latch(&mut model, Reset::Zero);
    model.latches[0].next = Edge::FALSE;
    model.latches[1].next = first;
    // Violated in step 2, but the bad holds in step 1.
    let third = model.aig.and(!first, !second);
    model.constraints.push(!third);
    model.bads.push(second);
    decided(&model, &[Some(1)]);
    // A constraint that fails in the bad step itself makes the bad unreachable there.
    model.constraints.push(!second);
    decided(&model, &[None]);
}

#[test]
fn no_initial_state_means_safe() {
    let mut model = Model::default();
    let state = latch(&mut model, Reset::Zero);
    model.latches[0].next = Edge::TRUE;
    model.constraints.push(state);
    model.bads.push(Edge::TRUE);
    decided(&model, &[None]);
    // A model with constraints that no input satisfies.
    let mut model = Model::default();
    let enable = input(&mut model);
    let states = counter(&mut model, 2, enable);
    model.constraints.extend([enable, !enable]);
    model.bads.push(states[1]);
    decided(&model, &[None]);
}

#[test]
fn uninitialised_latches_start_either_way() {
    let mut model = Model::default();
    let free = latch(&mut model, Reset::Uninitialised);
    let seen = latch(&mut model, Reset::Zero);
    model.latches[1].next = free;
    model.bads.push(seen);
    decided(&model, &[Some(1)]);
    // A constraint of the first step may relate uninitialised latches.
    let mut model = Model::default();
    let left = latch(&mut model, Reset::Uninitialised);
    let right = latch(&mut model, Reset::Uninitialised);
    let first = latch(&mut model, Reset::One);
    model.latches[2].next = Edge::FALSE;
    let same = model.aig.iff(left, right);
    let constraint = model.aig.implies(first, same);
    model.constraints.push(constraint);
    model.bads.push(!same);
    decided(&model, &[None]);
}

#[test]
fn circuits_without_latches_or_inputs_and_constant_bads_are_decided() {
    let mut model = Model::default();
    let (a, b) = (input(&mut model), input(&mut model));
    let both = model.aig.and(a, b);
    model.bads.extend([both, Edge::FALSE, Edge::TRUE]);
    decided(&model, &[Some(0), None, Some(0)]);
    model.constraints.push(!a);
    decided(&model, &[None, None, Some(0)]);

    let mut model = Model::default();
    let states = counter(&mut model, 3, Edge::TRUE);
    let bad = model.aig.and_all(states);
    model.bads.extend([bad, Edge::FALSE, Edge::TRUE]);
    decided(&model, &[Some(7), None, Some(0)]);

    let model = Model {
        bads: vec![Edge::TRUE, Edge::FALSE],
        ..Model::default()
    };
    decided(&model, &[Some(0), None]);
}

#[test]
fn a_bad_in_the_first_step_does_not_hide_another() {
    let mut model = Model::default();
    let states = counter(&mut model, 2, Edge::TRUE);
    let never = latch(&mut model, Reset::Zero);
    let zero = model.aig.and(!states[0], !states[1]);
    let three = model.aig.and(states[0], states[1]);
    model.bads.extend([zero, three, never]);
    decided(&model, &[Some(0), Some(3), None]);
}

#[test]
fn thousands_of_constraints_are_no_trouble() {
    let mut model = Model::default();
    let inputs: Vec<Edge> = (0..3000).map(|_| input(&mut model)).collect();
    let states = counter(&mut model, 2, inputs[0]);
    for pair in inputs.windows(2) {
        // Each input equals the next one.
        let same = model.aig.iff(pair[0], pair[1]);
        model.constraints.push(same);
    }
    let full = model.aig.and_all(states);
    let bad = model.aig.and(full, !inputs[2999]);
    model.bads.push(bad);
    certified(&model, &[Some(3)]);
    model.constraints.push(!inputs[2000]);
    certified(&model, &[None]);
}

/// Values that a trace leaves open are arbitrary: the replay must succeed for all of them.
#[test]
fn open_values_in_traces_are_really_open() {
    let mut model = Model::default();
    let enable = input(&mut model);
    let noise = input(&mut model);
    let states = counter(&mut model, 3, enable);
    let junk = latch(&mut model, Reset::Uninitialised);
    model.latches[3].next = model.aig.xor(junk, noise);
    let full = model.aig.and_all(states);
    // The constraint depends on irrelevant inputs, but only together with the relevant ones.
    let noisy = model.aig.or(noise, junk);
    let harmless = model.aig.or(noisy, enable);
    model.constraints.push(harmless);
    model.bads.push(full);
    all_engines_decide(&model, &[Some(7)], |model, property, outcome| {
        let Verdict::Unsafe(trace) = &outcome.verdict else {
            return Err("not refuted".to_string());
        };
        for default in [false, true] {
            let mut filled = trace.clone();
            for values in filled.inputs.iter_mut().chain([&mut filled.initial]) {
                for value in values {
                    value.get_or_insert(default);
                }
            }
            certify_trace(model, property, &filled).map_err(|error| error.to_string())?;
        }
        certify_trace(model, property, trace)
            .map(|_| ())
            .map_err(|error| error.to_string())
    });
}
