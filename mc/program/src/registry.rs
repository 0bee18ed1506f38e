//! The registry of engines for programs.

use super::engine::ProgramEngine;
#[cfg(feature = "bdd")]
use super::predabs;
use super::{annotate, explicit, impact, rse};

/// All engines for programs, in the order in which help texts list them.
pub const ENGINES: &[ProgramEngine] = &[
    impact::ENGINE,
    #[cfg(feature = "bdd")]
    predabs::ENGINE,
    #[cfg(feature = "bdd")]
    predabs::whole::ENGINE,
    rse::ENGINE,
    annotate::ENGINE,
    explicit::ENGINE,
];

#[cfg(test)]
mod tests {
    use super::*;
    use craig_mc::engine::options::Settings;
    use craig_mc::engine::registry;

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
