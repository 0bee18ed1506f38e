//! The stages of a schedule: what comes before the engines or runs beside them, each a row with the shape of questions that it
//! is for, and its share of the time.

use std::collections::BTreeMap;
use std::time::Duration;

use craig_model::Stop;

use super::{Amount, Condition, LineUp, StageName, StageOf};
use crate::words::Patience;

/// Decades: points in time that far from now can be represented, and multiples of it.
const LONGEST: Duration = Duration::from_secs(1 << 30);

/// A row: a stage, when it runs, and how long.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stage {
    /// The stage.
    pub name: StageName,
    /// Its share of the time that is left, in percent.
    pub share: u32,
    /// Its time at most; `None` if its share alone limits it.
    pub cap: Option<Duration>,
    /// Whether it also comes before an engine that is named, if that is set.
    pub for_named: Option<bool>,
    /// The conditions that are set.
    pub conditions: BTreeMap<Condition, u64>,
    /// The amounts that are set.
    pub amounts: BTreeMap<Amount, u32>,
}

impl Stage {
    /// A row without limits and conditions.
    #[must_use]
    pub fn new(name: StageName) -> Self {
        Self {
            name,
            share: 100,
            cap: None,
            for_named: None,
            conditions: BTreeMap::new(),
            amounts: BTreeMap::new(),
        }
    }

    /// The number of a condition; `None` if the row does not set it.
    #[must_use]
    pub fn condition(&self, condition: Condition) -> Option<u64> {
        self.conditions.get(&condition).copied()
    }

    /// Whether a number is at least that of a condition.
    #[must_use]
    pub fn is_reached(&self, condition: Condition, number: usize) -> bool {
        self.condition(condition)
            .is_none_or(|least| number as u64 >= least)
    }

    /// The duration of a condition in milliseconds.
    #[must_use]
    pub fn duration(&self, condition: Condition) -> Duration {
        Duration::from_millis(self.condition(condition).unwrap_or_default())
    }

    /// The end of the stage as an earlier deadline.
    #[must_use]
    pub fn limit(&self, stop: &Stop) -> Stop {
        let stop = stop.clone();
        match (self.cap, stop.deadline()) {
            (Some(cap), _) => stop.within(self.share, cap),
            (None, Some(_)) if self.share < 100 => stop.within(self.share, Duration::MAX),
            (None, _) => stop,
        }
    }
}

/// The stages of a schedule for one kind of question. One without a row does not run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stages(Vec<Stage>);

impl Stages {
    /// No stage: the engines decide alone.
    pub const NONE: Self = Self(Vec::new());

    /// These rows, in which no stage is twice.
    pub(super) fn new(rows: Vec<Stage>) -> Self {
        Self(rows)
    }

    /// The row of a stage, if it is to run.
    #[must_use]
    pub fn get(&self, name: StageName) -> Option<&Stage> {
        self.0.iter().find(|stage| stage.name == name)
    }

    /// Whether a stage is to run.
    #[must_use]
    pub fn has(&self, name: StageName) -> bool {
        self.get(name).is_some()
    }

    /// The stages that also count for an engine that is named.
    #[must_use]
    pub fn for_named(&self) -> Self {
        let rows = self.0.iter().filter(|row| row.is_for_named());
        Self(rows.cloned().collect())
    }

    /// Takes a stage in, in place of a row that it has.
    #[must_use]
    pub fn with_row(self, row: Stage) -> Self {
        let mut stages = self.without(row.name);
        stages.0.push(row);
        stages
    }

    /// Leaves a stage out.
    #[must_use]
    pub fn without(mut self, name: StageName) -> Self {
        self.0.retain(|stage| stage.name != name);
        self
    }

    /// Takes a stage in by this row, unless it has one.
    #[must_use]
    pub fn with(mut self, row: Stage) -> Self {
        if !self.has(row.name) {
            self.0.push(row);
        }
        self
    }
}

impl StageName {
    /// The row of the default schedule.
    fn default_row(self) -> Option<&'static Stage> {
        let default = LineUp::built_in();
        let stages = match self.of() {
            StageOf::Circuit => &default.circuit_stages,
            StageOf::Program => &default.program_stages,
        };
        stages.get(self)
    }

    /// An amount of the default schedule.
    fn default_amount(self, amount: Amount) -> u32 {
        let set = self.default_row();
        let set = set.and_then(|row| row.amounts.get(&amount));
        *set.expect("the default line-up sets all amounts of its stages")
    }
}

impl Stage {
    /// Whether it also comes before an engine that is named: as this row says, or that of the default schedule if the row does not.
    #[must_use]
    pub fn is_for_named(&self) -> bool {
        let default = || self.name.default_row().and_then(|row| row.for_named);
        self.for_named.or_else(default).unwrap_or(true)
    }

    /// An amount: that of this row, or of the default schedule if the row does not set it.
    ///
    /// # Panics
    /// If it is none of the stage's ([`StageName::amounts`]).
    #[must_use]
    pub fn amount(&self, amount: Amount) -> u32 {
        let own = self.amounts.get(&amount).copied();
        own.unwrap_or_else(|| self.name.default_amount(amount))
    }

    /// An amount of milliseconds.
    ///
    /// # Panics
    /// As [`Stage::amount`].
    #[must_use]
    pub fn time(&self, amount: Amount) -> Duration {
        Duration::from_millis(self.amount(amount).into())
    }

    /// The time of a property in a round, by [`Amount::First`] and [`Amount::Growth`]; no longer than any search is.
    ///
    /// # Panics
    /// If these are none of the stage's.
    #[must_use]
    pub fn in_round(&self, number: u32) -> Duration {
        let growth = self.amount(Amount::Growth).saturating_pow(number.min(30));
        let time = self.time(Amount::First).saturating_mul(growth);
        time.min(LONGEST)
    }

    /// How long invariants over words are searched for, and in which circuits, by [`Amount::Search`] and those behind it.
    ///
    /// # Panics
    /// If these are none of the stage's.
    #[must_use]
    pub fn patience(&self) -> Patience {
        Patience {
            plain: self.time(Amount::Search),
            with_candidates: self.time(Amount::SearchWithCandidates),
            linear_percent: self.amount(Amount::LinearShare),
            relations_percent: self.amount(Amount::RelationsShare),
            linear_to: self.amount(Amount::LinearTo) as usize,
            sampled_to: self.amount(Amount::SampledTo) as usize,
        }
    }

    /// The end of what comes before the stage as an earlier deadline, so that the stage has its share of the time.
    #[must_use]
    pub fn rest(&self, stop: &Stop) -> Stop {
        let share = 100u32.saturating_sub(self.share);
        stop.clone().within(share, LONGEST)
    }

    /// The end of what comes first in the stage as an earlier deadline.
    ///
    /// # Panics
    /// If [`Amount::FirstShare`] and [`Amount::FirstCap`] are none of the stage's.
    #[must_use]
    pub fn first(&self, stop: &Stop) -> Stop {
        let (share, cap) = (self.amount(Amount::FirstShare), self.time(Amount::FirstCap));
        stop.clone().within(share, cap)
    }
}

impl Stages {
    /// The row of a stage, or one that sets nothing: for amounts of what runs whether or not there is a row.
    #[must_use]
    pub fn row(&self, name: StageName) -> Stage {
        self.get(name).cloned().unwrap_or_else(|| Stage::new(name))
    }
}
