//! Verdicts with their evidence.

use crate::Model;

/// The values of one step; `None` stands for either value.
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

/// A witness circuit: the evidence for "safe" that HWMCC has required since 2024.
///
/// A circuit that shares some inputs and latches with the model, and whose property (no bad of `witness` is
/// ever set, under its constraints) is inductive. The five conditions that make it a proof are those of
/// Certifaiger; `certify` checks them.
#[derive(Clone, Debug)]
pub struct Certificate {
    /// The witness circuit.
    pub witness: Model,
    /// For each input of the witness, the number of the model's input that it is shared with, if any.
    pub shared_inputs: Vec<Option<usize>>,
    /// For each latch of the witness, the number of the model's latch that it is shared with, if any.
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
    /// The engine has reached a bound of its options, named by the text.
    Bound(String),
    /// The engine does not support this model, for the reason in the text.
    Unsupported(String),
}

impl UnknownReason {
    /// The reason in words.
    #[must_use]
    pub fn text(&self) -> &str {
        match self {
            Self::Timeout => "the time limit was reached",
            Self::OutOfMemory => "the memory limit was reached",
            Self::Cancelled => "it was interrupted",
            Self::Bound(text) | Self::Unsupported(text) => text,
        }
    }
}

impl std::fmt::Display for UnknownReason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.text())
    }
}

/// The answer to a question, with the evidence of either definite answer: that of a proof and that of a run. Where nothing
/// else is said, the question is about a bad of a model.
#[derive(Clone, Debug)]
pub enum Verdict<P = Box<Certificate>, R = Trace> {
    /// The bad is unreachable, or the property holds.
    Safe(P),
    /// The bad is reachable, or the property fails.
    Unsafe(R),
    /// Neither is known.
    Unknown(UnknownReason),
}

/// The result of an engine: the verdict, and the depth reached.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The answer.
    pub verdict: Verdict,
    /// The name of the engine.
    pub engine: &'static str,
    /// The depth reached: the bad is known to be unreachable in all steps before this one; for an unsafe
    /// verdict the step in which it holds.
    pub depth: usize,
}
