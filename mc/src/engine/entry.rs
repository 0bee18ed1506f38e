//! The registration of an engine.

use std::sync::Arc;

use craig_model::{Model, Outcome};

use super::options::{EngineOption, Settings};
use crate::control::Control;

/// An engine with its options set: decides a bad, by its number, of a model.
pub type Run = Arc<dyn Fn(&Model, usize, Control<'_>) -> Outcome + Send + Sync>;

/// The registration of an engine for users.
pub struct Engine {
    /// The engine's name.
    pub name: &'static str,
    /// A description in one line for users, without a full stop at the end.
    pub text: &'static str,
    /// Whether a run that it finds with default options is a shortest one.
    pub is_shortest: bool,
    /// Its options.
    pub options: &'static [&'static EngineOption],
    /// Creates the engine from option values.
    pub build: fn(&Settings) -> Run,
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

impl PartialEq for Engine {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Engine {}
