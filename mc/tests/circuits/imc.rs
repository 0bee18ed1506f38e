//! Interpolation-based model checking in both directions and interpolation sequences, compared with enumeration, alone and
//! with invariants that another engine has found.

use craig_aig::Edge;
use craig_certify::certify_certificate;
use craig_mc::engine::imc::{self, check};
use craig_mc::engine::one_cut::{Growth, Interpolants, Options};
use craig_mc::engine::{imc_backward, isb, pdr};
use craig_mc::{Alone, Control};
use craig_model::{Latch, Model, Outcome, Reset, Verdict};
use proptest::prelude::*;

use crate::support::{judge_engine, labellings, recipe};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn decides_as_enumeration_does(
        recipe in recipe(),
        system in prop::sample::select(labellings()),
        interpolants in prop::sample::select(vec![Interpolants::Forward, Interpolants::Backward]),
        reduction_rounds in 0..=2_usize,
        growth in prop::sample::select(vec![Growth::Rounds, Growth::One]),
    ) {
        let interpolation = Options { reduction_rounds, system, interpolants, ..Options::default() };
        let options = imc::Options { interpolation, growth, ..imc::Options::default() };
        judge_engine(&recipe, true, |model, property| {
            check(model, property, &options, Alone::new().control())
        })?;
    }

    #[test]
    fn decides_backwards_as_enumeration_does(
        recipe in recipe(),
        system in prop::sample::select(labellings()),
        interpolants in prop::sample::select(vec![Interpolants::Forward, Interpolants::Backward]),
        reduction_rounds in 0..=2_usize,
        growth in prop::sample::select(vec![Growth::Rounds, Growth::One]),
    ) {
        let interpolation = Options { reduction_rounds, system, interpolants, ..Options::default() };
        let options = imc::Options { interpolation, growth, ..imc::Options::default() };
        judge_engine(&recipe, true, |model, property| {
            imc_backward::check(model, property, &options, Alone::new().control())
        })?;
    }

    /// PDR shares the lemmas that it finds to be inductive; they become a part of the other engines' certificates.
    #[test]
    fn decides_with_invariants_of_another_engine(recipe in recipe()) {
        for engine in WITH_INVARIANTS {
            judge_engine(&recipe, true, |model, property| {
                let alone = Alone::new();
                let control = alone.control();
                let _ = pdr::check(model, property, &pdr::Options::default(), control);
                engine(model, property, control)
            })?;
        }
    }
}

type Check = fn(&Model, usize, Control<'_>) -> Outcome;

/// The engines that take part.
const WITH_INVARIANTS: [Check; 3] = [
    |model, property, control| check(model, property, &imc::Options::default(), control),
    |model, property, control| {
        imc_backward::check(model, property, &imc::Options::default(), control)
    },
    |model, property, control| isb::check(model, property, &isb::Options::default(), control),
];

/// A counter of four bits that steps from 9 to 0; the bad is 12.
fn counter() -> Model {
    let mut model = Model::default();
    let state = [0; 4].map(|_| model.aig.add_input());
    let is = |model: &mut Model, value: usize| {
        let bits = state.iter().enumerate();
        let bits: Vec<Edge> = bits
            .map(|(bit, edge)| edge.negate_if(value >> bit & 1 == 0))
            .collect();
        model.aig.and_all(bits)
    };
    let is_last = is(&mut model, 9);
    let mut carry = Edge::TRUE;
    for state in state {
        let sum = model.aig.xor(state, carry);
        let next = model.aig.and(sum, !is_last);
        carry = model.aig.and(state, carry);
        model.latches.push(Latch {
            state,
            next,
            reset: Reset::Zero,
        });
    }
    let bad = is(&mut model, 12);
    model.bads.push(bad);
    model
}

/// With the invariant that the counter is below 10, one step suffices, and the certificate holds it.
#[test]
fn shared_invariants_shorten_the_search() {
    let model = counter();
    for engine in WITH_INVARIANTS {
        let alone = engine(&model, 0, Alone::new().control());
        let sharing = Alone::new();
        let control = sharing.control();
        control
            .board
            .share_invariants([vec![(3, false), (2, false)], vec![(3, false), (1, false)]]);
        let helped = engine(&model, 0, control);
        assert!(
            helped.depth < alone.depth,
            "{}: {} {}",
            alone.engine,
            helped.depth,
            alone.depth
        );
        for outcome in [alone, helped] {
            let Verdict::Safe(certificate) = outcome.verdict else {
                panic!("{}: {:?}", outcome.engine, outcome.verdict);
            };
            assert_eq!(
                certify_certificate(&model, 0, &certificate),
                Ok(()),
                "{}",
                outcome.engine
            );
        }
    }
}
