//! Tests of the parts of the search: what remains if an interpolant is wrong, exclusion of states, extensions.

use craig_aig::{Aig, Edge};
use craig_certify::certify_trace;
use craig_model::{Latch, Reset, Trace};
use craig_solver::Lit;

use super::suffix::Extension;
use super::*;
use crate::control::Alone;
use crate::engine::pdr::Strategy;

/// A counter of three bits that steps from 5 to 0; the bad is one value.
fn counter(bad: usize) -> Model {
    let mut model = Model::default();
    let state = [0; 3].map(|_| model.aig.add_input());
    let is = |aig: &mut Aig, value: usize| {
        let bits = state.iter().enumerate();
        let bits: Vec<Edge> = bits
            .map(|(bit, edge)| edge.negate_if(value >> bit & 1 == 0))
            .collect();
        aig.and_all(bits)
    };
    let is_last = is(&mut model.aig, 5);
    let mut carry = Edge::TRUE;
    for state in state {
        let sum = model.aig.xor(state, carry);
        let next = model.aig.and(sum, !is_last);
        carry = model.aig.and(state, carry);
        let reset = Reset::Zero;
        model.latches.push(Latch { state, next, reset });
    }
    let bad = is(&mut model.aig, bad);
    model.bads.push(bad);
    model
}

/// Strengthens with interpolants that exclude every state, which are wrong, until there is a run or a
/// fixed point. Steps lead out of the first frame and its interpolant, so obligations have to exclude the
/// bad.
fn decide_by_obligations(model: &Model) -> Option<Trace> {
    let mut any = Unrolling::new(model, 0, Start::Free);
    any.push_frame();
    let alone = Alone::new();
    let control = alone.control();
    let options = Options::default();
    let transition = Transition::new(model, 0, None);
    let mut search = Search {
        model,
        property: 0,
        options: &options,
        any: &any,
        pdr: Pdr::new(transition, options.lemmas.clone(), control),
        suffix: 1,
        depth: 0,
    };
    let mut aig = Aig::new();
    for _ in &model.latches {
        aig.add_input();
    }
    for level in 0..10 {
        if level > 0 {
            let is_confined = search.confine(1, &aig, Edge::FALSE, Strategy::PLAIN);
            assert!(
                !is_confined.unwrap_or(true),
                "a step leads out of the reset state"
            );
        }
        let run = search.strengthen(
            Extension { start: 0, frame: 0 },
            &aig,
            &vec![Edge::FALSE; level],
        );
        if let Some(trace) = run.unwrap_or_else(|_| panic!("nobody stops it")) {
            return Some(trace);
        }
        assert!(search.last_frame_is_good().unwrap_or(false));
        if search.fixpoint().is_some() {
            return None;
        }
        search.pdr.frames.extend();
        if search.pdr.propagate().unwrap_or(false) {
            return None;
        }
    }
    panic!("ten frames are enough for six states");
}

#[test]
fn obligations_exclude_the_bad_where_interpolants_do_not() {
    for value in 1..6 {
        let model = counter(value);
        let trace = decide_by_obligations(&model).expect("the value is reached");
        assert_eq!(certify_trace(&model, 0, &trace), Ok(value));
    }
    for value in [6, 7] {
        assert_eq!(decide_by_obligations(&counter(value)), None, "{value}");
    }
}

/// The state `value` of the counter as a cube.
fn cube_of(pdr: &Pdr<'_>, value: usize) -> Vec<Lit> {
    let positions = 0..pdr.transition.n_latches();
    let lits =
        positions.map(|bit| (pdr.transition.latch_literal(bit)).negate_if(value >> bit & 1 == 0));
    lits.collect()
}

#[test]
fn states_are_excluded_from_the_frames_before_which_no_run_reaches_them() {
    let model = counter(7);
    let alone = Alone::new();
    let control = alone.control();
    let new = || {
        let transition = Transition::new(&model, 0, None);
        let mut pdr = Pdr::new(transition, pdr::Options::default(), control);
        for _ in 0..6 {
            pdr.frames.extend();
        }
        pdr
    };
    for frame in 1..=6 {
        for value in 0..8 {
            let mut pdr = new();
            let cube = cube_of(&pdr, value);
            let excluded = pdr.exclude(frame, cube.clone(), Strategy::PLAIN);
            let excluded = excluded.unwrap_or_else(|_| panic!("nobody stops it"));
            // Value v is reached after v steps.
            let is_reached = value <= frame.min(5);
            assert_eq!(excluded.is_none(), is_reached, "{value} in frame {frame}");
            if let Some(lemma) = excluded {
                assert!(lemma.iter().all(|lit| cube.contains(lit)));
            }
        }
    }
}

/// A register of `length` places into which zeros are shifted; the bad is its last place.
fn shift_register(length: usize) -> Model {
    let mut model = Model::default();
    let places: Vec<Edge> = (0..length).map(|_| model.aig.add_input()).collect();
    for (place, &state) in places.iter().enumerate() {
        let next = match place {
            0 => Edge::FALSE,
            _ => places[place - 1],
        };
        let reset = Reset::Zero;
        model.latches.push(Latch { state, next, reset });
    }
    model.bads.push(places[length - 1]);
    model
}

/// No lemma says anything about the first places yet, so that the only extension whose runs begin in a frame after the
/// resets has as many steps as the register is long.
#[test]
fn extensions_have_the_latest_start_and_then_the_last_frame() {
    let model = shift_register(4);
    let mut any = Unrolling::new(&model, 0, Start::Free);
    any.push_frame();
    let alone = Alone::new();
    let control = alone.control();
    let transition = Transition::new(&model, 0, None);
    let mut pdr = Pdr::new(transition, pdr::Options::default(), control);
    for _ in 0..6 {
        pdr.frames.extend();
    }
    let find = |pdr: &Pdr<'_>| {
        let suffix = suffix::Suffix::new(&model, &any, pdr);
        suffix.extension(1, pdr)
    };
    // Four steps from any state; no frame says anything.
    assert_eq!(find(&pdr), Some(Some(Extension { start: 2, frame: 5 })));
    // The last place is empty in frame 3: too early for runs that are shorter.
    let last = pdr.transition.latch_literal(3);
    pdr.learn(3, vec![last]);
    assert_eq!(find(&pdr), Some(Some(Extension { start: 2, frame: 5 })));
    // The third place is empty in frame 5, one step before the bad.
    let third = pdr.transition.latch_literal(2);
    pdr.learn(5, vec![third]);
    assert_eq!(find(&pdr), Some(Some(Extension { start: 5, frame: 5 })));
}
