//! What a machine is generic over: words and memory. And how it ends.

use std::fmt::Debug;

use craig_word::Op;

use crate::concrete::memo::Arguments;
use craig_c_lang::address_space::AddressSpace;
use craig_c_lang::host_function::HostFunction;
use craig_c_lang::ir::*;
use craig_c_lang::types::FloatType;

/// The error of memory that is left at the end and lost.
pub const LOST: &str = "what is allocated here is never freed, and nothing points to it at the end";

/// The end of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// An error is reached.
    Error {
        /// What happens.
        text: String,
        /// Where.
        at: Location,
    },
    /// The program ends.
    Halt,
    /// An assumption does not hold.
    Blocked,
    /// The run cannot go on: what comes next is not supported.
    Stuck {
        /// Why not.
        text: String,
        /// Where.
        at: Location,
    },
}

/// Why the machine stops.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Stop {
    /// The program has ended.
    End(End),
    /// The step is impossible in this domain, or with these choices.
    Failed(String),
}

impl From<&str> for Stop {
    fn from(text: &str) -> Self {
        Self::Failed(text.into())
    }
}

impl From<String> for Stop {
    fn from(text: String) -> Self {
        Self::Failed(text)
    }
}

/// The result of a step.
pub(crate) type Stepped<T> = Result<T, Stop>;

/// The current position in the program.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Site {
    pub(crate) function: FunctionId,
    /// The number of active calls, that of `function` included.
    pub(crate) depth: usize,
    pub(crate) at: Location,
}

/// An active call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Frame<W> {
    pub(crate) function: FunctionId,
    pub(super) block: BlockId,
    /// The index of the next instruction.
    pub(super) next: usize,
    pub(super) registers: Vec<Option<W>>,
    /// The addresses of local objects.
    pub(crate) slots: Vec<Option<u64>>,
    /// The addresses of objects that live until the function returns.
    pub(crate) allocated: Vec<u64>,
    /// The arguments, if the result of the call is kept.
    pub(super) arguments: Option<Arguments>,
}

/// The words of a run with their operations, its memory, and its reports.
pub(crate) trait Domain: GhostMemory {
    type Word: Copy + PartialEq + Debug;

    /// The maximal number of nested calls.
    const MAX_FRAMES: usize;

    /// Whether a run stands for runs with other addresses.
    const IS_GENERAL: bool = false;

    /// The number that some bytes of memory hold, if they are known, and the run stands for others.
    fn word_at(&self, _address: u64, _bytes: u32) -> Option<u64> {
        None
    }

    /// Some bytes of an address from one of them on, of which nothing is known in a run that stands for others.
    fn piece(&mut self, _address: u64, _from: u32, _bytes: u32) -> Option<Self::Word> {
        None
    }

    /// The start of the object that a number is an address of, within its reach.
    fn start_of(&self, number: u64) -> Option<u64> {
        let space = self.space();
        let object = space.addressed(number)?;
        Some(space.objects[object as usize].base)
    }

    /// The addresses of static objects and functions.
    fn space(&self) -> &AddressSpace;

    // Words. Widths are in bits, from 1 to 128.

    fn constant(&self, value: u128) -> Self::Word;
    /// The number of a word, if it is known.
    fn value(&self, word: Self::Word) -> Option<u128>;
    fn not(&mut self, word: Self::Word, width: u32) -> Self::Word;
    /// An operation on two words of `width` bits.
    fn binary(&mut self, op: Op, a: Self::Word, b: Self::Word, width: u32) -> Self::Word;
    /// One of two words of `width` bits, if the condition is unknown.
    fn select(
        &mut self,
        condition: Self::Word,
        words: (Self::Word, Self::Word),
        width: u32,
    ) -> Self::Word;
    fn extract(&mut self, word: Self::Word, low: u32, width: u32) -> Self::Word;
    fn zero_extend(&mut self, word: Self::Word, width: u32) -> Self::Word;
    /// Extends a word of `from` bits by its sign.
    fn sign_extend(&mut self, word: Self::Word, from: u32, width: u32) -> Self::Word;
    /// An operation on floats of `from` bits; its result has `width` bits.
    fn float(
        &mut self,
        operation: (FloatOp, FloatType),
        operands: (Self::Word, Self::Word),
        mode: Self::Word,
        from: u32,
        width: u32,
    ) -> Self::Word;
    /// The result of a function of the implementation, of `width` bits.
    fn host(
        &mut self,
        function: (HostFunction, FloatType),
        arguments: &[Self::Word],
        width: u32,
    ) -> Stepped<Self::Word>;
    /// The failure of a step that depends on an unknown word.
    fn unknown(&self) -> Stop {
        "the run depends on an unknown value".into()
    }

    // Memory. Addresses are numbers.

    fn load(&mut self, address: u64, bytes: u32, site: Site) -> Stepped<Self::Word>;
    fn store(&mut self, address: u64, word: Self::Word, bytes: u32, site: Site) -> Stepped<()>;
    /// The address of a new instance of a local object, whose previous address was `old`.
    fn declare(&mut self, slot: SlotId, old: Option<u64>, site: Site) -> Stepped<u64>;
    /// A local object ends.
    fn end(&mut self, address: u64);
    /// The address of a new object.
    fn allocate(&mut self, allocation: Allocation, site: Site) -> Stepped<u64>;
    fn free(&mut self, address: Self::Word) -> Stepped<()>;
    /// A function without body and model is called with these addresses, and may change the reachable
    /// objects.
    fn havoc(&mut self, function: &str, roots: &[(u64, &Exposed)], site: Site) -> Stepped<()>;
    /// The size of the object at an address; 0 if there is none.
    fn size_at(&self, address: u64) -> u64;
    /// A call returns, which ends its objects.
    fn leave(&mut self, frame: Frame<Self::Word>);

    // Checks.

    /// Why `bytes` bytes cannot be accessed, or `None`.
    fn access_error(&self, address: u64, bytes: u32) -> Option<CheckKind>;
    /// Whether an address is in a declared object that never changes; `frames` are the active calls.
    fn is_constant(&self, program: &Program, frames: &[Frame<Self::Word>], address: u64) -> bool {
        let object = self.space().object_at(address);
        let of = object.and_then(|object| program.statics.get(object as usize));
        of.is_some_and(|of| of.is_constant)
            || frames.iter().any(|frame| {
                let slots = &program.functions[frame.function as usize].slots;
                (slots.iter().zip(&frame.slots)).any(|(of, &base)| {
                    let offset = base.and_then(|base| address.checked_sub(base));
                    of.is_constant && offset.is_some_and(|offset| offset < of.shape.size)
                })
            })
    }
    /// Whether `free` may be called with an address.
    fn may_free(&self, address: u64) -> Stepped<bool>;
    /// Whether all allocated memory has been freed.
    fn is_all_freed(&mut self, site: Site) -> Stepped<bool>;

    // Choices and reports.

    fn choose(&mut self, kind: &Choice, register: &Register, site: Site) -> Stepped<Self::Word>;
    /// A register is set by an instruction `Set`.
    fn report_set(&mut self, _register: &Register, _word: Self::Word, _site: Site) {}
    /// A function is called.
    fn report_call(&mut self, _callee: &Function, _site: Site) {}
}

/// The operands of an instruction `Allocate`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Allocation {
    pub(crate) size: u64,
    pub(crate) zeroed: bool,
    pub(crate) storage: Storage,
    pub(crate) align: u64,
}

/// The object that an address is in, alive or not.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Located {
    pub(crate) base: u64,
    pub(crate) size: u64,
    pub(crate) is_alive: bool,
    pub(crate) is_dynamic: bool,
}

/// What ghost instructions ask of a memory. By default, a run with such instructions fails.
pub(crate) trait GhostMemory {
    /// The object of an address; `None` for null pointers and functions.
    fn located(&self, _address: u64) -> Stepped<Option<Located>> {
        Err("a specification about memory".into())
    }

    /// The object of an address, for a comparison: of a function, and null, none.
    fn compared(&self, _address: u64) -> Stepped<Option<Located>>;

    /// Objects at an address get new contents.
    fn havoc_at(&mut self, _address: u64, _site: Site) -> Stepped<()> {
        Err("a specification that changes memory".into())
    }

    /// The objects that exist are those of a write set.
    fn open_write_set(&mut self, _set: u32) -> Stepped<()> {
        Err("a specification of what is written".into())
    }

    /// Whether an address is in an object that existed when a write set was opened.
    fn is_before(&self, _set: u32, _address: u64) -> Stepped<bool> {
        Err("a specification of what is written".into())
    }
}
