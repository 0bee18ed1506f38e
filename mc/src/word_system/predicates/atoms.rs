//! The predicates that a system suggests.

use std::collections::{BTreeSet, HashMap, HashSet};

use craig_word::{Node, Sort, Term};

use super::StateBit;
use crate::word_system::system::WordSystem;

/// The most atoms.
const MOST: usize = 4000;
/// An atom with more subterms is none.
const MOST_SUBTERMS: usize = 300;
/// The most atoms that are weakest preconditions of others.
const MOST_PRECONDITIONS: usize = 1000;
/// What is put in place of a state has this number of subterms, at most.
const MOST_OF_VALUE: usize = 8;
/// Preconditions through values that are neither states nor constants are taken this number of times, at most: their number
/// may be infinite.
const MOST_VALUES: usize = 3;

/// Terms of one bit over states, those nearest to the property first.
#[derive(Debug, Default)]
pub(super) struct Atoms {
    /// The terms, in the arena of the base system.
    pub(super) terms: Vec<Term>,
    /// By atom: the hidden states that occur in it.
    pub(super) states: Vec<BTreeSet<usize>>,
    /// By atom: the bit of a hidden state that it is, if it is one.
    pub(super) bits: Vec<Option<StateBit>>,
    /// By state of the system: its width, 0 for memories.
    pub(super) widths: Vec<u32>,
    /// The first ones are parts of the property and the constraints.
    n_of_property: usize,
}

impl Atoms {
    /// The comparisons of a system, weakest preconditions of those of the property, and equalities of states with the values
    /// and states that they begin with or are set to. Each depends on a hidden state.
    pub(super) fn of(system: &mut WordSystem, hidden: &BTreeSet<usize>) -> Self {
        let mut collection = Collection {
            states: (system.states.iter().enumerate())
                .map(|(number, state)| (state.state, number))
                .collect(),
            hidden,
            known: HashSet::new(),
            values: HashMap::new(),
            atoms: Self {
                widths: (system.states.iter())
                    .map(|state| match system.terms.sort(state.state) {
                        Sort::BitVector(width) => width,
                        Sort::Array { .. } => 0,
                    })
                    .collect(),
                ..Self::default()
            },
        };
        let roots: Vec<Term> = system.properties().collect();
        let mut open = collection.add_of(system, &roots);
        collection.atoms.n_of_property = collection.atoms.terms.len();
        collection.add_preconditions(system);
        let mut seen: BTreeSet<usize> = open.iter().copied().collect();
        // By distance from the property.
        while !open.is_empty() && collection.atoms.terms.len() < MOST {
            let mut next = Vec::new();
            for number in std::mem::take(&mut open) {
                if hidden.contains(&number) {
                    collection.add_values(system, number);
                }
                let roots: Vec<Term> = system.states[number].next.into_iter().collect();
                let more = collection.add_of(system, &roots);
                next.extend(more.into_iter().filter(|&it| seen.insert(it)));
            }
            open = next;
        }
        collection.atoms
    }

    /// The positions of those in the property and the constraints.
    pub(super) fn of_property(&self) -> impl Iterator<Item = usize> {
        0..self.n_of_property
    }
}

struct Collection<'a> {
    /// The numbers of states by variable.
    states: HashMap<Term, usize>,
    hidden: &'a BTreeSet<usize>,
    known: HashSet<Term>,
    /// By state: see [`Self::values_of`].
    values: HashMap<usize, Vec<Term>>,
    atoms: Atoms,
}

impl Collection<'_> {
    /// Adds the comparisons below some terms; returns the states there.
    fn add_of(&mut self, system: &mut WordSystem, roots: &[Term]) -> Vec<usize> {
        let cone = system.terms.cone(roots, |_| false);
        let mut found = Vec::new();
        for term in cone {
            match system.terms.node(term) {
                Node::Binary(op, ..) if op.is_comparison() => self.add(system, term),
                Node::Extract(..) if system.terms.width(term) == 1 => self.add(system, term),
                Node::Var(_) => found.extend(self.states.get(&term).copied()),
                _ => {}
            }
        }
        found
    }

    /// The terms between which the next value of a state is chosen.
    fn values_of(&mut self, system: &WordSystem, number: usize) -> Vec<Term> {
        let found = self.values.entry(number).or_insert_with(|| {
            let mut values = Vec::new();
            let mut open: Vec<Term> = system.states[number].next.into_iter().collect();
            let mut seen = HashSet::new();
            while let Some(term) = open.pop() {
                if !seen.insert(term) {
                    continue;
                }
                match system.terms.node(term) {
                    Node::Ite(_, then, otherwise) => open.extend([otherwise, then]),
                    _ => values.push(term),
                }
            }
            values
        });
        found.clone()
    }

    /// Adds the equalities of a state with its first value and with the constants and states among its next values.
    fn add_values(&mut self, system: &mut WordSystem, number: usize) {
        let state = system.states[number];
        let mut values: Vec<Term> = state.init.into_iter().collect();
        values.extend(self.values_of(system, number));
        for value in values {
            let is_state = self.states.contains_key(&value);
            if value != state.state && (is_state || system.terms.is_constant(value)) {
                let atom = system.terms.eq(state.state, value);
                self.add(system, atom);
            }
        }
    }

    /// Adds what the atoms become where one of their states is replaced by a value that it may have next, and so on.
    fn add_preconditions(&mut self, system: &mut WordSystem) {
        let most = self.atoms.terms.len() + MOST_PRECONDITIONS;
        let mut n_values = vec![0; self.atoms.terms.len()];
        let mut at = 0;
        while at < self.atoms.terms.len() {
            let atom = self.atoms.terms[at];
            for number in self.atoms.states[at].clone() {
                for value in self.values_of(system, number) {
                    if self.atoms.terms.len() >= most {
                        return;
                    }
                    let is_state = self.states.contains_key(&value);
                    let is_plain = is_state || system.terms.is_constant(value);
                    let n = n_values[at] + usize::from(!is_plain);
                    let state = system.states[number].state;
                    let is_small = || system.terms.cone(&[value], |_| false).len() <= MOST_OF_VALUE;
                    if n <= MOST_VALUES && value != state && is_small() {
                        let mut images = HashMap::from([(state, value)]);
                        let before = system.terms.substitute(atom, &mut images);
                        self.add(system, before);
                        n_values.resize(self.atoms.terms.len(), n);
                    }
                }
            }
            at += 1;
        }
    }

    /// Adds a term if it is over states with a next value, one of them hidden.
    fn add(&mut self, system: &WordSystem, term: Term) {
        let term = match system.terms.node(term) {
            Node::Not(negated) => negated,
            _ => term,
        };
        if self.atoms.terms.len() >= MOST || !self.known.insert(term) {
            return;
        }
        let cone = system.terms.cone(&[term], |_| false);
        if cone.len() > MOST_SUBTERMS {
            return;
        }
        let mut own = BTreeSet::new();
        for term in cone {
            if system.terms.is_array(term) {
                return;
            }
            if let Node::Var(_) = system.terms.node(term) {
                match self.states.get(&term) {
                    Some(&number) if system.states[number].next.is_some() => {
                        own.extend(Some(number).filter(|it| self.hidden.contains(it)));
                    }
                    _ => return,
                }
            }
        }
        if !own.is_empty() {
            self.atoms.terms.push(term);
            self.atoms.states.push(own);
            self.atoms.bits.push(match system.terms.node(term) {
                Node::Extract(of, bit) => self.states.get(&of).map(|&number| (number, bit)),
                _ => None,
            });
        }
    }
}
