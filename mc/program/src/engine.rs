//! What an engine for programs registers. An engine is a file (or folder) with a [`ProgramEngine`], and a row
//! of [`ENGINES`](super::registry::ENGINES).

use std::sync::Arc;

use craig_mc::Control;
use craig_mc::engine::options::{EngineOption, Range, Settings, Word};

use super::answer::Answer;
use super::cfa::{Blocks, Cfa};
use super::drawing::Drawing;
use super::to_model::Bad;

/// A query to an engine.
#[derive(Clone, Copy, Debug)]
pub struct Query {
    /// The bad locations.
    pub bad: Bad,
    /// Whether the engine returns the tree into which it has unwound the program.
    pub draws: bool,
    /// Whether the engine may end with [`UnknownReason::Bound`](craig_model::UnknownReason::Bound) when it seems to
    /// diverge, as the program will be searched again with other blocks.
    pub may_give_up: bool,
}

impl Query {
    /// Whether a bad location is reachable, without a drawing, to the end.
    pub(super) fn of(bad: Bad) -> Self {
        Self {
            bad,
            draws: false,
            may_give_up: false,
        }
    }
}

/// An engine with its options set: decides whether a bad location of an automaton is reachable. Returns its
/// tree as well, if it has one and the query asks for it.
pub type ProgramRun =
    Arc<dyn Fn(&Cfa, Query, Control<'_>) -> (Answer, Option<Drawing>) + Send + Sync>;

/// An engine as a function of its options.
type RunWith<O> = fn(&Cfa, Query, &O, Control<'_>) -> (Answer, Option<Drawing>);

/// An engine with these options.
pub(super) fn with_options<O: Send + Sync + 'static>(options: O, run: RunWith<O>) -> ProgramRun {
    Arc::new(move |cfa, query, control| run(cfa, query, &options, control))
}

/// An engine for programs.
pub struct ProgramEngine {
    /// The engine's name; no circuit engine has the same.
    pub name: &'static str,
    /// A description in one line for users, without a full stop at the end.
    pub text: &'static str,
    /// Its options.
    pub options: &'static [&'static EngineOption],
    /// Creates the engine from option values.
    pub build: fn(&Settings) -> ProgramRun,
}

impl std::fmt::Debug for ProgramEngine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

impl PartialEq for ProgramEngine {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for ProgramEngine {}

/// The option for the block size of edges.
pub const BLOCKS: EngineOption = EngineOption {
    name: "blocks",
    placeholder: "BLOCKS",
    range: Range::Word(&[
        Word {
            name: "auto",
            text: "At the heads of loops; if the engine gives up, again at every block",
        },
        Word {
            name: "large",
            text: "At the heads of loops",
        },
        Word {
            name: "basic",
            text: "At every block",
        },
    ]),
    default: Some("auto"),
    text: "For `impact`, `predabs`, `rse`, `annotate` and `explicit`: where the program is cut into edges",
    is_flag: true,
};

/// The option for the arrays of a program.
pub const ARRAYS: EngineOption = EngineOption {
    name: "arrays",
    placeholder: "ARRAYS",
    range: Range::Word(&[
        Word {
            name: "auto",
            text: "Elements at a prophecy index first if arrays are large, and last if the cells do not decide",
        },
        Word {
            name: "cells",
            text: "Each element is a word of the automaton",
        },
        Word {
            name: "elements",
            text: "Of each array, the element at a prophecy index is; only for `--blocks auto` or `large`",
        },
    ]),
    default: Some("auto"),
    text: "For `impact`, `predabs`, `rse`, `annotate` and `explicit`: what the automaton has of arrays",
    is_flag: true,
};

/// What an automaton has of arrays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrays {
    /// Left to the caller of the engine.
    Auto,
    /// A word for each element.
    Cells,
    /// The element at a prophecy index.
    Elements,
}

/// The value of [`ARRAYS`].
#[must_use]
pub fn arrays(settings: &Settings) -> Arrays {
    match settings.word(&ARRAYS).as_str() {
        "cells" => Arrays::Cells,
        "elements" => Arrays::Elements,
        _ => Arrays::Auto,
    }
}

/// The value of the option; `None` if the block size is left to the caller of the engine.
#[must_use]
pub fn blocks(settings: &Settings) -> Option<Blocks> {
    match settings.word(&BLOCKS).as_str() {
        "basic" => Some(Blocks::Basic),
        "large" => Some(Blocks::Large),
        _ => None,
    }
}
