//! The options of lowering: error marks, checks, the effect of unknown functions.

use crate::types::DataModel;

mod cbmc;

pub use cbmc::{CbmcOptions, ContractOptions, Dialect, PointerRestriction};

/// Checks in addition to the error marks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checks {
    /// Overflow of signed arithmetic.
    pub overflow: bool,
    /// Results of unsigned arithmetic that wrap around, which C defines.
    pub unsigned_overflow: bool,
    /// Division by zero.
    pub division: bool,
    /// Shift amounts out of range, and negative numbers that are shifted to the left.
    pub shift: bool,
    /// Places that are marked as unreachable.
    pub unreachable: bool,
    /// Differences of pointers that do not point into one object.
    pub difference: bool,
    /// Pointers that arithmetic moves out of their objects, beyond the place behind their end.
    pub arithmetic: bool,
    /// Indices outside of their arrays, and accesses outside of every object.
    pub bounds: bool,
    /// Accesses through null pointers and to objects whose lifetime has ended; invalid calls of `free`.
    pub pointer: bool,
    /// Copies of the library between objects that overlap (`memcpy`, `strcpy`).
    pub overlap: bool,
    /// Allocated memory that is not freed at the end of the program.
    pub leak: bool,
    /// Implicit conversions that change the value.
    pub conversion: bool,
}

impl Checks {
    /// Every check of what C does not define, or leaves to the implementation, but for pointers that leave their objects
    /// without an access.
    pub const ALL: Self = Self {
        overflow: true,
        unsigned_overflow: false,
        division: true,
        shift: true,
        unreachable: true,
        difference: true,
        arithmetic: false,
        bounds: true,
        pointer: true,
        overlap: true,
        leak: true,
        conversion: true,
    };
}

/// Coverage goals, each of which is a separate property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goals {
    /// Lines that statements start on.
    Locations,
    /// Both outcomes of each `if`, `?:`, `while`, `do` and `for`, and each label of a `switch`.
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
pub struct LoweringOptions {
    /// The machine.
    pub model: DataModel,
    /// The error marks.
    pub marks: Marks,
    /// With checks of overflow: whether left shifts are among the operations.
    pub left_shifts_overflow: bool,
    /// The function in which the program starts.
    pub entry: String,
    /// The checks in addition to the marks.
    pub checks: Checks,
    /// Lines to be reached, by file and number; if there are any, there are no error marks.
    pub cover: Vec<(String, u32)>,
    /// Coverage goals instead of errors.
    pub goals: Option<Goals>,
    /// Whether an allocation may fail at any time.
    pub malloc_may_fail: bool,
    /// The effect of a function that has neither body nor model.
    pub unknown_calls: UnknownCalls,
    /// Whether a read of a volatile object returns any value.
    pub nondet_volatile: bool,
    /// Whether runs in which a signed operation overflows are left out. The checks have those of overflow then.
    pub assumes_no_overflow: bool,
    /// What the command line of CBMC's tools says.
    pub cbmc: CbmcOptions,
}

/// The effect of a call of a function that has neither body nor model. In any case, it returns any value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UnknownCalls {
    /// It changes all objects reachable from its arguments, except through pointers to `const`. One that
    /// takes a function, or does not return, is not supported.
    #[default]
    Havoc,
    /// It changes nothing; one that is declared as not returning ends the run.
    Pure,
    /// It is not supported.
    Refuse,
}

/// The error marks in the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Marks {
    /// The conventions of verifiers.
    Customary,
    /// A label or a function of this name.
    Named(String),
    /// A function of this name.
    Function(String),
    /// Nothing.
    None,
}

impl LoweringOptions {
    /// Whether the conventional marks are the properties.
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

impl Default for LoweringOptions {
    /// The conventional marks and no checks, for a program on LP64 that starts in `main`.
    fn default() -> Self {
        Self {
            model: DataModel::Lp64,
            marks: Marks::Customary,
            left_shifts_overflow: false,
            entry: "main".into(),
            checks: Checks::default(),
            cover: Vec::new(),
            goals: None,
            malloc_may_fail: false,
            unknown_calls: UnknownCalls::default(),
            nondet_volatile: false,
            assumes_no_overflow: false,
            cbmc: CbmcOptions::default(),
        }
    }
}
