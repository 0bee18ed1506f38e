//! One formula, several searches on threads that exchange clauses, and one proof.
//!
//! The searches start from the same clauses and differ in their options (`vary`). A search offers its short learned
//! clauses and all literals that it has fixed; at restarts it adds what the others have offered. Clauses go through
//! bounded rings that nobody waits for (`ring`), or, if the result has to be reproducible, change hands when all have
//! done an equal amount of work (`rounds`).
//!
//! ```
//! use std::num::NonZeroUsize;
//!
//! use craig_solver::parallel::{Control, Settings, solve};
//! use craig_solver::proof::check;
//! use craig_solver::{Answer, Cnf, Var};
//!
//! // Three pigeons, two holes.
//! let sits = |pigeon: usize, hole: usize| Var::new(2 * pigeon + hole).positive();
//! let mut cnf = Cnf::new();
//! for pigeon in 0..3 {
//!     cnf.add_clause(&[sits(pigeon, 0), sits(pigeon, 1)]);
//!     for other in 0..pigeon {
//!         for hole in 0..2 {
//!             cnf.add_labelled_clause(&[!sits(pigeon, hole), !sits(other, hole)], 1);
//!         }
//!     }
//! }
//! let settings = Settings {
//!     workers: NonZeroUsize::new(2).unwrap(),
//!     proof: true,
//!     ..Settings::default()
//! };
//! let found = solve(&cnf, &[], &settings, &Control::default())?;
//! assert_eq!(found.answer, Answer::Unsatisfiable);
//! let proof = found.refutation.expect("the proof was asked for");
//! assert!(proof.is_refutation());
//! check::check_dag(&proof)?;
//! check::check_leaves(&proof, &cnf)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Why a search may use the clauses of another one
//!
//! Let F be the formula. *Every clause that a search has follows from F*: it is an original clause, an import, or
//! derived from clauses that it has by resolution, which is all that the search and inprocessing do (the proof allows
//! nothing else). By induction over the time at which clauses are added in all searches together, this includes
//! imports. So an exported clause follows from F. It does not matter what the exporter has removed, because a
//! consequence of some of the clauses is a consequence of all. A technique that adds clauses which do not
//! follow from F (a definition of a new variable, a blocked clause that was added) must not run in a search that is
//! connected to others.
//!
//! An importer may have eliminated or substituted variables. Then its irredundant clauses G are not equivalent
//! to F, but to F with these variables E quantified existentially: G follows from F, and each model of G can be
//! extended to one of F. An import C that follows from F and mentions no variable of E follows from G as well:
//! take a model of G; with other values for E it is a model of F, so of C; but C does not depend on E. Hence C
//! is a redundant clause of the importer as its learned clauses are, and may do all that they may: be removed
//! at any time, or become irredundant because it subsumes a clause. A clause that mentions a variable of E is
//! refused. A variable that is eliminated later takes the redundant clauses that mention it along, imports as
//! well as learned ones. (If G came from removing clauses that are blocked or covered, a model of G would still
//! extend to one of F, but by changing values of variables that G has. C need not follow from G then. A
//! refutation of G and C is one of F anyway, as both follow from F, and a model of G and C is one of G, which
//! extends; but C must not become irredundant then.)
//!
//! So the answer of any search is the answer of F. Assumptions do not change this: learned clauses follow from
//! the clauses alone.
//!
//! # One proof
//!
//! Each search logs its proof under numbers of its own. The log of an import has the search and the number that
//! it comes from. What the winner's last clause needs is collected through all logs and put in one order
//! (`proof::join`), so the result is trimmed, and its deletions are those of a trimmed proof.

pub mod cubes;
mod port;
mod ring;
mod rounds;
mod run;
mod sink;
#[cfg(test)]
mod tests;
mod units;
mod vary;

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64};

pub use crate::cdcl::Traffic;
use crate::cdcl::{Answer, Limits, Options, Statistics, UnknownReason};
use crate::lit::Lit;
use crate::proof::{ProofDag, TrimError};
pub use run::solve;

/// How to search.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The number of searches, each on a thread.
    pub workers: NonZeroUsize,
    /// Whether the answer, the model and the proof depend on the formula and the settings alone, and not on the speed
    /// of the threads. Searches then wait for each other.
    pub deterministic: bool,
    /// The options of the first search. The others vary them.
    pub options: Options,
    /// The limits of each search.
    pub limits: Limits,
    /// Whether to record the proof.
    pub proof: bool,
    /// The labels of the proof's leaves.
    pub leaves: Leaves,
    /// What is exchanged, and when.
    pub tuning: Tuning,
}

impl Default for Settings {
    /// One search for each processor, without a proof.
    fn default() -> Self {
        Self {
            workers: std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN),
            deterministic: false,
            options: Options::default(),
            limits: Limits::default(),
            proof: false,
            leaves: Leaves::Labels,
            tuning: Tuning::default(),
        }
    }
}

/// What the label of a leaf of the proof is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaves {
    /// The label of the clause in the formula, as interpolation needs it.
    Labels,
    /// The position of the clause in the formula, as files need it.
    Positions,
}

/// What is exchanged, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tuning {
    /// Clauses with a larger glue are not offered, unless they have two literals.
    pub max_glue: u32,
    /// Larger clauses are not offered.
    pub max_size: u32,
    /// The size of a search's ring in words of four bytes; a clause takes three and one for each literal.
    pub ring_words: usize,
    /// The fewest conflicts between two exchanges at restarts.
    pub interval: u64,
    /// After this many conflicts without a restart, a search exchanges clauses anyway.
    pub latest: u64,
    /// The ticks of a round, with [`Settings::deterministic`].
    pub round_ticks: u64,
    /// The most clauses that a search offers in a round, with [`Settings::deterministic`].
    pub max_round_offers: usize,
}

impl Default for Tuning {
    fn default() -> Self {
        Self {
            max_glue: 4,
            max_size: 24,
            ring_words: 1 << 18,
            interval: 100,
            latest: 1000,
            round_ticks: 2_000_000,
            max_round_offers: 1000,
        }
    }
}

/// What other threads share with the searches.
#[derive(Clone, Debug, Default)]
pub struct Control {
    /// Ends all searches when it is set.
    pub interrupt: Arc<AtomicBool>,
    /// The conflicts of all searches so far.
    pub conflicts: Arc<AtomicU64>,
}

/// The result of several searches.
#[derive(Clone, Debug)]
pub struct Found {
    /// The answer.
    pub answer: Answer,
    /// Why there is no answer.
    pub reason: Option<UnknownReason>,
    /// The number of the search that has found the answer.
    pub winner: Option<usize>,
    /// The values of the variables, by number; of a satisfiable formula. Checked against the formula.
    pub model: Vec<bool>,
    /// Assumptions that are inconsistent with the formula; empty if it is unsatisfiable without them.
    pub failed_assumptions: Vec<Lit>,
    /// The proof of the clause of the negations of [`Found::failed_assumptions`], if it was asked for. `None` if
    /// these are a literal and its negation.
    pub refutation: Option<ProofDag>,
    /// The searches by number.
    pub workers: Vec<Worker>,
}

impl Found {
    /// Without an answer.
    fn unknown(workers: Vec<Worker>) -> Self {
        Self {
            answer: Answer::Unknown,
            reason: None,
            winner: None,
            model: Vec::new(),
            failed_assumptions: Vec::new(),
            refutation: None,
            workers,
        }
    }
}

/// What one of the searches has done.
#[derive(Clone, Debug)]
pub struct Worker {
    /// How it differs from the others.
    pub variation: &'static str,
    /// Its answer; `Unknown` if another one was first.
    pub answer: Answer,
    /// Its counters.
    pub statistics: Statistics,
    /// What it has exchanged.
    pub traffic: Traffic,
    /// The size of its clauses at the end, in bytes.
    pub clause_bytes: usize,
}

/// A failure of several searches. Apart from [`ParallelError::Thread`], each is an error of this crate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ParallelError {
    /// A thread could not be started.
    #[error("a thread can't be started: {0}")]
    Thread(#[from] std::io::Error),
    /// A search has panicked. There is no answer, even if another one has found one.
    #[error("search {0} has panicked")]
    Panicked(usize),
    /// One search has found a model, another one a refutation.
    #[error("the searches contradict each other")]
    Contradiction,
    /// The model does not satisfy the formula.
    #[error("the model of search {0} does not satisfy the formula")]
    WrongModel(usize),
    /// The logs do not contain a proof of the answer.
    #[error("the joined proof is broken: {0}")]
    Proof(#[from] TrimError),
    /// The proof has another root than the answer.
    #[error("the joined proof proves another clause")]
    OtherRoot,
}
