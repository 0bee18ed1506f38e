//! The circuit of a file, as readers keep it beside the model that they make of it.

use craig_aig::Edge;
use craig_model::Model;

/// Twice the number of a signal, and one more for its negation. Signal 0 is false.
pub type Literal = u32;

/// A latch of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceLatch {
    /// The latch's signal.
    pub state: u32,
    /// Its value one step later.
    pub next: Literal,
    /// Its value before the first step: 0, 1, the latch's own literal if it starts at either value, or any
    /// other literal, with its value in the first step.
    pub reset: Literal,
}

/// A conjunction of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceGate {
    /// The gate's signal.
    pub output: u32,
    /// Each is the constant, an input, a latch, or a gate earlier in the list.
    pub operands: [Literal; 2],
}

/// The circuit of a file, and the edges of its signals in a model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Source {
    /// For each signal, its edge in the model's graph.
    pub images: Vec<Edge>,
    /// The signals of the inputs.
    pub inputs: Vec<u32>,
    /// The latches.
    pub latches: Vec<SourceLatch>,
    /// The gates, operands first.
    pub gates: Vec<SourceGate>,
    /// The invariant constraints.
    pub constraints: Vec<Literal>,
    /// The safety properties: the literals that must not become true.
    pub bads: Vec<Literal>,
    /// The literals of the justice properties.
    pub justice: Vec<Vec<Literal>>,
    /// The fairness literals.
    pub fairness: Vec<Literal>,
}

/// A circuit against which evidence is checked.
pub trait Circuit {
    /// The circuit as a model.
    fn model(&self) -> &Model;

    /// The circuit of the file, if the model is to be checked against it.
    fn source(&self) -> Option<&Source>;
}

impl Circuit for Model {
    fn model(&self) -> &Model {
        self
    }

    fn source(&self) -> Option<&Source> {
        None
    }
}
