//! Symbolic execution of the lowered program, with paths merged where they meet.
//!
//! An instance is a block in a particular call and iteration. Instances are ordered so that all ways
//! into one come before it: it is executed once, on the merger of the states that reach it. Loops are
//! unrolled up to a bound, or cut at their heads, as the policy says; calls are executed in place.

mod access;
mod graph;
mod guard;
mod lifetime;
mod memory;
mod merge;
pub(crate) mod overlap;
pub(crate) mod overlay;
mod range;
mod run;
mod step;

pub(crate) use graph::Graph;
pub(crate) use graph::loop_heads;
pub(crate) use guard::{Guard, Guards};
pub(crate) use memory::{AddressSpace, ObjectId, Points, choose, read_at};
pub(crate) use run::{COUNTER_BITS, Executor, MAX_TERMS, Policy};

use std::collections::BTreeMap;
use std::sync::Arc;

use craig_word::Term;

use super::ir::{BlockId, FunctionId, Location, Reg};
use overlay::ChainId;

/// The values of everything, on the paths that the guard describes.
#[derive(Clone)]
pub(crate) struct State {
    pub(crate) guard: Guard,
    /// Registers of the active calls, outermost first.
    pub(crate) registers: Vec<Arc<Vec<Option<Term>>>>,
    /// The cells of each object; objects that do not exist have none.
    pub(crate) memory: Vec<Option<Arc<Vec<Term>>>>,
    /// What has become of the cells of large objects since they were first accessed at an unknown offset; then
    /// `memory` has what they were about that time.
    pub(crate) overlays: BTreeMap<ObjectId, ChainId>,
    /// How many objects each allocation site has made, where it matters, and which objects are alive (0 or 1),
    /// where that does.
    pub(crate) counters: BTreeMap<u32, Term>,
}

impl State {
    /// The cells of an object that exists.
    fn pieces(&self, object: ObjectId) -> &[Term] {
        match &self.memory[object as usize] {
            Some(cells) => cells,
            None => &[],
        }
    }

    /// An object is no more.
    fn forget(&mut self, object: ObjectId) {
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
    /// The path of calls that leads here, whatever the iteration: the identity of local objects.
    pub(crate) context: u32,
    pub(crate) depth: usize,
    /// The block that called, where the caller goes on, and what gets the result.
    pub(crate) caller_block: BlockId,
    pub(crate) next: BlockId,
    pub(crate) result: Option<Reg>,
    /// The loops that the caller is in, and the key of its instance.
    pub(crate) caller_loops: Arc<Vec<Loop>>,
    pub(crate) caller_key: Vec<u32>,
}

/// An activation of a loop.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Loop {
    pub(crate) iteration: u32,
    /// Iterations after which the condition to go on was not decided.
    pub(crate) open: u32,
    /// The guard at the head, in this iteration.
    pub(crate) guard: Guard,
}

/// Where the paths of a cut program pause: the head of a loop in a call.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Cut {
    pub(crate) context: u32,
    pub(crate) block: BlockId,
}

/// A place in the program to start from.
#[derive(Clone)]
pub(crate) struct Position {
    pub(crate) call: Arc<Call>,
    pub(crate) block: BlockId,
    pub(crate) loops: Arc<Vec<Loop>>,
}

/// Something free that happened, on the paths of its guard.
pub(crate) struct Event {
    pub(crate) guard: Term,
    pub(crate) at: Location,
    pub(crate) what: Happening,
}

pub(crate) enum Happening {
    /// A value was chosen.
    Choose { value: Term },
    /// An object came to life, with these contents; if it is kept without pieces, they belong to the owner.
    Create {
        object: ObjectId,
        cells: Arc<Vec<Term>>,
        owner: Option<Term>,
    },
    /// One of several objects came to life: which one, the address tells.
    CreateOne {
        address: Term,
        cells: Vec<(ObjectId, Arc<Vec<Term>>)>,
    },
    /// Something was read from outside of every object.
    Outside { value: Term },
}

/// A place that paths reach.
#[derive(Clone, Debug)]
pub(crate) struct Mark {
    pub(crate) guard: Term,
    pub(crate) at: Location,
    pub(crate) text: String,
}

/// What an execution met.
#[derive(Default)]
pub(crate) struct Log {
    pub(crate) events: Vec<Event>,
    pub(crate) errors: Vec<Mark>,
    /// Paths that end because something is not supported.
    pub(crate) stuck: Vec<Mark>,
    /// Paths that end because a bound is reached.
    pub(crate) unwound: Vec<Mark>,
    /// Whether one of those would get further with a larger bound: not all of them are capped.
    pub(crate) has_room: bool,
    /// Something invalid may have been accessed: the first place.
    pub(crate) invalid: Option<Location>,
    /// States at cuts.
    pub(crate) exits: Vec<(Cut, Position, State)>,
    /// Loop heads that turned out to need a cut.
    pub(crate) wanted_cuts: Vec<Cut>,
}
