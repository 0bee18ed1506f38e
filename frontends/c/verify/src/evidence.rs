//! The checked evidence for a safe program, in forms that other checkers read.

use std::fmt;
use std::sync::Arc;

use craig_c_files::witness::LoopInvariant;
use craig_solver::Cnf;
use craig_solver::proof::ProofDag;
use craig_verify::Proven;

/// Why a program is safe.
#[derive(Clone, Debug)]
pub struct Safety {
    /// A description.
    pub text: String,
    /// The evidence in machine-readable form.
    pub evidence: Evidence,
    /// What a proof with followed elements says about all elements of arrays, as far as that has a form in C; `None` for
    /// other proofs.
    pub elements: Option<Vec<ElementInvariant>>,
    /// The engine that found a certificate, which need not be the one that was asked for.
    pub found_by: Option<&'static str>,
}

/// Evidence in machine-readable form.
#[derive(Clone, Debug)]
pub enum Evidence {
    /// No error remains after simplification: there is nothing to check.
    None,
    /// The formula that some path of the unrolled program reaches an error, an unsupported construct or the
    /// bound; and its refutation.
    Refutation(Arc<(Cnf, ProofDag)>),
    /// The proof about an automaton's circuit, certified on that; its invariants for the loops of the source.
    Certificate(Proven, Vec<LoopInvariant>),
}

/// The place of a call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CallPlace {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
    /// The function that calls.
    pub function: String,
}

impl fmt::Display for CallPlace {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            file,
            line,
            column,
            function,
        } = self;
        write!(formatter, "{file}:{line}:{column} {function}")
    }
}

/// What holds of all elements of arrays at a loop, as an implication.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ElementInvariant {
    /// The file.
    pub file: String,
    /// The line of the loop, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
    /// The function.
    pub function: String,
    /// If the function is called in several ways, the call of it in which this holds, the call of the function around that,
    /// and so on.
    pub calls: Vec<CallPlace>,
    /// For which indices it holds: `k` and `l`, or `k1`, `l1` and so on if the program has these names. They are numbers of
    /// type `unsigned` of elements that the arrays have.
    pub scope: String,
    /// The condition under which it holds: a C expression over the indices and the variables in scope.
    pub premise: Option<String>,
    /// A C expression over these and elements.
    pub value: String,
}

impl fmt::Display for ElementInvariant {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: ", self.scope)?;
        if let Some(premise) = &self.premise {
            write!(formatter, "{premise} ==> ")?;
        }
        write!(formatter, "{}", self.value)
    }
}

impl From<String> for Safety {
    fn from(text: String) -> Self {
        Self {
            text,
            evidence: Evidence::None,
            elements: None,
            found_by: None,
        }
    }
}
