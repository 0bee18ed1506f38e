//! One proof out of the logs of several searches that exchange clauses.
//!
//! Each search numbers its clauses by itself. A clause that comes from another search is in the log as an original
//! clause; its label is the index of a [`Source`], the search and the number that it was exported under.
//!
//! A backward pass from the root marks what is needed, across all logs. The forward pass emits the needed
//! clauses of one log in their order until it gets to an import that is not emitted yet; then it continues with
//! the exporting log up to that clause. This ends: a search exports a clause after it has derived it, and
//! records an import after the export, so that all that is waited for precedes, in time, what waits.

use super::dag::{ProofDag, VertexId};
use super::log::{ProofLog, lowest, place};
use super::poll::Poll;
use super::sink::ClauseId;
use super::trim::TrimError;
use crate::cnf::Label;
use crate::lit::Lit;

/// Where an imported clause comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Source {
    pub(crate) worker: u32,
    /// The number under which the other search knows it; 0 if no proof is recorded.
    pub(crate) id: ClauseId,
}

/// The log of one search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part<'l> {
    pub(crate) log: &'l ProofLog,
    /// By label of an original clause after the formula's.
    pub(crate) imports: &'l [Source],
}

/// The needed clauses of a part, and the vertices of those that were emitted.
#[derive(Default)]
struct Progress {
    needed: Vec<u64>,
    /// How many needed clauses precede each word.
    before: Vec<usize>,
    vertices: Vec<VertexId>,
    /// The least number that was not emitted.
    next: ClauseId,
}

impl Progress {
    /// Marks a clause; `false` if it was marked already.
    fn mark(&mut self, id: ClauseId) -> bool {
        let (block, bit) = place(id);
        let is_new = self.needed[block] & bit == 0;
        self.needed[block] |= bit;
        is_new
    }

    fn count(&mut self) {
        let mut before = 0;
        for bits in &self.needed {
            self.before.push(before);
            before += bits.count_ones() as usize;
        }
    }

    fn vertex(&self, id: ClauseId) -> VertexId {
        let (block, bit) = place(id);
        self.vertices[self.before[block] + (self.needed[block] & (bit - 1)).count_ones() as usize]
    }

    /// The next needed clause up to `last`.
    fn next_up_to(&self, last: ClauseId) -> Option<ClauseId> {
        let (mut block, bit) = place(self.next);
        let mut bits = self.needed.get(block)? & !(bit - 1);
        while bits == 0 {
            block += 1;
            bits = *self.needed.get(block)?;
        }
        let (id, _) = lowest(block, bits);
        (id <= last).then_some(id)
    }
}

/// What a clause of a log is.
enum Kind<'l> {
    /// The clause of the formula at this position.
    Leaf(usize, &'l [u32]),
    Import(Source, &'l [u32]),
    Derived(&'l [ClauseId]),
}

/// The proof of clause `root` of the search `winner`. The formula has `n_clauses` clauses, which are the first ones
/// of each log; `label` gives the label of each.
///
/// # Errors
/// As for [`ProofLog::try_trim_until`].
pub(crate) fn join(
    parts: &[Part<'_>],
    (winner, root): (usize, ClauseId),
    n_clauses: usize,
    label: impl Fn(usize) -> Label,
    is_asked: impl FnMut() -> bool,
) -> Result<ProofDag, TrimError> {
    let mut joining = Joining {
        parts,
        n_clauses,
        progress: Vec::new(),
        poll: Poll::new(is_asked),
    };
    joining.mark(winner, root)?;
    joining.emit(winner, root, label)
}

struct Joining<'l, F> {
    parts: &'l [Part<'l>],
    n_clauses: usize,
    progress: Vec<Progress>,
    poll: Poll<F>,
}

impl<'l, F: FnMut() -> bool> Joining<'l, F> {
    fn kind(&self, worker: usize, id: ClauseId) -> Result<Kind<'l>, TrimError> {
        let part = self.parts.get(worker).ok_or(TrimError::Unknown(id))?;
        if !part.log.contains(id) {
            return Err(TrimError::Unknown(id));
        }
        if let Some(antecedents) = part.log.antecedents(id) {
            return Ok(Kind::Derived(antecedents));
        }
        let (&label, codes) = (part.log.record(id).split_first()).ok_or(TrimError::Unknown(id))?;
        if id as usize <= self.n_clauses {
            return Ok(Kind::Leaf(id as usize - 1, codes));
        }
        let source = part.imports.get(label as usize);
        source
            .map(|&source| Kind::Import(source, codes))
            .ok_or(TrimError::Unknown(id))
    }

    /// Marks all clauses below the root.
    fn mark(&mut self, winner: usize, root: ClauseId) -> Result<(), TrimError> {
        self.progress.extend(self.parts.iter().map(|part| Progress {
            needed: vec![0; part.log.blocks.len()],
            ..Progress::default()
        }));
        self.kind(winner, root)?;
        self.progress[winner].mark(root);
        let mut open = vec![(winner, root)];
        while let Some((worker, id)) = open.pop() {
            match self.kind(worker, id)? {
                Kind::Leaf(..) => {}
                Kind::Import(source, _) => {
                    let from = source.worker as usize;
                    self.kind(from, source.id)?;
                    if self.progress[from].mark(source.id) {
                        open.push((from, source.id));
                    }
                }
                Kind::Derived(antecedents) => {
                    if self.poll.is_due(antecedents.len()) {
                        return Err(TrimError::Stopped);
                    }
                    for &antecedent in antecedents {
                        if antecedent >= id {
                            return Err(TrimError::Unknown(antecedent));
                        }
                        if self.progress[worker].mark(antecedent) {
                            open.push((worker, antecedent));
                        }
                    }
                }
            }
        }
        self.progress.iter_mut().for_each(Progress::count);
        Ok(())
    }

    /// Adds the marked clauses; the last of them is the root.
    fn emit(
        &mut self,
        winner: usize,
        root: ClauseId,
        label: impl Fn(usize) -> Label,
    ) -> Result<ProofDag, TrimError> {
        let mut dag = ProofDag::new();
        let mut leaves = vec![VertexId::MAX; self.n_clauses];
        let mut antecedents = Vec::new();
        let mut open = vec![(winner, root)];
        while let Some(&(worker, last)) = open.last() {
            let Some(id) = self.progress[worker].next_up_to(last) else {
                open.pop();
                continue;
            };
            let failed = |error| TrimError::NoChain { id, error };
            let vertex = match self.kind(worker, id)? {
                Kind::Leaf(position, codes) => {
                    if leaves[position] == VertexId::MAX {
                        leaves[position] = dag
                            .try_add_leaf(&decode(codes), label(position))
                            .map_err(failed)?;
                    }
                    leaves[position]
                }
                Kind::Import(source, codes) => {
                    let from = source.worker as usize;
                    if self.progress[from].next <= source.id {
                        if open.iter().any(|&(worker, _)| worker == from) {
                            return Err(TrimError::Unknown(id));
                        }
                        open.push((from, source.id));
                        continue;
                    }
                    let vertex = self.progress[from].vertex(source.id);
                    if !are_equal_sets(dag.clause(vertex), &decode(codes)) {
                        return Err(TrimError::OtherClause(id));
                    }
                    vertex
                }
                Kind::Derived(ids) => {
                    antecedents.clear();
                    antecedents.extend(ids.iter().map(|&id| self.progress[worker].vertex(id)));
                    dag.add_antecedents(&antecedents).map_err(failed)?
                }
            };
            let progress = &mut self.progress[worker];
            progress.vertices.push(vertex);
            progress.next = id + 1;
            if self
                .poll
                .is_due(4 * antecedents.len() + dag.clause(vertex).len())
            {
                return Err(TrimError::Stopped);
            }
        }
        dag.set_root(self.progress[winner].vertex(root));
        Ok(dag)
    }
}

fn decode(codes: &[u32]) -> Vec<Lit> {
    codes.iter().map(|&code| Lit::from_code(code)).collect()
}

/// Whether two clauses without repeated literals have equal literals.
fn are_equal_sets(left: &[Lit], right: &[Lit]) -> bool {
    let [mut left, mut right] = [left, right].map(<[Lit]>::to_vec);
    left.sort_unstable();
    right.sort_unstable();
    left == right
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proof::example::lits;
    use crate::proof::{Origin, ProofSink, check};

    /// The formula of two variables and all four clauses.
    const FORMULA: [[i64; 2]; 4] = [[1, 2], [1, -2], [-1, 2], [-1, -2]];

    fn log() -> ProofLog {
        let mut log = ProofLog::new();
        for (id, clause) in (1..).zip(FORMULA) {
            log.original(id, &lits(&clause), 7);
        }
        log
    }

    /// The first search derives `a`; the second takes it, derives `b`, the first takes that and ends.
    fn logs() -> ([ProofLog; 2], [Vec<Source>; 2]) {
        let [mut first, mut second] = [log(), log()];
        first.derived(5, &lits(&[1]), &[1, 2]);
        second.derived(5, &lits(&[-2]), &[2, 4]);
        second.original(6, &lits(&[1]), 0);
        second.derived(7, &lits(&[2]), &[3, 6]);
        first.original(6, &lits(&[2]), 0);
        first.derived(7, &[], &[4, 6, 5]);
        let from = |worker, id| vec![Source { worker, id }];
        ([first, second], [from(1, 7), from(0, 5)])
    }

    fn joined(logs: &[ProofLog; 2], imports: &[Vec<Source>; 2]) -> Result<ProofDag, TrimError> {
        let parts: Vec<Part<'_>> = (logs.iter().zip(imports))
            .map(|(log, imports)| Part { log, imports })
            .collect();
        join(&parts, (0, 7), 4, |position| position as Label, || false)
    }

    #[test]
    fn imports_are_replaced_by_the_clauses_of_their_origin() {
        let (logs, imports) = logs();
        let dag = joined(&logs, &imports).unwrap();
        assert!(dag.is_refutation());
        check::check_dag(&dag).unwrap();
        // Four leaves, a, b and the empty clause: the second search's clause -b is not needed.
        assert_eq!(dag.n_vertices(), 7);
        let mut labels: Vec<_> = dag
            .vertices()
            .filter_map(|vertex| match dag.origin(vertex) {
                Origin::Leaf { label } => Some(label),
                Origin::Chain { .. } => None,
            })
            .collect();
        labels.sort_unstable();
        assert_eq!(labels, [0, 1, 2, 3]);
    }

    #[test]
    fn an_import_of_another_clause_is_refused() {
        let (logs, imports) = logs();
        let mut wrong = imports.clone();
        wrong[0][0].id = 5;
        assert_eq!(joined(&logs, &wrong), Err(TrimError::OtherClause(6)));
        wrong[0][0].id = 99;
        assert_eq!(joined(&logs, &wrong), Err(TrimError::Unknown(99)));
        // Each of the two would have been derived from the other.
        let mut circle = imports;
        circle[1][0] = Source { worker: 0, id: 7 };
        assert_eq!(joined(&logs, &circle), Err(TrimError::Unknown(6)));
    }
}
