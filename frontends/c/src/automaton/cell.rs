//! The cells of a program's state, and their abstract values at a cut.

use std::collections::{BTreeMap, BTreeSet};

use craig_word::Term;

use crate::execute::{Cut, ObjectId, Points, Position};
use crate::ir::{Keeper, Program};

/// A piece of the program's state.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum Cell {
    Register { context: u32, reg: u32 },
    Memory { object: ObjectId, index: u32 },
    Counter { site: u32 },
}

impl Cell {
    /// The cell of a source variable at a cut.
    pub(super) fn of_variable(cut: &Cut, keeper: &Keeper) -> Self {
        match *keeper {
            Keeper::Register(reg) => Self::Register {
                context: cut.context,
                reg,
            },
            Keeper::Static(object) => Self::Memory { object, index: 0 },
        }
    }

    /// A name for messages, if a state at the position has the cell.
    pub(super) fn name(self, program: &Program, position: &Position) -> String {
        match self {
            Self::Register { context, reg } => {
                let mut call = Some(&position.call);
                while let Some(active) = call {
                    if active.context == context {
                        let function = &program.functions[active.function as usize];
                        let name = function.regs[reg as usize].name.as_deref();
                        let name = name.map_or_else(|| format!("r{reg}"), str::to_owned);
                        return format!("{}.{name}", function.name);
                    }
                    call = active.caller.as_ref();
                }
                format!("call{context}.r{reg}")
            }
            Self::Memory { object, index } => match program.statics.get(object as usize) {
                Some(object) if object.shape.cells.len() == 1 => object.name.clone(),
                Some(object) => format!("{}[{index}]", object.name),
                None => format!("object{object}[{index}]"),
            },
            Self::Counter { site } => format!("count{site}"),
        }
    }
}

/// The abstract value of a cell at a cut.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Known {
    /// Not set on some path.
    Absent,
    Constant(Term),
    /// One of a few values of the cell's domain.
    Among(BTreeSet<u128>),
    Varies(Points),
}

/// The abstract state at a cut.
#[derive(Clone)]
pub(super) struct AtCut {
    pub(super) position: Position,
    pub(super) known: BTreeMap<Cell, Known>,
}
