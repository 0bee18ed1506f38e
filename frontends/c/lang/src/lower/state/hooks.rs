//! Waypoints and invariants of a witness, and where lowering has met them.

use std::collections::HashMap;

use crate::ir::{Location, StaticId};
use crate::source_place::Place;
use crate::syntax::ast::TranslationUnit;

/// When a hook is evaluated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Moment {
    /// Before a statement.
    Statement,
    /// When the condition of a statement or an expression has been found true, or false.
    Branch(bool),
    /// When the condition of a conditional expression has been found true, or false. Hooks are [`Self::Branch`].
    Choice(bool),
    /// When a `switch` has found this value, or (`None`) one that none of its labels has.
    Case(Option<i128>),
    /// Before a call, after it.
    Enter,
    /// When a call returns.
    Return,
    /// Before the condition of a loop.
    Loop,
}

/// The purpose of the evaluation of an expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// A run that has passed this number of waypoints passes this one if the expression holds.
    Follow(u32),
    /// A run that has passed this number of waypoints ends if the expression holds.
    Avoid(u32),
    /// It is an error if the expression does not hold.
    Hold,
}

/// A waypoint or an invariant.
pub struct Hook {
    /// When the program is watched.
    pub moment: Moment,
    /// What for.
    pub purpose: Purpose,
    /// Where.
    pub place: Place,
    /// The names of the file in the program.
    pub files: Vec<String>,
    /// Whether a branch of the line may be that of a conditional expression without its column.
    pub is_of_any_choice: bool,
    /// A function that returns the expression; without one, it always holds.
    pub unit: Option<TranslationUnit>,
}

/// The results of lowering the hooks.
#[derive(Default)]
pub struct Met {
    /// The position at which each hook is evaluated, by its index.
    pub places: HashMap<usize, Location>,
    /// The object that counts the passed waypoints.
    pub n_passed: Option<StaticId>,
    /// The first expression that could not be lowered, with the reason.
    pub fault: Option<String>,
}
