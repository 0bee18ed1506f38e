//! RecyclePivots with intersection: making proofs more regular.

use super::draft::Draft;
use craig_solver::Lit;
use craig_solver::proof::{Origin, ProofDag, Step, VertexId};

/// Drops resolutions on pivots that are resolved upon again on every way to the root.
///
/// A literal is safe at a vertex if each way from there to the root resolves it away, or it stands in the root: it would do no
/// harm if the vertex held it. A resolution one of whose pivot literals is safe needs only the antecedent
/// that holds that literal. Safe literals travel from the root upwards; a vertex with several users keeps those that are safe
/// for all of them (Fontaine, Merz, Woltzenlogel Paleo: Compression of Propositional Resolution Proofs via Partial
/// Regularization, CADE 2011, after Bar-Ilan and others, HVC 2008).
///
/// The proof never grows, and its root derives the same clause or a part of it.
///
/// Handing safe literals on takes time and memory that can grow with the square of the proof. Behind some bound they are
/// dropped instead, so that less is found further up.
///
/// # Panics
/// If the proof has no root.
#[must_use]
pub fn recycle_pivots(dag: &ProofDag) -> ProofDag {
    recycle_pivots_within(dag, MAX_HANDED_ON, MAX_WAITING)
}

/// Safe literals that are handed on, all in all: well under a second's work.
const MAX_HANDED_ON: u64 = 1 << 30;
/// Safe literals that wait at the same time, at four bytes each.
const MAX_WAITING: usize = 1 << 26;

/// The same with bounds of its own.
pub(super) fn recycle_pivots_within(
    dag: &ProofDag,
    max_handed_on: u64,
    max_waiting: usize,
) -> ProofDag {
    let root = dag.root().expect("a proof with a root");
    let mut draft = Draft::copy(dag, root);
    let mut safe = SafeLiterals::new(dag, max_handed_on, max_waiting);
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
            safe.pass_on(step.antecedent, Some(!step.pivot));
            safe.insert(step.pivot);
            kept.push(step);
        }
        safe.pass_on(start, None);
        if start != first || kept.len() < steps.len() {
            draft.replace_chain(vertex, start, kept.iter().rev().copied());
        }
    }
    draft.rebuild().unwrap_or_else(|| dag.clone())
}

/// The safe literals at the place that the sweep has come to, and those that wait at vertices above.
struct SafeLiterals<'a> {
    dag: &'a ProofDag,
    /// For a derived vertex, what is safe for all its users met so far.
    waiting: Vec<Option<Vec<Lit>>>,
    /// How many literals wait.
    n_waiting: usize,
    max_waiting: usize,
    /// How many more may be handed on.
    n_left: u64,
    here: Vec<Lit>,
    /// By literal: the number of the last chain in which it was safe.
    marks: Vec<u32>,
    chain: u32,
}

impl<'a> SafeLiterals<'a> {
    fn new(dag: &'a ProofDag, max_handed_on: u64, max_waiting: usize) -> Self {
        Self {
            dag,
            waiting: vec![None; dag.n_vertices()],
            n_waiting: 0,
            max_waiting,
            n_left: max_handed_on,
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

    /// Tells an antecedent what is safe for this use of it: all that is safe here and the literal that it contributes.
    fn pass_on(&mut self, antecedent: VertexId, contributed: Option<Lit>) {
        if matches!(self.dag.origin(antecedent), Origin::Leaf { .. }) {
            return;
        }
        let (marks, chain) = (&self.marks, self.chain);
        let waiting = &mut self.waiting[antecedent as usize];
        let work = waiting.as_ref().map_or(self.here.len(), Vec::len) as u64;
        if work > self.n_left || self.n_waiting > self.max_waiting {
            // No literal is safe for all users, as far as anybody knows.
            let dropped = waiting.replace(Vec::new());
            self.n_waiting -= dropped.map_or(0, |literals| literals.len());
            return;
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
    }
}
