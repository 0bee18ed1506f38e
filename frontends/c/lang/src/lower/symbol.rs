//! Symbols, values, lvalues, and the scopes of names.

use std::collections::HashMap;
use std::sync::Arc;

use crate::ir::{BlockId, Choice, Expr, FunctionId, Instr, Reg, SlotId, StaticId};
use crate::types::{BitRange, FunctionType, IntType, Type};

/// An error without its position.
pub(crate) type Result<T> = std::result::Result<T, String>;

/// Objects with more cells than this are represented as bytes or rejected.
pub const MAX_CELLS: usize = 1 << 20;

/// The meaning of a name.
#[derive(Clone)]
pub(crate) enum Symbol {
    Typedef(Type),
    Enumerator(i128, IntType),
    Register(Reg, Type),
    Slot(SlotId, Type),
    Static(StaticId, Type),
    Function(FunctionId, Arc<FunctionType>),
}

/// An lvalue.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Place {
    Register(Reg),
    Memory(Expr),
    /// Some bits of the unit at the address.
    Bits {
        address: Expr,
        bits: BitRange,
    },
}

/// A value with its C type. A record's value is the address of an object that holds it.
#[derive(Clone, Debug)]
pub(crate) struct Value {
    pub(crate) expr: Expr,
    pub(crate) ty: Type,
}

/// The names of a block, and the objects with its lifetime.
#[derive(Default)]
pub(super) struct Scope {
    /// Identifies the scope in the program.
    pub(super) number: u32,
    pub(super) names: HashMap<String, Symbol>,
    pub(super) tags: HashMap<String, Type>,
    /// Objects that end with the scope.
    pub(super) slots: Vec<SlotId>,
    /// The registers with the addresses of arrays of variable length that end with the scope.
    pub(super) arrays: Vec<Reg>,
    /// The calls that leaving it makes, by the variables with the attribute `cleanup`.
    pub(super) cleanups: Vec<Cleanup>,
    /// Where control enters it: a block, and the number of instructions there.
    pub(super) entry: (BlockId, usize),
    /// Whether there was a label in it, to which later statements may jump back.
    pub(super) has_label: bool,
}

/// Objects that live from the start of their block, although control may enter it after the declaration.
#[derive(Clone, Copy)]
pub(super) enum Declared {
    Object(SlotId),
    Variable(Reg),
}

impl Scope {
    /// What the scope has declared so far.
    pub(super) fn declared(&self) -> Vec<Declared> {
        let mut variables: Vec<Reg> = (self.names.values())
            .filter_map(|symbol| match symbol {
                Symbol::Register(reg, ty) if !matches!(ty, Type::Variable(..)) => Some(*reg),
                _ => None,
            })
            .collect();
        variables.sort_unstable();
        let objects = self.slots.iter().copied().map(Declared::Object);
        objects
            .chain(variables.into_iter().map(Declared::Variable))
            .collect()
    }
}

impl Declared {
    /// The start of its lifetime, with arbitrary contents.
    pub(super) fn birth(self) -> Instr {
        match self {
            Self::Object(slot) => Instr::Declare { slot },
            Self::Variable(reg) => Instr::Choose {
                reg,
                kind: Choice::Uninitialised,
            },
        }
    }
}

/// A call that the end of a scope makes.
#[derive(Clone)]
pub(super) struct Cleanup {
    /// Identifies it in its function.
    pub(super) number: u32,
    pub(super) function: String,
    pub(super) ty: Arc<FunctionType>,
    pub(super) variable: Value,
}
