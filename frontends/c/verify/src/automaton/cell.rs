//! The cells of a program's state, and their abstract values at a cut.

use std::collections::{BTreeMap, BTreeSet};

use craig_word::{Term, Terms};

use craig_c_exec::symbolic::{Cut, Points, Position};
use craig_c_lang::address_space::ObjectId;
use craig_c_lang::ir::{Function, Keeper, Location, Program};

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
    Varies(Points, Low),
}

/// The last bits that all values of a cell have in common, at most [`Self::MOST`]: how addresses are aligned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Low {
    pub(super) bits: u32,
    pub(super) value: u64,
}

impl Low {
    pub(super) const MOST: u32 = 4;

    /// A word with these bits in place of its own.
    pub(super) fn put(self, terms: &mut Terms, word: Term) -> Term {
        if self.bits == 0 {
            return word;
        }
        let upper = terms.extract(word, self.bits, terms.width(word) - self.bits);
        let lower = terms.constant(u128::from(self.value), self.bits);
        terms.concat(upper, lower)
    }

    /// What two values have in common.
    pub(super) fn joined(self, other: Self) -> Self {
        let differing = (self.value ^ other.value).trailing_zeros();
        let bits = self.bits.min(other.bits).min(differing);
        let value = self.value & ((1 << bits) - 1);
        Self { bits, value }
    }
}

impl Known {
    /// A cell with the values of two that vary.
    pub(super) fn joined(self, other: Self) -> Self {
        match (self, other) {
            (Self::Varies(mut points, low), Self::Varies(others, other)) => {
                points.join(&others);
                Self::Varies(points, low.joined(other))
            }
            (first, _) => first,
        }
    }
}

/// The abstract state at a cut.
#[derive(Clone)]
pub(super) struct AtCut {
    pub(super) position: Position,
    pub(super) known: BTreeMap<Cell, Known>,
}

/// The position of a cut in the source.
pub(super) fn place_of(function: &Function, cut: &Cut) -> Location {
    if let Some(head) = function.loops.get(&cut.block) {
        return head.at;
    }
    let block = &function.blocks[cut.block as usize];
    block.instrs.first().map_or(block.end_at, |&(_, at)| at)
}
