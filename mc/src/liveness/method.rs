//! The methods that decide justice properties, and their registry.
//!
//! A method is a file with a function of type `Search`, and a row of `METHODS`.

use std::time::Duration;

#[cfg(feature = "bdd")]
use super::levels;
use super::search::Search;
use super::{counting, loops, shoals, skeletons, to_safety, walks};

/// The registration of a method for users.
pub struct Method {
    /// The name.
    pub name: &'static str,
    /// A description in one line for users, without a full stop at the end.
    pub text: &'static str,
    /// The length of its turns after the first, where all methods take turns.
    pub(super) turn: Duration,
    pub(super) search: Search,
}

impl std::fmt::Debug for Method {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

impl PartialEq for Method {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Method {}

/// The length of a first turn, and of the turns of most methods.
pub(super) const USUAL: Duration = Duration::from_millis(50);
/// Of a method that would decide more in a share of the time than it has with equal turns (figures: `bench/records/circuits.md`).
const LONG: Duration = Duration::from_millis(150);

/// All methods, in the order in which help texts list them.
pub const METHODS: &[Method] = &[
    Method {
        name: loops::NAME,
        text: "Bounded search for a run that repeats a state; finds no proofs",
        turn: USUAL,
        search: loops::run,
    },
    Method {
        name: walks::NAME,
        text: "Simulates runs with inputs that repeat, until a state does; finds long loops, no proofs",
        turn: USUAL,
        search: walks::run,
    },
    Method {
        name: counting::NAME,
        text: "Proves a bound on the number of hits; finds few loops",
        turn: USUAL,
        search: counting::run,
    },
    Method {
        name: to_safety::NAME,
        text: "An engine for safety decides a model that can save a state and compare with it",
        turn: USUAL,
        search: to_safety::run,
    },
    Method {
        name: shoals::NAME,
        text: "From hit to hit, with sets of states that have no further hit (rlive)",
        turn: USUAL,
        search: shoals::run,
    },
    Method {
        name: skeletons::NAME,
        text: "States with all literals are connected to a loop, or divided by walls that no loop crosses (FAIR)",
        turn: LONG,
        search: skeletons::run,
    },
    #[cfg(feature = "bdd")]
    Method {
        name: levels::NAME,
        text: "A fixed point of decision diagrams, literal by literal: for small circuits",
        turn: USUAL,
        search: levels::run,
    },
];

/// The method of a name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Method> {
    METHODS.iter().find(|method| method.name == name)
}
