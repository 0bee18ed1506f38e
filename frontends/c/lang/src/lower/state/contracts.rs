//! Contracts in CBMC's dialect, and what they leave to be done when all functions are lowered.

use std::ops::Range;
use std::sync::Arc;

use crate::ir::{BlockId, Expr, FunctionId, Location, Reg, SlotId, StaticId};
use crate::syntax::ast::{Clause, DeclarationSpecifier, Declarator};
use crate::syntax::span::Node;
use crate::types::FunctionType;

/// A declaration with a contract.
#[derive(Clone, Copy)]
pub(in crate::lower) struct Contracted<'a> {
    pub(in crate::lower) specifiers: &'a [Node<DeclarationSpecifier>],
    pub(in crate::lower) declarator: &'a Node<Declarator>,
    pub(in crate::lower) clauses: &'a [Node<Clause>],
    pub(in crate::lower) unit: usize,
    pub(in crate::lower) is_definition: bool,
}

/// What the value of a condition is used for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::lower) enum Side {
    /// It has to hold.
    Goal,
    /// It is assumed.
    Hypothesis,
    /// Its negation is assumed: whatever index shows that it does not hold, no other choice of the run depends on that.
    Denied,
    /// The value itself matters.
    Both,
}

/// What predicates about pointers do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::lower) enum Mode {
    /// They say whether something holds.
    Assert,
    /// They make it hold.
    Assume,
}

/// The contract that is being evaluated.
#[derive(Default)]
pub(in crate::lower) struct Specification {
    /// `None`: predicates about pointers have no meaning here.
    pub(in crate::lower) mode: Option<Mode>,
    /// Registers with address and size of the ranges that `__CPROVER_is_fresh` has named so far.
    pub(in crate::lower) fresh: Vec<(Reg, Reg)>,
    /// What a call that is replaced may free.
    pub(in crate::lower) freeable: Vec<Expr>,
    /// The number of expanded quantifiers around the current expression.
    pub(in crate::lower) depth: u32,
    /// The number of quantifiers that are not expanded around it.
    pub(in crate::lower) n_open: usize,
    /// The instances of quantifiers so far.
    pub(in crate::lower) n_instances: u64,
}

/// A loop without named targets.
pub(in crate::lower) struct Inferred {
    pub(in crate::lower) arbitrary: BlockId,
    pub(in crate::lower) blocks: (Vec<BlockId>, Range<BlockId>),
    pub(in crate::lower) registers_from: Reg,
    pub(in crate::lower) slots_from: SlotId,
    pub(in crate::lower) at: Location,
    pub(in crate::lower) place: (usize, usize),
}

/// What some code may write.
pub(in crate::lower) struct WriteSet {
    /// Whether the set is open, one byte.
    pub(in crate::lower) open: StaticId,
    /// The address and the size of each target.
    pub(in crate::lower) targets: Vec<(StaticId, StaticId)>,
    /// The pointers whose objects may be freed.
    pub(in crate::lower) freed: Vec<StaticId>,
    /// The `static` objects of blocks that code may write without being named, by the function with the code: its own, and those
    /// of functions that call it, as in CBMC.
    pub(in crate::lower) own: Vec<(FunctionId, StaticId)>,
    /// The code that the set confines, with all that it calls.
    pub(in crate::lower) region: Option<Region>,
}

/// Code that a write set confines.
pub(in crate::lower) struct Region {
    pub(in crate::lower) function: FunctionId,
    /// Whether calls of the function from what it calls do not come to its code.
    pub(in crate::lower) is_guarded: bool,
    /// Blocks of the function; `None` for all of them.
    pub(in crate::lower) blocks: Option<(Vec<BlockId>, Range<BlockId>)>,
    /// Of a loop: where what it assigns becomes arbitrary, also what it may write without naming it.
    pub(in crate::lower) arbitrary: Option<(BlockId, Location)>,
    /// Objects of the function from this number on are made by the code itself.
    pub(in crate::lower) slots_from: SlotId,
}

/// A call through a pointer.
pub(in crate::lower) struct PointerCall {
    pub(in crate::lower) function: FunctionId,
    pub(in crate::lower) block: BlockId,
    pub(in crate::lower) ty: Arc<FunctionType>,
}
