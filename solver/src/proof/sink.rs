//! The interface by which a search reports original, derived and deleted clauses.

use crate::cnf::Label;
use crate::lit::Lit;

/// The number of a clause in a proof. Numbers are given out in increasing order, starting with 1 (as
/// LRAT and TraceCheck number clauses), to original and derived clauses alike; a derived clause's
/// antecedents have smaller numbers than itself.
pub type ClauseId = u32;

/// Receives a proof during the search.
///
/// A sink is a type parameter of the solver, not a trait object, so that a search with [`NoProof`]
/// compiles to code without any recording in it. [`Traced`](super::Traced) makes a sink of a trait object.
pub trait ProofSink {
    /// Whether anything is recorded. If `false`, the search neither numbers clauses nor collects antecedents.
    const ENABLED: bool;

    /// Whether antecedents are needed; DRAT needs none.
    const ANTECEDENTS: bool;

    /// Whether the proof may define new variables, so that it is not a proof by resolution alone.
    fn has_definitions(&self) -> bool {
        false
    }

    /// Whether an original clause may come after a derived one. In a file with the proof of a given formula it has no place.
    const LATE_ORIGINALS: bool = true;

    /// An original clause, exactly as it was added (literals may repeat or clash).
    fn original(&mut self, id: ClauseId, lits: &[Lit], label: Label);

    /// A derived clause.
    ///
    /// `antecedents` is a regular input resolution: the first clause is resolved with the second, the
    /// resolvent with the third, and so on. Each step clashes in exactly one variable, and the last resolvent
    /// is exactly `lits` as a set. (In reverse order, the antecedents are LRAT hints.) A chain of one
    /// antecedent is a copy, as for an original clause with a repeated literal.
    ///
    /// An empty `lits` ends a refutation. With assumptions, the last derived clause consists of
    /// negated assumptions.
    fn derived(&mut self, id: ClauseId, lits: &[Lit], antecedents: &[ClauseId]);

    /// A definition of a variable that no clause has mentioned so far: `!defined` is the conjunction of the factors, in the
    /// clauses `defined | factor`, one for each, and `!defined | !factor | ..`, numbered from `first` in this order. Only if
    /// [`ProofSink::has_definitions`].
    fn defined(&mut self, first: ClauseId, defined: Lit, factors: &[Lit]) {
        unreachable!(
            "clauses from {first} define {defined:?} by {factors:?}, which this proof does not allow"
        );
    }

    /// The search has deleted a clause and will not use it as an antecedent again. `lits` are the literals
    /// that were reported with the clause, with the same multiplicity; their order may differ.
    fn deleted(&mut self, id: ClauseId, lits: &[Lit]);

    /// Whether the sink could not store a report, so that it has no complete refutation from then on. The
    /// search then answers [`Answer::Unknown`](crate::Answer::Unknown) instead of `Unsatisfiable`.
    fn is_full(&self) -> bool {
        false
    }
}

/// The sink for a search without a proof: every call compiles to nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoProof;

impl ProofSink for NoProof {
    const ENABLED: bool = false;
    const ANTECEDENTS: bool = false;

    #[inline(always)]
    fn original(&mut self, _: ClauseId, _: &[Lit], _: Label) {}

    #[inline(always)]
    fn derived(&mut self, _: ClauseId, _: &[Lit], _: &[ClauseId]) {}

    #[inline(always)]
    fn deleted(&mut self, _: ClauseId, _: &[Lit]) {}
}

impl<P: ProofSink> ProofSink for &mut P {
    const ENABLED: bool = P::ENABLED;
    const ANTECEDENTS: bool = P::ANTECEDENTS;

    fn has_definitions(&self) -> bool {
        (**self).has_definitions()
    }

    fn original(&mut self, id: ClauseId, lits: &[Lit], label: Label) {
        (**self).original(id, lits, label);
    }

    fn derived(&mut self, id: ClauseId, lits: &[Lit], antecedents: &[ClauseId]) {
        (**self).derived(id, lits, antecedents);
    }

    fn defined(&mut self, first: ClauseId, defined: Lit, factors: &[Lit]) {
        (**self).defined(first, defined, factors);
    }

    fn deleted(&mut self, id: ClauseId, lits: &[Lit]) {
        (**self).deleted(id, lits);
    }

    fn is_full(&self) -> bool {
        (**self).is_full()
    }
}
