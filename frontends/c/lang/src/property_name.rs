//! Names of properties, in the form that CBMC's have: the function, the class and a number within both.

use std::collections::{HashMap, HashSet};

use crate::ir::Program;
use crate::property::{Property, error_kind, properties_of};

/// A property with its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedProperty {
    /// The name, such as `main.assertion.1`: properties of one class in one function are numbered from 1 in the order of the
    /// source.
    pub name: String,
    /// The class.
    pub class: &'static str,
    /// The property.
    pub property: Property,
}

/// The class of an error: CBMC's name for it, where it has one.
fn class_of(text: &str) -> &'static str {
    match error_kind(text) {
        "error-mark" if text.starts_with("the label ") => "error_label",
        "error-mark" | "assertion" => "assertion",
        "signed-overflow" | "unsigned-overflow" | "value-changing-conversion" => "overflow",
        "division-by-zero" => "division-by-zero",
        "shift-amount" | "negative-shift" => "undefined-shift",
        "unreachable-reached" => "unreachable",
        "pointer-difference" => "pointer",
        "pointer-arithmetic" => "pointer_arithmetic",
        "array-bounds" => "array_bounds",
        "outside-of-objects" | "null-dereference" | "dangling-access" | "constant-write" => {
            "pointer_dereference"
        }
        "overlapping-copy" => "overlap",
        "invalid-free" => "free",
        "memory-leak" => "memory-leak",
        "loop-invariant" => "loop_invariant",
        "decreases" => "loop_decreases",
        "assigns" => "assigns",
        "precondition" => "precondition",
        "postcondition" => "postcondition",
        other => other,
    }
}

/// All properties of a program with their names, function by function.
pub fn named_properties(program: &Program) -> Vec<NamedProperty> {
    let mut seen = HashSet::new();
    let mut numbers: HashMap<(&str, &str), usize> = HashMap::new();
    let mut found = Vec::new();
    for function in &program.functions {
        let name = match function.name.as_str() {
            "<start>" => "__CPROVER__start",
            name => name,
        };
        for property in properties_of(function) {
            if !seen.insert(property.clone()) {
                continue;
            }
            let class = class_of(&property.text);
            let number = numbers.entry((name, class)).or_default();
            *number += 1;
            found.push(NamedProperty {
                name: format!("{name}.{class}.{number}"),
                class,
                property,
            });
        }
    }
    found
}
