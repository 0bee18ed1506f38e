//! An automaton as a question for `craig-verify`: what its runs and proofs are for the program.

use craig_c_exec::concrete::machine::End;
use craig_c_exec::concrete::replay::{Counterexample, error_of};
use craig_model::{Stop, UnknownReason, Verdict};
use craig_program::{Blocks, Cfa, CfaModel, Visit, WordInvariant};
use craig_verify::{Decision, ProgramDesign, Proven};

use super::Automaton;
use crate::evidence::{Evidence, Safety};

/// Why a path of an over-approximation counts for nothing.
pub(crate) const DEPENDS_ON_HAVOCKED: &str =
    "a path was found that depends on the contents of large or many objects";

impl ProgramDesign for Automaton<'_> {
    type Proof = Safety;
    type Run = Box<Counterexample>;

    fn cfa(&self) -> &Cfa {
        &self.cfa
    }

    fn cfa_mut(&mut self) -> &mut Cfa {
        &mut self.cfa
    }

    fn sections(&self, stop: &Stop) -> Option<Self> {
        self.cut_again(Blocks::Sections, stop).ok().flatten()
    }

    /// A path counts if the interpreter replays it.
    fn replay(
        &self,
        visits: Vec<Visit>,
        is_stuck: bool,
        stop: &Stop,
    ) -> Decision<Safety, Box<Counterexample>> {
        let program = self.program;
        let text = match error_of(program, self.facts_of(visits), stop) {
            Ok(Ok(found)) => return Decision::Verdict(Verdict::Unsafe(Box::new(found))),
            Ok(Err(End::Stuck { text, at })) => {
                return Decision::Left(format!("{}: unsupported: {text}", program.place(at)));
            }
            Ok(Err(end)) => format!("its replay ends otherwise ({end:?})"),
            Err(message) => format!("its replay fails: {message}"),
        };
        match self.first_stuck() {
            Some(mark) if is_stuck => {
                let place = program.place(mark.at);
                Decision::Left(format!("{place}: unsupported: {}", mark.text))
            }
            _ if !self.is_exact => Decision::Left(DEPENDS_ON_HAVOCKED.into()),
            _ => Decision::Verdict(Verdict::Unknown(UnknownReason::Unsupported(format!(
                "a path to an error was found, but {text}"
            )))),
        }
    }

    fn proof(
        &mut self,
        encoded: &CfaModel,
        proven: Proven,
        (engine, words): (&'static str, Option<&WordInvariant>),
        stop: &Stop,
    ) -> Safety {
        let invariants = self.invariants(encoded, proven.certificate(), words, stop);
        let elements = self.for_all(encoded, proven.certificate(), stop);
        Safety {
            text: format!("a certificate of the single-loop program from {engine}, checked"),
            evidence: Evidence::Certificate(proven, invariants),
            elements,
            found_by: Some(engine),
        }
    }
}
