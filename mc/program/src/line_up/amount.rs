//! Amounts in the rows of a schedule: how long, how often and how far a stage searches. Each has a value: one that a row does
//! not set is that of the default schedule.

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
    /// The iterations of a loop with a decided condition, for each with one that is open.
    Decided,
    /// The iterations of a loop with a decided condition on top of these.
    DecidedFirst,
    /// The iterations after which a loop whose condition stays decided is one all the same.
    DecidedTo,
    /// The first bound on nested calls.
    Depth,
    /// The depth of call trees, at most.
    DepthTo,
    /// How often the loops of a program are made procedures, at most.
    OutlinesTo,
    /// The number of steps, at most.
    StepsTo,
    /// The queries before other searches.
    QueriesFirst,
    /// The queries after other searches.
    QueriesTo,
    /// The elements of an array that is large.
    LargeFrom,
    /// The milliseconds without a proof after which the stage ends.
    WithoutProof,
    /// The milliseconds without a proof after which the stage ends if there is one property.
    WithoutProofAlone,
    /// The milliseconds of a search, at most.
    Search,
    /// The milliseconds of a search that begins with given candidates, at most.
    SearchWithCandidates,
    /// The share of such a search after which linear steps have to be enough, in percent, for no more is known then.
    LinearShare,
    /// The share of such a search for states and their affine relations, in percent, with that for linear steps.
    RelationsShare,
    /// The nodes of a circuit in which linear steps are searched, at most.
    LinearTo,
    /// The nodes of a circuit of which states are reached, at most.
    SampledTo,
    /// The milliseconds for what is printed of a proof, at most.
    Printed,
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
            Self::Decided => "decided",
            Self::DecidedFirst => "decided-first",
            Self::DecidedTo => "decided-to",
            Self::Depth => "depth",
            Self::DepthTo => "depth-to",
            Self::OutlinesTo => "outlines-to",
            Self::StepsTo => "steps-to",
            Self::QueriesFirst => "queries-first",
            Self::QueriesTo => "queries-to",
            Self::LargeFrom => "large-from",
            Self::WithoutProof => "without-proof",
            Self::WithoutProofAlone => "without-proof-alone",
            Self::Search => "search",
            Self::SearchWithCandidates => "search-with-candidates",
            Self::LinearShare => "linear-share",
            Self::RelationsShare => "relations-share",
            Self::LinearTo => "linear-to",
            Self::SampledTo => "sampled-to",
            Self::Printed => "printed",
        }
    }

    /// Whether it is in percent.
    #[must_use]
    pub fn is_percent(self) -> bool {
        matches!(
            self,
            Self::FirstShare | Self::SimulationShare | Self::LinearShare | Self::RelationsShare
        )
    }
}
