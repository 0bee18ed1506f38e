//! What the rows of a schedule set. Conditions: the shape of questions that a stage is for. Amounts: how long, how often and how far it
//! searches. Each amount has a value: one that a row does not set is that of the default schedule.

/// A condition on the shape of a question: a number that a row sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Condition {
    /// The least number of bads.
    BadsFrom,
    /// The least mean share of the circuit in the cones of the bads, in percent.
    OverlapFrom,
    /// The largest number of nodes of the circuit.
    NodesTo,
    /// The least share of the latches that are saved, in percent.
    SavedFrom,
    /// The milliseconds that the engines have before.
    After,
    /// The milliseconds that it has after the engines have given up.
    Rest,
}

impl Condition {
    /// The key in a row.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::BadsFrom => "bads-from",
            Self::OverlapFrom => "overlap-from",
            Self::NodesTo => "nodes-to",
            Self::SavedFrom => "saved-from",
            Self::After => "after",
            Self::Rest => "rest",
        }
    }
}

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
    /// The gates of a cone below which the stage is skipped.
    AndsFrom,
    /// The gates that simulation evaluates, each for 64 runs at once, at most.
    Evaluations,
    /// The number of steps of a simulated run, at most.
    SimulatedTo,
    /// The queries before other searches.
    QueriesFirst,
    /// The queries after other searches.
    QueriesTo,
    /// The elements of an array that is large.
    LargeFrom,
    /// The number of indices of each array at which elements are followed, at first.
    Indices,
    /// The number of indices of each array at which elements are followed, at most.
    IndicesTo,
    /// The bits of a memory that is large.
    BitsFrom,
    /// The milliseconds of the stage if there is one property.
    CapAlone,
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
            Self::AndsFrom => "ands-from",
            Self::Evaluations => "evaluations",
            Self::SimulatedTo => "simulated-to",
            Self::QueriesFirst => "queries-first",
            Self::QueriesTo => "queries-to",
            Self::LargeFrom => "large-from",
            Self::Indices => "indices",
            Self::IndicesTo => "indices-to",
            Self::BitsFrom => "bits-from",
            Self::CapAlone => "cap-alone",
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
