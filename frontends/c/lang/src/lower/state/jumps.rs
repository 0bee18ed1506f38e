//! Jumps out of functions.

use crate::ir::{BlockId, Reg, StaticId};

/// The static objects shared by all jumps.
#[derive(Clone, Copy)]
pub(in crate::lower) struct NonlocalJumps {
    /// The number of calls of `setjmp`.
    pub(in crate::lower) n_set: StaticId,
    /// The number of the target of a jump; 0 if there is no pending jump.
    pub(in crate::lower) wanted: StaticId,
    /// The next result of `setjmp`.
    pub(in crate::lower) result: StaticId,
}

/// A place where `setjmp` returns.
#[derive(Clone)]
pub(in crate::lower) struct ReturnPoint {
    pub(in crate::lower) block: BlockId,
    /// The number last set here in this call of the function; 0 before.
    pub(in crate::lower) number: Reg,
    pub(in crate::lower) result: Reg,
    /// Variables that are not volatile, each with its value when the number was set.
    pub(in crate::lower) kept: Vec<(Reg, Reg)>,
}
