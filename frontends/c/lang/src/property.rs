//! The properties of a program: each error mark and each check at its position in the source is one.
//!
//! The verdict on a property is that on the program with only this mark or check. A program that is safe with
//! several properties is safe with each of them alone: on a path that violates one, some property is the
//! first to be violated. So several properties are refuted one after the other, and the remaining ones can be
//! proved together.

use crate::ir::{BlockId, CheckKind, Function, Ghost, Instr, Location, Program, Terminator};

/// The identity of a property: the position and the text of its error.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Property {
    /// The place of the error.
    pub at: Location,
    /// What is said about the error.
    pub text: String,
}

/// The kind of check of an instruction, if it is a check.
pub fn checked(instr: &Instr) -> Option<CheckKind> {
    match instr {
        Instr::Check { what, .. } | Instr::CheckAccess { what, .. } => Some(*what),
        Instr::CheckFree { .. } => Some(CheckKind::Free),
        Instr::CheckLeaks => Some(CheckKind::Leak),
        Instr::Ghost(Ghost::CheckAssigned { .. }) => Some(CheckKind::Assigned),
        _ => None,
    }
}

/// All properties of the program, in the order of the source.
pub fn properties(program: &Program) -> Vec<Property> {
    let mut found: Vec<Property> = program.functions.iter().flat_map(properties_of).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// The properties of a function itself, in the order of the source.
pub(crate) fn properties_of(function: &Function) -> Vec<Property> {
    let mut found = Vec::new();
    for block in &function.blocks {
        let checks = block.instrs.iter().filter_map(|(instr, at)| {
            checked(instr).map(|what| Property {
                at: *at,
                text: what.text().into(),
            })
        });
        found.extend(checks);
        if let Terminator::Error(text) = &block.end {
            found.push(Property {
                at: block.end_at,
                text: text.clone(),
            });
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// The program with only those properties that `keep` selects.
pub fn restricted(program: &Program, keep: &dyn Fn(&Property) -> bool) -> Program {
    let mut program = program.clone();
    for function in &mut program.functions {
        restrict(function, keep);
    }
    program
}

fn restrict(function: &mut Function, keep: &dyn Fn(&Property) -> bool) {
    for index in 0..function.blocks.len() {
        let resumes = function.resumes.get(&(index as BlockId)).copied();
        let block = &mut function.blocks[index];
        block.instrs.retain_mut(|(instr, at)| {
            let Some(what) = checked(instr) else {
                return true;
            };
            let property = Property {
                at: *at,
                text: what.text().into(),
            };
            if keep(&property) {
                return true;
            }
            match instr {
                // A failing assertion ends the program, whether it is a checked property or not.
                Instr::Check {
                    condition,
                    what: CheckKind::Assertion,
                } => {
                    *instr = Instr::Assume {
                        condition: *condition,
                    };
                    true
                }
                _ => false,
            }
        });
        if let Terminator::Error(text) = &block.end {
            let property = Property {
                at: block.end_at,
                text: text.clone(),
            };
            if !keep(&property) {
                block.end = resumes.map_or(Terminator::Halt, Terminator::Jump);
            }
        }
    }
}

/// The property that an error violates, in the notation of SV-COMP.
#[must_use]
pub fn specification(error: &str, entry: &str) -> String {
    let kinds = [
        (CheckKind::Overflow, "! overflow"),
        (CheckKind::Index, "valid-deref"),
        (CheckKind::Outside, "valid-deref"),
        (CheckKind::Null, "valid-deref"),
        (CheckKind::Dangling, "valid-deref"),
        (CheckKind::Free, "valid-free"),
        (CheckKind::Leak, "valid-memcleanup"),
    ];
    let found = kinds.iter().find(|(kind, _)| kind.text() == error);
    let formula = found.map_or("! call(reach_error())", |(_, formula)| formula);
    format!("CHECK( init({entry}()), LTL(G {formula}) )")
}

/// The kinds of errors, each with its description: stable identifiers for tools that classify errors.
pub const ERROR_KINDS: [(&str, &str); 23] = [
    ("error-mark", "An error mark of the program is reached"),
    ("assertion", "An assertion fails"),
    ("signed-overflow", "A signed operation overflows"),
    ("unsigned-overflow", "An unsigned operation wraps around"),
    ("division-by-zero", "A division by zero"),
    ("shift-amount", "A shift amount is out of range"),
    ("negative-shift", "A negative number is shifted to the left"),
    (
        "unreachable-reached",
        "A place is reached that is marked as unreachable",
    ),
    (
        "pointer-difference",
        "Pointers to different objects are subtracted",
    ),
    (
        "pointer-arithmetic",
        "Pointer arithmetic leaves the object of the pointer",
    ),
    ("array-bounds", "An index is out of the bounds of its array"),
    ("outside-of-objects", "An access is outside of every object"),
    ("null-dereference", "A null pointer is dereferenced"),
    (
        "dangling-access",
        "An object is accessed whose lifetime has ended",
    ),
    (
        "constant-write",
        "A string literal or an object declared `const` is written",
    ),
    ("overlapping-copy", "A copy between objects that overlap"),
    (
        "invalid-free",
        "Memory is freed that was not allocated or is freed already",
    ),
    ("memory-leak", "Allocated memory is never freed"),
    (
        "value-changing-conversion",
        "An implicit conversion changes the value",
    ),
    (
        "loop-invariant",
        "An annotated invariant of a loop does not hold",
    ),
    (
        "precondition",
        "An annotated precondition of a function does not hold",
    ),
    (
        "postcondition",
        "An annotated postcondition of a function does not hold",
    ),
    ("line-reached", "A line that was asked about is reached"),
];

/// The identifier of the kind of an error, one of [`ERROR_KINDS`].
#[must_use]
pub fn error_kind(error: &str) -> &'static str {
    let kinds = [
        (CheckKind::Assertion, "assertion"),
        (CheckKind::Overflow, "signed-overflow"),
        (CheckKind::UnsignedOverflow, "unsigned-overflow"),
        (CheckKind::DivisionByZero, "division-by-zero"),
        (CheckKind::Shift, "shift-amount"),
        (CheckKind::NegativeShift, "negative-shift"),
        (CheckKind::Unreachable, "unreachable-reached"),
        (CheckKind::Difference, "pointer-difference"),
        (CheckKind::Arithmetic, "pointer-arithmetic"),
        (CheckKind::Index, "array-bounds"),
        (CheckKind::Outside, "outside-of-objects"),
        (CheckKind::Null, "null-dereference"),
        (CheckKind::Dangling, "dangling-access"),
        (CheckKind::Constant, "constant-write"),
        (CheckKind::Overlap, "overlapping-copy"),
        (CheckKind::Free, "invalid-free"),
        (CheckKind::Leak, "memory-leak"),
        (CheckKind::Conversion, "value-changing-conversion"),
        (CheckKind::LoopInvariant, "loop-invariant"),
        (CheckKind::Precondition, "precondition"),
        (CheckKind::Measure, "decreases"),
        (CheckKind::Assigned, "assigns"),
        (CheckKind::Postcondition, "postcondition"),
        (CheckKind::Line, "line-reached"),
    ];
    let found = kinds.iter().find(|(kind, _)| kind.text() == error);
    found.map_or("error-mark", |(_, kind)| kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_error_has_one_description() {
        let errors = [
            "an assertion fails",
            CheckKind::Leak.text(),
            "`reach_error` is called",
        ];
        for (error, kind) in errors
            .iter()
            .zip(["assertion", "memory-leak", "error-mark"])
        {
            assert_eq!(error_kind(error), kind);
            assert_eq!(ERROR_KINDS.iter().filter(|(id, _)| *id == kind).count(), 1);
        }
    }
}
