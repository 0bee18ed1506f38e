//! The options of the engine.

use craig_mc::engine::options::{EngineOption, Range, Settings};

use crate::refutation::{Dial, Transform};
use crate::word_labels::LabelKind;

/// The engine's name.
pub const NAME: &str = "annotate";

/// The options of the engine.
#[derive(Clone, Debug)]
pub struct Options {
    /// The derivation of interpolants.
    pub dial: Dial,
    /// What labels are made of.
    pub labels: LabelKind,
    /// Whether labels are learnt. Without them all paths within the fuel are enumerated, and nothing is proved.
    pub learn: bool,
    /// The fuel of the first search: how many edges back to the head of a loop a path may take.
    pub fuel: u32,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            dial: Dial::default(),
            labels: LabelKind::default(),
            learn: true,
            fuel: 1,
        }
    }
}

/// The option of that name.
pub(super) const NO_LEARN: EngineOption = EngineOption {
    name: "no-learn",
    placeholder: "",
    range: Range::Switch,
    default: None,
    text: "For `annotate`: learn no labels, but enumerate all paths (directed automated random testing); proves nothing",
    is_flag: true,
};

/// The option of that name.
pub(super) const FUEL: EngineOption = EngineOption {
    name: "fuel",
    placeholder: "N",
    range: Range::Number(0),
    default: Some("1"),
    text: "For `annotate`: the number of edges back to a loop head on paths of the first search; each search doubles it",
    is_flag: true,
};

impl Options {
    pub(super) fn chosen(settings: &Settings) -> Self {
        Self {
            dial: Dial::chosen(settings, Transform::None),
            labels: LabelKind::chosen(settings),
            learn: !settings.switch(&NO_LEARN),
            fuel: u32::try_from(settings.count(&FUEL).unwrap_or(1)).unwrap_or(u32::MAX / 2),
        }
    }
}
