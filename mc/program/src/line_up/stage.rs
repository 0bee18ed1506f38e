//! The stages of a schedule: what comes before the engines or runs beside them, each a row with the shape of questions that it
//! is for, and its share of the time.

use std::collections::BTreeMap;
use std::time::Duration;

use craig_model::Stop;

use super::{Amount, LineUp};
use crate::words::Patience;

/// Decades: points in time that far from now can be represented, and multiples of it.
const LONGEST: Duration = Duration::from_secs(1 << 30);

/// What comes before the engines, or runs beside them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StageName {
    /// Several properties of a circuit one after the other, in rounds: with or without a row.
    Rounds,
    /// Several bads by k-induction together, before the model is reduced.
    Induction,
    /// Many bads are reduced together, each to its own cone afterwards.
    ReduceTogether,
    /// The disjunction of many bads is searched.
    SearchTogether,
    /// A run to one bad is replayed for the others.
    OtherBads,
    /// A short bounded search and a simulation of the model before it is reduced.
    FirstSteps,
    /// One of many like slices of a bad that is their disjunction.
    Slices,
    /// Abstractions of arithmetic that occurs twice.
    Isomorphic,
    /// Reads of memories are inputs.
    Reads,
    /// Large operations on words are inputs.
    Operators,
    /// PDR over predicates on words.
    Predicates,
    /// The system of words is made smaller.
    Words,
    /// Large memories: a search for errors with memories as chains of their writes.
    Chains,
    /// Large memories: abstractions that follow few words.
    Memories,
    /// Large memories: justice properties as bads.
    MemoryJustice,
    /// Several properties of a program one after the other, in rounds: with or without a row.
    ProgramRounds,
    /// The search for tests, runs to coverage goals: with or without a row.
    Tests,
    /// Unrolling of the program without loops in copies and texts of open length, before it is unrolled as it is.
    OpenCopies,
    /// Unrolled symbolic execution of the program.
    Unwind,
    /// Symbolic execution of the program path by path.
    Paths,
    /// The engines on the program's automaton.
    Loops,
    /// The execution of a program whose control flow depends on no input.
    Run,
    /// The automaton with summaries of the objects that are allocated in loops.
    Objects,
    /// Automata that follow elements of arrays.
    Elements,
    /// Summaries of recursive functions.
    Procedures,
    /// The program with tail calls as loops.
    TailCalls,
    /// Symbolic execution path by path where that alone is asked for: with or without a row.
    EnginePaths,
    /// An engine for programs alone: on the program with tail calls as loops.
    EngineTailCalls,
    /// An engine for programs alone: summaries of recursive functions, which it checks.
    EngineProcedures,
    /// An engine for programs alone: automata that follow elements of arrays.
    EngineElements,
    /// An engine for programs alone, on these automata: word-level invariants, which it assumes.
    EngineInvariants,
    /// An engine for programs alone: automata that follow the elements of arrays at the last few indices.
    EngineRecent,
    /// Explicit states of event loops.
    Explicit,
    /// Unfolding of event loops over their status words.
    Unfolding,
    /// The engines on what was unfolded.
    Unfolded,
    /// The automaton with indices for words of few values.
    Domains,
    /// Word-level invariants of loops.
    Invariants,
    /// PDR on the unreduced circuit with these invariants.
    Strengthened,
    /// PDR with predicates over words.
    Signals,
    /// Elements at two indices.
    ElementPairs,
    /// Elements at an index and at one that is a function of it.
    DerivedElements,
    /// A short path to an error over elements.
    ElementPaths,
}

/// The kind of question that a stage is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StageOf {
    /// About circuits.
    Circuit,
    /// About programs.
    Program,
}

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

impl StageName {
    /// All stages, in the order of [`StageName`].
    pub const ALL: [Self; 42] = [
        Self::Rounds,
        Self::Induction,
        Self::ReduceTogether,
        Self::SearchTogether,
        Self::OtherBads,
        Self::FirstSteps,
        Self::Slices,
        Self::Isomorphic,
        Self::Reads,
        Self::Operators,
        Self::Predicates,
        Self::Words,
        Self::Chains,
        Self::Memories,
        Self::MemoryJustice,
        Self::ProgramRounds,
        Self::Tests,
        Self::OpenCopies,
        Self::Unwind,
        Self::Paths,
        Self::Loops,
        Self::Run,
        Self::Objects,
        Self::Elements,
        Self::Procedures,
        Self::TailCalls,
        Self::EnginePaths,
        Self::EngineTailCalls,
        Self::EngineProcedures,
        Self::EngineElements,
        Self::EngineInvariants,
        Self::EngineRecent,
        Self::Explicit,
        Self::Unfolding,
        Self::Unfolded,
        Self::Domains,
        Self::Invariants,
        Self::Strengthened,
        Self::Signals,
        Self::ElementPairs,
        Self::DerivedElements,
        Self::ElementPaths,
    ];

    /// The name in a schedule, and in reports about who has decided.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Rounds | Self::ProgramRounds => "rounds",
            Self::Tests => "tests",
            Self::OpenCopies => "open-copies",
            Self::Induction => "induction",
            Self::ReduceTogether => "reduce-together",
            Self::SearchTogether => "search-together",
            Self::OtherBads => "other-bads",
            Self::FirstSteps => "first-steps",
            Self::Slices => "slices",
            Self::Isomorphic => "isomorphic",
            Self::Reads => "reads",
            Self::Operators => "operators",
            Self::Predicates => "predicates",
            Self::Words => "words",
            Self::Chains => "chains",
            Self::Memories => "memories",
            Self::MemoryJustice => "memory-justice",
            Self::Unwind => "unwind",
            Self::Paths => "paths",
            Self::Loops => "loops",
            Self::Run => "run",
            Self::Objects => "objects",
            Self::Elements => "elements",
            Self::Procedures => "procedures",
            Self::TailCalls => "tail-calls",
            Self::EnginePaths => "engine-paths",
            Self::EngineTailCalls => "engine-tail-calls",
            Self::EngineProcedures => "engine-procedures",
            Self::EngineElements => "engine-elements",
            Self::EngineInvariants => "engine-invariants",
            Self::EngineRecent => "engine-recent",
            Self::Explicit => "explicit",
            Self::Unfolding => "unfolding",
            Self::Unfolded => "unfolded",
            Self::Domains => "domains",
            Self::Invariants => "invariants",
            Self::Strengthened => "strengthened",
            Self::Signals => "signals",
            Self::ElementPairs => "element-pairs",
            Self::DerivedElements => "derived-elements",
            Self::ElementPaths => "element-paths",
        }
    }

    /// The kind of question that it is for.
    #[must_use]
    pub fn of(self) -> StageOf {
        match self {
            Self::Rounds
            | Self::Induction
            | Self::ReduceTogether
            | Self::SearchTogether
            | Self::OtherBads
            | Self::FirstSteps
            | Self::Slices
            | Self::Isomorphic
            | Self::Reads
            | Self::Operators
            | Self::Predicates
            | Self::Words
            | Self::Chains
            | Self::Memories
            | Self::MemoryJustice => StageOf::Circuit,
            _ => StageOf::Program,
        }
    }

    /// Whether a row may set its share and its cap.
    #[must_use]
    pub fn is_limited(self) -> bool {
        matches!(
            self,
            Self::Induction
                | Self::ReduceTogether
                | Self::SearchTogether
                | Self::FirstSteps
                | Self::Slices
                | Self::Isomorphic
                | Self::Reads
                | Self::Operators
                | Self::Predicates
                | Self::Chains
                | Self::MemoryJustice
                | Self::Tests
                | Self::OpenCopies
                | Self::Paths
                | Self::EngineTailCalls
                | Self::EngineProcedures
                | Self::EngineElements
                | Self::EngineInvariants
                | Self::EngineRecent
                | Self::Explicit
                | Self::Unfolding
                | Self::Unfolded
                | Self::Domains
                | Self::Strengthened
                | Self::Signals
                | Self::ElementPairs
                | Self::DerivedElements
                | Self::ElementPaths
        )
    }

    /// Whether a row may say that it is for line-ups only (`for-named = false`): it comes before the engines on an automaton, and
    /// no other stage needs it.
    #[must_use]
    pub fn may_leave_named(self) -> bool {
        matches!(
            self,
            Self::Explicit | Self::Unfolding | Self::Domains | Self::Invariants | Self::Signals
        )
    }

    /// The conditions that a row may set.
    #[must_use]
    pub fn conditions(self) -> &'static [Condition] {
        match self {
            Self::Induction | Self::ReduceTogether => &[Condition::BadsFrom],
            Self::SearchTogether => &[Condition::BadsFrom, Condition::OverlapFrom],
            Self::Run => &[Condition::After, Condition::Rest],
            Self::Domains => &[Condition::SavedFrom],
            Self::Signals => &[Condition::NodesTo],
            _ => &[],
        }
    }
}

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
    /// The amounts that a row may set.
    #[must_use]
    pub fn amounts(self) -> &'static [Amount] {
        match self {
            Self::Rounds => &[Amount::First, Amount::Growth, Amount::EqualFrom],
            Self::ProgramRounds => &[Amount::First, Amount::Growth],
            Self::Tests => &[Amount::Unlimited],
            Self::Induction => &[Amount::WithoutProof, Amount::WithoutProofAlone],
            Self::SearchTogether => &[Amount::SharesTo],
            Self::Slices => &[
                Amount::FirstShare,
                Amount::FirstCap,
                Amount::SimulationShare,
                Amount::SimulationCap,
            ],
            Self::Unwind => &[
                Amount::PutOffBelow,
                Amount::PutOffConflicts,
                Amount::DecidedFirst,
                Amount::Decided,
                Amount::Depth,
            ],
            Self::Loops => &[Amount::DecidedTo, Amount::Printed],
            Self::Elements => &[Amount::DecidedTo],
            Self::Paths | Self::EnginePaths => &[
                Amount::PathsTo,
                Amount::PathsFirst,
                Amount::Iterations,
                Amount::IterationsTo,
                Amount::Growth,
                Amount::Decided,
                Amount::Depth,
            ],
            Self::Procedures => &[
                Amount::Iterations,
                Amount::IterationsTo,
                Amount::DecidedTo,
                Amount::DepthTo,
                Amount::OutlinesTo,
            ],
            Self::EngineProcedures => &[Amount::QueriesFirst, Amount::QueriesTo],
            Self::EngineElements => &[Amount::LargeFrom, Amount::FirstShare, Amount::FirstCap],
            Self::EngineInvariants => &[
                Amount::FirstShare,
                Amount::FirstCap,
                Amount::Search,
                Amount::SearchWithCandidates,
                Amount::LinearShare,
                Amount::RelationsShare,
                Amount::LinearTo,
                Amount::SampledTo,
            ],
            Self::Invariants => &[
                Amount::Search,
                Amount::SearchWithCandidates,
                Amount::LinearShare,
                Amount::RelationsShare,
                Amount::LinearTo,
                Amount::SampledTo,
            ],
            Self::EngineRecent => &[Amount::FirstShare, Amount::FirstCap],
            Self::ElementPaths => &[Amount::StepsTo],
            _ => &[],
        }
    }

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
