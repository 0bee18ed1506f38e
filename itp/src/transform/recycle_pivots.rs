//! RecyclePivots with intersection: proofs with fewer repeated pivots on a path.

use craig_solver::Lit;
use craig_solver::proof::{Origin, ProofDag, Step, VertexId};

use super::draft::Draft;
use crate::stop::{Poll, Stop, Stopped};

/// Drops resolutions on pivots that are resolved upon again on every path to the root.
///
/// A literal is safe at a vertex if the root contains it or each path from the vertex to the root resolves it
/// away: the vertex could contain it without change to the root. A resolution one of whose pivot literals is
/// safe can be replaced by the antecedent with that literal. Safe literals are propagated from the root to
/// the leaves; those of a vertex are the intersection over its uses (P. Fontaine, S. Merz and B. Woltzenlogel
/// Paleo, "Compression of propositional resolution proofs via partial regularization", CADE 2011).
///
/// The proof never grows, and its root derives the same clause or a subset of it.
///
/// Time and memory of the propagation can be quadratic in the proof. Beyond a bound, the set of a vertex is
/// replaced by the empty set, which is sound and finds less.
///
/// # Errors
/// If `stop` requests the end.
///
/// # Panics
/// If the proof has no root.
pub fn recycle_pivots(dag: &ProofDag, stop: &Stop) -> Result<ProofDag, Stopped> {
    recycle_pivots_within(dag, MAX_PROPAGATED, MAX_WAITING, stop)
}

/// The most literals that are propagated: well under a second of work.
const MAX_PROPAGATED: u64 = 1 << 30;
/// The most safe literals that are stored at the same time, at four bytes each.
const MAX_WAITING: usize = 1 << 26;

/// [`recycle_pivots`] with given bounds.
pub(super) fn recycle_pivots_within(
    dag: &ProofDag,
    max_propagated: u64,
    max_waiting: usize,
    stop: &Stop,
) -> Result<ProofDag, Stopped> {
    let root = dag.root().expect("a proof with a root");
    let mut poll = Poll::new(stop)?;
    let mut draft = Draft::copy(dag, root, &mut poll)?;
    let mut safe = SafeLiterals::new(dag, max_propagated, max_waiting);
    safe.n_waiting = dag.clause(root).len();
    safe.waiting[root as usize] = Some(dag.clause(root).to_vec());
    let mut kept: Vec<Step> = Vec::new();
    for vertex in (0..=root).rev() {
        let Origin::Chain { first, steps } = dag.origin(vertex) else {
            continue;
        };
        let Some(literals) = safe.waiting[vertex as usize].take() else {
            continue;
        };
        safe.n_waiting -= literals.len();
        poll.spend(1 + literals.len())?;
        safe.begin(literals);
        kept.clear();
        let mut start = first;
        for &step in steps.iter().rev() {
            if safe.contains(step.pivot) {
                continue;
            }
            if safe.contains(!step.pivot) {
                start = step.antecedent;
                break;
            }
            safe.propagate(step.antecedent, Some(!step.pivot), &mut poll)?;
            safe.insert(step.pivot);
            kept.push(step);
        }
        safe.propagate(start, None, &mut poll)?;
        if start != first || kept.len() < steps.len() {
            draft.replace_chain(vertex, start, kept.iter().rev().copied());
        }
    }
    let recycled = draft.rebuild(&mut poll)?;
    Ok(recycled.unwrap_or_else(|| dag.clone()))
}

/// The safe literals at the current position, and those of vertices that were not visited yet.
struct SafeLiterals<'a> {
    dag: &'a ProofDag,
    /// By derived vertex: the intersection over its uses so far.
    waiting: Vec<Option<Vec<Lit>>>,
    /// The number of literals in `waiting`.
    n_waiting: usize,
    max_waiting: usize,
    /// How many more literals may be propagated.
    n_left: u64,
    here: Vec<Lit>,
    /// By literal: the number of the last chain in which it was safe.
    marks: Vec<u32>,
    chain: u32,
}

impl<'a> SafeLiterals<'a> {
    fn new(dag: &'a ProofDag, max_propagated: u64, max_waiting: usize) -> Self {
        Self {
            dag,
            waiting: vec![None; dag.n_vertices()],
            n_waiting: 0,
            max_waiting,
            n_left: max_propagated,
            here: Vec::new(),
            marks: vec![0; 2 * dag.n_vars()],
            chain: 0,
        }
    }

    fn begin(&mut self, literals: Vec<Lit>) {
        self.chain += 1;
        for lit in &literals {
            self.marks[lit.index()] = self.chain;
        }
        self.here = literals;
    }

    fn contains(&self, lit: Lit) -> bool {
        self.marks[lit.index()] == self.chain
    }

    fn insert(&mut self, lit: Lit) {
        self.marks[lit.index()] = self.chain;
        self.here.push(lit);
    }

    /// Intersects the set of an antecedent with what is safe for this use of it: all that is safe here, and
    /// the literal that it contributes.
    fn propagate(
        &mut self,
        antecedent: VertexId,
        contributed: Option<Lit>,
        poll: &mut Poll<'_>,
    ) -> Result<(), Stopped> {
        if matches!(self.dag.origin(antecedent), Origin::Leaf { .. }) {
            return poll.spend(1);
        }
        let (marks, chain) = (&self.marks, self.chain);
        let waiting = &mut self.waiting[antecedent as usize];
        let work = waiting.as_ref().map_or(self.here.len(), Vec::len) as u64;
        if work > self.n_left || self.n_waiting > self.max_waiting {
            // The empty set is sound.
            let dropped = waiting.replace(Vec::new());
            self.n_waiting -= dropped.map_or(0, |literals| literals.len());
            return poll.spend(1);
        }
        self.n_left -= work;
        match waiting {
            Some(literals) => {
                self.n_waiting -= literals.len();
                literals.retain(|&lit| marks[lit.index()] == chain || Some(lit) == contributed);
                self.n_waiting += literals.len();
            }
            waiting => {
                let mut literals = Vec::with_capacity(self.here.len() + 1);
                literals.extend_from_slice(&self.here);
                literals.extend(contributed);
                self.n_waiting += literals.len();
                *waiting = Some(literals);
            }
        }
        poll.spend(1 + work as usize)
    }
}
