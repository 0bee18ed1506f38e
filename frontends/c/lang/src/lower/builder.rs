//! The function that is being lowered.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use crate::ir::{Block, BlockId, Expr, Function, Location, Reg, SlotId, Terminator};
use crate::types::{FunctionType, IntType, Type};

use super::state::{Assigns, Inferred, OpenLoop, ReturnPoint};
use super::symbol::{Cleanup, Declared};

/// A label `case` of a `switch`: its values, of the switch's type, and where they lead.
#[derive(Clone, Copy)]
pub(super) struct Case {
    pub(super) low: i128,
    pub(super) high: i128,
    pub(super) block: BlockId,
}

/// A `switch` whose body is being lowered.
pub(super) struct Switch {
    /// The number of enclosing scopes.
    pub(super) depth: usize,
    pub(super) cases: Vec<Case>,
    pub(super) default: Option<BlockId>,
    /// The number of labels that have been lowered.
    pub(super) n_labels: usize,
    pub(super) ty: IntType,
}

/// The reason of a block without a terminator.
pub(super) const OPEN: &str = "code that could not be lowered";

/// The function that is being lowered.
pub(super) struct Builder {
    pub(super) function: Function,
    pub(super) current: BlockId,
    pub(super) labels: HashMap<String, BlockId>,
    /// The targets of `break` and `continue`, with the number of scopes open there.
    pub(super) breaks: Vec<(BlockId, usize)>,
    pub(super) continues: Vec<(BlockId, usize)>,
    /// Objects that end with the full expression that is being lowered (C11 6.2.4p8).
    pub(super) temporaries: Vec<SlotId>,
    /// The objects of all scopes, and those in scope at each label.
    pub(super) scoped: Vec<SlotId>,
    pub(super) in_scope: Vec<(BlockId, Vec<SlotId>)>,
    /// For each label, the declarations of its scopes before it, outermost first.
    pub(super) declared: HashMap<BlockId, Vec<(u32, Vec<Declared>)>>,
    pub(super) jumps: Vec<Jump>,
    /// The number of variables with `cleanup` so far, and the numbers of those in scope at each label.
    pub(super) n_cleanups: u32,
    pub(super) cleaned_at: HashMap<BlockId, Vec<u32>>,
    pub(super) has_computed_jumps: bool,
    pub(super) switches: Vec<Switch>,
    /// The loops around the current statement, outermost first.
    pub(super) loops: Vec<OpenLoop>,
    /// What the function and its loops may assign, where they say so.
    pub(super) assigns: Vec<Assigns>,
    /// Where calls of `setjmp` return, and where jumps out of called functions arrive.
    pub(super) return_points: Vec<ReturnPoint>,
    pub(super) landing: Option<BlockId>,
    /// The number of calls through pointers so far.
    pub(super) n_pointer_calls: usize,
    /// Loops whose contracts do not say what they assign.
    pub(super) inferred: Vec<Inferred>,
    /// Their blocks, and the types of the called functions.
    pub(super) pointer_calls: Vec<(BlockId, Arc<FunctionType>)>,
    pub(super) result: Type,
    /// The hidden parameters: the address of a record result, and that of further arguments.
    pub(super) result_address: Option<Reg>,
    pub(super) rest_address: Option<Reg>,
    pub(super) address_taken: HashSet<String>,
    /// The labels whose address the function takes.
    pub(super) labels_taken: BTreeSet<String>,
    /// The parts of complex constants, by the address of the object that holds them.
    pub(super) complex_constants: HashMap<Expr, [Expr; 2]>,
    /// The numbers of addresses, and how many of their lowest bits C promises to be 0.
    pub(super) address_numbers: HashMap<Expr, u32>,
}

impl Builder {
    pub(super) fn new(name: &str) -> Self {
        let mut builder = Self {
            function: Function::new(name),
            current: 0,
            labels: HashMap::new(),
            breaks: Vec::new(),
            continues: Vec::new(),
            temporaries: Vec::new(),
            scoped: Vec::new(),
            in_scope: Vec::new(),
            declared: HashMap::new(),
            jumps: Vec::new(),
            n_cleanups: 0,
            cleaned_at: HashMap::new(),
            has_computed_jumps: false,
            switches: Vec::new(),
            loops: Vec::new(),
            assigns: Vec::new(),
            return_points: Vec::new(),
            landing: None,
            n_pointer_calls: 0,
            inferred: Vec::new(),
            pointer_calls: Vec::new(),
            result: Type::Void,
            result_address: None,
            rest_address: None,
            address_taken: HashSet::new(),
            labels_taken: BTreeSet::new(),
            complex_constants: HashMap::new(),
            address_numbers: HashMap::new(),
        };
        builder.block();
        builder
    }

    pub(super) fn block(&mut self) -> BlockId {
        self.function.blocks.push(Block {
            instrs: Vec::new(),
            // A default: a jump to a block without code must not end the program normally.
            end: Terminator::Stuck(OPEN.into()),
            end_at: Location::default(),
        });
        self.function.blocks.len() as BlockId - 1
    }
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
