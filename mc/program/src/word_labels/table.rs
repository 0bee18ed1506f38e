//! The templates of all locations as formulas over the bits of the state.

use std::collections::{HashMap, HashSet};

use craig_aig::{Aig, Edge, Node, NodeId};
use craig_word::{Blaster, Term, Terms};

use super::templates::templates;
use super::vocabulary::Vocabulary;
use crate::actions::{Actions, StateBit, position};
use crate::cfa::{Cfa, LocationId};

/// A template, as a position in [`Table`].
pub(super) type TemplateId = usize;

/// A template with its bits.
pub(super) struct Entry {
    pub(super) term: Term,
    pub(super) cost: u32,
    /// Whether it is a word of the state; of such one every bit is a value of its own.
    pub(super) is_word: bool,
    /// Its bits, lowest first, in the graph of labels.
    pub(super) bits: Vec<Edge>,
    /// The bits of the state that it reads, in increasing order.
    pub(super) support: Vec<StateBit>,
}

/// The templates of all locations.
pub(super) struct Table {
    /// The terms of the automaton and of the templates.
    pub(super) terms: Terms,
    /// Words that the program compares as signed numbers, or not at all.
    pub(super) signed: HashSet<Term>,
    /// The words for people: without their function where that leaves no doubt.
    pub(super) names: HashMap<Term, String>,
    pub(super) entries: Vec<Entry>,
    at: Vec<Vec<TemplateId>>,
    /// By location: the gates and inputs of its templates, operands first.
    cones: Vec<Vec<NodeId>>,
    /// The largest number of a node of a template, plus one.
    n_nodes: usize,
}

/// The number of states that one call of [`Table::differing`] can compare.
pub(super) const MAX_PAIRS: usize = 32;

impl Table {
    /// Blasts the templates into the graph of labels, whose input number i is bit i of the state. Constants are those of the program
    /// and what differs from one of them by at most the level.
    pub(super) fn new(cfa: &Cfa, actions: &Actions, aig: &mut Aig, level: u32) -> Self {
        let mut terms = cfa.terms.clone();
        let mut vocabulary = Vocabulary::new(cfa);
        vocabulary.widen(level);
        let mut found = templates(cfa, &mut terms, &vocabulary);
        let all = cfa.words().iter().map(|word| word.term);
        let is_signed =
            |word: &Term| vocabulary.signed.contains(word) || !vocabulary.unsigned.contains(word);
        let mut blaster = Blaster::new();
        let mut words: HashMap<Term, Vec<Edge>> = HashMap::new();
        for (&(word, _), &input) in actions.bits().iter().zip(aig.inputs()) {
            let own = words.entry(word).or_default();
            own.push(Edge::new(input, false));
        }
        for (&word, bits) in &words {
            blaster.set(word, bits);
        }
        let mut made = Self {
            terms,
            names: names(cfa),
            signed: all.filter(is_signed).collect(),
            entries: Vec::new(),
            at: vec![Vec::new(); actions.n_locations()],
            cones: vec![Vec::new(); actions.n_locations()],
            n_nodes: 0,
        };
        let mut known: HashMap<Term, TemplateId> = HashMap::new();
        for location in actions.locations() {
            if !actions.reaches(location) {
                continue;
            }
            for template in found.remove(&location).unwrap_or_default() {
                let terms = &made.terms;
                let mut none = |_: &mut Aig, _: Term| unreachable!("templates read words");
                let bits = blaster.blast(terms, aig, template.term, &mut none);
                if bits.iter().all(|bit| bit.is_constant()) {
                    continue;
                }
                let id = *known.entry(template.term).or_insert_with(|| {
                    let support = aig.support(&bits).into_iter();
                    made.entries.push(Entry {
                        term: template.term,
                        cost: template.cost,
                        is_word: template.is_word,
                        support: support.map(|node| position(aig, node)).collect(),
                        bits,
                    });
                    made.entries.len() - 1
                });
                // The cost of the location where it is cheapest.
                let cost = &mut made.entries[id].cost;
                *cost = template.cost.min(*cost);
                made.at[location.index()].push(id);
            }
            let roots: Vec<Edge> = (made.at[location.index()].iter())
                .flat_map(|&id| made.entries[id].bits.iter().copied())
                .collect();
            made.cones[location.index()] = aig.cone(&roots);
        }
        made.n_nodes = aig.n_nodes();
        made
    }

    /// The templates of a location.
    pub(super) fn at(&self, location: LocationId) -> &[TemplateId] {
        &self.at[location.index()]
    }

    /// For up to [`MAX_PAIRS`] pairs of states at a location: by template, the pairs in which some bit of it
    /// differs. `value` gives the values of a bit of the state, the first states of pair i at position 2i.
    pub(super) fn differing(
        &self,
        aig: &Aig,
        location: LocationId,
        value: &dyn Fn(StateBit) -> u64,
    ) -> Vec<u64> {
        let mut values = vec![0u64; self.n_nodes];
        let of = |values: &[u64], edge: Edge| {
            let value = values[edge.node() as usize];
            if edge.is_negated() { !value } else { value }
        };
        for &node in &self.cones[location.index()] {
            values[node as usize] = match aig.node(node) {
                Node::Constant => 0,
                Node::Input(bit) => value(bit),
                Node::And(left, right) => of(&values, left) & of(&values, right),
            };
        }
        let firsts = u64::MAX / 3;
        let differs = self.at(location).iter().map(|&id| {
            let bits = self.entries[id].bits.iter();
            let differing = bits.map(|&bit| {
                let value = of(&values, bit);
                (value ^ (value >> 1)) & firsts
            });
            differing.fold(0, |sum, own| sum | own)
        });
        differs.collect()
    }
}

/// The names of words, without their function where no other word would have the same.
fn names(cfa: &Cfa) -> HashMap<Term, String> {
    let short = |name: &str| {
        name.rsplit_once('.')
            .map_or(name, |(_, name)| name)
            .to_owned()
    };
    let mut n_same: HashMap<String, usize> = HashMap::new();
    for word in cfa.words() {
        *n_same.entry(short(&word.name)).or_default() += 1;
    }
    let names = cfa.words().iter().map(|word| {
        let short = short(&word.name);
        let name = if n_same[&short] == 1 {
            short
        } else {
            word.name.clone()
        };
        (word.term, name)
    });
    names.collect()
}
