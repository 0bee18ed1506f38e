//! Engines on random automata that assume facts: verdicts are those of enumeration, and the evidence is about the automaton
//! without the facts.

use craig_certify::{certify_certificate, certify_trace};
use craig_mc::Alone;
use craig_mc::engine::options::Settings;
use craig_model::Verdict;

use super::tests::small;
use super::*;
use crate::words::strengthen;

/// What is seen over all automata, so that the comparison is about something.
#[derive(Debug, Default)]
struct Seen {
    n_safe: usize,
    n_unsafe: usize,
    /// Proofs that do not hold without the facts.
    n_relative: usize,
}

#[test]
fn engines_that_assume_facts_decide_what_enumeration_does() {
    let mut seen = Seen::default();
    let alone = Alone::new();
    let control = alone.control();
    for seed in 1..400 {
        let small = small(seed);
        let [error, unsupported] = small.reached(&small.cfa);
        for (bad, is_reached) in [
            (Bad::Error, error),
            (Bad::ErrorOrUnsupported, error || unsupported),
        ] {
            let mut cfa = small.cfa.clone();
            let encoded = cfa.to_model(bad);
            let Some(strong) = strengthen(
                &encoded.model,
                &encoded.vocabulary,
                crate::words::LONG,
                control,
            ) else {
                continue;
            };
            let facts = Facts::new(&cfa, &encoded, &strong);
            if facts.n_assumed() == 0 {
                continue;
            }
            // The runs are the same.
            let taken = small.edges_taken(&small.cfa);
            assert_eq!(small.edges_taken(facts.cfa()), taken, "{seed} {cfa}");
            for engine in registry::ENGINES {
                let run = (engine.build)(&Settings::default());
                let (answer, _) = run(facts.cfa(), engine::Query::of(bad), control);
                if let Answer::Safe(invariant) = &answer {
                    let alone = invariant.certificate(&cfa, &encoded);
                    let is_judged = certify_certificate(&encoded.model, 0, &alone).is_ok();
                    seen.n_relative += usize::from(!is_judged);
                }
                let outcome = encoded.outcome(&cfa, answer, Some(&facts), engine.name);
                match outcome.verdict {
                    Verdict::Safe(certificate) => {
                        assert!(!is_reached, "{seed} {} {cfa}", engine.name);
                        let judged = certify_certificate(&encoded.model, 0, &certificate);
                        assert_eq!(judged, Ok(()), "{seed} {} {cfa}", engine.name);
                        seen.n_safe += 1;
                    }
                    Verdict::Unsafe(trace) => {
                        assert!(is_reached, "{seed} {} {cfa}", engine.name);
                        assert!(certify_trace(&encoded.model, 0, &trace).is_ok());
                        seen.n_unsafe += 1;
                    }
                    // It may give up.
                    Verdict::Unknown(_) if engine.name == explicit::NAME => {}
                    Verdict::Unknown(reason) => panic!("{seed} {}: {reason}", engine.name),
                }
            }
        }
    }
    assert!(
        seen.n_safe > 300 && seen.n_unsafe > 300 && seen.n_relative > 30,
        "{seen:?}"
    );
}
