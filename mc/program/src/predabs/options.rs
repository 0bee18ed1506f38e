//! The options of the engine.

use craig_mc::engine::options::{EngineOption, Range, Settings, Word};

use crate::refutation::{Dial, Transform};
use crate::word_labels::LabelKind;

/// The engine's name.
pub const NAME: &str = "predabs";

/// What is taken for the successors of a set of states of the Boolean program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Image {
    /// Those that the approximate relation of the action allows.
    Approximate,
    /// Of these, those in the strongest cube of predicates that follows from the set and the action.
    Hybrid,
    /// Those in that cube. The relations stay true, so that the engine gives up where the cubes do not tell.
    Cartesian,
    /// Those that some step of the program leads to: each combination of values is found by a solver.
    Exact,
}

/// How the relations of actions are made smaller.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refinement {
    /// By interpolants of the path.
    Interpolants,
    /// By one run of the Boolean program along the path: combinations of predicates that no step of the
    /// program connects are excluded (S. Das and D. L. Dill, "Successive approximation of abstract transition
    /// relations", LICS 2001).
    DasDill,
}

/// What can be chosen.
#[derive(Clone, Debug)]
pub struct Options {
    /// How interpolants are drawn.
    pub dial: Dial,
    /// What predicates are made of.
    pub labels: LabelKind,
    /// What images are.
    pub image: Image,
    /// How relations are refined.
    pub refinement: Refinement,
}

/// What is done to refutations by default, as in the paper (bench/records/interpolation.md).
const TRANSFORM: Transform = Transform::RaiseLocalShrink;

impl Default for Options {
    fn default() -> Self {
        Self {
            dial: Dial {
                transform: TRANSFORM,
                ..Dial::default()
            },
            labels: LabelKind::default(),
            image: Image::Hybrid,
            refinement: Refinement::Interpolants,
        }
    }
}

/// The option of that name.
pub(super) const IMAGE: EngineOption = EngineOption {
    name: "image",
    placeholder: "IMAGE",
    range: Range::Word(&[
        Word {
            name: "approx",
            text: "By the approximate relations of the actions",
        },
        Word {
            name: "hybrid",
            text: "By these, and the strongest cube of predicates that follows",
        },
        Word {
            name: "cartesian",
            text: "By that cube alone",
        },
        Word {
            name: "exact",
            text: "Exactly: one query for each combination of predicates",
        },
    ]),
    default: Some("hybrid"),
    text: "For `predabs`: how the image of a set of abstract states is computed",
    is_flag: true,
};

/// The option of that name.
pub(super) const REFINE: EngineOption = EngineOption {
    name: "refine",
    placeholder: "REFINE",
    range: Range::Word(&[
        Word {
            name: "itp",
            text: "By interpolants of the path",
        },
        Word {
            name: "dasdill",
            text: "By excluding transitions of one abstract run (Das and Dill 2001)",
        },
    ]),
    default: Some("itp"),
    text: "For `predabs`: how the approximate relations are refined",
    is_flag: true,
};

impl Options {
    pub(super) fn chosen(settings: &Settings) -> Self {
        Self {
            dial: Dial::chosen(settings, TRANSFORM),
            labels: LabelKind::chosen(settings),
            image: match settings.word(&IMAGE).as_str() {
                "approx" => Image::Approximate,
                "cartesian" => Image::Cartesian,
                "exact" => Image::Exact,
                _ => Image::Hybrid,
            },
            refinement: match settings.word(&REFINE).as_str() {
                "dasdill" => Refinement::DasDill,
                _ => Refinement::Interpolants,
            },
        }
    }
}
