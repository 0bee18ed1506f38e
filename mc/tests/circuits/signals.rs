//! Formulas over latches as latches, for each engine that interpolates, compared with enumeration.

use craig_aig::{Edge, Random};
use craig_mc::circuit::reduce::{Passes, Signals};
use craig_mc::engine::options::Settings;
use craig_mc::engine::registry;
use craig_mc::{Alone, Board};
use craig_model::{Model, Outcome};
use proptest::prelude::*;

use crate::support::{judge, judge_engine, large_recipe, ordered_counters, recipe, with_formulas};

/// An engine with default options on the model with signals, late or not. The evidence is about the given model.
fn check(
    engine: &str,
    (model, formulas): (&Model, &[Edge]),
    property: usize,
    (passes, is_late): (&Passes, bool),
) -> Outcome {
    let engine = registry::find(engine).expect("there is such an engine");
    let run = (engine.build)(&Settings::default());
    let alone = Alone::new();
    let control = alone.control();
    match Signals::add(model, formulas, passes, control) {
        None => run(model, property, control),
        Some(Signals { reduced, late }) => {
            let late = if is_late { late } else { Vec::new() };
            let own = Alone {
                board: Board::default().with_late_latches(late),
                ..Alone::new()
            };
            reduced.lift_outcome(run(&reduced.model, property, own.control()))
        }
    }
}

fn decides_as_enumeration_does(engine: &'static str, n_cases: u32) {
    let cases = (
        prop_oneof![recipe(), large_recipe()],
        any::<u64>(),
        any::<bool>(),
        any::<bool>(),
    );
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(n_cases)
    });
    let result = runner.run(&cases, |(recipe, formulas, is_reduced, is_late)| {
        let passes = if is_reduced {
            Passes::ALL
        } else {
            Passes::NONE
        };
        judge_engine(&recipe, false, |model, property| {
            let (extended, formulas) = with_formulas(model, &mut Random::new(formulas));
            check(engine, (&extended, &formulas), property, (&passes, is_late))
        })
    });
    result.unwrap();
}

#[test]
fn imc_with_signals() {
    decides_as_enumeration_does("imc", 200);
}

#[test]
fn imc_backward_with_signals() {
    decides_as_enumeration_does("imc-backward", 100);
}

#[test]
fn isb_with_signals() {
    decides_as_enumeration_does("isb", 200);
}

#[test]
fn tra_with_signals() {
    decides_as_enumeration_does("tra", 100);
}

#[test]
fn avy_with_signals() {
    decides_as_enumeration_does("avy", 100);
}

#[test]
fn kavy_with_signals() {
    decides_as_enumeration_does("kavy", 100);
}

#[test]
fn pdr_with_signal_latches() {
    decides_as_enumeration_does("pdr", 100);
}

/// The order of two counters is enough, and a proof that mentions nothing else ends soon.
#[test]
fn interpolants_may_be_about_signals() {
    let (model, formulas) = ordered_counters(3);
    for engine in ["imc", "isb"] {
        let own = (&Passes::NONE, true);
        let outcome = check(engine, (&model, &formulas), 0, own);
        judge(&model, 0, &outcome, false).unwrap();
        let alone = check(engine, (&model, &[]), 0, own);
        let depths = (outcome.depth, alone.depth);
        assert!(depths.0 < depths.1, "{engine}: {depths:?}");
    }
}
