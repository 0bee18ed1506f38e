//! Which bits of a circuit's state and inputs form words.

use std::collections::BTreeSet;

use craig_solver::aig::Edge;

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
    /// Constants that words are compared with: width and value.
    pub constants: BTreeSet<(u32, u128)>,
}
