//! A proof as binary resolutions, each with its clause.

use craig_solver::proof::{Origin, ProofDag, Step, VertexId};
use craig_solver::{Lit, Var};

use super::draft::Draft;
use crate::stop::{Poll, Stopped};

/// The number of a node of a [`Binary`].
pub(super) type Node = u32;

/// The derivation of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Parents {
    /// A leaf of the source.
    None(VertexId),
    /// The resolvent of a node that contains a variable and one that contains its negation.
    Two {
        pivot: Var,
        positive: Node,
        negative: Node,
    },
}

/// Binary resolutions in flat arrays. Clauses are sorted. After a parent has lost a literal, a clause may be
/// larger than the resolvent of the parents; [`Binary::rebuild`] recomputes all clauses.
#[derive(Clone)]
pub(super) struct Binary {
    parents: Vec<Parents>,
    /// By node: where its clause starts and ends in `lits`.
    clauses: Vec<(u32, u32)>,
    lits: Vec<Lit>,
    n_uses: Vec<u32>,
    /// By node: the node that replaces it, or itself. A forest that [`Binary::find`] follows.
    replaced_by: Vec<Node>,
    root: Node,
    max_literals: usize,
}

impl Binary {
    /// The proof of a root as binary resolutions; `None` if all clauses together have more than
    /// `max_literals` literals.
    pub(super) fn new(
        source: &ProofDag,
        root: VertexId,
        max_literals: usize,
        poll: &mut Poll<'_>,
    ) -> Result<Option<Self>, Stopped> {
        let mut binary = Self {
            parents: Vec::new(),
            clauses: Vec::new(),
            lits: Vec::new(),
            n_uses: Vec::new(),
            replaced_by: Vec::new(),
            root: 0,
            // Positions in the arena have 32 bits.
            max_literals: max_literals.min(u32::MAX as usize),
        };
        let mut node_of: Vec<Node> = Vec::with_capacity(source.n_vertices());
        for vertex in 0..=root {
            let node = match source.origin(vertex) {
                Origin::Leaf { .. } => binary.leaf(source, vertex),
                Origin::Chain { first, steps } => {
                    let mut node = node_of[first as usize];
                    for step in steps {
                        let other = node_of[step.antecedent as usize];
                        node = binary.resolvent(step.pivot, node, other);
                        poll.spend(1 + binary.clause(node).len())?;
                        if binary.is_full() {
                            return Ok(None);
                        }
                    }
                    node
                }
            };
            node_of.push(node);
        }
        binary.root = node_of[root as usize];
        binary.n_uses[binary.root as usize] += 1;
        Ok(Some(binary))
    }

    /// The literals of all clauses derived so far, dead ones included.
    pub(super) fn n_literals(&self) -> usize {
        self.lits.len()
    }

    /// Lowers the bound on literals to `more` than those of now.
    pub(super) fn limit_growth(&mut self, more: usize) {
        let bound = self.lits.len().saturating_add(more);
        self.max_literals = self.max_literals.min(bound);
    }

    /// The pivots of all resolutions.
    pub(super) fn pivots(&self) -> impl Iterator<Item = Var> {
        self.parents.iter().filter_map(|parents| match parents {
            Parents::None(_) => None,
            Parents::Two { pivot, .. } => Some(*pivot),
        })
    }

    /// The number of nodes, dead ones included.
    pub(super) fn n_nodes(&self) -> Node {
        self.parents.len() as Node
    }

    /// Whether the bound on literals is exceeded.
    pub(super) fn is_full(&self) -> bool {
        self.lits.len() > self.max_literals
    }

    pub(super) fn is_leaf(&self, node: Node) -> bool {
        matches!(self.parents[node as usize], Parents::None(_))
    }

    pub(super) fn n_uses(&self, node: Node) -> u32 {
        self.n_uses[node as usize]
    }

    /// Whether the node was not replaced and is used.
    pub(super) fn is_alive(&self, node: Node) -> bool {
        self.replaced_by[node as usize] == node && self.n_uses[node as usize] > 0
    }

    /// The pivot of a node and its parents, replacements followed.
    pub(super) fn parents(&mut self, node: Node) -> Option<(Var, Node, Node)> {
        let Parents::Two {
            pivot,
            positive,
            negative,
        } = self.parents[node as usize]
        else {
            return None;
        };
        Some((pivot, self.find(positive), self.find(negative)))
    }

    /// The node that replaces a node in the end, with path halving.
    fn find(&mut self, mut node: Node) -> Node {
        while self.replaced_by[node as usize] != node {
            let next = self.replaced_by[node as usize];
            self.replaced_by[node as usize] = self.replaced_by[next as usize];
            node = next;
        }
        node
    }

    fn clause(&self, node: Node) -> &[Lit] {
        let (start, end) = self.clauses[node as usize];
        &self.lits[start as usize..end as usize]
    }

    pub(super) fn contains(&self, node: Node, lit: Lit) -> bool {
        self.clause(node).binary_search(&lit).is_ok()
    }

    fn push(&mut self, parents: Parents, start: usize) -> Node {
        let node = self.parents.len() as Node;
        self.parents.push(parents);
        self.clauses.push((start as u32, self.lits.len() as u32));
        self.n_uses.push(0);
        self.replaced_by.push(node);
        node
    }

    fn leaf(&mut self, source: &ProofDag, vertex: VertexId) -> Node {
        let start = self.lits.len();
        self.lits.extend_from_slice(source.clause(vertex));
        self.lits[start..].sort_unstable();
        self.push(Parents::None(vertex), start)
    }

    /// A new node: the resolvent of `node`, which contains `pivot`, and `other`, which contains its negation.
    pub(super) fn resolvent(&mut self, pivot: Lit, node: Node, other: Node) -> Node {
        let start = self.merge(pivot.var(), node, other);
        let parents = as_parents(pivot, node, other);
        self.n_uses[node as usize] += 1;
        self.n_uses[other as usize] += 1;
        self.push(parents, start)
    }

    /// Makes a node the resolvent of two others. The caller updates the counts of uses.
    pub(super) fn set_parents(&mut self, node: Node, pivot: Lit, left: Node, right: Node) {
        self.parents[node as usize] = as_parents(pivot, left, right);
    }

    /// Recomputes the clause of a node. It must not have grown.
    pub(super) fn update_clause(&mut self, node: Node) {
        if let Some((pivot, positive, negative)) = self.parents(node) {
            let start = self.merge(pivot, positive, negative);
            let (old_start, old_end) = self.clauses[node as usize];
            let n_lits = self.lits.len() - start;
            debug_assert!(n_lits <= (old_end - old_start) as usize);
            self.lits.copy_within(start.., old_start as usize);
            self.lits.truncate(start);
            self.clauses[node as usize] = (old_start, old_start + n_lits as u32);
        }
    }

    /// Appends the resolvent of two sorted clauses to `lits` and returns where it starts.
    fn merge(&mut self, pivot: Var, left: Node, right: Node) -> usize {
        let start = self.lits.len();
        let (mut at_left, end_left) = self.clauses[left as usize];
        let (mut at_right, end_right) = self.clauses[right as usize];
        while at_left < end_left || at_right < end_right {
            let from_left = (at_left < end_left).then(|| self.lits[at_left as usize]);
            let from_right = (at_right < end_right).then(|| self.lits[at_right as usize]);
            let lit = match (from_left, from_right) {
                (Some(left), Some(right)) => left.min(right),
                (left, right) => left.or(right).expect("one of them has a literal left"),
            };
            at_left += u32::from(from_left == Some(lit));
            at_right += u32::from(from_right == Some(lit));
            if lit.var() != pivot {
                self.lits.push(lit);
            }
        }
        start
    }

    pub(super) fn add_use(&mut self, node: Node) {
        self.n_uses[node as usize] += 1;
    }

    /// Removes one use of a node; after the last one, also one of each parent.
    pub(super) fn release(&mut self, node: Node) {
        let mut open = vec![node];
        while let Some(node) = open.pop() {
            self.n_uses[node as usize] -= 1;
            if self.n_uses[node as usize] == 0
                && let Some((_, positive, negative)) = self.parents(node)
            {
                open.extend([positive, negative]);
            }
        }
    }

    /// Replaces a node by another one, which derives a subset of its clause.
    pub(super) fn replace(&mut self, node: Node, other: Node) {
        self.n_uses[other as usize] += self.n_uses[node as usize];
        self.n_uses[node as usize] = 1;
        self.release(node);
        self.replaced_by[node as usize] = other;
        if self.root == node {
            self.root = other;
        }
    }

    /// The proof with chains. A node with one use becomes a step of the chain of its user, unless both
    /// parents of the user are such nodes: then the negative one gets a chain of its own.
    pub(super) fn rebuild(
        &mut self,
        source: &ProofDag,
        poll: &mut Poll<'_>,
    ) -> Result<Option<ProofDag>, Stopped> {
        let mut draft = Draft::new(source);
        for node in 0..self.parents.len() as Node {
            match self.parents[node as usize] {
                Parents::None(leaf) => draft.push_leaf(leaf),
                // A placeholder; the loop below fills in the chains that are needed.
                Parents::Two { .. } => draft.push_chain(node, []),
            };
        }
        draft.set_root(self.root);
        let mut has_chain = vec![false; self.parents.len()];
        let mut open = vec![self.root];
        while let Some(node) = open.pop() {
            poll.spend(1)?;
            if self.is_leaf(node) || std::mem::replace(&mut has_chain[node as usize], true) {
                continue;
            }
            let (first, mut steps) = self.chain(node);
            poll.spend(steps.len())?;
            open.push(first);
            open.extend(steps.iter().map(|step| step.antecedent));
            steps.reverse();
            draft.replace_chain(node, first, steps);
        }
        draft.rebuild(poll)
    }

    /// The chain that derives a node: its start, and its steps, last step first.
    fn chain(&mut self, mut node: Node) -> (Node, Vec<Step>) {
        let mut steps = Vec::new();
        while let Some((pivot, positive, negative)) = self.parents(node) {
            let goes_on = |parent: Node| !self.is_leaf(parent) && self.n_uses[parent as usize] == 1;
            let is_end = !goes_on(positive) && !goes_on(negative);
            let (next, pivot, antecedent) = if !goes_on(positive) && goes_on(negative) {
                (negative, pivot.negative(), positive)
            } else {
                (positive, pivot.positive(), negative)
            };
            steps.push(Step { pivot, antecedent });
            node = next;
            if is_end {
                break;
            }
        }
        (node, steps)
    }
}

fn as_parents(pivot: Lit, node: Node, other: Node) -> Parents {
    let (positive, negative) = if pivot.is_negated() {
        (other, node)
    } else {
        (node, other)
    };
    Parents::Two {
        pivot: pivot.var(),
        positive,
        negative,
    }
}
