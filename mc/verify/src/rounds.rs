//! Properties one after the other, in rounds. Each has a short share of the time in the first, so that an easy property is
//! answered before a hard one is decided; those that it was too short for have longer shares in the next.

use std::time::{Duration, Instant};

use craig_mc::{Board, Control};
use craig_model::{Stop, UnknownReason, Verdict};
use craig_program::line_up::{Amount, Stage, StageName};

use crate::answer::Answer;
use crate::certified::Finding;
use crate::design::Design;
use crate::error::VerifyError;
use crate::property::{Kind, PropertyId};
use crate::run::{Found, Run, unknown};
use crate::search::ENGINES;

/// A property without an answer so far.
struct Open<E> {
    property: PropertyId,
    /// What its last search came to.
    last: Option<Finding<E>>,
    /// The time that was spent on it.
    spent: Duration,
}

/// The shares of the time that properties have in a round.
struct Round {
    number: u32,
    /// How long shares are.
    row: Stage,
    /// The shortest share so far in this round.
    least: Option<Duration>,
}

impl Round {
    /// The share of a property without a time limit.
    fn growing(&self) -> Duration {
        self.row.in_round(self.number)
    }

    /// Whether equal shares are long enough, beside those of the first round, for such a round.
    fn is_short_beside(&self, equal: Duration) -> bool {
        let least = self.row.amount(Amount::EqualFrom);
        equal >= self.row.time(Amount::First).saturating_mul(least)
    }

    /// The time for one of `n_left` properties that are left in this round; `None` if it has all the time in the world.
    fn share(&mut self, n_open: usize, n_left: usize, stop: &Stop) -> Option<Duration> {
        let share = match stop.deadline() {
            None if n_open == 1 => return None,
            None => self.growing(),
            Some(deadline) => {
                let left = deadline.saturating_duration_since(Instant::now());
                let equal = left / u32::try_from(n_left.max(1)).unwrap_or(u32::MAX);
                match self.number == 0 && n_open > 1 && self.is_short_beside(equal) {
                    true => self.row.time(Amount::First),
                    false => equal,
                }
            }
        };
        self.least = Some(self.least.map_or(share, |least| least.min(share)));
        Some(share)
    }

    /// The round after this one, if it can be longer for the properties that are open.
    fn next(&self, n_open: usize, stop: &Stop) -> Option<Self> {
        let next = Self {
            number: self.number + 1,
            row: self.row.clone(),
            least: None,
        };
        let Some(deadline) = stop.deadline() else {
            return Some(next);
        };
        let left = deadline.saturating_duration_since(Instant::now());
        let share = left / u32::try_from(n_open).unwrap_or(u32::MAX);
        let least = self.least.unwrap_or_default();
        let least = least.saturating_mul(self.row.amount(Amount::Growth));
        (!share.is_zero() && share >= least).then_some(next)
    }
}

impl<D: Design> Run<'_, D> {
    /// Decides all properties.
    pub(crate) fn decide_all(&mut self) -> Result<(), VerifyError> {
        let decided = self.induction();
        let mut together = self.reduce_together(&decided)?;
        let mut open: Vec<Open<D::Evidence>> = (self.properties.iter())
            .filter(|property| !decided.contains(property))
            .map(|&property| Open {
                property,
                last: None,
                spent: Duration::ZERO,
            })
            .collect();
        let mut round = Round {
            number: 0,
            row: (self.search.schedule().stages).row(StageName::Rounds),
            least: None,
        };
        if open.is_empty() {
            return Ok(());
        }
        loop {
            if let Some(search) = &mut together {
                let n_bads = open.len();
                let decided = self.search_together(search, round.growing(), n_bads)?;
                open.retain(|one| !decided.contains(&one.property));
                if self.control.stop.deadline().is_some() || search.has_given_up() {
                    together = None;
                }
            }
            open = self.search_round(open, &mut round)?;
            if open.is_empty() {
                return Ok(());
            }
            match round.next(open.len(), self.control.stop) {
                Some(next) if !self.is_over() => round = next,
                _ => break,
            }
            if let Some(search) = &mut together {
                let bads: Vec<usize> = (open.iter())
                    .filter(|one| one.property.kind == Kind::Bad)
                    .map(|one| one.property.number)
                    .collect();
                search.keep(&bads);
            }
        }
        for one in open {
            let reason = self.control.stop.reason();
            let reason = reason.unwrap_or(UnknownReason::Timeout);
            self.end(Found {
                property: one.property,
                finding: (one.last).unwrap_or_else(|| self.unknown(one.property, reason)),
                phase: ENGINES,
                spent: one.spent,
            });
        }
        Ok(())
    }

    /// Searches for answers to properties; returns those that are still open.
    fn search_round(
        &mut self,
        open: Vec<Open<D::Evidence>>,
        round: &mut Round,
    ) -> Result<Vec<Open<D::Evidence>>, VerifyError> {
        let n_open = open.len();
        let mut left = Vec::new();
        for (place, mut one) in open.into_iter().enumerate() {
            if self.is_over() {
                left.push(one);
                continue;
            }
            let begin = Instant::now();
            let share = round.share(n_open, n_open - place, self.control.stop);
            let name = one.property.name(self.design.model());
            let stop = self.control.stop.clone();
            let stop = match share {
                Some(share) => stop.with_deadline(begin + share),
                None => stop,
            };
            let own = self.begin(one.property, &name, stop);
            let found = self.decide_one(one.property, own.control());
            self.tell_failures();
            let (finding, phase) = found?;
            one.spent += begin.elapsed();
            match (finding.reason(), share) {
                (Some(UnknownReason::Timeout), Some(_)) => {
                    one.last = Some(finding);
                    left.push(one);
                }
                _ => self.end(Found {
                    property: one.property,
                    finding,
                    phase,
                    spent: one.spent,
                }),
            }
        }
        Ok(left)
    }

    /// Searches for an answer to one property; also returns who has found it.
    fn decide_one(
        &mut self,
        property: PropertyId,
        control: Control<'_>,
    ) -> Result<(Finding<D::Evidence>, &'static str), VerifyError> {
        let (design, search) = (self.design, self.search);
        if let Some(found) = design.decide_apart(search, property, control)? {
            let phase = found.phase;
            return Ok((Finding::Apart(found), phase));
        }
        if let Some(reason) = design.refusal() {
            return Ok((refused(property, reason), ENGINES));
        }
        let (finding, phase) = match (property.kind, self.shown.take(property)) {
            (Kind::Justice, _) => {
                let board = Board::default().with_candidates(self.lemmas.clauses().to_vec());
                let own = Control {
                    board: &board,
                    ..control
                };
                let mut outcome = search.check_live(design.model(), property.number, own)?;
                self.lemmas.extend(std::mem::take(&mut outcome.invariants));
                (Finding::Justice(outcome), ENGINES)
            }
            (Kind::Bad, Some(outcome)) => (Finding::Bad(outcome), StageName::OtherBads.name()),
            (Kind::Bad, None) => self.search_one(property, control)?,
        };
        // Nor is a bound of such a model one of the design.
        let is_bounded = matches!(finding.reason(), Some(UnknownReason::Bound(_)));
        if let Some(reason) = design.restriction()
            && (is_bounded || finding.answer() == Answer::Safe)
        {
            return Ok((refused(property, reason), phase));
        }
        if let Finding::Bad(outcome) = &finding
            && let Verdict::Unsafe(trace) = &outcome.verdict
            && !search.schedule().is_shortest()
            && search.schedule().stages.get(StageName::OtherBads).is_some()
        {
            (self.shown).look_for_others_at_times(trace, self.properties);
        }
        Ok((finding, phase))
    }
}

impl<D: Design> Run<'_, D> {
    /// Searches for an answer about a bad by the engines, and between two attempts by other models of the design.
    fn search_one(
        &mut self,
        property: PropertyId,
        control: Control<'_>,
    ) -> Result<(Finding<D::Evidence>, &'static str), VerifyError> {
        let (design, search) = (self.design, self.search);
        if let Some(stop) = design.first(search, property, control.stop) {
            let own = Control {
                stop: &stop,
                ..control
            };
            let found = design.check(search, property.number, &mut self.lemmas, own)?;
            let is_late = matches!(
                &found.outcome.verdict,
                Verdict::Unknown(UnknownReason::Timeout)
            );
            if !is_late {
                return Ok((Finding::Bad(found.outcome), found.phase));
            }
            if let Some(found) = design.decide_late(search, property, control)? {
                let phase = found.phase;
                return Ok((Finding::Apart(found), phase));
            }
        }
        let found = design.check(search, property.number, &mut self.lemmas, control)?;
        Ok((Finding::Bad(found.outcome), found.phase))
    }
}

/// The finding about a property that the engines can't search.
fn refused<E>(property: PropertyId, reason: &str) -> Finding<E> {
    let reason = UnknownReason::Unsupported(reason.to_owned());
    unknown(property, reason, "none")
}
