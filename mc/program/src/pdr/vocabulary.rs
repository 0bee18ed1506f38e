//! What lemmas may say about the words of a state.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use craig_aig::{Aig, Edge};
use craig_word::{Blaster, Node, Op, Term};

use crate::actions::{Actions, StateBit};

/// Comparisons between words with more gates than this are left out.
const MOST_GATES: usize = 2000;
/// The most comparisons between words.
const MOST_COMPARISONS: usize = 64;

/// The words of a state, and what lemmas say about them.
pub(super) struct Vocabulary {
    /// By bit of the state: the number of its word.
    pub(super) word_of: Vec<usize>,
    /// By word: its first bit and its width.
    pub(super) words: Vec<(StateBit, u32)>,
    /// Constants of comparisons, by width, with their neighbours.
    pub(super) constants: BTreeMap<u32, BTreeSet<u128>>,
    /// Comparisons between several words, with the words that they read.
    pub(super) comparisons: Vec<(Edge, Vec<usize>)>,
}

impl Vocabulary {
    pub(super) fn new(actions: &Actions, aig: &mut Aig) -> Self {
        let cfa = actions.sliced();
        let (mut word_of, mut words) = (Vec::new(), Vec::new());
        let mut blaster = Blaster::new();
        let mut number: HashMap<Term, usize> = HashMap::new();
        for (bit, &(word, place)) in actions.bits().iter().enumerate() {
            if place == 0 {
                let width = cfa.terms.width(word);
                let inputs = &aig.inputs()[bit..bit + width as usize];
                let edges: Vec<Edge> = inputs.iter().map(|&node| Edge::new(node, false)).collect();
                blaster.set(word, &edges);
                number.insert(word, words.len());
                words.push((bit as StateBit, width));
            }
            word_of.push(words.len() - 1);
        }
        let roots: Vec<Term> = (cfa.edges().iter())
            .flat_map(|edge| {
                let values = edge.assignments.iter().map(|assignment| assignment.value);
                values.chain([edge.guard])
            })
            .collect();
        let mut constants: BTreeMap<u32, BTreeSet<u128>> = BTreeMap::new();
        let mut comparisons = Vec::new();
        for term in cfa.terms.cone(&roots, |_| false) {
            let Node::Binary(Op::Eq | Op::Ult | Op::Slt, left, right) = cfa.terms.node(term) else {
                continue;
            };
            let width = cfa.terms.width(left);
            for side in [left, right] {
                if let Some(value) = cfa.terms.constant_value(side) {
                    let all = u128::MAX >> (128 - width);
                    let near = [value.wrapping_sub(1), value, value.wrapping_add(1)];
                    let own = constants.entry(width).or_default();
                    own.extend(near.map(|value| value & all));
                }
            }
            let (read, inputs) = cfa.reads(&[term]);
            let has_place = comparisons.len() < MOST_COMPARISONS;
            if !has_place || !inputs.is_empty() || read.len() < 2 {
                continue;
            }
            if !read.iter().all(|word| number.contains_key(word)) {
                continue;
            }
            let before = aig.n_nodes();
            let none = &mut |_: &mut Aig, _: Term| -> Vec<Edge> {
                unreachable!("a comparison of words reads no inputs")
            };
            let edge = blaster.blast(&cfa.terms, aig, term, none)[0];
            if aig.n_nodes() - before <= MOST_GATES && !edge.is_constant() {
                comparisons.push((edge, read.iter().map(|word| number[word]).collect()));
            }
        }
        Self {
            word_of,
            words,
            constants,
            comparisons,
        }
    }
}
