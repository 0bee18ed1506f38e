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
/// # Panics
/// If the proof has no root.
#[must_use]
pub fn recycle_pivots(dag: &ProofDag) -> ProofDag {
    let root = dag.root().expect("a proof with a root");
    let mut draft = Draft::copy(dag, root);
    let mut safe = SafeLiterals::new(dag);
    safe.waiting[root as usize] = Some(dag.clause(root).to_vec());
    let mut kept: Vec<Step> = Vec::new();
    for vertex in (0..=root).rev() {
        let Origin::Chain { first, steps } = dag.origin(vertex) else {
            continue;
        };
        let Some(literals) = safe.waiting[vertex as usize].take() else {
            continue;
        };
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
    here: Vec<Lit>,
    /// By literal: the number of the last chain in which it was safe.
    marks: Vec<u32>,
    chain: u32,
}

impl<'a> SafeLiterals<'a> {
    fn new(dag: &'a ProofDag) -> Self {
        Self {
            dag,
            waiting: vec![None; dag.n_vertices()],
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
        match &mut self.waiting[antecedent as usize] {
            Some(literals) => {
                literals.retain(|&lit| marks[lit.index()] == chain || Some(lit) == contributed);
            }
            waiting => {
                let mut literals = Vec::with_capacity(self.here.len() + 1);
                literals.extend_from_slice(&self.here);
                literals.extend(contributed);
                *waiting = Some(literals);
            }
        }
    }
}
