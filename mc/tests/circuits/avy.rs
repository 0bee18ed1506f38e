//! Interpolation sequences converted into inductive traces, compared with enumeration.

use craig_mc::Alone;
use craig_mc::engine::avy::{Options, check};
use craig_mc::engine::pdr::{self, Generalisation};
use craig_model::Reset;
use craig_solver::sweep::Budget;
use proptest::prelude::*;

use crate::support::{Recipe, judge_engine, labellings, large_recipe, recipe};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn decides_as_enumeration_does(
        recipe in prop_oneof![recipe(), large_recipe()],
        system in prop::sample::select(labellings()),
        compaction in prop::sample::select(vec![None, Some(Budget::default())]),
        generalisation in prop::sample::select(vec![Generalisation::Plain, Generalisation::Extended]),
        seed in 0..3_u64,
        strong: bool,
    ) {
        let options = Options {
            system,
            compaction,
            strong,
            lemmas: pdr::Options { generalisation, seed, ..pdr::Options::default() },
            ..Options::default()
        };
        judge_engine(&recipe, true, |model, property| {
            check(model, property, &options, Alone::new().control())
        })?;
    }
}

/// Blocking a counterexample to generalisation strengthens the previous frame alone: a frame that was
/// restricted to it is no longer included, and steps lead out of it. An earlier version assumed that this is
/// impossible.
#[test]
fn frames_are_strengthened_again_after_counterexamples() {
    let recipe = Recipe {
        n_inputs: 2,
        gates: vec![[(9, false), (3, true)]],
        latches: vec![
            (Reset::One, (4, true)),
            (Reset::Zero, (11, false)),
            (Reset::Zero, (2, true)),
            (Reset::Zero, (11, false)),
            (Reset::Zero, (6, false)),
            (Reset::Zero, (11, false)),
            (Reset::One, (3, true)),
            (Reset::One, (6, false)),
        ],
        constraints: vec![(1, false)],
        bads: vec![(0, false)],
    };
    let options = Options {
        lemmas: pdr::Options {
            generalisation: Generalisation::Extended,
            ..pdr::Options::default()
        },
        ..Options::default()
    };
    judge_engine(&recipe, true, |model, property| {
        check(model, property, &options, Alone::new().control())
    })
    .expect("the verdict is right");
}
