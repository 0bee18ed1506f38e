//! The lowered program: functions as graphs of blocks over words.
//!
//! Scalars whose address is not taken are in registers of their function; all other variables are in objects,
//! which loads and stores access by address. The lowering sets a register on every path before it is read,
//! except that a jump past a declaration may leave it unset; reading it then ends the path.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use craig_word::Op;

pub use crate::check_kind::CheckKind;
pub use crate::float::FloatOp;
pub mod ghost;
mod shape;
pub mod shared_bytes;
mod used_bits;
mod words;

use crate::host_function::HostFunction;
use crate::placement::Placement;
use crate::types::{FloatType, IntType, Type, Types};
pub use ghost::Ghost;
pub use shape::Shape;
pub use used_bits::{UNKNOWN_BITS, UsedBits};

/// The number of a register in its function.
pub type Reg = u32;
/// The number of a block in its function.
pub type BlockId = u32;
/// The number of a function in the program.
pub type FunctionId = u32;
/// A static object: a global, a static local or a string literal.
pub type StaticId = u32;
/// An object of a function's frame.
pub type SlotId = u32;

/// An expression without effects: an index into [`Program::exprs`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Expr(pub u32);

/// An operation on words.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ExprNode {
    /// A number.
    Const(u128),
    /// The value of a register.
    Reg(Reg),
    /// The complement of each bit.
    Not(Expr),
    /// An operation on two words of one width.
    Binary(Op, Expr, Expr),
    /// A pointer and a distance in bytes that is added to it. The object is that of the pointer, whatever the
    /// distance is computed from (C11 6.5.6p8).
    Moved(Expr, Expr),
    /// The second word if the first, of one bit, is 1; else the third.
    Ite(Expr, Expr, Expr),
    /// The bits of a word from this one on.
    Extract(Expr, u32),
    /// A word with zeros above it.
    ZExt(Expr),
    /// A word with copies of its sign above it.
    SExt(Expr),
    /// The address of a static object.
    Static(StaticId),
    /// The address of an object of the frame.
    Slot(SlotId),
    /// The address of a function.
    Function(FunctionId),
    /// For unary operations both operands are the same. The last one is the rounding mode
    /// (`float::Rounding`).
    Float(FloatOp, FloatType, Expr, Expr, Expr),
}

/// A place in a source file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, PartialOrd, Ord)]
pub struct Location {
    /// Index into [`Program::files`].
    pub file: u32,
    /// From 1.
    pub line: u32,
    /// From 1; 0 where there is none.
    pub column: u32,
}

/// An instruction.
#[derive(Clone, Debug)]
pub enum Instr {
    /// Computes a word.
    Set {
        /// The register that gets it.
        reg: Reg,
        /// The word.
        value: Expr,
    },
    /// Reads memory.
    Load {
        /// The register that gets the word.
        reg: Reg,
        /// The address of its first byte.
        address: Expr,
        /// The number of bytes.
        bytes: u32,
    },
    /// Writes memory.
    Store {
        /// The address of the first byte.
        address: Expr,
        /// The word.
        value: Expr,
        /// The number of bytes.
        bytes: u32,
    },
    /// Any value.
    Choose {
        /// The register that gets the value.
        reg: Reg,
        /// What the value stands for.
        kind: Choice,
    },
    /// The result of a function that C leaves to the implementation. Before it is bounded, any value within
    /// [`HostFunction::bounds`].
    Host {
        /// The register that gets the result.
        reg: Reg,
        /// The function.
        function: HostFunction,
        /// The type of its arguments and its result.
        format: FloatType,
        /// The arguments.
        arguments: Vec<Expr>,
    },
    /// The lifetime of an object of the frame starts; its contents are arbitrary.
    Declare {
        /// The object.
        slot: SlotId,
    },
    /// The lifetime of an object of the frame ends.
    End {
        /// The object.
        slot: SlotId,
    },
    /// A new object; `element` is the likely type of its elements. On the heap, the size is at most
    /// [`Program::largest_allocation`]; the lowering gives null otherwise.
    Allocate {
        /// The register that gets the address.
        reg: Reg,
        /// The number of bytes.
        size: Expr,
        /// The shape of an element, if it is an array of these.
        element: Option<Arc<Shape>>,
        /// Whether its bytes are 0.
        zeroed: bool,
        /// The lifetime.
        storage: Storage,
        /// Its address is a multiple of this power of two, of 2^12 at most.
        align: u64,
    },
    /// Ends the lifetime of an allocated object.
    Free {
        /// Its address; null has no effect.
        address: Expr,
    },
    /// The object at the address may have the address of one whose lifetime has ended, although it was made
    /// before that end.
    Moved {
        /// Its address.
        address: Expr,
    },
    /// The size of the object that the address points into; 0 if there is none.
    SizeOf {
        /// The register that gets the size.
        reg: Reg,
        /// The address of the object.
        address: Expr,
    },
    /// Unsupported where a word is the address of an object, and an operation depends on bits of it of which C
    /// promises nothing.
    UsesBits {
        /// The word.
        word: Expr,
        /// How many of its lowest bits are promised to be 0, wherever the object is.
        promised: u32,
        /// The bits that the operation depends on.
        bits: UsedBits,
    },
    /// Ends the runs in which a condition is false.
    Assume {
        /// The condition, of one bit.
        condition: Expr,
    },
    /// The condition may hold here in all runs: a candidate for an invariant. No effect.
    Candidate {
        /// The condition, of one bit.
        condition: Expr,
    },
    /// An error if the condition does not hold.
    Check {
        /// The condition, of one bit.
        condition: Expr,
        /// What is checked.
        what: CheckKind,
    },
    /// An error if `bytes` bytes at the address cannot be accessed, for the reason that the kind names. Without bytes, it is a
    /// function that is called; a pointer that the program leaves open is not null then.
    CheckAccess {
        /// The address of the first byte.
        address: Expr,
        /// The number of bytes.
        bytes: u32,
        /// What is checked.
        what: CheckKind,
    },
    /// An error if the address is neither null nor that of memory which may be freed.
    CheckFree {
        /// The address.
        address: Expr,
    },
    /// An error if allocated memory has not been freed.
    CheckLeaks,
    /// Ends the lifetimes of allocated objects of the frame: of the one at the address, if there is one.
    EndAllocated {
        /// The address.
        address: Expr,
    },
    /// A function without body and model may change all objects reachable from its arguments, in any way.
    Havoc {
        /// The name of the function.
        function: Arc<str>,
        /// What it can reach through its arguments.
        arguments: Vec<Exposed>,
    },
    /// What specifications ask of memory and do to it.
    Ghost(Ghost),
}

/// The address of an object passed to a function without body and model.
#[derive(Clone, Debug)]
pub struct Exposed {
    /// The address that the function is given.
    pub address: Expr,
    /// The object itself is not changed, only objects reachable from it.
    pub is_const: bool,
    /// The object's type excludes pointers in it.
    pub has_numbers: bool,
}

/// The storage duration of an allocated object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Storage {
    /// Until it is freed.
    Heap,
    /// Until the function returns (`alloca`, arrays of variable length).
    Frame,
}

/// Why a value is free.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Choice {
    /// A call of a nondeterministic function, by name.
    Input(String),
    /// A variable without initialiser.
    Uninitialised,
    /// Unspecified behaviour, with a description.
    Open(String),
    /// The result of a function without body and without model.
    Unknown(String),
}

/// What a call leads to.
#[derive(Clone, Debug)]
pub enum Callee {
    /// A function.
    Direct(FunctionId),
    /// The function at an address.
    Indirect(Expr),
}

/// How control leaves a block.
#[derive(Clone, Debug)]
pub enum Terminator {
    /// To another block.
    Jump(BlockId),
    /// To one of two blocks.
    Branch {
        /// The condition, of one bit.
        condition: Expr,
        /// The block if it is 1.
        then: BlockId,
        /// The block if it is 0.
        otherwise: BlockId,
    },
    /// A call.
    Call {
        /// The function.
        callee: Callee,
        /// The arguments.
        args: Vec<Expr>,
        /// The register that gets the result.
        result: Option<Reg>,
        /// The block behind the call.
        next: BlockId,
    },
    /// The end of a call, with its result.
    Return(Option<Expr>),
    /// The program ends.
    Halt,
    /// The error of the property.
    Error(String),
    /// An unsupported construct; the rest of the path is unknown.
    Stuck(String),
}

/// Instructions that are executed one after the other.
#[derive(Clone, Debug)]
pub struct Block {
    /// The instructions with their places.
    pub instrs: Vec<(Instr, Location)>,
    /// How control leaves it.
    pub end: Terminator,
    /// The place of that.
    pub end_at: Location,
}

/// An object of the program.
#[derive(Clone, Debug)]
pub struct DeclaredObject {
    /// Its name in reports.
    pub name: String,
    /// Its size and cells.
    pub shape: Arc<Shape>,
    /// Its type, for reports.
    pub ty: Option<Type>,
    /// Its address is a multiple of this.
    pub align: u64,
    /// Declared elsewhere: arbitrary initial contents (else zeros).
    pub external: bool,
    /// It never changes: a string literal, or an object declared `const`.
    pub is_constant: bool,
    /// The bytes, if it is a string literal.
    pub literal: Option<Arc<[u8]>>,
    /// For objects of frames: the program may keep its address in a variable, so that the objects with this
    /// name have to be distinguished.
    pub escapes: bool,
}

/// A register.
#[derive(Clone, Debug)]
pub struct Register {
    /// Its width in bits.
    pub width: u32,
    /// The variable in the register; `None` for intermediate results.
    pub name: Option<String>,
    /// The type of the variable, for reports.
    pub ty: Option<Type>,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// The first registers.
    pub n_params: usize,
    /// Its registers; those of the parameters come first.
    pub regs: Vec<Register>,
    /// Its local objects.
    pub slots: Vec<DeclaredObject>,
    /// Block 0 is the entry. Empty if the function has no body.
    pub blocks: Vec<Block>,
    /// The width of its result in bits, if it has one.
    pub result_width: Option<u32>,
    /// Where blocks that end in [`Terminator::Error`] continue if the error is not among the checked
    /// properties; without an entry, the program ends there.
    pub resumes: HashMap<BlockId, BlockId>,
    /// The loops that test their condition first, by the block that starts the test.
    pub loops: HashMap<BlockId, LoopHead>,
    /// The registers of loads whose values are only stored somewhere else.
    pub copied: HashSet<Reg>,
}

impl Function {
    /// The number of words that the executor stores for a call: the registers, and an address for each object
    /// of the frame.
    pub fn n_kept(&self) -> usize {
        self.regs.len() + self.slots.len()
    }

    /// A function without a body yet.
    pub fn new(name: &str) -> Self {
        Self {
            name: name.to_string(),
            n_params: 0,
            regs: Vec::new(),
            slots: Vec::new(),
            blocks: Vec::new(),
            result_width: None,
            resumes: HashMap::new(),
            loops: HashMap::new(),
            copied: HashSet::new(),
        }
    }
}

/// A loop of the source.
#[derive(Clone, Debug)]
pub struct LoopHead {
    /// Its keyword.
    pub at: Location,
    /// Of a `do` loop: the first statement or declaration of its body.
    pub body: Option<Location>,
    /// The integer variables in scope there that are registers or static objects.
    pub variables: Vec<Visible>,
    /// Those in scope at its condition, if the loop declares some itself.
    pub at_condition: Option<Vec<Visible>>,
    /// How many rounds it has, as a pragma before it says: a hint.
    pub rounds: Option<u32>,
}

/// An integer variable in scope.
pub type Visible = (String, IntType, Keeper);

impl LoopHead {
    /// The variables in scope at the condition, or where the body of a `do` loop begins.
    pub fn variables_at_condition(&self) -> &[Visible] {
        self.at_condition.as_ref().unwrap_or(&self.variables)
    }
}

/// Where a variable is stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Keeper {
    /// A register.
    Register(Reg),
    /// A static object.
    Static(StaticId),
}

/// A lowered program.
#[derive(Clone, Default)]
pub struct Program {
    /// The operations on words with their widths, by number.
    pub exprs: Vec<(ExprNode, u8)>,
    /// The number of each of them.
    pub table: HashMap<(ExprNode, u8), Expr>,
    /// The static objects.
    pub statics: Vec<DeclaredObject>,
    /// The functions.
    pub functions: Vec<Function>,
    /// Initialises the static objects and calls `main`.
    pub start: FunctionId,
    /// The names of the source files.
    pub files: Vec<String>,
    /// Notes on the assumptions of the verdict.
    pub notes: Vec<String>,
    /// The functions without body and model that get pointers, where memory accesses are checked.
    pub unchecked: Vec<String>,
    /// Whether runs report which of the memory left at the end is lost.
    pub tells_lost: bool,
    /// Whether runs go on behind goals that they reach. Otherwise they end there, as in errors.
    pub passes_goals: bool,
    /// In bits.
    pub pointer_width: u32,
    /// Whether lifetimes of objects have to be tracked, because some check needs them.
    pub tracks_lifetimes: bool,
    /// Functions with a conventional meaning that the program calls, by name.
    pub conventions: BTreeMap<String, Convention>,
    /// The closing parentheses of calls of such functions, by the start of the call.
    pub call_ends: HashMap<Location, Location>,
    /// Where the program leaves the pointer of a call open: the functions that it may be, by function and block.
    pub open_callees: HashMap<(FunctionId, BlockId), Vec<FunctionId>>,
    /// A condition of a specification that is not represented: a path to an error may be none.
    pub weakened: Option<String>,
    /// For the display of values.
    pub types: Option<Arc<Types>>,
    /// Where objects are.
    pub placement: Arc<Placement>,
}

/// The conventional meaning of a function without a body.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// It returns any value.
    Input,
    /// It marks an error.
    Error,
    /// It marks an error if its argument is false.
    Assertion,
    /// Runs end in it if its argument is false.
    Assumption,
}

/// A function without a body that has a conventional meaning.
#[derive(Clone, Debug)]
pub struct Convention {
    /// What it does.
    pub role: Role,
    /// Its head in C, with parameters `p0`, `p1` and so on; `None` if the type cannot be written.
    pub head: Option<String>,
    /// Whether the program declares it.
    pub is_declared: bool,
}

impl Program {
    /// The largest size of an object on the heap, in bytes: `PTRDIFF_MAX`. glibc's `malloc` gives null for more, as
    /// C allows it to at any time (C11 7.22.3.4): the difference of two pointers into a larger object would not be
    /// representable.
    pub fn largest_allocation(&self) -> u128 {
        (1 << (self.pointer_width - 1)) - 1
    }

    /// A place in the form `FILE:LINE`.
    pub fn place(&self, at: Location) -> String {
        let file = self.files.get(at.file as usize).map_or("?", String::as_str);
        format!("{file}:{}", at.line)
    }
}
