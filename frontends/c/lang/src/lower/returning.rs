//! Calls that may not return, and calls that may reach an error: if their order is unspecified, the first
//! must not hide the error of the second.

use std::collections::HashMap;

use super::Lowering;
use super::accesses::Body;
use super::state::Outcome;

/// Functions that end all or some runs. For a function with a body of its own, the body counts, too.
fn ends_runs(name: &str) -> bool {
    let plain = name.trim_start_matches('_');
    let plain = plain.strip_prefix("builtin_").unwrap_or(plain);
    let plain = (plain.strip_prefix("VERIFIER_"))
        .or_else(|| plain.strip_prefix("CPROVER_"))
        .or_else(|| plain.strip_prefix("ESBMC_"))
        .unwrap_or(plain);
    matches!(
        plain,
        "exit"
            | "Exit"
            | "quick_exit"
            | "abort"
            | "trap"
            | "unreachable"
            | "assume"
            | "longjmp"
            | "siglongjmp"
            | "pthread_exit"
            | "thrd_exit"
    )
}

/// Assumptions by the conventions of verifiers, also if the program defines them.
fn is_assumption(name: &str) -> bool {
    matches!(
        name,
        "__VERIFIER_assume" | "__CPROVER_assume" | "__ESBMC_assume" | "__builtin_assume"
    )
}

/// Functions whose calls are errors, or errors if their argument is false.
fn is_customary_mark(name: &str) -> bool {
    matches!(
        name,
        "__VERIFIER_error"
            | "reach_error"
            | "__assert_fail"
            | "__assert"
            | "__assert_rtn"
            | "__assert_perror_fail"
            | "_assert"
            | "assert"
            | "__VERIFIER_assert"
            | "__CPROVER_assert"
            | "__ESBMC_assert"
    )
}

/// Whether a function may call itself, directly or indirectly. Each function is given with those that it
/// calls.
pub(super) fn has_circle(calls: &HashMap<String, Vec<String>>) -> bool {
    // A function without remaining callees is in no cycle.
    let mut callers: HashMap<&str, Vec<&str>> = HashMap::new();
    let mut n_open: HashMap<&str, usize> = HashMap::new();
    for (caller, called) in calls {
        n_open.insert(caller, called.len());
        for name in called {
            callers.entry(name).or_default().push(caller);
        }
    }
    let mut done: Vec<&str> = (n_open.iter())
        .filter(|open| *open.1 == 0)
        .map(|open| *open.0)
        .collect();
    let mut n_done = 0;
    while let Some(name) = done.pop() {
        n_done += 1;
        for caller in callers.get(name).into_iter().flatten() {
            if let Some(open) = n_open.get_mut(caller) {
                *open -= 1;
                if *open == 0 {
                    done.push(caller);
                }
            }
        }
    }
    n_done < calls.len()
}

impl Lowering<'_> {
    /// The outcome of a function by its name; `None` if its body determines it.
    pub(super) fn outcome_of_name(&self, name: &str) -> Option<Outcome> {
        if self.options.is_marked(name) {
            return Some(Outcome {
                ends: false,
                marks: true,
            });
        }
        let has_own_body = self.is_defined_by_program(name);
        if is_customary_mark(name)
            && !(has_own_body && matches!(name, "assert" | "__VERIFIER_assert"))
        {
            // A failing assertion ends the run if another mark is the property, or if properties are
            // separate.
            let marks = self.options.is_customary();
            return Some(Outcome { ends: true, marks });
        }
        let ends = ends_runs(name) || self.noreturn.contains(name);
        let ends = ends && (!has_own_body || is_assumption(name));
        ends.then_some(Outcome { ends, marks: false })
    }

    /// The outcome of a body, without the functions that it calls.
    pub(super) fn outcome_of_body(&self, body: &Body, is_own: bool) -> Outcome {
        Outcome {
            // The loops of the library terminate.
            ends: is_own && body.goes_back,
            marks: self.checks_everything()
                || is_own && body.labels.iter().any(|label| self.is_error_label(label)),
        }
    }

    /// Whether any code may be an error, by a check or as a coverage goal.
    fn checks_everything(&self) -> bool {
        self.checks_operations()
            || !self.options.cover.is_empty()
            || self.options.goals.is_some()
            || !self.hooks.is_empty()
    }

    /// Whether operations may be errors by themselves.
    pub(super) fn checks_operations(&self) -> bool {
        let checks = self.options.checks;
        checks.overflow
            || checks.unsigned_overflow
            || checks.division
            || checks.shift
            || checks.unreachable
            || checks.difference
            || checks.arithmetic
            || checks.bounds
            || checks.pointer
            || checks.conversion
    }
}
