//! The registry of engines. An engine is a file (or folder) with an [`Engine`], and a row of [`ENGINES`].

#[cfg(feature = "bdd")]
use super::bdd;
use super::entry::Engine;
use super::{avy, bmc, gla, imc, imc_backward, isb, kind, pdr, sim, tra};

/// All engines, in the order in which help texts list them.
pub const ENGINES: &[Engine] = &[
    bmc::ENGINE,
    imc::ENGINE,
    imc_backward::ENGINE,
    isb::ENGINE,
    tra::ENGINE,
    avy::ENGINE,
    avy::STRONG,
    #[cfg(feature = "bdd")]
    bdd::ENGINE,
    sim::ENGINE,
    kind::ENGINE,
    pdr::ENGINE,
    gla::ENGINE,
];

/// The engine of a name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Engine> {
    ENGINES.iter().find(|engine| engine.name == name)
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::engine::options::Settings;

    /// Names are unique, options of one name are equal up to where they can be set, and each engine can be
    /// built from its defaults.
    #[test]
    fn registrations_are_consistent() {
        let mut names = Vec::new();
        let mut options = HashMap::new();
        for engine in ENGINES {
            assert!(!names.contains(&engine.name), "{}", engine.name);
            names.push(engine.name);
            for option in engine.options {
                if let Some(default) = option.default {
                    assert!(option.parse(default).is_ok(), "{}", option.name);
                }
                if option.is_flag {
                    let first = *options.entry(option.name).or_insert(*option);
                    assert_eq!(first, *option);
                }
            }
            let _ = (engine.build)(&Settings::default());
        }
    }
}
