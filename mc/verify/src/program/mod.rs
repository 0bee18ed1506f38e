//! Programs: the engines on an automaton or on its circuit, and the way back of what they find.
//!
//! A question about a program is one about its automata. Each implements [`ProgramDesign`], as a file of a circuit implements
//! [`Design`](crate::Design): it says what a run and a proof of the automaton are for the program. [`AutomatonSearch`] has the
//! engines of a line-up search the circuit of an automaton, after stages with automata of their own whose evidence is lifted
//! to it; [`ProgramSearch`] has one engine search the automaton itself. Both certify a proof about the automaton's circuit
//! before the program gets it, and give it runs to replay. [`first_answer`] has searches of several automata race.

mod decide;
mod engine;
mod race;
mod search;
mod strengthened;
mod task;

use craig_model::{Certificate, Stop, Trace, UnknownReason, Verdict};
use craig_program::{Answer, Bad, Cfa, CfaModel, Facts, Visit, WordInvariant};

pub use decide::SINGLE_LOOP;
pub use engine::ProgramSearch;
pub use race::{Limits, Member, MemberRun, POLL, PROVERS, Raced, first_answer};
pub use search::AutomatonSearch;
pub use strengthened::INVARIANTS;
pub use task::AutomatonTask;

use crate::error::VerifyError;
use crate::proven::Proven;

/// A program, or an over-approximation of it, as an automaton.
pub trait ProgramDesign: Sized {
    /// What a certified proof about the automaton is for the program.
    type Proof;
    /// A run of the program.
    type Run;

    /// The automaton.
    fn cfa(&self) -> &Cfa;

    /// The automaton, whose circuit is to be made.
    fn cfa_mut(&mut self) -> &mut Cfa;

    /// This automaton with a location at each branch; `None` if it has no such form.
    fn sections(&self, stop: &Stop) -> Option<Self>;

    /// What a run of the automaton comes to, given by the values before each of its edges. `is_stuck` says whether it may end
    /// at an unsupported construct.
    fn replay(
        &self,
        visits: Vec<Visit>,
        is_stuck: bool,
        stop: &Stop,
    ) -> Decision<Self::Proof, Self::Run>;

    /// The proof of an engine of this name, certified on the automaton's circuit; with it, what is known over words.
    fn proof(
        &mut self,
        encoded: &CfaModel,
        proven: Proven,
        names: (&'static str, Option<&WordInvariant>),
        stop: &Stop,
    ) -> Self::Proof;

    /// The circuit of the automaton with one bad.
    fn encode(&mut self, bad: Bad) -> CfaModel {
        self.cfa_mut().to_model(bad)
    }

    /// What a trace of the automaton's circuit comes to.
    fn replay_trace(
        &self,
        (encoded, bad): (&CfaModel, Bad),
        trace: &Trace,
        stop: &Stop,
    ) -> Decision<Self::Proof, Self::Run> {
        let may_be_stuck = !self.cfa().incoming(Cfa::UNSUPPORTED).is_empty();
        let is_stuck = bad == Bad::ErrorOrUnsupported && may_be_stuck;
        self.replay(encoded.visits(self.cfa(), trace), is_stuck, stop)
    }
}

/// What a search of an automaton comes to.
#[derive(Debug)]
pub enum Decision<P, R> {
    /// A verdict.
    Verdict(Verdict<P, R>),
    /// A run of the automaton is none of the program's, or ends at an unsupported construct: why.
    Left(String),
}

/// What a search of a program comes to. Evidence that fails its check is an error.
pub type Concluded<D> =
    Result<Decision<<D as ProgramDesign>::Proof, <D as ProgramDesign>::Run>, VerifyError>;

/// No answer, for this reason.
fn unknown<P, R>(reason: UnknownReason) -> Decision<P, R> {
    Decision::Verdict(Verdict::Unknown(reason))
}

/// Certifies a proof about the circuit of an automaton, from an engine of this name; with it, what is known over words.
fn certify<D: ProgramDesign>(
    design: &mut D,
    encoded: &CfaModel,
    certificate: Certificate,
    names: (&'static str, Option<&WordInvariant>),
    stop: &Stop,
) -> Concluded<D> {
    let proven = Proven::certify(&encoded.model, 0, certificate);
    let proven = proven.map_err(|error| {
        VerifyError::internal(format!("a certificate from {}: {error}", names.0))
    })?;
    let proof = design.proof(encoded, proven, names, stop);
    Ok(Decision::Verdict(Verdict::Safe(proof)))
}

/// What the answer of an engine of this name about an automaton comes to: its evidence is checked. With facts, the engine has
/// assumed them.
fn concluded<D: ProgramDesign>(
    design: &mut D,
    name: &'static str,
    (bad, answer): (Bad, Answer),
    facts: Option<&Facts>,
    stop: &Stop,
) -> Concluded<D> {
    match answer {
        Answer::Unknown(reason) => Ok(unknown(reason)),
        Answer::Unsafe(run) => {
            let end = run.path.last().map(|&edge| design.cfa().edge(edge).target);
            let is_stuck = end == Some(Cfa::UNSUPPORTED);
            Ok(design.replay(run.visits, is_stuck, stop))
        }
        Answer::Safe(invariant) => {
            let encoded = design.encode(bad);
            let certificate = match facts {
                Some(facts) => facts.certificate(design.cfa(), &encoded, &invariant),
                None => invariant.certificate(design.cfa(), &encoded),
            };
            let words = invariant.words().map(|own| match facts {
                Some(facts) => facts.words(own),
                None => own.clone(),
            });
            certify(design, &encoded, certificate, (name, words.as_ref()), stop)
        }
    }
}
