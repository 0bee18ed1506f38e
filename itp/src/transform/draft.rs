//! A proof under change: chains that may no longer be what they say, and the pass that mends them.
//!
//! The transforms of this module drop and redirect antecedents without looking at clauses. What that
//! does to the clauses below is settled afterwards in one pass from the leaves to the root, in which a resolution
//! whose pivot is gone becomes the antecedent that lacks it (Bar-Ilan, Fuhrmann, Hoory, Shacham, Strichman: Linear-time
//! Reductions of Resolution Proofs, HVC 2008).

use craig_solver::proof::{Origin, ProofDag, Step, VertexId};
use craig_solver::{Lit, Var};

/// A proof whose chains are taken as intentions. Vertices may be in any order.
pub(super) struct Draft<'a> {
    source: &'a ProofDag,
    entries: Vec<Entry>,
    steps: Vec<Step>,
    root: VertexId,
}

#[derive(Clone, Copy, Debug)]
enum Entry {
    /// A leaf of the source.
    Leaf(VertexId),
    /// A chain with its part of `steps`.
    Chain {
        first: VertexId,
        start: u32,
        end: u32,
    },
}

impl<'a> Draft<'a> {
    /// A draft without vertices, whose leaves are to be leaves of `source`.
    pub(super) fn new(source: &'a ProofDag) -> Self {
        Self {
            source,
            entries: Vec::new(),
            steps: Vec::new(),
            root: 0,
        }
    }

    /// The proof as it is, with the same numbers of vertices.
    pub(super) fn copy(source: &'a ProofDag, root: VertexId) -> Self {
        let mut draft = Self::new(source);
        for vertex in source.vertices() {
            match source.origin(vertex) {
                Origin::Leaf { .. } => draft.push_leaf(vertex),
                Origin::Chain { first, steps } => draft.push_chain(first, steps.iter().copied()),
            };
        }
        draft.root = root;
        draft
    }

    pub(super) fn set_root(&mut self, root: VertexId) {
        self.root = root;
    }

    pub(super) fn push_leaf(&mut self, source: VertexId) -> VertexId {
        self.entries.push(Entry::Leaf(source));
        self.entries.len() as VertexId - 1
    }

    pub(super) fn push_chain(
        &mut self,
        first: VertexId,
        steps: impl IntoIterator<Item = Step>,
    ) -> VertexId {
        let start = self.steps.len() as u32;
        self.steps.extend(steps);
        let end = u32::try_from(self.steps.len()).expect("a proof holds at most 2^32 steps");
        self.entries.push(Entry::Chain { first, start, end });
        self.entries.len() as VertexId - 1
    }

    /// Gives a vertex that is there already another chain.
    pub(super) fn replace_chain(
        &mut self,
        vertex: VertexId,
        first: VertexId,
        steps: impl IntoIterator<Item = Step>,
    ) {
        self.push_chain(first, steps);
        let entry = self.entries.pop().expect("just pushed");
        self.entries[vertex as usize] = entry;
    }

    /// The chain of a vertex; `None` for leaves.
    pub(super) fn chain(&self, vertex: VertexId) -> Option<(VertexId, &[Step])> {
        match self.entries[vertex as usize] {
            Entry::Leaf(_) => None,
            Entry::Chain { first, start, end } => {
                Some((first, &self.steps[start as usize..end as usize]))
            }
        }
    }

    /// Lets step number `step` of the chain of `vertex` use another antecedent.
    pub(super) fn redirect(&mut self, vertex: VertexId, step: usize, antecedent: VertexId) {
        if let Entry::Chain { start, .. } = self.entries[vertex as usize] {
            self.steps[start as usize + step].antecedent = antecedent;
        }
    }

    /// Lets the chain of `vertex` start from `first`, with the steps from number `step` on.
    pub(super) fn restart(&mut self, vertex: VertexId, step: usize, new_first: VertexId) {
        if let Entry::Chain { first, start, .. } = &mut self.entries[vertex as usize] {
            *first = new_first;
            *start += step as u32;
        }
    }

    fn antecedent(&self, vertex: VertexId, number: usize) -> Option<VertexId> {
        let (first, steps) = self.chain(vertex)?;
        match number {
            0 => Some(first),
            _ => steps.get(number - 1).map(|step| step.antecedent),
        }
    }

    /// The proof that the draft amounts to, reduced to what its root needs. Its clauses are those that the
    /// chains derive after mending; `None` if nothing but a tautology is derived at the root.
    ///
    /// # Panics
    /// If a vertex depends on itself.
    pub(super) fn rebuild(&self) -> Option<ProofDag> {
        let mut rebuild = Rebuild {
            dag: ProofDag::new(),
            outcomes: vec![None; self.entries.len()],
            marks: vec![0; 2 * self.source.n_vars()],
            chain: 0,
            steps: Vec::new(),
        };
        let mut is_open = vec![false; self.entries.len()];
        let mut path = vec![(self.root, 0)];
        is_open[self.root as usize] = true;
        while let Some((vertex, n_visited)) = path.last_mut() {
            let vertex = *vertex;
            if let Some(antecedent) = self.antecedent(vertex, *n_visited) {
                *n_visited += 1;
                if rebuild.outcomes[antecedent as usize].is_none() {
                    assert!(
                        !std::mem::replace(&mut is_open[antecedent as usize], true),
                        "vertex {antecedent} depends on itself"
                    );
                    path.push((antecedent, 0));
                }
            } else {
                rebuild.outcomes[vertex as usize] = Some(match self.entries[vertex as usize] {
                    Entry::Leaf(leaf) => rebuild.leaf(self.source, leaf),
                    Entry::Chain { first, start, end } => {
                        rebuild.chain(first, &self.steps[start as usize..end as usize])
                    }
                });
                path.pop();
            }
        }
        match rebuild.outcomes[self.root as usize] {
            Some(Outcome::Clause(root)) => {
                rebuild.dag.set_root(root);
                Some(prune(&rebuild.dag))
            }
            _ => None,
        }
    }
}

/// What became of a vertex.
#[derive(Clone, Copy)]
enum Outcome {
    Clause(VertexId),
    /// A tautology, which holds the variable in both signs. Resolving on that variable
    /// with anything gives a superset of the anything, so a tautology is never needed.
    Tautology(Var),
}

struct Rebuild {
    dag: ProofDag,
    outcomes: Vec<Option<Outcome>>,
    /// By literal: the number of the last chain in whose resolvent it stands, or 0.
    marks: Vec<u32>,
    chain: u32,
    steps: Vec<Step>,
}

impl Rebuild {
    fn leaf(&mut self, source: &ProofDag, leaf: VertexId) -> Outcome {
        let Origin::Leaf { label } = source.origin(leaf) else {
            unreachable!("drafts name leaves of their source as leaves");
        };
        Outcome::Clause(self.dag.add_leaf(source.clause(leaf), label))
    }

    fn contains(&self, lit: Lit) -> bool {
        self.marks[lit.index()] == self.chain
    }

    /// Starts the running resolvent anew.
    fn load(&mut self, outcome: Outcome) -> Outcome {
        self.chain += 1;
        self.steps.clear();
        if let Outcome::Clause(vertex) = outcome {
            for lit in self.dag.clause(vertex) {
                self.marks[lit.index()] = self.chain;
            }
        }
        outcome
    }

    fn outcome(&self, vertex: VertexId) -> Outcome {
        self.outcomes[vertex as usize].expect("antecedents come first")
    }

    fn chain(&mut self, first: VertexId, steps: &[Step]) -> Outcome {
        // What the steps since the last start began with, and what they have led to.
        let mut start = self.load(self.outcome(first));
        for step in steps {
            let other = self.outcome(step.antecedent);
            start = match (start, other) {
                (Outcome::Tautology(_), Outcome::Clause(vertex))
                    if !self.dag.clause(vertex).contains(&!step.pivot) =>
                {
                    self.load(other)
                }
                (Outcome::Tautology(var), _) if var == step.pivot.var() => self.load(other),
                (Outcome::Tautology(_), _) => start,
                (Outcome::Clause(_), _) if !self.contains(step.pivot) => start,
                (Outcome::Clause(_), Outcome::Tautology(var)) if var == step.pivot.var() => start,
                (Outcome::Clause(_), Outcome::Tautology(_)) => self.load(other),
                (Outcome::Clause(_), Outcome::Clause(vertex)) => self.resolve(start, step, vertex),
            };
        }
        match start {
            Outcome::Clause(first) if !self.steps.is_empty() => {
                let vertex = self.dag.add_chain(first, &self.steps);
                Outcome::Clause(vertex.expect("each step was checked"))
            }
            _ => start,
        }
    }

    /// Resolves the running resolvent, which holds the pivot, with a clause.
    fn resolve(&mut self, start: Outcome, step: &Step, vertex: VertexId) -> Outcome {
        let mut clashes = false;
        let mut tautology = None;
        for &lit in self.dag.clause(vertex) {
            if lit == !step.pivot {
                clashes = true;
            } else if self.contains(!lit) {
                tautology = Some(lit.var());
            }
        }
        if !clashes {
            return self.load(Outcome::Clause(vertex));
        }
        if let Some(var) = tautology {
            return self.load(Outcome::Tautology(var));
        }
        for &lit in self.dag.clause(vertex) {
            self.marks[lit.index()] = self.chain;
        }
        self.marks[step.pivot.index()] = 0;
        self.marks[(!step.pivot).index()] = 0;
        self.steps.push(Step {
            pivot: step.pivot,
            antecedent: vertex,
        });
        start
    }
}

/// The part of a proof that its root needs.
///
/// # Panics
/// If the proof has no root.
#[must_use]
pub fn prune(dag: &ProofDag) -> ProofDag {
    let root = dag.root().expect("a proof with a root");
    let mut needed = vec![false; root as usize + 1];
    needed[root as usize] = true;
    for vertex in (0..=root).rev() {
        if let (true, Origin::Chain { first, steps }) =
            (needed[vertex as usize], dag.origin(vertex))
        {
            needed[first as usize] = true;
            for step in steps {
                needed[step.antecedent as usize] = true;
            }
        }
    }
    let mut pruned = ProofDag::new();
    let mut renamed = vec![0; needed.len()];
    let mut renamed_steps: Vec<Step> = Vec::new();
    for vertex in (0..=root).filter(|&vertex| needed[vertex as usize]) {
        renamed[vertex as usize] = match dag.origin(vertex) {
            Origin::Leaf { label } => pruned.add_leaf(dag.clause(vertex), label),
            Origin::Chain { first, steps } => {
                renamed_steps.clear();
                renamed_steps.extend(steps.iter().map(|step| Step {
                    pivot: step.pivot,
                    antecedent: renamed[step.antecedent as usize],
                }));
                let chain = pruned.add_chain(renamed[first as usize], &renamed_steps);
                chain.expect("the chain of a proof")
            }
        };
    }
    pruned.set_root(renamed[root as usize]);
    pruned
}
