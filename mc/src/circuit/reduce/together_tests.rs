//! Searches for several bads together, compared with brute force, and their evidence checked by the certifier.

use crate::control::{Alone, Event};
use crate::{Board, Listener};
use std::sync::Arc;

use craig_aig::Edge;
use craig_certify::{certify_some, certify_trace};
use craig_model::{Model, Verdict, simulate::replay_bads};
use proptest::prelude::*;

use super::tests::{random_model, shortest};
use super::{Passes, Shared};
use crate::engine::pdr;
use crate::exchange::Reached;

/// The depths of the runs that PDR finds to the bads of a model, which it searches together; `None` for those that it proves.
fn decided(model: &Model, passes: &Passes) -> Vec<Option<usize>> {
    let all: Vec<usize> = (0..model.bads.len()).collect();
    let alone = Alone::new();
    let control = alone.control();
    let shared = Shared::new(model, passes, control);
    let mut together = shared.together(&all, passes, control);
    let mut depths = vec![None; all.len()];
    let mut frames: Arc<Reached> = Arc::default();
    while !together.open().is_empty() {
        let united = together.model();
        assert_eq!(united.bads.len(), 1);
        let own = Alone {
            board: Board::about(&united, 0).with_known_frames(Arc::clone(&frames)),
            ..Alone::new()
        };
        let outcome = pdr::check(&united, 0, &pdr::Options::default(), own.control());
        match together.lift_outcome(outcome).unwrap().verdict {
            Verdict::Safe(certificate) => {
                certify_some(model, together.open(), &certificate).unwrap();
                break;
            }
            Verdict::Unsafe(trace) => {
                certify_trace(model, trace.property, &trace).unwrap();
                let replayed = replay_bads(model, &trace).unwrap();
                assert_eq!(replayed.bads[trace.property], Some(trace.depth()));
                let n_open = together.open().len();
                for &bad in together.open() {
                    depths[bad] = replayed.bads[bad];
                }
                together.close(|bad| depths[bad].is_some());
                assert!(together.open().len() < n_open);
            }
            Verdict::Unknown(reason) => panic!("{reason}"),
        }
        let next = own.board.exchange().best_frames();
        let next = next.expect("frames are shared at the end of each search");
        assert!(next.level() >= frames.level());
        frames = next;
    }
    depths
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]
    #[test]
    fn bads_are_decided_together_as_one_by_one(mut model in random_model()) {
        let states: Vec<Edge> = model.latches.iter().map(|latch| latch.state).collect();
        for pair in states.windows(2) {
            let both = model.aig.and(pair[0], pair[1]);
            model.bads.extend([both, !pair[0]]);
        }
        for passes in [Passes::ALL, Passes::NONE, Passes::ALL.with("folding")] {
            let depths = decided(&model, &passes);
            for (bad, depth) in depths.into_iter().enumerate() {
                let shortest = shortest(&model, bad);
                prop_assert_eq!(depth.is_some(), shortest.is_some(), "bad {}, {:?}", bad, &passes);
                prop_assert!(depth >= shortest);
            }
        }
    }
}

/// A counter of `n_bits` bits, with a bad for each of its values.
fn counter(n_bits: usize) -> Model {
    let mut model = Model::default();
    let states: Vec<Edge> = (0..n_bits).map(|_| model.aig.add_input()).collect();
    let mut carry = Edge::TRUE;
    for &state in &states {
        let next = model.aig.xor(state, carry);
        model.latches.push(craig_model::Latch {
            state,
            next,
            reset: craig_model::Reset::Zero,
        });
        carry = model.aig.and(state, carry);
    }
    for value in 0..1_usize << n_bits {
        let bits = (states.iter().enumerate())
            .map(|(bit, &state)| if value >> bit & 1 == 1 { state } else { !state });
        let bits: Vec<Edge> = bits.collect();
        let is_value = model.aig.and_all(bits);
        model.bads.push(is_value);
    }
    model
}

/// Each value is reached one step after the one before, and is the next to be found. The search goes on where it was: it does not
/// exclude the earlier steps again, so that it has few queries.
#[test]
fn a_search_goes_on_from_the_frames_of_the_last() {
    let model = counter(4);
    assert_eq!(
        decided(&model, &Passes::ALL),
        (0..16).map(Some).collect::<Vec<_>>()
    );
    let alone = Alone::new();
    let control = alone.control();
    let shared = Shared::new(&model, &Passes::ALL, control);
    assert_eq!(shared.overlap(&[0, 5, 9], control.stop), Some(1.0));
    let values: Vec<usize> = (9..12).collect();
    let mut together = shared.together(&values, &Passes::ALL, control);
    let own = Alone {
        board: Board::default().with_known_frames(Arc::default()),
        ..Alone::new()
    };
    let outcome = pdr::check(
        &together.model(),
        0,
        &pdr::Options::default(),
        own.control(),
    );
    assert_eq!(outcome.depth, 9);
    let frames = own.board.exchange().best_frames().unwrap();
    let level = frames.level();
    assert!(level > 1);
    together.close(|bad| bad == 9);
    let events = Arc::new(std::sync::Mutex::new(Vec::new()));
    let heard = Arc::clone(&events);
    let receiver = Arc::new(move |event| heard.lock().unwrap().push(event));
    let own = Alone {
        board: Board::default().with_known_frames(frames),
        listener: Listener::silent().with_receiver(receiver),
        ..Alone::new()
    };
    let outcome = pdr::check(
        &together.model(),
        0,
        &pdr::Options::default(),
        own.control(),
    );
    assert_eq!(outcome.depth, 10);
    let events = events.lock().unwrap();
    let mut depths = events.iter().filter_map(|event| match event {
        Event::Depth { depth, .. } => Some(*depth),
        _ => None,
    });
    assert!(depths.all(|depth| depth > level));
}
