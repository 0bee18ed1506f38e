//! The CDCL search: an incremental solver with assumptions, proofs and inprocessing.
//!
//! [`Solver`] is generic over its [`ProofSink`](crate::proof::ProofSink). Clauses may be added between calls
//! of [`Solver::solve`]; assumptions hold for one call.
//!
//! ```
//! use craig_solver::{Answer, Solver};
//!
//! let mut solver = Solver::new();
//! let (a, b) = (solver.new_var().positive(), solver.new_var().positive());
//! solver.add_clause(&[a, b]);
//! assert_eq!(solver.solve(&[!a]), Answer::Satisfiable);
//! assert_eq!(solver.value(b), Some(true));
//! assert_eq!(solver.solve(&[!a, !b]), Answer::Unsatisfiable);
//! solver.add_clause(&[!b]);
//! solver.add_clause(&[!a]);
//! assert_eq!(solver.solve(&[]), Answer::Unsatisfiable);
//! assert!(solver.is_inconsistent());
//! ```
//!
//! # Proofs
//!
//! With a sink that is enabled, every clause has a number, from 1 in increasing order: an original clause
//! gets the next one when it is added (nothing is derived before the first call of `solve`, so the
//! clauses of a file that are added first are numbered as LRAT requires), a derived
//! one when it is derived. See `chain` for the resolution order of the antecedents.
//!
//! # Files
//!
//! `solver` has the state and the methods for users. The state consists of data that do not depend on the
//! solver, one kind per file: the store (`arena`, `watch`, `chain`, `trail`), the state of one technique each
//! (`analysis`, `decisions`, `phases`, `restarts`, `mode`, `inprocessing`, `extension`, `temporaries`), and
//! the rest in `state`. `one_call` decides a whole formula. All other files are techniques, which add methods to the solver; those that run
//! between phases of search are in `inprocess`.

mod add;
mod analysis;
mod analyze;
mod answer;
mod arena;
mod assume;
mod backtrack;
mod chain;
mod clauses;
mod collect;
mod decide;
mod decisions;
mod derive;
mod ema;
mod exchange;
mod extension;
mod external;
mod heap;
mod inprocess;
mod inprocessing;
mod learned;
mod lucky;
mod minimize;
mod mode;
mod one_call;
mod open_clauses;
mod options;
mod phases;
mod propagate;
mod propagator;
mod queue;
mod reduce;
mod rephase;
mod restart;
mod restarts;
mod rewatch;
mod search;
mod sharing;
mod shrink;
mod simplify;
mod solver;
mod state;
mod statistics;
mod subsume_learned;
mod switch_mode;
mod temporaries;
mod temporary;
mod trail;
mod units;
mod walk;
mod watch;

pub use answer::{Answer, UnknownReason};
pub use learned::LearnCallback;
pub use one_call::{Decided, decide, refute};
pub use options::{Limits, OptionRow, Options};
pub use propagator::{NotConnected, Propagator};
pub use sharing::Traffic;
pub(crate) use sharing::{Exchange, Received, Schedule};
pub use solver::Solver;
pub use state::StopCallback;
pub use statistics::Statistics;
