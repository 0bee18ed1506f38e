//! The options of the engine.

use std::sync::{Arc, Mutex};

use craig_solver::query::record::Recording;

use crate::engine::options::{EXCHANGE, EngineOption, MAX_DEPTH, Range, SEED, Settings, Word};

/// The generalisation strategy of lemmas.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Generalisation {
    /// Literals are dropped one at a time.
    Plain,
    /// Counterexamples to dropping are blocked if that takes one query each.
    #[default]
    Counterexamples,
    /// Counterexamples are blocked with their predecessors.
    Extended,
    /// One of these for each obligation, by the number of its visits.
    Dynamic,
}

/// Techniques that can be switched off, to measure their effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Techniques {
    /// If dropping a literal fails and no counterexample is blocked, literals that do not hold in the
    /// counterexample are dropped as well; its step is stored for later drops.
    pub joins: bool,
    /// Literals of a lemma that excludes the cube one frame earlier are dropped last.
    pub parents: bool,
    /// Inductive subsets of lemmas are searched after each frame.
    pub invariants: bool,
    /// Frames that were not strengthened are skipped when lemmas are propagated.
    pub skip_untouched: bool,
    /// Lemmas are exchanged with other engines.
    pub import: bool,
    /// The final invariant is reduced to the lemmas needed.
    pub shrink: bool,
}

impl Techniques {
    /// All techniques.
    pub const ALL: Self = Self {
        joins: true,
        parents: true,
        invariants: true,
        skip_untouched: true,
        import: true,
        shrink: true,
    };
}

impl Default for Techniques {
    fn default() -> Self {
        Self::ALL
    }
}

/// The options of the engine.
#[derive(Clone, Debug)]
pub struct Options {
    /// How lemmas are generalised.
    pub generalisation: Generalisation,
    /// Which other techniques are on.
    pub techniques: Techniques,
    /// The states one step before the bad are excluded instead of those with the bad. Engines that continue from
    /// frames of their own do not.
    pub is_ahead: bool,
    /// Frames are shared with other engines, and their suggestions for lemmas are tried.
    pub exchange: bool,
    /// Varies the order of literals: another seed may lead to other lemmas.
    pub seed: u64,
    /// The maximal number of frames; `None` for no limit.
    pub max_frames: Option<usize>,
    /// After this number of propagations a second attempt at the proof begins, with plain generalisation, and the
    /// two alternate, each turn twice as long as the last; `None` for no second attempt. There is none either
    /// if the first attempt generalises plainly, or while queries are recorded.
    pub first_turn: Option<u64>,
    /// With more variables than this, the frames share a solver, and steps are lifted by three-valued simulation: a
    /// solver that has loaded everything takes some hundred bytes for each variable.
    pub most_separate: usize,
    /// Frames share a solver once separate ones would have more variables than this together.
    pub most_loaded: usize,
    /// With more variables than this, a query reads only those lemmas that are connected with it.
    pub most_whole: usize,
    /// The recording of the queries, for benchmarks.
    pub recording: Option<Arc<Mutex<Recording>>>,
}

impl Options {
    /// The default of [`Options::first_turn`].
    pub const FIRST_TURN: u64 = 20_000_000;
    /// The default of [`Options::most_separate`].
    pub const MOST_SEPARATE: usize = 200_000;
    /// The default of [`Options::most_loaded`].
    pub const MOST_LOADED: usize = 1_000_000;
    /// The default of [`Options::most_whole`].
    pub const MOST_WHOLE: usize = 30_000;
}

impl Default for Options {
    fn default() -> Self {
        Self {
            generalisation: Generalisation::default(),
            techniques: Techniques::default(),
            is_ahead: false,
            exchange: false,
            seed: 0,
            max_frames: None,
            first_turn: Some(Self::FIRST_TURN),
            most_separate: Self::MOST_SEPARATE,
            most_loaded: Self::MOST_LOADED,
            most_whole: Self::MOST_WHOLE,
            recording: None,
        }
    }
}

pub(super) const GENERALISATION: EngineOption = EngineOption {
    name: "pdr-generalisation",
    placeholder: "HOW",
    range: Range::Word(&[
        Word {
            name: "plain",
            text: "Literals are dropped one at a time",
        },
        Word {
            name: "counterexamples",
            text: "Counterexamples to dropping one are blocked if that takes one query each",
        },
        Word {
            name: "extended",
            text: "Counterexamples are blocked with their predecessors",
        },
        Word {
            name: "dynamic",
            text: "One of these for each obligation, by the number of its visits",
        },
    ]),
    default: Some("counterexamples"),
    text: "For `pdr`: the generalisation of lemmas",
    is_flag: true,
};

pub(super) const PREDECESSORS: EngineOption = EngineOption {
    name: "pdr-predecessors",
    placeholder: "",
    range: Range::Switch,
    default: None,
    text: "For `pdr`: exclude the states one step before the bad instead of those with the bad",
    is_flag: true,
};

pub(super) const WITHOUT: EngineOption = EngineOption {
    name: "pdr-without",
    placeholder: "TECHNIQUE",
    range: Range::Words(&[
        Word {
            name: "joins",
            text: "Dropping all literals that do not hold in a counterexample",
        },
        Word {
            name: "parents",
            text: "Dropping the literals of a lemma of the previous frame last",
        },
        Word {
            name: "invariants",
            text: "Searching for inductive lemmas after each frame",
        },
        Word {
            name: "skip-untouched",
            text: "Skipping frames that were not strengthened",
        },
        Word {
            name: "import",
            text: "Exchanging lemmas with other engines",
        },
        Word {
            name: "shrink",
            text: "Reducing the final invariant to the lemmas needed",
        },
        Word {
            name: "turns",
            text: "Alternating with a second attempt with plain generalisation",
        },
    ]),
    default: None,
    text: "For `pdr`: switch a technique off, to measure its effect; may be repeated",
    is_flag: true,
};

impl Options {
    /// The options from a user's settings.
    pub(super) fn from_settings(settings: &Settings) -> Self {
        let mut options = Self {
            generalisation: match settings.word(&GENERALISATION).as_str() {
                "plain" => Generalisation::Plain,
                "extended" => Generalisation::Extended,
                "dynamic" => Generalisation::Dynamic,
                _ => Generalisation::Counterexamples,
            },
            is_ahead: settings.switch(&PREDECESSORS),
            exchange: settings.switch(&EXCHANGE) && !settings.switch(&PREDECESSORS),
            seed: settings.number(&SEED).unwrap_or_default(),
            max_frames: settings.count(&MAX_DEPTH),
            ..Self::default()
        };
        let techniques = &mut options.techniques;
        for technique in settings.words(&WITHOUT) {
            *match technique.as_str() {
                "joins" => &mut techniques.joins,
                "parents" => &mut techniques.parents,
                "invariants" => &mut techniques.invariants,
                "skip-untouched" => &mut techniques.skip_untouched,
                "import" => &mut techniques.import,
                "shrink" => &mut techniques.shrink,
                _ => {
                    options.first_turn = None;
                    continue;
                }
            } = false;
        }
        options
    }
}
