//! Line-ups with engines for automata, on random automata: verdicts are those of enumeration, and the evidence is about the
//! automaton's circuit.

use std::sync::Arc;

use craig_certify::{certify_certificate, certify_trace};
use craig_mc::Alone;
use craig_mc::circuit::reduce;
use craig_mc::portfolio::{Entry, check_strengthened};
use craig_model::{Outcome, Verdict};
use proptest::prelude::*;

use super::{LineUp, Predicates, Stage, StageName};
use crate::tests::small;
use crate::words::{signals, strengthen};
use crate::{Bad, CfaModel, Facts};

/// One engine alone, and one that takes turns with an engine for circuits.
fn line_up(engine: &str, is_alone: bool) -> LineUp {
    let circuit = "[circuit]\n[[circuit.entry]]\nengine = \"pdr\"\n[loop]\n";
    let own = format!("[[loop.entry]]\nengine = \"{engine}\"\nturn = 1\n");
    let other = "[[loop.entry]]\nengine = \"imc\"\nturn = 1\n";
    let other = if is_alone { "" } else { other };
    LineUp::parse(&[circuit, &own, other].concat()).expect("it is valid")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn engines_for_automata_are_engines_of_the_circuit(seed in 1u64.., engine in 0..4usize, is_alone: bool, has_facts: bool) {
        let engine = ["predabs", "rse", "annotate", "impact"][engine];
        let own = line_up(engine, is_alone).for_program(1, 0);
        let mut small = small(seed);
        let [error, unsupported] = small.reached(&small.cfa);
        let alone = Alone::new();
        let control = alone.control();
        for (bad, is_reached) in [(Bad::Error, error), (Bad::ErrorOrUnsupported, error || unsupported)] {
            let encoded = small.cfa.to_model(bad);
            let reduced = reduce::run(&encoded.model, 0, &own.passes, control);
            let predicates = Predicates { model: &encoded.model, formulas: &[], passes: own.passes };
            let strong = has_facts.then(|| strengthen(&encoded.model, &encoded.vocabulary, Stage::new(StageName::Invariants).patience(), control));
            let facts = strong.flatten().map(|strong| Facts::new(&small.cfa, &encoded, &strong));
            let facts = facts.map(Arc::new);
            let entries = own.entries.iter().map(|entry| entry.on((&small.cfa, bad), facts.as_ref(), &predicates));
            let entries: Vec<Entry> = entries.collect();
            let original = Some((&encoded.model, 0));
            let report = check_strengthened((&reduced.model, 0), original, Vec::new(), &entries, control).expect("the models are");
            prop_assert_eq!(&report.failures, &[]);
            let outcome = match report.original {
                true => report.outcome,
                false => reduced.lift_outcome(report.outcome),
            };
            judge(&encoded, is_reached, outcome)?;
        }
    }

    /// Engines for circuits that get predicates over the automaton's words as latches.
    #[test]
    fn engines_with_signals_are_engines_of_the_circuit(seed in 1u64.., engine in 0..4usize) {
        let engine = ["imc", "isb", "tra", "avy"][engine];
        let text = "[circuit]\n[[circuit.entry]]\nengine = \"pdr\"\n[loop]\n[[loop.entry]]\n";
        let text = format!("{text}engine = \"{engine}\"\nsignals = true\n");
        let own = LineUp::parse(&text).expect("it is valid").for_program(1, 0);
        let mut small = small(seed);
        let [error, _] = small.reached(&small.cfa);
        let encoded = small.cfa.to_model(Bad::Error);
        let (model, formulas) = signals(&encoded.model, &encoded.vocabulary)
            .unwrap_or((encoded.model.clone(), Vec::new()));
        let predicates = Predicates { model: &model, formulas: &formulas, passes: own.passes };
        let entries = own.entries.iter().map(|entry| entry.on((&small.cfa, Bad::Error), None, &predicates));
        let entries: Vec<Entry> = entries.collect();
        let original = Some((&encoded.model, 0));
        let alone = Alone::new();
        let control = alone.control();
        let report = check_strengthened((&encoded.model, 0), original, Vec::new(), &entries, control).expect("the models are");
        prop_assert_eq!(&report.failures, &[]);
        prop_assert!(report.original);
        judge(&encoded, error, report.outcome)?;
    }
}

/// Compares a verdict with the truth, and checks its evidence.
fn judge(encoded: &CfaModel, is_reached: bool, outcome: Outcome) -> Result<(), TestCaseError> {
    match outcome.verdict {
        Verdict::Safe(certificate) => {
            prop_assert!(!is_reached);
            prop_assert_eq!(certify_certificate(&encoded.model, 0, &certificate), Ok(()));
        }
        Verdict::Unsafe(trace) => {
            prop_assert!(is_reached);
            prop_assert!(certify_trace(&encoded.model, 0, &trace).is_ok());
        }
        Verdict::Unknown(reason) => prop_assert!(false, "{reason}"),
    }
    Ok(())
}
