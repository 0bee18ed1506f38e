//! Slicing by backward liveness from the error and the unsupported location.

use std::collections::{HashMap, HashSet};

use craig_word::{Node, Term};

use super::cfa::{Cfa, LocationId};

/// The live words at one location.
#[derive(Default)]
struct Live {
    /// An error or something unsupported can be reached from here, along edges of the graph.
    reaches: bool,
    words: HashSet<Term>,
    /// The subterms visited for the edges from here.
    seen: HashSet<Term>,
}

/// A new fact: a location is live (no word), or a word is live there.
type Fact = (LocationId, Option<Term>);

struct Liveness<'a> {
    cfa: &'a Cfa,
    live: Vec<Live>,
    /// The values of the assignments of each edge, by word.
    values: Vec<HashMap<Term, Term>>,
    work: Vec<Fact>,
}

impl Liveness<'_> {
    fn note(&mut self, location: LocationId, word: Option<Term>) {
        let live = &mut self.live[location.index()];
        let is_new = match word {
            None => !std::mem::replace(&mut live.reaches, true),
            Some(word) => live.words.insert(word),
        };
        if is_new {
            self.work.push((location, word));
        }
    }

    /// Makes every word live at the location that a term on an edge from it reads.
    fn read(&mut self, location: LocationId, root: Term) {
        let seen = &mut self.live[location.index()].seen;
        let cone = self.cfa.terms.cone(&[root], |term| seen.contains(&term));
        seen.extend(&cone);
        for term in cone {
            if matches!(self.cfa.terms.node(term), Node::Var(_)) && self.cfa.word(term).is_some() {
                self.note(location, Some(term));
            }
        }
    }

    fn run(&mut self) {
        self.note(Cfa::ERROR, None);
        self.note(Cfa::UNSUPPORTED, None);
        while let Some((location, word)) = self.work.pop() {
            for &id in self.cfa.incoming(location) {
                let edge = self.cfa.edge(id);
                match word {
                    None => {
                        self.note(edge.source, None);
                        self.read(edge.source, edge.guard);
                    }
                    Some(word) => match self.values[id.index()].get(&word).copied() {
                        Some(value) => self.read(edge.source, value),
                        None => self.note(edge.source, Some(word)),
                    },
                }
            }
        }
    }
}

impl Cfa {
    /// The automaton without the parts on which the error and the unsupported location do not depend:
    /// locations carry only live words, and edges to locations from which neither can be reached are removed.
    /// Locations keep their numbers, edges do not. The errors that are reachable stay so, by the inputs that reach them.
    #[must_use]
    pub fn sliced(&self) -> Self {
        let values = self.edges().iter().map(|edge| {
            let assignments = edge.assignments.iter();
            assignments
                .map(|assignment| (assignment.word, assignment.value))
                .collect()
        });
        let mut liveness = Liveness {
            cfa: self,
            live: self.location_ids().map(|_| Live::default()).collect(),
            values: values.collect(),
            work: Vec::new(),
        };
        liveness.run();
        let live = liveness.live;
        let mut sliced = Self::new(self.terms.clone());
        for word in self.words() {
            sliced.add_word(word.term, word.name.clone());
        }
        for id in self.location_ids() {
            let location = self.location(id);
            let is_live = |word: &&Term| live[id.index()].words.contains(word);
            let words: Vec<Term> = location.words.iter().filter(is_live).copied().collect();
            let numbers = location.numbers.iter().filter(is_live).copied().collect();
            match id {
                Self::START | Self::ERROR | Self::UNSUPPORTED => {
                    let special = sliced.location_mut(id);
                    special.words = words;
                    special.numbers = numbers;
                }
                _ => {
                    sliced.add_location(location.name.clone(), words, numbers);
                }
            }
        }
        for edge in self.edges() {
            if live[edge.target.index()].reaches {
                let words = &live[edge.target.index()].words;
                let assignments = edge.assignments.iter();
                let assignments = assignments.filter(|a| words.contains(&a.word)).copied();
                sliced.add_edge(edge.source, edge.target, edge.guard, assignments.collect());
            }
        }
        debug_assert_eq!(sliced.check(), Ok(()));
        sliced
    }
}
