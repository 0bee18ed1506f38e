//! Properties one after the other. Each has its share of the time that is left; those that it was too short for are searched again
//! when the others have left enough of theirs.

use std::time::{Duration, Instant};

use craig_mc::Control;
use craig_model::{UnknownReason, Verdict};

use super::Circuit;
use super::evidence::Evidence;
use super::file::CircuitFile;
use super::found::Found;
use super::shown::Shown;
use crate::cli::check::report::Answer;
use crate::cli::check::session::Session;
use crate::cli::circuits::{Kind, PropertyId};
use crate::cli::engines::Lemmas;
use crate::cli::failure::Failure;

/// A property is searched again only if its share is so many times as long as before.
const LEAST_GROWTH: u32 = 2;

/// What is known of all properties.
pub(super) struct Known<'a, F> {
    pub(super) lemmas: Lemmas,
    pub(super) shown: Shown<'a>,
    pub(super) evidence: Evidence<'a, F>,
}

/// A property whose share of the time was too short.
struct Postponed {
    index: usize,
    property: PropertyId,
    found: Found,
    share: Duration,
    /// The time that was spent on it.
    spent: Duration,
}

impl<F: CircuitFile + 'static> Circuit<F> {
    /// Decides properties, given with their places among those of the task.
    pub(super) fn decide_one_by_one(
        &self,
        session: &Session,
        mut left: Vec<(usize, PropertyId)>,
        known: &mut Known<'_, F>,
    ) -> Result<(), Failure> {
        loop {
            let mut postponed = Vec::new();
            for (place, &(index, property)) in left.iter().enumerate() {
                let n_left = left.len() - place;
                let begin = Instant::now();
                let name = property.name(self.file.model());
                let Some(control) = session.begin(index, &name, n_left) else {
                    break;
                };
                let share = session.task.share_of_time(n_left);
                if let Some(found) = self.decide_one(session, property, begin, &control, known)? {
                    let share = share.map(|end| end.saturating_duration_since(begin));
                    match (found.reason(), share) {
                        (Some(UnknownReason::Timeout), Some(share)) => postponed.push(Postponed {
                            index,
                            property,
                            found,
                            share,
                            spent: begin.elapsed(),
                        }),
                        _ => self.end(session, property, begin, &found, &mut known.evidence)?,
                    }
                }
            }
            let shares = postponed.iter().map(|one| one.share);
            let needed = shares.min().unwrap_or_default() * LEAST_GROWTH;
            let now = Instant::now();
            let next = (session.task.share_of_time(postponed.len()))
                .map(|end| end.saturating_duration_since(now));
            let is_longer = next.is_some_and(|next| !next.is_zero() && next >= needed);
            if postponed.is_empty() || !is_longer {
                for one in postponed {
                    let evidence = &mut known.evidence;
                    let begin = now.checked_sub(one.spent).unwrap_or(now);
                    self.end(session, one.property, begin, &one.found, evidence)?;
                }
                return Ok(());
            }
            left = postponed
                .iter()
                .map(|one| (one.index, one.property))
                .collect();
        }
    }

    /// Searches for an answer to one property; `None` if it is reported already.
    fn decide_one(
        &self,
        session: &Session,
        property: PropertyId,
        begin: Instant,
        control: &Control,
        known: &mut Known<'_, F>,
    ) -> Result<Option<Found>, Failure> {
        let engines = &session.task.engines;
        let number = property.number;
        if let Some(result) = (self.file).decide_apart(engines, property, control)? {
            self.end_apart(session, property, begin, &result, &mut known.evidence);
            return Ok(None);
        }
        let found = match (property.kind, known.shown.take(property)) {
            _ if self.file.refusal().is_some() => {
                Self::refused(property, self.file.refusal().unwrap_or_default())
            }
            (Kind::Justice, _) => {
                let model = self.file.model();
                Found::Justice(engines.check_live(model, number, control)?)
            }
            (Kind::Bad, Some(outcome)) => Found::Bad(outcome),
            (Kind::Bad, None) => {
                let lemmas = &mut known.lemmas;
                Found::Bad(self.file.check(engines, number, lemmas, control)?)
            }
        };
        let found = match self.file.restriction() {
            Some(reason) if found.answer() == Answer::Safe => Self::refused(property, reason),
            _ => found,
        };
        if let Found::Bad(outcome) = &found
            && let Verdict::Unsafe(trace) = &outcome.verdict
            && !engines.engine.is_shortest()
        {
            (known.shown).look_for_others_at_times(trace, &self.properties);
        }
        Ok(Some(found))
    }
}
