//! The members of a portfolio.

use std::sync::Arc;

use crate::circuit::model::Model;
use crate::circuit::verdict::Outcome;
use crate::control::Control;
use crate::engine::entry::Run;

/// One member of a portfolio.
#[derive(Clone)]
pub struct Entry {
    /// The name in reports: that of the engine, and its options if they are unusual.
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
