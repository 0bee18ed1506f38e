//! The enumerations of names, and what is known of a type.

use std::collections::HashMap;

use super::super::Symbol;
use super::super::qualifier::{Keeper, keeper};

/// What is known about an integer type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::lower) enum Enumerated {
    /// It is none of an enumeration.
    No,
    /// The enumeration: its tag, or where it is declared.
    Is(String),
    /// It may be that of an enumeration.
    Unknown,
}

/// The enumerations of names.
#[derive(Debug, Default)]
pub(in crate::lower) struct Enumerations {
    /// Those that names of types stand for.
    types: HashMap<String, String>,
    variables: HashMap<Keeper, String>,
    /// What all members of a name are.
    members: HashMap<String, Enumerated>,
    /// Whether the program has an enumeration.
    pub(in crate::lower) has_any: bool,
}

impl Enumerations {
    /// That of a type's name.
    pub(in crate::lower) fn of_type(&self, name: &str) -> Enumerated {
        let found = self.types.get(name).cloned();
        found.map_or(Enumerated::No, Enumerated::Is)
    }

    pub(in crate::lower) fn of_variable(&self, symbol: &Symbol) -> Enumerated {
        let found = keeper(symbol).and_then(|keeper| self.variables.get(&keeper));
        found.cloned().map_or(Enumerated::No, Enumerated::Is)
    }

    /// That of all members of a name, if there are any.
    pub(in crate::lower) fn of_member(&self, name: &str) -> Option<Enumerated> {
        self.members.get(name).cloned()
    }

    pub(in crate::lower) fn keep_type(&mut self, name: &str, found: Option<String>) {
        match found {
            Some(found) => drop(self.types.insert(name.to_string(), found)),
            None => drop(self.types.remove(name)),
        }
    }
    pub(in crate::lower) fn keep_variable(&mut self, symbol: &Symbol, found: Option<String>) {
        let Some(keeper) = keeper(symbol) else { return };
        match found {
            Some(found) => drop(self.variables.insert(keeper, found)),
            None => drop(self.variables.remove(&keeper)),
        }
    }

    pub(in crate::lower) fn keep_member(&mut self, name: &str, found: Option<String>) {
        let found = found.map_or(Enumerated::No, Enumerated::Is);
        match self.members.get_mut(name) {
            None => drop(self.members.insert(name.to_string(), found)),
            Some(known) if *known != found => *known = Enumerated::Unknown,
            Some(_) => {}
        }
    }

    /// Removes the variables of a function.
    pub(in crate::lower) fn leave_function(&mut self) {
        self.variables.retain(|keeper, _| keeper.is_static());
    }
}
