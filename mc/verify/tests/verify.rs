//! The order of verdicts, what is passed on, and who has decided.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use craig_certify::Circuit;
use craig_mc::engine::entry::Engine;
use craig_mc::engine::registry;
use craig_mc::{Alone, Control};
use craig_model::{Certificate, Latch, Model, Outcome, Reset, Stop, Trace, UnknownReason, Verdict};
use craig_program::line_up::LineUp;
use craig_verify::{
    Answer, Certified, Design, ENGINES, Engines, Judgement, PropertyId, Proven, Schedule, Search,
    StageName, Stages, VerifyError, verify, verify_any, verify_each,
};

/// A latch that is never set, a latch that is set after one step, and a bad for each.
fn never_and_soon() -> Model {
    let mut model = Model::default();
    let [never, soon] = [(); 2].map(|()| model.aig.add_input());
    let latch = |state, next| Latch {
        state,
        next,
        reset: Reset::Zero,
    };
    model.latches = vec![latch(never, never), latch(soon, !soon)];
    model.bads = vec![never, soon];
    model
}

/// A run of the model of [`never_and_soon`].
fn run_to(property: usize) -> Verdict {
    Verdict::Unsafe(Trace {
        property,
        initial: vec![Some(false); 2],
        inputs: vec![Vec::new(); 2],
    })
}

fn outcome(verdict: Verdict) -> Outcome {
    Outcome {
        verdict,
        engine: "test",
        depth: 1,
    }
}

/// How long an engine without an answer works before it gives up: a test that waits for that fails.
const PATIENCE: Duration = Duration::from_secs(40);

/// Has an answer about bad 1 only.
const DECIDES_ONE: Engine = Engine {
    name: "decides-one",
    text: "",
    is_shortest: false,
    options: &[],
    build: |_| {
        Arc::new(|_, property, control| {
            if property == 1 {
                return outcome(run_to(1));
            }
            let begin = Instant::now();
            while begin.elapsed() < PATIENCE {
                if let Some(reason) = control.stop.reason() {
                    return outcome(Verdict::Unknown(reason));
                }
                std::thread::sleep(Duration::from_millis(5));
            }
            outcome(Verdict::Unknown(UnknownReason::Bound("given up".into())))
        })
    },
};

/// Says of everything what is wrong of [`never_and_soon`].
const LIES: Engine = Engine {
    build: |_| {
        Arc::new(|model: &Model, property, _: Control<'_>| {
            outcome(match property {
                0 => run_to(0),
                _ => Verdict::Safe(Box::new(Certificate {
                    witness: model.clone(),
                    shared_inputs: Vec::new(),
                    shared_latches: vec![Some(0), Some(1)],
                })),
            })
        })
    },
    ..DECIDES_ONE
};

static ONE: Engine = DECIDES_ONE;
static LIAR: Engine = LIES;

/// The engine alone, on the model as it is.
fn alone(engine: &'static Engine) -> Schedule {
    Schedule {
        passes: None,
        stages: Stages::NONE,
        ..Schedule::of_engine(engine)
    }
}

/// The first verdict that is passed on.
fn first_verdict(schedule: &Schedule, control: Control<'_>) -> Certified<std::convert::Infallible> {
    let model = never_and_soon();
    let mut first = None;
    let mut observer = |certified| {
        first = Some(certified);
        ControlFlow::Break(())
    };
    let properties = PropertyId::all(&model);
    verify_each(&model, &properties, schedule, control, &mut observer).unwrap();
    first.expect("a verdict")
}

/// A property without an answer does not hold up one that is decided at once, whether there is a time limit or not.
#[test]
fn a_hard_property_does_not_hold_up_an_easy_one() {
    let limited =
        Alone::until(Stop::new().with_deadline(Instant::now() + Duration::from_secs(3600)));
    for own in [Alone::new(), limited] {
        let first = first_verdict(&alone(&ONE), own.control());
        assert_eq!(first.property, PropertyId::bad(1));
        assert_eq!(first.answer(), Answer::Unsafe);
        assert_eq!(first.phase, ENGINES);
    }
}

/// A cancelled search passes on that each property is unknown, once.
#[test]
fn every_property_has_one_verdict() {
    let own = Alone::new();
    let control = own.control();
    control.stop.cancel();
    let verdicts = verify(&never_and_soon(), &alone(&ONE), control).unwrap();
    let properties: Vec<PropertyId> = verdicts.iter().map(|it| it.property).collect();
    assert_eq!(properties, [PropertyId::bad(0), PropertyId::bad(1)]);
    for verdict in verdicts {
        let reason = verdict.finding.reason();
        assert_eq!(reason, Some(&UnknownReason::Cancelled));
    }
}

/// Wrong evidence for either answer is refused, and is no answer; without the check it is one.
#[test]
fn wrong_evidence_is_no_answer() {
    let model = never_and_soon();
    for verdict in verify(&model, &alone(&LIAR), Alone::new().control()).unwrap() {
        assert!(matches!(verdict.judgement, Judgement::Invalid(_)));
        assert_eq!(verdict.answer(), Answer::Unknown);
    }
    let unchecked = Schedule {
        certify: false,
        ..alone(&LIAR)
    };
    let verdicts = verify(&model, &unchecked, Alone::new().control()).unwrap();
    let answers: Vec<Answer> = verdicts.iter().map(Certified::answer).collect();
    assert_eq!(answers, [Answer::Unsafe, Answer::Safe]);
}

/// A model that has only some runs of what was read.
struct Restricted(Model);

impl Design for Restricted {
    type Evidence = std::convert::Infallible;

    fn model(&self) -> &Model {
        &self.0
    }

    fn circuit(&self) -> &dyn Circuit {
        &self.0
    }

    fn restriction(&self) -> Option<&str> {
        Some("some runs are left out")
    }
}

/// Of a restricted model, runs count and proofs do not.
#[test]
fn a_proof_of_a_restricted_model_proves_nothing() {
    let mut design = Restricted(never_and_soon());
    let pdr = Schedule::of_engine(registry::find("pdr").unwrap());
    let verdicts = verify(&design, &pdr, Alone::new().control()).unwrap();
    let answers: Vec<Answer> = verdicts.iter().map(Certified::answer).collect();
    assert_eq!(answers, [Answer::Unknown, Answer::Unsafe]);
    design.0.bads.truncate(1);
    let verdict = verify_any(&design, &pdr, Alone::new().control()).unwrap();
    assert_eq!(verdict.answer(), Answer::Unknown);
}

/// The question about all bads names the bad that was reached.
#[test]
fn any_bad_is_named() {
    let model = never_and_soon();
    let line_up = Schedule {
        engines: Engines::LineUp(LineUp::default()),
        threads: 1,
        ..Schedule::default()
    };
    let verdict = verify_any(&model, &line_up, Alone::new().control()).unwrap();
    assert_eq!(verdict.answer(), Answer::Unsafe);
    assert_eq!(verdict.property, PropertyId::bad(1));
    assert_eq!(verdict.trace().map(|trace| trace.property), Some(1));
    let error = verify_any(&Model::default(), &line_up, Alone::new().control()).unwrap_err();
    let expected = VerifyError::NoProperty {
        property: PropertyId::bad(0),
        n_properties: 0,
    };
    assert_eq!(error, expected);
}

/// A circuit with a thousand gates, whose bad is reached in the first step if its inputs are chosen well.
fn shallow() -> Model {
    let mut model = Model::default();
    let inputs: Vec<_> = (0..40).map(|_| model.aig.add_input()).collect();
    model.inputs.clone_from(&inputs);
    let mut values = inputs;
    for round in 1..30 {
        values = (0..values.len())
            .map(|place| {
                let [choice, other] = [round, 2 * round].map(|by| values[(place + by) % 40]);
                model.aig.ite(choice, values[place], !other)
            })
            .collect();
    }
    let any = model.aig.or_all(values);
    model.bads = vec![any];
    model
}

/// Who has decided is said: the first steps, or the engine where the schedule does not have that stage.
#[test]
fn a_stage_that_is_left_out_does_not_run() {
    let model = shallow();
    let pdr = Schedule::of_engine(registry::find("pdr").unwrap());
    let phase = |schedule: &Schedule| {
        let verdicts = verify(&model, schedule, Alone::new().control()).unwrap();
        assert_eq!(verdicts[0].answer(), Answer::Unsafe);
        (verdicts[0].phase, verdicts[0].finding.engine())
    };
    let (stage, engine) = phase(&pdr);
    assert_eq!(stage, StageName::FirstSteps.name());
    assert_ne!(engine, "pdr");
    let only = Schedule {
        stages: Stages::NONE,
        ..pdr
    };
    assert_eq!(phase(&only), (ENGINES, "pdr"));
}

/// What is no model is an error before an engine looks at it, and so is a property that it does not have.
#[test]
fn a_wrong_model_is_refused() {
    let mut model = never_and_soon();
    let no_bad = PropertyId::bad(7);
    let own = Alone::new();
    let (schedule, control) = (Schedule::default(), own.control());
    let mut ignore = |_| ControlFlow::Continue(());
    let error = verify_each(&model, &[no_bad], &schedule, control, &mut ignore).unwrap_err();
    assert!(matches!(error, VerifyError::NoProperty { .. }), "{error}");
    let search = Search::new(schedule.clone());
    let error = search.check(&model, 7, control).unwrap_err();
    assert!(matches!(error, VerifyError::NoProperty { .. }), "{error}");
    let error = search.check_live(&model, 0, control).unwrap_err();
    assert!(matches!(error, VerifyError::NoProperty { .. }), "{error}");
    model.latches[0].state = !model.latches[0].state;
    let errors = [
        verify(&model, &schedule, control).unwrap_err(),
        verify_any(&model, &schedule, control).unwrap_err(),
        search.check(&model, 0, control).unwrap_err(),
    ];
    for error in errors {
        let text = "not a model: latches[0].state is not the positive edge of an input node";
        assert_eq!(error.to_string(), text);
    }
}

/// A certificate is a proof about the bad for which it was certified, and there is none for a bad that is reached.
#[test]
fn only_certified_proofs_are_made() {
    let model = never_and_soon();
    let claims = |bad: usize| {
        let invariant = !model.bads[bad];
        Proven::certify(
            &model,
            bad,
            Certificate::from_invariant(&model, bad, invariant),
        )
    };
    let proven = claims(0).expect("the latch is never set");
    assert_eq!(proven.model().bads, model.bads);
    assert!(claims(1).is_err());
    assert!(Proven::certify(&model, 1, proven.certificate().clone()).is_err());
}
