//! The state of an execution: values on the paths of a guard, active calls, positions; and the log of the
//! execution.

use craig_c_lang::address_space::ObjectId;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use craig_word::Term;

use craig_c_lang::ir::{BlockId, FunctionId, Location, Reg};

use super::contents::Contents;
use super::edge_calls::{RecordedCall, RecordedReturn};
use super::guard::Guard;
use super::other_read::OtherRead;
use super::overlay::ChainId;

/// The values of all registers and objects, on the paths of the guard.
#[derive(Clone)]
pub struct State {
    /// The condition of the path.
    pub guard: Guard,
    /// Registers of the active calls, outermost first.
    pub registers: Vec<Arc<Vec<Option<Term>>>>,
    /// The cells of each object; objects that do not exist have none.
    pub memory: Contents,
    /// The overlays of large objects since their first access at an unknown offset; `memory` then has their
    /// cells at that time.
    pub overlays: BTreeMap<ObjectId, ChainId>,
    /// The number of objects of each allocation site, and the lifetimes of objects (0 or 1), where they are
    /// tracked.
    pub counters: BTreeMap<u32, Term>,
}

impl State {
    /// The cells of an object that exists.
    pub(super) fn pieces(&self, object: ObjectId) -> &[Term] {
        match &self.memory[object as usize] {
            Some(cells) => cells,
            None => &[],
        }
    }

    /// Removes an object.
    pub(super) fn forget(&mut self, object: ObjectId) {
        if let Some(cells) = self.memory.get_mut(object as usize) {
            *cells = None;
        }
        self.overlays.remove(&object);
    }
}

/// An active call.
pub struct Call {
    pub caller: Option<Arc<Call>>,
    pub function: FunctionId,
    /// The path of calls that leads here, whatever the iteration: it identifies local objects.
    pub context: u32,
    pub depth: usize,
    /// The calling block, where the caller continues, and the register of the result.
    pub caller_block: BlockId,
    pub(crate) next: BlockId,
    pub(crate) result: Option<Reg>,
    /// The loops of the caller, and the key of its instance.
    pub(crate) caller_loops: Arc<Vec<Loop>>,
    pub(crate) caller_key: Vec<u32>,
}

/// An activation of a loop.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Loop {
    /// The number of the iteration, from 0.
    pub iteration: u32,
    /// Iterations after which the loop's condition was undecided.
    pub open: u32,
    /// The guard at the head, in this iteration.
    pub guard: Guard,
}

/// Where the paths of a program with cuts stop: the head of a loop in a call.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Cut {
    /// The number of the call.
    pub context: u32,
    /// The head of the loop.
    pub block: BlockId,
}

/// A position in the program to start from.
#[derive(Clone)]
pub struct Position {
    /// The call.
    pub call: Arc<Call>,
    /// The block in its function.
    pub block: BlockId,
    /// The loops around it, outermost first.
    pub loops: Arc<Vec<Loop>>,
}

/// A free choice, on the paths of its guard.
pub struct Event {
    /// The condition under which it happens.
    pub guard: Term,
    /// Where it happens.
    pub at: Location,
    /// What happens.
    pub what: Happening,
}

/// What happens on a path, besides the computation of words.
pub enum Happening {
    /// A value was chosen.
    Choose {
        /// The value chosen.
        value: Term,
    },
    /// An object was created, with these contents; if it has no cells, they are identified by the owner.
    Create {
        /// The new object.
        object: ObjectId,
        /// Its contents.
        cells: Arc<Vec<Term>>,
        /// The variable that stands for the contents, if the object has no cells.
        owner: Option<Term>,
    },
    /// The lifetime of one of several objects started: of the one at the address.
    CreateOne {
        /// The address of the new object.
        address: Term,
        /// The objects that it may be, with their contents.
        cells: Vec<(ObjectId, Arc<Vec<Term>>)>,
    },
    /// A value was read from outside of every object.
    Outside {
        /// The value read.
        value: Term,
    },
    /// An object got new contents, if the condition holds; as with `Create`.
    Change {
        /// The object.
        object: ObjectId,
        /// Its new contents.
        cells: Arc<Vec<Term>>,
        /// The variable that stands for the contents, if the object has no cells.
        owner: Option<Term>,
        /// The offset and the length of the bytes that change, if others keep their values.
        part: Option<(Term, Term)>,
        /// The condition under which they change.
        condition: Term,
    },
}

/// A position that paths reach.
#[derive(Clone, Debug)]
pub struct Mark {
    /// The condition of the path to the mark.
    pub guard: Term,
    /// The place.
    pub at: Location,
    /// What the mark says.
    pub text: String,
}

/// Heads of loops: function and block.
pub type LoopHeads = BTreeSet<(FunctionId, BlockId)>;

/// The log of an execution.
#[derive(Default)]
pub struct Log {
    /// What happened, in order.
    pub events: Vec<Event>,
    /// The errors.
    pub errors: Vec<Mark>,
    /// Paths on which the program ends.
    pub ends: Vec<Mark>,
    /// Paths that end at an unsupported construct.
    pub stuck: Vec<Mark>,
    /// Paths that end at a bound on the iterations of a loop.
    pub unwound: Vec<Mark>,
    /// Paths that end at a bound on nested calls.
    pub too_deep: Vec<Mark>,
    /// Whether one of those would continue with a larger bound: not all of them are capped.
    pub has_room: bool,
    /// Conditions of paths that are no runs: an assumption does not hold. Recorded by [`super::Executor::advance`] alone.
    pub excluded: Vec<Term>,
    /// The first position at which an invalid object may have been accessed.
    pub(crate) invalid: Option<Location>,
    /// Conditions that may hold, each with the guard of the paths.
    pub candidates: Vec<(Term, Term)>,
    /// That an output does not fail, for each that is executed: runs on this machine are such.
    pub outputs: Vec<Term>,
    /// Reads of objects that have a summary, in their order.
    pub reads: Vec<OtherRead>,
    /// States at cuts.
    pub exits: Vec<(Cut, Position, State)>,
    /// Loop heads that have to be cut.
    pub wanted_cuts: Vec<Cut>,
    /// Loop heads at which paths end at a bound, if calls are recorded.
    pub unrolled: LoopHeads,
    /// Calls that were recorded in the place of their execution, in its order.
    pub calls: Vec<RecordedCall>,
    /// Where the function returns that the execution started in, if calls are recorded.
    pub returns: Vec<RecordedReturn>,
}

/// States that wait for a position to be executed.
pub(super) struct Pending {
    pub(super) position: Position,
    pub(super) states: Vec<State>,
}
