//! Bounded model checking for loops: the model that saves a state, unrolled.

use super::search::{Found, Tools};
use super::to_safety::ToSafety;
use crate::circuit::model::Model;
use crate::circuit::reduce;
use crate::circuit::verdict::UnknownReason;
use crate::control::Control;
use crate::engine::bmc;

/// The name of the method.
pub(super) const NAME: &str = "loops";

/// Searches loops of growing length.
pub(super) fn run(
    original: &Model,
    tools: &Tools<'_>,
    control: &Control,
) -> Result<Found, UnknownReason> {
    let larger = ToSafety::new(original);
    let inner = control.apart();
    let reduced = reduce::run(&larger.model, 0, &tools.passes, &inner);
    let outcome = bmc::check(&reduced.model, 0, &bmc::Options::default(), &inner);
    larger.found(original, reduced.lift_outcome(outcome).verdict)
}
