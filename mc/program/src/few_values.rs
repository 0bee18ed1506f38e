//! Words that hold few values: only constants, copies from such words, and narrow inputs are assigned to them.
//!
//! The sets of values are closed under all edges: a leaf of an assigned value is a constant of the set, a word
//! whose set is a subset, or an input all of whose values are in the set. So that each word is in its set is an inductive invariant.

use std::collections::{BTreeSet, HashMap, HashSet};

use craig_word::{Node, Term};

use super::cfa::Cfa;

/// The words of an automaton that hold few values, each with a set of values that contains all of them.
pub type FewValues = HashMap<Term, BTreeSet<u128>>;

/// What is assigned to a word, choices resolved.
#[derive(Default)]
struct Leaves {
    constants: BTreeSet<u128>,
    copies: HashSet<Term>,
    has_others: bool,
}

impl Cfa {
    /// The words to which only constants, copies from such words, and inputs of at most `most` values are assigned, each with
    /// at most `most` values.
    /// All words start with 0.
    #[must_use]
    pub fn few_values(&self, most: usize) -> FewValues {
        let mut leaves: HashMap<Term, Leaves> = HashMap::new();
        for word in self.words() {
            let start = leaves.entry(word.term).or_default();
            // The start carries few words; the others get a value before they are read.
            if self.location(Self::START).words.contains(&word.term) {
                start.constants.insert(0);
            }
        }
        for edge in self.edges() {
            for assignment in &edge.assignments {
                let found = leaves.entry(assignment.word).or_default();
                self.add_leaves(assignment.value, most, found);
            }
        }
        let mut values: FewValues = (leaves.iter())
            .filter(|(_, leaves)| !leaves.has_others)
            .map(|(&word, leaves)| (word, leaves.constants.clone()))
            .collect();
        // Values flow along copies; a word that gets too many, or one of a word without a set, has no set.
        let mut readers: HashMap<Term, Vec<Term>> = HashMap::new();
        for (&word, leaves) in &leaves {
            for &copied in &leaves.copies {
                readers.entry(copied).or_default().push(word);
            }
        }
        let mut work: Vec<Term> = leaves.keys().copied().collect();
        while let Some(word) = work.pop() {
            let own = values.get(&word).cloned();
            let own = own.filter(|own| own.len() <= most);
            if own.is_none() {
                values.remove(&word);
            }
            for &reader in readers.get(&word).into_iter().flatten() {
                let Some(known) = values.get_mut(&reader) else {
                    continue;
                };
                let before = known.len();
                match &own {
                    Some(own) => known.extend(own),
                    None => {
                        values.remove(&reader);
                        work.push(reader);
                        continue;
                    }
                }
                if known.len() > before {
                    work.push(reader);
                }
            }
        }
        values
    }

    /// Adds what a value is chosen from. More constants than `most` count as something else.
    fn add_leaves(&self, value: Term, most: usize, found: &mut Leaves) {
        let mut seen = HashSet::new();
        let mut work = vec![value];
        while let Some(term) = work.pop() {
            if found.has_others || !seen.insert(term) {
                continue;
            }
            match self.terms.node(term) {
                Node::Ite(_, then, otherwise) => work.extend([then, otherwise]),
                Node::Var(_) if self.word(term).is_some() => {
                    found.copies.insert(term);
                }
                // A narrow input, such as an index.
                Node::Var(_)
                    if 1u128
                        .checked_shl(self.terms.width(term))
                        .is_some_and(|all| all <= most as u128) =>
                {
                    found.constants.extend(0..1u128 << self.terms.width(term));
                }
                _ => match self.terms.constant_value(term) {
                    Some(value) if found.constants.len() <= most => {
                        found.constants.insert(value);
                    }
                    _ => found.has_others = true,
                },
            }
        }
    }
}
