//! Paths of an automaton, and their formulas.

use std::collections::HashMap;

use craig_aig::{Aig, Edge as AigEdge};
use craig_word::{Blaster, Evaluator, Term};

use super::cfa::{Cfa, EdgeId, LocationId};

/// A path: a nonempty sequence of edges, each starting at the target of the previous one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Path {
    edges: Vec<EdgeId>,
}

impl Path {
    /// The path along the edges; `None` if there are none, or two neighbours are not adjacent.
    #[must_use]
    pub fn new(cfa: &Cfa, edges: Vec<EdgeId>) -> Option<Self> {
        let fits = |pair: &[EdgeId]| cfa.edge(pair[0]).target == cfa.edge(pair[1]).source;
        (!edges.is_empty() && edges.windows(2).all(fits)).then_some(Self { edges })
    }

    /// The edges.
    #[must_use]
    pub fn edges(&self) -> &[EdgeId] {
        &self.edges
    }

    /// The locations, one more than edges.
    #[must_use]
    pub fn locations(&self, cfa: &Cfa) -> Vec<LocationId> {
        let first = cfa.edge(self.edges[0]).source;
        let others = self.edges.iter().map(|&edge| cfa.edge(edge).target);
        std::iter::once(first).chain(others).collect()
    }
}

/// Variables with their bits, lowest bit first.
pub type Bits = Vec<(Term, Vec<AigEdge>)>;

/// The formula of a path, one part for each edge.
///
/// Part `i` says that edge `i` leads from the words at cut `i` to the words at cut `i + 1`. It has inputs of
/// its own. Parts share only the variables of the cuts between them: encoded with one encoder and label each,
/// they are the partitions of a sequence of interpolants.
#[derive(Clone, Debug)]
pub struct PathFormula {
    /// The graph of all parts.
    pub aig: Aig,
    /// The words that each location of the path carries: inputs of the graph, except at the start of the
    /// program, where all words are constant 0.
    pub cuts: Vec<Bits>,
    /// The inputs that each edge chooses: inputs of the graph.
    pub inputs: Vec<Bits>,
    /// The part of each edge.
    pub parts: Vec<AigEdge>,
}

impl PathFormula {
    /// The formula of a path.
    #[must_use]
    pub fn new(cfa: &Cfa, path: &Path) -> Self {
        let mut formula = Self {
            aig: Aig::new(),
            cuts: Vec::new(),
            inputs: Vec::new(),
            parts: Vec::new(),
        };
        for location in path.locations(cfa) {
            let cut = formula.cut(cfa, location);
            formula.cuts.push(cut);
        }
        for (step, &edge) in path.edges().iter().enumerate() {
            formula.add_part(cfa, step, edge);
        }
        formula
    }

    fn cut(&mut self, cfa: &Cfa, location: LocationId) -> Bits {
        let words = cfa.location(location).words.iter();
        words
            .map(|&word| {
                let bits = 0..cfa.terms.width(word);
                let bits = match location == Cfa::START {
                    true => bits.map(|_| AigEdge::FALSE).collect(),
                    false => bits.map(|_| self.aig.add_input()).collect(),
                };
                (word, bits)
            })
            .collect()
    }

    fn add_part(&mut self, cfa: &Cfa, step: usize, edge: EdgeId) {
        let edge = cfa.edge(edge);
        let mut blaster = Blaster::new();
        for (word, bits) in &self.cuts[step] {
            blaster.set(*word, bits);
        }
        let mut inputs = Bits::new();
        let mut free = |aig: &mut Aig, term: Term| {
            let bits: Vec<AigEdge> = (0..cfa.terms.width(term))
                .map(|_| aig.add_input())
                .collect();
            inputs.push((term, bits.clone()));
            bits
        };
        let aig = &mut self.aig;
        let mut parts = blaster.blast(&cfa.terms, aig, edge.guard, &mut free);
        let values: HashMap<Term, Term> = (edge.assignments.iter())
            .map(|assignment| (assignment.word, assignment.value))
            .collect();
        for (word, after) in &self.cuts[step + 1] {
            let value = values.get(word).copied().unwrap_or(*word);
            let bits = blaster.blast(&cfa.terms, aig, value, &mut free);
            parts.extend(after.iter().zip(bits).map(|(&x, y)| aig.iff(x, y)));
        }
        self.parts.push(self.aig.and_all(parts));
        self.inputs.push(inputs);
    }
}

impl Cfa {
    /// The state after an edge, for given values of words and inputs; others are 0. `None` if the guard does
    /// not hold. The result has the words that the target carries.
    #[must_use]
    pub fn follow(
        &self,
        edge: EdgeId,
        values: &HashMap<Term, u128>,
    ) -> Option<HashMap<Term, u128>> {
        let edge = self.edge(edge);
        let value_of = |term: Term, _| values.get(&term).copied().unwrap_or(0);
        let mut evaluator = Evaluator::new(&self.terms, value_of);
        if evaluator.value(edge.guard) == 0 {
            return None;
        }
        let words = self.location(edge.target).words.iter();
        Some(
            words
                .map(|&word| (word, evaluator.value(edge.value(word))))
                .collect(),
        )
    }

    /// The pre-image: the condition that the edge can be taken and `condition`, over the words that the
    /// target carries, holds after it. It is over the words before the edge and the edge's inputs.
    pub fn pre_image(&mut self, edge: EdgeId, condition: Term) -> Term {
        let after = self.before(edge, condition);
        let guard = self.edge(edge).guard;
        self.terms.and(guard, after)
    }

    /// The condition that `condition` holds after the edge if the edge is taken, over the words before the
    /// edge and the edge's inputs: the weakest precondition, for given inputs.
    pub fn weakest_precondition(&mut self, edge: EdgeId, condition: Term) -> Term {
        let after = self.before(edge, condition);
        let blocked = self.terms.not(self.edge(edge).guard);
        self.terms.or(blocked, after)
    }

    /// A term over the words after an edge as a term over the words before it and its inputs, by substitution
    /// of the assigned values.
    pub fn before(&mut self, edge: EdgeId, term: Term) -> Term {
        let mut images: HashMap<Term, Term> = (self.edge(edge).assignments.iter())
            .map(|assignment| (assignment.word, assignment.value))
            .collect();
        self.terms.substitute(term, &mut images)
    }
}
