//! A proof under change: chains whose resolutions may be invalid, and the pass that makes a valid proof of
//! them.
//!
//! The transforms of this module drop and redirect antecedents without regard to clauses. One pass from the
//! leaves to the root then recomputes the clauses. In it, a resolution with an antecedent that lacks the
//! pivot is replaced by that antecedent (O. Bar-Ilan, O. Fuhrmann, S. Hoory, O. Shacham and O. Strichman,
//! "Linear-time reductions of resolution proofs", HVC 2008).

use craig_solver::proof::{Origin, ProofDag, Step, VertexId};
use craig_solver::{Lit, Var};

use crate::stop::{Poll, Stop, Stopped};

/// Chains whose resolutions need not be valid. Vertices may be in any order.
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
    /// A chain whose steps are `steps[start..end]`.
    Chain {
        first: VertexId,
        start: u32,
        end: u32,
    },
}

impl<'a> Draft<'a> {
    /// A draft without vertices. Its leaves are going to be leaves of `source`.
    pub(super) fn new(source: &'a ProofDag) -> Self {
        Self {
            source,
            entries: Vec::new(),
            steps: Vec::new(),
            root: 0,
        }
    }

    /// The proof `source`, with the same numbers of vertices.
    pub(super) fn copy(
        source: &'a ProofDag,
        root: VertexId,
        poll: &mut Poll<'_>,
    ) -> Result<Self, Stopped> {
        let mut draft = Self::new(source);
        for vertex in source.vertices() {
            match source.origin(vertex) {
                Origin::Leaf { .. } => {
                    poll.spend(1)?;
                    draft.push_leaf(vertex)
                }
                Origin::Chain { first, steps } => {
                    poll.spend(1 + steps.len())?;
                    draft.push_chain(first, steps.iter().copied())
                }
            };
        }
        draft.root = root;
        Ok(draft)
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

    /// Replaces the chain of a vertex.
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

    /// Replaces the antecedent of step number `step` of the chain of `vertex`.
    pub(super) fn redirect(&mut self, vertex: VertexId, step: usize, antecedent: VertexId) {
        if let Entry::Chain { start, .. } = self.entries[vertex as usize] {
            self.steps[start as usize + step].antecedent = antecedent;
        }
    }

    /// Makes the chain of `vertex` start from `new_first`, with the steps from number `step` on.
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

    /// The valid proof that the chains give, reduced to what its root depends on; `None` if the root derives
    /// only a tautology.
    ///
    /// # Panics
    /// If a vertex depends on itself.
    pub(super) fn rebuild(&self, poll: &mut Poll<'_>) -> Result<Option<ProofDag>, Stopped> {
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
            poll.spend(1)?;
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
                        rebuild.chain(first, &self.steps[start as usize..end as usize], poll)?
                    }
                });
                path.pop();
            }
        }
        match rebuild.outcomes[self.root as usize] {
            Some(Outcome::Clause(root)) => {
                rebuild.dag.set_root(root);
                match needed(&rebuild.dag, poll)? {
                    needed if needed.iter().all(|&needed| needed) => Ok(Some(rebuild.dag)),
                    _ => prune_polled(&rebuild.dag, poll).map(Some),
                }
            }
            _ => Ok(None),
        }
    }
}

/// What a vertex of a draft derives.
#[derive(Clone, Copy)]
enum Outcome {
    /// The clause of this vertex of the new proof.
    Clause(VertexId),
    /// A tautology, which contains both literals of the variable. Its resolvent on that variable with a
    /// clause is a superset of the clause, so a tautology is never needed.
    Tautology(Var),
}

struct Rebuild {
    dag: ProofDag,
    outcomes: Vec<Option<Outcome>>,
    /// By literal: the number of the last chain whose resolvent contains it, or 0.
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

    /// Makes `outcome` the current resolvent, with no steps.
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

    fn chain(
        &mut self,
        first: VertexId,
        steps: &[Step],
        poll: &mut Poll<'_>,
    ) -> Result<Outcome, Stopped> {
        // Where the current steps start. Their resolvent is in the marks, except for a tautology.
        let mut start = self.load(self.outcome(first));
        for step in steps {
            let other = self.outcome(step.antecedent);
            poll.spend(1 + self.n_lits(other))?;
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
        Ok(match start {
            Outcome::Clause(first) if !self.steps.is_empty() => {
                let vertex = self.dag.add_chain(first, &self.steps);
                Outcome::Clause(vertex.expect("each step was checked"))
            }
            _ => start,
        })
    }

    fn n_lits(&self, outcome: Outcome) -> usize {
        match outcome {
            Outcome::Clause(vertex) => self.dag.clause(vertex).len(),
            Outcome::Tautology(_) => 0,
        }
    }

    /// Resolves the current resolvent, which contains the pivot, with a clause.
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

/// The part of a proof that its root depends on.
///
/// # Errors
/// If `stop` requests the end.
///
/// # Panics
/// If the proof has no root.
pub fn prune(dag: &ProofDag, stop: &Stop) -> Result<ProofDag, Stopped> {
    prune_polled(dag, &mut Poll::new(stop)?)
}

/// By vertex: whether the root depends on it.
pub(super) fn needed(dag: &ProofDag, poll: &mut Poll<'_>) -> Result<Vec<bool>, Stopped> {
    let root = dag.root().expect("a proof with a root");
    let mut needed = vec![false; dag.n_vertices()];
    needed[root as usize] = true;
    for vertex in (0..=root).rev() {
        if let (true, Origin::Chain { first, steps }) =
            (needed[vertex as usize], dag.origin(vertex))
        {
            poll.spend(1 + steps.len())?;
            needed[first as usize] = true;
            for step in steps {
                needed[step.antecedent as usize] = true;
            }
        }
    }
    Ok(needed)
}

pub(super) fn prune_polled(dag: &ProofDag, poll: &mut Poll<'_>) -> Result<ProofDag, Stopped> {
    let needed = needed(dag, poll)?;
    let root = dag.root().expect("a proof with a root");
    let mut pruned = ProofDag::new();
    let mut renamed = vec![0; needed.len()];
    let mut renamed_steps: Vec<Step> = Vec::new();
    for vertex in (0..=root).filter(|&vertex| needed[vertex as usize]) {
        renamed[vertex as usize] = match dag.origin(vertex) {
            Origin::Leaf { label } => {
                poll.spend(1 + dag.clause(vertex).len())?;
                pruned.add_leaf(dag.clause(vertex), label)
            }
            Origin::Chain { first, steps } => {
                // A chain is validated in time linear in the literals of its antecedents.
                let n_lits = |step: &Step| dag.clause(step.antecedent).len();
                poll.spend(1 + steps.iter().map(n_lits).sum::<usize>())?;
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
    Ok(pruned)
}
