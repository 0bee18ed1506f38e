//! The calls that leaving a scope makes, and the jumps that may leave it.

use std::sync::Arc;

use crate::ir::BlockId;
use crate::types::FunctionType;

use super::Value;

/// A call that the end of a scope makes.
#[derive(Clone)]
pub(super) struct Cleanup {
    /// Identifies it in its function.
    pub(super) number: u32,
    pub(super) function: String,
    pub(super) ty: Arc<FunctionType>,
    pub(super) variable: Value,
}

/// A jump to a label that may stand further down.
pub(super) struct Jump {
    /// The block that leads to the label.
    pub(super) way: BlockId,
    pub(super) target: BlockId,
    /// The numbers of the scopes around the jump.
    pub(super) around: Vec<u32>,
    /// The calls that leaving all of these scopes would make.
    pub(super) pending: Vec<Cleanup>,
}
