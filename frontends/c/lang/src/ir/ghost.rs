//! Ghost instructions: what specifications ask of memory and do to it, beyond what C can.

use std::sync::Arc;

use super::{Expr, Reg};

/// The choice behind [`Ghost::MayMeet`].
pub const MEETING: &str = "an object ends where another one starts, or literals share bytes";

/// A fact about the object that a pointer points into, whether that is alive or not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PointerFact {
    /// A number of the object; 0 for null pointers.
    Object,
    /// The distance from the start of the object.
    Offset,
    /// The number of its bytes.
    Size,
    /// Whether it is memory of the heap, one bit.
    IsDynamic,
    /// Whether it is alive, one bit.
    IsAlive,
    /// Whether the number of its bytes is one of many in an exploration of all runs, one bit; 0 in a single run.
    HasOpenSize,
}

impl PointerFact {
    /// The bits of its word, by those of a pointer.
    #[must_use]
    pub fn width(self, pointer: u32) -> u32 {
        match self {
            Self::Object | Self::Offset | Self::Size => pointer,
            Self::IsDynamic | Self::IsAlive | Self::HasOpenSize => 1,
        }
    }
}

/// The bytes that a copy writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CopiedBytes {
    /// Those from an address on.
    At(Expr),
    /// The lowest one of a word, everywhere.
    Value(Expr),
}

impl CopiedBytes {
    /// The expression.
    #[must_use]
    pub fn operand(self) -> Expr {
        match self {
            Self::At(operand) | Self::Value(operand) => operand,
        }
    }
}

/// A ghost instruction.
#[derive(Clone, Debug)]
pub enum Ghost {
    /// Not supported on paths where it is not known which object the pointer points into.
    Inspect {
        /// The register of the result.
        reg: Reg,
        /// The pointer.
        address: Expr,
        /// What is asked.
        what: PointerFact,
    },
    /// One bit: whether `size` bytes from the address on lie in one living object. The size is a word as wide
    /// as the address. Not supported on paths where it is not known which object the pointer points into.
    IsAccessible {
        /// The register of the result.
        reg: Reg,
        /// The pointer.
        address: Expr,
        /// How many bytes.
        size: Expr,
    },
    /// Bytes get any value, if the condition holds: those of the object that the address points into, or `size`
    /// of them from the address on. The paths on which they are not all in one object are not supported.
    Havoc {
        /// The pointer.
        address: Expr,
        /// How many bytes.
        size: Option<Expr>,
        /// Whether the bytes change, one bit.
        condition: Expr,
        /// The bytes hold no pointers.
        has_numbers: bool,
    },
    /// `length` bytes, one at least, are written from an address on as if all of them were read before. Only paths go on on which
    /// they are accessible, which is not checked here. There is no replay of it: it is for proofs.
    Copy {
        /// Where they are written.
        to: Expr,
        /// Which bytes.
        from: CopiedBytes,
        /// How many.
        length: Expr,
    },
    /// Any value, but the same one for the same arguments.
    Uninterpreted {
        /// The register of the result.
        reg: Reg,
        /// Its name.
        function: Arc<str>,
        /// What it is applied to.
        arguments: Vec<Expr>,
    },
    /// One bit: whether it is open if two addresses are equal, wherever objects are: one of them is one past the end of an object
    /// and the other is the start of another one (C11 6.5.9p6), or both are in string literals that may share bytes (6.4.5p7).
    MayMeet {
        /// The register of the result.
        reg: Reg,
        /// The addresses.
        addresses: [Expr; 2],
        /// The size of what both pointers lead to, if that is one, and no character.
        element: Option<u64>,
        /// Whether such pointers may come to ends of objects; else only literals count.
        ends: bool,
    },
    /// From now on, the objects that exist at this moment are those of a write set: code that it confines must
    /// not write to them, except for what the set names.
    OpenWriteSet {
        /// Its number.
        set: u32,
    },
    /// An error if `size` bytes from the address on may not be written: if, for some write set that confines the
    /// code, they are neither named by it nor in an object made since it was opened.
    CheckAssigned {
        /// The pointer.
        address: Expr,
        /// The sets that confine the code.
        confined: Vec<Confined>,
    },
}

/// What a write set says about a write.
#[derive(Clone, Copy, Debug)]
pub struct Confined {
    /// Its number.
    pub set: u32,
    /// One bit: whether the write is confined by the set, and not to what it names.
    pub is_outside: Expr,
}

impl Ghost {
    /// The register that the instruction sets, and the expressions that it reads.
    pub fn effects(&self) -> (Option<Reg>, Vec<Expr>) {
        match *self {
            Self::Inspect { reg, address, .. } => (Some(reg), vec![address]),
            Self::IsAccessible { reg, address, size } => (Some(reg), vec![address, size]),
            Self::Havoc {
                address,
                size,
                condition,
                ..
            } => {
                let operands = [address, condition].into_iter().chain(size);
                (None, operands.collect())
            }
            Self::Copy { to, from, length } => (None, vec![to, from.operand(), length]),
            Self::Uninterpreted {
                reg, ref arguments, ..
            } => (Some(reg), arguments.clone()),
            Self::MayMeet { reg, addresses, .. } => (Some(reg), addresses.to_vec()),
            Self::OpenWriteSet { .. } => (None, Vec::new()),
            Self::CheckAssigned {
                address,
                ref confined,
            } => {
                let operands = confined.iter().map(|set| set.is_outside);
                (None, operands.chain([address]).collect())
            }
        }
    }
}
