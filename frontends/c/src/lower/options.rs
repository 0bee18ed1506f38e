//! What lowering can be told: what is an error, what is checked, what calls of unknown functions do.

use crate::types::DataModel;

/// Checks beside the error marks.
#[derive(Clone, Copy, Debug, Default)]
pub struct Checks {
    /// Overflow of signed arithmetic.
    pub overflow: bool,
    /// Division by zero.
    pub division: bool,
    /// Shift amounts out of range.
    pub shift: bool,
    /// Indices beyond their arrays, and accesses outside of every object.
    pub bounds: bool,
    /// Accesses through null pointers and to objects whose lifetime has ended; wrong calls of `free`.
    pub pointer: bool,
    /// Allocated memory that is not freed when the program ends.
    pub leak: bool,
    /// Implicit conversions that change the value.
    pub conversion: bool,
}

impl Checks {
    /// Every check.
    pub const ALL: Self = Self {
        overflow: true,
        division: true,
        shift: true,
        bounds: true,
        pointer: true,
        leak: true,
        conversion: true,
    };
}

/// What is to be covered, each by a run of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goals {
    /// Lines that statements start on.
    Locations,
    /// Both ways of each `if`, `?:`, `while`, `do` and `for`, and each label of a `switch`.
    Branches,
    /// Both values of each operand of `&&`, `||` and `!` in conditions, and of conditions without them.
    Conditions,
}

impl Goals {
    /// The criterion in the query language of Test-Comp.
    #[must_use]
    pub fn specification(self, entry: &str) -> String {
        let edges = match self {
            Self::Locations => "@BASICBLOCKENTRY",
            Self::Branches => "@DECISIONEDGE",
            Self::Conditions => "@CONDITIONEDGE",
        };
        format!("COVER( init({entry}()), FQL(COVER EDGES({edges})) )")
    }
}

/// The options of lowering.
#[derive(Clone, Debug)]
pub(crate) struct LoweringOptions {
    pub(crate) model: DataModel,
    /// What marks an error.
    pub(crate) marks: Marks,
    /// With checks of overflow: whether left shifts are among the operations.
    pub(crate) left_shifts_overflow: bool,
    pub(crate) entry: String,
    pub(crate) checks: Checks,
    /// Lines that are errors to reach, by file and number; if there are any, the customary marks are none.
    pub(crate) cover: Vec<(String, u32)>,
    /// What is to be reached instead of errors.
    pub(crate) goals: Option<Goals>,
    /// Whether an allocation may fail at any time.
    pub(crate) malloc_may_fail: bool,
    pub(crate) unknown_calls: UnknownCalls,
    /// Whether a read of a volatile object gives any value.
    pub(crate) nondet_volatile: bool,
}

/// What a call does of a function that has neither body nor model. It returns any value, in any case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UnknownCalls {
    /// It changes whatever its arguments lead to, but through pointers to `const`. One that takes a
    /// function, or does not return, is not supported.
    #[default]
    Havoc,
    /// It changes nothing; one that is said not to return ends the run.
    Pure,
    /// It is not supported.
    Refuse,
}

/// What marks an error in the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Marks {
    /// What the verifiers' conventions say.
    Customary,
    /// A label or a function of this name.
    Named(String),
    /// A function of this name.
    Function(String),
    /// Nothing.
    None,
}

impl LoweringOptions {
    /// Whether the marks of the verifiers' conventions are the properties.
    pub(super) fn is_customary(&self) -> bool {
        self.marks == Marks::Customary && self.cover.is_empty() && self.goals.is_none()
    }

    /// Whether calls of a function are marked, whatever its definition.
    pub(super) fn is_marked(&self, function: &str) -> bool {
        match &self.marks {
            Marks::Named(name) | Marks::Function(name) => name == function,
            Marks::Customary | Marks::None => false,
        }
    }
}
