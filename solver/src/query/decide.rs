//! Which variable a query decides next.
//!
//! Most variables of a query were not part of a conflict lately. Those are decided in the order in which the
//! domain lists them, by a cursor, operands before what they define, so that most gates need no decision;
//! only variables that were bumped not long ago are in a heap. Setting up a query so costs a pass over its
//! domain and little sorting, and even that only once there is something to decide: many queries end in a
//! conflict among their assumptions.

use crate::heap::IndexHeap;

/// An order over variables, restarted for each query.
#[derive(Clone, Debug, Default)]
pub(super) struct Order {
    activity: Vec<f64>,
    increment: f64,
    /// Variables whose activity is below this, which only changes between queries, are left to the cursor.
    threshold: f64,
    /// A binary heap of bumped variables, most active first.
    heap: IndexHeap,
    /// Each variable's place in the current domain's list.
    position: Vec<u32>,
    /// All unassigned variables of the domain that are not in the heap lie at or after this place.
    cursor: usize,
    /// How many variables of the domain were no facts when heap, positions and cursor were set up.
    n_open: usize,
    /// Whether heap, positions and cursor are from an earlier query, to be set up before the first decision.
    stale: bool,
}

const DECAY: f64 = 1.0 / 0.95;
const RESCALE: f64 = 1e100;
/// Of a variable's activity, the share of the current increment that puts it in the heap: it was bumped
/// within some 90 conflicts.
const RECENT: f64 = 1e-2;

/// The order of the heap; equally active variables are in no order.
#[inline]
fn more_active(activity: &[f64]) -> impl Fn(u32, u32) -> bool {
    |left, right| activity[left as usize] > activity[right as usize]
}

impl Order {
    pub(super) fn new() -> Self {
        Self {
            increment: 1.0,
            ..Self::default()
        }
    }

    pub(super) fn add_var(&mut self) {
        self.activity.push(0.0);
        self.heap.reserve(self.activity.len());
        self.position.push(0);
    }

    /// A query begins, or the domain is no longer what it was.
    #[inline]
    pub(super) fn restart(&mut self) {
        self.stale = true;
    }

    /// Sets up the order over the variables of `domain`; `is_free` tells which are unassigned, and
    /// `n_assigned` of the others are no facts.
    fn set_up(&mut self, domain: &[u32], n_assigned: usize, is_free: impl Fn(u32) -> bool) {
        self.stale = false;
        self.threshold = self.increment * RECENT;
        self.cursor = 0;
        self.n_open = n_assigned;
        let Self {
            activity,
            threshold,
            heap,
            position,
            n_open,
            ..
        } = self;
        let bumped = domain.iter().enumerate().filter_map(|(place, &var)| {
            position[var as usize] = place as u32;
            let is_free = is_free(var);
            *n_open += usize::from(is_free);
            (is_free && activity[var as usize] > *threshold).then_some(var)
        });
        heap.fill(bumped, more_active(activity));
    }

    /// A variable that is to be decided, or none if the whole domain is assigned. `n_assigned` variables of
    /// the domain have a value above level 0.
    pub(super) fn next(
        &mut self,
        domain: &[u32],
        n_assigned: usize,
        is_free: impl Fn(u32) -> bool,
    ) -> Option<u32> {
        if self.stale {
            self.set_up(domain, n_assigned, &is_free);
        }
        // Most queries that are satisfiable end here, with the heap still full of variables that have a
        // value. New facts since the set-up are no longer above level 0: then the number is never reached,
        // and the heap is emptied.
        if n_assigned == self.n_open {
            return None;
        }
        while let Some(var) = self.heap.pop(more_active(&self.activity)) {
            if is_free(var) {
                return Some(var);
            }
        }
        while self.cursor < domain.len() {
            let var = domain[self.cursor];
            if is_free(var) {
                return Some(var);
            }
            self.cursor += 1;
        }
        None
    }

    /// A variable of the domain has become unassigned.
    #[inline]
    pub(super) fn on_unassign(&mut self, var: u32) {
        if self.stale {
            return;
        }
        if self.activity[var as usize] > self.threshold {
            self.heap.insert(var, more_active(&self.activity));
        } else {
            self.cursor = self.cursor.min(self.position[var as usize] as usize);
        }
    }

    /// A variable took part in a conflict. It is assigned, so it need not enter the heap now.
    pub(super) fn bump(&mut self, var: u32) {
        debug_assert!(!self.stale, "nothing is bumped before the first decision");
        let activity = &mut self.activity[var as usize];
        *activity += self.increment;
        let rescale = *activity > RESCALE;
        self.heap.raise(var, more_active(&self.activity));
        if rescale {
            for activity in &mut self.activity {
                // Variables that have not been bumped for that long leave the heap: they underflow to 0.
                *activity = if *activity < 1.0 {
                    0.0
                } else {
                    *activity / RESCALE
                };
            }
            self.increment /= RESCALE;
            self.threshold /= RESCALE;
        }
    }

    pub(super) fn decay(&mut self) {
        self.increment *= DECAY;
    }
}
