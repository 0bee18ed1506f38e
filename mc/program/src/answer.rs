//! The answers of engines for programs.

use std::collections::{HashMap, HashSet};

use craig_aig::{Aig, Edge as AigEdge, Node, NodeId};
use craig_model::{Certificate, UnknownReason, Verdict};
use craig_solver::{compact::compact, sweep::Budget};
use craig_word::{Term, Terms};

use super::actions::{ActionId, Actions, StateBit, position};
use super::cfa::{Cfa, EdgeId, LocationId};
use super::to_model::{CfaModel, Visit};

/// The answer of an engine for programs: whether a bad location is reachable.
pub type Answer = Verdict<Box<Invariant>, Run>;

/// A path to a bad location, with the inputs of each step; others are 0.
pub(super) struct ErrorPath {
    pub(super) path: Vec<ActionId>,
    pub(super) chosen: Vec<HashMap<Term, u128>>,
}

impl ErrorPath {
    /// The actions of the path with which a search has ended, if it has.
    pub(super) fn of(found: &Result<Option<Self>, UnknownReason>) -> Option<&[ActionId]> {
        let found = found.as_ref().ok()?.as_ref()?;
        Some(&found.path)
    }
}

/// A run to a bad location.
#[derive(Clone, Debug)]
pub struct Run {
    /// The edges that are taken.
    pub path: Vec<EdgeId>,
    /// The state before each edge, and the inputs of the step.
    pub visits: Vec<Visit>,
}

impl Run {
    /// The run along a path whose steps have the given inputs; others are 0. It is executed on the automaton,
    /// step by step.
    ///
    /// # Panics
    /// If the automaton does not allow it.
    pub(super) fn new(cfa: &Cfa, actions: &Actions, found: ErrorPath) -> Self {
        let mut run = Self {
            path: Vec::new(),
            visits: Vec::new(),
        };
        let mut state: HashMap<Term, u128> = HashMap::new();
        for (action, chosen) in found.path.into_iter().zip(found.chosen) {
            let action = actions.action(action);
            let mut values = state;
            values.extend(chosen);
            let mut edges = action.edges.iter();
            let followed = edges.find_map(|&edge| Some((edge, cfa.follow(edge, &values)?)));
            let (edge, after) = followed.expect("the automaton follows the path that was found");
            run.path.push(edge);
            run.visits.push(Visit {
                location: Some(action.source),
                values,
            });
            state = after;
        }
        run
    }
}

/// An invariant for each location.
#[derive(Debug)]
pub struct Invariant {
    /// Input number i is bit i of the state.
    aig: Aig,
    bits: Vec<(Term, u32)>,
    /// By location.
    labels: Vec<AigEdge>,
    words: Option<WordInvariant>,
}

/// The number of nodes that projections of the labels of an invariant may add.
const MAX_PROJECTION: usize = 1 << 20;

/// The formula that some values of inputs satisfy the given one. It is left as it is if the graph would have more than
/// `most` nodes.
fn project(aig: &mut Aig, formula: AigEdge, gone: &HashSet<NodeId>, most: usize) -> AigEdge {
    if gone.is_empty() {
        return formula;
    }
    let mut reads: HashSet<NodeId> = HashSet::new();
    for node in aig.cone(&[formula]) {
        let is_reading = match aig.node(node) {
            Node::Constant => false,
            Node::Input(_) => gone.contains(&node),
            Node::And(left, right) => reads.contains(&left.node()) || reads.contains(&right.node()),
        };
        if is_reading {
            reads.insert(node);
        }
    }
    // Conjuncts that read none of the inputs stay.
    let (mut kept, mut reading) = (Vec::new(), Vec::new());
    let mut seen: HashSet<AigEdge> = HashSet::new();
    let mut work = vec![formula];
    while let Some(edge) = work.pop() {
        if !seen.insert(edge) {
            continue;
        }
        match aig.node(edge.node()) {
            _ if !reads.contains(&edge.node()) => kept.push(edge),
            Node::And(left, right) if !edge.is_negated() => work.extend([left, right]),
            _ => reading.push(edge),
        }
    }
    let mut projected = aig.and_all(reading);
    for input in aig.support(&[projected]) {
        if !gone.contains(&input) {
            continue;
        }
        let [low, high] = [AigEdge::FALSE, AigEdge::TRUE].map(|value| {
            let mut leaf = |node: NodeId| match node == input {
                true => value,
                false => AigEdge::new(node, false),
            };
            aig.substitute(&[projected], &mut leaf)[0]
        });
        projected = aig.or(low, high);
        if aig.n_nodes() > most {
            return formula;
        }
    }
    kept.push(projected);
    aig.and_all(kept)
}

/// An invariant for each location in terms over the words, which may be weaker than the invariant that it
/// belongs to: what is hard to read is left out.
#[derive(Clone)]
pub struct WordInvariant {
    /// Those of the automaton and more.
    pub terms: Terms,
    /// By location: a disjunction of conjunctions of terms of one bit. Nothing is said of a location without
    /// disjuncts.
    pub at: Vec<Vec<Vec<Term>>>,
}

impl std::fmt::Debug for WordInvariant {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("WordInvariant")
            .field("at", &self.at)
            .finish_non_exhaustive()
    }
}

impl Invariant {
    /// The invariant that holds at each location what `label` returns for it: a formula over the bits of the
    /// state, of the graph. At the start all words are 0, and nothing is claimed of locations from which no bad
    /// location is reachable; `label` is not asked about these.
    pub(super) fn new(
        actions: &Actions,
        aig: &mut Aig,
        mut label: impl FnMut(&mut Aig, LocationId) -> AigEdge,
    ) -> Self {
        let mut labels = Vec::new();
        for location in actions.locations() {
            labels.push(match location {
                Cfa::START => {
                    let inputs = aig.inputs();
                    let zero = |&bit: &StateBit| AigEdge::new(inputs[bit as usize], true);
                    let zeros: Vec<AigEdge> = actions.start_bits().iter().map(zero).collect();
                    aig.and_all(zeros)
                }
                _ if !actions.reaches(location) => AigEdge::TRUE,
                _ => label(aig, location),
            });
        }
        let (aig, labels) = compact(aig, &labels, Budget::default());
        Self {
            aig,
            bits: actions.bits().to_vec(),
            labels,
            words: None,
        }
    }

    /// This invariant, with its form over words.
    pub(super) fn with_words(mut self, words: Option<WordInvariant>) -> Self {
        self.words = words;
        self
    }

    /// The invariant in terms over the words, if the engine has used such.
    #[must_use]
    pub fn words(&self) -> Option<&WordInvariant> {
        self.words.as_ref()
    }

    /// The certificate of the invariant for the automaton's circuit. It is not checked here.
    ///
    /// The circuit has no latches for words on which the bad does not depend, such as one that is compared where both
    /// branches do the same; a refutation may use it nevertheless. What is claimed is then that some value of it
    /// satisfies the label. That is inductive if the invariant is: no step of the circuit depends on the word, so
    /// that it is the step of the automaton from a state with that value.
    #[must_use]
    pub fn certificate(&self, cfa: &Cfa, encoded: &CfaModel) -> Certificate {
        let mut latches: HashMap<Term, Vec<AigEdge>> = HashMap::new();
        for word in cfa.words() {
            latches.extend(encoded.state(word.term).map(|bits| (word.term, bits)));
        }
        let mut graph = self.aig.clone();
        let most = graph.n_nodes() + MAX_PROJECTION;
        let gone: HashSet<NodeId> = (graph.inputs().iter().zip(&self.bits))
            .filter(|(_, (word, _))| !latches.contains_key(word))
            .map(|(&node, _)| node)
            .collect();
        encoded.certificate(cfa, |aig, location| {
            let label = project(&mut graph, self.labels[location.index()], &gone, most);
            let copied = aig.copy_cone(&graph, &[label], &mut |node| {
                let (word, bit) = self.bits[position(&graph, node) as usize];
                // Where the projection would be too large, the check of the certificate fails.
                (latches.get(&word)).map_or(AigEdge::FALSE, |bits| bits[bit as usize])
            });
            copied[0]
        })
    }
}
