//! The options of engines that label an unwinding.

use craig_mc::engine::options::{EngineOption, Range, Settings};

use crate::refutation::{Dial, Transform};
use crate::word_labels::LabelKind;

/// How an unwinding is labelled.
#[derive(Clone, Debug)]
pub struct Options {
    /// The derivation of interpolants.
    pub dial: Dial,
    /// What labels are made of.
    pub labels: LabelKind,
    /// Whether a child is made only if the label of its parent allows its action, which is a query.
    pub expand_queries: bool,
    /// The number of latest vertices of a location that are tried for a forced covering; 0 for none.
    pub cover_candidates: usize,
    /// The most conflicts of an attempt to make a label imply another one. It saves work where it is easy; a
    /// refutation that is hard to find also makes large labels, about which all later queries are hard.
    pub attempt_conflicts: u64,
    /// Once this number of forced covers at a location have not lasted, or attempts were given up, only every second vertex
    /// is tried there. If all were, labels that count the rounds of a loop would be strengthened for ever, and no path to
    /// the error be refuted any more. If none was, the unwinding of a program would hardly end whose covers are all
    /// forced, and many of them lost before labels are strong enough.
    pub lost_covers: u32,
    /// Whether assignments on which nothing later depends are omitted from paths.
    pub slice: bool,
    /// Whether paths are refuted together with the labels on them.
    pub know_labels: bool,
    /// Whether ends of a path to an error are refuted before the whole path.
    pub refute_ends: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            dial: Dial::default(),
            labels: LabelKind::default(),
            expand_queries: true,
            cover_candidates: 3,
            attempt_conflicts: 100,
            lost_covers: 16,
            slice: true,
            know_labels: true,
            refute_ends: true,
        }
    }
}

/// The option of that name.
pub(crate) const NO_FORCE_COVER: EngineOption = EngineOption {
    name: "no-force-cover",
    placeholder: "",
    range: Range::Switch,
    default: None,
    text: "For `impact` and `rse`: do not strengthen labels so that a vertex is covered (forced covering)",
    is_flag: true,
};

/// The option of that name.
pub(crate) const COVER_CANDIDATES: EngineOption = EngineOption {
    name: "cover-candidates",
    placeholder: "N",
    range: Range::Number(0),
    default: Some("3"),
    text: "For `impact` and `rse`: how many of the latest vertices of a location a forced covering is tried with",
    is_flag: true,
};

/// The option of that name.
pub(crate) const COVER_CONFLICTS: EngineOption = EngineOption {
    name: "cover-conflicts",
    placeholder: "N",
    range: Range::NumberOr(0, "unlimited"),
    default: Some("100"),
    text: "For `impact` and `rse`: the number of conflicts after which an attempt to force a cover is given up",
    is_flag: true,
};

/// The option of that name.
pub(crate) const COVER_LOSSES: EngineOption = EngineOption {
    name: "cover-losses",
    placeholder: "N",
    range: Range::NumberOr(0, "unlimited"),
    default: Some("16"),
    text: "For `impact` and `rse`: the number of forced covers of a location that may not last before only every second vertex is tried",
    is_flag: true,
};

/// The option of that name.
pub(crate) const NO_EXPAND_QUERIES: EngineOption = EngineOption {
    name: "no-expand-queries",
    placeholder: "",
    range: Range::Switch,
    default: None,
    text: "For `impact` and `rse`: make a child for each action, as in the paper, also where the label of the vertex excludes it",
    is_flag: true,
};

/// The option of that name.
pub(crate) const NO_SLICE: EngineOption = EngineOption {
    name: "no-slice",
    placeholder: "",
    range: Range::Switch,
    default: None,
    text: "For `impact` and `rse`: keep assignments on a path that nothing later on it depends on",
    is_flag: true,
};

/// The option of that name.
pub(crate) const NO_KNOWN_LABELS: EngineOption = EngineOption {
    name: "no-known-labels",
    placeholder: "",
    range: Range::Switch,
    default: None,
    text: "For `impact` and `rse`: refute paths without what the labels on them say already, as in the paper",
    is_flag: true,
};

/// The option of that name.
pub(crate) const WHOLE_PATHS: EngineOption = EngineOption {
    name: "whole-paths",
    placeholder: "",
    range: Range::Switch,
    default: None,
    text: "For `impact` and `rse`: refute a path to an error from its start at once, as in the paper, and not its ends \
           first",
    is_flag: true,
};

impl Options {
    pub(crate) fn chosen(settings: &Settings) -> Self {
        let candidates = settings.count(&COVER_CANDIDATES).unwrap_or_default();
        let force = !settings.switch(&NO_FORCE_COVER);
        let labels = LabelKind::chosen(settings);
        Self {
            dial: Dial::chosen(settings, Transform::None),
            labels,
            cover_candidates: if force { candidates } else { 0 },
            expand_queries: !settings.switch(&NO_EXPAND_QUERIES),
            attempt_conflicts: settings.number(&COVER_CONFLICTS).unwrap_or(u64::MAX),
            lost_covers: (settings.number(&COVER_LOSSES))
                .map_or(u32::MAX, |n| u32::try_from(n).unwrap_or(u32::MAX)),
            slice: !settings.switch(&NO_SLICE),
            know_labels: !settings.switch(&NO_KNOWN_LABELS),
            refute_ends: !settings.switch(&WHOLE_PATHS) && labels.larger().is_none(),
        }
    }
}
