//! Decision heuristic of a query.
//!
//! Most variables of a query were not in a recent conflict. A cursor decides these in the order of the
//! domain, operands before the variables that they define, so that most gates need no decision; only recently
//! bumped variables are in a heap. The set-up takes a pass over the domain and little sorting, and is
//! deferred to the first decision: many queries end in a conflict among their assumptions.

use crate::heap::IndexHeap;

/// An order over variables, reset for each query.
#[derive(Clone, Debug, Default)]
pub(super) struct Order {
    activity: Vec<f64>,
    increment: f64,
    /// Variables whose activity is below this are left to the cursor. It only changes between queries.
    threshold: f64,
    /// A binary heap of bumped variables, most active first.
    heap: IndexHeap,
    /// Each variable's place in the current domain's list.
    position: Vec<u32>,
    /// All unassigned variables of the domain that are not in the heap lie at or after this place.
    cursor: usize,
    /// The number of variables of the domain that were not facts when heap, positions and cursor were set up.
    n_open: usize,
    /// Whether heap, positions and cursor belong to an earlier query and have to be set up before the first
    /// decision.
    stale: bool,
}

const DECAY: f64 = 1.0 / 0.95;
const RESCALE: f64 = 1e100;
/// A variable enters the heap if its activity is at least this fraction of the current increment: it was
/// bumped within about the last 90 conflicts.
const RECENT: f64 = 1e-2;

/// The order of the heap; ties are not broken.
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

    /// Invalidates the order at the start of a query or when the domain changes.
    #[inline]
    pub(super) fn restart(&mut self) {
        self.stale = true;
    }

    /// Sets up the order over the variables of `domain`; `is_free` holds for the unassigned ones, and
    /// `n_assigned` of the others are not facts.
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

    /// The next variable to decide, or `None` if the whole domain is assigned. `n_assigned` variables of the
    /// domain have a value above level 0.
    pub(super) fn next(
        &mut self,
        domain: &[u32],
        n_assigned: usize,
        is_free: impl Fn(u32) -> bool,
    ) -> Option<u32> {
        if self.stale {
            self.set_up(domain, n_assigned, &is_free);
        }
        // Most satisfiable queries end here, with a heap full of assigned variables. Variables that became
        // facts since the set-up are not counted in `n_assigned`; then the numbers never become equal, and
        // the heap is emptied instead.
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

    /// Updates the order for a variable of the domain that has become unassigned.
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

    /// Bumps a variable of a conflict. It is assigned, so it need not enter the heap now.
    pub(super) fn bump(&mut self, var: u32) {
        debug_assert!(!self.stale, "nothing is bumped before the first decision");
        let activity = &mut self.activity[var as usize];
        *activity += self.increment;
        let rescale = *activity > RESCALE;
        self.heap.raise(var, more_active(&self.activity));
        if rescale {
            for activity in &mut self.activity {
                // Variables that were not bumped for this long leave the heap: their activity underflows to
                // 0.
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
