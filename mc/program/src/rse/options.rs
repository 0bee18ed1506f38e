//! The options of the engine.

use craig_mc::engine::options::{EngineOption, INTERPOLANTS, Range, Settings};

use crate::unwinding;

/// The engine's name.
pub const NAME: &str = "rse";

/// The options of the engine.
#[derive(Clone, Debug)]
pub struct Options {
    /// How the tree is labelled: the reachability interpolants.
    pub unwinding: unwinding::Options,
    /// Whether safety interpolants are learnt and used.
    pub safety: bool,
    /// Whether error interpolants are learnt and used.
    pub errors: bool,
    /// Whether weights choose the branch that is visited first.
    pub weights: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            unwinding: unwinding::Options::default(),
            safety: true,
            errors: true,
            weights: false,
        }
    }
}

/// The option of that name.
pub(super) const WEIGHTS: EngineOption = EngineOption {
    name: "weights",
    placeholder: "",
    range: Range::Switch,
    default: None,
    text: "For `rse`: visit first the branch that completes a safety interpolant (weight-guided search)",
    is_flag: true,
};

impl Options {
    pub(super) fn chosen(settings: &Settings) -> Self {
        // Words for other engines are none for this one, as other engines' options are.
        let (safety, errors) = match settings.word(&INTERPOLANTS).as_str() {
            "r" => (false, false),
            "r,s" => (true, false),
            "r,e" => (false, true),
            _ => (true, true),
        };
        Self {
            unwinding: unwinding::Options::chosen(settings),
            safety,
            errors,
            weights: settings.switch(&WEIGHTS),
        }
    }
}
