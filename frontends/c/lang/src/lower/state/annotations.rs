//! Loops and functions with annotations.

use std::ops::Range;

use crate::ir::{BlockId, Location, Reg, SlotId, StaticId};
use crate::lower::symbol::Symbol;
use crate::syntax::ast::Expression;
use crate::syntax::span::Node;

/// A postcondition of the function that is being lowered.
#[derive(Clone)]
pub(in crate::lower) struct Postcondition<'a> {
    pub(in crate::lower) expression: &'a Node<Expression>,
    pub(in crate::lower) at: Location,
    /// What names stand for that are about the start of the function: its parameters, and values kept by
    /// `__CPROVER_old`.
    pub(in crate::lower) names: Vec<(String, Symbol)>,
}

/// A loop whose condition or body is being lowered.
pub(in crate::lower) struct OpenLoop {
    /// The block that leads into the loop.
    pub(in crate::lower) entry: BlockId,
    /// What belongs to the loop so far.
    pub(in crate::lower) parts: LoopParts,
    /// The positions of its clauses in `Builder::assigns`.
    pub(in crate::lower) assigns: Vec<usize>,
}

/// The blocks, registers and objects of a loop.
#[derive(Clone, Debug)]
pub(in crate::lower) struct LoopParts {
    /// Its blocks that were created before the block after the loop.
    pub(in crate::lower) own: Vec<BlockId>,
    /// Those created while it was lowered.
    pub(in crate::lower) made: Range<BlockId>,
    /// The first register and object declared in it.
    pub(in crate::lower) registers_from: Reg,
    pub(in crate::lower) slots_from: SlotId,
}

#[derive(Clone, Copy, Debug)]
pub(in crate::lower) enum Target {
    Register(Reg),
    /// `bytes` bytes from the address in a register; `object` is the object if the target is all of one.
    Memory {
        start: Reg,
        bytes: u64,
        object: Option<Root>,
    },
}

/// An object that an address is computed from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::lower) enum Root {
    Static(StaticId),
    Slot(SlotId),
    /// A register: a pointer.
    Register(Reg),
}

/// A clause of a function, or of a loop in it.
#[derive(Debug)]
pub(in crate::lower) struct Assigns {
    pub(in crate::lower) targets: Vec<Target>,
    pub(in crate::lower) of_loop: Option<LoopParts>,
    /// The register with the address for the function's result.
    pub(in crate::lower) result: Option<Reg>,
}

impl Assigns {
    pub(in crate::lower) fn set_loop(&mut self, parts: LoopParts) {
        self.of_loop = Some(parts);
    }

    pub(in crate::lower) fn covers(&self, block: BlockId) -> bool {
        (self.of_loop.as_ref())
            .is_none_or(|parts| parts.own.contains(&block) || parts.made.contains(&block))
    }

    pub(in crate::lower) fn has_own_slot(&self, slot: SlotId) -> bool {
        (self.of_loop.as_ref()).is_none_or(|parts| slot >= parts.slots_from)
    }

    pub(in crate::lower) fn has_own_register(&self, reg: Reg) -> bool {
        (self.of_loop.as_ref()).is_none_or(|parts| reg >= parts.registers_from)
            || (self.targets.iter())
                .any(|&target| matches!(target, Target::Register(own) if own == reg))
    }

    pub(in crate::lower) fn allows_all_of(&self, root: Root) -> bool {
        let is_it = |&target: &Target| matches!(target, Target::Memory { object: Some(object), .. } if object == root);
        self.targets.iter().any(is_it)
    }
}
