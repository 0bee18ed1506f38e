//! The state of an execution: values on the paths of a guard, active calls, positions; and the log of what
//! happened.

use std::collections::BTreeMap;
use std::sync::Arc;

use craig_word::Term;

use crate::ir::{BlockId, FunctionId, Location, Reg};

use super::guard::Guard;
use super::memory::ObjectId;
use super::overlay::ChainId;

/// The values of everything, on the paths that the guard describes.
#[derive(Clone)]
pub(crate) struct State {
    pub(crate) guard: Guard,
    /// Registers of the active calls, outermost first.
    pub(crate) registers: Vec<Arc<Vec<Option<Term>>>>,
    /// The cells of each object; objects that do not exist have none.
    pub(crate) memory: Vec<Option<Arc<Vec<Term>>>>,
    /// What has become of the cells of large objects since they were first accessed at an unknown offset;
    /// then `memory` has what they were about that time.
    pub(crate) overlays: BTreeMap<ObjectId, ChainId>,
    /// How many objects each allocation site has made, where it matters, and which objects are alive (0 or
    /// 1), where that does.
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

    /// An object is no more.
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
    /// The path of calls that leads here, whatever the iteration: the identity of local objects.
    pub(crate) context: u32,
    pub(crate) depth: usize,
    /// The block that called, where the caller continues, and the register of the result.
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
    /// The lifetime of one of several objects started: the one at the address.
    CreateOne {
        address: Term,
        cells: Vec<(ObjectId, Arc<Vec<Term>>)>,
    },
    /// Something was read from outside of every object.
    Outside { value: Term },
    /// An object got other contents, where the condition holds; as with `Create`.
    Change {
        object: ObjectId,
        cells: Arc<Vec<Term>>,
        owner: Option<Term>,
        condition: Term,
    },
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
