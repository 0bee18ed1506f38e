//! What a search tells about the clauses that it is given, derives and forgets.

use crate::cnf::Label;
use crate::lit::Lit;

/// The number of a clause in a proof. Numbers are given out in increasing order, starting with 1 (as
/// LRAT and TraceCheck number clauses), to original and derived clauses alike; a derived clause's
/// antecedents have smaller numbers than itself.
pub type ClauseId = u32;

/// Receives a proof while the search goes on.
///
/// A sink is a type parameter of the solver, not a trait object, so that a search with [`NoProof`]
/// compiles to code without any recording in it.
pub trait ProofSink {
    /// Whether anything is to be recorded at all. Where this is `false`, the search neither numbers
    /// clauses nor collects antecedents.
    const ENABLED: bool;

    /// Whether antecedents are needed (DRAT, for one, does without).
    const ANTECEDENTS: bool;

    /// An original clause, exactly as it was added (literals may repeat or clash).
    fn original(&mut self, id: ClauseId, lits: &[Lit], label: Label);

    /// A derived clause.
    ///
    /// `antecedents` is a regular input resolution: the first clause is resolved with the second, the
    /// resolvent with the third, and so on. Each step clashes in exactly one variable, and
    /// what comes out at the end is exactly `lits` as a set. (Read backwards, the antecedents are the hints
    /// that LRAT wants.) A chain of one antecedent is a copy, as for an original clause with a literal twice.
    ///
    /// An empty `lits` ends a refutation. With assumptions, the last derived clause consists of
    /// negated assumptions.
    fn derived(&mut self, id: ClauseId, lits: &[Lit], antecedents: &[ClauseId]);

    /// The search has forgotten a clause and will not use it as an antecedent again. `lits` are those that
    /// the clause had when it was reported, each as often as then; their order may differ.
    fn deleted(&mut self, id: ClauseId, lits: &[Lit]);

    /// Whether the sink had no room for something that was reported, so that no refutation can be taken from
    /// it any more. The search then answers [`Answer::Unknown`](crate::Answer::Unknown) instead of
    /// `Unsatisfiable`.
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
