//! Bounded model checking for loops: the model with a free shadow of a state, unrolled.

use craig_model::{Model, UnknownReason};

use super::search::{Found, Tools};
use super::to_safety::ToSafety;
use crate::control::Control;
use crate::engine::bmc;

/// The name of the method.
pub(super) const NAME: &str = "loops";

/// Searches loops of growing length.
pub(super) fn run(
    original: &Model,
    tools: &Tools<'_>,
    control: Control<'_>,
) -> Result<Found, UnknownReason> {
    ToSafety::for_loops(original).decide(original, tools, control, |model, control| {
        bmc::check(model, 0, &bmc::Options::default(), control)
    })
}
