//! The parts of the portfolio, by name.

/// A part of the portfolio that studies leave out, to see what it brings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Word-level invariants, which prove programs or strengthen the transition system.
    Invariants,
    /// Explicit states of event loops.
    Explicit,
    /// The engines on the automaton of an event loop unfolded over its status words.
    Unfolding,
    /// The engines on the automaton with indices for words of few values.
    Domains,
    /// PDR with predicates over words.
    Signals,
    /// Unrolling.
    Unwind,
    /// The engines on the single-loop program.
    Loops,
    /// One tracked element of each array.
    Elements,
    /// One followed object of each allocation in a loop.
    Objects,
    /// The run of programs whose control flow depends on no input.
    Run,
    /// Recursive programs with tail calls as loops, or with other calls that return any value.
    Summaries,
    /// Summaries of the functions of a recursion.
    Procedures,
}

impl Part {
    /// All parts.
    pub const ALL: [Self; 12] = [
        Self::Invariants,
        Self::Explicit,
        Self::Unfolding,
        Self::Domains,
        Self::Signals,
        Self::Unwind,
        Self::Loops,
        Self::Elements,
        Self::Objects,
        Self::Run,
        Self::Summaries,
        Self::Procedures,
    ];

    /// Its name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Invariants => "invariants",
            Self::Explicit => "explicit",
            Self::Unfolding => "unfolding",
            Self::Domains => "domains",
            Self::Signals => "signals",
            Self::Unwind => "unwind",
            Self::Loops => "loops",
            Self::Elements => "elements",
            Self::Objects => "objects",
            Self::Run => "run",
            Self::Summaries => "summaries",
            Self::Procedures => "procedures",
        }
    }
}
