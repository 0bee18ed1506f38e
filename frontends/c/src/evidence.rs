//! The checked evidence for a safe program, in forms that other checkers read.

use std::sync::Arc;

use craig_mc::{Certificate, Model};
use craig_solver::Cnf;
use craig_solver::proof::ProofDag;

/// Why a program is safe.
#[derive(Clone, Debug)]
pub struct Safety {
    /// A description.
    pub text: String,
    /// The evidence in machine-readable form.
    pub evidence: Evidence,
}

/// Evidence in machine-readable form.
#[derive(Clone, Debug)]
pub enum Evidence {
    /// No error remains after simplification: there is nothing to check.
    None,
    /// The formula that some path of the unrolled program reaches an error, an unsupported construct or the
    /// bound; and its refutation.
    Refutation(Arc<(Cnf, ProofDag)>),
    /// The single-loop program, and a certificate of it; its invariants for the loops of the source.
    Certificate(Arc<(Model, Certificate)>, Vec<LoopInvariant>),
}

/// An invariant of a loop: at the evaluation of the condition, or where the body of a `do` loop begins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoopInvariant {
    /// The file.
    pub file: String,
    /// Whether it is one of a loop's condition; the position is that of the loop's keyword then, and else that of
    /// the statement or declaration before which it holds.
    pub is_of_condition: bool,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
    /// The function.
    pub function: String,
    /// A C expression over variables that are in scope at the loop.
    pub value: String,
}

impl From<String> for Safety {
    fn from(text: String) -> Self {
        Self {
            text,
            evidence: Evidence::None,
        }
    }
}
