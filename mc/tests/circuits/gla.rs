//! Gate-level abstraction, compared with enumeration.

use craig_mc::Alone;
use craig_mc::engine::gla::{Options, check};
use craig_mc::engine::pdr::{self, Generalisation};
use craig_model::{Model, Verdict};
use proptest::prelude::*;

use crate::support::{counter, input, judge, judge_engine, large_recipe, recipe};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn decides_as_enumeration_does(
        recipe in prop_oneof![recipe(), large_recipe()],
        generalisation in prop::sample::select(vec![Generalisation::Plain, Generalisation::Extended]),
        seed in 0..3_u64,
    ) {
        let options = Options {
            search: pdr::Options { generalisation, seed, ..pdr::Options::default() },
        };
        judge_engine(&recipe, true, |model, property| {
            check(model, property, &options, Alone::new().control())
        })?;
    }
}

/// A counter that skips its last value, beside one of eight bits that is compared with itself delayed: the proof
/// about the first leaves the second hidden, though the bad names both.
#[test]
fn what_does_not_matter_stays_hidden() {
    let mut model = Model::default();
    let enable = input(&mut model);
    let small = counter(&mut model, 2, enable);
    let last = model.aig.and(!small[0], small[1]);
    for number in 0..2 {
        let next = model.latches[number].next;
        model.latches[number].next = model.aig.and(next, !last);
    }
    let wide = counter(&mut model, 8, enable);
    let both = model.aig.and(small[0], small[1]);
    let all = model.aig.and_all(wide);
    let bad = model.aig.and(both, all);
    model.bads.push(bad);
    let alone = Alone::new();
    let control = alone.control();
    let outcome = check(&model, 0, &Options::default(), control);
    judge(&model, 0, &outcome, false).unwrap();
    let Verdict::Safe(certificate) = outcome.verdict else {
        panic!("the bad is unreachable");
    };
    // The invariant is about the small counter; the bad of the witness names the other one's latches as well.
    assert!(certificate.witness.latches.len() <= 10);
    assert!(
        control.listener.statistics()["refinements"] <= 8,
        "{:?}",
        control.listener.statistics()
    );
}

/// A run that is only possible if a hidden constraint fails is excluded by that constraint.
#[test]
fn constraints_are_stated_when_runs_violate_them() {
    let mut model = Model::default();
    let enable = input(&mut model);
    let allowed = input(&mut model);
    let states = counter(&mut model, 2, enable);
    let both = model.aig.and_all(states);
    model.constraints = vec![allowed, !both];
    model.bads = vec![both, !allowed];
    for property in 0..2 {
        let outcome = check(
            &model,
            property,
            &Options::default(),
            Alone::new().control(),
        );
        judge(&model, property, &outcome, false).unwrap();
        assert!(matches!(outcome.verdict, Verdict::Safe(_)));
    }
    model.constraints = vec![allowed];
    let outcome = check(&model, 0, &Options::default(), Alone::new().control());
    judge(&model, 0, &outcome, false).unwrap();
    assert!(matches!(outcome.verdict, Verdict::Unsafe(_)));
}
