//! A proof that was certified, for front ends whose question is about several models: evidence is lifted to one of them there,
//! and certified here.

use std::sync::Arc;

use craig_certify::certify_certificate;
use craig_model::{Certificate, Model};

/// A proof that a bad of a model is unreachable. [`Proven::certify`] is the only way to make one.
#[derive(Clone, Debug)]
pub struct Proven {
    /// Shared, since evidence is cloned with the reports that have it.
    of: Arc<(Model, Certificate)>,
}

impl Proven {
    /// Certifies a proof about bad number `bad` of a model.
    ///
    /// # Errors
    /// Why the certificate is no proof.
    pub fn certify(model: &Model, bad: usize, certificate: Certificate) -> Result<Self, String> {
        certify_certificate(model, bad, &certificate).map_err(|error| error.to_string())?;
        let of = Arc::new((model.clone(), certificate));
        Ok(Self { of })
    }

    /// The model.
    #[must_use]
    pub fn model(&self) -> &Model {
        &self.of.0
    }

    /// The proof.
    #[must_use]
    pub fn certificate(&self) -> &Certificate {
        &self.of.1
    }
}
