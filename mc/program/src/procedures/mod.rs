//! Summaries of recursive procedures: relations between the state at the entry and the state at the exit.
//!
//! A [`Procedures`] is a program whose calls within a recursion are edges: a body is a formula over the words at its
//! entry, and over the words that each of its calls returns. A [`Summary`] of a procedure has conditions on its entry
//! (it requires them) and conditions that relate entry and exit (it ensures them). Summaries are inductive if, where
//! all calls in a body satisfy them, each call of the body starts in a state that its callee requires, and the body
//! ends in a state that it ensures. They prove the program if no body can fail then. By induction on the steps of a
//! run, no call fails in a run of any depth.
//!
//! Candidates for the conditions come from templates over words (`templates.rs`), from equalities that are fitted to
//! samples of calls (`fitted.rs`), and from tree interpolants of the
//! refutation of an inlined call tree (`call_tree.rs`; K. L. McMillan and A. Rybalchenko, "Solving constrained Horn
//! clauses using interpolation", 2013): the interpolant of a call against the rest of the tree is what the rest needs
//! of it, as in section 5 of K. L. McMillan, "Lazy annotation for program testing and verification", CAV 2010, where
//! the label of a callee's exit blocks its return in other states. Of all candidates, the greatest inductive subset
//! is kept (`inductive.rs`; C. Flanagan and K. R. M. Leino, "Houdini, an annotation assistant for ESC/Java", FME
//! 2001).
//!
//! A body may leave out runs, of loops that were not unrolled far enough ([`Body::is_complete`]). Summaries are only
//! a conjecture then, and in any case the caller has to check them.

mod annotate;
mod call_tree;
mod fitted;
mod formula;
mod idle;
mod inductive;
mod samples;
mod search;
mod templates;
#[cfg(test)]
mod tests;

use craig_model::Stop;
use craig_word::{Term, Terms};

pub use annotate::{Annotated, Annotation, BodyRun, CallRuns};
pub use search::{Found, Search};

/// A program with calls as edges. All terms are of one arena.
pub struct Procedures {
    /// The arena.
    pub terms: Terms,
    /// The code outside of all procedures.
    pub root: Body,
    /// The procedures that calls lead to.
    pub procedures: Vec<Procedure>,
    /// Constants that may occur in conditions, each with its width.
    pub constants: Vec<(u128, u32)>,
}

/// A procedure.
pub struct Procedure {
    /// The words at its entry: variables.
    pub entry: Vec<SummaryWord>,
    /// The words at its exit: variables that occur in summaries only.
    pub exit: Vec<SummaryWord>,
    /// Its code.
    pub body: Body,
}

/// A variable of summaries.
#[derive(Clone, Copy, Debug)]
pub struct SummaryWord {
    /// The variable.
    pub term: Term,
    /// Whether its values are ordered as signed numbers.
    pub is_signed: bool,
}

/// The code of a procedure without that of its callees.
pub struct Body {
    /// The calls, in an order in which each comes after those that its words depend on.
    pub calls: Vec<CallEdge>,
    /// The condition that the body returns.
    pub returns: Term,
    /// The values of the words at the exit, if it returns; empty for the root.
    pub exit: Vec<Term>,
    /// The condition that the body itself fails.
    pub fails: Term,
    /// Whether no run is left out.
    pub is_complete: bool,
}

/// A call in a body.
pub struct CallEdge {
    /// The index of the procedure.
    pub callee: usize,
    /// The condition that the call is reached.
    pub guard: Term,
    /// The values of the callee's words at its entry.
    pub entry: Vec<Term>,
    /// A variable: the call returns. It is in the conditions of all that comes after the call.
    pub returns: Term,
    /// Variables: the callee's words at its exit.
    pub exit: Vec<Term>,
}

/// A summary of one procedure, in terms over its words at entry and exit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Conditions on the entry of all calls.
    pub requires: Vec<Term>,
    /// Conditions on the entry and the exit of calls that return.
    pub ensures: Vec<Term>,
}

impl Procedures {
    /// The bodies of the root (`None`) and of the procedures.
    fn bodies(&self) -> impl Iterator<Item = (Option<usize>, &Body)> {
        let procedures = self.procedures.iter().enumerate();
        std::iter::once((None, &self.root))
            .chain(procedures.map(|(index, procedure)| (Some(index), &procedure.body)))
    }

    fn body(&self, of: Option<usize>) -> &Body {
        of.map_or(&self.root, |index| &self.procedures[index].body)
    }

    /// A run that fails, if one of a few with small values does.
    #[must_use]
    pub fn failing_run(&self, stop: &Stop) -> Option<CallRuns> {
        samples::failing_run(self, stop)
    }

    /// Whether no body leaves out runs.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.bodies().all(|(_, body)| body.is_complete)
    }
}
