//! The state of an execution: values on the paths of a guard, active calls, positions; and the log of the
//! execution.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use craig_word::Term;

use crate::ir::{BlockId, FunctionId, Location, Reg};

use super::call_edges::{RecordedCall, RecordedReturn};
use super::guard::Guard;
use super::memory::ObjectId;
use super::overlay::ChainId;
use super::summary::OtherRead;

/// The values of all registers and objects, on the paths of the guard.
#[derive(Clone)]
pub(crate) struct State {
    pub(crate) guard: Guard,
    /// Registers of the active calls, outermost first.
    pub(crate) registers: Vec<Arc<Vec<Option<Term>>>>,
    /// The cells of each object; objects that do not exist have none.
    pub(crate) memory: Vec<Option<Arc<Vec<Term>>>>,
    /// The overlays of large objects since their first access at an unknown offset; `memory` then has their
    /// cells at that time.
    pub(crate) overlays: BTreeMap<ObjectId, ChainId>,
    /// The number of objects of each allocation site, and the lifetimes of objects (0 or 1), where they are
    /// tracked.
    pub(crate) counters: BTreeMap<u32, Term>,
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
pub(crate) struct Call {
    pub(crate) caller: Option<Arc<Call>>,
    pub(crate) function: FunctionId,
    /// The path of calls that leads here, whatever the iteration: it identifies local objects.
    pub(crate) context: u32,
    pub(crate) depth: usize,
    /// The calling block, where the caller continues, and the register of the result.
    pub(crate) caller_block: BlockId,
    pub(crate) next: BlockId,
    pub(crate) result: Option<Reg>,
    /// The loops of the caller, and the key of its instance.
    pub(crate) caller_loops: Arc<Vec<Loop>>,
    pub(crate) caller_key: Vec<u32>,
}

/// An activation of a loop.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Loop {
    pub(crate) iteration: u32,
    /// Iterations after which the loop's condition was undecided.
    pub(crate) open: u32,
    /// The guard at the head, in this iteration.
    pub(crate) guard: Guard,
}

/// Where the paths of a program with cuts stop: the head of a loop in a call.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Cut {
    pub(crate) context: u32,
    pub(crate) block: BlockId,
}

/// A position in the program to start from.
#[derive(Clone)]
pub(crate) struct Position {
    pub(crate) call: Arc<Call>,
    pub(crate) block: BlockId,
    pub(crate) loops: Arc<Vec<Loop>>,
}

/// A free choice, on the paths of its guard.
pub(crate) struct Event {
    pub(crate) guard: Term,
    pub(crate) at: Location,
    pub(crate) what: Happening,
}

pub(crate) enum Happening {
    /// A value was chosen.
    Choose { value: Term },
    /// An object was created, with these contents; if it has no cells, they are identified by the owner.
    Create {
        object: ObjectId,
        cells: Arc<Vec<Term>>,
        owner: Option<Term>,
    },
    /// The lifetime of one of several objects started: of the one at the address.
    CreateOne {
        address: Term,
        cells: Vec<(ObjectId, Arc<Vec<Term>>)>,
    },
    /// A value was read from outside of every object.
    Outside { value: Term },
    /// An object got new contents, if the condition holds; as with `Create`.
    Change {
        object: ObjectId,
        cells: Arc<Vec<Term>>,
        owner: Option<Term>,
        condition: Term,
    },
}

/// A position that paths reach.
#[derive(Clone, Debug)]
pub(crate) struct Mark {
    pub(crate) guard: Term,
    pub(crate) at: Location,
    pub(crate) text: String,
}

/// Heads of loops: function and block.
pub(crate) type LoopHeads = BTreeSet<(FunctionId, BlockId)>;

/// The log of an execution.
#[derive(Default)]
pub(crate) struct Log {
    pub(crate) events: Vec<Event>,
    pub(crate) errors: Vec<Mark>,
    /// Paths that end at an unsupported construct.
    pub(crate) stuck: Vec<Mark>,
    /// Paths that end at a bound on the iterations of a loop.
    pub(crate) unwound: Vec<Mark>,
    /// Paths that end at a bound on nested calls.
    pub(crate) too_deep: Vec<Mark>,
    /// Whether one of those would continue with a larger bound: not all of them are capped.
    pub(crate) has_room: bool,
    /// The first position at which an invalid object may have been accessed.
    pub(crate) invalid: Option<Location>,
    /// Conditions that may hold, each with the guard of the paths.
    pub(crate) claims: Vec<(Term, Term)>,
    /// Reads of objects that have a summary, in their order.
    pub(crate) reads: Vec<OtherRead>,
    /// States at cuts.
    pub(crate) exits: Vec<(Cut, Position, State)>,
    /// Loop heads that have to be cut.
    pub(crate) wanted_cuts: Vec<Cut>,
    /// Loop heads at which paths end at a bound, if calls are recorded.
    pub(crate) unrolled: LoopHeads,
    /// Calls that were recorded in the place of their execution, in its order.
    pub(crate) calls: Vec<RecordedCall>,
    /// Where the function returns that the execution started in, if calls are recorded.
    pub(crate) returns: Vec<RecordedReturn>,
}
