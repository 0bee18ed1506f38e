//! The circuit engines on the single-loop program.

use craig_mc::Control;
use craig_model::{Stop, UnknownReason};
use craig_program::{Bad, Blocks};
use craig_verify::{AutomatonSearch, Decision, SINGLE_LOOP, VerifyError};

use crate::automaton::{Automaton, Extent};
use crate::evidence::Safety;
use crate::verdict::{Found, Verdict, unknown};
use craig_c_exec::concrete::replay::Counterexample;
use craig_c_lang::ir::Program;

/// The name of these engines in reports.
pub(crate) const NAME: &str = SINGLE_LOOP;

/// What a search of an automaton of a program comes to.
pub(crate) type Decided = Result<Decision<Safety, Box<Counterexample>>, VerifyError>;

/// Checks a program.
pub(crate) fn check(program: &Program, search: &AutomatonSearch, control: Control<'_>) -> Verdict {
    let extent = Extent::new(search.stages(), Blocks::Large);
    match Automaton::havocking(program, extent, control.stop) {
        Ok(automaton) => decided(program, automaton, control.stop, |own, bad| {
            search.decide(own, bad, control)
        }),
        Err(reason) => unknown(reason),
    }
}

/// The verdict of a search of an automaton, whose contents may be havocked. If some path of it is not
/// supported, or is none of the program's, an error may still be found on another one, without what is havocked.
pub(crate) fn decided<'p>(
    program: &'p Program,
    mut automaton: Automaton<'p>,
    stop: &Stop,
    mut decide: impl FnMut(&mut Automaton<'p>, Bad) -> Decided,
) -> Verdict {
    let reason = match decide(&mut automaton, Bad::ErrorOrUnsupported) {
        Ok(Decision::Left(reason)) => reason,
        Ok(Decision::Verdict(verdict)) => return Ok(verdict),
        Err(error) => return Err(error),
    };
    if !automaton.is_exact {
        automaton = match Automaton::new(program, automaton.extent, stop) {
            Ok(automaton) => automaton,
            Err(reason) => return unknown(reason),
        };
    }
    match decide(&mut automaton, Bad::Error) {
        Ok(Decision::Verdict(found @ Found::Unsafe(_))) => Ok(found),
        Err(error) => Err(error),
        Ok(_) => unknown(UnknownReason::Unsupported(reason)),
    }
}

/// Checks a program with summaries of the objects that it allocates in loops. Proofs are of the program; a
/// path to an error counts if it replays.
pub(crate) fn check_with_summaries(
    program: &Program,
    search: &AutomatonSearch,
    control: Control<'_>,
) -> Verdict {
    let extent = Extent::new(search.stages(), Blocks::Large);
    let mut automaton = match Automaton::with_summaries(program, extent, control.stop) {
        Ok(Some(automaton)) => automaton,
        Ok(None) => {
            return unknown(UnknownReason::Unsupported(
                "no loop allocates objects".into(),
            ));
        }
        Err(reason) => return unknown(reason),
    };
    match search.decide(&mut automaton, Bad::ErrorOrUnsupported, control) {
        Ok(Decision::Left(reason)) => unknown(UnknownReason::Unsupported(reason)),
        Ok(Decision::Verdict(Found::Safe(mut safety))) => {
            safety.text += "; of each allocation in a loop, one object is followed";
            Ok(Found::Safe(safety))
        }
        Ok(Decision::Verdict(verdict)) => Ok(verdict),
        Err(error) => Err(error),
    }
}
