//! The stages of schedules, as a table: the name of each, the questions that it is for, and what its rows may set.

use super::{Amount, Condition};

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
    /// Memories that may be bits: abstractions that follow few words, before all of them.
    FewWords,
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

/// A stage, and what its rows may set.
struct Entry {
    stage: StageName,
    name: &'static str,
    of: StageOf,
    is_limited: bool,
    may_leave_named: bool,
    conditions: &'static [Condition],
    amounts: &'static [Amount],
}

impl Entry {
    /// With a share and a cap.
    const fn limited(self) -> Self {
        Self {
            is_limited: true,
            ..self
        }
    }

    /// It comes before the engines on an automaton, and no other stage needs it: maybe before those of a line-up only.
    const fn before_line_ups(self) -> Self {
        Self {
            may_leave_named: true,
            ..self
        }
    }

    const fn on(self, conditions: &'static [Condition]) -> Self {
        Self { conditions, ..self }
    }

    const fn sets(self, amounts: &'static [Amount]) -> Self {
        Self { amounts, ..self }
    }
}

const fn circuit(stage: StageName, name: &'static str) -> Entry {
    Entry {
        stage,
        name,
        of: StageOf::Circuit,
        is_limited: false,
        may_leave_named: false,
        conditions: &[],
        amounts: &[],
    }
}

const fn program(stage: StageName, name: &'static str) -> Entry {
    Entry {
        of: StageOf::Program,
        ..circuit(stage, name)
    }
}

const OF_PATHS: &[Amount] = &[
    Amount::PathsTo,
    Amount::PathsFirst,
    Amount::Iterations,
    Amount::IterationsTo,
    Amount::Growth,
    Amount::Decided,
    Amount::Depth,
];

const OF_INVARIANTS: &[Amount] = &[
    Amount::Search,
    Amount::SearchWithCandidates,
    Amount::LinearShare,
    Amount::RelationsShare,
    Amount::LinearTo,
    Amount::SampledTo,
];

/// All stages, in the order of [`StageName`].
#[rustfmt::skip]
const TABLE: [Entry; 43] = [
    circuit(StageName::Rounds, "rounds").sets(&[Amount::First, Amount::Growth, Amount::EqualFrom]),
    circuit(StageName::Induction, "induction").limited().on(&[Condition::BadsFrom]).sets(&[Amount::WithoutProof, Amount::WithoutProofAlone, Amount::CapAlone]),
    circuit(StageName::ReduceTogether, "reduce-together").limited().on(&[Condition::BadsFrom]),
    circuit(StageName::SearchTogether, "search-together").limited().on(&[Condition::BadsFrom, Condition::OverlapFrom]).sets(&[Amount::SharesTo]),
    circuit(StageName::OtherBads, "other-bads"),
    circuit(StageName::FirstSteps, "first-steps").limited().sets(&[Amount::AndsFrom, Amount::StepsTo, Amount::Evaluations, Amount::SimulatedTo]),
    circuit(StageName::Slices, "slices").limited().sets(&[Amount::FirstShare, Amount::FirstCap, Amount::SimulationShare, Amount::SimulationCap, Amount::Evaluations, Amount::SimulatedTo]),
    circuit(StageName::Isomorphic, "isomorphic").limited(),
    circuit(StageName::Reads, "reads").limited(),
    circuit(StageName::Operators, "operators").limited(),
    circuit(StageName::Predicates, "predicates").limited(),
    circuit(StageName::Words, "words"),
    circuit(StageName::FewWords, "few-words").limited().sets(&[Amount::FirstShare, Amount::FirstCap, Amount::BitsFrom]),
    circuit(StageName::Chains, "chains").limited(),
    circuit(StageName::Memories, "memories"),
    circuit(StageName::MemoryJustice, "memory-justice").limited(),
    program(StageName::ProgramRounds, "rounds").sets(&[Amount::First, Amount::Growth]),
    program(StageName::Tests, "tests").limited().sets(&[Amount::Unlimited]),
    program(StageName::OpenCopies, "open-copies").limited(),
    program(StageName::Unwind, "unwind").sets(&[Amount::PutOffBelow, Amount::PutOffConflicts, Amount::DecidedFirst, Amount::Decided, Amount::Depth]),
    program(StageName::Paths, "paths").limited().sets(OF_PATHS),
    program(StageName::Loops, "loops").sets(&[Amount::DecidedTo, Amount::Printed]),
    program(StageName::Run, "run").on(&[Condition::After, Condition::Rest]),
    program(StageName::Objects, "objects"),
    program(StageName::Elements, "elements").sets(&[Amount::DecidedTo]),
    program(StageName::Procedures, "procedures").sets(&[Amount::Iterations, Amount::IterationsTo, Amount::DecidedTo, Amount::DepthTo, Amount::OutlinesTo]),
    program(StageName::TailCalls, "tail-calls"),
    program(StageName::EnginePaths, "engine-paths").sets(OF_PATHS),
    program(StageName::EngineTailCalls, "engine-tail-calls").limited(),
    program(StageName::EngineProcedures, "engine-procedures").limited().sets(&[Amount::QueriesFirst, Amount::QueriesTo]),
    program(StageName::EngineElements, "engine-elements").limited().sets(&[Amount::LargeFrom, Amount::FirstShare, Amount::FirstCap]),
    program(StageName::EngineInvariants, "engine-invariants").limited().sets(&[Amount::FirstShare, Amount::FirstCap, Amount::Search, Amount::SearchWithCandidates, Amount::LinearShare, Amount::RelationsShare, Amount::LinearTo, Amount::SampledTo]),
    program(StageName::EngineRecent, "engine-recent").limited().sets(&[Amount::FirstShare, Amount::FirstCap, Amount::Indices, Amount::IndicesTo, Amount::Growth]),
    program(StageName::Explicit, "explicit").limited().before_line_ups(),
    program(StageName::Unfolding, "unfolding").limited().before_line_ups(),
    program(StageName::Unfolded, "unfolded").limited(),
    program(StageName::Domains, "domains").limited().before_line_ups().on(&[Condition::SavedFrom]),
    program(StageName::Invariants, "invariants").before_line_ups().sets(OF_INVARIANTS),
    program(StageName::Strengthened, "strengthened").limited(),
    program(StageName::Signals, "signals").limited().before_line_ups().on(&[Condition::NodesTo]),
    program(StageName::ElementPairs, "element-pairs").limited(),
    program(StageName::DerivedElements, "derived-elements").limited(),
    program(StageName::ElementPaths, "element-paths").limited().sets(&[Amount::StepsTo]),
];

impl StageName {
    /// All stages, in the order of [`StageName`].
    pub const ALL: [Self; TABLE.len()] = {
        let mut all = [Self::Rounds; TABLE.len()];
        let mut place = 0;
        while place < TABLE.len() {
            all[place] = TABLE[place].stage;
            place += 1;
        }
        all
    };

    fn entry(self) -> &'static Entry {
        const ENTRIES: &[Entry] = &TABLE;
        let entry = &ENTRIES[self as usize];
        debug_assert!(entry.stage == self, "the table has the order of the stages");
        entry
    }

    /// The name in a schedule, and in reports about who has decided.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.entry().name
    }

    /// The kind of question that it is for.
    #[must_use]
    pub fn of(self) -> StageOf {
        self.entry().of
    }

    /// Whether a row may set its share and its cap.
    #[must_use]
    pub fn is_limited(self) -> bool {
        self.entry().is_limited
    }

    /// Whether a row may say that it is for line-ups only (`for-named = false`).
    #[must_use]
    pub fn may_leave_named(self) -> bool {
        self.entry().may_leave_named
    }

    /// The conditions that a row may set.
    #[must_use]
    pub fn conditions(self) -> &'static [Condition] {
        self.entry().conditions
    }

    /// The amounts that a row may set.
    #[must_use]
    pub fn amounts(self) -> &'static [Amount] {
        self.entry().amounts
    }
}
