//! Bounded model checking (A. Biere, A. Cimatti, E. Clarke, Y. Zhu, "Symbolic model checking without
//! BDDs", 1999): every bound in turn, on one incremental solver.

use craig_solver::aig::{Edge, encode::Encoder};
use craig_solver::{Answer, Solver};

use super::{listen, model_value, why_stopped};
use crate::control::Control;
use crate::model::Model;
use crate::unroll::{Start, Unrolling};
use crate::verdict::{Outcome, UnknownReason, Verdict};

/// The engine's name.
pub const NAME: &str = "bmc";

/// What can be chosen.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The last step to look at, counted from 0; `None` for no end.
    pub max_depth: Option<usize>,
}

/// Looks for the shortest run to bad number `property`. Never answers "safe".
///
/// # Panics
/// If the model has no such bad.
#[must_use]
pub fn check(model: &Model, property: usize, options: &Options, control: &Control) -> Outcome {
    let mut unrolling = Unrolling::new(model, property, Start::Reset);
    let mut solver = Solver::new();
    listen(&mut solver, control);
    let mut encoder = Encoder::new();
    let mut depth = 0;
    let verdict = loop {
        if options.max_depth.is_some_and(|last| depth > last) {
            break Verdict::Unknown(UnknownReason::Bound(format!(
                "no bad in the first {depth} steps"
            )));
        }
        if let Some(reason) = control.stop_reason() {
            break Verdict::Unknown(reason);
        }
        unrolling.push_frame();
        let frame = &unrolling.frames()[depth];
        for &constraint in &frame.constraints {
            let constraint = encoder.encode(unrolling.aig(), constraint, &mut solver);
            solver.add_clause(&[constraint]);
        }
        if frame.bad != Edge::FALSE {
            let bad = encoder.encode(unrolling.aig(), frame.bad, &mut solver);
            // Another engine may have got further; its word is enough for a step that is only on the way.
            let answer = if depth < control.depth() {
                Answer::Unsatisfiable
            } else {
                solver.solve(&[bad])
            };
            match answer {
                Answer::Satisfiable => {
                    let value = |edge| model_value(&solver, &encoder, edge);
                    break Verdict::Unsafe(unrolling.trace(depth, &value));
                }
                // Later steps need the bad's absence in this one only as a hint, but it is a strong one.
                Answer::Unsatisfiable => solver.add_clause(&[!bad]),
                Answer::Unknown => break Verdict::Unknown(why_stopped(control)),
            }
        }
        depth += 1;
        control.report_depth(NAME, depth);
        if solver.is_inconsistent() {
            break Verdict::Unknown(UnknownReason::Bound(format!(
                "the constraints allow no run of more than {} steps, and none of them is bad; \
                 bounded model checking has no certificate for that",
                depth
            )));
        }
    };
    Outcome {
        verdict,
        engine: NAME,
        depth,
    }
}
