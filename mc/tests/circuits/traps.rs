//! Circuits on which other model checkers were wrong, for all engines that prove safety.

use craig_aig::Edge;
use craig_mc::engine::{avy, bdd, gla, imc, imc_backward, isb, kind, pdr, tra};
use craig_mc::{Alone, Control};
use craig_model::{Latch, Model, Outcome, Reset};

use crate::support::judge;

type Engine = fn(&Model, usize, Control<'_>) -> Outcome;

const ENGINES: [(&str, Engine); 12] = [
    ("kavy", |model, property, control| {
        let options = avy::Options {
            strong: true,
            ..avy::Options::default()
        };
        avy::check(model, property, &options, control)
    }),
    ("avy", |model, property, control| {
        avy::check(model, property, &avy::Options::default(), control)
    }),
    ("bdd forward", |model, property, control| {
        let options = bdd::Options {
            direction: bdd::Direction::Forward,
            ..bdd::Options::default()
        };
        bdd::check(model, property, &options, control)
    }),
    ("bdd backward", |model, property, control| {
        let options = bdd::Options {
            direction: bdd::Direction::Backward,
            ..bdd::Options::default()
        };
        bdd::check(model, property, &options, control)
    }),
    ("gla", |model, property, control| {
        gla::check(model, property, &gla::Options::default(), control)
    }),
    ("imc", |model, property, control| {
        imc::check(model, property, &imc::Options::default(), control)
    }),
    ("imc-backward", |model, property, control| {
        imc_backward::check(model, property, &imc::Options::default(), control)
    }),
    ("isb", |model, property, control| {
        isb::check(model, property, &isb::Options::default(), control)
    }),
    ("isb without strengthening", |model, property, control| {
        let options = isb::Options {
            strengthen: false,
            ..isb::Options::default()
        };
        isb::check(model, property, &options, control)
    }),
    ("kind", |model, property, control| {
        kind::check(model, property, &kind::Options::default(), control)
    }),
    ("pdr", |model, property, control| {
        pdr::check(model, property, &pdr::Options::default(), control)
    }),
    ("tra", |model, property, control| {
        tra::check(model, property, &tra::Options::default(), control)
    }),
];

/// Runs every engine on every bad.
fn all_agree(model: &Model) {
    for (name, engine) in ENGINES {
        for property in 0..model.bads.len() {
            let outcome = engine(model, property, Alone::new().control());
            judge(model, property, &outcome, false)
                .unwrap_or_else(|why| panic!("{name}, bad {property}: {why}"));
        }
    }
}

/// Latches with the given resets and next states; the latter are computed from the edges of the latches and
/// of one input.
fn model(resets: &[Reset], next: impl Fn(&mut Model, &[Edge], Edge) -> Vec<Edge>) -> Model {
    let mut model = Model::default();
    let input = model.aig.add_input();
    model.inputs.push(input);
    let states: Vec<Edge> = resets.iter().map(|_| model.aig.add_input()).collect();
    for (&state, &reset) in states.iter().zip(resets) {
        model.latches.push(Latch {
            state,
            next: state,
            reset,
        });
    }
    let next = next(&mut model, &states, input);
    for (latch, next) in model.latches.iter_mut().zip(next) {
        latch.next = next;
    }
    model
}

#[test]
fn no_latches() {
    let mut model = model(&[], |_, _, _| Vec::new());
    model.bads = vec![Edge::FALSE, Edge::TRUE, model.inputs[0]];
    all_agree(&model);
    model.constraints = vec![!model.inputs[0]];
    all_agree(&model);
}

#[test]
fn constant_bads() {
    let mut model = model(&[Reset::Zero], |_, states, _| vec![!states[0]]);
    model.bads = vec![Edge::FALSE, Edge::TRUE, model.latches[0].state];
    all_agree(&model);
}

#[test]
fn uninitialised_latches_start_at_either_value() {
    let mut model = model(&[Reset::Uninitialised, Reset::Zero], |_, states, _| {
        vec![states[0], states[0]]
    });
    let [free, follows] = [0, 1].map(|latch| model.latches[latch].state);
    let differ = model.aig.and(!free, follows);
    model.bads = vec![free, follows, differ];
    all_agree(&model);
}

#[test]
fn constraints_that_no_reset_state_satisfies() {
    let mut model = model(&[Reset::Zero], |_, _, input| vec![input]);
    let state = model.latches[0].state;
    model.constraints = vec![state];
    model.bads = vec![state, !state, Edge::TRUE];
    all_agree(&model);
    model.constraints = vec![Edge::FALSE];
    all_agree(&model);
}

#[test]
fn constraints_bind_the_step_of_the_bad_and_no_later_one() {
    // The latch stays set once the input was set; the constraint forbids the step after the first one in
    // which it is set.
    let mut model = model(&[Reset::Zero, Reset::Zero], |model, states, input| {
        vec![model.aig.or(states[0], input), states[0]]
    });
    let [set, later] = [0, 1].map(|latch| model.latches[latch].state);
    model.constraints = vec![!later];
    let now = model.aig.and(set, later);
    model.bads = vec![set, later, now];
    all_agree(&model);
}

#[test]
fn several_bads_one_of_them_at_reset() {
    let mut model = model(&[Reset::One, Reset::Zero], |model, states, input| {
        vec![states[1], model.aig.and(states[0], input)]
    });
    let [first, second] = [0, 1].map(|latch| model.latches[latch].state);
    let both = model.aig.and(first, second);
    model.bads = vec![both, first, second];
    all_agree(&model);
}

#[test]
fn many_constraints() {
    let mut model = model(&[Reset::Zero; 3], |model, states, input| {
        let carry = model.aig.and(states[0], states[1]);
        vec![
            model.aig.xor(states[0], input),
            model.aig.xor(states[1], states[0]),
            model.aig.xor(states[2], carry),
        ]
    });
    let states: Vec<Edge> = model.latches.iter().map(|latch| latch.state).collect();
    for _ in 0..2000 {
        let free = model.aig.add_input();
        model.inputs.push(free);
        let constraint = model.aig.or(free, !states[2]);
        model.constraints.push(constraint);
    }
    let all = model.aig.and_all(states.iter().copied());
    model.bads = vec![all];
    // Too many inputs to enumerate: the three bits have the same answers without constraints, since these can
    // always be satisfied.
    for (name, engine) in ENGINES {
        let outcome = engine(&model, 0, Alone::new().control());
        let craig_model::Verdict::Unsafe(trace) = &outcome.verdict else {
            panic!("{name}: {:?}", outcome.verdict);
        };
        assert_eq!(
            craig_certify::certify_trace(&model, 0, trace),
            Ok(trace.depth())
        );
    }
}
