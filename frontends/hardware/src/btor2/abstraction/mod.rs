//! Circuits with large memories, of which few words are followed: an over-approximation, refined by runs of
//! it that the circuit does not have.
//!
//! A *tracked word* of a memory has an address that never changes, and its value in every step. Operations on
//! arrays become operations on each tracked word, and a read at another address has any value. The address is
//! that of a read some steps before a bad: a run to a bad is followed with the address that this read has in
//! it, so that a bad counts only in the runs of the abstraction in which the two are equal (Bjesse,
//! "Word-level sequential memory abstraction for model checking", FMCAD 2008; a register whose value is
//! chosen in the first step is a prophecy variable for the address).
//!
//! Without runs to a bad in the abstraction the circuit has none, and a proof is a witness circuit of the
//! circuit itself: tracked words are its reads at addresses in registers of the witness (`proof.rs`). A run
//! of the abstraction is followed on the circuit's own memories (`replay.rs`), and either shows the bad
//! there, or reaches a read whose value differs: the next word to track.

mod build;
#[cfg(feature = "verify")]
mod proof;
mod replay;
#[cfg(test)]
mod tests;

use std::fmt;

use craig_word::{BitVector, Sort};

use super::model::{Argument, Btor2, Kind};

pub use replay::Replayed;

/// Arrays with more bits than this are abstracted.
pub const MOST_EXACT_BITS: u64 = 1 << 16;
/// The most reads of base arrays to which reads of written arrays lead.
const MOST_READS: usize = 200_000;

/// What has to be tracked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Address {
    /// The address that a read has `delay` steps before the bad.
    OfRead {
        /// The address, in the circuit.
        index: Argument,
        /// The number of steps.
        delay: u32,
    },
    /// A constant.
    Constant(BitVector),
}

/// A tracked word of all arrays of one component: arrays between which there are operations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TrackedWord {
    /// The component: the smallest of its nodes.
    pub component: u32,
    /// The address.
    pub address: Address,
}

/// Why there is no abstraction, or no refinement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotAbstracted(pub String);

impl fmt::Display for NotAbstracted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NotAbstracted {}

/// What a state of the abstraction is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum StateOrigin {
    /// A state of the circuit.
    State(u32),
    /// A tracked word of a state of the circuit.
    Word { state: u32, word: u32 },
    /// The address of a tracked word.
    Address(u32),
    /// Whether the address of a tracked word was that of its read `delay` steps ago, at least 1.
    WasIt { word: u32, delay: u32 },
}

/// What an input of the abstraction is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum InputOrigin {
    /// An input of the circuit.
    Input(u32),
    /// A tracked word of an input of the circuit.
    Word { input: u32, word: u32 },
    /// The element of a state or input at an address that is not tracked: a position in
    /// [`Abstraction::points`].
    Point(u32),
}

/// Where the abstraction may differ from the circuit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Point {
    /// A read of a state or input.
    Read {
        array: u32,
        index: Argument,
        /// In the abstraction.
        value: Argument,
    },
    /// A comparison of arrays.
    Equal {
        left: u32,
        right: u32,
        /// In the abstraction.
        value: Argument,
    },
}

/// An abstraction for one bad.
#[derive(Clone, Debug)]
pub struct Abstraction {
    /// The circuit without large arrays; it has one bad. An `init` may read inputs.
    pub model: Btor2,
    bad: usize,
    words: Vec<TrackedWord>,
    /// For each word, its address in the abstraction.
    addresses: Vec<Argument>,
    states: Vec<StateOrigin>,
    inputs: Vec<InputOrigin>,
    /// In the order in which they depend on each other.
    points: Vec<Point>,
}

impl Abstraction {
    /// Whether no memory on which the bad depends is abstracted.
    pub fn is_exact(&self) -> bool {
        self.points.is_empty()
    }

    /// The abstraction of a circuit for one of its bads that tracks the given words of arrays with more than
    /// `most_bits` bits.
    ///
    /// # Errors
    /// If it would be too large.
    ///
    /// # Panics
    /// If there is no such bad.
    pub fn new(
        circuit: &Btor2,
        bad: usize,
        words: &[TrackedWord],
        most_bits: u64,
    ) -> Result<Self, NotAbstracted> {
        build::build(circuit, bad, words, most_bits)
    }
}

/// Whether an array of this sort is abstracted.
fn is_large(sort: Sort, most_bits: u64) -> bool {
    match sort {
        Sort::BitVector(_) => false,
        Sort::Array { index, element } => index >= 32 || u64::from(element) << index > most_bits,
    }
}

/// Whether an argument is a state that keeps the value it starts with, which may be any: it can serve as an
/// address by itself.
fn is_frozen(circuit: &Btor2, index: Argument) -> bool {
    match circuit.node(index).kind {
        Kind::State(state) => {
            let state = &circuit.states[state as usize];
            state.init.is_none() && state.next == Some(Argument::of(index.node))
        }
        _ => false,
    }
}
