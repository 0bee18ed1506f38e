//! Random simulation, compared with enumeration.

use craig_aig::Edge;
use craig_mc::control::{Alone, Target};
use craig_mc::engine::pdr;
use craig_mc::engine::sim::{Options, check};
use craig_model::{Latch, Model, Reset, Trace, UnknownReason, Verdict, simulate::replay_bads};
use proptest::prelude::*;

use crate::support::{Truth, explore, judge_trace, recipe};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    /// Every run that it finds is valid; and on models this small it finds one if the bad does not depend on
    /// random choices, without inputs and uninitialised latches.
    #[test]
    fn finds_nothing_but_runs(recipe in recipe(), seed in any::<u64>()) {
        let model = recipe.build();
        let options = Options { evaluations: Some(20_000), seed, ..Options::default() };
        for property in 0..model.bads.len() {
            let outcome = check(&model, property, &options, Alone::new().control());
            match (explore(&model, property), outcome.verdict) {
                (Truth::Unsafe(_), Verdict::Unsafe(trace)) => {
                    prop_assert_eq!(judge_trace(&model, property, &trace, None), Ok(()));
                }
                (truth, Verdict::Unknown(UnknownReason::Bound(_))) => {
                    let lucky = !model.inputs.is_empty()
                        || model.latches.iter().any(|latch| latch.reset == Reset::Uninitialised);
                    prop_assert!(lucky || matches!(truth, Truth::Safe(_)));
                }
                (truth, verdict) => prop_assert!(false, "{verdict:?} but {truth:?}"),
            }
        }
    }
}

/// A chain of latches whose last one is set if an input was set in as many steps in a row: too rare for runs
/// from the reset, while states with each prefix are stored and restarted from.
#[test]
fn stored_states_lead_to_deep_bads() {
    let mut model = Model::default();
    let input = model.aig.add_input();
    model.inputs.push(input);
    let mut before = input;
    for _ in 0..30 {
        let state = model.aig.add_input();
        // Once set, a latch of the chain stays set; it is only set if four more input bits have the right
        // values.
        model.latches.push(Latch {
            state,
            next: Edge::FALSE,
            reset: Reset::Zero,
        });
        let mut guess = before;
        for _ in 0..4 {
            let bit = model.aig.add_input();
            model.inputs.push(bit);
            guess = model.aig.and(guess, bit);
        }
        let next = model.aig.or(state, guess);
        model.latches.last_mut().expect("just added").next = next;
        before = state;
    }
    model.bads.push(before);
    let options = Options {
        evaluations: Some(50_000_000),
        ..Options::default()
    };
    let outcome = check(&model, 0, &options, Alone::new().control());
    let Verdict::Unsafe(trace) = outcome.verdict else {
        panic!("{:?}", outcome.verdict)
    };
    assert_eq!(judge_trace(&model, 0, &trace, None), Ok(()));
    assert!(trace.depth() >= 30);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    /// A guided search finds nothing but runs; with its solver, it finds one wherever there is one that a few of
    /// the steps of its queries reach.
    #[test]
    fn a_guided_search_finds_the_runs(recipe in recipe(), seed in any::<u64>()) {
        let model = recipe.build();
        let options = Options {
            evaluations: Some(60_000),
            seed,
            is_guided: true,
            ..Options::default()
        };
        for property in 0..model.bads.len() {
            let outcome = check(&model, property, &options, Alone::new().control());
            match (explore(&model, property), outcome.verdict) {
                (Truth::Unsafe(_), Verdict::Unsafe(trace)) => {
                    prop_assert_eq!(judge_trace(&model, property, &trace, None), Ok(()));
                }
                (truth, Verdict::Unknown(UnknownReason::Bound(_))) => {
                    // Only one of the reset states is looked at by the solver.
                    let lucky = model.latches.iter().any(|latch| latch.reset == Reset::Uninitialised);
                    prop_assert!(lucky || matches!(truth, Truth::Safe(_)), "{truth:?}");
                }
                (truth, verdict) => prop_assert!(false, "{verdict:?} but {truth:?}"),
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    /// From every state of a target its inputs lead to the bad, and a search that PDR has given targets to finds nothing
    /// but runs.
    #[test]
    fn targets_of_pdr_lead_to_the_bad(recipe in recipe(), frames in 0..4_usize, fill in any::<bool>()) {
        let model = recipe.build();
        for property in 0..model.bads.len() {
            let alone = Alone::new();
            let control = alone.control();
            prop_assert_eq!(control.board.new_targets(&mut 0), None);
            let options = pdr::Options { max_frames: Some(frames), ..pdr::Options::default() };
            let _ = pdr::check(&model, property, &options, control);
            let mut free = model.clone();
            for latch in &mut free.latches {
                latch.reset = Reset::Uninitialised;
            }
            for target in control.board.new_targets(&mut 0).unwrap_or_default() {
                let values = |n: usize, given: &[(usize, bool)]| {
                    let mut values = vec![Some(fill); n];
                    for &(number, value) in given {
                        values[number] = Some(value);
                    }
                    values
                };
                let steps = target.inputs.iter();
                let mut trace = Trace {
                    property,
                    initial: values(model.latches.len(), &target.states),
                    inputs: steps.map(|step| values(model.inputs.len(), step)).collect(),
                };
                // A state on the way may be bad as well.
                let bad = replay_bads(&free, &trace).unwrap().bads[property];
                prop_assert!(bad.is_some(), "{target:?}");
                trace.inputs.truncate(bad.unwrap() + 1);
                prop_assert_eq!(judge_trace(&free, property, &trace, None), Ok(()));
            }
            let options = Options {
                evaluations: Some(20_000),
                is_guided: true,
                ..Options::default()
            };
            match (explore(&model, property), check(&model, property, &options, control).verdict) {
                (Truth::Unsafe(_), Verdict::Unsafe(trace)) => {
                    prop_assert_eq!(judge_trace(&model, property, &trace, None), Ok(()));
                }
                (_, Verdict::Unknown(UnknownReason::Bound(_))) => {}
                (truth, verdict) => prop_assert!(false, "{verdict:?} but {truth:?}"),
            }
        }
    }
}

/// A lock of whose stages the solver's share of the work opens only few, and a target with the run
/// that opens all.
#[test]
fn a_state_of_a_target_has_its_run() {
    const STAGES: u64 = 200;
    let code = |stage: u64| stage.wrapping_mul(40_503) >> 3 & 0xffff;
    let mut model = Model::default();
    let word: Vec<Edge> = (0..16).map(|_| model.aig.add_input()).collect();
    model.inputs.clone_from(&word);
    let stage: Vec<Edge> = (0..8).map(|_| model.aig.add_input()).collect();
    let is_number = |model: &mut Model, bits: &[Edge], number: u64| {
        let bits = bits.iter().enumerate();
        let equal = bits.map(|(place, bit)| bit.negate_if(number >> place & 1 == 0));
        model.aig.and_all(equal.collect::<Vec<_>>())
    };
    let mut next = [Edge::FALSE; 8];
    for number in 0..STAGES {
        let is_here = is_number(&mut model, &stage, number);
        let is_right = is_number(&mut model, &word, code(number));
        let goes_on = model.aig.and(is_here, is_right);
        for (bit, next) in next.iter_mut().enumerate() {
            if (number + 1) >> bit & 1 == 1 {
                *next = model.aig.or(*next, goes_on);
            }
        }
    }
    let latches = stage.iter().zip(next);
    let reset = Reset::Zero;
    let latches = latches.map(|(&state, next)| Latch { state, next, reset });
    model.latches.extend(latches);
    let bad = is_number(&mut model, &stage, STAGES);
    model.bads.push(bad);
    let alone = Alone::new();
    let control = alone.control();
    let step = |number: u64| {
        (0..16)
            .map(|bit| (bit, code(number) >> bit & 1 == 1))
            .collect()
    };
    control.board.share_target(Target {
        states: (0..8).map(|bit| (bit, false)).collect(),
        inputs: (0..=STAGES).map(step).collect(),
    });
    let options = Options {
        evaluations: Some(10_000_000),
        is_guided: true,
        ..Options::default()
    };
    let outcome = check(&model, 0, &options, control);
    let Verdict::Unsafe(trace) = outcome.verdict else {
        panic!("{:?}", outcome.verdict)
    };
    assert_eq!(judge_trace(&model, 0, &trace, None), Ok(()));
    let without = check(&model, 0, &options, Alone::new().control());
    assert!(matches!(without.verdict, Verdict::Unknown(_)));
}

/// A combination lock: a counter advances if 16 inputs have the value of its stage, and is set to 0 otherwise.
/// Random inputs open a stage once in 65536 steps; a solver does at once, from the last state that is new.
#[test]
fn guidance_opens_a_combination_lock() {
    let mut model = Model::default();
    let code: Vec<Edge> = (0..16).map(|_| model.aig.add_input()).collect();
    model.inputs.clone_from(&code);
    let stage: Vec<Edge> = (0..4).map(|_| model.aig.add_input()).collect();
    let is_number = |model: &mut Model, bits: &[Edge], number: u64| {
        let bits = bits.iter().enumerate();
        let equal = bits.map(|(place, bit)| bit.negate_if(number >> place & 1 == 0));
        model.aig.and_all(equal.collect::<Vec<_>>())
    };
    let mut is_right = Edge::FALSE;
    for number in 0..12 {
        let here = is_number(&mut model, &stage, number);
        let right = is_number(&mut model, &code, (number * 40_503 + 12_345) & 0xffff);
        let both = model.aig.and(here, right);
        is_right = model.aig.or(is_right, both);
    }
    let mut carry = Edge::TRUE;
    for &bit in &stage {
        let sum = model.aig.xor(bit, carry);
        carry = model.aig.and(bit, carry);
        let next = model.aig.and(is_right, sum);
        model.latches.push(Latch {
            state: bit,
            next,
            reset: Reset::Zero,
        });
    }
    let bad = is_number(&mut model, &stage, 12);
    model.bads.push(bad);
    let search = |is_guided: bool| {
        let options = Options {
            evaluations: Some(2_000_000),
            is_guided,
            ..Options::default()
        };
        check(&model, 0, &options, Alone::new().control()).verdict
    };
    assert!(matches!(search(false), Verdict::Unknown(_)));
    let Verdict::Unsafe(trace) = search(true) else {
        panic!("the lock was not opened")
    };
    assert_eq!(judge_trace(&model, 0, &trace, None), Ok(()));
    assert!(trace.depth() >= 12);
}
