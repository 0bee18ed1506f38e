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
    /// The maximal number of suffixes of refuted paths that are kept for a location; the oldest is dropped.
    pub suffixes: usize,
    /// Attempts with error labels at the begin of a search.
    pub probes: usize,
    /// Refinements for each further attempt.
    pub probe_interval: usize,
    /// Whether reachability interpolants are kept for locations, too, for the labels of later visits.
    pub location_predicates: bool,
    /// Whether weights choose the branch that is visited first.
    pub weights: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            unwinding: unwinding::Options::default(),
            safety: true,
            errors: true,
            suffixes: 4,
            probes: 5,
            probe_interval: 8,
            location_predicates: false,
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

/// The option of that name.
pub(super) const LOCATION_PREDICATES: EngineOption = EngineOption {
    name: "location-predicates",
    placeholder: "",
    range: Range::Switch,
    default: None,
    text: "For `rse`: keep reachability interpolants for each location, as in the paper, and label later visits with those that \
           follow from the label before",
    is_flag: true,
};

/// The option of that name.
pub(super) const SUFFIXES: EngineOption = EngineOption {
    name: "error-suffixes",
    placeholder: "N",
    range: Range::NumberOr(1, "unlimited"),
    default: Some("4"),
    text: "For `rse` with error interpolants: the number of suffixes of refuted paths that are kept for a location",
    is_flag: true,
};

/// The option of that name.
pub(super) const PROBES: EngineOption = EngineOption {
    name: "error-probes",
    placeholder: "N",
    range: Range::NumberOr(0, "unlimited"),
    default: Some("5"),
    text: "For `rse` with error interpolants: the number of attempts with them at the begin of a search",
    is_flag: true,
};

/// The option of that name.
pub(super) const PROBE_INTERVAL: EngineOption = EngineOption {
    name: "error-probe-interval",
    placeholder: "N",
    range: Range::Number(1),
    default: Some("8"),
    text: "For `rse` with error interpolants: the number of refinements for each further attempt with them",
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
            suffixes: settings.count(&SUFFIXES).unwrap_or(usize::MAX),
            probes: settings.count(&PROBES).unwrap_or(usize::MAX),
            probe_interval: settings.count(&PROBE_INTERVAL).unwrap_or(1),
            location_predicates: settings.switch(&LOCATION_PREDICATES),
            weights: settings.switch(&WEIGHTS),
        }
    }
}
