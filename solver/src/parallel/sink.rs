//! The proof of one search among several.

use crate::cnf::{Cnf, Label};
use crate::lit::Lit;
use crate::proof::{
    ClauseId, NoProof, Part, ProofDag, ProofLog, ProofSink, Source, TrimError, join,
};

/// What a sink has to do besides, if searches exchange clauses.
pub(super) trait SharedSink: ProofSink + Clone + Default + Send + 'static {
    /// Others may use the clause from now on: its record stays, even if the search deletes it.
    fn share(&mut self, id: ClauseId);

    /// Clause number `id` is a clause of another search.
    fn import(&mut self, id: ClauseId, lits: &[Lit], source: Source);

    /// One proof of clause `root` of the search `winner`, as a function of the formula alone; `None` if nothing was
    /// recorded.
    fn join(
        sinks: &[Self],
        root: (usize, ClauseId),
        cnf: &Cnf,
        label: impl Fn(usize) -> Label,
        is_asked: impl FnMut() -> bool,
    ) -> Result<Option<ProofDag>, TrimError>;
}

impl SharedSink for NoProof {
    fn share(&mut self, _: ClauseId) {}

    fn import(&mut self, _: ClauseId, _: &[Lit], _: Source) {}

    fn join(
        _: &[Self],
        _: (usize, ClauseId),
        _: &Cnf,
        _: impl Fn(usize) -> Label,
        _: impl FnMut() -> bool,
    ) -> Result<Option<ProofDag>, TrimError> {
        Ok(None)
    }
}

/// The log of a search that exchanges clauses.
///
/// # Memory
/// A clause that was offered keeps its record and those of its ancestors until the end, since any search may have
/// taken it.
#[derive(Clone, Debug, Default)]
pub(super) struct SharedLog {
    log: ProofLog,
    /// By label of an imported clause.
    imports: Vec<Source>,
    /// By number: whether the clause was offered.
    offered: Vec<u64>,
}

impl SharedLog {
    fn is_offered(&self, id: ClauseId) -> bool {
        let word = self.offered.get(id as usize / 64);
        word.is_some_and(|word| word >> (id % 64) & 1 != 0)
    }
}

impl ProofSink for SharedLog {
    const ENABLED: bool = true;
    const ANTECEDENTS: bool = true;

    #[inline]
    fn original(&mut self, id: ClauseId, lits: &[Lit], label: Label) {
        self.log.original(id, lits, label);
    }

    #[inline]
    fn derived(&mut self, id: ClauseId, lits: &[Lit], antecedents: &[ClauseId]) {
        self.log.derived(id, lits, antecedents);
    }

    #[inline]
    fn deleted(&mut self, id: ClauseId, lits: &[Lit]) {
        if !self.is_offered(id) {
            self.log.deleted(id, lits);
        }
    }

    fn is_full(&self) -> bool {
        self.log.is_full()
    }
}

impl SharedSink for SharedLog {
    fn share(&mut self, id: ClauseId) {
        let word = id as usize / 64;
        if word >= self.offered.len() {
            self.offered.resize(word + 1, 0);
        }
        self.offered[word] |= 1 << (id % 64);
    }

    fn import(&mut self, id: ClauseId, lits: &[Lit], source: Source) {
        let label = self.imports.len() as Label;
        self.imports.push(source);
        self.log.original(id, lits, label);
    }

    fn join(
        sinks: &[Self],
        root: (usize, ClauseId),
        cnf: &Cnf,
        label: impl Fn(usize) -> Label,
        is_asked: impl FnMut() -> bool,
    ) -> Result<Option<ProofDag>, TrimError> {
        let parts: Vec<Part<'_>> = sinks
            .iter()
            .map(|sink| Part {
                log: &sink.log,
                imports: &sink.imports,
            })
            .collect();
        join(&parts, root, cnf.n_clauses(), label, is_asked).map(Some)
    }
}
