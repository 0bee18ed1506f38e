//! Errors in a proof.

use crate::lit::Lit;
use crate::proof::sink::ClauseId;

/// An error in a proof. Clauses are named by their numbers: those of vertices in a DAG, those of the proof
/// elsewhere.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CheckError {
    /// A step uses a clause that does not exist, not yet, or no longer.
    #[error("step {step}: there is no clause {clause} here")]
    UnknownClause {
        /// The clause being derived.
        step: ClauseId,
        /// The clause that it is said to be derived from.
        clause: ClauseId,
    },
    /// Two clauses with the same number.
    #[error("clause {0} is there already")]
    DuplicateClause(ClauseId),
    /// A deletion of a clause that does not exist.
    #[error("clause {0} is deleted, but is not there")]
    DeletesUnknownClause(ClauseId),
    /// A deletion with other literals than the clause has.
    #[error("clause {0} is deleted with other literals than it has")]
    DeletesOtherLiterals(ClauseId),
    /// A chain without antecedents.
    #[error("step {0}: there are no antecedents")]
    NoAntecedent(ClauseId),
    /// Two clauses without a literal to resolve on.
    #[error("step {step}: clause {antecedent} can't be resolved with what the chain has derived")]
    NoClash {
        /// The clause being derived.
        step: ClauseId,
        /// The antecedent.
        antecedent: ClauseId,
    },
    /// Two clauses whose resolvent is a tautology.
    #[error("step {step}: resolving with clause {antecedent} leaves a clash on {lit:?}")]
    TwoClashes {
        /// The clause being derived.
        step: ClauseId,
        /// The antecedent.
        antecedent: ClauseId,
        /// The literal of the antecedent that clashes besides the pivot.
        lit: Lit,
    },
    /// A resolution on another variable than the stated one.
    #[error("step {step}: clause {antecedent} resolves on {actual:?}, not on {stated:?}")]
    WrongPivot {
        /// The clause being derived.
        step: ClauseId,
        /// The antecedent.
        antecedent: ClauseId,
        /// The pivot that the proof names.
        stated: Lit,
        /// The only pivot that is possible.
        actual: Lit,
    },
    /// An antecedent that contains a literal and its negation.
    #[error("step {step}: clause {antecedent} is a tautology, which no step may use")]
    Tautology {
        /// The clause being derived.
        step: ClauseId,
        /// The antecedent.
        antecedent: ClauseId,
    },
    /// A chain that derives another clause than the one stated.
    #[error("step {0}: the chain derives another clause")]
    OtherClause(ClauseId),
    /// A clause of a DAG that lists a literal twice.
    #[error("clause {0} lists a literal twice")]
    RepeatedLiteral(ClauseId),
    /// A hint that is neither unit nor false under what was propagated so far.
    #[error("step {step}: hint {hint} is not unit")]
    NotUnit {
        /// The clause being derived.
        step: ClauseId,
        /// The clause that the hint names.
        hint: ClauseId,
    },
    /// Hints that end without a conflict.
    #[error("step {0}: the hints lead to no conflict")]
    NoConflict(ClauseId),
    /// A definition whose variable occurs in other clauses, or one of whose factors has a variable twice.
    #[error("clauses from {0} on define no new variable")]
    NoDefinition(ClauseId),
    /// A clause with the negation of a RAT step's first literal for which the step has no hint.
    #[error(
        "step {step}: there is no hint for clause {clause}, which contains the negation of the first literal"
    )]
    NoRatHint {
        /// The clause being added.
        step: ClauseId,
        /// The clause without a hint.
        clause: ClauseId,
    },
    /// A variable that the formula does not have.
    #[error("clause {clause}: the formula has no variable for {lit:?}")]
    UnknownVariable {
        /// The clause that has the literal.
        clause: ClauseId,
        /// The literal.
        lit: Lit,
    },
    /// A leaf that is no clause of the formula with that label.
    #[error("leaf {0} is no clause of the formula")]
    NoSuchLeaf(ClauseId),
    /// The caller requested the end.
    #[error("stopped before the end")]
    Stopped,
    /// More literals than the checker can number.
    #[error("the proof has more than 2^32 live literals")]
    TooLarge,
}
