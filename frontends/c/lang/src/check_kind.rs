//! The kinds of errors, with their names in reports.

/// The failure of a check, or the kind of a goal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CheckKind {
    /// An assertion.
    Assertion,
    /// A result of signed arithmetic that its type does not have.
    Overflow,
    /// A result of unsigned arithmetic that its type does not have.
    UnsignedOverflow,
    /// A division by zero.
    DivisionByZero,
    /// A shift by an amount out of range.
    Shift,
    /// A negative number is shifted to the left (C11 6.5.7p4).
    NegativeShift,
    /// A place that is promised not to be reached is.
    Unreachable,
    /// Pointers are subtracted that do not point into one object (C11 6.5.6p9).
    Difference,
    /// A sum or a difference of a pointer and an index is neither in the pointer's object nor one past its end (C11 6.5.6p8).
    Arithmetic,
    /// An index is not below the length of its array.
    Index,
    /// An access is outside of every object, and not through a null pointer.
    Outside,
    /// An access is through a null pointer, or an offset from it.
    Null,
    /// An access is to an object whose lifetime has ended.
    Dangling,
    /// A write is to a string literal or to an object declared `const`.
    Constant,
    /// The objects that a function of the library reads and writes overlap, although it does not allow that.
    Overlap,
    /// Memory passed to `free` was not allocated, or is freed already.
    Free,
    /// Allocated memory is left at the end.
    Leak,
    /// An implicit conversion changes the value.
    Conversion,
    /// A line of `--cover` is reached.
    Line,
    /// Goals of `--cover`: a condition is true, it is false, a label of a `switch` is reached.
    True,
    /// A condition is false.
    False,
    /// A label of a `switch` is reached.
    Label,
    /// An annotation of the program does not hold: of a loop, where a function is called, where it returns.
    LoopInvariant,
    /// What a contract requires of a call.
    Precondition,
    /// What a contract ensures of a return.
    Postcondition,
    /// The measure of a loop does not fall, or a write is not to what `__CPROVER_assigns` names.
    Measure,
    /// A store to what a contract does not let a function assign.
    Assigned,
    /// A condition claimed by a witness does not hold.
    Invariant,
}

impl CheckKind {
    /// Whether it is a goal, not an error.
    pub fn is_goal(self) -> bool {
        matches!(self, Self::Line | Self::True | Self::False | Self::Label)
    }

    /// The description in reports.
    pub fn text(self) -> &'static str {
        match self {
            Self::Assertion => "an assertion fails",
            Self::Overflow => "a signed operation overflows",
            Self::UnsignedOverflow => "an unsigned operation wraps around",
            Self::DivisionByZero => "a division by zero",
            Self::Shift => "a shift amount is out of range",
            Self::NegativeShift => "a negative number is shifted to the left",
            Self::Unreachable => "a place is reached that is marked as unreachable",
            Self::Difference => "pointers to different objects are subtracted",
            Self::Arithmetic => "a pointer leaves its object",
            Self::Index => "an index is out of the bounds of its array",
            Self::Outside => "an access is outside of every object",
            Self::Null => "a null pointer is dereferenced",
            Self::Dangling => "an object is accessed whose lifetime has ended",
            Self::Constant => "a write to a constant object",
            Self::Overlap => "a copy between objects that overlap",
            Self::Free => "memory is freed that was not allocated or is freed already",
            Self::Leak => "allocated memory is never freed",
            Self::Conversion => "an implicit conversion changes the value",
            Self::Line => "the line is reached",
            Self::True => "the condition is true",
            Self::False => "the condition is false",
            Self::Label => "the label is reached",
            Self::LoopInvariant => "an invariant of a loop does not hold",
            Self::Measure => "the measure of a loop does not fall, or was negative",
            Self::Assigned => "a write to what `__CPROVER_assigns` does not name",
            Self::Precondition => "a precondition of a function does not hold",
            Self::Postcondition => "a postcondition of a function does not hold",
            Self::Invariant => "an invariant of the witness does not hold",
        }
    }
}
