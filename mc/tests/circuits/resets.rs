//! Latches that start at the value of a formula.

use craig_aig::Edge;
use craig_certify::{CertifyError, certify_certificate, certify_trace};
use craig_mc::circuit::reduce::{self, Passes, ROWS, When};
use craig_mc::engine::{avy, bdd, bmc, gla, imc, imc_backward, isb, kind, pdr, sim, tra};
use craig_mc::{Alone, Control};
use craig_model::{
    Certificate, Model, Outcome, Reset, Trace, Verdict,
    simulate::{ReplayError, replay},
};
use proptest::prelude::*;

use crate::support::{Recipe, Truth, explore, input, judge, latch, recipe};

/// For some of the latches of a recipe an operand, counted as in [`Recipe::gates`].
type Functions = Vec<Option<(usize, bool)>>;

/// The recipe's model, in which latches start at these formulas, unless one would depend on itself.
fn with_functions(recipe: &Recipe, functions: &Functions) -> Model {
    let mut model = recipe.build();
    let n_nodes = model.aig.n_nodes();
    for (number, function) in functions.iter().enumerate().take(model.latches.len()) {
        if let Some((index, sign)) = function {
            let before = model.latches[number].reset;
            let edge = Edge::new((index % n_nodes) as u32, *sign);
            model.latches[number].reset = Reset::Function(edge);
            if model.reset_order().is_none() {
                model.latches[number].reset = before;
            }
        }
    }
    model
}

fn functions() -> impl Strategy<Value = Functions> {
    let function = prop::option::weighted(0.6, (0..30_usize, any::<bool>()));
    prop::collection::vec(function, 4)
}

/// An engine, whether it finds shortest runs, and whether it always answers.
type Engine = (
    &'static str,
    bool,
    bool,
    fn(&Model, usize, Control<'_>) -> Outcome,
);

const ENGINES: [Engine; 13] = [
    ("bmc", true, false, |model, property, control| {
        let options = bmc::Options {
            max_depth: Some(17),
            ..bmc::Options::default()
        };
        bmc::check(model, property, &options, control)
    }),
    ("imc", false, true, |model, property, control| {
        imc::check(model, property, &imc::Options::default(), control)
    }),
    ("imc-backward", false, true, |model, property, control| {
        imc_backward::check(model, property, &imc::Options::default(), control)
    }),
    ("isb", false, true, |model, property, control| {
        isb::check(model, property, &isb::Options::default(), control)
    }),
    ("kind", true, true, |model, property, control| {
        kind::check(model, property, &kind::Options::default(), control)
    }),
    ("pdr", false, true, |model, property, control| {
        pdr::check(model, property, &pdr::Options::default(), control)
    }),
    ("kavy", false, true, |model, property, control| {
        let options = avy::Options {
            strong: true,
            ..avy::Options::default()
        };
        avy::check(model, property, &options, control)
    }),
    ("avy", false, true, |model, property, control| {
        avy::check(model, property, &avy::Options::default(), control)
    }),
    ("tra", false, true, |model, property, control| {
        tra::check(model, property, &tra::Options::default(), control)
    }),
    ("gla", false, true, |model, property, control| {
        gla::check(model, property, &gla::Options::default(), control)
    }),
    ("bdd", false, true, |model, property, control| {
        bdd::check(model, property, &bdd::Options::default(), control)
    }),
    ("sim", false, false, |model, property, control| {
        let options = sim::Options {
            evaluations: Some(20_000),
            ..sim::Options::default()
        };
        sim::check(model, property, &options, control)
    }),
    ("sim, guided", false, false, |model, property, control| {
        let options = sim::Options {
            evaluations: Some(20_000),
            is_guided: true,
            ..sim::Options::default()
        };
        sim::check(model, property, &options, control)
    }),
];

/// Every pass that there is.
fn all_passes() -> Passes {
    let rows = ROWS.iter().filter(|row| row.when == When::OnRequest);
    rows.fold(Passes::ALL, |passes, row| passes.with(row.pass.name()))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Every engine decides such circuits, as they are and reduced by each set of passes.
    #[test]
    fn engines_and_passes_agree_with_explicit_search(
        recipe in recipe(),
        functions in functions(),
        one in 0..ROWS.len(),
    ) {
        let model = with_functions(&recipe, &functions);
        let one = Passes::NONE.with(ROWS[one].pass.name());
        for property in 0..model.bads.len() {
            for (name, shortest, complete, run) in ENGINES {
                let alone = Alone::new();
                let control = alone.control();
                let mut outcomes = vec![run(&model, property, control)];
                for passes in [Passes::NONE, Passes::ALL, all_passes(), one] {
                    let alone = Alone::new();
                    let control = alone.control();
                    let reduced = reduce::run(&model, property, &passes, control);
                    let outcome = run(&reduced.model, 0, control);
                    outcomes.push(reduced.lift_outcome(outcome));
                }
                for outcome in outcomes {
                    if complete || !matches!(outcome.verdict, Verdict::Unknown(_)) {
                        judge(&model, property, &outcome, shortest)
                            .map_err(|why| TestCaseError::fail(format!("{name}: {why}")))?;
                    }
                }
            }
        }
    }

    /// A run follows the reset functions, and the replay and the certifier agree on which do.
    #[test]
    fn replay_and_certifier_agree_on_first_states(
        recipe in recipe(),
        functions in functions(),
        initial in prop::collection::vec(prop::option::of(any::<bool>()), 4),
        inputs in prop::collection::vec(any::<bool>(), 2),
    ) {
        let model = with_functions(&recipe, &functions);
        let trace = Trace {
            property: 0,
            initial: initial[..model.latches.len()].to_vec(),
            inputs: vec![inputs[..model.inputs.len()].iter().map(|&value| Some(value)).collect()],
        };
        let contradicts = |latch: usize, error: &CertifyError| {
            matches!(error, CertifyError::TraceReset { latch: other } if *other == latch)
        };
        match (replay(&model, &trace), certify_trace(&model, 0, &trace)) {
            (Ok(steps), judged) => {
                let values = &steps[0].latches;
                let asked = trace.initial.iter().zip(values);
                let mut asked = asked.filter_map(|(asked, value)| Some(((*asked)?, *value)));
                prop_assert!(asked.all(|(asked, value)| asked == value));
                let is_reset = |judged: &Result<usize, CertifyError>| {
                    matches!(judged, Err(CertifyError::TraceReset { .. }))
                };
                // An open value of a latch without a reset is 0 in the replay only.
                let is_open = |(latch, value): (&craig_model::Latch, &Option<bool>)| {
                    latch.reset == Reset::Uninitialised && value.is_none()
                };
                let has_open = model.latches.iter().zip(&trace.initial).any(is_open);
                prop_assert!(has_open || !is_reset(&judged), "{judged:?}");
            }
            (Err(ReplayError::Reset { latch }), Err(error)) => {
                let is_function = |latch: &craig_model::Latch| {
                    matches!(latch.reset, Reset::Function(_))
                };
                let one_cause = !model.latches.iter().any(is_function);
                prop_assert!(!one_cause || contradicts(latch, &error), "{latch}: {error}");
            }
            (replayed, judged) => prop_assert!(false, "{replayed:?} but {judged:?}"),
        }
    }
}

/// A latch that starts at an input, and one that starts at the opposite of that: never equal.
fn opposites() -> Model {
    let mut model = Model::default();
    let choice = input(&mut model);
    let first = latch(&mut model, Reset::Function(choice));
    let second = latch(&mut model, Reset::Function(!first));
    let equal = model.aig.iff(first, second);
    model.bads.push(equal);
    model
}

#[test]
fn certificates_with_wrong_reset_functions_are_refused() {
    let model = opposites();
    assert!(matches!(explore(&model, 0), Truth::Safe(_)));
    let invariant = !model.bads[0];
    let right = Certificate::from_invariant(&model, 0, invariant);
    assert_eq!(certify_certificate(&model, 0, &right), Ok(()));
    let judged = |change: &dyn Fn(&mut Certificate)| {
        let mut wrong = right.clone();
        change(&mut wrong);
        certify_certificate(&model, 0, &wrong)
    };
    // A witness whose first state is another, or none: the latches of a cycle.
    let latch = |certificate: &Certificate, number: usize| certificate.witness.latches[number];
    assert!(judged(&|wrong| wrong.witness.latches[1].reset = Reset::Zero).is_err());
    assert!(judged(&|wrong| wrong.witness.latches[1].reset = Reset::Uninitialised).is_err());
    assert!(
        judged(&|wrong| {
            wrong.witness.latches[1].reset = Reset::Function(latch(wrong, 0).state);
        })
        .is_err()
    );
    let cycle = judged(&|wrong| {
        wrong.witness.latches[0].reset = Reset::Function(!latch(wrong, 1).state);
    });
    assert!(matches!(cycle, Err(CertifyError::Shape(_))), "{cycle:?}");
    // Without the functions, the circuit is unsafe.
    let mut free = model.clone();
    free.latches[1].reset = Reset::Uninitialised;
    assert!(certify_certificate(&free, 0, &right).is_err());
}

#[test]
fn a_witness_may_not_have_an_own_cycle_either() {
    // The model is unsafe. A latch of the witness's own that starts at its negation would exclude all states.
    let mut model = Model::default();
    let state = latch(&mut model, Reset::Zero);
    model.bads.push(!state);
    let mut witness = model.clone();
    let own = latch(&mut witness, Reset::Zero);
    witness.latches[1].reset = Reset::Function(!own);
    witness.latches[1].next = Edge::TRUE;
    witness.bads = vec![witness.aig.or(model.bads[0], Edge::FALSE)];
    let certificate = Certificate {
        witness,
        shared_inputs: Vec::new(),
        shared_latches: vec![Some(0), None],
    };
    let judged = certify_certificate(&model, 0, &certificate);
    assert!(matches!(judged, Err(CertifyError::Shape(_))), "{judged:?}");
}

/// A reset function that is constant becomes a reset, and the equality in the certificate has to be that.
#[test]
fn constant_reset_functions_are_resets() {
    let mut model = Model::default();
    let first = latch(&mut model, Reset::Function(Edge::FALSE));
    let second = latch(&mut model, Reset::Function(Edge::TRUE));
    model.latches[0].next = Edge::TRUE;
    model.latches[1].next = model.aig.and(first, second);
    let neither = model.aig.and(!first, !second);
    model.bads.push(neither);
    for (name, _, complete, run) in ENGINES {
        let outcome = run(&model, 0, Alone::new().control());
        if complete {
            assert_eq!(judge(&model, 0, &outcome, false), Ok(()), "{name}");
        }
    }
}

/// A pass alone may leave latches that the bad does not depend on, and find facts about them. Those rest on the equality of a latch with
/// the one that replaced it.
#[test]
fn facts_about_latches_that_the_bad_does_not_need_are_proved() {
    let mut model = Model::default();
    let one = latch(&mut model, Reset::Function(Edge::TRUE));
    for (number, next) in [(0, Edge::TRUE), (1, Edge::TRUE), (2, one)] {
        if number > 0 {
            latch(&mut model, Reset::Zero);
        }
        model.latches[number].next = next;
    }
    model.bads.push(Edge::FALSE);
    for row in ROWS {
        let passes = Passes::NONE.with(row.pass.name());
        for (name, _, complete, run) in ENGINES {
            let alone = Alone::new();
            let reduced = reduce::run(&model, 0, &passes, alone.control());
            let outcome = reduced.lift_outcome(run(&reduced.model, 0, alone.control()));
            if complete {
                let judged = judge(&model, 0, &outcome, false);
                assert_eq!(judged, Ok(()), "{name} {}", row.pass.name());
            }
        }
    }
}

/// A state that is a first state under one input only, and comes back under all inputs: the bad needs the
/// other input, in a later step.
#[test]
fn reset_functions_bind_inputs_in_the_first_step_only() {
    let mut model = Model::default();
    let choice = input(&mut model);
    let state = latch(&mut model, Reset::Function(choice));
    model.latches[0].next = Edge::FALSE;
    let bad = model.aig.and(choice, !state);
    model.bads.push(bad);
    assert_eq!(explore(&model, 0), Truth::Unsafe(1));
    for (name, shortest, complete, run) in ENGINES {
        let outcome = run(&model, 0, Alone::new().control());
        if complete {
            assert_eq!(judge(&model, 0, &outcome, shortest), Ok(()), "{name}");
        }
    }
}
