//! Which bits of a circuit's state and inputs form words.

use std::collections::BTreeSet;
use std::fmt;

use craig_aig::Edge;
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
    /// The formulas of the system over its words.
    pub formulas: Formulas,
    /// Constants that words are compared with: width and value.
    pub constants: BTreeSet<(u32, u128)>,
}

/// Formulas of a system, over its words.
#[derive(Clone, Default)]
pub struct Formulas {
    /// The terms of the formulas.
    pub terms: Terms,
    /// A variable for each of [`Vocabulary::words`].
    pub words: Vec<Term>,
    /// The other variables, and the inputs that they stand for, lowest bit first.
    pub inputs: Vec<(Term, Vec<Edge>)>,
    /// What the system states about itself: a place, and a condition, one bit wide and without inputs, that may
    /// hold whenever the system is there. Nothing is known of it.
    pub candidates: Vec<(usize, Term)>,
    /// The number of the first of them, which are likelier than the others.
    pub n_likely: usize,
    /// The conditions under which a step is an error. They may read variables that are no words.
    pub bads: Vec<Term>,
    /// All steps from one place to another; after any other step, the system is at no place of
    /// [`Vocabulary::at`]. Empty if they are not known.
    pub steps: Vec<Step>,
}

/// A step of a system, as a guarded parallel assignment.
#[derive(Clone, Debug)]
pub struct Step {
    /// The place before.
    pub source: usize,
    /// The place after it.
    pub target: usize,
    /// The condition of the step, one bit wide. The conditions of two steps from one place exclude each other.
    pub guard: Term,
    /// Positions of words in [`Vocabulary::words`] and their values after the step; others keep their values.
    pub assignments: Vec<(usize, Term)>,
}

impl fmt::Debug for Formulas {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        (formatter.debug_struct("Formulas"))
            .field("candidates", &self.candidates)
            .field("steps", &self.steps)
            .finish_non_exhaustive()
    }
}
