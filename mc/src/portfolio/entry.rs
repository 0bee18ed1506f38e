//! The members of a portfolio.

use std::sync::Arc;
use std::time::Duration;

use craig_model::{Model, Outcome};

use crate::control::Control;
use crate::engine::entry::Run;

/// One member of a portfolio.
#[derive(Clone)]
pub struct Entry {
    /// The name in reports: that of the engine, and its options if they are unusual.
    pub name: String,
    /// The engine.
    pub run: Run,
    /// If set, the entry takes turns with all others for which it is set; otherwise it runs all the time.
    pub turns: Option<Turns>,
    /// Whether it searches the model as it was before the reduction, where that is known ([`super::check_beside`]).
    pub original: bool,
}

/// How an entry takes turns with others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turns {
    /// The length of the entry's first turn, by the clock.
    pub first: Duration,
    /// The length of its later turns.
    pub length: Duration,
    /// The number of entries with turns that run at once: the same for all of them.
    pub at_once: usize,
}

impl Entry {
    /// An engine under a name.
    #[must_use]
    pub fn new(
        name: impl Into<String>,
        run: impl Fn(&Model, usize, Control<'_>) -> Outcome + Send + Sync + 'static,
    ) -> Self {
        Self {
            name: name.into(),
            run: Arc::new(run),
            turns: None,
            original: false,
        }
    }
}
