//! What lowering keeps for constructs that are finished later: after the code that is being lowered, at the end of the function,
//! or at the end of the program. The methods stand beside the constructs.

mod aliases;
mod annotations;
mod constructors;
mod contracts;
mod enumerations;
mod evaluation;
mod hooks;
mod jumps;
mod observed;

pub(super) use aliases::Alias;
pub(super) use annotations::{Assigns, LoopParts, OpenLoop, Postcondition, Root, Target};
pub(super) use constructors::Constructor;
pub(super) use contracts::{
    Contracted, Inferred, Mode, PointerCall, Region, Side, Specification, WriteSet,
};
pub(super) use enumerations::{Enumerated, Enumerations};
pub(super) use evaluation::{Kept, OpenRead, Orders, Outcome, Sum};
pub use hooks::{Hook, Met, Moment, Purpose};
pub(super) use jumps::{NonlocalJumps, ReturnPoint};
pub(super) use observed::Observed;
