//! The engines for circuits on an automaton: invariants, explicit states, other automata with a way back, and the line-up.

use std::sync::Arc;

use craig_mc::engine::pdr;
use craig_mc::{Alone, Board, Control};
use craig_model::{Certificate, Model, Outcome, Stop, Verdict};
use craig_program::line_up::{Condition, Stage, StageName};
use craig_program::words::{Strong, signals, strengthen};
use craig_program::{Answer, Bad, Cfa, CfaModel, Facts, Recoded, explicit};

use super::search::AutomatonSearch;
use super::strengthened::{INVARIANTS, by_invariants, without_constraints};
use super::task::AutomatonTask;
use super::{Concluded, Decision, ProgramDesign, certify, concluded, unknown};
use crate::error::VerifyError;
use crate::proven::Proven;

/// The name of these engines in reports.
pub const SINGLE_LOOP: &str = "single loop";

/// What proofs with indices are called in notes.
const WITH_INDICES: &str = "with indices";

/// The name of the engines on an unfolded automaton in reports.
const UNFOLDING: &str = "unfolding";

/// The circuit of an automaton, and its bad locations.
type Encoded<'a> = (&'a CfaModel, Bad);

impl AutomatonSearch {
    /// What invariants, explicit states, unfolding and the engines find on an automaton. The evidence is about its circuit,
    /// whichever automaton was searched.
    ///
    /// # Errors
    /// If evidence fails its check, or an engine fails and no other has an answer.
    pub fn decide<D: ProgramDesign>(
        &self,
        design: &mut D,
        bad: Bad,
        control: Control<'_>,
    ) -> Concluded<D> {
        let explicit = self.stages.get(StageName::Explicit);
        let has_unfolding = self.stages.has(StageName::Unfolding);
        let is_event_loop = (explicit.is_some() || has_unfolding) && design.cfa().has_event_loop();
        let mut recoded = match self.stages.has(StageName::Domains) {
            true => design.cfa().recoded(),
            false => None,
        };
        if is_event_loop && let Some(stage) = explicit {
            let found = explicitly(design, recoded.as_mut(), (bad, stage), control);
            if let Some(decided) = found {
                return decided;
            }
        }
        let encoded = design.encode(bad);
        control.listener.note(SINGLE_LOOP, || {
            format!(
                "{} cuts, {} latches, {} inputs, {} nodes",
                n_cuts(design.cfa()),
                encoded.model.latches.len(),
                encoded.model.inputs.len(),
                encoded.model.aig.n_nodes()
            )
        });
        if is_event_loop && has_unfolding {
            // Where the branches of an iteration follow each other, an edge for each combination of their outcomes would be
            // too many.
            let found = match design.sections(control.stop) {
                Some(mut sections) => {
                    let encoded = sections.encode(bad);
                    self.unfolded(&mut sections, (&encoded, bad), control)
                }
                None => self.unfolded(design, (&encoded, bad), control),
            };
            if let Some(decision) = found {
                return Ok(decision);
            }
        }
        if let Some(recoded) = recoded
            && let Some(decision) = self.with_indices(design, (&encoded, bad), recoded, control)
        {
            return Ok(decision);
        }
        let (outcome, strong) = self.searched(design.cfa(), (&encoded, bad), control)?;
        match outcome.verdict {
            Verdict::Unknown(reason) => Ok(unknown(reason)),
            Verdict::Safe(certificate) => {
                let certificate = match strong {
                    Some(_) => without_constraints(*certificate),
                    None => *certificate,
                };
                let names = (outcome.engine, None);
                certify(design, &encoded, certificate, names, control.stop)
            }
            Verdict::Unsafe(trace) => {
                Ok(design.replay_trace((&encoded, bad), &trace, control.stop))
            }
        }
    }

    /// The outcome of the engines on the circuit of an automaton, and the model with invariants as constraints, if there are
    /// some.
    fn searched(
        &self,
        cfa: &Cfa,
        (encoded, bad): Encoded<'_>,
        control: Control<'_>,
    ) -> Result<(Outcome, Option<Strong>), VerifyError> {
        let strong = (self.stages.get(StageName::Invariants)).and_then(|row| {
            let patience = row.patience();
            strengthen(&encoded.model, &encoded.vocabulary, patience, control)
        });
        if let Some(outcome) = strong
            .as_ref()
            .and_then(|strong| self.directly(strong, control.stop))
        {
            return Ok((outcome, strong));
        }
        let model = strong.as_ref();
        let model = model.map_or(&encoded.model, |strong| &strong.model);
        if let Some(stage) = self.stages.get(StageName::Signals)
            && let Some(outcome) = with_signals(model, encoded, stage, control)
        {
            return Ok((outcome, strong));
        }
        let facts = (strong.as_ref())
            .filter(|_| self.searches_automata())
            .map(|strong| Arc::new(Facts::new(cfa, encoded, strong)));
        let signals = match self.wants_signals() {
            true => signals(model, &encoded.vocabulary),
            false => None,
        };
        let (model, signals) = match &signals {
            Some((model, formulas)) => (model, &formulas[..]),
            None => (model, &[][..]),
        };
        let task = AutomatonTask {
            model,
            cfa,
            bad,
            facts,
            signals,
        };
        // What engines share is about this model: other searches borrow another board.
        let board = Board::about(model, 0);
        let own = Control {
            board: &board,
            ..control
        };
        let outcome = (self.decide)(&task, own).map_err(VerifyError::Internal)?;
        Ok((outcome, strong))
    }

    /// The verdict on a strengthened model, if it is found quickly. The usual reductions remove a constraint that
    /// holds in all reachable states, and with it the information that makes the proof easy.
    fn directly(&self, strong: &Strong, stop: &Stop) -> Option<Outcome> {
        if let Some(certificate) = by_invariants(strong) {
            return Some(Outcome {
                verdict: Verdict::Safe(Box::new(certificate)),
                engine: INVARIANTS,
                depth: 1,
            });
        }
        let stage = self.stages.get(StageName::Strengthened)?;
        let own = Alone::until(stage.limit(stop));
        let outcome = pdr::check(&strong.model, 0, &pdr::Options::default(), own.control());
        (!matches!(outcome.verdict, Verdict::Unknown(_))).then_some(outcome)
    }

    /// What the engines find on the automaton unfolded over its status words ([`Cfa::unfolded`]), if that decides the
    /// program.
    fn unfolded<D: ProgramDesign>(
        &self,
        design: &mut D,
        (encoded, bad): Encoded<'_>,
        control: Control<'_>,
    ) -> Option<Decision<D::Proof, D::Run>> {
        let (building, engines) = (
            self.stages.get(StageName::Unfolding)?,
            self.stages.get(StageName::Unfolded)?,
        );
        let stop = building.limit(control.stop);
        let mut unfolded = design.cfa().unfolded(bad, &stop).ok().flatten()?;
        let inner = unfolded.cfa.to_model(bad);
        control.listener.note(SINGLE_LOOP, || {
            format!(
                "{} cuts, unfolded over status words: {} locations, {} edges, {} latches, {} nodes",
                n_cuts(design.cfa()),
                unfolded.cfa.locations().len(),
                unfolded.cfa.edges().len(),
                inner.model.latches.len(),
                inner.model.aig.n_nodes()
            )
        });
        let own = Alone::heard_by(control.listener, engines.limit(control.stop));
        let (outcome, strong) =
            (self.searched(&unfolded.cfa, (&inner, bad), own.control())).ok()?;
        let decision = match outcome.verdict {
            Verdict::Unknown(_) => return None,
            Verdict::Unsafe(trace) => {
                let trace = unfolded.trace(encoded, &inner, &trace);
                design.replay_trace((encoded, bad), &trace, control.stop)
            }
            Verdict::Safe(certificate) => {
                let cfa = design.cfa();
                let certificate = match strong {
                    Some(strong) if strong.is_enough => {
                        unfolded.from_invariant(cfa, encoded, &inner, &strong)
                    }
                    _ => {
                        let certificate = without_constraints(*certificate);
                        unfolded.certificate(cfa, encoded, &inner, &certificate)?
                    }
                };
                let names = (UNFOLDING, "of the unfolded automaton");
                certify_lifted(design, encoded, certificate, names, control)?
            }
        };
        control.listener.note(SINGLE_LOOP, || {
            format!("{} on the unfolded automaton", outcome.engine)
        });
        // The automaton itself may have another path, or fewer places that are not supported.
        let is_definite = matches!(
            decision,
            Decision::Verdict(Verdict::Safe(_) | Verdict::Unsafe(_))
        );
        is_definite.then_some(decision)
    }

    /// What the engines find on the automaton with indices for words of few values ([`Cfa::recoded`]); `None` if few latches
    /// are saved, or if it is not decided. Its evidence is checked.
    fn with_indices<D: ProgramDesign>(
        &self,
        design: &mut D,
        (encoded, bad): Encoded<'_>,
        mut recoded: Recoded,
        control: Control<'_>,
    ) -> Option<Decision<D::Proof, D::Run>> {
        let inner = recoded.cfa.to_model(bad);
        control.listener.note(SINGLE_LOOP, || {
            format!(
                "with indices for words of few values: {} latches, {} inputs, {} nodes",
                inner.model.latches.len(),
                inner.model.inputs.len(),
                inner.model.aig.n_nodes()
            )
        });
        let stage = self.stages.get(StageName::Domains)?;
        let n_latches = encoded.model.latches.len();
        let fewer = n_latches.saturating_sub(inner.model.latches.len());
        if !stage.is_reached(Condition::SavedFrom, fewer * 100 / n_latches.max(1)) {
            return None;
        }
        let own = Alone::heard_by(control.listener, stage.limit(control.stop));
        let (outcome, _) = (self.searched(&recoded.cfa, (&inner, bad), own.control())).ok()?;
        match outcome.verdict {
            Verdict::Unknown(_) => None,
            Verdict::Unsafe(trace) => {
                let trace = recoded.trace(encoded, &inner, &trace);
                Some(design.replay_trace((encoded, bad), &trace, control.stop))
            }
            Verdict::Safe(certificate) => {
                let certificate = without_constraints(*certificate);
                let certificate =
                    recoded.certificate(design.cfa(), encoded, &inner, &certificate)?;
                let names = (outcome.engine, WITH_INDICES);
                certify_lifted(design, encoded, certificate, names, control)
            }
        }
    }
}

/// The inner locations of an automaton: where the program is cut.
fn n_cuts(cfa: &Cfa) -> usize {
    cfa.sources().skip(1).count()
}

/// What the search of explicit states comes to, if it decides the automaton of an event loop. It has indices for words of
/// few values, and for words and inputs that are compared with constants alone: an index is then an interval between these.
fn explicitly<D: ProgramDesign>(
    design: &mut D,
    recoded: Option<&mut Recoded>,
    (bad, stage): (Bad, &Stage),
    control: Control<'_>,
) -> Option<Concluded<D>> {
    let own = Alone::until(stage.limit(control.stop));
    let cfa = recoded
        .as_ref()
        .map_or(design.cfa(), |recoded| &recoded.cfa);
    let answer = match (explicit::check(cfa, bad, own.control()), recoded) {
        (Answer::Unknown(reason), _) => {
            control
                .listener
                .note(SINGLE_LOOP, || format!("explicit states: {reason}"));
            return None;
        }
        (answer, None) => answer,
        (Answer::Unsafe(run), Some(recoded)) => Answer::Unsafe(recoded.run(design.cfa(), &run)?),
        (Answer::Safe(invariant), Some(recoded)) => {
            let (encoded, inner) = (design.encode(bad), recoded.cfa.to_model(bad));
            let certificate = invariant.certificate(&recoded.cfa, &inner);
            let certificate = recoded.certificate(design.cfa(), &encoded, &inner, &certificate)?;
            let names = (explicit::NAME, WITH_INDICES);
            return certify_lifted(design, &encoded, certificate, names, control).map(Ok);
        }
    };
    let answer = (bad, answer);
    Some(concluded(
        design,
        explicit::NAME,
        answer,
        None,
        control.stop,
    ))
}

/// What PDR with predicates over the words of a model comes to, if it decides it. The model is that of the circuit, maybe
/// with more constraints.
fn with_signals(
    model: &Model,
    encoded: &CfaModel,
    stage: &Stage,
    control: Control<'_>,
) -> Option<Outcome> {
    let most = stage.condition(Condition::NodesTo);
    if most.is_some_and(|most| model.aig.n_nodes() as u64 > most) {
        return None;
    }
    let (model, formulas) = signals(model, &encoded.vocabulary)?;
    let own = Alone::heard_by(control.listener, stage.limit(control.stop));
    let options = pdr::Options::default();
    let outcome = pdr::check_with_signals(&model, 0, &formulas, &options, own.control());
    let is_decided = !matches!(outcome.verdict, Verdict::Unknown(_));
    control.listener.note(SINGLE_LOOP, || {
        let what = if is_decided { "" } else { "no " };
        format!("{} predicates as signals: {what}answer", formulas.len())
    });
    is_decided.then_some(outcome)
}

/// The verdict of a proof that was lifted to an automaton's circuit; `None` if the check refuses it. `which` says in notes
/// what the proof was about.
fn certify_lifted<D: ProgramDesign>(
    design: &mut D,
    encoded: &CfaModel,
    certificate: Certificate,
    (engine, which): (&'static str, &str),
    control: Control<'_>,
) -> Option<Decision<D::Proof, D::Run>> {
    let proven = match Proven::certify(&encoded.model, 0, certificate) {
        Ok(proven) => proven,
        Err(error) => {
            control
                .listener
                .note(SINGLE_LOOP, || format!("the proof {which}: {error}"));
            return None;
        }
    };
    let proof = design.proof(encoded, proven, (engine, None), control.stop);
    Some(Decision::Verdict(Verdict::Safe(proof)))
}
