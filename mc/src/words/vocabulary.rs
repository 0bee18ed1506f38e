//! Which bits of a circuit's state and inputs form words.

use std::collections::BTreeSet;
use std::fmt;

use craig_solver::aig::Edge;
use craig_word::{Term, Terms};

/// The words of a circuit generated from a word-level system with a program counter.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    /// The latches of the place (the program counter), lowest bit first; runs start at place 0.
    pub counter: Vec<Edge>,
    /// The latches of each word, lowest bit first.
    pub words: Vec<Vec<Edge>>,
    /// The inputs, word by word, lowest bit first.
    pub inputs: Vec<Vec<Edge>>,
    /// The words that are numbers at each place but the start: positions in [`Vocabulary::words`].
    pub at: Vec<Vec<usize>>,
    /// Conditions that the program states about itself.
    pub claims: Claims,
    /// Constants that words are compared with: width and value.
    pub constants: BTreeSet<(u32, u128)>,
}

/// Candidates for invariants that come with the system: nothing is known of them.
#[derive(Clone, Default)]
pub struct Claims {
    /// The terms of the conditions, which have no variables but those of the words.
    pub terms: Terms,
    /// A variable for each of [`Vocabulary::words`].
    pub words: Vec<Term>,
    /// A place, and a condition, one bit wide, that may hold whenever the system is there.
    pub conditions: Vec<(usize, Term)>,
}

impl fmt::Debug for Claims {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        (formatter.debug_list()).entries(&self.conditions).finish()
    }
}
