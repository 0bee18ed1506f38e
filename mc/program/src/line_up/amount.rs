//! Amounts in the rows of a schedule: how long, how often and how far a stage searches. Each has a value: one that a row does
//! not set is that of the default schedule.

use std::time::Duration;

use craig_model::Stop;

use super::{LineUp, Stage, StageName, StageOf, Stages};

/// Decades: points in time that far from now can be represented, and that many times as far.
const LONGEST: Duration = Duration::from_secs(1 << 30);

/// An amount that a row of a stage may set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Amount {
    /// The milliseconds of a property in the first round.
    First,
    /// How often a round, or a bound, is as large as the one before.
    Growth,
    /// With a time limit, there is such a first round if equal shares have at least this number of its milliseconds.
    EqualFrom,
    /// Without a time limit, a search for several properties has as long as this number of them, at most.
    SharesTo,
    /// The share of the time that another search has first, in percent.
    FirstShare,
    /// The milliseconds that the other search has first, at most.
    FirstCap,
    /// The share of the time for simulation, in percent.
    SimulationShare,
    /// The milliseconds for simulation, at most.
    SimulationCap,
    /// The milliseconds of the stage where there is no time limit.
    Unlimited,
    /// The bound on iterations below which a hard question is put off.
    PutOffBelow,
    /// The conflicts after which a question is hard.
    PutOffConflicts,
    /// The number of paths, at most.
    PathsTo,
    /// The number of paths after which that of all is estimated.
    PathsFirst,
    /// The first bound on iterations of loops.
    Iterations,
    /// The last bound on iterations of loops.
    IterationsTo,
    /// The depth of call trees, at most.
    DepthTo,
    /// The number of steps, at most.
    StepsTo,
    /// The queries before other searches.
    QueriesFirst,
    /// The queries after other searches.
    QueriesTo,
    /// The elements of an array that is large.
    LargeFrom,
    /// The milliseconds of a search, at most.
    Search,
    /// The milliseconds of a search that begins with given candidates, at most.
    SearchWithCandidates,
}

impl Amount {
    /// The key in a row.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Growth => "growth",
            Self::EqualFrom => "equal-from",
            Self::SharesTo => "shares-to",
            Self::FirstShare => "first-share",
            Self::FirstCap => "first-cap",
            Self::SimulationShare => "simulation-share",
            Self::SimulationCap => "simulation-cap",
            Self::Unlimited => "unlimited",
            Self::PutOffBelow => "put-off-below",
            Self::PutOffConflicts => "put-off-conflicts",
            Self::PathsTo => "paths-to",
            Self::PathsFirst => "paths-first",
            Self::Iterations => "iterations",
            Self::IterationsTo => "iterations-to",
            Self::DepthTo => "depth-to",
            Self::StepsTo => "steps-to",
            Self::QueriesFirst => "queries-first",
            Self::QueriesTo => "queries-to",
            Self::LargeFrom => "large-from",
            Self::Search => "search",
            Self::SearchWithCandidates => "search-with-candidates",
        }
    }

    /// Whether it is in percent.
    #[must_use]
    pub fn is_percent(self) -> bool {
        matches!(self, Self::FirstShare | Self::SimulationShare)
    }
}

impl StageName {
    /// The amounts that a row may set.
    #[must_use]
    pub fn amounts(self) -> &'static [Amount] {
        match self {
            Self::Rounds => &[Amount::First, Amount::Growth, Amount::EqualFrom],
            Self::ProgramRounds => &[Amount::First, Amount::Growth],
            Self::Tests => &[Amount::Unlimited],
            Self::SearchTogether => &[Amount::SharesTo],
            Self::Slices => &[
                Amount::FirstShare,
                Amount::FirstCap,
                Amount::SimulationShare,
                Amount::SimulationCap,
            ],
            Self::Unwind => &[Amount::PutOffBelow, Amount::PutOffConflicts],
            Self::Paths => &[
                Amount::PathsTo,
                Amount::PathsFirst,
                Amount::Iterations,
                Amount::IterationsTo,
                Amount::Growth,
            ],
            Self::Procedures => &[Amount::Iterations, Amount::IterationsTo, Amount::DepthTo],
            Self::EngineProcedures => &[Amount::QueriesFirst, Amount::QueriesTo],
            Self::EngineElements => &[Amount::LargeFrom, Amount::FirstShare, Amount::FirstCap],
            Self::EngineInvariants => &[
                Amount::FirstShare,
                Amount::FirstCap,
                Amount::Search,
                Amount::SearchWithCandidates,
            ],
            Self::Invariants => &[Amount::Search, Amount::SearchWithCandidates],
            Self::ElementPaths => &[Amount::StepsTo],
            _ => &[],
        }
    }

    /// An amount of the default schedule.
    fn default_amount(self, amount: Amount) -> u32 {
        let default = LineUp::built_in();
        let stages = match self.of() {
            StageOf::Circuit => &default.circuit_stages,
            StageOf::Program => &default.program_stages,
        };
        let set = stages.get(self).and_then(|row| row.amounts.get(&amount));
        *set.expect("the default line-up sets all amounts of its stages")
    }
}

impl Stage {
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
