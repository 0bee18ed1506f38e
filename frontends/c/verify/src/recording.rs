//! A solver that records its proof, and keeps its clauses, as long as the records are not too large.

use craig_solver::encode::ClauseSink;
use craig_solver::proof::{ClauseId, ProofLog, ProofSink};
use craig_solver::{Cnf, Label, Lit, Options, Solver, Var};

/// The limit of the records in words of four bytes. An unrolled program whose proof is longer is solved once more as a whole, with
/// a proof.
const MAX_WORDS: usize = 1 << 25;

/// A proof log until it is full, and nothing after that.
pub(crate) struct Log(Option<ProofLog>);

impl Log {
    /// Reports to the log, and drops it if that does not fit.
    #[inline]
    fn report(&mut self, report: impl FnOnce(&mut ProofLog)) {
        if let Some(log) = &mut self.0 {
            report(log);
            if log.is_full() {
                self.0 = None;
            }
        }
    }
}

impl ProofSink for Log {
    const ENABLED: bool = true;
    const ANTECEDENTS: bool = true;

    fn original(&mut self, id: ClauseId, lits: &[Lit], label: Label) {
        self.report(|log| log.original(id, lits, label));
    }

    fn derived(&mut self, id: ClauseId, lits: &[Lit], antecedents: &[ClauseId]) {
        self.report(|log| log.derived(id, lits, antecedents));
    }

    fn deleted(&mut self, id: ClauseId, lits: &[Lit]) {
        self.report(|log| log.deleted(id, lits));
    }
}

/// A solver with its proof and the clauses that it was given.
pub(crate) struct Recorder {
    pub(crate) solver: Solver<Log>,
    /// The clauses; those after the log was dropped are missing.
    clauses: Cnf,
}

impl Recorder {
    /// A solver whose records have a usual limit.
    pub(crate) fn new() -> Self {
        Self::with_limit(MAX_WORDS)
    }

    /// A solver whose records have at most `words` words.
    pub(crate) fn with_limit(words: usize) -> Self {
        let mut log = ProofLog::new();
        log.limit_words(words);
        Self {
            solver: Solver::with_proof(Options::default(), Log(Some(log))),
            clauses: Cnf::new(),
        }
    }

    /// The proof so far and all clauses, unless the proof was dropped.
    pub(crate) fn recorded(&self) -> Option<(&ProofLog, &Cnf)> {
        let log = self.solver.proof().0.as_ref()?;
        Some((log, &self.clauses))
    }
}

impl ClauseSink for Recorder {
    fn new_var(&mut self) -> Var {
        let var = self.solver.new_var();
        self.clauses.reserve_vars(var.index() + 1);
        var
    }

    fn add_clause(&mut self, lits: &[Lit]) {
        self.solver.add_clause(lits);
        match self.solver.proof().0 {
            Some(_) => self.clauses.add_clause(lits),
            None => self.clauses = Cnf::new(),
        }
    }
}
