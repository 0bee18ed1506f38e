//! What runs in a portfolio.

use std::sync::Arc;

use crate::circuit::model::Model;
use crate::circuit::verdict::Outcome;
use crate::control::Control;
use crate::engine::entry::Run;

/// One member of a portfolio.
#[derive(Clone)]
pub struct Entry {
    /// What to call it in reports; the engine's name, with a hint at its options where they are not the usual
    /// ones.
    pub name: String,
    /// The engine.
    pub run: Run,
}

impl Entry {
    /// An engine under a name.
    #[must_use]
    pub fn new(
        name: impl Into<String>,
        run: impl Fn(&Model, usize, &Control) -> Outcome + Send + Sync + 'static,
    ) -> Self {
        Self {
            name: name.into(),
            run: Arc::new(run),
        }
    }
}
