//! Verdicts, and the evidence without which there is none.

use crate::circuit::model::Model;

/// One step's worth of values; `None` stands for "either value will do".
pub type Values = Vec<Option<bool>>;

/// A run of a model that ends in a bad: the evidence for "unsafe".
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// Which bad of the model holds in the last step.
    pub property: usize,
    /// The latches' values before the first step, in the order of [`Model::latches`].
    pub initial: Values,
    /// The inputs' values in each step, in the order of [`Model::inputs`]. Never empty: the bad holds in the
    /// last step listed, so that depth k (steps counted from 0) has k + 1 entries.
    pub inputs: Vec<Values>,
}

impl Trace {
    /// The step in which the bad holds, counted from 0.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.inputs.len() - 1
    }
}

/// A witness circuit: the evidence for "safe", as HWMCC has asked for it since 2024.
///
/// A circuit of its own that shares some inputs and latches with the model, and whose property
/// (no bad of `witness` is ever set, under its constraints) is inductive. The five conditions that make it
/// a proof are those of Certifaiger; `certify` checks them.
#[derive(Clone, Debug)]
pub struct Certificate {
    /// The witness circuit.
    pub witness: Model,
    /// For each input of the witness, the number of the model's input that it stands for, if any.
    pub shared_inputs: Vec<Option<usize>>,
    /// For each latch of the witness, the number of the model's latch that it stands for, if any.
    pub shared_latches: Vec<Option<usize>>,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UnknownReason {
    /// The deadline has passed.
    Timeout,
    /// The memory limit was reached.
    OutOfMemory,
    /// The engine was cancelled.
    Cancelled,
    /// The engine has reached a bound that its options set; the text says which.
    Bound(String),
    /// The engine can't treat this model; the text says why.
    Unsupported(String),
}

impl std::fmt::Display for UnknownReason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Timeout => f.write_str("the time limit was reached"),
            Self::OutOfMemory => f.write_str("the memory limit was reached"),
            Self::Cancelled => f.write_str("it was interrupted"),
            Self::Bound(text) | Self::Unsupported(text) => f.write_str(text),
        }
    }
}

/// The answer for one property. A claim of either kind carries its evidence.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// The bad is unreachable.
    Safe(Box<Certificate>),
    /// The bad is reachable.
    Unsafe(Trace),
    /// Neither is known.
    Unknown(UnknownReason),
}

/// What an engine returns: the verdict, and how far it got.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The answer.
    pub verdict: Verdict,
    /// The name of the engine that found it.
    pub engine: &'static str,
    /// How deep the engine went: the bad is known to be unreachable in all steps before this one; for
    /// an unsafe verdict the step in which it holds.
    pub depth: usize,
}
