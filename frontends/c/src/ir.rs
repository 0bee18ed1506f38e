//! The lowered program: functions as graphs of blocks over words.
//!
//! Scalars whose address is not taken are in registers of their function; all other variables are in objects,
//! which loads and stores access by address. The lowering sets a register on every path before it is read,
//! except that a jump past a declaration may leave it unset; reading it then ends the path.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use craig_word::{Op, binary, from_signed, mask, to_signed};

pub(crate) use super::check_kind::CheckKind;
pub(crate) use super::float::FloatOp;
use super::host_function::HostFunction;
use super::types::{FloatType, IntType, Type, Types};

pub(crate) type Reg = u32;
pub(crate) type BlockId = u32;
pub(crate) type FunctionId = u32;
/// A static object: a global, a static local or a string literal.
pub(crate) type StaticId = u32;
/// An object of a function's frame.
pub(crate) type SlotId = u32;

/// An expression without effects: an index into [`Program::exprs`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub(crate) struct Expr(pub(crate) u32);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum ExprNode {
    Const(u128),
    Reg(Reg),
    Not(Expr),
    Binary(Op, Expr, Expr),
    /// A pointer and a distance in bytes that is added to it. The object is that of the pointer, whatever the
    /// distance is computed from (C11 6.5.6p8).
    Moved(Expr, Expr),
    Ite(Expr, Expr, Expr),
    Extract(Expr, u32),
    ZExt(Expr),
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
pub(crate) struct Location {
    /// Index into [`Program::files`].
    pub(crate) file: u32,
    pub(crate) line: u32,
    pub(crate) column: u32,
}

#[derive(Clone, Debug)]
pub(crate) enum Instr {
    Set {
        reg: Reg,
        value: Expr,
    },
    Load {
        reg: Reg,
        address: Expr,
        bytes: u32,
    },
    Store {
        address: Expr,
        value: Expr,
        bytes: u32,
    },
    /// Any value.
    Choose {
        reg: Reg,
        kind: Choice,
    },
    /// The result of a function that C leaves to the implementation. Before it is bounded, any value within
    /// [`HostFunction::bounds`].
    Host {
        reg: Reg,
        function: HostFunction,
        format: FloatType,
        arguments: Vec<Expr>,
    },
    /// The lifetime of an object of the frame starts; its contents are arbitrary.
    Declare {
        slot: SlotId,
    },
    /// The lifetime of an object of the frame ends.
    End {
        slot: SlotId,
    },
    /// A new object; `element` is the likely type of its elements. On the heap, the size is at most
    /// [`Program::largest_allocation`]; the lowering gives null otherwise.
    Allocate {
        reg: Reg,
        size: Expr,
        element: Option<Arc<Shape>>,
        zeroed: bool,
        storage: Storage,
    },
    Free {
        address: Expr,
    },
    /// The object at the address may have the address of one whose lifetime has ended, although it was made
    /// before that end.
    Moved {
        address: Expr,
    },
    /// The size of the object that the address points into; 0 if there is none.
    SizeOf {
        reg: Reg,
        address: Expr,
    },
    Assume {
        condition: Expr,
    },
    /// The condition may hold here in all runs: a candidate for an invariant. No effect.
    Claim {
        condition: Expr,
    },
    /// An error if the condition does not hold.
    Check {
        condition: Expr,
        what: CheckKind,
    },
    /// An error if so many bytes at the address cannot be accessed, for the reason that the kind names.
    CheckAccess {
        address: Expr,
        bytes: u32,
        what: CheckKind,
    },
    /// An error if the address is neither null nor that of memory which may be freed.
    CheckFree {
        address: Expr,
    },
    /// An error if allocated memory has not been freed.
    CheckLeaks,
    /// Ends the lifetimes of allocated objects of the frame: of the one at the address, if there is one.
    EndAllocated {
        address: Expr,
    },
    /// A function without body and model may change all objects reachable from its arguments, in any way.
    Havoc {
        function: Arc<str>,
        arguments: Vec<Exposed>,
    },
}

/// The address of an object passed to a function without body and model.
#[derive(Clone, Debug)]
pub(crate) struct Exposed {
    pub(crate) address: Expr,
    /// The object itself is not changed, only objects reachable from it.
    pub(crate) is_const: bool,
    /// The object's type excludes pointers in it.
    pub(crate) has_numbers: bool,
}

/// The storage duration of an allocated object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Storage {
    /// Until it is freed.
    Heap,
    /// Until the function returns (`alloca`, arrays of variable length).
    Frame,
}

/// Why a value is free.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Choice {
    /// A call of a nondeterministic function, by name.
    Input(String),
    /// A variable without initialiser.
    Uninitialised,
    /// Unspecified behaviour, with a description.
    Open(String),
    /// The result of a function without body and without model.
    Unknown(String),
}

#[derive(Clone, Debug)]
pub(crate) enum Callee {
    Direct(FunctionId),
    Indirect(Expr),
}

#[derive(Clone, Debug)]
pub(crate) enum Terminator {
    Jump(BlockId),
    Branch {
        condition: Expr,
        then: BlockId,
        otherwise: BlockId,
    },
    Call {
        callee: Callee,
        args: Vec<Expr>,
        result: Option<Reg>,
        next: BlockId,
    },
    Return(Option<Expr>),
    /// The program ends.
    Halt,
    /// The error of the property.
    Error(String),
    /// An unsupported construct; the rest of the path is unknown.
    Stuck(String),
}

#[derive(Clone, Debug)]
pub(crate) struct Block {
    pub(crate) instrs: Vec<(Instr, Location)>,
    pub(crate) end: Terminator,
    pub(crate) end_at: Location,
}

/// The cells of an object: see `Types::cells`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    pub(crate) size: u64,
    pub(crate) cells: Vec<(u64, u32)>,
    /// The common size of all cells, if there is one.
    pub(crate) uniform: Option<u32>,
}

impl Shape {
    pub(crate) fn new(size: u64, cells: Vec<(u64, u32)>) -> Arc<Self> {
        debug_assert_eq!(
            cells.iter().map(|cell| u64::from(cell.1)).sum::<u64>(),
            size
        );
        let first = cells.first().map(|cell| cell.1);
        let uniform = first.filter(|&bytes| cells.iter().all(|cell| cell.1 == bytes));
        Arc::new(Self {
            size,
            cells,
            uniform,
        })
    }

    /// An object that is too large for cells; it cannot be read or written.
    pub(crate) fn opaque(size: u64) -> Arc<Self> {
        Arc::new(Self {
            size,
            cells: Vec::new(),
            uniform: None,
        })
    }

    pub(crate) fn is_opaque(&self) -> bool {
        self.cells.is_empty() && self.size > 0
    }

    /// Bytes.
    pub(crate) fn bytes(size: u64) -> Arc<Self> {
        Self::new(size, (0..size).map(|offset| (offset, 1)).collect())
    }

    /// As many copies of this shape as fit, and bytes for the rest.
    pub(crate) fn repeated(&self, size: u64) -> Arc<Self> {
        let mut cells = Vec::new();
        let mut at = 0;
        while self.size > 0 && at + self.size <= size {
            cells.extend(
                self.cells
                    .iter()
                    .map(|&(offset, bytes)| (at + offset, bytes)),
            );
            at += self.size;
        }
        cells.extend((at..size).map(|offset| (offset, 1)));
        Self::new(size, cells)
    }

    /// The number of the cell that holds the byte.
    pub(crate) fn cell_at(&self, offset: u64) -> usize {
        match self.uniform {
            Some(bytes) => (offset / u64::from(bytes)) as usize,
            None => self.cells.partition_point(|cell| cell.0 <= offset) - 1,
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct DeclaredObject {
    pub(crate) name: String,
    pub(crate) shape: Arc<Shape>,
    pub(crate) ty: Option<Type>,
    /// Declared elsewhere: arbitrary initial contents (else zeros).
    pub(crate) external: bool,
    /// It never changes: a string literal, or an object declared `const`.
    pub(crate) is_constant: bool,
    /// For objects of frames: the program may keep its address in a variable, so that the objects with this
    /// name have to be distinguished.
    pub(crate) escapes: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct Register {
    pub(crate) width: u32,
    /// The variable in the register; `None` for intermediate results.
    pub(crate) name: Option<String>,
    pub(crate) ty: Option<Type>,
}

#[derive(Clone, Debug)]
pub(crate) struct Function {
    pub(crate) name: String,
    /// The first registers.
    pub(crate) n_params: usize,
    pub(crate) regs: Vec<Register>,
    pub(crate) slots: Vec<DeclaredObject>,
    /// Block 0 is the entry. Empty if the function has no body.
    pub(crate) blocks: Vec<Block>,
    pub(crate) result_width: Option<u32>,
    /// Where blocks that end in [`Terminator::Error`] continue if the error is not among the checked
    /// properties; without an entry, the program ends there.
    pub(crate) resumes: HashMap<BlockId, BlockId>,
    /// The loops that test their condition first, by the block that starts the test.
    pub(crate) loops: HashMap<BlockId, LoopHead>,
}

impl Function {
    /// The number of words that the executor stores for a call: the registers, and an address for each object
    /// of the frame.
    pub(crate) fn n_kept(&self) -> usize {
        self.regs.len() + self.slots.len()
    }

    /// A function without a body yet.
    pub(crate) fn new(name: &str) -> Self {
        Self {
            name: name.to_string(),
            n_params: 0,
            regs: Vec::new(),
            slots: Vec::new(),
            blocks: Vec::new(),
            result_width: None,
            resumes: HashMap::new(),
            loops: HashMap::new(),
        }
    }
}

/// A loop of the source.
#[derive(Clone, Debug)]
pub(crate) struct LoopHead {
    /// Its keyword.
    pub(crate) at: Location,
    /// Of a `do` loop: the first statement or declaration of its body.
    pub(crate) body: Option<Location>,
    /// The integer variables in scope there that are registers or static objects.
    pub(crate) variables: Vec<Visible>,
    /// Those in scope at its condition, if the loop declares some itself.
    pub(crate) at_condition: Option<Vec<Visible>>,
}

/// An integer variable in scope.
pub(crate) type Visible = (String, IntType, Keeper);

impl LoopHead {
    /// The variables in scope at the condition, or where the body of a `do` loop begins.
    pub(crate) fn variables_at_condition(&self) -> &[Visible] {
        self.at_condition.as_ref().unwrap_or(&self.variables)
    }
}

/// Where a variable is stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Keeper {
    Register(Reg),
    Static(StaticId),
}

#[derive(Clone, Default)]
pub(crate) struct Program {
    pub(crate) exprs: Vec<(ExprNode, u8)>,
    pub(crate) table: HashMap<(ExprNode, u8), Expr>,
    pub(crate) statics: Vec<DeclaredObject>,
    pub(crate) functions: Vec<Function>,
    /// Initialises the static objects and calls `main`.
    pub(crate) start: FunctionId,
    pub(crate) files: Vec<String>,
    /// Notes on the assumptions of the verdict.
    pub(crate) notes: Vec<String>,
    /// Whether runs report which of the memory left at the end is lost.
    pub(crate) tells_lost: bool,
    /// Whether runs go on behind goals that they reach. Otherwise they end there, as in errors.
    pub(crate) passes_goals: bool,
    /// In bits.
    pub(crate) pointer_width: u32,
    /// Whether lifetimes of objects have to be tracked, because some check needs them.
    pub(crate) tracks_lifetimes: bool,
    /// Functions with a conventional meaning that the program calls, by name.
    pub(crate) conventions: BTreeMap<String, Convention>,
    /// The closing parentheses of calls of such functions, by the start of the call.
    pub(crate) call_ends: HashMap<Location, Location>,
    /// For the display of values.
    pub(crate) types: Option<Arc<Types>>,
}

/// The conventional meaning of a function without a body.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
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
pub(crate) struct Convention {
    pub(crate) role: Role,
    /// Its head in C, with parameters `p0`, `p1` and so on; `None` if the type cannot be written.
    pub(crate) head: Option<String>,
    pub(crate) is_declared: bool,
}

impl Program {
    /// The largest size of an object on the heap, in bytes: `PTRDIFF_MAX`. glibc's `malloc` gives null for more, as
    /// C allows it to at any time (C11 7.22.3.4): the difference of two pointers into a larger object would not be
    /// representable.
    pub(crate) fn largest_allocation(&self) -> u128 {
        (1 << (self.pointer_width - 1)) - 1
    }

    pub(crate) fn node(&self, expr: Expr) -> ExprNode {
        self.exprs[expr.0 as usize].0
    }

    pub(crate) fn width(&self, expr: Expr) -> u32 {
        u32::from(self.exprs[expr.0 as usize].1)
    }

    pub(crate) fn constant_value(&self, expr: Expr) -> Option<u128> {
        match self.node(expr) {
            ExprNode::Const(value) => Some(value),
            _ => None,
        }
    }

    pub(crate) fn make(&mut self, node: ExprNode, width: u32) -> Expr {
        let key = (node, width as u8);
        if let Some(&expr) = self.table.get(&key) {
            return expr;
        }
        let expr = Expr(self.exprs.len() as u32);
        self.exprs.push(key);
        self.table.insert(key, expr);
        expr
    }

    pub(crate) fn constant(&mut self, value: u128, width: u32) -> Expr {
        self.make(ExprNode::Const(value & mask(width)), width)
    }

    pub(crate) fn not(&mut self, a: Expr) -> Expr {
        let width = self.width(a);
        match self.node(a) {
            ExprNode::Const(value) => self.constant(!value, width),
            ExprNode::Not(inner) => inner,
            _ => self.make(ExprNode::Not(a), width),
        }
    }

    pub(crate) fn binary(&mut self, op: Op, a: Expr, b: Expr) -> Expr {
        let operand_width = self.width(a);
        debug_assert_eq!(operand_width, self.width(b), "{op:?}");
        let width = if matches!(op, Op::Eq | Op::Ult | Op::Slt) {
            1
        } else {
            operand_width
        };
        let (x, y) = (self.constant_value(a), self.constant_value(b));
        if let (Some(x), Some(y)) = (x, y) {
            return self.constant(binary(op, x, y, operand_width), width);
        }
        match (op, x, y) {
            (Op::Add | Op::Sub | Op::Xor, _, Some(0)) => a,
            (Op::Add | Op::Xor, Some(0), _) => b,
            (Op::Mul, _, Some(1)) => a,
            (Op::Mul, Some(1), _) => b,
            (Op::Add, _, Some(y)) => match self.node(a) {
                ExprNode::Binary(Op::Add, p, q) if self.constant_value(q).is_some() => {
                    let q = self.constant_value(q).unwrap_or(0);
                    let sum = self.constant(q.wrapping_add(y), width);
                    self.binary(Op::Add, p, sum)
                }
                _ => self.make(ExprNode::Binary(op, a, b), width),
            },
            // The truth value of a truth value.
            (Op::Eq, _, Some(0)) => match self.node(a) {
                ExprNode::ZExt(inner) if self.width(inner) == 1 => self.not(inner),
                _ => self.make(ExprNode::Binary(op, a, b), width),
            },
            _ => self.make(ExprNode::Binary(op, a, b), width),
        }
    }

    /// A pointer plus a distance in bytes.
    pub(crate) fn moved(&mut self, pointer: Expr, distance: Expr) -> Expr {
        debug_assert_eq!(self.width(pointer), self.width(distance));
        let is_known = |expr| self.constant_value(expr).is_some();
        if is_known(pointer) || is_known(distance) {
            return self.binary(Op::Add, pointer, distance);
        }
        self.make(ExprNode::Moved(pointer, distance), self.width(pointer))
    }

    pub(crate) fn ite(&mut self, c: Expr, a: Expr, b: Expr) -> Expr {
        match self.constant_value(c) {
            Some(0) => b,
            Some(_) => a,
            None => self.make(ExprNode::Ite(c, a, b), self.width(a)),
        }
    }

    pub(crate) fn extract(&mut self, a: Expr, low: u32, width: u32) -> Expr {
        if low == 0 && width == self.width(a) {
            return a;
        }
        match self.node(a) {
            ExprNode::Const(value) => self.constant(value >> low, width),
            _ => self.make(ExprNode::Extract(a, low), width),
        }
    }

    /// To a wider or narrower word.
    pub(crate) fn resize(&mut self, a: Expr, width: u32, signed: bool) -> Expr {
        let from = self.width(a);
        if width <= from {
            return self.extract(a, 0, width);
        }
        match self.node(a) {
            ExprNode::Const(value) if signed => {
                self.constant(from_signed(to_signed(value, from), width), width)
            }
            ExprNode::Const(value) => self.constant(value, width),
            _ if signed => self.make(ExprNode::SExt(a), width),
            _ => self.make(ExprNode::ZExt(a), width),
        }
    }

    /// One bit: whether the word is not 0.
    pub(crate) fn truth(&mut self, a: Expr) -> Expr {
        let width = self.width(a);
        if width == 1 {
            return a;
        }
        let zero = self.constant(0, width);
        let is_zero = self.binary(Op::Eq, a, zero);
        self.not(is_zero)
    }

    pub(crate) fn place(&self, at: Location) -> String {
        let file = self.files.get(at.file as usize).map_or("?", String::as_str);
        format!("{file}:{}", at.line)
    }
}
