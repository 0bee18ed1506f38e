//! What the tests of engines share: choices of interpolants, and the comparison with the enumeration of states.

use craig_itp::proof_sensitive::ProofSensitive;
use craig_itp::{Rule, System};
use proptest::prelude::*;

use super::{judge, small};
use crate::{Answer, Bad, Cfa, Dial, Transform};

/// The labellings of paths that are tried: one of the systems, or another one in its place.
const LABELLINGS: [Option<Rule>; 5] = [
    None,
    Some(Rule::ProofSensitive(ProofSensitive::Strong)),
    Some(Rule::ProofSensitive(ProofSensitive::Balanced)),
    Some(Rule::ProofSensitive(ProofSensitive::Weak)),
    Some(Rule::RandomVariables(1)),
];

/// Those that symmetric interpolants may have.
const STRONG_LABELLINGS: [Option<Rule>; 3] = [
    None,
    Some(Rule::ProofSensitive(ProofSensitive::Strong)),
    Some(Rule::RandomStrong(1)),
];

/// Whether an engine has the answers of the enumeration of states about a random automaton. Their evidence is judged.
pub(crate) fn agrees_with_enumeration(
    seed: u64,
    check: impl Fn(&Cfa, Bad) -> Answer,
) -> Result<(), TestCaseError> {
    let small = small(seed);
    let [error, unsupported] = small.reached(&small.cfa);
    for (bad, is_reached) in [
        (Bad::Error, error),
        (Bad::ErrorOrUnsupported, error || unsupported),
    ] {
        let answer = check(&small.cfa, bad);
        prop_assert_eq!(judge(&small.cfa, bad, answer), !is_reached);
    }
    Ok(())
}

/// A choice of interpolants, one of 90.
pub(crate) fn dial(choice: usize) -> Dial {
    Dial {
        system: System::ALL[choice % 3],
        labelling: LABELLINGS[choice % LABELLINGS.len()],
        transform: [Transform::None, Transform::Reduce, Transform::RaiseLocal][choice / 3 % 3],
        simplify: choice / 9 % 2 == 1,
    }
}

/// A choice of interpolants that are at least as strong as the symmetric ones.
pub(crate) fn strong_dial(choice: usize) -> Dial {
    Dial {
        system: [System::McMillan, System::Symmetric][choice % 2],
        labelling: STRONG_LABELLINGS[choice % STRONG_LABELLINGS.len()],
        transform: Transform::ALL[choice / 2 % 4],
        simplify: choice / 8 % 2 == 1,
    }
}
