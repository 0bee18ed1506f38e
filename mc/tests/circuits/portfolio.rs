//! Portfolios of engines.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant};

use craig_aig::Edge;
use craig_mc::Control;
use craig_mc::control::{Alone, Event};
use craig_mc::engine::pdr;
use craig_mc::portfolio::{Entry, Turns, check, check_beside};
use craig_model::{Model, ModelError, Outcome, Stop, Trace, UnknownReason, Verdict};
use proptest::prelude::*;

use crate::support::{all_engines, counter, input, judge_engine, recipe};

fn unknown(reason: UnknownReason) -> Outcome {
    Outcome {
        verdict: Verdict::Unknown(reason),
        engine: "test",
        depth: 0,
    }
}

/// An engine without an answer that runs until it is stopped, and records the stop.
fn endless(stopped: &Arc<AtomicBool>) -> Entry {
    let stopped = stopped.clone();
    Entry::new("endless", move |_, _, control| {
        loop {
            if let Some(reason) = control.stop.reason() {
                stopped.store(true, Ordering::Relaxed);
                return unknown(reason);
            }
            std::thread::yield_now();
        }
    })
}

#[test]
fn engines_give_up_memory_one_by_one_and_the_last_one_goes_on() {
    let stops = Arc::new(Mutex::new(Vec::new()));
    let waiting = |name: &'static str| {
        let stops = Arc::clone(&stops);
        Entry::new(name, move |_, _, control: Control<'_>| {
            loop {
                if let Some(reason) = control.stop.reason() {
                    stops.lock().unwrap().push((name, reason.clone()));
                    return unknown(reason);
                }
                std::thread::yield_now();
            }
        })
    };
    // Reports a shortage until it is the only engine, and a few times more.
    let first = {
        let stops = Arc::clone(&stops);
        Entry::new("first", move |_, property, control: Control<'_>| {
            while stops.lock().unwrap().len() < 2 {
                assert_eq!(control.stop.reason(), None);
                control.stop.report_memory_short();
                std::thread::yield_now();
            }
            for _ in 0..4 {
                control.stop.report_memory_short();
                std::thread::sleep(Duration::from_millis(30));
                assert_eq!(control.stop.reason(), None);
            }
            Outcome {
                verdict: Verdict::Unsafe(Trace {
                    property,
                    initial: Vec::new(),
                    inputs: vec![Vec::new()],
                }),
                engine: "first",
                depth: 0,
            }
        })
    };
    let entries = [first, waiting("second"), waiting("third")];
    let alone = Alone::new();
    let control = alone.control();
    let report = check(&always_bad(), 0, &entries, control).expect("the model is one");
    assert!(matches!(report.outcome.verdict, Verdict::Unsafe(_)));
    assert_eq!(report.failures, []);
    let wanted = ["third", "second"].map(|name| (name, UnknownReason::OutOfMemory));
    assert_eq!(*stops.lock().unwrap(), wanted);
    assert_eq!(control.stop.reason(), None);
}

/// The engine of `entry`, with a message when it has ended.
fn reporting(entry: Entry, ended: &mpsc::Sender<()>) -> Entry {
    let ended = ended.clone();
    Entry::new(entry.name, move |model, property, control| {
        let outcome = (entry.run)(model, property, control);
        let _ = ended.send(());
        outcome
    })
}

/// Much longer than an engine takes to stop.
const PATIENCE: Duration = Duration::from_secs(120);

fn panicking() -> Entry {
    Entry::new("panicking", |_, _, _| panic!("on purpose"))
}

fn always_bad() -> Model {
    Model {
        bads: vec![Edge::TRUE],
        ..Model::default()
    }
}

#[test]
fn the_first_answer_stops_the_others_and_a_panic_is_no_answer() {
    let (ended, ends) = mpsc::channel();
    let stopped = Arc::new(AtomicBool::new(false));
    let mut entries = vec![panicking(), reporting(endless(&stopped), &ended)];
    entries.extend(all_engines());
    let alone = Alone::new();
    let control = alone.control();
    let report = check(&always_bad(), 0, &entries, control).expect("the model is one");
    assert!(matches!(report.outcome.verdict, Verdict::Unsafe(_)));
    assert_eq!(control.stop.reason(), None);
    ends.recv_timeout(PATIENCE).expect("the loser stops");
    assert!(stopped.load(Ordering::Relaxed));
}

/// An engine that stops slowly does not delay the answer of another, and its later events are dropped.
#[test]
fn the_first_answer_does_not_wait_for_the_losers() {
    let (release, released) = mpsc::channel::<()>();
    let (ended, ends) = mpsc::channel();
    let released = Mutex::new(released);
    let deaf = Entry::new("deaf", move |_, _, control| {
        control.report_depth("deaf", 1);
        released.lock().unwrap().recv().unwrap();
        control.report_depth("deaf", 2);
        unknown(UnknownReason::Cancelled)
    });
    let winner = Entry::new("winner", |model, property, control| {
        while control.board.known_depth() == 0 {
            std::thread::yield_now();
        }
        pdr::check(model, property, &pdr::Options::default(), control)
    });
    let events = Arc::new(Mutex::new(Vec::new()));
    let listener = {
        let events = Arc::clone(&events);
        Arc::new(move |event| events.lock().unwrap().push(event))
    };
    let alone = Alone::new().with_receiver(listener);
    let control = alone.control();
    let report = check(
        &always_bad(),
        0,
        &[reporting(deaf, &ended), winner],
        control,
    )
    .expect("the model is one");
    assert!(matches!(report.outcome.verdict, Verdict::Unsafe(_)));
    // The slower engine is released only now.
    release.send(()).unwrap();
    ends.recv_timeout(PATIENCE).expect("the loser ends");
    let depth = |depth| Event::Depth {
        engine: "deaf",
        depth,
    };
    let events = events.lock().unwrap();
    assert!(events.contains(&depth(1)) && !events.contains(&depth(2)));
}

/// None of the engines would end by itself on this circuit: the test ends only if all of them poll their
/// control.
#[test]
fn every_loser_stops_in_the_middle_of_its_work() {
    // Two counters, one of which is enabled at times; the bad is that both are full, after some 2^40 steps.
    let mut model = Model::default();
    let [enable, other] = [0, 1].map(|_| input(&mut model));
    let mut states = counter(&mut model, 40, enable);
    let slow = model.aig.and(other, states[3]);
    states.extend(counter(&mut model, 40, slow));
    let full = model.aig.and_all(states);
    model.bads.push(full);
    // The first answer comes after others have made progress.
    let winner = Entry::new("winner", |_, property, control| {
        while control.board.known_depth() < 3 {
            std::thread::yield_now();
        }
        let verdict = Verdict::Unsafe(Trace {
            property,
            initial: Vec::new(),
            inputs: vec![Vec::new()],
        });
        Outcome {
            verdict,
            engine: "winner",
            depth: 0,
        }
    });
    let (ended, ends) = mpsc::channel();
    let losers = all_engines().into_iter();
    let mut entries: Vec<Entry> = losers.map(|entry| reporting(entry, &ended)).collect();
    let n_losers = entries.len();
    entries.push(winner);
    let report = check(&model, 0, &entries, Alone::new().control()).expect("the model is one");
    assert_eq!(report.outcome.engine, "winner");
    assert_eq!(report.failures, []);
    for _ in 0..n_losers {
        ends.recv_timeout(PATIENCE).expect("every loser stops");
    }
}

fn with_turns(entry: Entry, milliseconds: u64) -> Entry {
    let length = Duration::from_millis(milliseconds);
    let turns = Turns {
        first: length,
        length,
        at_once: 1,
    };
    Entry {
        turns: Some(turns),
        ..entry
    }
}

/// One that waits for its turn gets it from one that has no answer, and one that panics leaves its turn.
#[test]
fn entries_with_turns_share_a_thread() {
    let stopped = Arc::new(AtomicBool::new(false));
    let winner = Entry::new("winner", |model, property, control| {
        pdr::check(model, property, &pdr::Options::default(), control)
    });
    let entries = [panicking(), endless(&stopped), winner].map(|entry| with_turns(entry, 10));
    let report =
        check(&always_bad(), 0, &entries, Alone::new().control()).expect("the model is one");
    assert!(matches!(report.outcome.verdict, Verdict::Unsafe(_)));
    assert_eq!(report.failures.len(), 1);
}

/// A deadline ends entries that wait for their turn, too.
#[test]
fn waiting_entries_end_at_the_deadline() {
    let stopped = [(); 2].map(|()| Arc::new(AtomicBool::new(false)));
    let entries = stopped
        .each_ref()
        .map(|stopped| with_turns(endless(stopped), 1_000_000));
    let deadline = Instant::now() + Duration::from_millis(100);
    let alone = Alone::until(Stop::new().with_deadline(deadline));
    let control = alone.control();
    let report = check(&always_bad(), 0, &entries, control).expect("the model is one");
    let Verdict::Unknown(reason) = report.outcome.verdict else {
        panic!("{:?}", report.outcome.verdict);
    };
    assert_eq!(reason, UnknownReason::Timeout);
    assert!(
        stopped
            .iter()
            .all(|stopped| stopped.load(Ordering::Relaxed))
    );
}

#[test]
fn nobody_has_an_answer() {
    let giving_up = Entry::new("giving up", |_, _, _| {
        unknown(UnknownReason::Bound("tired".to_string()))
    });
    let report = check(
        &always_bad(),
        0,
        &[panicking(), giving_up],
        Alone::new().control(),
    )
    .expect("the model is one");
    let Verdict::Unknown(UnknownReason::Bound(text)) = report.outcome.verdict else {
        panic!("{:?}", report.outcome.verdict);
    };
    assert_eq!(text, "tired; engine panicking failed");
    let failures = report.failures.iter();
    let failures: Vec<(&str, &str)> = failures
        .map(|failure| (failure.entry.as_str(), failure.message.as_str()))
        .collect();
    assert_eq!(failures, [("panicking", "on purpose")]);
}

#[test]
fn cancellation_from_outside_is_passed_on() {
    let stopped = Arc::new(AtomicBool::new(false));
    let alone = Alone::new();
    let control = alone.control();
    let canceller = {
        let stop = alone.stop.clone();
        Entry::new("canceller", move |_, _, _| {
            stop.cancel();
            unknown(UnknownReason::Cancelled)
        })
    };
    let report = check(&always_bad(), 0, &[canceller, endless(&stopped)], control)
        .expect("the model is one");
    assert!(stopped.load(Ordering::Relaxed));
    let Verdict::Unknown(reason) = report.outcome.verdict else {
        panic!("{:?}", report.outcome.verdict);
    };
    assert_eq!(reason, UnknownReason::Cancelled);
}

/// Engines of one portfolio share their invariants; those of the next, about another model, do not get them.
#[test]
fn what_is_shared_ends_with_the_question() {
    let alone = Alone::new();
    let control = alone.control();
    let sharing = Entry::new("sharing", |_, _, control| {
        control.report_depth("sharing", 7);
        control.board.share_invariants([vec![(0, true)]]);
        unknown(UnknownReason::Bound("done".to_string()))
    });
    let report = check(&always_bad(), 0, &[sharing], control).expect("the model is one");
    assert_eq!(report.invariants, [vec![(0, true)]]);
    assert_eq!(control.listener.depth(), 7);
    let asking = Entry::new("asking", |_, _, control| {
        assert_eq!(control.board.known_depth(), 0);
        assert!(control.board.invariants(0).is_empty());
        unknown(UnknownReason::Bound("done".to_string()))
    });
    let report = check(&always_bad(), 0, &[asking], control).expect("the model is one");
    assert_eq!(report.failures, []);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(50))]

    #[test]
    fn all_engines_together_decide_as_enumeration_does(recipe in recipe()) {
        judge_engine(&recipe, false, |model, property| {
            check(model, property, &all_engines(), Alone::new().control())
                .expect("the model is one")
                .outcome
        })?;
    }
}

/// An entry on the model before the reduction gets that one with its own bad, and its invariants are not about the reduced
/// model. Without such a model it searches the only one.
#[test]
fn entries_may_search_the_model_before_the_reduction() {
    let with_bads = |bads: &[Edge]| {
        let mut model = Model::default();
        model.bads.extend(bads);
        model
    };
    let original = with_bads(&[Edge::FALSE, Edge::TRUE]);
    let reduced = with_bads(&[Edge::FALSE]);
    let expected = Arc::new(Mutex::new((2, 1)));
    let on_original = {
        let expected = Arc::clone(&expected);
        let mut entry = Entry::new("original", move |model, property, control: Control<'_>| {
            assert_eq!((model.bads.len(), property), *expected.lock().unwrap());
            control.board.share_invariants([vec![(0, true)]]);
            pdr::check(model, property, &pdr::Options::default(), control)
        });
        entry.original = true;
        entry
    };
    let stopped = Arc::new(AtomicBool::new(false));
    let entries = [endless(&stopped), on_original];
    let alone = Alone::new();
    let control = alone.control();
    let report = check_beside((&reduced, 0), Some((&original, 1)), &entries, control)
        .expect("the models are");
    assert_eq!(report.failures, []);
    assert!(report.original);
    assert!(matches!(report.outcome.verdict, Verdict::Unsafe(_)));
    assert!(report.invariants.is_empty());

    *expected.lock().unwrap() = (1, 0);
    let report = check_beside((&reduced, 0), None, &entries[1..], control).expect("the models are");
    assert_eq!(report.failures, []);
    assert!(!report.original);
    assert!(matches!(report.outcome.verdict, Verdict::Safe(_)));
    assert_eq!(report.invariants, [vec![(0, true)]]);

    let report = check_beside((&original, 1), Some((&reduced, 0)), &entries[1..], control)
        .expect("the models are");
    assert!(report.original, "the reduced model has another answer");
    assert!(matches!(report.outcome.verdict, Verdict::Safe(_)));
}

/// What is no model, or has no such bad, is an error before an engine looks at it.
#[test]
fn a_wrong_model_is_refused() {
    let run = |model: &Model, property| {
        check(model, property, &all_engines(), Alone::new().control()).map(|report| report.outcome)
    };
    let mut model = always_bad();
    let missing = ModelError::NoProperty {
        property: 1,
        n_properties: 1,
    };
    assert_eq!(run(&model, 1).unwrap_err(), missing);
    model.bads.push(Edge::new(1000, false));
    let error = run(&model, 0).unwrap_err();
    assert!(matches!(error, ModelError::ForeignEdge { .. }), "{error}");
}
