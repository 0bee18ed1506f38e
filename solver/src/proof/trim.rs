//! Extraction of the proof of one clause from a log: a backward pass marks the needed clauses, a forward pass
//! replays them.

use super::dag::{ChainError, ProofDag, VertexId};
use super::log::{ProofLog, highest, lowest, place};
use super::poll::Poll;
use super::sink::ClauseId;
use crate::lit::Lit;

/// Why a log has no proof of a clause. None of these occurs if the search fulfils the contract of
/// [`ProofSink`](super::ProofSink).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TrimError {
    /// The clause, or one that its derivation needs, was never reported or has been dropped.
    #[error("clause {0} is not in the log")]
    Unknown(ClauseId),
    /// The antecedents of a clause are not a chain of resolutions, or the proof is too large.
    #[error("clause {id} is not derived by its antecedents: {error}")]
    NoChain {
        /// The clause.
        id: ClauseId,
        /// The error in its chain.
        error: ChainError,
    },
    /// A clause that one search has taken from another one is not the clause that this one has derived.
    #[error("clause {0} is not the clause of the other search")]
    OtherClause(ClauseId),
    /// The caller requested the end.
    #[error("stopped before the end")]
    Stopped,
}

impl ProofLog {
    /// The proof of clause `root`, with the clauses that it needs, their literals and pivots. Antecedents
    /// come first and in the order in which the search reported them; a copy is replaced by the copied
    /// clause.
    ///
    /// Linear in the numbers up to `root` (one bit each) and in the literals of the needed clauses.
    ///
    /// # Panics
    /// If [`ProofLog::try_trim`] fails: the log violates the contract of a search, or `root` was dropped.
    #[must_use]
    pub fn trim(&self, root: ClauseId) -> ProofDag {
        match self.try_trim(root) {
            Ok(dag) => dag,
            Err(error) => panic!("the proof log is broken: {error}"),
        }
    }

    /// As [`ProofLog::trim`], with an error for inconsistent logs. Antecedents that clash with nothing are
    /// skipped.
    ///
    /// # Errors
    /// If `root` or a clause below it is unknown, or a chain clashes in more than one variable.
    pub fn try_trim(&self, root: ClauseId) -> Result<ProofDag, TrimError> {
        self.try_trim_until(root, || false)
    }

    /// As [`ProofLog::try_trim`], unless `is_asked` returns `true`. It is called at the start and after each
    /// 10,000 literals and antecedents.
    ///
    /// # Errors
    /// [`TrimError::Stopped`] if it returned `true`, and those of [`ProofLog::try_trim`].
    pub fn try_trim_until(
        &self,
        root: ClauseId,
        is_asked: impl FnMut() -> bool,
    ) -> Result<ProofDag, TrimError> {
        let mut poll = Poll::new(is_asked);
        let needed = self.needed_for(root, &mut poll)?;
        self.replay(&needed, &mut poll)
    }

    /// The clauses below `root`, as a bit set over clause numbers. As antecedents have smaller numbers, one
    /// sweep from `root` downwards visits every user of a clause before the clause.
    fn needed_for<F: FnMut() -> bool>(
        &self,
        root: ClauseId,
        poll: &mut Poll<F>,
    ) -> Result<Vec<u64>, TrimError> {
        if !self.contains(root) {
            return Err(TrimError::Unknown(root));
        }
        let (root_block, root_bit) = place(root);
        let mut needed = vec![0u64; root_block + 1];
        needed[root_block] = root_bit;
        for block in (0..=root_block).rev() {
            // Antecedents may mark more bits of the same word, but only below the current bit.
            let mut unseen = u64::MAX;
            while needed[block] & unseen != 0 {
                let (id, bit) = highest(block, needed[block] & unseen);
                unseen = bit - 1;
                let known = self.blocks[block];
                if known.present & bit == 0 {
                    return Err(TrimError::Unknown(id));
                }
                let record = self.record(id);
                if poll.is_due(record.len()) {
                    return Err(TrimError::Stopped);
                }
                if known.original & bit == 0 {
                    for &antecedent in record {
                        if antecedent >= id {
                            return Err(TrimError::Unknown(antecedent));
                        }
                        let (block, bit) = place(antecedent);
                        needed[block] |= bit;
                    }
                }
            }
        }
        Ok(needed)
    }

    /// Adds the needed clauses in order; the last of them is the root.
    fn replay<F: FnMut() -> bool>(
        &self,
        needed: &[u64],
        poll: &mut Poll<F>,
    ) -> Result<ProofDag, TrimError> {
        let mut before = Vec::with_capacity(needed.len());
        let mut n_needed = 0;
        for bits in needed {
            before.push(n_needed);
            n_needed += bits.count_ones() as usize;
        }
        // Indexed by a clause's rank among the needed ones.
        let mut vertex_of: Vec<VertexId> = Vec::with_capacity(n_needed);
        let mut dag = ProofDag::new();
        let mut clause: Vec<Lit> = Vec::new();
        let mut antecedents: Vec<VertexId> = Vec::new();
        for (block, &word) in needed.iter().enumerate() {
            let mut bits = word;
            while bits != 0 {
                let (id, bit) = lowest(block, bits);
                bits &= bits - 1;
                let record = self.record(id);
                let vertex = if self.blocks[block].original & bit != 0 {
                    clause.clear();
                    clause.extend(record[1..].iter().map(|&code| Lit::from_code(code)));
                    dag.try_add_leaf(&clause, record[0])
                        .map_err(|error| TrimError::NoChain { id, error })?
                } else {
                    antecedents.clear();
                    antecedents.extend(record.iter().map(|&antecedent| {
                        let (block, bit) = place(antecedent);
                        let rank =
                            before[block] + (needed[block] & (bit - 1)).count_ones() as usize;
                        vertex_of[rank]
                    }));
                    dag.add_antecedents(&antecedents)
                        .map_err(|error| TrimError::NoChain { id, error })?
                };
                vertex_of.push(vertex);
                // Each antecedent has a few literals of its own.
                if poll.is_due(4 * record.len() + dag.clause(vertex).len()) {
                    return Err(TrimError::Stopped);
                }
            }
        }
        if let Some(&root) = vertex_of.last() {
            dag.set_root(root);
        }
        Ok(dag)
    }
}

#[cfg(test)]
mod tests {
    use super::super::example::lits;
    use super::super::{Origin, ProofSink};
    use super::*;

    #[test]
    fn only_what_the_root_needs_is_kept() {
        let mut log = ProofLog::new();
        log.original(1, &lits(&[1, 2, 2]), 4);
        log.derived(2, &lits(&[1, 2]), &[1]);
        log.original(3, &lits(&[-1, 2]), 5);
        log.original(4, &lits(&[7, 8]), 6);
        log.derived(70, &lits(&[2]), &[2, 3]);
        log.original(71, &lits(&[-2, 3]), 5);
        log.original(72, &lits(&[-3]), 5);
        log.derived(140, &lits(&[3]), &[70, 71]);
        log.derived(200, &[], &[72, 71, 70]);
        let dag = log.trim(200);
        let clauses: Vec<_> = dag.vertices().map(|v| dag.clause(v).to_vec()).collect();
        assert_eq!(
            clauses,
            [
                lits(&[1, 2]),
                lits(&[-1, 2]),
                lits(&[2]),
                lits(&[-2, 3]),
                lits(&[-3]),
                lits(&[])
            ]
        );
        assert_eq!(dag.origin(0), Origin::Leaf { label: 4 });
        let Origin::Chain { first: 4, steps } = dag.origin(5) else {
            panic!("{:?}", dag.origin(5));
        };
        let pivots: Vec<_> = steps.iter().map(|step| step.pivot).collect();
        assert_eq!(pivots, lits(&[-3, -2]));
        // A root may be any clause, a copy stands for what it copies.
        let dag = log.trim(140);
        assert_eq!(dag.clause(dag.root().unwrap()), lits(&[3]));
        let dag = log.trim(2);
        assert_eq!((dag.n_vertices(), dag.root()), (1, Some(0)));
    }

    #[test]
    fn superfluous_antecedents_are_skipped() {
        let mut log = ProofLog::new();
        log.original(1, &lits(&[1, 2]), 0);
        log.original(2, &lits(&[-1, 3]), 0);
        log.original(3, &lits(&[2, 3]), 0);
        log.derived(4, &lits(&[2, 3]), &[1, 3, 2, 3]);
        let dag = log.trim(4);
        assert_eq!(dag.n_steps(), 1);
        assert_eq!(dag.clause(dag.root().unwrap()), lits(&[2, 3]));
    }

    /// A chain of implications and the refutation of its first and last variable, one unit after the other.
    fn long_log(n_vars: i64) -> (ProofLog, crate::Cnf, ClauseId) {
        let (mut log, mut cnf, mut id) = (ProofLog::new(), crate::Cnf::new(), 0);
        let implications = (1..n_vars).map(|var| lits(&[-var, var + 1]));
        for clause in implications.chain([lits(&[1]), lits(&[-n_vars])]) {
            id += 1;
            cnf.add_labelled_clause(&clause, 0);
            log.original(id, &clause, 0);
        }
        let mut unit = id - 1;
        for implication in 1..n_vars as ClauseId {
            let clause = lits(&[i64::from(implication) + 1]);
            log.derived(id + implication, &clause, &[unit, implication]);
            unit = id + implication;
        }
        log.derived(unit + 1, &[], &[unit, id]);
        (log, cnf, unit + 1)
    }

    #[test]
    fn trimming_and_checking_end_when_asked_to() {
        use crate::proof::check::{CheckError, check_dag_until, check_leaves_until};
        let (log, cnf, root) = long_log(30_000);
        let dag = log.trim(root);
        let check_dag = |is_asked: &mut dyn FnMut() -> bool| check_dag_until(&dag, is_asked);
        let check_leaves =
            |is_asked: &mut dyn FnMut() -> bool| check_leaves_until(&dag, &cnf, is_asked);
        let trim = |is_asked: &mut dyn FnMut() -> bool| {
            let trimmed = log.try_trim_until(root, is_asked);
            trimmed
                .map(|trimmed| assert_eq!(trimmed, dag))
                .map_err(|error| match error {
                    TrimError::Stopped => CheckError::Stopped,
                    _ => panic!("{error}"),
                })
        };
        type Task<'a> = &'a dyn Fn(&mut dyn FnMut() -> bool) -> Result<(), CheckError>;
        for (task, least) in [(&trim as Task<'_>, 10), (&check_dag, 5), (&check_leaves, 5)] {
            let mut n_asked = 0;
            let complete = task(&mut || {
                n_asked += 1;
                false
            });
            assert_eq!(complete, Ok(()));
            assert!(n_asked >= least, "{n_asked}");
            for end in 1..=n_asked {
                let mut asked = 0;
                let stopped = task(&mut || {
                    asked += 1;
                    asked == end
                });
                assert_eq!((stopped, asked), (Err(CheckError::Stopped), end));
            }
        }
    }

    #[test]
    fn a_broken_log_is_an_error() {
        let mut log = ProofLog::new();
        log.original(1, &lits(&[1, 2]), 0);
        log.original(2, &lits(&[-1, -2]), 0);
        log.derived(3, &lits(&[]), &[1, 2]);
        log.derived(4, &lits(&[]), &[]);
        assert_eq!(log.try_trim(5), Err(TrimError::Unknown(5)));
        assert!(matches!(
            log.try_trim(3),
            Err(TrimError::NoChain {
                id: 3,
                error: ChainError::Tautology { step: 0, .. }
            })
        ));
        assert_eq!(
            log.try_trim(4),
            Err(TrimError::NoChain {
                id: 4,
                error: ChainError::NoAntecedent
            })
        );
    }
}
