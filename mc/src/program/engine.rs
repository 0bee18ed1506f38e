//! The engines for programs that a user can choose. An engine is a file (or folder) with a [`ProgramEngine`],
//! and a row of [`ENGINES`].

use std::sync::Arc;

use super::answer::Answer;
use super::cfa::{Blocks, Cfa};
use super::impact;
use super::to_model::Bad;
use crate::control::Control;
use crate::engine::options::{EngineOption, Range, Settings, Word};

/// An engine with its options chosen: decides whether what is bad can be reached in an automaton.
pub type ProgramRun = Arc<dyn Fn(&Cfa, Bad, &Control) -> Answer + Send + Sync>;

/// An engine for programs.
pub struct ProgramEngine {
    /// The engine's name, which no engine for circuits has.
    pub name: &'static str,
    /// What it is, in one line for users, without a full stop at the end.
    pub text: &'static str,
    /// What can be chosen about it.
    pub options: &'static [&'static EngineOption],
    /// The engine with its options chosen.
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

/// All engines for programs, in the order in which help texts list them.
pub const ENGINES: &[ProgramEngine] = &[impact::ENGINE];

/// Where edges of the program start and end.
pub const BLOCKS: EngineOption = EngineOption {
    name: "blocks",
    placeholder: "BLOCKS",
    range: Range::Word(&[
        Word {
            name: "large",
            text: "At the heads of loops",
        },
        Word {
            name: "basic",
            text: "At every block",
        },
    ]),
    default: Some("large"),
    text: "For `impact`: where the program is cut into edges",
    is_flag: true,
};

/// The blocks that were chosen.
#[must_use]
pub fn blocks(settings: &Settings) -> Blocks {
    match settings.word(&BLOCKS).as_str() {
        "basic" => Blocks::Basic,
        _ => Blocks::Large,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::registry;

    /// Names are unique, and each engine can be built from its defaults.
    #[test]
    fn registrations_are_consistent() {
        for (index, engine) in ENGINES.iter().enumerate() {
            assert!(registry::find(engine.name).is_none(), "{}", engine.name);
            assert!(
                ENGINES[..index]
                    .iter()
                    .all(|other| other.name != engine.name)
            );
            for option in engine.options {
                if let Some(default) = option.default {
                    assert!(option.parse(default).is_ok(), "{}", option.name);
                }
                let others = registry::ENGINES.iter().flat_map(|other| other.options);
                for other in others.filter(|other| other.name == option.name && other.is_flag) {
                    assert_eq!(other, option);
                }
            }
            let _ = (engine.build)(&Settings::default());
        }
    }
}
