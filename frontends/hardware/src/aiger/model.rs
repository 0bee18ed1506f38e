//! The content of a file.

use craig_aig::Edge;
use craig_certify::{Circuit, Source};
use craig_model::Model;
#[cfg(feature = "verify")]
use craig_verify::Design;

use super::encoding::Encoding;

/// A model together with the content of its file beyond the model.
#[derive(Clone, Debug, Default)]
pub struct AigerModel {
    /// The transition system. Its bads are the file's bads; in a file with neither bads nor justice
    /// properties, they are its outputs.
    pub model: Model,
    /// The literals of [`Model::inputs`] in the file; witness circuits refer to them.
    pub input_literals: Vec<u32>,
    /// The literals of [`Model::latches`] in the file.
    pub latch_literals: Vec<u32>,
    /// The file's outputs, unless they are the bads; no engine uses them.
    pub outputs: Vec<Edge>,
    /// Names of `outputs`: empty, or one each.
    pub output_names: Vec<String>,
    /// Whether the bads of `model` are written as outputs (the format before 1.9).
    pub bads_are_outputs: bool,
    /// The text after the line `c`, without the last line's end.
    pub comment: Option<String>,
    /// The encoding that the file was read from.
    pub encoding: Encoding,
    /// The gates of the file, without any rewriting: evidence is checked on these. `None` if `model` was not
    /// read from a file, or changed since.
    pub source: Option<Source>,
}

impl Circuit for AigerModel {
    fn model(&self) -> &Model {
        &self.model
    }

    fn source(&self) -> Option<&Source> {
        self.source.as_ref()
    }
}

#[cfg(feature = "verify")]
impl Design for AigerModel {
    /// Every answer is about the model.
    type Evidence = std::convert::Infallible;

    fn model(&self) -> &Model {
        &self.model
    }

    fn circuit(&self) -> &dyn Circuit {
        self
    }
}

impl AigerModel {
    /// A model that was not read from a file: literals are numbered as by the writers, inputs first and then
    /// latches.
    #[must_use]
    pub fn from_model(model: Model) -> Self {
        let literal =
            |index: usize| u32::try_from(2 * (index + 1)).expect("an Aig's edges fit in 32 bits");
        let n_inputs = model.inputs.len();
        Self {
            input_literals: (0..n_inputs).map(literal).collect(),
            latch_literals: (0..model.latches.len())
                .map(|index| literal(n_inputs + index))
                .collect(),
            model,
            ..Self::default()
        }
    }
}
