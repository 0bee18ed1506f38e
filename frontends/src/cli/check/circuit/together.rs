//! Many bads of one circuit: they are reduced together, and searched together if most of them depend on most of the circuit.
//! Searches one by one would do the same work for each then.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use craig_mc::Control;
use craig_mc::circuit::reduce::Together;
use craig_mc::exchange::Reached;
use craig_model::Verdict;

use super::file::CircuitFile;
use super::found::Found;
use super::one_by_one::Known;
use super::{Circuit, Judgement};
use crate::cli::check::session::Session;
use crate::cli::circuits::{Kind, PropertyId};
use crate::cli::engines::About;
use crate::cli::failure::Failure;

/// So many bads are reduced together.
const LEAST_REDUCED: usize = 4;
/// The part of the time for that: one in so many.
const SHARE_OF_REDUCTION: usize = 4;

/// So many bads are searched together.
const LEAST_SEARCHED: usize = 8;
/// The part of the time that is left for that: one in so many.
const SHARE_OF_SEARCH: usize = 2;
/// The time for that, if there is no limit.
const MOST_OF_SEARCH: Duration = Duration::from_secs(300);
/// They are searched together only if the mean share of the circuit in their cones is so large.
const LEAST_OVERLAP: f64 = 0.25;

/// The search for several bads together.
struct Search<'a> {
    together: Together,
    control: &'a Control,
    begin: Instant,
    /// What is known of the states reached within some steps.
    frames: Arc<Reached>,
    /// Whether the next search looks at the first steps.
    is_first: bool,
}

impl<F: CircuitFile + 'static> Circuit<F> {
    /// Reduces many bads together, and searches them together if that may help. Returns those that are decided.
    pub(super) fn decide_together(
        &self,
        session: &Session,
        known: &mut Known<'_, F>,
    ) -> Result<HashSet<PropertyId>, Failure> {
        let mut decided = HashSet::new();
        let engines = &session.task.engines;
        let bads = self.properties.iter();
        let bads: Vec<usize> = (bads.filter(|property| property.kind == Kind::Bad))
            .map(|property| property.number)
            .collect();
        let is_model = self.file.refusal().is_none() && self.file.restriction().is_none();
        if bads.len() < LEAST_REDUCED || !is_model {
            return Ok(decided);
        }
        let model = self.file.model();
        let first_name = PropertyId::bad(bads[0]).name(model);
        let name = format!("{first_name} and {} others", bads.len() - 1);
        let first = (self.properties.iter()).position(|property| property.kind == Kind::Bad);
        let begin = |n_shares| session.begin(first.unwrap_or_default(), &name, n_shares);
        let Some(control) = begin(SHARE_OF_REDUCTION) else {
            return Ok(decided);
        };
        known.lemmas.shared = engines.reduce_together(model, &control);
        let Some(shared) = &known.lemmas.shared else {
            return Ok(decided);
        };
        if bads.len() < LEAST_SEARCHED
            || !(shared.overlap(&bads, &control)).is_some_and(|overlap| overlap >= LEAST_OVERLAP)
        {
            return Ok(decided);
        }
        let Some(control) = begin(SHARE_OF_SEARCH) else {
            return Ok(decided);
        };
        let control = match session.task.limits.deadline {
            Some(_) => control,
            None => control.with_deadline(Instant::now() + MOST_OF_SEARCH),
        };
        let mut search = Search {
            together: engines.together(shared, &bads, &control),
            control: &control,
            begin: Instant::now(),
            frames: Arc::default(),
            is_first: true,
        };
        while !search.together.open().is_empty() && control.stop_reason().is_none() {
            let is_proof = self.next(session, &mut search, known, &mut decided)?;
            if is_proof != Some(false) {
                break;
            }
        }
        let numbers = search.together.latches();
        known.lemmas.add_reduced(control.invariants(0), &numbers);
        Ok(decided)
    }

    /// Searches for the bads that are open, and reports what that decides. Returns whether it is a proof, or `None` without an
    /// answer.
    fn next(
        &self,
        session: &Session,
        search: &mut Search<'_>,
        known: &mut Known<'_, F>,
        decided: &mut HashSet<PropertyId>,
    ) -> Result<Option<bool>, Failure> {
        let engines = &session.task.engines;
        let outcome = engines.check_together(
            &search.together,
            &mut search.frames,
            &mut search.is_first,
            search.control,
        )?;
        match &outcome.verdict {
            Verdict::Unknown(_) => Ok(None),
            Verdict::Safe(certificate) => {
                let open = search.together.open();
                let seconds = search.begin.elapsed().as_secs_f64();
                let judgement =
                    engines.judge(self.circuit_to_judge(), About::Some(open), &outcome.verdict);
                self.note_comparison(&judgement);
                if let Judgement::Valid(seconds) = &judgement {
                    let n_open = open.len();
                    session.tell(&format!(
                        "{n_open} properties: evidence judged in {seconds:.2} s"
                    ));
                }
                if !matches!(judgement, Judgement::Invalid(_)) {
                    known.evidence.keep(certificate, open.len());
                }
                let found = Found::Bad(outcome.clone());
                for &bad in open {
                    let property = PropertyId::bad(bad);
                    let judgement = judgement.clone();
                    self.report_judged(session, property, seconds, &found, judgement, || {
                        known.evidence.write_file(bad, &outcome.verdict)
                    });
                    decided.insert(property);
                }
                Ok(Some(true))
            }
            Verdict::Unsafe(trace) => {
                known.shown.look_for_others(trace, &self.properties);
                let reached = trace.property;
                let mut runs = vec![outcome];
                let others = search.together.open().iter().filter(|&&bad| bad != reached);
                runs.extend(others.filter_map(|&bad| known.shown.take(PropertyId::bad(bad))));
                for outcome in runs {
                    let Verdict::Unsafe(trace) = &outcome.verdict else {
                        continue;
                    };
                    let property = PropertyId::bad(trace.property);
                    decided.insert(property);
                    let found = Found::Bad(outcome);
                    self.end(session, property, search.begin, &found, &mut known.evidence)?;
                }
                (search.together).close(|bad| decided.contains(&PropertyId::bad(bad)));
                Ok(Some(false))
            }
        }
    }
}
