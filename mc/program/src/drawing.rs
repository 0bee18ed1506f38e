//! Trees that engines have unwound a program into, for people.

use std::collections::HashMap;

use craig_aig::{Aig, Edge as AigEdge, Node};
use craig_word::Term;

use super::actions::{ActionId, position};
use super::cfa::Cfa;

/// A tree of locations with labels.
#[derive(Clone, Debug, Default)]
pub struct Drawing {
    /// The root first, parents before their children.
    pub vertices: Vec<DrawnVertex>,
}

/// A vertex of a [`Drawing`].
#[derive(Clone, Debug)]
pub struct DrawnVertex {
    /// The number of its parent.
    pub parent: Option<usize>,
    /// The number of the vertex that covers it.
    pub covered_by: Option<usize>,
    /// The name of its location.
    pub location: String,
    /// What its label says, one conjunct a line; empty if it is true. A conjunct that is a disjunction may have a line
    /// for each disjunct, which begin with `either` and `or`.
    pub label: Vec<String>,
    /// Whether its label is false.
    pub is_false: bool,
    /// Whether a safety interpolant says that no run from here reaches an error.
    pub is_blocked: bool,
    /// Whether it waits for its children: the search has ended before.
    pub is_open: bool,
    /// Whether the run to an error that was found visits it.
    pub is_on_run: bool,
}

/// Marks the vertices that a run visits, as far as they are drawn, from the actions that lead to the vertices and those
/// of the run. Behind a vertex that another one covers, it goes on from that one.
pub(super) fn mark_run(
    vertices: &mut [DrawnVertex],
    incoming: &[Option<ActionId>],
    path: &[ActionId],
) {
    let mut children: HashMap<(usize, ActionId), usize> = HashMap::new();
    for (index, (vertex, action)) in vertices.iter().zip(incoming).enumerate() {
        if let (Some(parent), &Some(action)) = (vertex.parent, action) {
            children.insert((parent, action), index);
        }
    }
    let mut next = (!vertices.is_empty()).then_some(0);
    let mut path = path.iter();
    while let Some(mut at) = next {
        vertices[at].is_on_run = true;
        if let Some(covering) = vertices[at].covered_by {
            vertices[covering].is_on_run = true;
            at = covering;
        }
        next = (path.next()).and_then(|&action| children.get(&(at, action)).copied());
    }
}

/// Literals that are written out in one conjunct, at most.
const MAX_LITERALS: usize = 12;

/// Writes formulas over the bits of words.
pub(super) struct Writer<'a> {
    cfa: &'a Cfa,
    aig: &'a Aig,
    bits: &'a [(Term, u32)],
    /// Conjuncts that are written so.
    texts: HashMap<AigEdge, String>,
}

impl<'a> Writer<'a> {
    /// For formulas of a graph whose input number i is bit i of these.
    pub(super) fn new(cfa: &'a Cfa, aig: &'a Aig, bits: &'a [(Term, u32)]) -> Self {
        let texts = HashMap::new();
        Self {
            cfa,
            aig,
            bits,
            texts,
        }
    }

    /// This drawing, with given texts for some conjuncts.
    pub(super) fn with_texts(mut self, texts: HashMap<AigEdge, String>) -> Self {
        self.texts = texts;
        self
    }

    /// One line for each conjunct.
    pub(super) fn label(&self, conjuncts: &[AigEdge]) -> Vec<String> {
        // Conjuncts that fix single bits of one word are one line.
        let mut fixed: HashMap<Term, Vec<(u32, bool)>> = HashMap::new();
        let mut words: Vec<Term> = Vec::new();
        let mut lines = Vec::new();
        for &conjunct in conjuncts {
            if let Some(text) = self.texts.get(&conjunct) {
                lines.push(text.clone());
                continue;
            }
            match self.aig.node(conjunct.node()) {
                Node::Input(place) => {
                    let (word, bit) = self.bits[place as usize];
                    let own = fixed.entry(word).or_default();
                    if own.is_empty() {
                        words.push(word);
                    }
                    own.push((bit, !conjunct.is_negated()));
                }
                _ => lines.push(self.formula(conjunct)),
            }
        }
        let fixed = words.iter().map(|word| self.fixed(*word, &fixed[word]));
        fixed.chain(lines).collect()
    }

    /// That some bits of a word have these values.
    fn fixed(&self, word: Term, bits: &[(u32, bool)]) -> String {
        let name = self.name(word);
        let width = self.cfa.terms.width(word);
        if bits.len() == width as usize {
            let value =
                (bits.iter()).fold(0u128, |sum, &(bit, value)| sum | u128::from(value) << bit);
            return format!("{name} == {value}");
        }
        let mut bits = bits.to_vec();
        bits.sort_unstable();
        let bits: Vec<String> = (bits.iter())
            .map(|&(bit, value)| format!("{}{name}[{bit}]", if value { "" } else { "!" }))
            .collect();
        bits.join(" & ")
    }

    fn name(&self, word: Term) -> &str {
        let word = self.cfa.word(word);
        word.map_or("?", |word| match word.name.as_str() {
            "" => "?",
            name => name,
        })
    }

    /// A disjunction of literals written out, or else what a formula reads.
    fn formula(&self, formula: AigEdge) -> String {
        let mut literals = Vec::new();
        let mut work = vec![!formula];
        // The negation as a conjunction.
        while let Some(edge) = work.pop() {
            match self.aig.node(edge.node()) {
                Node::And(left, right) if !edge.is_negated() => work.extend([right, left]),
                Node::Input(place) => {
                    let (word, bit) = self.bits[place as usize];
                    let sign = if edge.is_negated() { "" } else { "!" };
                    literals.push(format!("{sign}{}[{bit}]", self.name(word)));
                }
                _ => return self.summary(formula),
            }
            if literals.len() + work.len() > MAX_LITERALS {
                return self.summary(formula);
            }
        }
        literals.join(" | ")
    }

    fn summary(&self, formula: AigEdge) -> String {
        let mut names: Vec<&str> = (self.aig.support(&[formula]).into_iter())
            .map(|node| self.name(self.bits[position(self.aig, node) as usize].0))
            .collect();
        names.sort_unstable();
        names.dedup();
        let more = if names.len() > MAX_LITERALS {
            ", .."
        } else {
            ""
        };
        names.truncate(MAX_LITERALS);
        let n_gates = self.aig.n_ands_in_cone(&[formula]);
        format!("{n_gates} gates over {}{more}", names.join(", "))
    }
}
