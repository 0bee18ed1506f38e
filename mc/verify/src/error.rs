//! Why a question has no answer at all.

use craig_model::{Model, ModelError};

use crate::property::{Kind, PropertyId};

/// Why a question has no answer, not even "unknown".
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// The model is none.
    #[error("not a model: {0}")]
    Model(#[from] ModelError),
    /// The model has no such property.
    #[error("there is no {} {}: the circuit has {n_properties}", kind(*.property), .property.number)]
    NoProperty {
        /// The requested property.
        property: PropertyId,
        /// How many of its kind the model has.
        n_properties: usize,
    },
    /// An engine failed, and no other has an answer.
    #[error("an engine failed and no other has an answer")]
    Panicked,
    /// An error of the program.
    #[error("{0}")]
    Internal(String),
}

impl VerifyError {
    /// An error of the program.
    #[must_use]
    pub fn internal(message: impl Into<String>) -> Self {
        Self::Internal(message.into())
    }
}

fn kind(property: PropertyId) -> &'static str {
    match property.kind {
        Kind::Bad => "property",
        Kind::Justice => "justice property",
    }
}

impl PropertyId {
    /// Whether the model has it.
    ///
    /// # Errors
    /// If not.
    pub fn check(self, model: &Model) -> Result<(), VerifyError> {
        let n_properties = match self.kind {
            Kind::Bad => model.bads.len(),
            Kind::Justice => model.justice.len(),
        };
        match self.number < n_properties {
            true => Ok(()),
            false => Err(VerifyError::NoProperty {
                property: self,
                n_properties,
            }),
        }
    }
}
