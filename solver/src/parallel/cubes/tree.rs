//! The tree of cubes, and the refutation of its root.
//!
//! Each inner node is split on a literal: one child assumes it, the other one its negation. A refuted cube has a clause of
//! negations of its literals, which follows from the formula. If the clause does not have the last one of them, it
//! refutes the cube's parent, whatever becomes of the other child; else the clauses of both children are resolved on it.

use std::collections::HashMap;

use crate::cnf::Cnf;
use crate::lit::Lit;
use crate::parallel::sink::SharedSink;
use crate::proof::{ClauseId, Source};

/// The number of a node.
pub(super) type NodeId = usize;

/// The root: the cube of the assumptions alone.
pub(super) const ROOT: NodeId = 0;

#[derive(Clone, Debug)]
struct Node {
    parent: NodeId,
    /// The last literal of the cube; of the root, none.
    lit: Option<Lit>,
    children: Option<[NodeId; 2]>,
    state: State,
}

#[derive(Clone, Debug)]
enum State {
    /// Neither refuted nor without meaning.
    Open,
    Refuted(Refuted),
    /// A cube above is refuted.
    Superfluous,
}

/// A clause that refutes a cube.
#[derive(Clone, Debug)]
pub(super) struct Refuted {
    pub(super) lits: Vec<Lit>,
    /// Its number in the log of the tree.
    id: ClauseId,
}

/// The tree, with a log of its own of the steps that lead from the clauses of the leaves to that of the root.
#[derive(Debug)]
pub(super) struct Tree<P> {
    nodes: Vec<Node>,
    log: P,
    last_id: ClauseId,
    /// Whether there were more steps than can be numbered.
    pub(super) is_full: bool,
    /// Clauses that were taken before.
    taken: HashMap<(u32, ClauseId), ClauseId>,
}

impl<P: SharedSink> Tree<P> {
    /// The tree of one open cube.
    pub(super) fn new(cnf: &Cnf) -> Self {
        let last_id = ClauseId::try_from(cnf.n_clauses());
        Self {
            nodes: vec![Node {
                parent: ROOT,
                lit: None,
                children: None,
                state: State::Open,
            }],
            log: P::default(),
            last_id: last_id.unwrap_or(ClauseId::MAX),
            is_full: false,
            taken: HashMap::new(),
        }
    }

    /// The literals of a cube, from the root on.
    pub(super) fn cube(&self, mut node: NodeId) -> Vec<Lit> {
        let mut cube = Vec::new();
        while let Some(lit) = self.nodes[node].lit {
            cube.push(lit);
            node = self.nodes[node].parent;
        }
        cube.reverse();
        cube
    }

    /// The two halves of a cube that was split.
    pub(super) fn children(&self, node: NodeId) -> Option<[NodeId; 2]> {
        self.nodes[node].children
    }

    /// Whether it still matters what becomes of a cube.
    pub(super) fn is_open(&self, node: NodeId) -> bool {
        matches!(self.nodes[node].state, State::Open)
    }

    /// The clause that refutes the root.
    pub(super) fn refutation(&self) -> Option<&Refuted> {
        match &self.nodes[ROOT].state {
            State::Refuted(refuted) => Some(refuted),
            _ => None,
        }
    }

    /// Splits an open leaf; returns the child with the literal, and the other one.
    pub(super) fn split(&mut self, node: NodeId, lit: Lit) -> [NodeId; 2] {
        let first = self.nodes.len();
        for lit in [lit, !lit] {
            self.nodes.push(Node {
                parent: node,
                lit: Some(lit),
                children: None,
                state: State::Open,
            });
        }
        self.nodes[node].children = Some([first, first + 1]);
        [first, first + 1]
    }

    /// A search has derived a clause of negations of assumptions and of a cube's literals. Refutes the cube, and those above
    /// as far as it goes; returns how many open leaves have become superfluous by it.
    pub(super) fn refute(&mut self, node: NodeId, lits: Vec<Lit>, source: Source) -> usize {
        let id = self.take(&lits, source);
        let mut refuted = Refuted { lits, id };
        let mut node = node;
        let mut n_superfluous = 0;
        loop {
            let Some(lit) = self.nodes[node].lit else {
                self.nodes[node].state = State::Refuted(refuted);
                return n_superfluous;
            };
            let parent = self.nodes[node].parent;
            let children = self.nodes[parent].children.unwrap_or([node; 2]);
            let other = children[usize::from(children[0] == node)];
            if !refuted.lits.contains(&!lit) {
                n_superfluous += self.drop_below(other);
            } else if let State::Refuted(beside) = &self.nodes[other].state {
                let beside = beside.clone();
                refuted = self.resolve(&refuted, &beside, lit);
            } else {
                self.nodes[node].state = State::Refuted(refuted);
                return n_superfluous;
            }
            self.nodes[node].state = State::Superfluous;
            node = parent;
        }
    }

    /// Marks a cube and all below it; returns how many of them were open leaves.
    fn drop_below(&mut self, node: NodeId) -> usize {
        let mut open = vec![node];
        let mut n_leaves = 0;
        while let Some(node) = open.pop() {
            let node = &mut self.nodes[node];
            match node.children {
                Some(children) => open.extend(children),
                None => n_leaves += usize::from(matches!(node.state, State::Open)),
            }
            node.state = State::Superfluous;
        }
        n_leaves
    }

    /// The resolvent of a clause with the negation of `lit` and one with `lit`.
    fn resolve(&mut self, with: &Refuted, without: &Refuted, lit: Lit) -> Refuted {
        let mut lits: Vec<Lit> = (with.lits.iter().filter(|&&own| own != !lit))
            .chain(without.lits.iter().filter(|&&own| own != lit))
            .copied()
            .collect();
        lits.sort_unstable();
        lits.dedup();
        let id = self.next_id();
        if P::ENABLED && !self.is_full {
            self.log.derived(id, &lits, &[with.id, without.id]);
        }
        Refuted { lits, id }
    }

    /// The number that the clause of a search has in the tree's log.
    fn take(&mut self, lits: &[Lit], source: Source) -> ClauseId {
        // An assumption and its negation fail without a clause.
        if !P::ENABLED || source.id == 0 {
            return 0;
        }
        let place = (source.worker, source.id);
        if let Some(&known) = self.taken.get(&place) {
            return known;
        }
        let id = self.next_id();
        if !self.is_full {
            self.log.import(id, lits, source);
            self.taken.insert(place, id);
        }
        id
    }

    fn next_id(&mut self) -> ClauseId {
        match self.last_id.checked_add(1) {
            Some(id) => self.last_id = id,
            None => self.is_full = true,
        }
        self.is_full |= self.log.is_full();
        self.last_id
    }

    /// The log, and the number of the clause that refutes the root.
    pub(super) fn into_log(self) -> (P, Option<ClauseId>) {
        let root = self.refutation().map(|refuted| refuted.id);
        (self.log, root.filter(|&id| id != 0 && P::ENABLED))
    }
}
