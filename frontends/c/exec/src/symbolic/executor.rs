//! The state shared by all executions of a program, and its start.

use craig_c_lang::address_space::{AddressSpace, ObjectId};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use craig_program::Blocks;

use craig_c_lang::ir::*;
use craig_c_lang::types::Type;
use craig_word::{Term, Terms};

use crate::symbolic::unwinding::Caps;

use super::arrays::Elements;
use super::contents::Contents;
use super::edge_calls::EdgeCalls;
use super::graph::Graph;
use super::guard::Guards;
use super::overlay::Overlays;
use super::points::{Points, PointsTo};
use super::sites::Summaries;
use super::state::{Call, Cut, Event, Happening, Log, Position, State};
use super::stored::Stored;
use super::stored_addresses::StoredAddresses;

/// Where execution stops.
pub enum Policy {
    /// Loops are unrolled up to one bound on iterations with an undecided condition, and another on those
    /// with a decided one, within the caps.
    Unwind {
        /// Iterations of a loop that is left under a condition that is not constant.
        open: u32,
        /// Iterations of a loop whose conditions are constant.
        closed: u32,
        /// Nested calls of a function.
        recursion: usize,
        /// The limits that the user set.
        caps: Arc<Caps>,
    },
    /// Loops are cut at these heads; all others are executed as long as their condition is decided. With
    /// basic blocks, paths are cut wherever they reach another block of the same function.
    Cut {
        /// The heads.
        at: HashSet<Cut>,
        /// The size of blocks between them.
        blocks: Blocks,
        /// Loops whose condition stays decided for more iterations are to be cut.
        decided: u32,
    },
    /// One function is executed, from its entry to its returns, and calls of others (or of itself) are edges: they
    /// are recorded, with the states before and behind them, and not executed. Loops are unrolled, and other calls
    /// executed.
    Summarise {
        /// The calls that are edges of their own.
        calls: Arc<EdgeCalls>,
        /// Iterations of a loop that is not cut.
        iterations: u32,
        /// Iterations of such a loop on top of these, with a condition that is decided.
        decided: u32,
    },
}

impl Policy {
    /// The calls that are edges.
    pub(super) fn call_edges(&self) -> Option<&Arc<EdgeCalls>> {
        match self {
            Self::Summarise { calls, .. } => Some(calls),
            Self::Unwind { .. } | Self::Cut { .. } => None,
        }
    }
}

/// The number of objects that one allocation site makes in a loop that is cut.
pub(super) const POOL: usize = 3;
/// Execution is abandoned with more terms than this: they take some gigabytes.
pub const MAX_TERMS: usize = 60_000_000;
/// See `Executor::lazy_above`.
const LAZY_ABOVE: u64 = 256;
/// The width of the counters of allocation sites.
pub const COUNTER_BITS: u32 = 8;
/// See `Executor::unknown_elements`.
const UNKNOWN_ELEMENTS: u64 = 32;

/// The state of a symbolic execution that is common to its paths.
pub struct Executor<'p> {
    /// The program.
    pub program: &'p Program,
    /// The terms of all words.
    pub terms: Terms,
    /// The conditions of paths.
    pub guards: Guards,
    /// The objects and their addresses.
    pub space: AddressSpace,
    /// What words may point to.
    pub points: PointsTo,
    /// The contents of objects without cells.
    pub overlays: Overlays,
    /// Objects in which an access has more possible positions than this get an overlay, if there are no cuts.
    pub lazy_above: u64,
    /// Allocated objects of more bytes than this have no cells.
    pub blank_above: u64,
    /// The maximal number of elements of an allocation of unknown size that has cells.
    pub unknown_elements: u64,
    /// What was met so far.
    pub log: Log,
    graphs: Vec<Option<Arc<Graph>>>,
    pub(super) contexts: HashMap<(u32, BlockId, FunctionId), u32>,
    pub(super) slots: HashMap<(u32, SlotId), ObjectId>,
    /// Objects of frames that are distinguished, by the instance and instruction that made them, and those of
    /// each call.
    pub(super) entered: HashMap<(u32, u32), ObjectId>,
    pub(super) of_calls: HashMap<u32, BTreeSet<ObjectId>>,
    /// All objects of frames, with their types.
    pub(super) frame_objects: HashMap<ObjectId, Option<Type>>,
    /// The creation and end times of objects, by a clock that ticks with each.
    pub(super) made_at: HashMap<ObjectId, u64>,
    pub(super) gone_at: HashMap<ObjectId, u64>,
    pub(super) clock: u64,
    /// The applications of uninterpreted functions, with their values, and the objects that existed when write sets
    /// were opened.
    pub(super) applications: HashMap<Arc<str>, Vec<(Vec<Term>, Term)>>,
    pub(super) before_sets: HashMap<u32, BTreeSet<ObjectId>>,
    /// Whether what is evaluated is no part of the program: its comparisons say nothing about where pointers lead.
    pub(super) is_beside_program: bool,
    /// The possible targets of a pointer returned by an unknown function.
    pub(super) unknown_points: Points,
    /// Objects of allocation sites, by instance and instruction.
    pub(super) heap: HashMap<(u32, u32), Vec<ObjectId>>,
    /// Their objects without contents, by the number of the allocation at its site as well; `None` for one that
    /// stands for many.
    pub(super) large: HashMap<(u32, u32, Option<u128>), ObjectId>,
    /// Allocated objects, and those of them that live until their function returns, by its call.
    pub(super) allocated: BTreeSet<ObjectId>,
    pub(super) of_frames: HashMap<u32, BTreeSet<ObjectId>>,
    /// The storage duration of the object being allocated, and the allocating call.
    pub(super) storage: (Storage, u32),
    /// What is promised of its address.
    pub(super) align: u64,
    /// Whether a program with cuts may have objects without contents: the executor over-approximates it then. And
    /// whether there are some.
    pub havocs: bool,
    /// Whether something of the program is not followed, so that an error may be none.
    pub has_havocked: bool,
    /// What is stored in these objects, and whether that has changed.
    pub(super) havocked: HashMap<ObjectId, Stored>,
    pub(super) havocked_changed: bool,
    /// Whether objects of allocation sites are counted: in a program with cuts.
    pub(super) counting: bool,
    /// Whether a path is executed for itself: what is excluded is recorded.
    pub(super) is_on_one_path: bool,
    instances: HashMap<Vec<u32>, u32>,
    variables: HashMap<(u32, u32, u32), Term>,
    /// The current instance and instruction, and the number of its variables so far.
    pub(super) instance: u32,
    pub(super) step: u32,
    pub(super) made: u32,
    /// Whether the program writes through an input that has no targets, and whether an input has got targets
    /// by a comparison: with both, a write may have been lost.
    pub(super) followed_inputs: bool,
    pub(super) compared_inputs: bool,
    /// If given, the objects of allocations in loops that are cut have summaries: the executor
    /// over-approximates the program.
    pub summaries: Option<Summaries>,
    /// If given, elements of arrays are tracked: the executor over-approximates the program.
    pub elements: Option<Elements>,
    pub(super) at: Location,
    /// Whether the value of the load that is executed counts, and is not only stored somewhere else.
    pub(super) is_value_used: bool,
    /// Whether that value may be a part of an address, and is only stored somewhere else.
    pub(super) is_copied: bool,
    /// What stands for copies of parts of words that are addresses: the word, the first byte, and the number of bytes.
    pub(super) parts_of_addresses: HashMap<(Term, u32, u32), Term>,
    /// For each of these that is no number, the word and its first bit there.
    pub(super) divided: HashMap<Term, (Term, u32)>,
    /// The upper parts of such words, which have the same value wherever the objects are.
    pub(super) upper_parts: HashSet<Term>,
    /// Objects into which addresses were stored, or pieces of them.
    pub(super) with_addresses: HashMap<ObjectId, StoredAddresses>,
    /// Where objects may be, as far as that counts.
    pub(super) places: HashMap<ObjectId, Term>,
}

/// The result of an instruction; an error names an unsupported construct.
pub(super) type Supported<T> = Result<T, String>;

impl<'p> Executor<'p> {
    /// Starts an execution. An error if the static objects do not fit into the address space.
    pub fn new(program: &'p Program) -> Result<Self, String> {
        let mut terms = Terms::new();
        let guards = Guards::new(&mut terms);
        Ok(Self {
            program,
            terms,
            guards,
            space: AddressSpace::new(program)?,
            points: PointsTo::default(),
            overlays: Overlays::default(),
            lazy_above: LAZY_ABOVE,
            blank_above: craig_c_lang::lower::MAX_CELLS as u64,
            unknown_elements: UNKNOWN_ELEMENTS,
            log: Log::default(),
            graphs: (0..program.functions.len()).map(|_| None).collect(),
            contexts: HashMap::new(),
            slots: HashMap::new(),
            entered: HashMap::new(),
            of_calls: HashMap::new(),
            frame_objects: HashMap::new(),
            made_at: HashMap::new(),
            gone_at: HashMap::new(),
            clock: 0,
            applications: HashMap::new(),
            before_sets: HashMap::new(),
            is_beside_program: false,
            unknown_points: Points::default(),
            heap: HashMap::new(),
            large: HashMap::new(),
            havocs: false,
            has_havocked: false,
            havocked: HashMap::new(),
            havocked_changed: false,
            allocated: BTreeSet::new(),
            of_frames: HashMap::new(),
            storage: (Storage::Heap, 0),
            align: 1,
            counting: false,
            is_on_one_path: false,
            instances: HashMap::new(),
            variables: HashMap::new(),
            instance: 0,
            step: 0,
            made: 0,
            followed_inputs: false,
            compared_inputs: false,
            summaries: None,
            elements: None,
            at: Location::default(),
            is_value_used: false,
            is_copied: false,
            parts_of_addresses: HashMap::new(),
            divided: HashMap::new(),
            upper_parts: HashSet::new(),
            with_addresses: HashMap::new(),
            places: HashMap::new(),
        })
    }

    /// The control-flow graph of a function.
    pub fn graph(&mut self, function: FunctionId) -> Arc<Graph> {
        let program = self.program;
        self.graphs[function as usize]
            .get_or_insert_with(|| {
                Arc::new(Graph::new(program, &program.functions[function as usize]))
            })
            .clone()
    }

    /// The start of the program, and its state: static objects hold zeros.
    pub fn start(&mut self) -> (Position, State) {
        let program = self.program;
        let start = program.start;
        let call = Arc::new(Call {
            caller: None,
            function: start,
            context: 0,
            depth: 0,
            caller_block: 0,
            next: 0,
            result: None,
            caller_loops: Arc::new(Vec::new()),
            caller_key: Vec::new(),
        });
        let mut memory = Contents::default();
        let mut overlays = BTreeMap::new();
        self.instance = self.number(&[u32::MAX]);
        for (id, object) in program.statics.iter().enumerate() {
            self.step = id as u32;
            self.made = 0;
            self.leave_out_cells(id as ObjectId);
            let shape = self.space.objects[id].shape.clone();
            let cells: Vec<Term> = shape
                .cells
                .iter()
                .map(|&(_, bytes)| {
                    if object.external {
                        self.variable(bytes * 8)
                    } else {
                        self.terms.constant(0, bytes * 8)
                    }
                })
                .collect();
            let mut cells = Arc::new(cells);
            let size = (self.terms).constant(u128::from(shape.size), self.space.width);
            self.remember_size(id as ObjectId, &mut cells, size);
            self.add_element(id as ObjectId, &mut cells, !object.external);
            let mut owner = None;
            if shape.is_opaque() {
                owner = object.external.then(|| self.variable(8));
                let chain = self.overlays.blank(shape.size, owner);
                overlays.insert(id as ObjectId, chain);
            }
            if object.external {
                let guard = self.terms.boolean(true);
                let what = Happening::Create {
                    object: id as ObjectId,
                    cells: cells.clone(),
                    owner,
                };
                self.log.events.push(Event {
                    guard,
                    at: Location::default(),
                    what,
                });
            }
            memory.push(Some(cells));
        }
        self.start_elements(&mut memory);
        let registers = vec![None; program.functions[start as usize].n_kept()];
        let state = State {
            guard: 0,
            registers: vec![Arc::new(registers)],
            memory,
            overlays,
            counters: BTreeMap::new(),
        };
        (
            Position {
                call,
                block: 0,
                loops: Arc::new(Vec::new()),
            },
            state,
        )
    }

    /// The number of calling contexts of a function.
    pub fn n_contexts(&self, function: FunctionId) -> usize {
        let calls = self.contexts.keys();
        calls.filter(|(_, _, called)| *called == function).count()
    }

    pub(super) fn number(&mut self, key: &[u32]) -> u32 {
        if let Some(&number) = self.instances.get(key) {
            return number;
        }
        let number = self.instances.len() as u32;
        self.instances.insert(key.to_vec(), number);
        number
    }

    /// A variable of the current instruction, the same in every execution.
    pub(super) fn variable(&mut self, width: u32) -> Term {
        let key = (self.instance, self.step, self.made);
        self.made += 1;
        match self.variables.get(&key) {
            Some(&term) if self.terms.width(term) == width => term,
            _ => {
                let term = self.terms.variable(width);
                self.variables.insert(key, term);
                term
            }
        }
    }
}
