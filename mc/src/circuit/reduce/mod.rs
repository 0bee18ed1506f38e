//! Reductions: smaller models with the same answer, and the lifting of evidence to the original.
//!
//! Most passes find facts: equalities between signals of the model that hold in every step under the
//! constraints, and that together are inductive. The model is then rebuilt with the facts applied, restricted
//! to the cone of the property. [`Lift`] keeps the facts over the variables of the original model, so that
//! evidence about the reduced model becomes evidence about the original.
//!
//! A fact may depend on the constraints of earlier steps, but never on those of its own step. Hence facts can
//! simplify constraints, too, without circular reasoning.
//!
//! A pass is a file that implements [`Pass`] and a row of [`ROWS`]. Before all passes, [`Resets`] replaces
//! reset functions, whatever passes are asked for: the passes and the engines see constant resets only.

mod auxiliary;
mod combinational;
mod cone;
mod correspondence;
mod facts;
mod folding;
mod inputs;
mod lift;
mod needed;
mod partition;
mod pass;
mod passes;
mod rebuild;
mod reduced;
mod relevant;
mod resets;
mod shared;
mod signals;
mod stage;
#[cfg(test)]
mod stop_tests;
mod ternary;
#[cfg(test)]
mod tests;
mod together;
#[cfg(test)]
mod together_tests;
mod users;

pub use lift::Lift;
pub use pass::{Pass, Task};
pub use passes::{Passes, ROWS, Row, When};
pub use reduced::Reduced;
pub use resets::Resets;
pub use shared::Shared;
pub use signals::Signals;
pub use stage::{Replacement, Stage};
pub(crate) use ternary::reset_values;
pub use together::Together;

use craig_model::Model;

use crate::control::Control;
use rebuild::Scope;

/// Reduces `model` to the part that decides its bad number `property`, by the given passes. Work is bounded
/// by counts, so that the result is deterministic; if `control` ends it early, the facts found so far are
/// used.
///
/// # Panics
/// If the model has no such bad.
#[must_use]
pub fn run(model: &Model, property: usize, passes: &Passes, control: Control<'_>) -> Reduced {
    go_on(begin(model, property, passes, control), passes, control)
}

/// The first part of [`run`]: reset functions are replaced, and the model is reduced to the cone of influence, if
/// that is among the passes. It takes no longer than copying the model.
///
/// # Panics
/// If the model has no such bad.
#[must_use]
pub fn begin(model: &Model, property: usize, passes: &Passes, control: Control<'_>) -> Reduced {
    let reduced = initialised(model, Some(property));
    run_rows(&ROWS[..1], reduced, passes, control)
}

/// The model with one bad or all, without reset functions.
fn initialised(model: &Model, property: Option<usize>) -> Reduced {
    let mut reduced = Reduced::new(model, property);
    if let Some(resets) = Resets::replace(&reduced.model) {
        let initialised = resets.model().clone();
        reduced.replace(initialised, resets);
    }
    reduced
}

/// The rest of [`run`], after [`begin`] with the same passes.
#[must_use]
pub fn go_on(reduced: Reduced, passes: &Passes, control: Control<'_>) -> Reduced {
    run_rows(&ROWS[1..], reduced, passes, control)
}

fn run_rows(rows: &[Row], mut reduced: Reduced, passes: &Passes, control: Control<'_>) -> Reduced {
    let scope = if passes.contains("cone") {
        Scope::Cone
    } else {
        Scope::Everything
    };
    let task = Task { scope, control };
    let mut has_found = false;
    for Row { pass, when } in rows {
        let is_due = passes.contains(pass.name()) && (*when != When::AfterFind || has_found);
        let may_run = pass.is_immediate() || control.stop.reason().is_none();
        has_found = is_due && may_run && pass.forward(&mut reduced, &task);
    }
    reduced
}
