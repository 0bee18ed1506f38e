//! Frames and suggestions that engines exchange: compared with enumeration, and used by all engines that take them.

use craig_aig::Edge;
use craig_mc::engine::{isb, pdr};
use craig_mc::exchange::{Reached, Suggestion};
use craig_mc::{Alone, Control};
use craig_model::{Model, Outcome, UnknownReason, Verdict};
use proptest::prelude::*;

use crate::support::{counter, judge_engine, large_recipe, recipe, states_within};

type Check = fn(&Model, usize, Option<usize>, Control<'_>) -> Outcome;

/// The engines that take part, with a limit on their frames or steps.
const ENGINES: [Check; 2] = [
    |model, property, most, control| {
        let options = pdr::Options {
            exchange: true,
            max_frames: most,
            ..pdr::Options::default()
        };
        pdr::check(model, property, &options, control)
    },
    |model, property, most, control| {
        let options = isb::Options {
            exchange: true,
            max_bound: most,
            ..isb::Options::default()
        };
        isb::check(model, property, &options, control)
    },
];

/// A search in which frames and suggestions are wanted from the beginning.
fn wanting() -> Alone {
    let alone = Alone::new();
    let exchange = alone.board.exchange();
    let _ = exchange.frames_for("nobody");
    let _ = exchange.suggestions(0);
    alone
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    /// Each engine goes on where two others had to stop.
    #[test]
    fn decides_with_frames_of_others(
        recipe in large_recipe(),
        first in 0..ENGINES.len(),
        second in 0..ENGINES.len(),
        most in 0..4_usize,
    ) {
        for last in ENGINES {
            judge_engine(&recipe, false, |model, property| {
                let alone = wanting();
                let control = alone.control();
                let _ = ENGINES[first](model, property, Some(most), control);
                let _ = ENGINES[second](model, property, Some(most + 1), control);
                last(model, property, None, control)
            })?;
        }
    }

    /// All states that are reached within i steps satisfy the clauses of frame i.
    #[test]
    fn frames_contain_what_is_reached(recipe in large_recipe(), most in 0..6_usize) {
        let model = recipe.build();
        let alone = wanting();
                let control = alone.control();
        let _ = ENGINES[0](&model, 0, Some(most), control);
        for reached in control.board.exchange().frames_for("nobody") {
            for steps in 0..most + 2 {
                for state in states_within(&model, steps) {
                    let holds = |&(latch, value): &(usize, bool)| (state >> latch & 1 == 1) == value;
                    for clause in reached.within(steps) {
                        prop_assert!(clause.iter().any(holds), "{clause:?} fails within {steps} steps");
                    }
                }
            }
        }
    }

    /// Suggestions are not trusted.
    #[test]
    fn wrong_suggestions_do_no_harm(
        recipe in recipe(),
        clauses in prop::collection::vec((1..6_usize, prop::collection::vec((0..4_usize, any::<bool>()), 1..4)), 1..12),
    ) {
        judge_engine(&recipe, false, |model, property| {
            let alone = wanting();
                let control = alone.control();
            let known = clauses.iter().map(|(steps, clause)| {
                let lits = clause.iter();
                let lits = lits.map(|&(latch, value)| (latch % model.latches.len(), value));
                let clause = lits.collect();
                Suggestion { steps: *steps, clause }
            });
            if !model.latches.is_empty() {
                control.board.exchange().suggest(known);
            }
            ENGINES[0](model, property, None, control)
        })?;
    }
}

/// The frames of the highest level stay, and an engine does not get its own.
#[test]
fn frames_are_kept_by_engine() {
    let alone = Alone::new();
    let control = alone.control();
    let exchange = control.board.exchange();
    assert!(!exchange.wants_frames());
    assert!(exchange.frames_for("left").is_empty());
    assert!(exchange.wants_frames());
    let clause = vec![(0, true)];
    let high = Reached::new(vec![vec![], vec![clause.clone()], vec![]], vec![]);
    exchange.share_frames("left", high);
    exchange.share_frames("left", Reached::default());
    assert!(exchange.frames_for("left").is_empty());
    let frames = exchange.frames_for("right");
    assert_eq!(frames.len(), 1);
    assert_eq!(frames[0].within(1).collect::<Vec<_>>(), [&clause]);
    assert_eq!(frames[0].within(2).count(), 0);
    let hints = control.board.hints();
    assert!(hints.exchange().frames_for("right").is_empty());
}

/// A counter of four bits that steps from 9 to 0 is not at 12: PDR stops after three frames, which others get, and the sequences
/// of interpolants go on at their level.
#[test]
fn frames_shorten_the_search_of_others() {
    let mut model = Model::default();
    let bits = counter(&mut model, 4, Edge::TRUE);
    let is = |model: &mut Model, value: usize| {
        let bits = bits.iter().enumerate();
        let bits: Vec<Edge> = bits
            .map(|(bit, edge)| edge.negate_if(value >> bit & 1 == 0))
            .collect();
        model.aig.and_all(bits)
    };
    let is_last = is(&mut model, 9);
    for latch in &mut model.latches {
        latch.next = model.aig.and(latch.next, !is_last);
    }
    let bad = is(&mut model, 12);
    model.bads.push(bad);
    let alone = wanting();
    let control = alone.control();
    let _ = ENGINES[0](&model, 0, Some(3), control);
    let frames = control.board.exchange().frames_for("nobody");
    assert_eq!(frames.len(), 1);
    assert!(frames[0].level() >= 2 && frames[0].within(1).count() > 0);
    let outcome = ENGINES[1](&model, 0, Some(1), control);
    assert!(
        matches!(outcome.verdict, Verdict::Unknown(UnknownReason::Bound(_))) && outcome.depth >= 2,
        "it goes on at the level of the frames: {outcome:?}"
    );
}
